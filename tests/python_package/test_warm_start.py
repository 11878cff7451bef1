"""``warm_start``: training continues to more bits and ends in the bytes of a training from the start."""

import pickle
import tempfile

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import structhash


def hasher(bits, **options):
    return structhash.StructHash(bits=bits, warm_start=True, **options)


@pytest.fixture
def rows(digits):
    X, y = digits
    return X[:200], y[:200]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Temporary files of a test are made here, and none remains."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("functions", ["linear", "kernel", "tree"])
def test_more_bits_have_the_bytes_of_a_training_from_the_start(functions, rows):
    grown = hasher(8, functions=functions).fit(*rows)
    for bits in (12, 12, 20):
        grown.set_params(bits=bits).fit(*rows)
        assert grown.model_ == structhash.StructHash(bits=bits, functions=functions).fit(*rows).model_


def test_judgments_weights_and_sparse_rows(rows):
    X, y = rows
    for fit in (
        lambda estimator: estimator.fit(X, relevance=sparse.csr_matrix(y[:40, None] == y), queries=X[:40]),
        lambda estimator: estimator.fit(X, y, sample_weight=1.0 + (y == 8)),
        lambda estimator: estimator.fit(sparse.csr_matrix(X), y),
    ):
        grown = fit(fit(hasher(8, sparse_components=16)).set_params(bits=12))
        assert grown.model_ == fit(structhash.StructHash(bits=12, sparse_components=16)).model_


def test_a_pickle_continues_and_a_clone_starts_again(rows):
    first = hasher(8).fit(*rows)
    whole = structhash.StructHash(bits=12).fit(*rows).model_
    copy = pickle.loads(pickle.dumps(first)).set_params(bits=12, ridge=0.1)
    with pytest.raises(ValueError, match="ridge was"):
        copy.fit(*rows)
    assert copy.set_params(ridge=None).fit(*rows).model_ == whole
    fresh = clone(first).set_params(bits=12, ridge=0.1).fit(*rows)
    assert fresh.model_ == structhash.StructHash(bits=12, ridge=0.1).fit(*rows).model_


def test_another_training_is_refused_by_name(rows):
    X, y = rows
    first = hasher(8, trade_off=20.0).fit(X, y)
    model = first.model_
    for parameters, message in (
        ({"bits": 4}, r"bits=4 must be at least 8, .* truncate\(4\) gives the first 4"),
        ({"trade_off": 30.0}, "trade_off was 20.0 and is 30.0; fit with the same data and parameters, or "),
        ({"trade_off": None}, "trade_off was 20.0 and is None"),
        ({"random_state": 2}, "random_state was 1 and is 2"),
        ({"bits": 12, "random_state": 2}, "random_state was 1 and is 2"),
    ):
        with pytest.raises(ValueError, match=message):
            clone(first).fit(X, y).set_params(**parameters).fit(X, y)
    for features, labels in ((X[:-1], y[:-1]), (X + 1, y), (X, (y + y // 9) % 10)):
        with pytest.raises(ValueError, match="another one: features, labels or lists are not the same"):
            first.set_params(bits=12).fit(features, labels)
        assert first.model_ is model
    tuned = hasher(4, tune=True, iterations=2).fit(X, y)
    with pytest.raises(ValueError, match="bits was 4 and is 5, which changes its trials"):
        tuned.set_params(bits=5).fit(X, y)


def test_without_warm_start_training_starts_again_and_forgets(rows):
    X, y = rows
    grown = hasher(8).fit(X, y).set_params(warm_start=False).fit(X[:100], y[:100])
    assert grown.model_ == structhash.StructHash(bits=8).fit(X[:100], y[:100]).model_
    grown.set_params(warm_start=True).fit(X, y)  # nothing to continue: no error about other data
    assert grown.model_ == structhash.StructHash(bits=8).fit(X, y).model_
    assert hasher(8).fit(X, y).truncate(4).fit(X, y).bits == 4


def test_a_random_seed_is_kept(rows):
    first = hasher(8, random_state=None).fit(*rows)
    codes = first.transform(rows[0])
    grown = first.set_params(bits=16).fit(*rows)
    assert np.array_equal(grown.transform(rows[0])[:, :1], codes)


def test_the_state_is_what_training_continues_from(rows):
    """Damage to it is found, which a training from the start would not notice."""
    first = hasher(8).fit(*rows)
    last = first._training
    damaged = bytearray(last.checkpoint)
    damaged[len(damaged) // 2] ^= 1
    first._training = last._replace(checkpoint=bytes(damaged))
    with pytest.raises(structhash.CorruptFileError):
        first.set_params(bits=12).fit(*rows)


def test_methods_without_checkpoints_have_no_warm_start():
    with pytest.raises(TypeError):
        structhash.CGH(warm_start=True)
