"""The index of this package and the engines give the same neighbours; needs the compiled package."""

import numpy as np
import pytest

from conftest import assert_same_neighbours, some_weights, tied_codes
from structhash import interop

ROWS, K = 1500, 25


@pytest.fixture(params=[24, 64, 100], ids=lambda bits: f"{bits}bits")
def task(request):
    structhash = pytest.importorskip("structhash")
    try:
        index_class = structhash.Index
    except (AttributeError, ImportError):
        pytest.skip("the compiled package structhash is not installed in this environment")
    bits = request.param
    return index_class, bits, tied_codes(ROWS, bits, bits), tied_codes(ROWS + 20, bits, bits)[ROWS:]


def test_hamming(task):
    index_class, bits, codes, queries = task
    index = index_class(bits=bits)
    index.add(codes)
    distances, ids = index.search(queries, K)
    table = interop.hamming_distances(queries, codes)
    expected, expected_ids = interop.nearest(table, K)
    assert np.array_equal(ids, expected_ids)  # ties in order of id, both
    assert np.array_equal(distances, expected)
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    assert np.array_equal(interop.to_faiss(codes, bits=bits).search(queries, K)[0], expected)


def test_weighted(task):
    index_class, bits, codes, queries = task
    weights = some_weights(bits).astype(np.float32)
    index = index_class(bits=bits, weights=weights)
    index.add(codes)
    distances, ids = index.search(queries, K)
    assert_same_neighbours(distances, ids, interop.weighted_distances(queries, codes, weights), tolerance=1e-5)


def test_becomes_an_index_of_faiss(task):
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    index_class, bits, codes, queries = task
    index = index_class(bits=bits)
    index.add(codes, ids=np.arange(5000, 5000 + len(codes)))
    distances, _ = index.search(queries, K)
    theirs, ids = index.to_faiss().search(queries, K)
    assert np.array_equal(theirs, distances)
    assert ids.min() >= 5000
