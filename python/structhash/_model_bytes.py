"""Models as the bytes of their file, for pickle and joblib."""

import contextlib
import copyreg
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

from ._core import Model, file_identity


@contextlib.contextmanager
def _file_of(model: Model) -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "model.shm")
        model.save(str(file))
        yield file


def to_bytes(model: Model) -> bytes:
    with _file_of(model) as file:
        return file.read_bytes()


def from_bytes(content: bytes) -> Model:
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "model.shm")
        file.write_bytes(content)
        return Model.load(str(file))


def identity(model: Model) -> str:
    """16 hexadecimal digits of the content: the identity of its file, which codes and indexes name."""
    with _file_of(model) as file:
        return file_identity(str(file))


def _reduce(model: Model) -> tuple[Any, tuple[bytes]]:
    return from_bytes, (to_bytes(model),)


copyreg.pickle(Model, _reduce)
