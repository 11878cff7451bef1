"""Exact search in packed codes; arguments and results have the shapes of Faiss."""

from __future__ import annotations

import operator
import os
import pathlib
import tempfile
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core, _model_bytes
from ._arrays import Codes, Ids, float_rows, thread_count
from ._index_rows import Encoding, allowed_ids, as_ids, as_rows, bit_weights
from ._lock import ReadWriteLock
from ._messages import python_words

Filter = _core.IdFilter


class Index:
    """Codes with ids: add, remove, search by plain, weighted or adaptive Hamming distance, save and load.

    ``Index(hasher)`` takes bits and weights from a fitted estimator, a Pipeline that ends in one, or a :class:`Model`;
    methods then take features (floating point, or what the Pipeline takes) as well as codes. ``Index(bits=64)`` and ``Index(bits=64, weights=w)`` take codes of any
    origin: packed uint8, least significant bit first.

    distance : of an index of a model. "hamming"; "weighted", by the weights of the model if it has any; "adaptive", by
        weights of the query, whose certain bits count more: queries must then be features. "auto" (the
        default) is adaptive in ``search`` for queries that are features, if the model has it (StructHash
        with linear and kernel functions), and otherwise weighted or, without weights, plain.

    Any number of threads may use an index at once: searches run side by side, a change waits for them and they for it.

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
        self._take(model, distance)
        known = self._encoding.model
        if known is None:
            if bits is None:
                raise ValueError("an index needs a model or a number of bits: Index(hasher) or Index(bits=64)")
        elif bits is not None or weights is not None:
            raise ValueError("an index of a model takes bits and weights from the model; leave them out")
        else:
            bits, weights = known.bits, None if distance == "hamming" else known.bit_weights
        identity = "" if known is None else _model_bytes.identity(known)
        self._index = _core.CodeIndex(bits, None if weights is None else bit_weights(weights), identity)

    def _take(self, model: Any, distance: str) -> None:
        """The attributes beside the codes."""
        self._estimator = model
        self._encoding = Encoding.of(model)
        self._distance = checked_distance(distance, self._encoding.model)
        self._lock = ReadWriteLock()

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
        index._take(model, distance)
        index._index = _core.CodeIndex.load(os.fspath(path), verify or not mmap)
        if index._encoding.model is not None:
            _check_model(index._index, index._encoding.model)
        return index

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes codes, ids and, after ``prepare``, tables; atomically."""
        with self._lock.reading():
            self._index.save(os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
            file = pathlib.Path(folder, "index.shi")
            self.save(file)
            return _from_bytes, (file.read_bytes(), self._estimator, self._distance)

    def __len__(self) -> int:
        with self._lock.reading():
            return len(self._index)

    def __iter__(self) -> Iterator[int]:
        """All ids, ascending, as they are now."""
        return iter(self.ids.tolist())

    def __contains__(self, id: Any) -> bool:
        try:
            number = operator.index(id)
        except TypeError:  # 2.7 or "a" is no id
            return False
        with self._lock.reading():
            return number in self._index

    def __getitem__(self, ids: Any) -> Codes:
        """The code of an id, or the codes of several, one per row. An unknown id is a KeyError."""
        single = np.ndim(ids) == 0
        wanted = as_ids(ids)
        with self._lock.reading():
            unknown = [id for id in wanted.tolist() if id not in self._index]
            if unknown:
                raise KeyError(f"the index has no id {unknown[0]}")
            codes = self._index.reconstruct(wanted)
        return codes[0] if single else codes

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
        with self._lock.reading():
            return self._index.ids()

    @property
    def nbytes(self) -> int:
        """Bytes of codes, ids and tables, in memory or in the mapped file."""
        with self._lock.reading():
            return self._index.bytes

    @python_words()
    def add(self, codes: Any, ids: Any = None, n_jobs: int | None = None) -> None:
        """Adds codes (or features, with a model), or a single one; without ids they get the numbers after the largest."""
        rows, _ = as_rows(codes, "codes")
        packed = self._encoding.codes(rows, thread_count(n_jobs))
        numbers = None if ids is None else as_ids(ids)
        with self._lock.writing():
            self._index.add(packed, numbers)

    @python_words()
    def upsert(self, codes: Any, ids: Any, n_jobs: int | None = None) -> None:
        """Adds codes (or features), replacing the codes of ids that are there."""
        rows, _ = as_rows(codes, "codes")
        numbers = as_ids(ids)
        new = _core.CodeIndex(self.bits, self.weights, self._index.model)
        new.add(self._encoding.codes(rows, thread_count(n_jobs)), numbers)  # refuses what is wrong before a change
        with self._lock.writing():
            known = np.fromiter((id in self._index for id in numbers.tolist()), np.bool_, len(numbers))
            self._index.remove(numbers[known])
            self._index.merge(new)

    def remove(self, ids: Any) -> None:
        """Removes the codes of these ids, or of one; raises ValueError, and removes none, if one is unknown."""
        numbers = as_ids(ids)
        with self._lock.writing():
            self._index.remove(numbers)

    def merge(self, other: Index) -> None:
        """Adds all codes of another index."""
        if other is self:
            raise ValueError("an index cannot be merged with itself")
        locks = sorted([(id(self), self._lock.writing), (id(other), other._lock.reading)], key=lambda lock: lock[0])
        with locks[0][1](), locks[1][1]():  # in one order, so that two indexes may merge with each other at once
            self._index.merge(other._index)

    def reconstruct(self, ids: Any) -> Codes:
        """The codes of these ids, in their order."""
        numbers = as_ids(ids)
        with self._lock.reading():
            return self._index.reconstruct(numbers)

    def prepare(self, n_jobs: int | None = None) -> None:
        """Builds tables that make single queries among millions of codes faster; a change drops them."""
        with self._lock.writing():
            self._index.prepare(thread_count(n_jobs))

    def filter(self, ids: Any) -> Filter:
        """A set of ids for any number of searches; valid until the index changes. Ids, or a boolean per code."""
        with self._lock.reading():
            return self._filter(ids)

    @python_words()
    def search(
        self, queries: Any, k: int, n_jobs: int | None = None, *, only: Any = None, engine: str = "auto"
    ) -> tuple[npt.NDArray[Any], Ids]:
        """The k nearest codes of every query: distances and ids, both of shape (queries, k).

        If there are fewer than k codes, the other ids are -1 and distances infinite (the largest int32 without weights).

        queries : codes or, with a model, features, one row per query. One vector gives results of shape (k,).
        only : ids to search among, a boolean for every code in the order of ``ids``, or the result of ``filter``.
        engine : "auto", "scan" or "multi-index"; the results are the same.
        """
        threads = thread_count(n_jobs)
        rows, single = as_rows(queries, "queries")
        values = self._adaptive_values(rows, threads) if self._adaptive() else None
        codes = self._encoding.codes(rows, threads) if values is None else None
        with self._lock.reading():
            allowed = self._filter(only)
            if codes is None:
                found = self._index.search_values(values, int(k), threads, engine, allowed, True)
            else:
                found = self._index.search(codes, int(k), threads, engine, allowed)
        return (found[0][0], found[1][0]) if single else found

    @python_words()
    def range_search(
        self, queries: Any, radius: float, n_jobs: int | None = None, *, only: Any = None, engine: str = "auto"
    ) -> tuple[Ids, npt.NDArray[np.float32], Ids]:
        """All codes at distance <= radius: ``(limits, distances, ids)``, as in Faiss.

        The results of query q are the entries ``limits[q]:limits[q + 1]`` of the other two. The distance is
        weighted or plain, never adaptive.
        """
        threads = thread_count(n_jobs)
        codes = self._encoding.codes(as_rows(queries, "queries")[0], threads)
        with self._lock.reading():
            return self._index.range_search(codes, float(radius), threads, engine, self._filter(only))

    @python_words()
    def search_asymmetric(
        self, values: Any, k: int, n_jobs: int | None = None, *, only: Any = None
    ) -> tuple[npt.NDArray[np.float32], Ids]:
        """As ``search``, with queries that are not rounded to bits: bits far from 0 count more.

        values : from ``decision_function``, one column per bit.
        """
        rows = float_rows(values, "values")
        with self._lock.reading():
            allowed = self._filter(only)
            return self._index.search_values(rows, int(k), thread_count(n_jobs), "auto", allowed, False)

    def to_faiss(self, kind: Any = "flat", **options: Any) -> Any:
        """A Faiss index of the same codes and ids, by plain Hamming distance; see ``structhash.interop.to_faiss``."""
        from . import interop

        if self.weights is not None:
            warnings.warn("Faiss has no weighted Hamming distance; the bit weights are left out", stacklevel=2)
        with self._lock.reading():
            ids = self._index.ids()
            codes = self._index.reconstruct(ids)
        return interop.to_faiss(codes, kind, bits=self.bits, ids=ids, **options)

    def _adaptive(self) -> bool:
        known = self._encoding.model is not None and self._encoding.model.adaptive
        return self._distance == "adaptive" or (self._distance == "auto" and known)

    def _adaptive_values(self, queries: Any, threads: int) -> npt.NDArray[np.float32] | None:
        """The queries of the adaptive distance; None if they are codes."""
        values = self._encoding.adaptive_values(queries, threads)
        if values is None and self._distance == "adaptive":
            raise ValueError("the adaptive distance needs queries that are features, in floating point; got codes")
        return values

    def _filter(self, only: Any) -> Filter | None:
        """The caller holds the lock."""
        if only is None or isinstance(only, Filter):
            return only
        return self._index.filter(allowed_ids(only, self._index.ids))


def _from_bytes(content: bytes, model: Any, distance: str) -> Index:
    """The index of a pickle."""
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "index.shi")
        file.write_bytes(content)
        return Index.load(file, model=model, distance=distance)  # a mapped file may be removed


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
