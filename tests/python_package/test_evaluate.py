"""Evaluation of estimators, and of the results of searches."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import structhash
from slow_twins import distances
from structhash import Index, measures


@pytest.fixture(scope="module")
def parts(digits):
    """Database, its labels, queries, their labels."""
    X, y = digits
    return X[300:], y[300:], X[:40], y[:40]


@pytest.mark.parametrize("distance", ["weighted", "hamming"])
def test_evaluate_is_the_measure_of_all_distances(distance, trained, parts):
    X_db, y_db, X_q, y_q = parts
    weights = trained.bit_weights_ if distance == "weighted" else None
    table = distances(trained.transform(X_q), trained.transform(X_db), 32, weights)
    expected = measures.evaluate(["map", "ndcg@10"], y_q[:, None] == y_db, distances=np.float32(table))
    found = structhash.evaluate(trained, *parts, measures=["map", "ndcg@10"], distance=distance)
    assert found == pytest.approx(expected, abs=1e-3)  # float sums tie a little differently


def test_evaluate_ranks_as_the_index_does(trained, parts):
    X_db, y_db, X_q, y_q = parts
    index = Index(trained)
    index.add(X_db)
    found, ids = index.search(X_q, len(X_db))
    by_index = measures.from_search(ids, found, relevant=y_q[:, None] == y_db, measures="map")
    adaptive = structhash.evaluate(trained, *parts, measures="map")["map"]
    assert adaptive == pytest.approx(by_index[f"map@{len(X_db)}"], abs=1e-6)
    assert adaptive != structhash.evaluate(trained, *parts, measures="map", distance="weighted")["map"]


def test_evaluate_takes_pipelines_names_and_label_matrices(parts):
    X_db, y_db, X_q, y_q = parts
    pipeline = make_pipeline(StandardScaler(), structhash.ITQ(bits=16)).fit(X_db)
    scale = pipeline[0].transform
    words, one_hot = np.array(list("abcdefghij")), np.eye(10, dtype=int)
    values = structhash.evaluate(pipeline, *parts)
    assert list(values) == ["map", "ndcg@100", "precision@100"]
    assert values == structhash.evaluate(pipeline[-1], scale(X_db), words[y_db], scale(X_q), words[y_q])
    assert values == pytest.approx(structhash.evaluate(pipeline, X_db, one_hot[y_db], X_q, one_hot[y_q]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_q": [1, 2]}, "inconsistent numbers of samples"),
        ({"X_q": np.zeros((40, 3), np.float32)}, "3 features"),
        ({"X_q": np.full((40, 64), np.nan, np.float32)}, r"X\[0, 0\] is nan"),
        ({"measures": "mpa"}, "mpa"),
        ({"distance": "cosine"}, "distance must be one of"),
        ({"ties": "random"}, "random"),
    ],
)
def test_errors_of_evaluate(change, message, trained, parts):
    given = {**dict(zip(["X_db", "y_db", "X_q", "y_q"], parts)), **change}
    with pytest.raises(ValueError, match=message):
        structhash.evaluate(trained, **given)


def test_an_estimator_that_is_not_fitted(parts):
    with pytest.raises(NotFittedError):
        structhash.evaluate(structhash.LSH(), *parts)


def test_results_of_a_search_by_hand():
    ids = np.array([[10, 20, 30], [40, 50, -1], [60, 70, 80]])
    found = np.array([[1, 2, 3], [1, 2, 9], [5, 6, 7]])
    relevant = {0: [10, 30, 99], 1: [50], 2: []}  # id 99 was not found; query 2 has no relevant item
    values = measures.from_search(ids, found, relevant=relevant)
    assert values["precision@3"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert values["recall@3"] == pytest.approx((2 / 3 + 1) / 2)
    assert values["map@3"] == pytest.approx(((1 + 2 / 3) / 3 + 1 / 2) / 2)
    assert measures.from_search(ids, found, relevant=relevant, k=1)["recall@1"] == pytest.approx((1 / 3 + 0) / 2)
    shuffled = measures.from_search(ids[:, ::-1], found[:, ::-1], relevant=relevant)
    assert shuffled == values


def test_relevant_items_in_every_form(trained, parts):
    X_db, y_db, X_q, y_q = parts
    index = Index(trained)
    index.add(X_db)
    found, ids = index.search(X_q, 10)
    table = y_q[:, None] == y_db
    expected = measures.from_search(ids, found, relevant=table)
    assert expected["precision@10"] == pytest.approx((y_db[ids] == y_q[:, None]).mean())
    lists = [np.flatnonzero(row) for row in table]
    for form in (sparse.csr_matrix(table), lists, [set(row) for row in lists], dict(enumerate(lists))):
        assert measures.from_search(ids, found, relevant=form) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 4}, "k must be 1 to 3"),
        ({"k": 0}, "k must be 1 to 3"),
        ({"distances": [[1, 2]]}, "one shape"),
        ({"ids": [[0.5, 1, 2]]}, "whole numbers"),
        ({"relevant": {5: [1]}}, "query row 5"),
        ({"measures": "auc"}, "auc"),
    ],
)
def test_errors_of_results(options, message):
    given = {"ids": [[1, 2, 3]], "distances": [[1, 2, 3]], "relevant": [[1]], **options}
    with pytest.raises(ValueError, match=message):
        measures.from_search(**given)
