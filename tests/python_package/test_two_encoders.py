"""Queries of another kind than the items: two encoders in one model."""

import json
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import structhash

QUICK = {"bits": 24, "functions": "linear"}


@pytest.fixture(scope="module")
def halves(digits):
    """Items: the lower six rows of 8 x 8 pixels; queries: the upper five, of other images."""
    X, y = digits
    return X[:600, 16:], y[:600], X[600:1000, :40], y[600:1000]


def relevance_of(y, query_y):
    return sparse.csr_matrix((query_y[:, None] == y[None, :]).astype(int))


@pytest.fixture(scope="module")
def hasher(halves):
    X, y, Q, query_y = halves
    return structhash.StructHash(**QUICK).fit(X, y, queries=Q[:300], query_labels=query_y[:300])


def precision(hasher, halves):
    X, y, Q, query_y = halves
    values = structhash.evaluate(hasher, X, y, Q[300:], query_y[300:], "precision@10")
    return values["precision@10"]


def test_both_sides_have_codes(hasher, halves):
    X, _, Q, _ = halves
    assert hasher.model_.two_encoders
    assert hasher.n_features_in_ == 48
    assert hasher.transform(X).shape == (600, 3)
    codes = hasher.transform_queries(Q)
    assert codes.shape == (400, 3)
    assert (hasher.transform_queries(Q, output="bits") == np.unpackbits(codes, axis=1, bitorder="little")).all()
    assert set(np.unique(hasher.transform_queries(Q, output="signs"))) == {-1, 1}
    assert {"query_ridge", "ridge"} <= set(hasher.best_params_)
    queries = hasher.model_.of_queries
    assert not queries.two_encoders
    assert (queries.decision_values(np.ascontiguousarray(Q)) > 0).astype(int).tolist() == hasher.transform_queries(
        Q, output="bits"
    ).tolist()


def test_queries_find_items_of_their_class(hasher, halves):
    assert precision(hasher, halves) > 0.6  # chance is 0.1


def test_judgments_instead_of_labels(halves):
    X, y, Q, query_y = halves
    relevance = relevance_of(y, query_y[:300])
    hasher = structhash.StructHash(**QUICK).fit(X, relevance=relevance, queries=Q[:300])
    assert precision(hasher, halves) > 0.6
    held_out = relevance_of(y, query_y[300:])
    assert hasher.score(X, relevance=held_out, queries=Q[300:]) > 0.6
    with pytest.raises(ValueError, match="score needs relevance and queries"):
        hasher.score(X, y)


def test_of_as_many_columns_where_asked(halves):
    X, y, Q, query_y = halves
    arguments = {"queries": Q[:200], "query_labels": query_y[:200]}
    one = structhash.StructHash(**QUICK).fit(X[:, :40], y, **arguments)
    two = structhash.StructHash(**QUICK).fit(X[:, :40], y, two_encoders=True, **arguments)
    assert (one.model_.two_encoders, two.model_.two_encoders) == (False, True)
    assert (one.transform_queries(Q) == one.transform(Q)).all()
    assert (two.transform_queries(Q) != two.transform(Q)).any()


@pytest.mark.parametrize("distance", ["auto", "weighted", "hamming"])
def test_an_index_encodes_queries_as_queries(distance, hasher, halves):
    X, y, Q, query_y = halves
    index = structhash.Index(hasher, distance=distance)
    index.add(X)
    assert (index[np.arange(600)] == hasher.transform(X)).all()
    distances, ids = index.search(Q[300:], k=10)
    assert (y[ids] == query_y[300:, None]).mean() > 0.6
    single = index.search(Q[300], k=10)
    assert (single[1] == ids[0]).all()
    assert len(index.range_search(Q[:3], 5)[0]) == 4
    if distance == "hamming":
        bits = hasher.transform_queries(Q[300:], output="bits")
        different = (bits[:, None, :] != hasher.transform(X, output="bits")[None]).sum(axis=2)
        assert (np.sort(different, axis=1)[:, :10] == distances).all()
    again = pickle.loads(pickle.dumps(index))
    assert (again.search(Q[300:], k=10)[1] == ids).all()


def test_the_model_is_one_value(hasher, halves, tmp_path):
    X, _, Q, _ = halves
    hasher.save(tmp_path / "m.shm")
    loaded = structhash.StructHash.load(tmp_path / "m.shm")
    assert loaded.model_ == hasher.model_
    assert (loaded.transform_queries(Q) == hasher.transform_queries(Q)).all()
    assert pickle.loads(pickle.dumps(hasher)).model_ == hasher.model_
    shorter = hasher.truncate(8)
    assert (shorter.transform_queries(Q) == hasher.transform_queries(Q)[:, :1]).all()
    assert (shorter.transform(X) == hasher.transform(X)[:, :1]).all()
    assert not hasattr(clone(hasher), "model_")
    assert json.loads(loaded.model_.parameters)["bits"] == 24


def test_weights_of_queries(halves):
    X, y, Q, query_y = halves
    first = structhash.StructHash(**QUICK).fit(X, relevance=relevance_of(y, query_y[:40]), queries=Q[:40])
    doubled = structhash.StructHash(**QUICK).fit(
        X, relevance=relevance_of(y, query_y[:40]), queries=Q[:40], sample_weight=np.full(40, 2.0)
    )
    assert np.array_equal(first.coef_, doubled.coef_)


def test_what_cannot_work_is_refused_by_name(hasher, halves):
    X, y, Q, query_y = halves
    make = structhash.StructHash
    labelled = {"queries": Q, "query_labels": query_y}
    cases = [
        (lambda: make(bits=8, functions="tree").fit(X, y, **labelled), "linear or kernel functions"),
        (lambda: make(bits=8, tune=True).fit(X, y, **labelled), "tune cannot be used"),
        (lambda: structhash.CGH(bits=8).fit(X, y, **labelled), "structhash learns two"),
        (lambda: make(bits=8).fit(X, y, queries=Q), "y and query_labels"),
        (lambda: make(bits=8).fit(X, y, query_labels=query_y), "need queries"),
        (lambda: make(bits=8).fit(X, y, two_encoders=True), "need queries"),
        (lambda: make(bits=8).fit(X, y, queries=Q, query_labels=query_y[:3]), "inconsistent"),
        (lambda: make(bits=8).fit(X, relevance={0: [1]}, queries=Q, query_labels=query_y), "not both"),
        (lambda: make(bits=8).fit(sparse.csr_matrix(X), relevance={0: [1]}, queries=Q), "dense features"),
        (lambda: hasher.transform_queries(X), "expects 40"),
        (lambda: hasher.transform(Q), "48"),
        (lambda: hasher.transform_queries(Q, output="hex"), "output must be"),
    ]
    for call, words in cases:
        with pytest.raises(ValueError, match=words):
            call()
    broken = Q.copy()
    broken[5, 2] = np.nan
    with pytest.raises(ValueError, match=r"queries\[5, 2\]"):
        make(bits=8).fit(X, y, queries=broken, query_labels=query_y)


def test_encoders_for_other_programs(hasher, halves):
    torch = pytest.importorskip("torch")
    from structhash.interop import to_torch

    Q = np.ascontiguousarray(halves[2])
    codes, _ = to_torch(hasher.model_.of_queries)(torch.from_numpy(Q))
    assert (codes.numpy() == hasher.transform_queries(Q)).mean() > 0.99
