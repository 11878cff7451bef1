"""OpenSearch 2.16 or later: `knn_vector` fields of bits. Requests and documents as Python values, to be sent as JSON.

Codes travel as signed bytes. The engine counts differing bits, for which their order does not matter; the most significant
bit comes first, as in what embedding services return. Weighted distance: replicated codes, or two stages.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from .exports import document_ids, one_query, whole_bytes
from .sentence_transformers import to_signed_bytes


def mapping(bits: int, field: str = "code", connections: int = 16, effort: int = 128) -> dict[str, Any]:
    """The body of `PUT /index`."""
    if bits % 8:
        raise ValueError(f"OpenSearch takes multiples of 8 bits only, got {bits}")
    method = {
        "name": "hnsw",
        "engine": "faiss",
        "space_type": "hamming",
        "parameters": {"m": connections, "ef_construction": effort},
    }
    vector = {"type": "knn_vector", "dimension": bits, "data_type": "binary", "method": method}
    return {"settings": {"index": {"knn": True}}, "mappings": {"properties": {field: vector}}}


def bulk(
    index: str, codes: Any, ids: Sequence[Any] | None = None, *, bits: int | None = None, field: str = "code"
) -> Iterator[dict[str, Any]]:
    """The lines of `POST /_bulk`: an action and a document for every code; exports.write_json_lines writes them."""
    rows, _ = whole_bytes(codes, bits, "OpenSearch")
    for name, row in zip(document_ids(ids, len(rows)), to_signed_bytes(rows), strict=True):
        yield {"index": {"_index": index, "_id": str(name)}}
        yield {field: row.tolist()}


def nearest(query: Any, k: int, field: str = "code") -> dict[str, Any]:
    """The body of `POST /index/_search` for the k nearest by Hamming distance; score = 1 / (1 + distance)."""
    vector = to_signed_bytes(one_query(query))[0].tolist()
    return {"query": {"knn": {field: {"vector": vector, "k": k}}}, "size": k, "_source": False}
