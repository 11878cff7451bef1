"""Weighted Hamming distance in engines that count bits: bits are repeated in proportion to their weights.

Repeat bit i n_i times. The Hamming distance of the longer codes is sum_i n_i [q_i != c_i]. Over the scale s

    sum_i n_i / s [q_i != c_i] - d_w(q, c) = sum_i (n_i / s - w_i) [q_i != c_i]

Rounding, n_i = round(s w_i), makes every term at most 1 / (2 s). For a given length B, s = B / sum_i w_i, and what
floor(s w_i) leaves of B goes to the largest remainders; every term is then below 1 / s.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .distances import hamming_distances, nearest, weighted_distances
from .numpy_bits import Codes, checked, pack, unpack
from .weighted import checked_weights

_BLOCK = 1 << 14  # rows that are unpacked at a time


@dataclass(frozen=True)
class Replication:
    """How often every bit is repeated; the Hamming distance of the longer codes over `scale` is nearly the weighted one."""

    weights: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]
    scale: float

    @property
    def bits(self) -> int:
        """Bits of a longer code; zeros fill it up to whole bytes."""
        return int(self.counts.sum())

    @property
    def error_bound(self) -> float:
        """No distance is wrong by more, whatever the codes: all bits that are too heavy differ, or all too light."""
        errors = self.counts / self.scale - self.weights
        return float(max(errors[errors > 0].sum(), -errors[errors < 0].sum()))

    def expand(self, codes: Any) -> Codes:
        """The longer codes, of documents and of queries alike."""
        rows, _ = checked(codes, len(self.weights))
        longer = np.empty((len(rows), (self.bits + 7) // 8), dtype=np.uint8)
        for start in range(0, len(rows), _BLOCK):
            bits = unpack(rows[start : start + _BLOCK], len(self.weights))
            longer[start : start + _BLOCK] = pack(np.repeat(bits, self.counts, axis=1))
        return longer


@dataclass(frozen=True)
class ReplicationError:
    """Measured on pairs of codes, in units of the weighted distance."""

    largest: float
    mean: float
    bound: float  # Replication.error_bound
    recall: float  # share of the first k of the longer codes that are among the k nearest by weighted distance
    k: int


@dataclass(frozen=True)
class Replicated:
    """Longer codes, how they were made, and what they cost."""

    codes: Codes
    replication: Replication
    error: ReplicationError


def rounded(weights: Any, scale: float) -> Replication:
    """n_i = round(scale * w_i): the error is at most r / (2 scale) for codes that differ in r bits."""
    values = checked_weights(weights)
    if not (np.isfinite(scale) and scale > 0):
        raise ValueError(f"scale must be a positive number, got {scale}")
    return _nonempty(Replication(values, np.rint(scale * values).astype(np.int64), float(scale)))


def of_length(weights: Any, length: int) -> Replication:
    """Exactly `length` bits: the error is below r / scale for codes that differ in r bits, scale = length / sum of weights.

    >>> of_length([2.0, 1.0, 1.0], 8).counts.tolist()
    [4, 2, 2]
    """
    values = checked_weights(weights)
    if length < 1:
        raise ValueError(f"length must be at least 1 bit, got {length}")
    if values.sum() == 0:
        raise ValueError("all weights are 0: every distance is 0, and there is nothing to repeat")
    scale = length / values.sum()
    counts = np.floor(scale * values).astype(np.int64)
    remainders = scale * values - counts
    counts[np.argsort(-remainders, kind="stable")[: length - counts.sum()]] += 1
    return _nonempty(Replication(values, counts, float(scale)))


def replicate(codes: Any, weights: Any, length: int, k: int = 10, sample: int = 256) -> Replicated:
    """Codes of `length` bits whose Hamming distance approximates the weighted one, with the measured error.

    The error is measured between `sample` codes, evenly spaced, as queries, and 64 times as many as documents.
    """
    values = checked_weights(weights)
    rows, _ = checked(codes, values.size)
    replication = of_length(values, length)
    queries, documents = _spread(rows, sample), _spread(rows, 64 * sample)
    return Replicated(replication.expand(rows), replication, measured_error(replication, queries, documents, k))


def measured_error(replication: Replication, queries: Any, codes: Any, k: int = 10) -> ReplicationError:
    """Compares the distances of the longer codes, and the k nearest, with the exact ones for all pairs."""
    exact = weighted_distances(queries, codes, replication.weights)
    counted = hamming_distances(replication.expand(queries), replication.expand(codes)) / replication.scale
    errors = np.abs(counted - exact)
    k = min(k, exact.shape[1])
    if errors.size == 0:
        return ReplicationError(0.0, 0.0, replication.error_bound, 1.0, k)
    _, found = nearest(counted, k)
    limit = nearest(exact, k)[0][:, -1:]
    kept = np.take_along_axis(exact, found, axis=1) <= limit * (1 + 1e-12) + 1e-12
    return ReplicationError(float(errors.max()), float(errors.mean()), replication.error_bound, float(kept.mean()), k)


def _nonempty(replication: Replication) -> Replication:
    if replication.bits == 0:
        raise ValueError("no bit is repeated even once: the scale is too small for these weights")
    return replication


def _spread(rows: Codes, count: int) -> Codes:
    """At most `count` rows, evenly spaced."""
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(count, len(rows))).astype(np.int64))] if len(rows) else rows
