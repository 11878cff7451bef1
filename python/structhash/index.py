"""Exact search in packed codes; arguments and results have the shapes of Faiss."""

from __future__ import annotations

import operator
import os
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core, _model_bytes
from ._arrays import Codes, Ids, float_rows, host_array, packed_codes, thread_count, whole_numbers

Filter = _core.IdFilter


class Index:
    """Codes with ids: add, remove, search by plain, weighted or adaptive Hamming distance, save and load.

    ``Index(hasher)`` takes bits and weights from a fitted estimator or a :class:`Model`; methods then
    take features (floating point) as well as codes. ``Index(bits=64)`` and ``Index(bits=64, weights=w)`` take codes of any
    origin: packed uint8, least significant bit first.

    distance : of an index of a model. "hamming"; "weighted", by the weights of the model if it has any; "adaptive", by
        weights of the query, whose certain bits count more: queries must then be features. "auto" (the
        default) is adaptive in ``search`` for queries that are features, if the model has it (StructHash
        with linear and kernel functions), and otherwise weighted or, without weights, plain.

    Results are exact, in order of distance and then of id. Distances are int32 by plain Hamming distance,
    float32 by the others.

    >>> import numpy as np
    >>> from structhash import Index
    >>> index = Index(bits=8)
    >>> index.add(np.array([[0b0000], [0b0001], [0b0111]], dtype=np.uint8))
    >>> distances, ids = index.search(np.array([[0b0011]], dtype=np.uint8), k=2)
    >>> distances.tolist(), ids.tolist()
    ([[1, 1]], [[1, 2]])
    """

    def __init__(
        self, model: Any = None, *, bits: int | None = None, weights: Any = None, distance: str = "auto"
    ) -> None:
        self._model = _model_of(model)
        self._hasher = model
        self._distance = checked_distance(distance, self._model)
        if self._model is None:
            if bits is None:
                raise ValueError("an index needs a model or a number of bits: Index(hasher) or Index(bits=64)")
        elif bits is not None or weights is not None:
            raise ValueError("an index of a model takes bits and weights from the model; leave them out")
        else:
            bits, weights = self._model.bits, None if distance == "hamming" else self._model.bit_weights
        known = "" if self._model is None else _model_bytes.identity(self._model)
        self._index = _core.CodeIndex(bits, None if weights is None else _weights(weights), known)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        model: Any = None,
        mmap: bool = True,
        verify: bool = False,
        distance: str = "auto",
    ) -> Index:
        """The index of a file that ``save`` wrote.

        Files are always mapped. ``mmap=False`` and ``verify=True`` both read the whole file first and compare it with
        its checksums; otherwise large parts are read when a search needs them. With ``model`` the index takes features;
        ``distance="weighted"`` keeps to the weights of the file, or to plain Hamming distance if it has none.
        """
        index = cls.__new__(cls)
        index._model = _model_of(model)
        index._hasher = model
        index._index = _core.CodeIndex.load(os.fspath(path), verify or not mmap)
        if index._model is not None:
            _check_model(index._index, index._model)
        index._distance = checked_distance(distance, index._model)
        return index

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes codes, ids and, after ``prepare``, tables; atomically."""
        self._index.save(os.fspath(path))

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, id: Any) -> bool:
        try:
            return operator.index(id) in self._index
        except TypeError:  # 2.7 or "a" is no id
            return False

    def __repr__(self) -> str:
        distance = "Hamming" if self.weights is None else "weighted Hamming"
        if self._adaptive():
            distance = "adaptive Hamming"
        return f"<structhash.Index: {len(self)} codes of {self.bits} bits, {distance} distance>"

    @property
    def bits(self) -> int:
        return self._index.bits

    @property
    def weights(self) -> npt.NDArray[np.float32] | None:
        """One weight per bit; None: plain Hamming distance."""
        return self._index.weights

    @property
    def ids(self) -> Ids:
        """All ids, ascending."""
        return self._index.ids()

    @property
    def nbytes(self) -> int:
        """Bytes of codes, ids and tables, in memory or in the mapped file."""
        return self._index.bytes

    def add(self, codes: Any, ids: Any = None, n_jobs: int | None = None) -> None:
        """Adds codes (or features, with a model); without ids they get the numbers after the largest id."""
        self._index.add(self._codes(codes, thread_count(n_jobs)), None if ids is None else whole_numbers(ids))

    def remove(self, ids: Any) -> None:
        self._index.remove(whole_numbers(ids))

    def merge(self, other: Index) -> None:
        """Adds all codes of another index."""
        self._index.merge(other._index)

    def reconstruct(self, ids: Any) -> Codes:
        """The codes of these ids, in their order."""
        return self._index.reconstruct(whole_numbers(ids))

    def prepare(self, n_jobs: int | None = None) -> None:
        """Builds tables that make single queries among millions of codes faster; a change drops them."""
        self._index.prepare(thread_count(n_jobs))

    def filter(self, ids: Any) -> Filter:
        """A set of ids for any number of searches; valid until the index changes."""
        return self._index.filter(whole_numbers(ids))

    def search(
        self, queries: Any, k: int, n_jobs: int | None = None, *, only: Any = None, engine: str = "auto"
    ) -> tuple[npt.NDArray[Any], Ids]:
        """The k nearest codes of every query: distances and ids, both of shape (queries, k).

        If there are fewer than k codes, the other ids are -1 and distances infinite (the largest int32 without weights).

        only : ids to search among, or the result of ``filter``.
        engine : "auto", "scan" or "multi-index"; the results are the same.
        """
        threads = thread_count(n_jobs)
        allowed = self._filter(only)
        if self._adaptive() and (values := self._adaptive_values(queries, threads)) is not None:
            return self._index.search_values(values, int(k), threads, engine, allowed, True)
        return self._index.search(self._codes(queries, threads), int(k), threads, engine, allowed)

    def range_search(
        self, queries: Any, radius: float, n_jobs: int | None = None, *, only: Any = None, engine: str = "auto"
    ) -> tuple[Ids, npt.NDArray[np.float32], Ids]:
        """All codes at distance <= radius: ``(limits, distances, ids)``, as in Faiss.

        The results of query q are the entries ``limits[q]:limits[q + 1]`` of the other two. The distance is
        weighted or plain, never adaptive.
        """
        threads = thread_count(n_jobs)
        codes = self._codes(queries, threads)
        return self._index.range_search(codes, float(radius), threads, engine, self._filter(only))

    def search_asymmetric(
        self, values: Any, k: int, n_jobs: int | None = None, *, only: Any = None
    ) -> tuple[npt.NDArray[np.float32], Ids]:
        """As ``search``, with queries that are not rounded to bits: bits far from 0 count more.

        values : from ``decision_function``, one column per bit.
        """
        rows = float_rows(values, "values")
        return self._index.search_values(rows, int(k), thread_count(n_jobs), "auto", self._filter(only), False)

    def to_faiss(self, kind: Any = "flat", **options: Any) -> Any:
        """A Faiss index of the same codes and ids, by plain Hamming distance; see ``structhash.interop.to_faiss``."""
        from . import interop

        if self.weights is not None:
            warnings.warn("Faiss has no weighted Hamming distance; the bit weights are left out", stacklevel=2)
        ids = self.ids
        return interop.to_faiss(self.reconstruct(ids), kind, bits=self.bits, ids=ids, **options)

    def _codes(self, rows: Any, threads: int) -> Codes:
        if type(rows) is np.ndarray and rows.dtype == np.uint8:
            return packed_codes(rows)
        values = np.asarray(host_array(rows, "codes"))
        if values.dtype.kind == "f" and self._model is not None:
            return self._model.encode(self._features(rows, values), threads)
        return packed_codes(values)

    def _features(self, rows: Any, values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Columns of a data frame must be those that the estimator was fitted on, in their order."""
        if hasattr(rows, "columns") and hasattr(self._hasher, "feature_names_in_"):
            return self._hasher._validated(rows, reset=False)
        return float_rows(values)

    def _adaptive(self) -> bool:
        known = self._model is not None and self._model.adaptive
        return self._distance == "adaptive" or (self._distance == "auto" and known)

    def _adaptive_values(self, queries: Any, threads: int) -> npt.NDArray[np.float32] | None:
        """The queries of the adaptive distance; None if they are codes."""
        values = np.asarray(host_array(queries, "queries"))
        if values.dtype.kind == "f" and self._model is not None:
            return self._model.adaptive_values(self._features(queries, values), threads)
        if self._distance == "adaptive":
            raise ValueError("the adaptive distance needs queries that are features, in floating point; got codes")
        return None

    def _filter(self, only: Any) -> Filter | None:
        return only if only is None or isinstance(only, Filter) else self.filter(only)


