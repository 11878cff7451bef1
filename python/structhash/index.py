"""Exact search in packed codes; arguments and results have the shapes of Faiss."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core, _model_bytes
from ._arrays import Codes, Ids, float_rows, thread_count
from ._device import use_device
from ._index_rows import Encoding, allowed_ids, as_ids, as_rows, bit_weights, check_model, checked_distance
from ._lock import ReadWriteLock
from ._messages import speaks_python
from ._types import ArrayLike, Distance, Engine, FaissOptions, Path

if TYPE_CHECKING:
    from typing_extensions import Unpack

Filter = _core.IdFilter


class Index:
    """Codes with ids: add, remove, search by plain, weighted or adaptive Hamming distance, save and load.

    ``Index(hasher)`` takes bits and weights from a fitted estimator, a Pipeline that ends in one, or a :class:`Model`;
    methods then take features (floating point, or what the Pipeline takes) as well as codes. ``Index(bits=64)`` and ``Index(bits=64, weights=w)`` take codes of any
    origin: packed uint8, least significant bit first.

    Any number of threads may use an index at once: searches run side by side, a change waits for them and they for it.

    Results are exact, in order of distance and then of id. Distances are float32, int32 by plain Hamming distance.

    Parameters
    ----------
    model : fitted estimator, Pipeline that ends in one, Model or None, default None
        Encodes features, and gives bits and weights.
    bits : int or None, default None
        Without a model: number of bits per code, 1 to 4,096.
    weights : array-like of shape (bits,) or None, default None
        Without a model: what a differing bit adds to the distance, at least 0. None: plain Hamming distance.
    distance : {"auto", "adaptive", "weighted", "hamming"}, default "auto"
        With a model. "adaptive": by weights of the query, whose certain bits count more; queries must be features.
        "weighted": by the weights of the model, if it has any. "auto": adaptive in ``search`` for queries that are
        features, if the model has it (StructHash with linear and kernel functions), otherwise weighted or plain.
    device : {"cpu", "cuda", "cuda:N"}, default "cpu"
        Where searches compare codes; "cuda": the first GPU. Same results. Needs ``pip install structhash[cuda]``.

    >>> import numpy as np
    >>> from structhash import Index
    >>> index = Index(bits=8)
    >>> index.add(np.array([[0b0000], [0b0001], [0b0111]], dtype=np.uint8))
    >>> distances, ids = index.search(np.array([[0b0011]], dtype=np.uint8), k=2)
    >>> distances.tolist(), ids.tolist()
    ([[1, 1]], [[1, 2]])
    """

    def __init__(
        self,
        model: Any = None,
        *,
        bits: int | None = None,
        weights: ArrayLike | None = None,
        distance: Distance = "auto",
        device: str = "cpu",
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
        use_device(self._index, device)

    def _take(self, model: Any, distance: Distance) -> None:
        """The attributes beside the codes."""
        self._estimator = model
        self._encoding = Encoding.of(model)
        self._query_encoding = self._encoding.of_queries()
        self._distance = checked_distance(distance, self._encoding.model)
        self._lock = ReadWriteLock()

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        model: Any = None,
        mmap: bool = True,
        verify: bool = False,
        distance: Distance = "auto",
        device: str = "cpu",
    ) -> Index:
        """The index of a file that ``save`` wrote.

        Parameters
        ----------
        path : str or path-like
        model : fitted estimator, Pipeline, Model or None, default None
            The one whose codes the index holds: the index then takes features.
        mmap, verify : bool, default True and False
            Files are always mapped. ``mmap=False`` and ``verify=True`` both read the whole file first and compare it
            with its checksums; otherwise large parts are read when a search needs them.
        distance, device : as for a new index
            "weighted" keeps to the weights of the file. Files and pickles do not hold the device.
        """
        index = cls.__new__(cls)
        index._take(model, distance)
        index._index = _core.CodeIndex.load(os.fspath(path), verify or not mmap)
        if index._encoding.model is not None:
            check_model(index._index, index._encoding.model)
        use_device(index._index, device)
        return index

    def save(self, path: Path) -> None:
        """Writes codes, ids and, after ``prepare``, tables; atomically.

        Parameters
        ----------
        path : str or path-like
        """
        with self._lock.reading:
            self._index.save(os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (_model_bytes.to_bytes(self), self._estimator, self._distance)

    def __len__(self) -> int:
        with self._lock.reading:
            return len(self._index)

    def __iter__(self) -> Iterator[int]:
        """All ids, ascending, as they are now."""
        return iter(self.ids.tolist())

    def __contains__(self, id: Any) -> bool:
        try:
            number = operator.index(id)
        except TypeError:  # 2.7 or "a" is no id
            return False
        with self._lock.reading:
            return number in self._index

    def __getitem__(self, ids: Any) -> Codes:
        """The code of an id, or the codes of several, one per row. An unknown id is a KeyError."""
        single = np.ndim(ids) == 0
        wanted = as_ids(ids)
        with self._lock.reading:
            unknown = [id for id in wanted.tolist() if id not in self._index]
            if unknown:
                raise KeyError(f"the index has no id {unknown[0]}")
            codes = self._index.reconstruct(wanted)
        return codes[0] if single else codes

    def __repr__(self) -> str:
        distance = "Hamming" if self.weights is None else "weighted Hamming"
        if self._encoding.is_adaptive(self._distance):
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
    def device(self) -> str:
        """Where searches compare codes."""
        return self._index.device

    @property
    def ids(self) -> Ids:
        """All ids, ascending."""
        with self._lock.reading:
            return self._index.ids()

    @property
    def nbytes(self) -> int:
        """Bytes of codes, ids and tables, in memory or in the mapped file."""
        with self._lock.reading:
            return self._index.bytes

    @speaks_python
    def add(self, codes: ArrayLike, ids: ArrayLike | None = None, n_jobs: int | None = None) -> None:
        """Adds codes, or features with a model.

        Parameters
        ----------
        codes : array-like of shape (rows, bytes), of uint8, or of features
            One code or row of features is enough.
        ids : int, array-like of int or None, default None
            Distinct numbers, at least 0, that are not in the index yet. None: the numbers after the largest id.
        n_jobs : int or None, default None
            Number of threads. None: 1. -1: all processors.
        """
        rows, _ = as_rows(codes, "codes")
        packed = self._encoding.codes(rows, thread_count(n_jobs))
        numbers = None if ids is None else as_ids(ids)
        with self._lock.writing:
            self._index.add(packed, numbers)

    @speaks_python
    def upsert(self, codes: ArrayLike, ids: ArrayLike, n_jobs: int | None = None) -> None:
        """Adds codes, or features with a model, and replaces the codes of ids that are in the index.

        Parameters
        ----------
        codes, ids, n_jobs : as in ``add``
        """
        rows, _ = as_rows(codes, "codes")
        numbers = as_ids(ids)
        new = _core.CodeIndex(self.bits, self.weights, self._index.model)
        new.add(self._encoding.codes(rows, thread_count(n_jobs)), numbers)  # refuses what is wrong before a change
        with self._lock.writing:
            known = np.fromiter((id in self._index for id in numbers.tolist()), np.bool_, len(numbers))
            self._index.remove(numbers[known])
            self._index.merge(new)

    def remove(self, ids: ArrayLike) -> None:
        """Removes codes; an id that is not in the index is a ValueError, and none is removed.

        Parameters
        ----------
        ids : int or array-like of int
        """
        with self._lock.writing:
            self._index.remove(as_ids(ids))

    def merge(self, other: Index) -> None:
        """Adds all codes of another index.

        Parameters
        ----------
        other : Index
            Of the same model or, without one, of the same bits and weights. No id may be in both, unless neither was
            given ids: then those of ``other`` are renumbered.
        """
        if other is self:
            raise ValueError("an index cannot be merged with itself")
        locks = sorted([(id(self), self._lock.writing), (id(other), other._lock.reading)], key=lambda lock: lock[0])
        with locks[0][1], locks[1][1]:  # in one order, so that two indexes may merge with each other at once
            self._index.merge(other._index)

    def reconstruct(self, ids: ArrayLike) -> Codes:
        """The codes of these ids, in their order.

        Parameters
        ----------
        ids : int or array-like of int
        """
        with self._lock.reading:
            return self._index.reconstruct(as_ids(ids))

    def prepare(self, n_jobs: int | None = None) -> None:
        """Builds tables that make single queries among millions of codes faster; a change drops them.

        Parameters
        ----------
        n_jobs : as in ``add``
        """
        with self._lock.writing:
            self._index.prepare(thread_count(n_jobs))

    def filter(self, ids: ArrayLike) -> Filter:
        """A set of ids for any number of searches; valid until the index changes.

        Parameters
        ----------
        ids : int, array-like of int, or array of bool
            Ids, or a boolean for every code in the order of ``Index.ids``.
        """
        with self._lock.reading:
            return self._index.filter(allowed_ids(ids, self._index.ids))

    @speaks_python
    def search(
        self,
        queries: ArrayLike,
        k: int,
        n_jobs: int | None = None,
        *,
        only: ArrayLike | Filter | None = None,
        engine: Engine = "auto",
    ) -> tuple[npt.NDArray[Any], Ids]:
        """The k nearest codes of every query.

        Parameters
        ----------
        queries : array-like of shape (queries, bytes), of uint8, or of features
            One vector is one query.
        k : int
            Number of neighbours, at least 1.
        n_jobs : as in ``add``
        only : int, array-like of int, array of bool, or the result of ``filter``; default None
            Ids to search among, or a boolean for every code in the order of ``Index.ids``. None: all.
        engine : {"auto", "scan", "multi-index"}, default "auto"
            Decides the time, not the results.

        Returns
        -------
        distances, ids : arrays of shape (queries, k), or (k,) for one vector
            If there are fewer than k codes, the other ids are -1 and distances infinite (int32: the largest number).
        """
        threads = thread_count(n_jobs)
        rows, single = as_rows(queries, "queries")
        if (values := self._query_encoding.adaptive_values(rows, self._distance, threads)) is not None:
            with self._lock.reading:
                found = self._index.search_values(values, int(k), threads, engine, self._filter(only), True)
        else:
            codes = self._query_encoding.codes(rows, threads)
            with self._lock.reading:
                found = self._index.search(codes, int(k), threads, engine, self._filter(only))
        return (found[0][0], found[1][0]) if single else found

    @speaks_python
    def range_search(
        self,
        queries: ArrayLike,
        radius: float,
        n_jobs: int | None = None,
        *,
        only: ArrayLike | Filter | None = None,
        engine: Engine = "auto",
    ) -> tuple[Ids, npt.NDArray[np.float32], Ids]:
        """All codes at distance <= radius, as in Faiss. The distance is weighted or plain, never adaptive.

        Parameters
        ----------
        radius : float
            At least 0.
        queries, n_jobs, only, engine : as in ``search``

        Returns
        -------
        limits, distances, ids : arrays
            The results of query q are the entries ``limits[q]:limits[q + 1]`` of the other two.
        """
        threads = thread_count(n_jobs)
        codes = self._query_encoding.codes(as_rows(queries, "queries")[0], threads)
        with self._lock.reading:
            return self._index.range_search(codes, float(radius), threads, engine, self._filter(only))

    @speaks_python
    def search_asymmetric(
        self, values: ArrayLike, k: int, n_jobs: int | None = None, *, only: ArrayLike | Filter | None = None
    ) -> tuple[npt.NDArray[np.float32], Ids]:
        """As ``search``, with queries that are not rounded to bits: bits far from 0 count more.

        Parameters
        ----------
        values : array-like of shape (queries, bits)
            From ``decision_function``.
        k, n_jobs, only : as in ``search``
        """
        rows = float_rows(values, "values")
        with self._lock.reading:
            allowed = self._filter(only)
            return self._index.search_values(rows, int(k), thread_count(n_jobs), "auto", allowed, False)

    def to_faiss(self, kind: Literal["flat", "ivf", "hnsw"] = "flat", **options: Unpack[FaissOptions]) -> Any:
        """A Faiss index of the same codes and ids, by plain Hamming distance.

        Parameters
        ----------
        kind : {"flat", "ivf", "hnsw"}, default "flat"
        **options : ``lists``, ``probes``, ``connections`` and ``effort`` of ``structhash.interop.to_faiss``
        """
        from . import interop

        if self.weights is not None:
            warnings.warn("Faiss has no weighted Hamming distance; the bit weights are left out", stacklevel=2)
        with self._lock.reading:
            ids = self._index.ids()
            codes = self._index.reconstruct(ids)
        return interop.to_faiss(codes, kind, bits=self.bits, ids=ids, **options)

    def _filter(self, only: Any) -> Filter | None:
        """The caller holds the lock."""
        if only is None or isinstance(only, Filter):
            return only
        return self._index.filter(allowed_ids(only, self._index.ids))


def _from_bytes(content: bytes, model: Any, distance: Distance) -> Index:
    """The index of a pickle."""
    return _model_bytes.from_bytes(content, Index.load, model=model, distance=distance)
