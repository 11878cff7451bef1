"""Faiss: binary indexes that answer with the same Hamming distances. Needs `pip install faiss-cpu`.

Its binary indexes count differing bits, so bit order does not matter inside; codes go in and come out as they are.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .numpy_bits import Codes, checked

Kind = Literal["flat", "ivf", "hnsw"]


def to_faiss(
    codes: Any,
    kind: Kind = "flat",
    *,
    bits: int | None = None,
    ids: Any = None,
    lists: int | None = None,
    probes: int | None = None,
    connections: int = 32,
    effort: int = 128,
) -> Any:
    """A Faiss index over the codes; `search(queries, k)` takes codes and gives (distances, ids).

    flat: IndexBinaryFlat, exact. ivf: IndexBinaryIVF with `lists` lists (None: the root of the number of codes), of which a
    search reads `probes` (None: all, which is exact). hnsw: IndexBinaryHNSW with `connections` per code, approximate; a
    search looks at `effort` candidates. Codes whose bits do not fill whole bytes keep their zeros, which never differ.
    """
    import faiss

    rows, _ = checked(codes, bits)
    width = 8 * rows.shape[1]
    index: Any
    if kind == "flat":
        index = faiss.IndexBinaryFlat(width)
    elif kind == "ivf":
        index = _inverted_file(rows, lists, probes)
    elif kind == "hnsw":
        index = faiss.IndexBinaryHNSW(width, connections)
        index.hnsw.efSearch = effort
    else:
        raise ValueError(f"kind must be 'flat', 'ivf' or 'hnsw', got {kind!r}")
    if ids is None:
        index.add(rows)
        return index
    numbers = np.ascontiguousarray(ids, dtype=np.int64)
    if numbers.shape != (len(rows),):
        raise ValueError(f"ids must be one number per code, got the shape {numbers.shape} for {len(rows)} codes")
    if kind != "ivf":
        index = _with_ids(index)
    index.add_with_ids(rows, numbers)
    return index


def from_faiss(index: Any) -> Codes:
    """The codes of a binary Faiss index, in the order in which they were added (ivf with ids: not available)."""
    import faiss

    inner = index
    if isinstance(inner, (faiss.IndexBinaryIDMap, faiss.IndexBinaryIDMap2)):
        inner = faiss.downcast_IndexBinary(inner.index)
    if not isinstance(inner, faiss.IndexBinary):
        raise TypeError(f"from_faiss takes a binary index, got {type(index).__name__}")
    if isinstance(inner, faiss.IndexBinaryIVF):
        inner.make_direct_map()
    return np.asarray(inner.reconstruct_n(0, inner.ntotal), dtype=np.uint8).reshape(inner.ntotal, inner.code_size)


def to_faiss_shards(indexes: Sequence[Any]) -> Any:
    """One Faiss index over several binary ones that have ids of their own: each is searched by a thread, the best are kept."""
    import faiss

    if not indexes:
        raise ValueError("there are no indexes to put together")
    kind: Any = faiss.IndexBinaryShards
    shards = kind(indexes[0].d, True, False)  # with threads, and the ids of the indexes
    for index in indexes:
        shards.add_shard(index)
    return shards


def _inverted_file(rows: Codes, lists: int | None, probes: int | None) -> Any:
    import faiss

    if len(rows) == 0:
        raise ValueError("an inverted file learns its lists from the codes, and there are none; use kind='flat'")
    count = min(len(rows), max(1, round(len(rows) ** 0.5)) if lists is None else lists)
    centroids = faiss.IndexBinaryFlat(8 * rows.shape[1])
    index = faiss.IndexBinaryIVF(centroids, 8 * rows.shape[1], count)
    _give(index, centroids)
    # A centroid of few codes is no error here: what is found does not depend on it.
    index.cp.min_points_per_centroid = 1
    index.train(rows)
    index.nprobe = count if probes is None else probes
    return index


def _with_ids(index: Any) -> Any:
    import faiss

    outer = faiss.IndexBinaryIDMap2(index)
    _give(outer, index)
    return outer


def _give(owner: Any, part: Any) -> None:
    """Makes `owner` delete `part`: Python would delete it too early otherwise."""
    part.this.disown()
    owner.own_fields = True
