"""Sparse features: fitted, encoded and searched without becoming dense."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD

import structhash


@pytest.fixture(scope="module")
def words():
    """300 rows of 5,000 columns, 40 of them not zero; 5 classes with words of their own."""
    random = np.random.default_rng(0)
    y = np.arange(300) % 5
    X = sparse.lil_matrix((300, 5000), dtype=np.float32)
    for row, label in enumerate(y):
        X[row, random.choice(5000, 25, replace=False)] = random.random(25)
        X[row, 100 * label + random.choice(100, 15, replace=False)] = 1.0
    return X.tocsr(), y


@pytest.mark.parametrize("functions", ["linear", "kernel", "tree"])
def test_codes_are_those_of_the_projected_rows(functions, words, tmp_path):
    X, y = words
    hasher = structhash.StructHash(bits=16, functions=functions, sparse_components=20).fit(X[:200], y[:200])
    assert hasher.n_features_in_ == 5000 and hasher.model_.dimension == 5000
    assert hasher.model_.projection.outputs == 20
    codes = hasher.transform(X)
    for same in (X.toarray(), X.tocsc(), sparse.coo_array(X), X.astype(np.float64)):
        assert np.array_equal(hasher.transform(same), codes)
    assert np.array_equal(hasher.model_.encode(X.toarray()), codes)
    assert hasher.score(X[200:], y[200:]) > 0.6
    hasher.save(tmp_path / "m.shm")
    loaded = structhash.load(tmp_path / "m.shm")
    assert np.array_equal(loaded.transform(X), codes) and loaded.sparse_components == 20
    assert np.array_equal(pickle.loads(pickle.dumps(hasher)).transform(X), codes)
    assert np.array_equal(hasher.truncate(8).transform(X), codes[:, :1])


def test_components_span_those_of_an_exact_svd(words):
    X, y = words
    hasher = structhash.LSH(sparse_components=8).fit(X)
    rows = hasher.model_.dense.dimension
    assert rows == 8
    exact = TruncatedSVD(8, algorithm="arpack", random_state=0).fit(X)
    lost = np.linalg.norm(X - exact.inverse_transform(exact.transform(X)))
    from structhash._sparse import sparse_rows

    Z = hasher.model_.projection.project(sparse_rows(X), 1)
    kept = np.sqrt(np.linalg.norm(X.toarray()) ** 2 - np.linalg.norm(Z) ** 2)
    assert kept == pytest.approx(lost, rel=0.01)


def test_an_index_takes_sparse_rows(words):
    X, y = words
    hasher = structhash.StructHash(bits=16, sparse_components=20).fit(X, y)
    index = structhash.Index(hasher)
    index.add(X)
    dense = structhash.Index(hasher)
    dense.add(hasher.transform(X))
    for found, expected in zip(index.search(X[:9], k=5), dense.search(X[:9], k=5), strict=True):
        assert np.array_equal(found, expected)


def test_relevance_with_sparse_queries(words):
    X, y = words
    pairs = [(k, int(i)) for k in range(40) for i in np.flatnonzero(y == y[k])]
    hasher = structhash.StructHash(bits=16, sparse_components=20).fit(X, relevance=pairs, queries=X[:40])
    assert hasher.score(X, relevance=pairs, queries=X[:40]) > 0.8


def test_what_does_not_fit_is_refused(words):
    X, y = words
    dense = structhash.LSH(bits=8).fit(X[:, :20].toarray())
    with pytest.raises(ValueError, match="is a sparse matrix, but the model was fitted on dense features"):
        dense.transform(X[:, :20])
    hasher = structhash.LSH(bits=8, sparse_components=5).fit(X)
    with pytest.raises(ValueError, match="4999 features"):
        hasher.transform(X[:, :4999])
    broken = X.copy()
    broken.data[3] = np.nan
    with pytest.raises(ValueError, match=r"X contains NaN or infinity: X\[0, \d+\] is nan"):
        structhash.LSH(bits=8).fit(broken)
    with pytest.raises(ValueError, match="components must be at least 1"):
        structhash.LSH(bits=8, sparse_components=0).fit(X)
    with pytest.raises(ValueError, match="all are zero"):
        structhash.LSH(bits=8).fit(sparse.csr_matrix((20, 30), dtype=np.float32))
