"""Types of arguments, for signatures: what type checkers accept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

import numpy.typing as npt


class SparseMatrix(Protocol):
    """A scipy sparse matrix or array."""

    @property
    def shape(self) -> Any: ...
    def tocoo(self) -> Any: ...


ArrayLike: TypeAlias = npt.ArrayLike
Path: TypeAlias = str | os.PathLike[str]
Labels: TypeAlias = ArrayLike | SparseMatrix
Relevance: TypeAlias = Mapping[int, Mapping[int, int] | Iterable[int]] | Iterable[Sequence[int]] | SparseMatrix
Output = Literal["packed", "bits", "signs"]
Distance = Literal["auto", "adaptive", "weighted", "hamming"]
Engine = Literal["auto", "scan", "multi-index"]
Ties = Literal["average", "best", "worst", "id"]


class FaissOptions(TypedDict, total=False):
    """Options of ``structhash.interop.to_faiss``."""

    lists: int | None
    probes: int | None
    connections: int
    effort: int


class MeasureOptions(TypedDict, total=False):
    """Options of ``structhash.measures.evaluate``."""

    distances: ArrayLike | None
    ties: Ties
    n_jobs: int | None
