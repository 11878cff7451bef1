"""What a fitted estimator shows: parameters that were chosen, coefficients, anchors; forms of codes."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel

import structhash


@pytest.mark.parametrize("given", [{"functions": "linear"}, {}, {"functions": "linear", "tune": True}])
def test_the_chosen_parameters_train_the_same_codes(given, digits):
    X, y = digits
    hasher = structhash.StructHash(bits=8, **given).fit(X[:200], y[:200])
    assert {"ridge", "penalty", "trade_off", "shrinkage", "dither"} <= set(hasher.best_params_)
    assert ("width" in hasher.best_params_) == ("functions" not in given)
    again = clone(hasher).set_params(tune=False, **hasher.best_params_).fit(X[:200], y[:200])
    assert np.array_equal(again.transform(X), hasher.transform(X))


def test_a_method_that_chooses_nothing(digits):
    assert structhash.LSH(bits=8).fit(digits[0]).best_params_ == {}
    with pytest.raises(NotFittedError):
        structhash.LSH().best_params_  # noqa: B018


@pytest.mark.parametrize("kind", ["StructHash", "CCAITQ", "LSH"])
def test_coefficients_of_linear_functions(kind, digits):
    X, y = digits
    hasher = getattr(structhash, kind)(bits=12, functions="linear").fit(X[:200], y[:200])
    assert hasher.coef_.shape == (12, 64) and hasher.intercept_.shape == (12,)
    values = X.astype(float) @ hasher.coef_.T + hasher.intercept_
    assert np.allclose(values, hasher.decision_function(X), atol=1e-3)
    assert not hasattr(hasher, "anchors_") and not hasattr(hasher, "gamma_")
    with pytest.raises(AttributeError, match="linear functions, which have no anchors_"):
        hasher.anchors_  # noqa: B018


def test_coefficients_of_kernel_functions(digits):
    X, y = digits
    hasher = structhash.StructHash(bits=12, anchors=40).fit(X[:200], y[:200])
    assert hasher.coef_.shape == (12, 40) and hasher.anchors_.shape == (40, 64)
    values = rbf_kernel(X.astype(float), hasher.anchors_, gamma=hasher.gamma_) @ hasher.coef_.T + hasher.intercept_
    assert np.allclose(values, hasher.decision_function(X), atol=1e-3)


def test_functions_without_coefficients(digits):
    X, y = digits
    trees = structhash.FastHash(bits=4).fit(X[:100], y[:100])
    graph = structhash.AGH(bits=4, anchors=30).fit(X[:100])
    assert graph.anchors_.shape == (30, 64) and graph.gamma_ > 0
    for hasher in (trees, graph):
        assert not hasattr(hasher, "coef_") and not hasattr(hasher, "intercept_")
    assert not hasattr(structhash.LSH(), "coef_")  # not fitted


def test_three_forms_of_codes(digits):
    X, _ = digits
    hasher = structhash.LSH(bits=20).fit(X)
    bits = hasher.transform(X, output="bits")
    assert bits.dtype == np.uint8 and np.array_equal(bits, hasher.decision_function(X) > 0)
    signs = hasher.transform(X, output="signs")
    assert signs.dtype == np.int8 and np.array_equal(signs, np.where(bits, 1, -1))
    assert np.array_equal(hasher.transform(X, output="packed"), np.packbits(bits, axis=1, bitorder="little"))
    with pytest.raises(ValueError, match="packed, bits, signs, got 'hex'"):
        hasher.transform(X, output="hex")


def test_bits_are_no_data_frame(digits):
    pytest.importorskip("pandas")
    hasher = structhash.LSH(bits=20).fit(digits[0]).set_output(transform="pandas")
    with pytest.raises(ValueError, match='set_output\\(transform="default"\\)'):
        hasher.transform(digits[0], output="bits")
    assert hasher.transform(digits[0]).shape == (1797, 3)
