"""What SQL texts share: names that cannot break out of their place, numbers that keep their value."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?")


def checked_name(name: str) -> str:
    """A plain name, perhaps with that of its schema or database before it; anything else is refused."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a plain SQL name: letters, digits and _, one dot at most")
    return name


def checked_limit(k: int) -> int:
    """A number of rows, at least 1."""
    if int(k) < 1:
        raise ValueError(f"k must be at least 1; found {k}")
    return int(k)


def checked_ids(ids: Any, rows: int) -> list[int]:
    """One whole number per code; None: 0, 1, 2, ..."""
    if ids is None:
        return list(range(rows))
    numbers = np.asarray(ids)
    if numbers.shape != (rows,) or (rows and numbers.dtype.kind not in "iu"):
        raise ValueError(f"ids must be one whole number per code; found {numbers.dtype} of shape {numbers.shape}")
    return [int(number) for number in numbers]


def numbers_text(values: Iterable[float]) -> str:
    """Numbers between commas, each with all the digits it takes to read the same number again."""
    return ", ".join(repr(float(value)) for value in values)
