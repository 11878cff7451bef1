"""Ranking measures of codes: how well query codes find their relevant database codes."""

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Codes, class_numbers, multi_labels
from ._core import GroundTruth, Judgments, Model


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
