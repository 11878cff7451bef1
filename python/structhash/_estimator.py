"""What all methods share: scikit-learn's contract around the models of the library."""

from __future__ import annotations

import importlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.validation import assert_all_finite, validate_data

from . import _core, _model_bytes  # noqa: F401  (models learn to be pickled)
from ._arrays import Codes, FloatRows, class_numbers, float_rows, host_array, is_plain, multi_labels, thread_count
from ._core import Model
from ._evaluation import score_by_labels, score_by_relevance
from ._relevance import judgments_of, judgments_within, triples_of
from .progress import Reporter, logger

if TYPE_CHECKING:
    from typing_extensions import Self


def _text(value: Any) -> str:
    """An option as the table of methods reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


class Hasher(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of every method: learns a model by ``fit``, gives packed codes by ``transform``.

    Parameters that all methods have:

    bits : int, default 64
        Bits per code.
    random_state : int, RandomState or None, default 1
        The seed. The same seed gives the same model, byte for byte, for any ``n_jobs``; None draws a new one.
    n_jobs : int or None, default None
        Threads: None is one, -1 all processors.
    verbose : int, default 0
        1: tell the progress of training, as a bar (with tqdm) or in the log named "structhash".

    After ``fit``: ``model_`` (a :class:`Model`), ``bit_weights_`` (None for plain Hamming distance),
    ``n_features_in_`` and, for frames, ``feature_names_in_``.
    """

    _method: ClassVar[str]
    _supervision: ClassVar[str]  # "none", "labels" or "lists"
    _COMMON: ClassVar[frozenset[str]] = frozenset(
        ("bits", "measure", "functions", "relevant", "irrelevant", "random_state", "n_jobs", "verbose")
    )

    bits: Any
    random_state: Any
    n_jobs: int | None
    verbose: int

    def fit(self, X: Any, y: Any = None, *, relevance: Any = None, queries: Any = None) -> Self:
        """Learns from the rows of X and what is known about them.

        y : classes, one per row, or a 0/1 matrix with one column per label.
        relevance : in place of y, for methods that learn from rankings: ``{query: {item: grade}}``, pairs
            ``(query, item)``, or a scipy sparse matrix of grades. Numbers are rows of X or, for queries, of ``queries``.
        queries : vectors of the queries that ``relevance`` names, if they are not rows of X.
        """
        x = self._validated(X, reset=True)
        seed = self._seed()
        threads = thread_count(self.n_jobs)
        if relevance is not None:
            training_set = self._judged_set(x, y, relevance, queries, seed, threads)
        else:
            if queries is not None:
                raise ValueError("queries goes with relevance; with y the rows of X are the queries")
            training_set = self._labelled_set(x, y, seed, threads)
        bits = self._bits(len(x))
        start = time.perf_counter()
        with Reporter() as reporter:
            self.model_ = self._explained(
                x,
                lambda: _core.fit(
                    training_set,
                    self._method,
                    bits,
                    getattr(self, "measure", None) or "",
                    getattr(self, "functions", None) or "",
                    self._extra_options(),
                    seed,
                    threads,
                    reporter if self.verbose else None,
                ),
            )
        self.fit_seconds_ = time.perf_counter() - start
        return self

    def transform(self, X: Any) -> Codes:
        """Packed codes, ceil(bits / 8) bytes per row: bit i of a code is bit i % 8 of byte i // 8."""
        model = self._fitted()
        x = self._validated(X, reset=False)
        return self._explained(x, lambda: model.encode(x, thread_count(self.n_jobs)))

    def decision_function(self, X: Any) -> FloatRows:
        """The values whose signs are the bits, float32, one column per bit: a bit is 1 where its value is > 0."""
        model = self._fitted()
        x = self._validated(X, reset=False)
        return self._explained(x, lambda: model.decision_values(x, thread_count(self.n_jobs)))

    def score(self, X: Any, y: Any = None, *, relevance: Any = None, queries: Any = None) -> float:
        """The trained measure (mean average precision for methods without one) on held-out data.

        With labels the rows are dealt into two halves, class by class, and each half is searched with the other as
        queries. With ``relevance`` the rows of X are searched with ``queries``. Ties count by their expected value.
        """
        model = self._fitted()
        codes = self.transform(X)
        measure = getattr(self, "measure", None) or "map"
        threads = thread_count(self.n_jobs)
        if relevance is None:
            if y is None:
                raise ValueError(f"{type(self).__name__}.score requires y to be passed, but the target y is None")
            return score_by_labels(model, codes, self._labels(codes, y), measure, threads)
        if queries is None:
            raise ValueError("score by relevance needs the vectors of the queries: queries=...")
        query_codes = self.transform(queries)
        judgments = judgments_of(triples_of(relevance), len(query_codes), len(codes))
        return score_by_relevance(model, codes, query_codes, judgments, measure, threads)

    @property
    def bit_weights_(self) -> npt.NDArray[np.float32] | None:
        return self._fitted().bit_weights

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that ``load`` and the command ``structhash`` read."""
        self._fitted().save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A fitted estimator from a model file of this method."""
        model = Model.load(os.fspath(path))
        if model.method != cls._method:
            raise ValueError(f"{os.fspath(path)} holds a model of method {model.method}; use structhash.load")
        estimator = cls()
        known = {**json.loads(model.parameters), "bits": model.bits}
        known["random_state"] = known.get("seed", estimator.random_state)
        plain = {name: value for name, value in known.items() if isinstance(value, (bool, int, float, str))}
        estimator.set_params(**{name: plain[name] for name in estimator.get_params() if name in plain})
        estimator.model_ = model
        estimator.n_features_in_ = model.dimension
        return estimator

    @property
    def _n_features_out(self) -> int:
        return (self._fitted().bits + 7) // 8

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._supervision != "none"
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _fitted(self) -> Model:
        try:
            return self.model_
        except AttributeError:
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first") from None

    def _bits(self, rows: int) -> int:
        return self.bits

    def _extra_options(self) -> dict[str, str]:
        """What this method alone is told, as text."""
        values = {name: getattr(self, name) for name in self._get_param_names() if name not in self._COMMON}
        return {name.replace("_", "-"): _text(value) for name, value in values.items() if value is not None}

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)) and self.random_state >= 0:
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _validated(self, X: Any, *, reset: bool) -> FloatRows:
        if not reset and not hasattr(self, "feature_names_in_") and is_plain(X, np.float32, self.n_features_in_):
            return X
        # Values are checked by the library, which names row and column.
        return validate_data(
            self,
            host_array(X),
            reset=reset,
            dtype=np.float32,
            order="C",
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 0,
        )

    @staticmethod
    def _explained(x: FloatRows, work: Any) -> Any:
        try:
            return work()
        except ValueError as error:
            if np.isfinite(x).all():
                raise
            raise ValueError(f"{error} (X contains NaN or infinity)") from None

    def _labels(self, rows: Any, y: Any) -> npt.NDArray[Any]:
        """Class numbers (one dimension) or a 0/1 matrix (two)."""
        y = np.asarray(host_array(y, "y"))
        check_consistent_length(rows, y)
        if y.ndim == 2 and y.shape[1] > 1:
            return multi_labels(y)
        y = column_or_1d(y, warn=True)
        if y.dtype.kind in "fc":
            assert_all_finite(y, input_name="y")
        if len(y) == 0:
            return np.empty(0, dtype=np.int32)
        return class_numbers(y)[0]

    def _labelled_set(self, x: FloatRows, y: Any, seed: int, threads: int) -> _core.TrainingSet:
        training_set = _core.TrainingSet.of(x)
        if self._supervision == "none":
            return training_set
        if y is None:
            instead = " Give y or relevance." if self._supervision == "lists" else ""
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.{instead}")
        labels = self._labels(x, y)
        if labels.ndim == 2:
            training_set.set_multi_labels(labels)
        else:
            training_set.set_classes(labels)
        if self._supervision == "lists":
            training_set.lists_from_labels(self.relevant, self.irrelevant, seed, threads)
            self._note_missing(training_set)
        return training_set

    def _judged_set(
        self, x: FloatRows, y: Any, relevance: Any, queries: Any, seed: int, threads: int
    ) -> _core.TrainingSet:
        if self._supervision != "lists":
            raise ValueError(f"{type(self).__name__} cannot learn from relevance; StructHash and CGH can")
        if y is not None:
            raise ValueError("y and relevance exclude each other; give one")
        triples = triples_of(relevance)
        if queries is None:
            training_set = _core.TrainingSet.of(x)
            judgments, query_rows = judgments_within(triples, len(x))
        else:
            vectors = float_rows(queries, "queries")
            if vectors.shape[1] != x.shape[1]:
                raise ValueError(f"queries have {vectors.shape[1]} columns; X has {x.shape[1]}")
            training_set = _core.TrainingSet.of(np.concatenate([x, vectors]))
            judgments, query_rows = judgments_of(triples, len(vectors), len(x)), np.empty(0, dtype=np.int64)
        training_set.lists_from_judgments(
            judgments,
            query_rows,
            self.relevant,
            self.irrelevant,
            seed,
            threads,
        )
        self._note_missing(training_set)
        return training_set

    @staticmethod
    def _note_missing(training_set: _core.TrainingSet) -> None:
        if training_set.without_relevant or training_set.without_irrelevant:
            logger.info(
                "%d queries have no relevant and %d no irrelevant item: they give no list to learn from",
                training_set.without_relevant,
                training_set.without_irrelevant,
            )


def method_classes() -> list[type[Hasher]]:
    """The class of every method."""
    from . import METHOD_MODULES

    modules = [importlib.import_module(f"{__package__}.{name}") for name in METHOD_MODULES]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Hasher) and value is not Hasher
    ]


def load(path: str | os.PathLike[str]) -> Hasher:
    """The fitted estimator of any model file, of the class that belongs to its method."""
    method = Model.load(os.fspath(path)).method
    for kind in method_classes():
        if kind._method == method:
            return kind.load(path)
    raise ValueError(f"{os.fspath(path)} holds a model of the unknown method {method}")
