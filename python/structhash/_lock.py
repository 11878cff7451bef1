"""A lock for any number of readers or one writer."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class ReadWriteLock:
    """Readers share it; a writer has it alone. New readers wait for a waiting writer, so that it is never starved.

    A thread must not take it twice: a writer that waits in between would wait forever.

    >>> lock = ReadWriteLock()
    >>> with lock.reading():
    ...     pass
    >>> with lock.writing():
    ...     pass
    """

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._readers = 0
        self._writers = 0  # waiting or writing
        self._writes = False

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        with self._free:
            self._free.wait_for(lambda: not self._writers)
            self._readers += 1
        try:
            yield
        finally:
            with self._free:
                self._readers -= 1
                self._free.notify_all()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        with self._free:
            self._writers += 1
            try:
                self._free.wait_for(lambda: not self._readers and not self._writes)
            except BaseException:  # Ctrl-C while waiting
                self._writers -= 1
                self._free.notify_all()
                raise
            self._writes = True
        try:
            yield
        finally:
            with self._free:
                self._writes = False
                self._writers -= 1
                self._free.notify_all()
