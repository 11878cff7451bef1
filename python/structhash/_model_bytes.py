"""Models and indexes as the bytes of their files, for pickle and joblib."""

import contextlib
import copyreg
import pathlib
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from ._core import Model, file_identity


@contextlib.contextmanager
def _file_of(value: Any) -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "file")
        value.save(str(file))
        yield file


def to_bytes(value: Any) -> bytes:
    """What ``value.save`` writes."""
    with _file_of(value) as file:
        return file.read_bytes()


def from_bytes(content: bytes, load: Callable[..., Any] = Model.load, **options: Any) -> Any:
    """What ``load`` makes of a file with the content. The file may be removed though it is mapped."""
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "file")
        file.write_bytes(content)
        return load(str(file), **options)


def identity(model: Model) -> str:
    """16 hexadecimal digits of the content: the identity of its file, which codes and indexes name."""
    with _file_of(model) as file:
        return file_identity(str(file))


def _reduce(model: Model) -> tuple[Any, tuple[bytes]]:
    return from_bytes, (to_bytes(model),)


copyreg.pickle(Model, _reduce)
