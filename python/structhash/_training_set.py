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
from ._evaluation import labels_of_both
from ._messages import require_finite, whole
from ._relevance import judgments_of, judgments_within, triples_of
from .progress import logger


class ListOptions(NamedTuple):
    """How the items of training lists are drawn."""

    relevant: int  # per query, at most
    irrelevant: int
    seed: int
    threads: int
    label_grades: str


class Supervision(NamedTuple):
    """What ``fit`` was given beside the features."""

    y: Any = None
    relevance: Any = None
    queries: Any = None
    query_labels: Any = None
    sample_weight: Any = None
    two_encoders: bool = False


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


def _set_with_queries(x: FloatRows, given: Supervision) -> tuple[TrainingSet, FloatRows]:
    """Queries after the rows of x or, of another kind, beside them."""
    vectors = float_rows(given.queries, "queries")
    require_finite(vectors, "queries")
    if vectors.shape[1] == x.shape[1] and not given.two_encoders:
        return TrainingSet.of(np.concatenate([x, vectors])), vectors
    training_set = TrainingSet.of(x)
    training_set.set_queries(vectors)
    return training_set, vectors


def labelled_queries_set(x: FloatRows, given: Supervision, lists: ListOptions) -> TrainingSet:
    """Features and queries, both with labels; the queries rank the rows of x."""
    training_set, vectors = _set_with_queries(x, given)
    check_consistent_length(x, given.y)
    check_consistent_length(vectors, given.query_labels)
    labels = np.concatenate(labels_of_both(given.y, given.query_labels))
    (training_set.set_multi_labels if labels.ndim == 2 else training_set.set_classes)(labels)
    training_set.lists_from_labels(*lists, items=len(x))
    _log_queries_without_list(training_set)
    return training_set


def judged_set(x: FloatRows, given: Supervision, lists: ListOptions) -> TrainingSet:
    """Features with lists made from judgments; without ``queries`` these are rows of x."""
    triples = triples_of(given.relevance)
    if given.queries is None:
        training_set = TrainingSet.of(x)
        judgments, query_rows = judgments_within(triples, len(x))
    else:
        training_set, vectors = _set_with_queries(x, given)
        judgments, query_rows = judgments_of(triples, len(vectors), len(x)), np.empty(0, dtype=np.int64)
    training_set.lists_from_judgments(judgments, query_rows, *lists[:-1])
    _log_queries_without_list(training_set)
    return training_set


def training_set_of(estimator: Any, x: FloatRows, given: Supervision, seed: int, threads: int) -> TrainingSet:
    """The training set of an estimator, whose method decides what it needs."""
    name, ranks = type(estimator).__name__, estimator._supervision == "lists"
    lists = None
    if ranks:
        relevant, irrelevant = (whole(getattr(estimator, size), size) for size in ("relevant", "irrelevant"))
        lists = ListOptions(relevant, irrelevant, seed, threads, estimator.label_grades)
    if given.relevance is not None:
        if lists is None:
            raise ValueError(f"{name} cannot train on relevance; use StructHash or CGH")
        if given.y is not None or given.query_labels is not None:
            raise ValueError("give y or relevance, not both")
        if lists.label_grades != "shared":
            raise ValueError("label_grades needs y; relevance holds grades itself")
        return judged_set(x, given, lists)
    if given.queries is None and (given.query_labels is not None or given.two_encoders):
        raise ValueError("query_labels and two_encoders need queries")
    if given.queries is not None:
        if given.y is None or given.query_labels is None or lists is None:
            raise ValueError(
                "queries needs relevance, or y and query_labels; with y alone the rows of X are the queries"
            )
        return labelled_queries_set(x, given, lists)
    if estimator._supervision == "none":
        return TrainingSet.of(x)
    if given.y is None:
        instead = " Give y or relevance." if ranks else ""
        raise ValueError(f"{name} requires y to be passed, but the target y is None.{instead}")
    return labelled_set(x, checked_labels(x, given.y), lists)


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
