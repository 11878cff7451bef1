"""Errors of the library in the words of Python: names of parameters, None and True, positions from 0."""

from __future__ import annotations

import contextlib
import functools
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

# Positions of the library count from 1: the groups of a pattern are numbers, reduced by 1.
_POSITIONS = (
    (re.compile(r"^features: row (\d+), column (\d+) is"), "X[{}, {}] is"),
    (re.compile(r"^code (\d+):"), "codes[{}]:"),
    (re.compile(r"^query (\d+), value (\d+): found"), "values[{}, {}] is"),
)
_WORDS = ((", or auto,", ", or None,"), ("must be true or false", "must be True or False"))


def in_python(message: str, parameters: Iterable[str] = ()) -> str:
    """The message with positions from 0 and with the parameters as Python spells them.

    >>> in_python("trade-off must be above 1, or auto, got -1", ["trade_off"])
    'trade_off must be above 1, or None, got -1'
    >>> in_python("code 5: bits after the last of its 12 bits must be zero")
    'codes[4]: bits after the last of its 12 bits must be zero'
    """
    for pattern, form in _POSITIONS:
        if found := pattern.match(message):
            message = form.format(*(int(n) - 1 for n in found.groups())) + message[found.end() :]
    for theirs, ours in _WORDS:
        message = message.replace(theirs, ours)
    for name in parameters:
        if "_" in name:
            message = re.sub(rf"\b{name.replace('_', '-')}\b", name, message)
    return message


@contextlib.contextmanager
def python_words(x: Any = None, parameters: Iterable[str] = ()) -> Iterator[None]:
    """Translates a ValueError of the library; ``x`` are the features, among which a NaN is located."""
    try:
        yield
    except ValueError as error:
        if x is not None:
            require_finite(x)
        message = in_python(str(error), parameters)
        if message == str(error):
            raise
        raise type(error)(message) from None


def speaks_python(function: Function) -> Function:
    """A function whose ValueErrors are translated."""

    @functools.wraps(function)
    def translated(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except ValueError:
            with python_words():
                raise

    return cast(Function, translated)


def require_finite(x: Any, name: str = "X") -> None:
    """Raises ValueError with the position of the first value that is NaN or infinite."""
    wrong = np.argwhere(~np.isfinite(x))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(f"{name} contains NaN or infinity: {name}[{row}, {column}] is {x[row, column]}") from None


def whole(value: Any, name: str) -> int:
    """A whole number of any type; TypeError for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r:.100}") from None
