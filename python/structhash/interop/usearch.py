"""USearch: an approximate index over bits (`b1`), with Hamming distance. Needs `pip install usearch`.

Differing bits are counted, so bit order does not matter inside; codes go in and come out as they are.
"""

from typing import Any

import numpy as np

from .numpy_bits import checked


def to_usearch(
    codes: Any, *, bits: int | None = None, ids: Any = None, connections: int = 16, effort: int = 128
) -> Any:
    """A USearch index; `search(queries, k)` takes codes and gives `.keys` and `.distances`, with exact=True by a scan."""
    from usearch.index import Index, MetricKind, ScalarKind

    rows, _ = checked(codes, bits)
    keys = np.arange(len(rows), dtype=np.uint64) if ids is None else np.ascontiguousarray(ids, dtype=np.uint64)
    if keys.shape != (len(rows),):
        raise ValueError(f"ids must be one number per code, got the shape {keys.shape} for {len(rows)} codes")
    index = Index(
        ndim=8 * rows.shape[1],
        metric=MetricKind.Hamming,
        dtype=ScalarKind.B1,
        connectivity=connections,
        expansion_add=effort,
        expansion_search=effort,
    )
    if len(rows):
        index.add(keys, rows)
    return index
