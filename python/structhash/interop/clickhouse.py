"""ClickHouse, also inside Python as chdb: codes as UInt64 or FixedString, Hamming and exact weighted distance in SQL.

Codes of up to 64 bits are one UInt64; longer ones are FixedString(n) of the n bytes of a code. Every function returns SQL
text. A scan reads all codes: answers are exact, ties in order of id.
"""

from pathlib import Path
from typing import Any

import numpy as np

from ._sql import (
    byte_tables,
    checked_id_array,
    checked_ids,
    checked_limit,
    checked_name,
    distance_table,
    float_text,
    numbers_text,
    table_width,
)
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
        kind = pyarrow.binary(rows.shape[1])
        column = pyarrow.Array.from_buffers(kind, len(rows), [None, pyarrow.py_buffer(rows)])
    numbers = pyarrow.array(checked_id_array(ids, len(rows)).astype(np.uint64))
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


def create_distance(function: str, weights: Any) -> str:
    """A function of two codes, made once: the weighted distance as `structhash.Index` computes it, float for float.

    Distances, order and ties are then those of the index. Every node of a cluster needs the function.
    """
    values = checked_weights(weights)
    total = ""
    for number, table in enumerate(byte_tables(values)):
        texts = ", ".join(map(float_text, table))
        term = f"arrayElement(CAST([{texts}] AS Array(Float32)), {_differing_byte(values.size, number)} + 1)"
        # Float32 + Float32 is a Float64 here, and exact before it is rounded: the sum of two floats, as in the index.
        total = f"toFloat32({total} + {term})" if total else term
    return f"CREATE OR REPLACE FUNCTION {_function_name(function)} AS (code, query) -> {total}"


def parameterized(table: str, k: int, bits: int, function: str = "bitHammingDistance") -> str:
    """The k nearest of the parameter `query`, by a function of :func:`create_distance` or by Hamming distance.

    The parameter is the code as a number, above 64 bits as hexadecimal digits (:func:`query_parameter`). The same text
    serves a Distributed table: every node sends its own k, of which the k nearest are taken.
    """
    code = "{query:UInt64}" if bits <= 64 else f"toFixedString(unhex({{query:String}}), {(bits + 7) // 8})"
    return _ordered(table, f"{_function_name(function)}(code, {code})", k)


def query_parameter(query: Any, bits: int | None = None) -> str:
    """One code as the parameter `query` of :func:`parameterized`."""
    row, bits = _one(query, bits)
    return str(int(to_uint64(row[None, :], bits)[0, 0])) if bits <= 64 else row.tobytes().hex()


def create_distributed(name: str, table: str, cluster: str) -> str:
    """A table over the tables of the same name on every node of a cluster; inserted rows are distributed by id."""
    local = checked_name(table)
    database, _, plain = local.rpartition(".")
    place = f"'{database}'" if database else "currentDatabase()"
    return (
        f"CREATE TABLE {checked_name(name)} AS {local} "
        f"ENGINE = Distributed('{checked_name(cluster)}', {place}, '{plain}', intHash64(id))"
    )


def _differing_byte(bits: int, number: int) -> str:
    """The bits of one byte in which `code` and `query` differ, as a number."""
    if bits <= 64:
        return f"bitAnd(bitShiftRight(bitXor(code, query), {8 * number}), 255)"
    words = [f"reinterpretAsUInt64(substring({name}, {number // 8 * 8 + 1}, 8))" for name in ("code", "query")]
    return f"bitAnd(bitShiftRight(bitXor({', '.join(words)}), {number % 8 * 8}), 255)"


def _function_name(name: str) -> str:
    if "." in checked_name(name):
        raise ValueError(f"{name!r}: functions of ClickHouse belong to no database; leave out what is before the dot")
    return name


def _ordered(table: str, distance: str, k: int) -> str:
    return (
        f"SELECT id, {distance} AS distance FROM {checked_name(table)} ORDER BY distance, id LIMIT {checked_limit(k)}"
    )


def _group_value(bits: int, start: int, width: int) -> str:
    # Long codes are read in words: the engine evaluates equal expressions once, and bytes would be slower.
    word = "code" if bits <= 64 else f"reinterpretAsUInt64(substring(code, {start // 64 * 8 + 1}, 8))"
    return f"bitAnd(bitShiftRight({word}, {start % 64}), {(1 << width) - 1})"


def _literal(row: Codes, bits: int) -> str:
    if bits <= 64:
        return f"toUInt64({int(to_uint64(row[None, :], bits)[0, 0])})"
    return f"toFixedString(unhex('{row.tobytes().hex()}'), {len(row)})"


def _one(query: Any, bits: int | None) -> tuple[Codes, int]:
    rows, bits = checked(np.atleast_2d(np.asarray(query)), bits)
    if len(rows) != 1:
        raise ValueError(f"a statement searches for one code, got {len(rows)}")
    return rows[0], bits
