"""Relevance as people have it (dictionaries, pairs, sparse matrices) -> the judgments of the library."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._arrays import Ids, whole_numbers
from ._core import Judgments

Triples = tuple[Ids, Ids, Ids]  # query, item, grade


def triples_of(relevance: Any) -> Triples:
    """Which item is how relevant to which query, one entry per judgment.

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
            f"or a scipy sparse matrix, queries x items; found an array of shape {table.shape}"
        )
    grades = table[:, 2] if table.shape[1] == 3 else np.ones(len(table), dtype=np.int64)
    return _column(table[:, 0], "queries"), _column(table[:, 1], "items"), whole_grades(grades)


def _entries(query: Any, items: Any) -> Iterable[tuple[Any, Any, Any]]:
    if isinstance(items, Mapping):
        return ((query, item, grade) for item, grade in items.items())
    return ((query, item, 1) for item in items)


def _column(values: Any, name: str) -> Ids:
    """Row numbers; objects only if each is a whole number."""
    if values.dtype == object:
        if not all(isinstance(value, (int, np.integer)) for value in values):
            raise ValueError(f"relevance: {name} must be row numbers; found {values[0]!r} among them")
        values = values.astype(np.int64)
    return whole_numbers(values, f"relevance: {name}")


def whole_grades(values: Any) -> Ids:
    """Grades as int64; anything but whole numbers is refused."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("relevance: grades must be whole numbers") from error
    if not np.all(np.isfinite(numbers)) or np.any(numbers != np.round(numbers)) or np.any(np.abs(numbers) > 1e9):
        raise ValueError("relevance: grades must be whole numbers")
    return numbers.astype(np.int64)


def judgments_of(triples: Triples, queries: int, items: int) -> Judgments:
    """The judgments as rows of a sparse matrix, queries x items."""
    query, item, grade = triples
    for name, values, count in (("query", query, queries), ("item", item, items)):
        if len(values) and (values.min() < 0 or values.max() >= count):
            worst = values.min() if values.min() < 0 else values.max()
            raise ValueError(f"relevance names {name} row {worst}, but rows go from 0 to {count - 1}")
    order = np.lexsort((item, query))
    query, item, grade = query[order], item[order], grade[order]
    twice = np.flatnonzero((query[1:] == query[:-1]) & (item[1:] == item[:-1]))
    if len(twice):
        raise ValueError(f"relevance names item {item[twice[0]]} twice for query {query[twice[0]]}")
    starts = np.searchsorted(query, np.arange(queries + 1)).astype(np.int64)
    return Judgments.from_arrays(items, starts, item, grade.astype(np.int32))


def judgments_within(triples: Triples, rows: int) -> tuple[Judgments, Ids]:
    """For queries that are rows of the items themselves: their judgments, and which rows they are."""
    query, item, grade = triples
    if len(query) and (query.min() < 0 or query.max() >= rows):
        raise ValueError(f"relevance names query row {query.max()}, but rows go from 0 to {rows - 1}")
    query_rows, numbers = np.unique(query, return_inverse=True)
    return judgments_of((numbers.ravel().astype(np.int64), item, grade), len(query_rows), rows), query_rows
