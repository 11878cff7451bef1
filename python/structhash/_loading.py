"""The estimator of a model file."""

from __future__ import annotations

import os

from . import estimators
from ._core import Model
from ._hasher import Hasher
from ._types import Path


def method_classes() -> dict[str, type[Hasher]]:
    """The class of every method, by the name of the method."""
    kinds = [kind for kind in vars(estimators).values() if isinstance(kind, type) and issubclass(kind, Hasher)]
    return {kind._method: kind for kind in kinds if kind.__module__ == estimators.__name__}


def load(path: Path) -> Hasher:
    """The fitted estimator of a model file, of the class of its method.

    Parameters
    ----------
    path : str or path-like
    """
    method = Model.load(os.fspath(path)).method
    if method not in method_classes():
        raise ValueError(f"{os.fspath(path)} holds a model of the unknown method {method}")
    return method_classes()[method].load(path)
