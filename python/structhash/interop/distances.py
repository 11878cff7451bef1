"""Distances by definition, with which the answers of every engine are compared. For small data only."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .numpy_bits import checked, unpack
from .weighted import real_queries

_ONES_IN = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.int32)


def hamming_distances(queries: Any, codes: Any) -> npt.NDArray[np.int32]:
    """Number of bits that differ, one row per query and one column per code."""
    left, _ = checked(queries)
    right, _ = checked(codes)
    if left.shape[1] != right.shape[1]:
        raise ValueError(f"queries have {left.shape[1]} bytes each, codes {right.shape[1]}; they must be equal")
    distances = np.zeros((len(left), len(right)), dtype=np.int32)
    for column in range(left.shape[1]):
        distances += _ONES_IN[left[:, column, None] ^ right[None, :, column]]
    return distances


def weighted_distances(queries: Any, codes: Any, weights: Any) -> npt.NDArray[np.float64]:
    """Sum of the weights of the bits that differ; there is one weight per bit."""
    vectors, constants = real_queries(queries, weights)
    return constants[:, None] + vectors @ unpack(codes, vectors.shape[1]).T.astype(np.float64)


def nearest(distances: Any, k: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The k smallest distances of every row and their columns, ties in order of the column."""
    table = np.asarray(distances)
    ids = np.argsort(table, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(table, ids, axis=1), ids.astype(np.int64)
