"""Parts of SQL statements: checked names, numbers without loss of digits, tables of distances."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?")


def checked_name(name: str) -> str:
    """The name, with or without its schema; raises ValueError unless it is plain, which prevents SQL injection."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a plain SQL name: letters, digits and _, one dot at most")
    return name


def checked_limit(k: int) -> int:
    """A number of rows, at least 1."""
    if int(k) < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return int(k)


def checked_id_array(ids: Any, rows: int) -> npt.NDArray[Any]:
    """One whole number per code; None: 0, 1, 2, ..."""
    if ids is None:
        return np.arange(rows)
    numbers = np.asarray(ids)
    if numbers.shape != (rows,) or (rows and numbers.dtype.kind not in "iu"):
        raise ValueError(f"ids must be one whole number per code, got {numbers.dtype} of shape {numbers.shape}")
    return numbers


def checked_ids(ids: Any, rows: int) -> list[int]:
    """The ids as Python ints."""
    return [int(number) for number in checked_id_array(ids, rows)]


def numbers_text(values: Iterable[float]) -> str:
    """Numbers between commas, with enough digits to read back the same numbers."""
    return ", ".join(repr(float(value)) for value in values)


def float_text(value: np.float32) -> str:
    """The shortest text of a float that reads back as this float, even if the engine reads a double and rounds it."""
    short = str(value)
    return short if np.float32(float(short)) == value else repr(float(value))


def byte_tables(weights: Any) -> npt.NDArray[np.float32]:
    """One row per byte of a code: for every pattern of differing bits the sum of their weights, in float, lowest bit first.

    Added up in float, byte after byte, they give the distances of structhash.Index to the last bit.

    >>> byte_tables([3.0, 2.0])[0, :4].tolist()
    [0.0, 3.0, 2.0, 5.0]
    """
    values = np.asarray(weights, dtype=np.float32)
    by_byte = np.pad(values, (0, -len(values) % 8)).reshape(-1, 8)
    tables = np.zeros((len(by_byte), 256), dtype=np.float32)
    for bit in range(8):
        half = 1 << bit
        tables[:, half : 2 * half] = tables[:, :half] + by_byte[:, bit, None]
    return tables


def table_width(bits: int) -> int:
    """Bits per table lookup: 8, or 4 if tables of 8 would make a statement longer than 256 KiB."""
    return 8 if bits <= 256 else 4


def distance_table(query_bits: Any, weights: Any) -> npt.NDArray[np.float64]:
    """sum_j w_j [q_j != bit j of v] for every value v of a few bits, the first bit being the least significant of v.

    >>> distance_table([True, False], [3.0, 2.0]).tolist()
    [3.0, 0.0, 5.0, 2.0]
    """
    every_value = np.arange(1 << len(weights))[:, None] >> np.arange(len(weights)) & 1
    return (every_value != np.asarray(query_bits)) @ np.asarray(weights)
