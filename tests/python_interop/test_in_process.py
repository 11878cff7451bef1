"""Engines inside the process: Faiss, USearch, hnswlib, each against brute force."""

import numpy as np
import pytest

from conftest import assert_same_neighbours, slow_distances, some_weights, tied_codes
from structhash import interop

K = 20


@pytest.fixture(params=[24, 64, 100, 256], ids=lambda bits: f"{bits}bits")
def task(request):
    bits = request.param
    codes, queries = tied_codes(2000, bits, bits), tied_codes(2040, bits, bits)[2000:]
    return bits, codes, queries, slow_distances(queries, codes, np.ones(bits))


@pytest.mark.parametrize("kind", ["flat", "ivf"])
def test_exact_faiss_indexes_have_the_same_neighbours(task, kind):
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    bits, codes, queries, table = task
    index = interop.to_faiss(codes, kind, bits=bits)
    assert type(index).__name__ == {"flat": "IndexBinaryFlat", "ivf": "IndexBinaryIVF"}[kind]
    assert_same_neighbours(*index.search(queries, K), table)
    assert np.array_equal(interop.from_faiss(index), codes)


def test_faiss_hnsw_finds_nearly_all(task):
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    bits, codes, queries, table = task
    index = interop.to_faiss(codes, "hnsw", bits=bits, effort=400)
    distances, ids = index.search(queries, K)
    assert np.array_equal(np.take_along_axis(table, ids, axis=1), distances)
    assert share_found(distances, table) >= 0.99
    assert np.array_equal(interop.from_faiss(index), codes)


@pytest.mark.parametrize("kind", ["flat", "ivf", "hnsw"])
def test_faiss_keeps_ids(kind, tmp_path):
    faiss = pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    codes = tied_codes(300, 64, 1)
    index = interop.to_faiss(codes, kind, ids=np.arange(300) * 7 + 5)
    path = str(tmp_path / "codes.faiss")
    faiss.write_index_binary(index, path)
    distances, ids = faiss.read_index_binary(path).search(codes[:10], 5)
    assert (distances[:, 0] == 0).all()
    assert ((ids - 5) % 7 == 0).all()
    table = slow_distances(codes[:10], codes, np.ones(64))
    assert np.array_equal(np.take_along_axis(table, (ids - 5) // 7, axis=1), distances)


def test_our_bits_are_those_of_faiss():
    faiss = pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    values = np.random.default_rng(3).normal(size=(50, 64)).astype(np.float32)
    packed = np.empty((50, 8), dtype=np.uint8)
    faiss.fvecs2bitvecs(faiss.swig_ptr(values), faiss.swig_ptr(packed), 64, 50)
    assert np.array_equal(packed, interop.pack(values > 0))


def test_weighted_neighbours_by_replication_and_by_two_stages():
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    codes, queries, weights = tied_codes(1500, 64, 11), tied_codes(1520, 64, 11)[1500:], some_weights(64)
    table = slow_distances(queries, codes, weights)
    longer = interop.replicate(codes, weights, 512)
    index = interop.to_faiss(longer.codes)
    distances, ids = index.search(longer.replication.expand(queries), K)
    exact = np.take_along_axis(table, ids, axis=1)
    assert (np.abs(distances / longer.replication.scale - exact) <= longer.replication.error_bound + 1e-9).all()
    # The k-th exact distance of the answer is at most two errors above the true one.
    limit = np.sort(table, axis=1)[:, K - 1] + 2 * longer.replication.error_bound
    assert (exact.max(axis=1) <= limit + 1e-9).all()
    _, candidates = interop.to_faiss(codes).search(queries, 1500)
    assert_same_neighbours(*interop.rerank(queries, codes, candidates, weights, K), table, tolerance=1e-9)


def test_usearch_has_the_same_neighbours(task):
    pytest.importorskip("usearch", reason="usearch is not installed")
    bits, codes, queries, table = task
    index = interop.to_usearch(codes, bits=bits, effort=400)
    exact = index.search(queries, K, exact=True)
    assert_same_neighbours(exact.distances, exact.keys, table)
    found = index.search(queries, K)
    keys = found.keys.astype(np.int64)
    assert np.array_equal(np.take_along_axis(table, keys, axis=1), found.distances)
    assert share_found(found.distances, table) >= 0.99
    assert np.array_equal(index.get(np.arange(5, dtype=np.uint64)), codes[:5])


@pytest.mark.parametrize("weighted", [False, True])
def test_hnswlib_has_the_same_distances(task, weighted):
    pytest.importorskip("hnswlib", reason="hnswlib is not installed")
    bits, codes, queries, table = task
    weights = some_weights(bits) if weighted else None
    if weighted:
        table = slow_distances(queries, codes, weights)
    index = interop.to_hnswlib(codes, weights, bits=bits, effort=400)
    ids, distances = index.knn_query(interop.to_vectors(queries, weights, bits), k=K)
    np.testing.assert_allclose(np.take_along_axis(table, ids.astype(np.int64), axis=1), distances, rtol=1e-5, atol=1e-5)
    assert share_found(distances, table, 1e-4) >= 0.99


@pytest.mark.parametrize("engine", ["to_faiss", "to_usearch", "to_hnswlib"])
def test_wrong_ids_are_named(engine):
    pytest.importorskip({"to_faiss": "faiss"}.get(engine, engine[3:]))
    with pytest.raises(ValueError, match="one number per code"):
        getattr(interop, engine)(tied_codes(10, 16, 0), ids=[1, 2])


def test_wrong_kinds_are_named():
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    with pytest.raises(ValueError, match="'flat', 'ivf' or 'hnsw'"):
        interop.to_faiss(tied_codes(10, 16, 0), "pq")
    with pytest.raises(ValueError, match="there are none"):
        interop.to_faiss(np.zeros((0, 2), dtype=np.uint8), "ivf")
    with pytest.raises(TypeError, match="binary index"):
        interop.from_faiss(object())


def share_found(distances, table, tolerance=0.0):
    """Share of answers as near as the k nearest: recall that does not mind which of equals were named."""
    limit = np.sort(table, axis=1)[:, K - 1 : K]
    return float((np.asarray(distances) <= limit + tolerance).mean())
