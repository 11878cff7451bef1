"""Ranking measures that do not depend on the order of tied items, for rankings of any origin.

Every function takes the relevance and either ``scores`` (larger is better) or ``distances`` (smaller is better):
one row per query, one column per item, or single rows. Values are means over the queries that have a relevant item, and
each is its expected value over all orders of tied items unless ``ties`` says "best", "worst" or "id".

>>> from structhash import measures
>>> measures.average_precision([1, 0, 1, 0], scores=[0.9, 0.8, 0.7, 0.1])
0.8333333333333333
>>> measures.precision([1, 0, 1, 0], distances=[3, 3, 3, 9], k=1)  # any of three may come first
0.6666666666666666
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import host_array, thread_count
from ._relevance import grades_of_results, judgments_of, triples_of, whole_grades
from ._types import ArrayLike, MeasureOptions, SparseMatrix, Ties

if TYPE_CHECKING:
    from typing_extensions import Unpack

Grades: TypeAlias = ArrayLike | SparseMatrix | Mapping[int, Mapping[int, int] | Iterable[int]]

__all__ = [
    "auc",
    "average_precision",
    "evaluate",
    "from_search",
    "names",
    "ndcg",
    "ndcg_paper",
    "per_query",
    "pr_auc",
    "precision",
    "recall",
    "reciprocal_rank",
    "scorer",
]


def names() -> list[str]:
    """The measures that ``evaluate`` knows; a cut-off follows an @: "ndcg@100"."""
    return list(_core.evaluation_measures())


def evaluate(
    measures: str | Iterable[str],
    relevance: Grades,
    scores: ArrayLike | None = None,
    *,
    distances: ArrayLike | None = None,
    ties: Ties = "average",
    n_jobs: int | None = None,
) -> dict[str, float]:
    """Several measures at once, by name.

    Parameters
    ----------
    measures : str or iterable of str
        Of ``names()``; a cut-off follows an @, as in "ndcg@100".
    relevance : array-like of shape (queries, items), dict or sparse matrix
        Grades, whole numbers from 0 to 30; 0 is not relevant. A dict is ``{query: {item: grade}}``.
    scores : array-like of shape (queries, items)
        Larger is better.
    distances : array-like of shape (queries, items)
        In place of scores: smaller is better. An item that was not found has distance infinity.
    ties : {"average", "best", "worst", "id"}, default "average"
        Order of equal scores: the expected value over all orders, relevant items first or last, or by column.
    n_jobs : int or None, default None
        Number of threads. None: 1. -1: all processors.

    Returns
    -------
    dict of str to float
        Means over the queries that have a relevant item, by measure.

    >>> from structhash.measures import evaluate
    >>> evaluate(["map", "precision@2"], [[1, 0, 0], [1, 0, 1]], [[3, 2, 1], [3, 1, 2]])
    {'map': 1.0, 'precision@2': 0.75}
    """
    names, means, *_ = _evaluate(measures, relevance, scores, distances, ties, n_jobs)
    return dict(zip(names, means, strict=True))


def from_search(
    ids: ArrayLike,
    distances: ArrayLike,
    *,
    relevant: Grades | Iterable[Iterable[int]],
    k: int | None = None,
    measures: str | Iterable[str] = ("precision", "recall", "map", "ndcg"),
    ties: Ties = "average",
    n_jobs: int | None = None,
) -> dict[str, float]:
    """Measures at k of the results of a search, by ``Index``, Faiss or any other engine.

    Only the items of the results have a rank. Relevant items that were not found count as missed.

    Parameters
    ----------
    ids, distances : array-like of shape (queries, columns)
        One row per query, in any order; an id of -1 is an empty place.
    relevant : dict, sparse matrix, array or list
        ``{query row: ids}`` or ``{query row: {id: grade}}``; a sparse or dense matrix of grades or booleans, one
        column per id; or a list with a collection of ids for every query.
    k : int or None, default None
        Cut-off of the measures, at most the number of columns. None: the number of columns.
    measures : str or iterable of str
        Names that take a cut-off, without it.
    ties, n_jobs : as in ``evaluate``

    Returns
    -------
    dict of str to float
        Means over the queries that have a relevant item, by measure.

    >>> from structhash.measures import from_search
    >>> from_search([[7, 4], [9, -1]], [[0, 1], [2, 3]], relevant=[{7, 8}, {9}], measures=["precision", "recall"])
    {'precision@2': 0.5, 'recall@2': 0.75}
    """
    found, values = np.atleast_2d(np.asarray(host_array(ids))), np.atleast_2d(_real(distances, "distances"))
    if found.shape != values.shape or found.dtype.kind not in "iu":
        raise ValueError(
            "ids (whole numbers) and distances must have one shape, a row per query, "
            f"got {found.dtype} of shape {found.shape} and {values.shape}"
        )
    cutoff = found.shape[1] if k is None else int(k)
    if not 1 <= cutoff <= found.shape[1]:
        raise ValueError(f"k must be 1 to {found.shape[1]}, the number of columns of ids, got {k}")
    grades, missed = grades_of_results(found, relevant)
    listed = [measures] if isinstance(measures, str) else list(measures)
    rows = np.where(found < 0, np.inf, values)
    rows = np.hstack([rows, np.full(missed.shape, np.inf)])  # infinity: relevant, but without a rank
    names = [f"{name}@{cutoff}" for name in listed]
    return evaluate(names, np.hstack([grades, missed]), distances=rows, ties=ties, n_jobs=n_jobs)


def per_query(
    measure: str,
    relevance: Grades,
    scores: ArrayLike | None = None,
    *,
    distances: ArrayLike | None = None,
    ties: Ties = "average",
    n_jobs: int | None = None,
) -> npt.NDArray[np.float64]:
    """One measure, one value per query; NaN for queries without a relevant item.

    Parameters
    ----------
    measure : str
        A name of ``names()``, with a cut-off as in "ndcg@100".
    relevance, scores, distances, ties, n_jobs : as in ``evaluate``
    """
    return _evaluate(measure, relevance, scores, distances, ties, n_jobs)[2][:, 0]


def _evaluate(measures: Any, relevance: Any, scores: Any, distances: Any, ties: str, n_jobs: int | None) -> Any:
    if (scores is None) == (distances is None):
        raise ValueError("give either scores (larger is better) or distances (smaller is better)")
    values = _real(distances if scores is None else scores, "scores and distances")
    rows = np.ascontiguousarray(np.atleast_2d(values if scores is None else -values))
    if rows.ndim != 2:
        raise ValueError(f"scores must have one row per query and one column per item, got {rows.ndim} dimensions")
    if np.isnan(rows).any():
        raise ValueError("scores and distances must not be NaN; an item that was not found has distance infinity")
    truth = _core.GroundTruth.from_judgments(_judgments(relevance, *rows.shape))
    listed = [measures] if isinstance(measures, str) else list(measures)
    return _core.evaluate_distances(rows, truth, listed, ties, thread_count(n_jobs))


def _judgments(relevance: Any, queries: int, items: int) -> _core.Judgments:
    if not (hasattr(relevance, "tocoo") or isinstance(relevance, dict)):
        grades = np.atleast_2d(_real(relevance, "relevance"))
        if grades.shape != (queries, items):
            raise ValueError(
                f"relevance has shape {grades.shape}, the scores {(queries, items)}; they must be the same"
            )
        query, item = np.nonzero(grades)
        return judgments_of((query, item, whole_grades(grades[query, item])), queries, items)
    return judgments_of(triples_of(relevance), queries, items)


def _real(values: Any, name: str) -> npt.NDArray[np.float64]:
    array = np.asarray(host_array(values, name))
    if array.dtype.kind == "c":
        raise ValueError(f"{name} must be real numbers, got {array.dtype}")
    return array.astype(np.float64, copy=False)


def _single(name: str, relevance: Grades, scores: ArrayLike | None, options: MeasureOptions) -> float:
    return next(iter(evaluate(name, relevance, scores, **options).values()))


def ndcg(
    relevance: Grades, scores: ArrayLike | None = None, *, k: int = 100, **options: Unpack[MeasureOptions]
) -> float:
    """Normalised discounted cumulative gain of the top k: discount 1/log2(1 + rank), gain 2^grade - 1.

    Equal to scikit-learn's ``ndcg_score`` and trec_eval's ``ndcg_cut`` for grades 0 and 1; give
    those 2^grade - 1 in place of higher grades.

    Parameters
    ----------
    k : int, default 100
        Cut-off, at least 1.
    relevance, scores, **options : ``distances``, ``ties`` and ``n_jobs``, as in ``evaluate``

    >>> from structhash.measures import ndcg
    >>> round(ndcg([[1, 0]], distances=[[2, 1]], k=2), 4)
    0.6309
    """
    return _single(f"ndcg@{k}", relevance, scores, options)


def ndcg_paper(
    relevance: Grades, scores: ArrayLike | None = None, *, k: int = 100, **options: Unpack[MeasureOptions]
) -> float:
    """The same with the discount of the StructHash paper, Eq. (21): 1, 1, 1/log2(3), 1/log2(4), ...

    relevance, scores, k, **options : as in ``ndcg``
    """
    return _single(f"ndcg-paper@{k}", relevance, scores, options)


def precision(
    relevance: Grades, scores: ArrayLike | None = None, *, k: int = 100, **options: Unpack[MeasureOptions]
) -> float:
    """Relevant share of the top k.

    relevance, scores, k, **options : as in ``ndcg``
    """
    return _single(f"precision@{k}", relevance, scores, options)


def recall(
    relevance: Grades, scores: ArrayLike | None = None, *, k: int = 100, **options: Unpack[MeasureOptions]
) -> float:
    """Share of all relevant items in the top k.

    relevance, scores, k, **options : as in ``ndcg``
    """
    return _single(f"recall@{k}", relevance, scores, options)


def average_precision(
    relevance: Grades, scores: ArrayLike | None = None, *, k: int | None = None, **options: Unpack[MeasureOptions]
) -> float:
    """Mean average precision over all relevant items; with k it stops at rank k.

    Parameters
    ----------
    k : int or None, default None
        Cut-off, at least 1. None: all ranks.
    relevance, scores, **options : as in ``ndcg``
    """
    return _single("map" if k is None else f"map@{k}", relevance, scores, options)


def reciprocal_rank(relevance: Grades, scores: ArrayLike | None = None, **options: Unpack[MeasureOptions]) -> float:
    """One over the rank of the first relevant item.

    relevance, scores, **options : as in ``ndcg``
    """
    return _single("mrr", relevance, scores, options)


def auc(relevance: Grades, scores: ArrayLike | None = None, **options: Unpack[MeasureOptions]) -> float:
    """Share of (relevant, other) pairs in the right order; a tie counts half.

    relevance, scores, **options : as in ``ndcg``
    """
    return _single("auc", relevance, scores, options)


def pr_auc(relevance: Grades, scores: ArrayLike | None = None, **options: Unpack[MeasureOptions]) -> float:
    """Area under the precision-recall curve.

    relevance, scores, **options : as in ``ndcg``
    """
    return _single("pr-auc", relevance, scores, options)


def scorer(measure: str) -> Callable[[Any, Any, Any], float]:
    """A measure as ``scoring`` of GridSearchCV and cross_val_score, for estimators and Pipelines that end in one.

    Parameters
    ----------
    measure : str
        A name of ``names()``, with a cut-off as in "ndcg@100".
    """

    def score(estimator: Any, X: Any, y: Any) -> float:
        from . import _pipeline
        from ._evaluation import score_by_labels
        from ._training_set import checked_labels

        hasher, before = _pipeline.split(estimator)
        codes = hasher._encoded(_pipeline.features(before, X))
        return score_by_labels(hasher.model_, codes, checked_labels(codes, y), measure, thread_count(hasher.n_jobs))

    return score
