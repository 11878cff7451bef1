"""Models as the bytes of their file, for pickle and joblib."""

import copyreg
import pathlib
import tempfile
from typing import Any

from ._core import Model


def to_bytes(model: Model) -> bytes:
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "model.shm")
        model.save(str(file))
        return file.read_bytes()


def from_bytes(content: bytes) -> Model:
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "model.shm")
        file.write_bytes(content)
        return Model.load(str(file))


def _reduce(model: Model) -> tuple[Any, tuple[bytes]]:
    return from_bytes, (to_bytes(model),)


copyreg.pickle(Model, _reduce)
