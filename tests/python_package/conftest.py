"""What the tests share: the digits, and models that are learned once."""

import pathlib

import numpy as np
import pytest

import structhash

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def digits():
    """Features (float32), labels."""
    table = np.loadtxt(ROOT / "data/digits/digits.csv.gz", delimiter=",", dtype=np.float32)
    return np.ascontiguousarray(table[:, :64]), table[:, 64].astype(int)


@pytest.fixture(scope="session")
def trained(digits):
    """StructHash of 32 bits, learned from the first 300 digits."""
    X, y = digits
    return structhash.StructHash(bits=32, measure="map", ridge=0.02, penalty=0.2, trade_off=30).fit(X[:300], y[:300])


@pytest.fixture(scope="session")
def itq(digits):
    return structhash.ITQ(bits=32).fit(digits[0][:500])