def _model_of(model: Any) -> _core.Model | None:
    """The model of a fitted estimator, or the model itself."""
    if model is None or isinstance(model, _core.Model):
        return model
    fitted = getattr(model, "model_", None)
    if not isinstance(fitted, _core.Model):
        raise TypeError(f"an index needs a fitted estimator or a Model, got {model!r:.200}")
    return fitted


def checked_distance(distance: str, model: _core.Model | None) -> str:
    """The distance, if it is one that the model has."""
    known = ("auto", "adaptive", "weighted", "hamming")
    if distance not in known:
        raise ValueError(f"distance must be one of {', '.join(known)}, got {distance!r}")
    if distance != "auto" and model is None:
        raise ValueError(f"distance={distance!r} needs a model; an index of codes has the weights it is given")
    if model is not None and distance == "adaptive":
        model.adaptive_values(np.zeros((0, model.dimension), dtype=np.float32))  # raises, saying why it cannot
    return distance


def _check_model(index: _core.CodeIndex, model: _core.Model) -> None:
    """Codes of different models cannot be compared; an index of codes alone does not know its model."""
    if model.bits != index.bits:
        raise ValueError(f"the index has codes of {index.bits} bits, the model of {model.bits}")
    if index.model and index.model != _model_bytes.identity(model):
        raise ValueError("the codes of the index come from another model; load it with the model that made them")


def _weights(weights: Any) -> npt.NDArray[np.float32]:
    values = np.require(np.asarray(weights, dtype=np.float32), requirements=["C", "A"])
    if values.ndim != 1:
        raise ValueError(f"weights must be a list, one per bit, got {values.ndim} dimensions")
    return values
