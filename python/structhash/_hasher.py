"""The base class of the estimators: scikit-learn's contract around the models of the library."""

from __future__ import annotations

import copy
import inspect
import json
import os
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from . import _core, _model_bytes  # noqa: F401  (makes models picklable)
from ._arrays import Codes, FloatRows, float_rows, host_array, is_plain, thread_count
from ._core import Model
from ._evaluation import score_by_labels, score_by_relevance
from ._messages import python_words, whole
from ._parameters import OWN_PARAMETERS, docstring, option_name, option_text
from ._relevance import judgments_of, triples_of
from ._sparse import encoder_of, encoder_rows, fitted_projection, sparse_rows
from ._training_set import Supervision, checked_labels, described, training_set_of, weight_queries
from ._types import ArrayLike, Labels, Output, Path, Relevance
from ._warm_start import continued, last_training
from .progress import Reporter

if TYPE_CHECKING:
    from typing_extensions import Self

_METHODS = {method["name"]: method for method in _core.methods()}


def _check_output(output: Output) -> None:
    if output not in get_args(Output):
        raise ValueError(f"output must be one of {', '.join(get_args(Output))}, got {output!r}")


class Hasher(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base class of the estimators: ``fit`` trains a model, ``transform`` gives packed codes.

    After ``fit``: ``model_`` (a :class:`Model`), ``bit_weights_`` (None: plain Hamming distance), ``best_params_``,
    ``fit_seconds_``, ``n_features_in_`` and, for data frames, ``feature_names_in_``; ``coef_`` and ``intercept_`` of
    linear and kernel functions; ``anchors_`` and ``gamma_`` of kernel functions.

    >>> import structhash
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> structhash.LSH(bits=16).fit(X[:300]).transform(X[300:]).shape
    (1497, 2)
    >>> structhash.KSH(bits=32).fit(X[:300], y[:300]).transform(X[300:]).shape
    (1497, 4)
    """

    _method: ClassVar[str]
    _supervision: ClassVar[str]  # "none", "labels" or "lists"

    bits: int | None
    sparse_components: int
    random_state: Any
    n_jobs: int | None
    verbose: int

    def __init_subclass__(cls, method: str = "", supervision: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if method:
            cls._method, cls._supervision = method, supervision
            cls.__doc__ = docstring(inspect.getdoc(cls) or "", _METHODS[method])

    def _store(self, arguments: Mapping[str, Any]) -> None:
        """Keeps the arguments of ``__init__`` as they are, as scikit-learn wants it."""
        self.__dict__.update((name, value) for name, value in arguments.items() if name != "self")

    def fit(
        self,
        X: ArrayLike,
        y: Labels | None = None,
        *,
        relevance: Relevance | None = None,
        queries: ArrayLike | None = None,
    ) -> Self:
        """Trains a model on the rows of X and their supervision.

        Parameters
        ----------
        X, y : array-like
            Features, one row each, dense or a scipy sparse matrix, and their labels: classes of any type, or a 0/1 matrix, dense or sparse, with one
            column per label. Methods that train on the features alone ignore y.
        relevance, queries : not used
            StructHash and CGH train on them.
        """
        return self._fit(X, Supervision(y, relevance, queries))

    def _fit(self, X: Any, given: Supervision) -> Self:
        seed, threads = self._seed(), thread_count(self.n_jobs)
        rows = self._validated(X, reset=True)
        x, projection = fitted_projection(rows, whole(self.sparse_components, "sparse_components"), seed, threads)
        if projection is not None and given.queries is not None:
            if given.two_encoders or np.shape(given.queries)[1] != rows.shape[1]:
                raise ValueError("two encoders need dense features; reduce sparse ones first, as with TruncatedSVD")
            given = given._replace(queries=projection.project(sparse_rows(given.queries, "queries"), threads))
        training_set = training_set_of(self, x, given, seed, threads)
        if given.sample_weight is not None:
            weight_queries(training_set, given.sample_weight, x, given.queries)
        bits = min(64, len(x) - 1) if self.bits is None else whole(self.bits, "bits")
        options = self._options()
        start = time.perf_counter()
        with Reporter() as reporter, self._python_words(x), continued(self, seed, bits) as checkpoint:
            progress = reporter if self.verbose else None
            model = _core.fit(training_set, self._method, bits, options, seed, threads, progress, checkpoint)
        model = described(model, self)
        self.model_ = model if projection is None else model.with_projection(projection)
        self.fit_seconds_ = time.perf_counter() - start
        return self

    def transform(self, X: ArrayLike, output: Output = "packed") -> npt.NDArray[Any]:
        """The codes of the rows of X.

        Parameters
        ----------
        X : array-like of shape (rows, features)
        output : {"packed", "bits", "signs"}, default "packed"
            "packed": uint8, ceil(bits / 8) bytes per row; bit i of a code is bit i % 8 of byte i // 8. "bits": uint8,
            a 0 or 1 per bit. "signs": int8, -1 or 1 per bit.
        """
        _check_output(output)
        if output != "packed" and self._makes_frames():
            raise ValueError(f'output="{output}" is an array; call set_output(transform="default") first')
        return self._in_form(self._encoded(X), output)

    def transform_queries(self, Q: ArrayLike, output: Output = "packed") -> npt.NDArray[Any]:
        """The codes of queries: those of ``transform``, unless ``fit`` was given queries of another kind.

        Parameters
        ----------
        Q : array-like of shape (queries, features of the queries)
        output : as in ``transform``
        """
        _check_output(output)
        return self._in_form(self._encoded_queries(Q), output)

    def _in_form(self, codes: Codes, output: Output) -> npt.NDArray[Any]:
        if output == "packed":
            return codes
        bits = np.unpackbits(codes, axis=1, count=self._fitted().bits, bitorder="little")
        return bits if output == "bits" else bits.astype(np.int8) * 2 - 1

    def decision_function(self, X: ArrayLike) -> FloatRows:
        """The values behind the bits: a bit is 1 where its value is above 0.

        Parameters
        ----------
        X : array-like of shape (rows, features)

        Returns
        -------
        float32 array of shape (rows, bits)
        """
        model, x = self._encoder_and_rows(X)
        with self._python_words(x):
            return model.decision_values(x, thread_count(self.n_jobs))

    def score(
        self,
        X: ArrayLike,
        y: Labels | None = None,
        *,
        relevance: Relevance | None = None,
        queries: ArrayLike | None = None,
    ) -> float:
        """The trained measure on held-out data; mean average precision for methods without ``measure``.

        With labels the rows are split into two halves, class by class; each half is the queries for the other.
        Ties count by their expected value.

        Parameters
        ----------
        X : array-like of shape (rows, features)
        y : array-like of shape (rows,) or (rows, labels), or sparse matrix
            Labels, as in ``fit``.
        relevance : dict, pairs or sparse matrix
            In place of y: the rows of X that are relevant to the rows of ``queries``.
        queries : array-like of shape (queries, features)
            Needed with ``relevance``.
        """
        model = self._fitted()
        if model.two_encoders and queries is None:
            raise ValueError("queries have an encoder of their own here; score needs relevance and queries")
        codes = self._encoded(X)
        measure = getattr(self, "measure", None) or "map"
        threads = thread_count(self.n_jobs)
        if relevance is None:
            if y is None:
                raise ValueError(f"{type(self).__name__}.score requires y to be passed, but the target y is None")
            return score_by_labels(model, codes, checked_labels(codes, y), measure, threads)
        if queries is None:
            raise ValueError("score with relevance needs the feature vectors of the queries; give queries")
        query_codes = self._encoded_queries(queries)
        judgments = judgments_of(triples_of(relevance), len(query_codes), len(codes))
        return score_by_relevance(model, codes, query_codes, judgments, measure, threads)

    @property
    def bit_weights_(self) -> npt.NDArray[np.float32] | None:
        """One weight per bit; None: plain Hamming distance."""
        return self._fitted().bit_weights

    @property
    def best_params_(self) -> dict[str, Any]:
        """Parameters that were None and that training chose, by closed forms or, with ``tune``, by trials."""
        return dict(json.loads(self._fitted().parameters).get("chosen", {}))

    @property
    def coef_(self) -> FloatRows:
        """Coefficients of linear functions, (bits, features); of kernel functions, (bits, anchors)."""
        return self._part("coef_", self._fitted().directions)

    @property
    def intercept_(self) -> npt.NDArray[np.float32]:
        """One per bit: ``decision_function`` is ``X @ coef_.T + intercept_`` for linear functions."""
        return self._part("intercept_", self._fitted().offsets)

    @property
    def anchors_(self) -> FloatRows:
        """Centres of kernel functions, (anchors, features): responses are ``exp(-gamma_ ||x - anchor||^2)``."""
        return self._part("anchors_", self._fitted().anchors)

    @property
    def gamma_(self) -> float:
        """Of the responses of kernel functions; see ``anchors_``."""
        return self._part("gamma_", self._fitted().gamma)

    def _part(self, name: str, value: Any) -> Any:
        if value is None:
            functions = self._fitted().functions
            raise AttributeError(f"this {type(self).__name__} has {functions} functions, which have no {name}")
        return value

    def _makes_frames(self) -> bool:
        configured = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        return configured != "default"

    def truncate(self, bits: int) -> Self:
        """Nested codes: a fitted estimator whose codes are the first ``bits`` bits of this one's.

        Codes that are stored already are cut likewise: ``codes[:, : bits // 8]`` for multiples of 8.

        Parameters
        ----------
        bits : int
            At most the bits of this estimator.

        Raises
        ------
        ValueError
            For methods whose bits depend on their number, such as ITQ; train with fewer bits instead.
        """
        shorter = copy.copy(self)
        with python_words(None, self.get_params()):
            shorter.model_ = self._fitted().truncate(whole(bits, "bits"))
        shorter.bits = shorter.model_.bits
        shorter._training = None
        return shorter

    def save(self, path: Path) -> None:
        """Writes the model file that ``load`` and the command ``structhash`` read.

        Parameters
        ----------
        path : str or path-like
        """
        self._fitted().save(os.fspath(path))

    def to_onnx(self, path: Path, precision: Literal["float64", "float32"] = "float64") -> None:
        """Writes the encoder as an ONNX file, for programs without this package: linear and kernel functions only.

        Parameters
        ----------
        path, precision : as in ``structhash.interop.to_onnx``
        """
        from .interop import to_onnx

        to_onnx(self._fitted(), path, precision)

    def to_torch(self, precision: Literal["float64", "float32"] = "float64") -> Any:
        """The encoder as a ``torch.nn.Module`` that returns packed codes and scores: linear and kernel functions only.

        Parameters
        ----------
        precision : as in ``structhash.interop.to_torch``
        """
        from .interop import to_torch

        return to_torch(self._fitted(), precision)

    @classmethod
    def load(cls, path: Path) -> Self:
        """A fitted estimator from a model file of this method.

        Parameters
        ----------
        path : str or path-like
        """
        model = Model.load(os.fspath(path))
        if model.method != cls._method:
            raise ValueError(f"{os.fspath(path)} holds a model of method {model.method}; use structhash.load")
        estimator = cls()
        trained = json.loads(model.parameters)
        known = {**trained, **trained.get("options", {}), **trained.get("lists", {}), "bits": model.bits}
        known["random_state"] = known.get("seed", estimator.random_state)
        given = {name: known[name] for name in estimator.get_params() if name in known}
        estimator.set_params(**{name: None if value == "auto" else value for name, value in given.items()})
        estimator.model_ = model
        estimator.n_features_in_ = model.dimension
        if "feature_names" in trained:
            estimator.feature_names_in_ = np.array(trained["feature_names"], dtype=object)
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
        tags.input_tags.sparse = True
        return tags

    def _fitted(self) -> Model:
        try:
            return self.model_
        except AttributeError:
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first") from None

    def _options(self) -> dict[str, str]:
        """The options that differ from their defaults, as text; the library refuses one that has no effect."""
        options = {}
        for name, parameter in inspect.signature(type(self)).parameters.items():
            value = getattr(self, name)
            is_option = name != "bits" and name not in OWN_PARAMETERS
            if is_option and value is not None and not np.array_equal(value, parameter.default):
                options[option_name(name)] = option_text(value)
        return options

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)) and self.random_state >= 0:
            return int(self.random_state)
        if last := last_training(self):
            return last.seed
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _encoded(self, X: Any) -> Codes:
        """What ``transform`` returns before ``set_output`` makes a data frame of it."""
        model, x = self._encoder_and_rows(X)
        with self._python_words(x):
            return model.encode(x, thread_count(self.n_jobs))

    def _encoded_queries(self, Q: Any) -> Codes:
        if not self._fitted().two_encoders:
            return self._encoded(Q)
        rows = float_rows(Q, "queries")
        with python_words(rows, self.get_params()):
            return self._fitted().of_queries.encode(rows, thread_count(self.n_jobs))

    def _encoder_and_rows(self, X: Any) -> tuple[Model, FloatRows]:
        """The model after its projection, if it has one, and the features that it takes."""
        model = self._fitted()
        rows = self._validated(X, reset=False)
        return encoder_of(model), encoder_rows(model, rows, thread_count(self.n_jobs))

    def _validated(self, X: Any, *, reset: bool) -> Any:
        if not reset and not hasattr(self, "feature_names_in_") and is_plain(X, np.float32, self.n_features_in_):
            return X
        # The library checks that values are finite; _python_words says which is not.
        return validate_data(
            self,
            host_array(X),
            reset=reset,
            dtype=np.float32,
            order="C",
            accept_sparse="csr",
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 0,
        )

    def _python_words(self, x: FloatRows) -> AbstractContextManager[None]:
        """Errors of the library get positions and parameter names as in Python."""
        return python_words(x, self.get_params())
