"""Arguments of an index: rows that are codes or features, ids, filters, distances, models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from . import _core, _model_bytes, _pipeline
from ._arrays import Codes, FloatRows, Ids, float_rows, host_array, packed_codes, whole_numbers
from ._messages import python_words
from ._sparse import encoder_of, encoder_rows, is_sparse
from ._types import Distance


class Encoding(NamedTuple):
    """The model of an index, the estimator it comes from, and the steps of a Pipeline before it."""

    model: _core.Model | None
    hasher: Any
    before: list[Any]

    @classmethod
    def of(cls, estimator: Any) -> Encoding:
        """Of a fitted estimator, a fitted Pipeline that ends in one, a Model, or None."""
        if estimator is None or isinstance(estimator, _core.Model):
            return cls(estimator, estimator, [])
        hasher, before = _pipeline.split(estimator)
        fitted = getattr(hasher, "model_", None)
        if not isinstance(fitted, _core.Model):
            raise TypeError(f"an index needs a fitted estimator, a Pipeline or a Model, got {estimator!r:.200}")
        return cls(fitted, hasher, before)

    def of_queries(self) -> Encoding:
        """Of queries; those of another kind than the items bypass the steps of the Pipeline, as in ``fit``."""
        if self.model is None or not self.model.two_encoders:
            return self
        return Encoding(self.model.of_queries, None, [])

    def features(self, rows: Any) -> FloatRows | None:
        """The features that the model takes; None if the rows are codes or there is no model."""
        if self.model is None or (type(rows) is np.ndarray and rows.dtype == np.uint8):
            return None
        if self.before:
            return self._checked(_pipeline.features(self.before, rows))
        if is_sparse(rows):
            return self._checked(rows)
        values = np.asarray(host_array(rows, "codes"))
        if values.dtype.kind != "f":
            return None
        return self._checked(rows if hasattr(rows, "columns") else values)

    def _checked(self, rows: Any) -> FloatRows:
        """Columns of a data frame must be those that the estimator was fitted on, in their order."""
        if hasattr(rows, "columns") and hasattr(self.hasher, "feature_names_in_"):
            rows = self.hasher._validated(rows, reset=False)
        rows = rows if is_sparse(rows) else float_rows(rows)
        assert self.model is not None
        return encoder_rows(self.model, rows, 1)

    def codes(self, rows: Any, threads: int) -> Codes:
        """Packed codes of rows that are codes or features."""
        x = self.features(rows)
        if x is None or self.model is None:
            return packed_codes(rows)
        with python_words(x):
            return encoder_of(self.model).encode(x, threads)

    def is_adaptive(self, distance: Distance) -> bool:
        """Whether queries that are features are searched by the adaptive distance."""
        known = self.model is not None and self.model.adaptive
        return distance == "adaptive" or (distance == "auto" and known)

    def adaptive_values(self, rows: Any, distance: Distance, threads: int) -> FloatRows | None:
        """Queries of the adaptive distance; None if they are searched by another one."""
        x = self.features(rows) if self.is_adaptive(distance) else None
        if x is None or self.model is None:
            if distance == "adaptive":
                raise ValueError("the adaptive distance needs queries that are features, in floating point; got codes")
            return None
        with python_words(x):
            return encoder_of(self.model).adaptive_values(x, threads)


def as_rows(values: Any, name: str) -> tuple[Any, bool]:
    """Rows, and whether they were given as one vector: one code or one row of features."""
    if hasattr(values, "columns") or hasattr(values, "tocoo"):
        return values, False
    array = np.asarray(host_array(values, name))
    single = array.ndim == 1 and array.dtype.kind in "fu" and len(array) > 0
    return (array[None, :], True) if single else (values, False)


def as_ids(ids: Any) -> Ids:
    """Several ids, or a single one."""
    return whole_numbers(np.atleast_1d(np.asarray(host_array(ids, "ids"))))


def allowed_ids(only: Any, all_ids: Callable[[], Ids]) -> Ids:
    """Ids of a filter: ids, or a boolean for every id of the index, ascending."""
    chosen = np.asarray(host_array(only, "only"))
    if chosen.dtype != np.bool_:
        return as_ids(chosen)
    ids = all_ids()
    if chosen.shape != ids.shape:
        raise ValueError(
            f"a filter of booleans needs one for each of the {len(ids)} codes, in the order of index.ids, "
            f"got shape {chosen.shape}"
        )
    return ids[chosen]


def bit_weights(weights: Any) -> npt.NDArray[np.float32]:
    """float32, one per bit."""
    values = np.require(np.asarray(weights, dtype=np.float32), requirements=["C", "A"])
    if values.ndim != 1:
        raise ValueError(f"weights must be a list, one per bit, got {values.ndim} dimensions")
    return values


def checked_distance(distance: Distance, model: _core.Model | None) -> Distance:
    """The distance, if it is one that the model has."""
    known = get_args(Distance)
    if distance not in known:
        raise ValueError(f"distance must be one of {', '.join(known)}, got {distance!r}")
    if distance != "auto" and model is None:
        raise ValueError(f"distance={distance!r} needs a model; an index of codes has the weights it is given")
    if model is not None and distance == "adaptive":
        queries = model.of_queries
        queries.adaptive_values(np.zeros((0, queries.dimension), dtype=np.float32))  # raises, saying why it cannot
    return distance


def check_model(index: _core.CodeIndex, model: _core.Model) -> None:
    """Codes of different models cannot be compared; an index of codes alone does not know its model."""
    if model.bits != index.bits:
        raise ValueError(f"the index has codes of {index.bits} bits, the model of {model.bits}")
    if index.model and index.model != _model_bytes.identity(model):
        raise ValueError("the codes of the index come from another model; load it with the model that made them")
