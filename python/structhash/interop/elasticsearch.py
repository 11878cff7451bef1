"""Elasticsearch 8.15 or later: `dense_vector` fields of bits. Weighted distance needs 8.17, which has the dot product of a
real query with bits. Requests and documents are Python values, to be sent as JSON.

Codes travel as hexadecimal text with the most significant bit first: that is the order in which the engine multiplies the
bits with a real query, so that entry i of the query belongs to bit i of the code.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .exports import document_ids, one_query, padded_weights, whole_bytes
from .numpy_bits import to_hex
from .weighted import real_queries

_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


def mapping(bits: int, field: str = "code") -> dict[str, Any]:
    """The body of `PUT /index`."""
    if bits % 8:
        raise ValueError(f"Elasticsearch takes multiples of 8 bits only, got {bits}")
    return {"mappings": {"properties": {field: {"type": "dense_vector", "element_type": "bit", "dims": bits}}}}


def bulk(
    index: str, codes: Any, ids: Sequence[Any] | None = None, *, bits: int | None = None, field: str = "code"
) -> Iterator[dict[str, Any]]:
    """The lines of `POST /_bulk`: an action and a document for every code; exports.write_json_lines writes them."""
    rows, _ = whole_bytes(codes, bits, "Elasticsearch")
    for name, text in zip(document_ids(ids, len(rows)), to_hex(rows, bitorder="big"), strict=True):
        yield {"index": {"_index": index, "_id": str(name)}}
        yield {field: text}


def nearest(query: Any, k: int, candidates: int | None = None, field: str = "code") -> dict[str, Any]:
    """The body of `POST /index/_search` for the k nearest by Hamming distance; score = 1 - distance / bits."""
    return {
        "knn": {
            "field": field,
            "query_vector": to_hex(one_query(query), bitorder="big")[0],
            "k": k,
            "num_candidates": max(k, 10 * k if candidates is None else candidates),
        },
        "size": k,
        "_source": False,
    }


def nearest_weighted(query: Any, weights: Any, k: int, field: str = "code") -> dict[str, Any]:
    """The body of `POST /index/_search` for the k nearest by weighted Hamming distance, by an exact scan.

    distance = total - score, with total = sum of the weights: scores must not be negative, and more must be better.
    """
    if not _FIELD.fullmatch(field):
        raise ValueError(f"{field!r} cannot be used in a script; use letters, digits, _ and dots")
    code = one_query(query)
    values = padded_weights(code, weights)
    vectors, constants = real_queries(code, values)
    return {
        "query": {
            "script_score": {
                "query": {"exists": {"field": field}},
                "script": {
                    "source": f"Math.max(0.0, params.total - params.constant - dotProduct(params.vector, '{field}'))",
                    "params": {
                        "total": float(values.sum()),
                        "constant": float(constants[0]),
                        "vector": vectors[0].tolist(),
                    },
                },
            }
        },
        "size": k,
        "_source": False,
    }
