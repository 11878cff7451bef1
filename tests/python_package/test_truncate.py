"""Nested codes: the first bits of a fitted estimator."""

import pickle

import numpy as np
import pytest

import structhash


@pytest.mark.parametrize("functions", ["linear", "kernel"])
def test_the_first_bits_of_the_codes(functions, digits, tmp_path):
    X, y = digits
    hasher = structhash.StructHash(bits=24, functions=functions, random_state=1).fit(X[:300], y[:300])
    shorter = hasher.truncate(16)
    assert shorter.bits == 16 and hasher.bits == 24 and type(shorter) is type(hasher)
    assert np.array_equal(shorter.transform(X), hasher.transform(X)[:, :2])
    assert np.array_equal(shorter.bit_weights_, np.ones(16))
    assert np.allclose(shorter.decision_function(X), hasher.decision_function(X)[:, :16], atol=1e-4)
    assert shorter.truncate(8).model_ == hasher.truncate(8).model_
    assert pickle.loads(pickle.dumps(shorter)).model_ == shorter.model_
    shorter.save(tmp_path / "short.shm")
    assert structhash.load(tmp_path / "short.shm").bits == 16


def test_an_index_of_the_first_bits(digits):
    X, y = digits
    hasher = structhash.StructHash(bits=32, random_state=1).fit(X[:300], y[:300])
    index = structhash.Index(hasher.truncate(16))
    index.add(hasher.transform(X)[:, :2])
    again = structhash.Index(hasher.truncate(16))
    again.add(X)
    assert all(np.array_equal(a, b) for a, b in zip(index.search(X[:9], k=5), again.search(X[:9], k=5), strict=True))


def test_what_cannot_be_cut_is_refused(digits):
    X, _ = digits
    with pytest.raises(ValueError, match="itq has no nested codes"):
        structhash.ITQ(bits=16).fit(X).truncate(8)
    hasher = structhash.LSH(bits=16).fit(X)
    with pytest.raises(ValueError, match="bits must be 1 to 16, the bits of the model, got 17"):
        hasher.truncate(17)
    with pytest.raises(TypeError, match="bits must be a whole number"):
        hasher.truncate(8.5)
