"""PostgreSQL with pgvector 0.7 or later: codes as `bit(n)`, Hamming distance `<~>`, HNSW indexes, weighted distance.

Every function returns SQL text; run it with the driver of your choice. Bit 0 is the leftmost character of a bit text and
bit 0 of PostgreSQL's get_bit.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._sql import byte_tables, checked_ids, checked_limit, checked_name, distance_table, float_text, table_width
from .numpy_bits import Codes, checked, pack, unpack
from .weighted import checked_weights

MOST_INDEXED_BITS = 64_000  # of an HNSW or IVFFlat index
MAX_CANDIDATES = 1_000  # hnsw.ef_search


def to_pgbit(codes: Any, bits: int | None = None) -> list[str]:
    """One text of zeros and ones per code, bit 0 first.

    >>> to_pgbit(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8))
    ['100100000100000000000001']
    """
    digits = unpack(codes, bits).astype(np.uint8) + np.uint8(ord("0"))
    return [row.tobytes().decode("ascii") for row in digits]


def from_pgbit(texts: Sequence[str]) -> Codes:
    """Codes from texts of zeros and ones, all of the same length."""
    if not texts:
        raise ValueError("no codes: an empty list does not say how many bits a code has")
    for number, text in enumerate(texts):
        if len(text) != len(texts[0]) or not text or set(text) - {"0", "1"}:
            raise ValueError(f"code {number} must be {len(texts[0])} characters 0 or 1, got {text[:80]!r}")
    digits = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)
    return pack((digits == ord("1")).reshape(len(texts), -1))


def create_table(table: str, bits: int) -> str:
    """A table of ids and codes."""
    return f"CREATE TABLE {checked_name(table)} (id bigint PRIMARY KEY, code bit({int(bits)}) NOT NULL)"


def create_partitioned_table(table: str, bits: int, partitions: int) -> list[str]:
    """A table partitioned by id; PostgreSQL searches and indexes each partition."""
    name = checked_name(table)
    if int(partitions) < 1:
        raise ValueError(f"partitions must be at least 1, got {partitions}")
    parts = [
        f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part})"
        for part in range(int(partitions))
    ]
    return [f"{create_table(table, bits)} PARTITION BY HASH (id)", *parts]


def insert(table: str, codes: Any, bits: int | None = None, ids: Any = None) -> str:
    """One INSERT of all rows; for many rows :func:`copy_lines` is faster."""
    rows, bits = checked(codes, bits)
    texts = to_pgbit(rows, bits)
    if not texts:
        raise ValueError("there are no codes to insert")
    values = ", ".join(
        f"({number}, B'{text}')" for number, text in zip(checked_ids(ids, len(texts)), texts, strict=True)
    )
    return f"INSERT INTO {checked_name(table)} (id, code) VALUES {values}"


def copy_lines(codes: Any, bits: int | None = None, ids: Any = None) -> str:
    """The input of `COPY table (id, code) FROM STDIN`."""
    texts = to_pgbit(codes, bits)
    return "".join(f"{number}\t{text}\n" for number, text in zip(checked_ids(ids, len(texts)), texts, strict=True))


def create_hnsw_index(table: str, connections: int = 16, effort: int = 64) -> str:
    """An HNSW index for `<~>`; `SET hnsw.ef_search` is the effort of a search."""
    return (
        f"CREATE INDEX ON {checked_name(table)} USING hnsw (code bit_hamming_ops) "
        f"WITH (m = {int(connections)}, ef_construction = {int(effort)})"
    )


def nearest(table: str, query: Any, k: int, bits: int | None = None) -> str:
    """The k nearest of one code by Hamming distance. The order is by distance alone, as otherwise no index is used."""
    code = f"B'{_one(query, bits)}'"
    return (
        f"SELECT id, code <~> {code} AS distance FROM {checked_name(table)} "
        f"ORDER BY code <~> {code} LIMIT {checked_limit(k)}"
    )


def nearest_weighted(table: str, query: Any, weights: Any, k: int, candidates: int | None = None) -> str:
    """The k nearest of one code by weighted Hamming distance, ties in order of id.

    The bits are looked up in tables of distances, a few at a time, as in clickhouse.weighted_distance.
    candidates: re-rank this number of nearest codes by plain distance, for which an index may be used; None: all codes,
    which is exact. `hnsw.ef_search` must be at least this number.
    """
    values = checked_weights(weights)
    source = checked_name(table)
    if candidates is not None:
        source = f"({nearest(table, query, candidates, values.size).replace('SELECT id, ', 'SELECT id, code, ', 1)}) AS found"
    distance = _weighted_distance(query, values)
    return f"SELECT id, {distance} AS distance FROM {source} ORDER BY distance, id LIMIT {checked_limit(k)}"


def create_distance(function: str, weights: Any) -> str:
    """A function of two codes, made once: the weighted distance as `structhash.Index` computes it, float for float."""
    values = checked_weights(weights)
    terms = []
    for number, table in enumerate(byte_tables(values)):
        width = min(8, values.size - 8 * number)
        texts = ",".join(map(float_text, table[_reversed_patterns(width)]))
        piece = f"substring(code # query FROM {8 * number + 1} FOR {width})::int"
        terms.append(f"('{{{texts}}}'::float4[])[{piece} + 1]")
    return (
        f"CREATE OR REPLACE FUNCTION {checked_name(function)}(code bit, query bit) RETURNS float4 "
        f"LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT {' + '.join(terms)} $$"
    )


def prepared(
    name: str, table: str, k: int, bits: int, function: str | None = None, candidates: int | None = None
) -> str:
    """A prepared statement of one code, for `EXECUTE name(B'...')`: the k nearest by Hamming distance or by a function.

    candidates: as in :func:`nearest_weighted`.
    """
    code, limit = f"$1::bit({int(bits)})", checked_limit(k)
    if function is None:
        found = (
            f"SELECT id, code <~> {code} AS distance FROM {checked_name(table)} ORDER BY code <~> {code} LIMIT {limit}"
        )
    else:
        source = checked_name(table)
        if candidates is not None:
            least = checked_limit(candidates)
            source = f"(SELECT id, code FROM {source} ORDER BY code <~> {code} LIMIT {least}) AS found"
        found = (
            f"SELECT id, {checked_name(function)}(code, {code}) AS distance FROM {source} "
            f"ORDER BY distance, id LIMIT {limit}"
        )
    return f"PREPARE {checked_name(name)} (bit) AS {found}"


def _reversed_patterns(width: int) -> list[int]:
    """For every number of a piece of bit text, whose first bit is the most significant, its pattern with the first as the least."""
    return [int(f"{value:0{width}b}"[::-1], 2) for value in range(1 << width)]


def _weighted_distance(query: Any, weights: Any) -> str:
    """An expression over `code`: a table of distances for every group of bits, the query inside, and their sum.

    A piece of a bit text as a number has its first bit as the most significant: the tables are made of reversed groups.
    """
    query_bits = np.array([digit == "1" for digit in _one(query, len(weights))])
    width = table_width(len(weights))
    terms = []
    for start in range(0, len(weights), width):
        group = slice(start, start + width)
        table = ",".join(repr(float(value)) for value in distance_table(query_bits[group][::-1], weights[group][::-1]))
        terms.append(f"('{{{table}}}'::float8[])[substring(code FROM {start + 1} FOR {width})::int + 1]")
    return " + ".join(terms)


def _one(query: Any, bits: int | None) -> str:
    rows = np.atleast_2d(np.asarray(query))
    if len(rows) != 1:
        raise ValueError(f"a statement searches for one code, got {len(rows)}")
    return to_pgbit(rows, bits)[0]
