"""Weighted Hamming distance as a dot product, as a Euclidean distance, and by ranking again.

With weights w_i >= 0, query bits q_i and document bits c_i in {0, 1}

    d_w(q, c) = sum_i w_i [q_i != c_i]
              = sum_i w_i q_i + sum_i v_i c_i,     v_i = w_i (1 - 2 q_i)          real query, bits as documents
              = sum_i (sqrt(w_i) q_i - sqrt(w_i) c_i)^2                           squared Euclidean distance
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .numpy_bits import checked, unpack


class RealQueries(NamedTuple):
    """vectors @ bits of a code + constants = weighted distance; vectors[:, i] belongs to bit i."""

    vectors: npt.NDArray[np.float64]
    constants: npt.NDArray[np.float64]


def checked_weights(weights: Any) -> npt.NDArray[np.float64]:
    """One finite weight >= 0 per bit."""
    values = np.asarray(weights, dtype=np.float64)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"weights must be a list with one number per bit, got the shape {values.shape}")
    wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if wrong.size:
        raise ValueError(f"weights must be finite and at least 0; weight {wrong[0]} is {values[wrong[0]]}")
    return values


def real_queries(queries: Any, weights: Any) -> RealQueries:
    """Queries for engines that multiply a real vector with the bits of a document.

    >>> query = np.array([[0b01]], dtype=np.uint8)
    >>> real_queries(query, [3.0, 2.0]).vectors.tolist(), real_queries(query, [3.0, 2.0]).constants.tolist()
    ([[-3.0, 2.0]], [3.0])
    """
    values = checked_weights(weights)
    bits = unpack(queries, values.size)
    return RealQueries(np.where(bits, -values, values), bits @ values)


def to_vectors(codes: Any, weights: Any = None, bits: int | None = None) -> npt.NDArray[np.float32]:
    """float32 vectors whose squared Euclidean distance is the weighted Hamming distance; without weights the plain one.

    For engines without binary vectors. The vectors are 32 times as large as the codes.
    """
    if weights is None:
        return unpack(codes, bits).astype(np.float32)
    values = checked_weights(weights)
    return unpack(codes, values.size).astype(np.float32) * np.sqrt(values).astype(np.float32)


def rerank(
    queries: Any, codes: Any, candidates: Any, weights: Any, k: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The second of two stages: the k nearest by weighted distance among rows an engine found by plain distance.

    candidates: rows of `codes`, one line per query; -1 means none. Ties are in order of the row. With all
    rows as candidates the answer is exact. Missing answers have the distance inf and the row -1.
    """
    vectors, constants = real_queries(queries, weights)
    bits = vectors.shape[1]
    documents, _ = checked(codes, bits)
    rows = np.asarray(candidates, dtype=np.int64)
    if rows.ndim != 2 or len(rows) != len(vectors):
        raise ValueError(f"candidates must have one line per query, got the shape {rows.shape}")
    if rows.size and (rows.max() >= len(documents) or rows.min() < -1):
        raise ValueError(f"candidates must be rows of codes, from 0 to {len(documents) - 1}, or -1")
    distances = np.full((len(rows), k), np.inf)
    ids = np.full((len(rows), k), -1, dtype=np.int64)
    for line, found in enumerate(rows):
        found = np.unique(found[found >= 0])
        reached = constants[line] + unpack(documents[found], bits) @ vectors[line]
        best = np.argsort(reached, kind="stable")[:k]
        distances[line, : len(best)] = reached[best]
        ids[line, : len(best)] = found[best]
    return distances, ids
