"""Folders of files that appear whole or not at all."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_folder(out: str | os.PathLike[str]) -> Iterator[Path]:
    """An empty folder beside `out` to be filled, which gets the name `out` at the end; after an error nothing is left.

    A folder that is there already is never touched: it would be neither the old nor the new one for a while. What a killed
    program left is removed by the next one that writes the same folder.
    """
    final = Path(out)
    if final.exists():
        raise FileExistsError(f"{final} is there already; remove it or choose another folder")
    parent = final.absolute().parent
    if not parent.is_dir():
        raise FileNotFoundError(f"{parent} is no folder; make it first")
    _remove_abandoned(parent, f".{final.name}.tmp-*")
    unfinished = parent / f".{final.name}.tmp-{os.getpid()}-{secrets.token_hex(4)}"
    unfinished.mkdir()
    try:
        with _locked(unfinished):
            yield unfinished
            _sync_all(unfinished)
            if final.exists():  # an empty folder would be replaced without a word
                raise FileExistsError(f"{final} was made by another program meanwhile; nothing was written to it")
            unfinished.rename(final)
            _sync(parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds a lock on a folder, which the system releases when the process dies."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pass  # a file system without locks: nothing is removed there, either
        yield
    finally:
        os.close(handle)


def _remove_abandoned(parent: Path, pattern: str) -> None:
    """Removes folders that nobody holds the lock of."""
    for folder in parent.glob(pattern):
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError:
            continue  # has just got its name, or is not ours
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # somebody is writing it
        finally:
            os.close(handle)


def _sync_all(folder: Path) -> None:
    for place, _, names in os.walk(folder):
        for name in names:
            _sync(os.path.join(place, name))
        _sync(place)


def _sync(path: str | Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
