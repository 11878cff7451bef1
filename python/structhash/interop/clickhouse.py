"""ClickHouse, also inside Python as chdb: codes as UInt64 or FixedString, Hamming and exact weighted distance in SQL.

Codes of up to 64 bits are one UInt64; longer ones are FixedString(n) of the n bytes of a code. Every function returns SQL
text. A scan reads all codes: answers are exact, ties in order of id.
"""

from pathlib import Path
from typing import Any

import numpy as np

from ._sql import checked_ids, checked_limit, checked_name, distance_table, numbers_text, table_width
from .numpy_bits import Codes, checked, to_uint64, unpack
from .weighted import checked_weights


def column_type(bits: int) -> str:
    """The type of the column of codes."""
    return "UInt64" if bits <= 64 else f"FixedString({(bits + 7) // 8})"


def create_table(table: str, bits: int) -> str:
    """A table of ids and codes."""
    return (
        f"CREATE TABLE {checked_name(table)} (id UInt64, code {column_type(int(bits))}) ENGINE = MergeTree ORDER BY id"
    )


def insert(table: str, codes: Any, bits: int | None = None, ids: Any = None) -> str:
    """One INSERT of all rows; many rows are better read from a file of :func:`write_parquet`."""
    rows, bits = checked(codes, bits)
    if len(rows) == 0:
        raise ValueError("there are no codes to insert")
    values = ", ".join(
        f"({number}, {_literal(row, bits)})" for number, row in zip(checked_ids(ids, len(rows)), rows, strict=True)
    )
    return f"INSERT INTO {checked_name(table)} (id, code) VALUES {values}"


def write_parquet(path: str | Path, codes: Any, bits: int | None = None, ids: Any = None) -> None:
    """A Parquet file with the columns id and code, for `INSERT INTO table SELECT id, code FROM file('...')`."""
    import pyarrow
    import pyarrow.parquet

    rows, bits = checked(codes, bits)
    if bits <= 64:
        column = pyarrow.array(to_uint64(rows, bits).ravel(), type=pyarrow.uint64())
    else:
        column = pyarrow.array([row.tobytes() for row in rows], type=pyarrow.binary(rows.shape[1]))
    numbers = pyarrow.array(checked_ids(ids, len(rows)), type=pyarrow.uint64())
    pyarrow.parquet.write_table(pyarrow.table({"id": numbers, "code": column}), path)


def hamming_distance(query: Any, bits: int | None = None) -> str:
    """An expression over the column `code`: the number of bits in which it differs from one code."""
    row, bits = _one(query, bits)
    return f"bitHammingDistance(code, {_literal(row, bits)})"


def weighted_distance(query: Any, weights: Any) -> str:
    """An expression over the column `code`: the sum of the weights of the bits in which it differs from one code.

    The bits are cut into groups of 8, in long codes of 4, and for every group the distance of each of its values is
    written down: sum_g T_g[value of group g]. The query is inside the tables.
    """
    values = checked_weights(weights)
    row, bits = _one(query, values.size)
    query_bits = unpack(row[None, :], bits)[0]
    width = table_width(bits)
    terms = []
    for start in range(0, bits, width):
        group = slice(start, start + width)
        table = numbers_text(distance_table(query_bits[group], values[group]))
        terms.append(f"arrayElement([{table}], {_group_value(bits, start, width)} + 1)")
    return " + ".join(terms)


def nearest(table: str, query: Any, k: int, bits: int | None = None) -> str:
    """The k nearest of one code by Hamming distance."""
    return _ordered(table, hamming_distance(query, bits), k)


def nearest_weighted(table: str, query: Any, weights: Any, k: int) -> str:
    """The k nearest of one code by weighted Hamming distance."""
    return _ordered(table, weighted_distance(query, weights), k)


def _ordered(table: str, distance: str, k: int) -> str:
    return (
        f"SELECT id, {distance} AS distance FROM {checked_name(table)} ORDER BY distance, id LIMIT {checked_limit(k)}"
    )


def _group_value(bits: int, start: int, width: int) -> str:
    # Words are taken out of long codes once each, as the engine evaluates equal expressions once; bytes would be slower.
    word = "code" if bits <= 64 else f"reinterpretAsUInt64(substring(code, {start // 64 * 8 + 1}, 8))"
    return f"bitAnd(bitShiftRight({word}, {start % 64}), {(1 << width) - 1})"


def _literal(row: Codes, bits: int) -> str:
    if bits <= 64:
        return f"toUInt64({int(to_uint64(row[None, :], bits)[0, 0])})"
    return f"toFixedString(unhex('{row.tobytes().hex()}'), {len(row)})"


def _one(query: Any, bits: int | None) -> tuple[Codes, int]:
    rows, bits = checked(np.atleast_2d(np.asarray(query)), bits)
    if len(rows) != 1:
        raise ValueError(f"a statement searches for one code; found {len(rows)}")
    return rows[0], bits
