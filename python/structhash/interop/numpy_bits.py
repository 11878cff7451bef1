"""Packed codes and NumPy: both bit orders, words of 64 bits, hexadecimal text.

A code of b bits is a row of ceil(b / 8) bytes. Bit i is bit i % 8 of byte i // 8, the least significant bit first;
bits behind the last one are zero. Everything else is a form of other systems and is named after them.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

BitOrder = Literal["little", "big"]
Codes = npt.NDArray[np.uint8]
Bits = npt.NDArray[np.bool_]

_EVERY_BYTE = np.arange(256, dtype=np.uint8)
_MIRRORED = np.packbits(np.unpackbits(_EVERY_BYTE[:, None], axis=1, bitorder="little"), axis=1).ravel()


def checked(codes: Any, bits: int | None = None) -> tuple[Codes, int]:
    """The codes as a C-contiguous array, and their number of bits (None: all bits of all bytes).

    Other types than uint8 are refused: neither their bit order nor their sign can be guessed.
    """
    rows = np.asarray(codes)
    if rows.dtype != np.uint8 or rows.ndim != 2:
        raise ValueError(
            "codes must be a two-dimensional uint8 array, one row per code, least significant bit first, got "
            f"{rows.ndim} dimensions of {rows.dtype}. Codes of other systems come in through the from_ functions"
        )
    columns = rows.shape[1]
    if columns == 0:
        raise ValueError("codes must have at least one byte each, got rows of 0 bytes")
    if bits is None:
        bits = 8 * columns
    if not 8 * (columns - 1) < bits <= 8 * columns:
        raise ValueError(f"codes of {bits} bits have {(bits + 7) // 8} bytes each, got rows of {columns} bytes")
    unused = 8 * columns - bits
    if unused and bool((rows[:, -1] >> (8 - unused)).any()):
        raise ValueError(f"bits behind bit {bits - 1} must be zero; is the number of bits right, or the bit order?")
    return np.ascontiguousarray(rows), bits


def unpack(codes: Any, bits: int | None = None) -> Bits:
    """One bool per bit.

    >>> unpack(np.array([[0b1001, 0b1]], dtype=np.uint8), bits=9).nonzero()[1]
    array([0, 3, 8])
    """
    rows, bits = checked(codes, bits)
    return np.unpackbits(rows, axis=1, count=bits, bitorder="little").view(np.bool_)


def pack(bits: Any) -> Codes:
    """Codes from one row of bools, or of zeros and ones, per code; the inverse of :func:`unpack`."""
    values = np.asarray(bits)
    if values.ndim != 2 or values.shape[1] == 0:
        raise ValueError(f"bits must be a matrix, one row per code, got the shape {values.shape}")
    if values.dtype != np.bool_ and not np.isin(values, (0, 1)).all():
        raise ValueError("bits must be 0 or 1; real values become bits by `values > 0`")
    return np.packbits(values.astype(np.bool_, copy=False), axis=1, bitorder="little")


def to_packbits(codes: Any, bits: int | None = None, bitorder: BitOrder = "big") -> Codes:
    """What numpy.packbits makes of the bits: "big", its default, has the most significant bit first.

    >>> to_packbits(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8))
    array([[144,  64,   1]], dtype=uint8)
    """
    rows, _ = checked(codes, bits)
    return _MIRRORED[rows] if _is_big(bitorder) else rows


def from_packbits(packed: Any, bits: int | None = None, bitorder: BitOrder = "big") -> Codes:
    """Codes from the result of numpy.packbits(..., axis=1) with the same bit order."""
    rows = np.asarray(packed)
    if _is_big(bitorder) and rows.dtype == np.uint8:
        rows = _MIRRORED[rows]
    return checked(rows, bits)[0]


def to_uint64(codes: Any, bits: int | None = None) -> npt.NDArray[np.uint64]:
    """Words of 64 bits, one row per code: bit i is bit i % 64 of word i // 64.

    >>> to_uint64(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8))
    array([[8389129]], dtype=uint64)
    """
    rows, _ = checked(codes, bits)
    words = np.zeros((rows.shape[0], (rows.shape[1] + 7) // 8), dtype="<u8")
    words.view(np.uint8)[:, : rows.shape[1]] = rows
    return words.astype(np.uint64, copy=False)


def from_uint64(words: Any, bits: int) -> Codes:
    """Codes from words of 64 bits: one row of them per code, or one number per code."""
    values = np.asarray(words)
    if values.dtype != np.uint64 or values.ndim not in (1, 2):
        raise ValueError(f"words must be a uint64 array, got {values.ndim} dimensions of {values.dtype}")
    table = np.ascontiguousarray(values.reshape(len(values), -1), dtype="<u8")
    if table.shape[1] != (bits + 63) // 64:
        raise ValueError(f"codes of {bits} bits have {(bits + 63) // 64} words each, got {table.shape[1]}")
    bytes_of_words = table.view(np.uint8)
    columns = (bits + 7) // 8
    if bool(bytes_of_words[:, columns:].any()):
        raise ValueError(f"bits behind bit {bits - 1} must be zero; is the number of bits right?")
    return checked(bytes_of_words[:, :columns], bits)[0]


def to_hex(codes: Any, bits: int | None = None, bitorder: BitOrder = "little") -> list[str]:
    """Two hexadecimal digits per byte, the bytes in either bit order.

    >>> to_hex(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8))
    ['090280']
    """
    return [row.tobytes().hex() for row in to_packbits(codes, bits, bitorder)]


def from_hex(texts: Sequence[str], bits: int | None = None, bitorder: BitOrder = "little") -> Codes:
    """Codes from hexadecimal digits, all texts of the same length."""
    rows = [bytes.fromhex(text) for text in texts]
    if not rows:
        raise ValueError("no codes: an empty list does not say how many bytes a code has")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"code {number} has {len(row)} bytes, code 0 has {len(rows[0])}; all must be equal")
    packed = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), -1)
    return from_packbits(packed, bits, bitorder)


def _is_big(bitorder: str) -> bool:
    if bitorder not in ("little", "big"):
        raise ValueError(f"bitorder must be 'little' or 'big', got {bitorder!r}")
    return bitorder == "big"
