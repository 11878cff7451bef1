"""Ranking measures of codes: how well query codes find their relevant database codes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_consistent_length

from . import _core, _pipeline
from ._arrays import Codes, class_numbers, float_rows, multi_labels, thread_count
from ._core import GroundTruth, Judgments, Model
from ._messages import python_words
from ._types import ArrayLike, Distance, Labels, Ties


def evaluate(
    hasher: Any,
    X_db: ArrayLike,
    y_db: Labels,
    X_q: ArrayLike,
    y_q: Labels,
    measures: str | Iterable[str] = ("map", "ndcg@100", "precision@100"),
    *,
    distance: Distance = "auto",
    ties: Ties = "average",
    n_jobs: int | None = None,
) -> dict[str, float]:
    """Ranking measures of a database for held-out queries, as ``structhash evaluate`` computes them.

    Items with the label of the query, or with one label in common, are relevant.

    Parameters
    ----------
    hasher : a fitted estimator, or a fitted Pipeline that ends in one
    X_db, X_q : array-like of shape (rows, features)
        Features of the database and of the queries. Queries must not be training rows.
    y_db, y_q : array-like of shape (rows,) or (rows, labels)
        Classes of any type, or 0/1 matrices with one column per label.
    measures : str or iterable of str
        Names of ``structhash.measures.names()``, with a cut-off as in "ndcg@100".
    distance : {"auto", "adaptive", "weighted", "hamming"}, default "auto"
        As in ``Index``: "auto" is adaptive if the model has it, else weighted or plain.
    ties, n_jobs : as in ``structhash.measures.evaluate``

    Returns
    -------
    dict of str to float
        By measure, the mean over the queries that have a relevant item.

    >>> import structhash
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> hasher = structhash.ITQ(bits=32).fit(X[:300])
    >>> values = structhash.evaluate(hasher, X[:300], y[:300], X[300:350], y[300:350], "precision@10")
    >>> values["precision@10"] > 0.5
    True
    """
    from ._index_rows import checked_distance

    last, before = _pipeline.split(hasher)
    model, threads = last._fitted(), thread_count(n_jobs)
    checked_distance(distance, model)
    database = last._validated(_pipeline.features(before, X_db), reset=False)
    queries = (
        float_rows(X_q, "X_q") if model.two_encoders else last._validated(_pipeline.features(before, X_q), reset=False)
    )
    check_consistent_length(database, y_db)
    check_consistent_length(queries, y_q)
    adaptive = distance == "adaptive" or (distance == "auto" and model.adaptive)
    with python_words(database):
        database_codes = model.encode(database, threads)
    with python_words(queries):
        query_codes = model.of_queries.encode(queries, threads)
    found = _core.evaluate_codes(
        database_codes,
        query_codes,
        model.bits,
        None if distance == "hamming" else model.bit_weights,
        truth_from_labels(*labels_of_both(y_q, y_db)),
        [measures] if isinstance(measures, str) else list(measures),
        ties,
        threads,
        model.adaptive_values(queries, threads) if adaptive else None,
    )
    return dict(zip(found[0], found[1], strict=True))


def labels_of_both(queries: Any, database: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Class numbers shared by both sets, or two 0/1 matrices."""
    if np.ndim(queries) == 2:
        return multi_labels(queries), multi_labels(database)
    first, second = class_numbers(queries, database)
    return first, second


def truth_from_labels(queries: npt.NDArray[Any], database: npt.NDArray[Any]) -> GroundTruth:
    """Relevant: the same class number, or at least one label in common."""
    if queries.ndim == 2:
        return GroundTruth.from_multi_labels(queries, database)
    return GroundTruth.from_classes(queries, database)


def _halves(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Row numbers of two halves; the rows of each class alternate between them."""
    keys = labels if labels.ndim == 1 else np.unique(labels, axis=0, return_inverse=True)[1].ravel()
    order = np.argsort(keys, kind="stable")
    return np.sort(order[0::2]), np.sort(order[1::2])


def score_by_labels(model: Model, codes: Codes, labels: npt.NDArray[Any], measure: str, threads: int) -> float:
    """Each half is the queries for the other; the mean over all queries that have a relevant item."""
    halves = _halves(labels)
    values = []
    for queries, database in (halves, halves[::-1]):
        if not len(queries) or not len(database):
            continue
        truth = truth_from_labels(labels[queries], labels[database])
        _, _, per_query, _ = _core.evaluate_codes(
            codes[database], codes[queries], model.bits, model.bit_weights, truth, [measure], "average", threads
        )
        values.append(per_query[:, 0])
    if not values:
        raise ValueError(f"score needs at least 2 rows, got {len(codes)}")
    return float(np.nanmean(np.concatenate(values)))


def score_by_relevance(
    model: Model, database: Codes, queries: Codes, judgments: Judgments, measure: str, threads: int
) -> float:
    truth = GroundTruth.from_judgments(judgments)
    _, means, _, _ = _core.evaluate_codes(
        database, queries, model.bits, model.bit_weights, truth, [measure], "average", threads
    )
    return float(means[0])
