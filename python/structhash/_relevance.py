"""Converts relevance (dictionaries, pairs, sparse matrices) to the judgments of the library."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._arrays import Ids, whole_numbers
from ._core import Judgments

MAX_GRADE = 30  # of the library
Triples = tuple[Ids, Ids, Ids]  # query, item, grade


def triples_of(relevance: Any) -> Triples:
    """The judgments as three arrays: query, item and grade.

    Takes a dictionary ``{query: {item: grade}}`` or ``{query: [item, ...]}``, pairs ``(query, item)`` or triples
    ``(query, item, grade)``, or a scipy sparse matrix of grades, queries x items.
    """
    if hasattr(relevance, "tocoo"):
        matrix = relevance.tocoo()
        return whole_numbers(matrix.row), whole_numbers(matrix.col), whole_grades(matrix.data)
    if isinstance(relevance, Mapping):
        entries = [entry for query, items in relevance.items() for entry in _entries(query, items)]
        table = np.array(entries, dtype=object).reshape(-1, 3)
        return _column(table[:, 0], "queries"), _column(table[:, 1], "items"), whole_grades(table[:, 2])
    table = np.asarray(relevance if isinstance(relevance, np.ndarray) else list(relevance))
    if table.ndim != 2 or table.shape[1] not in (2, 3):
        raise ValueError(
            "relevance must be a dictionary {query: {item: grade}}, pairs (query, item), triples (query, item, grade) "
            f"or a scipy sparse matrix, queries x items, got an array of shape {table.shape}"
        )
    grades = table[:, 2] if table.shape[1] == 3 else np.ones(len(table), dtype=np.int64)
    return _column(table[:, 0], "queries"), _column(table[:, 1], "items"), whole_grades(grades)


def _entries(query: Any, items: Any) -> Iterable[tuple[Any, Any, Any]]:
    if isinstance(items, Mapping):
        return ((query, item, grade) for item, grade in items.items())
    return ((query, item, 1) for item in items)


def _column(values: Any, name: str) -> Ids:
    """Row numbers as int64."""
    if values.dtype == object:
        if not all(isinstance(value, (int, np.integer)) for value in values):
            raise ValueError(f"relevance: {name} must be row numbers, got {values[0]!r}")
        values = values.astype(np.int64)
    return whole_numbers(values, f"relevance: {name}")


def whole_grades(values: Any) -> Ids:
    """Grades as int64; raises ValueError unless they are whole numbers."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("relevance: grades must be whole numbers") from error
    if not np.all(np.isfinite(numbers)) or np.any(numbers != np.round(numbers)) or np.any(numbers < -1e9):
        raise ValueError("relevance: grades must be whole numbers")
    if np.any(numbers > MAX_GRADE):
        raise ValueError(f"relevance: grades must be at most {MAX_GRADE}, got {numbers.max():g}")
    return numbers.astype(np.int64)


def grades_of_results(found: Ids, relevant: Any) -> tuple[Ids, Ids]:
    """The grades of found ids, and in a second matrix those of relevant ids that were not found, 0 where there is none."""
    if isinstance(relevant, np.ndarray) and relevant.ndim == 2:
        query, item = np.nonzero(relevant)
        grade = whole_grades(relevant[query, item])
    else:
        by_query = (
            relevant if hasattr(relevant, "tocoo") or isinstance(relevant, Mapping) else dict(enumerate(relevant))
        )
        query, item, grade = triples_of(by_query)
    _check_rows("query", query, len(found))
    grades = np.zeros(found.shape, dtype=np.int64)
    missed: list[Ids] = []
    order = np.argsort(query, kind="stable")
    parts = np.split(order, np.searchsorted(query[order], np.arange(1, len(found))))
    for row, part in enumerate(parts):
        known, where = item[part], grade[part]
        _, at_found, at_known = np.intersect1d(found[row], known, return_indices=True)
        grades[row, at_found] = where[at_known]
        missed.append(np.delete(where, at_known))
    width = max((len(part) for part in missed), default=0)
    return grades, np.array([np.pad(part, (0, width - len(part))) for part in missed]).reshape(len(found), width)


def _check_rows(name: str, rows: Ids, count: int) -> None:
    wrong = rows[(rows < 0) | (rows >= count)]
    if len(wrong):
        raise ValueError(f"relevance: {name} rows must be 0 to {count - 1}, got {name} row {wrong[0]}")


def judgments_of(triples: Triples, queries: int, items: int) -> Judgments:
    """The judgments as rows of a sparse matrix, queries x items."""
    query, item, grade = triples
    _check_rows("query", query, queries)
    _check_rows("item", item, items)
    order = np.lexsort((item, query))
    query, item, grade = query[order], item[order], grade[order]
    twice = np.flatnonzero((query[1:] == query[:-1]) & (item[1:] == item[:-1]))
    if len(twice):
        raise ValueError(f"relevance lists item {item[twice[0]]} twice for query {query[twice[0]]}")
    starts = np.searchsorted(query, np.arange(queries + 1)).astype(np.int64)
    return Judgments.from_arrays(items, starts, item, grade.astype(np.int32))


def judgments_within(triples: Triples, rows: int) -> tuple[Judgments, Ids]:
    """Judgments of queries that are rows of the items, and the row number of each query."""
    query, item, grade = triples
    _check_rows("query", query, rows)
    query_rows, numbers = np.unique(query, return_inverse=True)
    return judgments_of((numbers.ravel().astype(np.int64), item, grade), len(query_rows), rows), query_rows
