"""Measures: by hand, against scikit-learn, tie-aware, on odd input."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import average_precision_score, ndcg_score, roc_auc_score

from slow_twins import average_precision
from structhash import measures


def test_untied_rankings_have_their_textbook_values():
    rng = np.random.default_rng(1)
    relevance = rng.integers(0, 2, (12, 40))
    relevance[:, 0] = 1
    scores = rng.permuted(np.tile(np.arange(40.0), (12, 1)), axis=1)
    expected = [average_precision(r, s) for r, s in zip(relevance, scores)]
    assert np.allclose(measures.per_query("map", relevance, scores), expected)
    assert measures.average_precision(relevance, scores) == pytest.approx(np.mean(expected))
    peers = [average_precision_score(r, s) for r, s in zip(relevance, scores)]
    assert measures.average_precision(relevance, scores) == pytest.approx(np.mean(peers))
    peers = [roc_auc_score(r, s) for r, s in zip(relevance, scores)]
    assert measures.auc(relevance, scores) == pytest.approx(np.mean(peers))
    top = np.argsort(-scores, axis=1)[:, :10]
    hits = np.take_along_axis(relevance, top, axis=1).sum(axis=1)
    assert measures.precision(relevance, scores, k=10) == pytest.approx(np.mean(hits / 10))
    assert measures.recall(relevance, scores, k=10) == pytest.approx(np.mean(hits / relevance.sum(axis=1)))


@pytest.mark.parametrize("name", ["map", "ndcg@3", "ndcg-paper@3", "precision@2", "recall@2", "mrr", "auc"])
def test_ties_count_by_the_mean_over_all_orders(name):
    relevance, distances = np.array([1, 0, 0, 1, 0]), np.array([1, 1, 1, 2, 2])
    values = []
    for order in itertools.permutations(range(5)):
        rank = np.argsort(order)
        if all(distances[a] <= distances[b] for a, b in itertools.combinations(order, 2)):
            values.append(measures.evaluate(name, relevance, distances=rank)[name])
    kinds = {
        ties: measures.evaluate(name, relevance, distances=distances, ties=ties)[name]
        for ties in ("average", "best", "worst")
    }
    assert kinds["average"] == pytest.approx(np.mean(values))
    assert kinds["best"] == pytest.approx(max(values))
    assert kinds["worst"] == pytest.approx(min(values))


def test_ndcg_is_the_standard_one():
    assert measures.ndcg([[1, 0]], distances=[[2, 1]], k=2) == pytest.approx(1 / np.log2(3))  # .6309
    assert measures.ndcg_paper([[1, 0]], distances=[[2, 1]], k=2) == 1.0
    rng = np.random.default_rng(4)
    for levels in (10**6, 5):  # without ties and with many
        scores = rng.integers(levels, size=(30, 40))
        for grades in (1, 3):
            relevance = rng.integers(grades + 1, size=scores.shape)
            relevance[:, 0] = 1
            for k in (1, 2, 10, 100):
                theirs = ndcg_score(2.0**relevance - 1, scores, k=k)  # means over ties too
                assert measures.ndcg(relevance, scores, k=k) == pytest.approx(theirs, abs=1e-12)


def test_graded_relevance_and_its_forms():
    relevance = np.array([[2, 0, 1], [0, 0, 1]])
    scores = np.array([[1.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
    value = measures.ndcg(relevance, scores, k=3)
    ideal = 3 + 1 / np.log2(3)
    assert value == pytest.approx((((1 / np.log2(3)) + 3 / 2) / ideal + 1) / 2)
    assert measures.ndcg(sparse.csr_matrix(relevance), scores, k=3) == value
    assert measures.ndcg({0: {0: 2, 2: 1}, 1: {2: 1}}, scores, k=3) == value
    assert measures.ndcg(relevance, distances=-scores, k=3) == value


def test_queries_without_relevant_items_are_left_out():
    values = measures.per_query("map", [[1, 0], [0, 0]], [[2, 1], [2, 1]])
    assert values[0] == 1.0 and np.isnan(values[1])
    assert measures.reciprocal_rank([[1, 0], [0, 0]], [[2, 1], [2, 1]]) == 1.0
    assert measures.pr_auc([1, 0], distances=[1, np.inf]) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: measures.ndcg([1, 0]), "either scores"),
        (lambda: measures.ndcg([1, 0], [1, 2], distances=[1, 2]), "either scores"),
        (lambda: measures.ndcg([1, 0], [1, 2, 3]), "shape"),
        (lambda: measures.ndcg([1, 0], [1, np.nan]), "NaN"),
        (lambda: measures.ndcg([1, 0.5], [1, 2]), "whole numbers"),
        (lambda: measures.ndcg([1, 0], [1, 2], k=0), "@"),
        (lambda: measures.ndcg([0, 0], [1, 2]), "no query has a relevant item"),
        (lambda: measures.ndcg([1, 0], [1, 2], ties="maybe"), "maybe"),
        (lambda: measures.evaluate("mpa", [1, 0], [1, 2]), "mpa"),
        (lambda: measures.evaluate([], [1, 0], [1, 2]), "at least one measure"),
        (lambda: measures.ndcg([1, 0], np.zeros((1, 1, 2))), "dimensions"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_rank_among_irrelevant_items():
    # Discounts 1/log2(2 + i): no irrelevant item before the first relevant one, one before the second.
    assert measures.evaluate("ndcg-simple", [1, 0, 1], [3, 2, 1])["ndcg-simple"] == pytest.approx((1 + 1 / np.log2(3)) / 2)


def test_names():
    assert "ndcg" in measures.names()
