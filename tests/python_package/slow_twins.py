"""Plain NumPy versions of what the package does fast."""

import numpy as np


def unpack(codes, bits):
    return np.unpackbits(codes, axis=1, bitorder="little")[:, :bits]


def distances(queries, database, bits, weights=None):
    differ = unpack(queries, bits)[:, None, :] != unpack(database, bits)[None, :, :]
    return differ.sum(axis=2) if weights is None else (differ * np.asarray(weights, dtype=np.float64)).sum(axis=2)


def nearest(all_distances, k):
    """Ids in order of distance, then of id."""
    return np.argsort(all_distances, axis=1, kind="stable")[:, :k]


def average_precision(relevant, scores):
    ranked = np.asarray(relevant)[np.argsort(-np.asarray(scores), kind="stable")]
    hits = np.cumsum(ranked)
    return float((hits / np.arange(1, len(ranked) + 1))[ranked > 0].mean())
