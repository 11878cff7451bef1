"""Writes a folder atomically: readers see all of its files or none."""

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
    """A temporary folder to fill, renamed to `out` at the end and removed after an error.

    An existing `out` is never replaced. Temporary folders of killed programs are removed by the next program that writes
    the same `out`.
    """
    final = Path(out)
    if final.exists():
        raise already_exists(final)
    parent = final.absolute().parent
    if not parent.is_dir():
        raise FileNotFoundError(f"{parent} is not a folder; create it first")
    _remove_abandoned(parent, f".{final.name}.tmp-*")
    unfinished = parent / f".{final.name}.tmp-{os.getpid()}-{secrets.token_hex(4)}"
    unfinished.mkdir()
    try:
        with _locked(unfinished):
            yield unfinished
            _sync_all(unfinished)
            if final.exists():  # rename would silently replace an empty folder
                raise FileExistsError(f"{final} was created by another program meanwhile; it was not changed")
            unfinished.rename(final)
            _sync(parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def already_exists(out: object) -> FileExistsError:
    return FileExistsError(f"{out} already exists; remove it or choose another folder")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds a lock on a folder, which the system releases when the process dies."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pass  # a file system without locks; _remove_abandoned removes nothing there
        yield
    finally:
        os.close(handle)


def _remove_abandoned(parent: Path, pattern: str) -> None:
    """Removes temporary folders that no process has locked."""
    for folder in parent.glob(pattern):
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError:
            continue  # was just renamed, or belongs to another user
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # another program is writing it
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
