"""Milvus: `BINARY_VECTOR` fields, filled from JSON or Parquet files. Needs `pip install pyarrow` for Parquet.

A code is a list of unsigned bytes, the bytes of our codes as they are: bit i is bit i % 8 of byte i // 8 in Milvus's
manual too. The engine counts differing bits, for which their order does not matter. Weighted distance: replicated codes,
or two stages.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._sql import checked_ids
from .exports import json_line, one_query, whole_bytes


def collection(name: str, bits: int, index_type: str = "BIN_FLAT", lists: int | None = None) -> dict[str, Any]:
    """The body of `POST /v2/vectordb/collections/create`; with index_type="BIN_IVF_FLAT" say how many lists."""
    if bits % 8:
        raise ValueError(f"Milvus takes multiples of 8 bits only, got {bits}")
    index: dict[str, Any] = {"fieldName": "code", "indexName": "code", "metricType": "HAMMING", "indexType": index_type}
    if lists is not None:
        index["params"] = {"nlist": lists}
    fields = [
        {"fieldName": "id", "dataType": "Int64", "isPrimary": True},
        {"fieldName": "code", "dataType": "BinaryVector", "elementTypeParams": {"dim": str(bits)}},
    ]
    return {"collectionName": name, "schema": {"autoID": False, "fields": fields}, "indexParams": [index]}


def rows(codes: Any, ids: Sequence[int] | None = None, bits: int | None = None) -> list[dict[str, Any]]:
    """The entities, as in a JSON file for bulk import."""
    packed, _ = whole_bytes(codes, bits, "Milvus")
    numbers = checked_ids(ids, len(packed))
    return [{"id": key, "code": row.tolist()} for key, row in zip(numbers, packed, strict=True)]


def write_json(path: str | Path, codes: Any, ids: Sequence[int] | None = None, bits: int | None = None) -> None:
    """A JSON file for bulk import: one object whose field `rows` holds the entities."""
    Path(path).write_text(json_line({"rows": rows(codes, ids, bits)}) + "\n", encoding="utf-8")


def write_parquet(path: str | Path, codes: Any, ids: Sequence[int] | None = None, bits: int | None = None) -> None:
    """A Parquet file for bulk import: id as int64, code as a list of uint8."""
    import pyarrow
    import pyarrow.parquet

    packed, _ = whole_bytes(codes, bits, "Milvus")
    table = pyarrow.table(
        {
            "id": pyarrow.array(checked_ids(ids, len(packed)), type=pyarrow.int64()),
            "code": pyarrow.array(packed.tolist(), type=pyarrow.list_(pyarrow.uint8())),
        }
    )
    pyarrow.parquet.write_table(table, path)


def nearest(name: str, query: Any, k: int) -> dict[str, Any]:
    """Arguments of pymilvus' `MilvusClient.search` for the k nearest by Hamming distance."""
    return {
        "collection_name": name,
        "data": [one_query(query)[0].tobytes()],
        "anns_field": "code",
        "limit": int(k),
        "search_params": {"metric_type": "HAMMING"},
    }
