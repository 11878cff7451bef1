"""Codes as `quantize_embeddings` of sentence-transformers makes them, and several embedding services with it.

`ubinary` is uint8 with the most significant bit first. `binary` is int8: every byte of `ubinary` less 128, which is not
the same as the byte read as a signed number. Two int8 arrays of one shape may therefore mean different codes: say which.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from .numpy_bits import Codes, checked, from_packbits, to_packbits


def to_ubinary(codes: Any, bits: int | None = None) -> Codes:
    """uint8, most significant bit first.

    >>> to_ubinary(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8)).tolist()
    [[144, 64, 1]]
    """
    return to_packbits(_whole_bytes(codes, bits), bitorder="big")


def from_ubinary(ubinary: Any) -> Codes:
    """Codes from uint8 with the most significant bit first."""
    return from_packbits(ubinary, bitorder="big")


def to_binary(codes: Any, bits: int | None = None) -> npt.NDArray[np.int8]:
    """int8: `ubinary` less 128.

    >>> to_binary(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8)).tolist()
    [[16, -64, -127]]
    """
    # x - 128 in two's complement is x with its highest bit turned.
    return (to_ubinary(codes, bits) ^ np.uint8(0x80)).view(np.int8)


def from_binary(binary: Any) -> Codes:
    """Codes from int8 that is `ubinary` less 128."""
    signed = np.asarray(binary)
    if signed.dtype != np.int8:
        raise ValueError(f"binary codes of sentence-transformers are int8, got {signed.dtype}. Is it ubinary?")
    return from_ubinary(np.ascontiguousarray(signed).view(np.uint8) ^ np.uint8(0x80))


def to_signed_bytes(codes: Any, bits: int | None = None) -> npt.NDArray[np.int8]:
    """int8: the bytes of `ubinary` read as signed numbers, as search engines on the JVM and Vespa take them.

    >>> to_signed_bytes(np.array([[0x09, 0x02, 0x80]], dtype=np.uint8)).tolist()
    [[-112, 64, 1]]
    """
    return to_ubinary(codes, bits).view(np.int8)


def from_signed_bytes(signed: Any) -> Codes:
    """Codes from int8 that is `ubinary` read as signed numbers."""
    values = np.asarray(signed)
    if values.dtype != np.int8:
        raise ValueError(f"signed bytes are int8, got {values.dtype}")
    return from_ubinary(np.ascontiguousarray(values).view(np.uint8))


def _whole_bytes(codes: Any, bits: int | None) -> Codes:
    rows, bits = checked(codes, bits)
    if bits % 8 != 0:
        raise ValueError(
            f"this form takes multiples of 8 bits only, the codes have {bits}; use to_packbits, which fills up"
        )
    return rows
