"""Training sets of the library: features with labels or with ranked lists."""

from __future__ import annotations

import inspect
import json
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_sample_weight, assert_all_finite

from ._arrays import FloatRows, class_numbers, float_rows, host_array, multi_labels
from ._core import Model, TrainingSet
from ._messages import require_finite
from ._relevance import judgments_of, judgments_within, triples_of
from .progress import logger


class ListOptions(NamedTuple):
    """How the items of training lists are drawn."""

    relevant: int  # per query, at most
    irrelevant: int
    seed: int
    threads: int
    label_grades: str


def checked_labels(rows: Any, y: Any) -> npt.NDArray[Any]:
    """Class numbers (one dimension) or a 0/1 matrix (two), one row per row of ``rows``."""
    y = y if hasattr(y, "tocoo") else np.asarray(host_array(y, "y"))
    check_consistent_length(rows, y)
    if y.ndim == 2 and y.shape[1] > 1:
        return multi_labels(y)
    y = y.toarray() if hasattr(y, "tocoo") else y
    y = column_or_1d(y, warn=True)
    if y.dtype.kind in "fc":
        assert_all_finite(y, input_name="y")
    return class_numbers(y)[0] if len(y) else np.empty(0, dtype=np.int32)


def labelled_set(x: FloatRows, labels: npt.NDArray[Any], lists: ListOptions | None) -> TrainingSet:
    """Features with labels and, for methods that train on rankings, with lists made from the labels."""
    training_set = TrainingSet.of(x)
    if labels.ndim == 2:
        training_set.set_multi_labels(labels)
    else:
        training_set.set_classes(labels)
    if lists is not None:
        training_set.lists_from_labels(*lists)
        _log_queries_without_list(training_set)
    return training_set


def judged_set(x: FloatRows, relevance: Any, queries: Any, lists: ListOptions) -> TrainingSet:
    """Features with lists made from judgments; ``queries`` None: the queries are rows of x."""
    triples = triples_of(relevance)
    if queries is None:
        training_set = TrainingSet.of(x)
        judgments, query_rows = judgments_within(triples, len(x))
    else:
        vectors = float_rows(queries, "queries")
        require_finite(vectors, "queries")
        if vectors.shape[1] != x.shape[1]:
            raise ValueError(f"queries must have the {x.shape[1]} columns of X, got {vectors.shape[1]}")
        training_set = TrainingSet.of(np.concatenate([x, vectors]))
        judgments, query_rows = judgments_of(triples, len(vectors), len(x)), np.empty(0, dtype=np.int64)
    training_set.lists_from_judgments(judgments, query_rows, *lists[:-1])
    _log_queries_without_list(training_set)
    return training_set


def weight_queries(training_set: TrainingSet, weights: Any, x: FloatRows, queries: Any) -> None:
    """Weights the lists of every query; queries are the rows of x or, if they are given, those of ``queries``."""
    rows, first = (x, 0) if queries is None else (queries, len(x))
    checked = _check_sample_weight(weights, rows, dtype=np.float64, ensure_non_negative=True)
    training_set.weight_lists(np.ascontiguousarray(checked), first)
    if not training_set.lists:
        raise ValueError("sample_weight is 0 for every query that has a list; at least one must be above 0")


def described(model: Model, estimator: Any) -> Model:
    """The model with what ``load`` restores: names of columns, and sizes of lists that are not the defaults."""
    known = inspect.signature(type(estimator)).parameters
    lists = {name: getattr(estimator, name) for name in ("relevant", "irrelevant", "label_grades") if name in known}
    further: dict[str, Any] = {}
    if any(value != known[name].default for name, value in lists.items()):
        further["lists"] = {name: value if isinstance(value, str) else int(value) for name, value in lists.items()}
    if estimator.sparse_components != known["sparse_components"].default:
        further["sparse_components"] = int(estimator.sparse_components)
    if hasattr(estimator, "feature_names_in_"):
        further["feature_names"] = list(estimator.feature_names_in_)
    return model.with_parameters(json.dumps({**json.loads(model.parameters), **further})) if further else model


def _log_queries_without_list(training_set: TrainingSet) -> None:
    if training_set.without_relevant or training_set.without_irrelevant:
        logger.info(
            "no training list for %d queries without a relevant item and %d without an irrelevant item",
            training_set.without_relevant,
            training_set.without_irrelevant,
        )
