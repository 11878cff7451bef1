"""JSON lines and Parquet files for bulk imports. One module per system decides their content: elasticsearch,
opensearch, vespa, milvus."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .numpy_bits import Codes, checked
from .weighted import checked_weights


def json_line(value: Any) -> str:
    """One line of JSON, always the same for the same value."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def write_json_lines(path: str | Path, values: Iterable[Any]) -> int:
    """One line per value, as bulk interfaces read them; returns the number of lines."""
    count = 0
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for value in values:
            file.write(json_line(value) + "\n")
            count += 1
    return count


def document_ids(ids: Sequence[Any] | None, rows: int) -> list[int | str]:
    """One different whole number or text per code; None: 0, 1, 2, ..."""
    if ids is None:
        return list(range(rows))
    names = [name if isinstance(name, str) else int(name) for name in ids]
    if len(names) != rows:
        raise ValueError(f"ids must be one per code, got {len(names)} ids for {rows} codes")
    if len(set(names)) != rows:
        raise ValueError("ids must be different from each other: a repeated one would replace an earlier document")
    return names


def whole_bytes(codes: Any, bits: int | None, system: str) -> tuple[Codes, int]:
    """Codes for a system that takes multiples of 8 bits only."""
    rows, bits = checked(codes, bits)
    if bits % 8:
        raise ValueError(f"{system} takes multiples of 8 bits only; the codes have {bits}. Leave `bits` out to fill up")
    return rows, bits


def one_query(query: Any) -> Codes:
    """A single code, as a matrix of one row."""
    rows, _ = checked(np.atleast_2d(np.asarray(query)))
    if len(rows) != 1:
        raise ValueError(f"a request searches for one code, got {len(rows)}")
    return rows


def padded_weights(query: Codes, weights: Any) -> Any:
    """Weights for all bits of the bytes: bits that only fill up weigh nothing."""
    values = checked_weights(weights)
    checked(query, values.size)
    return np.pad(values, (0, 8 * query.shape[1] - values.size))
