"""Folders of files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_folder(out: str | os.PathLike[str]) -> Iterator[Path]:
    """An empty folder beside `out` to be filled, which gets the name `out` at the end; after an error nothing is left.

    A folder that is there already is never touched: it would be neither the old nor the new one for a while.
    """
    final = Path(out)
    if final.exists():
        raise FileExistsError(f"{final} is there already; remove it or choose another folder")
    if not final.absolute().parent.is_dir():
        raise FileNotFoundError(f"{final.absolute().parent} is no folder; make it first")
    unfinished = final.with_name(f".{final.name}.tmp-{os.getpid()}-{secrets.token_hex(4)}")
    unfinished.mkdir()
    try:
        yield unfinished
        for folder, _, names in os.walk(unfinished):
            for name in names:
                _sync(os.path.join(folder, name))
            _sync(folder)
        if final.exists():  # made by somebody else meanwhile; an empty folder would be replaced without a word
            raise FileExistsError(f"{final} was made by another program meanwhile; nothing was written to it")
        unfinished.rename(final)
        _sync(final.absolute().parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _sync(path: str | Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
