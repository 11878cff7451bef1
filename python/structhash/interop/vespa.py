"""Vespa: codes as `tensor<int8>`, Hamming and exact weighted distance in rank profiles.

Codes travel as hexadecimal text with the most significant bit first, the order of `unpack_bits`: entry i of a real query
belongs to bit i of the code.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from .exports import document_ids, one_query, padded_weights, whole_bytes
from .numpy_bits import to_hex
from .sentence_transformers import to_signed_bytes
from .weighted import real_queries

_SCHEMA = """\
schema {name} {{
  document {name} {{
    field code type tensor<int8>(x[{bytes}]) {{
      indexing: attribute | index
      attribute {{
        distance-metric: hamming
      }}
    }}
  }}
  rank-profile hamming {{
    inputs {{
      query(code) tensor<int8>(x[{bytes}])
    }}
    first-phase {{
      expression: -distance(field, code)
    }}
  }}
  rank-profile weighted {{
    inputs {{
      query(code) tensor<int8>(x[{bytes}])
      query(vector) tensor<float>(x[{bits}])
      query(constant) double
    }}
    first-phase {{
      expression: -(query(constant) + sum(query(vector) * unpack_bits(attribute(code))))
    }}
  }}
}}
"""


def schema(name: str, bits: int) -> str:
    """The text of `schemas/name.sd`; relevance = -distance in both rank profiles."""
    if bits % 8 or bits < 8:
        raise ValueError(f"Vespa takes multiples of 8 bits only, got {bits}")
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a name for a schema: letters, digits and _")
    return _SCHEMA.format(name=name, bits=bits, bytes=bits // 8)


def feed(
    namespace: str, name: str, codes: Any, ids: Sequence[Any] | None = None, *, bits: int | None = None
) -> Iterator[dict[str, Any]]:
    """The lines of a file for `vespa feed`."""
    rows, _ = whole_bytes(codes, bits, "Vespa")
    for key, text in zip(document_ids(ids, len(rows)), to_hex(rows, bitorder="big"), strict=True):
        yield {"put": f"id:{namespace}:{name}::{key}", "fields": {"code": {"values": text}}}


def nearest(name: str, query: Any, k: int) -> dict[str, Any]:
    """The body of `POST /search/` for the k nearest by Hamming distance."""
    return {
        "yql": f"select * from {name} where {{targetHits: {int(k)}}}nearestNeighbor(code, code)",
        "ranking": "hamming",
        "input.query(code)": to_signed_bytes(one_query(query))[0].tolist(),
        "hits": int(k),
    }


def nearest_weighted(name: str, query: Any, weights: Any, k: int, candidates: int | None = None) -> dict[str, Any]:
    """The body of `POST /search/` for the k nearest by weighted Hamming distance.

    candidates: number of nearest codes by plain distance to re-rank by the weighted one; None: all documents, which is exact.
    """
    code = one_query(query)
    vectors, constants = real_queries(code, padded_weights(code, weights))
    where = "true" if candidates is None else f"{{targetHits: {int(candidates)}}}nearestNeighbor(code, code)"
    return {
        "yql": f"select * from {name} where {where}",
        "ranking": "weighted",
        "input.query(code)": to_signed_bytes(code)[0].tolist(),
        "input.query(vector)": vectors[0].tolist(),
        "input.query(constant)": float(constants[0]),
        "hits": int(k),
    }
