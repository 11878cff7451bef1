"""Codes with many ties, the reference they are searched with, and the package even where it is not compiled."""

import importlib.util
import os
import sys
import types
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

# Faiss' threads wait for each other in busy loops: on a machine with other work that takes far longer than one thread.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if importlib.util.find_spec("structhash") is None:
    # The interop package is pure Python: without an installed package it is tested from its sources.
    source = types.ModuleType("structhash")
    source.__path__ = [str(REPOSITORY / "python" / "structhash")]
    sys.modules["structhash"] = source

GOLDEN_BITS = (0, 3, 9, 23)  # of 24


@pytest.fixture
def golden_code():
    code = np.zeros((1, 3), dtype=np.uint8)
    for bit in GOLDEN_BITS:
        code[0, bit // 8] |= 1 << (bit % 8)
    return code


def tied_codes(rows, bits, seed):
    """Codes near a few centres, some of them equal: distances tie often, as learned codes do."""
    rng = np.random.default_rng(seed)
    centres = rng.random((12, bits)) < 0.5
    table = centres[rng.integers(0, len(centres), rows)] ^ (rng.random((rows, bits)) < 0.08)
    copies = min(20, rows // 2)
    table[rows // 2 : rows // 2 + copies] = table[:copies]
    return np.packbits(table, axis=1, bitorder="little")


def some_weights(bits, seed=5):
    return np.random.default_rng(seed).gamma(2.0, 0.5, bits)


def slow_distances(queries, codes, weights):
    """sum_i w_i [q_i != c_i], bit by bit, in the order of the bits."""
    bits = len(weights)
    table = np.zeros((len(queries), len(codes)))
    for i in range(bits):
        q = queries[:, i // 8] >> (i % 8) & 1
        c = codes[:, i // 8] >> (i % 8) & 1
        table += weights[i] * (q[:, None] != c[None, :])
    return table


def assert_same_neighbours(distances, ids, table, tolerance=0.0):
    """An answer equals brute force: the distances are the k smallest, every id has the distance it came with, none twice.

    Which of several equally near codes are named is left to the engine.
    """
    distances, ids = np.asarray(distances, dtype=np.float64), np.asarray(ids, dtype=np.int64)
    expected = np.sort(table, axis=1)[:, : ids.shape[1]]
    np.testing.assert_allclose(distances, expected, rtol=0, atol=tolerance)
    np.testing.assert_allclose(np.take_along_axis(table, ids, axis=1), distances, rtol=0, atol=tolerance)
    for line in ids:
        assert len(set(line.tolist())) == len(line)


def command_path():
    """The structhash command, or None: STRUCTHASH_COMMAND, or the release build."""
    given = os.environ.get("STRUCTHASH_COMMAND")
    path = Path(given) if given else REPOSITORY / "build" / "release" / "bin" / "structhash"
    return path if os.access(path, os.X_OK) else None
