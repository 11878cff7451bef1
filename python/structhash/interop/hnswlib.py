"""hnswlib: it knows no bits, so that codes go in as vectors. Needs `pip install hnswlib`.

The squared Euclidean distance of these vectors is the Hamming distance or, with weights, the weighted one
(:func:`structhash.interop.to_vectors`). Exact distances, at 32 times the size of the codes.
"""

from typing import Any

import numpy as np

from .weighted import to_vectors


def to_hnswlib(
    codes: Any,
    weights: Any = None,
    *,
    bits: int | None = None,
    ids: Any = None,
    connections: int = 16,
    effort: int = 200,
) -> Any:
    """An hnswlib index; `knn_query(to_vectors(queries, weights), k)` gives (ids, distances)."""
    import hnswlib

    vectors = to_vectors(codes, weights, bits)
    numbers = np.arange(len(vectors)) if ids is None else np.asarray(ids)
    if numbers.shape != (len(vectors),):
        raise ValueError(f"ids must be one number per code, got the shape {numbers.shape} for {len(vectors)} codes")
    index = hnswlib.Index(space="l2", dim=vectors.shape[1])
    index.init_index(max_elements=max(1, len(vectors)), M=connections, ef_construction=effort)
    if len(vectors):
        index.add_items(vectors, numbers)
    index.set_ef(effort)
    return index
