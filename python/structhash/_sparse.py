"""Sparse features: scipy matrices as rows of the library, reduced to a few dense components."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from . import _core
from ._arrays import FloatRows


def is_sparse(x: Any) -> bool:
    """Whether x is a scipy sparse matrix or array."""
    return hasattr(x, "tocsr")


def sparse_rows(x: Any, name: str = "X") -> _core.SparseRows:
    """The rows of a scipy matrix of any format, or of a dense one."""
    rows = sparse.csr_matrix(x, dtype=np.float32)
    if rows.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"{name} has {rows.shape[1]} columns; sparse features have at most 2,147,483,647")
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    wrong = np.flatnonzero(~np.isfinite(rows.data))
    if len(wrong):
        row, column = int(np.searchsorted(rows.indptr, wrong[0], side="right")) - 1, rows.indices[wrong[0]]
        raise ValueError(f"{name} contains NaN or infinity: {name}[{row}, {column}] is {rows.data[wrong[0]]}")
    starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    return _core.SparseRows.of(starts, columns, np.ascontiguousarray(rows.data), rows.shape[1])


def encoder_of(model: _core.Model) -> _core.Model:
    """The model of the features that ``encoder_rows`` gives."""
    return model if model.projection is None else model.dense


def encoder_rows(model: _core.Model, x: Any, threads: int, name: str = "X") -> FloatRows:
    """Dense features as they are; those of a model that was fitted on sparse ones are projected."""
    projection = model.projection
    if projection is not None:
        if x.shape[1] != model.dimension:
            raise ValueError(f"{name} has {x.shape[1]} features, but this model expects {model.dimension}")
        return projection.project(sparse_rows(x, name), threads)
    if is_sparse(x):
        raise ValueError(
            f"{name} is a sparse matrix, but the model was fitted on dense features; pass {name}.toarray()"
        )
    return x


def fitted_projection(
    x: Any, components: int, seed: int, threads: int
) -> tuple[FloatRows, _core.Projection | None]:
    """Features to train on, and the projection that sparse ones went through."""
    if not is_sparse(x):
        return x, None
    rows = sparse_rows(x)
    projection = _core.Projection.fit(rows, components, seed, threads)
    return projection.project(rows, threads), projection
