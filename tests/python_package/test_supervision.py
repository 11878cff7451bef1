"""Sparse label matrices, and weights of queries."""

import numpy as np
import pytest
from scipy import sparse

import structhash

QUICK = {"functions": "linear", "trade_off": 30, "ridge": 0.02, "penalty": 0.2}


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix, sparse.lil_matrix])
def test_labels_may_be_a_sparse_matrix(form, digits):
    X, y = digits[0][:200], digits[1][:200]
    dense = np.eye(10, dtype=int)[y]
    dense[:50, 9] = 1
    hasher = structhash.StructHash(bits=8, **QUICK).fit(X, dense)
    again = structhash.StructHash(bits=8, **QUICK).fit(X, form(dense))
    assert again.model_ == hasher.model_
    assert again.score(X, form(dense)) == hasher.score(X, dense)
    values = structhash.evaluate(hasher, X, form(dense), X[:20], form(dense[:20]))
    assert values == structhash.evaluate(hasher, X, dense, X[:20], dense[:20])


def test_sparse_labels_are_0_or_1(digits):
    X = digits[0][:3]
    for wrong in ([[0, 2], [1, 0], [0, 1]], [[0, 0.5], [1, 0], [0, 1]], [[0, -1], [1, 0], [0, 1]]):
        with pytest.raises(ValueError, match="0/1 matrix"):
            structhash.CCAITQ(bits=2).fit(X, sparse.csr_matrix(wrong))
    twice = sparse.coo_matrix(([1, 1, 1], ([0, 0, 1], [1, 1, 0])), shape=(3, 2))  # adds up to 2
    with pytest.raises(ValueError, match="0/1 matrix"):
        structhash.CCAITQ(bits=2).fit(X, twice)
    with pytest.raises(ValueError, match="inconsistent"):
        structhash.CCAITQ(bits=2).fit(X, sparse.csr_matrix(np.eye(4)))


def precision_of(hasher, X, y, label):
    """Mean precision@10 of the queries of one label."""
    queries = y == label
    return structhash.evaluate(hasher, X, y, X[queries], y[queries], "precision@10")["precision@10"]


@pytest.mark.parametrize("kind", ["StructHash", "CGH"])
def test_queries_of_more_weight_rank_better(kind, digits):
    X, y = digits[0][:400], digits[1][:400]
    make = getattr(structhash, kind)
    options = {"bits": 3, "functions": "linear", "trade_off": 30, "ridge": 0.02}
    plain = make(**options).fit(X, y)
    assert make(**options).fit(X, y, sample_weight=np.ones(400)).model_ == plain.model_
    gains = []
    for label in range(10):
        heavy = make(**options).fit(X, y, sample_weight=np.where(y == label, 50.0, 1.0))
        gains.append(precision_of(heavy, X, y, label) - precision_of(plain, X, y, label))
    assert np.mean(gains) > 0.1


def test_weights_of_separate_queries(digits):
    X, y = digits[0][:300], digits[1][:300]
    relevance = sparse.csr_matrix((y[:40, None] == y[None, :]).astype(int))
    options = {"bits": 8, **QUICK}
    first = sparse.vstack([relevance[:20], sparse.csr_matrix((20, 300), dtype=int)])
    expected = structhash.StructHash(**options).fit(X, relevance=first, queries=X[:40])
    dropped = structhash.StructHash(**options).fit(
        X, relevance=relevance, queries=X[:40], sample_weight=np.repeat([2.0, 0.0], 20)
    )
    assert np.array_equal(dropped.coef_, expected.coef_)
    everything = structhash.StructHash(**options).fit(X, relevance=relevance, queries=X[:40])
    assert not np.array_equal(everything.coef_, dropped.coef_)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(7), "sample_weight.shape == \\(7,\\)"),
        (-np.ones(100), "[Nn]egative"),
        (np.full(100, np.nan), "NaN"),
    ],
)
def test_senseless_weights(weights, message, digits):
    with pytest.raises(ValueError, match=message):
        structhash.StructHash(bits=4).fit(digits[0][:100], digits[1][:100], sample_weight=weights)


def test_weights_of_queries_without_a_list(digits):
    X, y = digits[0][:100], digits[1][:100].copy()
    y[0] = 99  # the only row of its class: no relevant item, no list
    with pytest.raises(ValueError, match="sample_weight is 0 for every query that has a list"):
        structhash.StructHash(bits=4).fit(X, y, sample_weight=np.arange(100) == 0)


def test_methods_without_rankings_have_no_weights(digits):
    with pytest.raises(TypeError, match="sample_weight"):
        structhash.KSH(bits=4).fit(digits[0][:100], digits[1][:100], sample_weight=np.ones(100))


def test_balanced_classes_rank_rare_ones_better(digits):
    (X, y), (further, classes) = (digits[0][:900], digits[1][:900]), (digits[0][900:], digits[1][900:])
    kept = (y > 3) | (np.arange(900) % 12 == 0)  # of four classes a twelfth
    options = {"bits": 16, "measure": "map", "anchors": 200, "width": 0.25, "ridge": 1e-3}
    rare = classes <= 3
    gains = []
    for seed in range(1, 4):
        score = {}
        for weight in ("none", "balanced", None):
            hasher = structhash.StructHash(class_weight=weight, random_state=seed, **options).fit(X[kept], y[kept])
            score[weight] = structhash.evaluate(hasher, further, classes, further[rare], classes[rare], "map")["map"]
        assert score[None] == score["none"]
        gains.append(score["balanced"] - score["none"])
    assert np.mean(gains) > 0.02


def test_classes_of_rows_with_several_labels_have_no_weights(digits):
    with pytest.raises(ValueError, match="class_weight needs labels with one class per row"):
        structhash.StructHash(bits=4, class_weight="balanced").fit(digits[0][:50], np.eye(10, dtype=int)[digits[1][:50]])


def test_grades_of_several_labels(digits, tmp_path):
    X, y = digits[0][:200], digits[1][:200]
    labels = np.eye(10, dtype=int)[y]
    labels[np.arange(200) % 3 == 0, 9] = 1
    models = [
        structhash.StructHash(bits=8, label_grades=grades, **QUICK).fit(X, labels) for grades in ("any", "shared", "jaccard")
    ]
    assert len({str(hasher.transform(X).tolist()) for hasher in models}) == 3
    models[2].save(tmp_path / "m.shm")
    assert structhash.StructHash.load(tmp_path / "m.shm").label_grades == "jaccard"
    with pytest.raises(ValueError, match="unknown label grades 'jacard'; did you mean 'jaccard'"):
        structhash.StructHash(label_grades="jacard").fit(X, labels)
    with pytest.raises(ValueError, match="label_grades needs y"):
        structhash.StructHash(label_grades="jaccard").fit(X, relevance=[(0, 1), (1, 2)])
