"""Compact binary codes trained for a ranking measure, and exact search by Hamming distance.

>>> import structhash
>>> from sklearn.datasets import load_digits
>>> X, y = load_digits(return_X_y=True)
>>> hasher = structhash.StructHash(bits=32, measure="ndcg@100").fit(X[:400], y[:400])
>>> codes = hasher.transform(X)  # packed uint8, least significant bit first
>>> codes.shape, codes.dtype
((1797, 4), dtype('uint8'))
>>> index = structhash.Index(hasher)
>>> index.add(codes)
>>> distances, ids = index.search(codes[:5], k=10)
>>> ids.shape
(5, 10)

Modules are imported on first use, so that ``import structhash`` is fast.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import datasets, measures, plot
    from ._core import Model
    from ._evaluation import evaluate
    from ._hasher import Hasher
    from ._loading import load
    from ._report import Report, report
    from .errors import CorruptFileError, SolverError
    from .index import Index

    # isort: off
    # fmt: off
    from .estimators import AGH, AGH1, CCAITQ, CGH, COSDISH, HCSDH, ITQ, KLSH, KSH, LSH, MDSH, SDH
    from .estimators import SPH, SPHER, SPLH, BREs, FastHash, MIHash, STHs, StructHash
    # fmt: on
    # isort: on

__version__ = "0.1.0"

_HOME = {
    "Model": "_core",
    "evaluate": "_evaluation",
    "Hasher": "_hasher",
    "load": "_loading",
    "Report": "_report",
    "report": "_report",
    "CorruptFileError": "errors",
    "SolverError": "errors",
    "Index": "index",
}  # all other names are those of estimators
_MODULES = ("arrow", "datasets", "export", "interop", "measures", "parquet", "plot", "spark")

__all__ = [
    "AGH",
    "AGH1",
    "CCAITQ",
    "CGH",
    "COSDISH",
    "HCSDH",
    "ITQ",
    "KLSH",
    "KSH",
    "LSH",
    "MDSH",
    "SDH",
    "SPH",
    "SPHER",
    "SPLH",
    "BREs",
    "CorruptFileError",
    "FastHash",
    "Hasher",
    "Index",
    "MIHash",
    "Model",
    "Report",
    "STHs",
    "SolverError",
    "StructHash",
    "datasets",
    "evaluate",
    "load",
    "measures",
    "plot",
    "report",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from error
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME.get(name, 'estimators')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
