"""Whatever arrives, Python gets an answer or an exception, never a crash, and answers are right."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import structhash
from slow_twins import distances, nearest
from structhash import Index, measures

REFUSED = (ValueError, TypeError, OverflowError, MemoryError)
DTYPES = ["<f4", ">f4", "<f8", "<f2", "i1", "u1", "<i8", "<u8", "?", "<c8", "U3", "O", "M8[s]"]
quick = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def any_array(draw):
    """Any type, 0 to 3 dimensions, empty, of either order, strided, reversed, read-only, with NaN."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(st.lists(st.integers(0, 9), max_size=3).map(tuple))
    array = np.zeros(shape, dtype) if dtype == object else draw(arrays.arrays(dtype, shape))
    change = draw(st.sampled_from(["none", "fortran", "strided", "reversed", "read-only"]))
    if change == "fortran":
        return np.asfortranarray(array)
    if change == "strided" and array.ndim:
        return np.repeat(array, 2, axis=0)[::2]
    if change == "reversed" and array.ndim:
        return array[::-1]
    if change == "read-only":
        array.flags.writeable = False
    return array


@pytest.fixture(scope="module")
def hasher():
    X = np.random.default_rng(1).normal(size=(40, 4)).astype(np.float32)
    return structhash.LSH(bits=12).fit(X)


@quick
@given(x=any_array())
def test_transform_of_anything(hasher, x):
    for call in (hasher.transform, hasher.decision_function):
        try:
            result = call(x)
        except REFUSED:
            continue
        assert len(result) == len(x)
        assert np.isfinite(np.asarray(x, dtype=np.float32)).all()


@quick
@given(x=any_array(), y=any_array(), supervised=st.booleans(), bits=st.integers(-2, 70))
def test_fit_on_anything(x, y, supervised, bits):
    kind = structhash.CCAITQ if supervised else structhash.LSH
    try:
        fitted = kind(bits=bits).fit(x, y)
    except REFUSED:
        return
    assert fitted.transform(x).shape == (len(x), (bits + 7) // 8)


@quick
@given(
    codes=any_array(),
    queries=any_array(),
    ids=st.none() | any_array(),
    k=st.integers(-1, 2**63),
    bits=st.integers(-1, 80),
)
def test_index_of_anything(codes, queries, ids, k, bits):
    try:
        index = Index(bits=bits)
        index.add(codes, ids)
        found, where = index.search(queries, k)
    except REFUSED:
        return
    assert found.shape == where.shape == ((k,) if queries.ndim == 1 else (len(queries), k))


@quick
@given(
    database=st.integers(0, 12),
    queries=st.integers(0, 5),
    bits=st.integers(1, 130),
    k=st.integers(1, 20),
    weighted=st.booleans(),
    seed=st.integers(0, 99),
)
def test_every_shape_is_searched_exactly(database, queries, bits, k, weighted, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 5, bits) if weighted else None
    codes, asked = (
        np.packbits(rng.integers(0, 2, (rows, bits), dtype=np.uint8), axis=1, bitorder="little").reshape(rows, -1)
        if rows
        else np.empty((0, (bits + 7) // 8), np.uint8)
        for rows in (database, queries)
    )
    index = Index(bits=bits, weights=weights)
    index.add(codes)
    found, ids = index.search(asked, k)
    expected = distances(asked, codes, bits, weights)
    there = min(k, database)
    assert np.array_equal(ids[:, :there], nearest(expected, k))
    assert (ids[:, there:] == -1).all()
    assert np.array_equal(found[:, :there], np.take_along_axis(expected, ids[:, :there], axis=1))


@quick
@given(relevance=any_array(), scores=any_array(), k=st.integers(-1, 2**63))
def test_measures_of_anything(relevance, scores, k):
    try:
        value = measures.ndcg(relevance, scores, k=k)
    except REFUSED:
        return
    assert 0.0 <= value <= 1.0 + 1e-9


@quick
@given(
    relevance=any_array()
    | st.dictionaries(st.integers(-1, 50), st.dictionaries(st.integers(-1, 50), st.integers(-3, 40)))
)
def test_relevance_of_anything(relevance):
    X = np.random.default_rng(1).normal(size=(30, 3)).astype(np.float32)
    try:
        structhash.CGH(bits=2).fit(X, relevance=relevance)
    except REFUSED:
        pass


@pytest.mark.parametrize("n_jobs", [2**40, 1.5, "two", -(2**40)])
def test_senseless_threads(n_jobs, hasher):
    index = Index(bits=8)
    try:
        index.search(np.zeros((1, 1), np.uint8), 1, n_jobs=n_jobs)
    except REFUSED:
        pass
