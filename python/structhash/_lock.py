"""A lock for any number of readers or one writer."""

from __future__ import annotations

import threading
from collections.abc import Callable


class _Side:
    """One side of the lock, for ``with``; without state, so that all threads share it."""

    def __init__(self, take: Callable[[], None], leave: Callable[[], None]) -> None:
        self._take, self._leave = take, leave

    def __enter__(self) -> None:
        self._take()

    def __exit__(self, *error: object) -> None:
        self._leave()


class ReadWriteLock:
    """Readers share it; a writer has it alone. New readers wait for a waiting writer, so that it is never starved.

    A thread must not take it twice: a writer that waits in between would wait forever.

    >>> lock = ReadWriteLock()
    >>> with lock.reading:
    ...     pass
    >>> with lock.writing:
    ...     pass
    """

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._readers = 0
        self._writers = 0  # waiting or writing
        self._writes = False
        self.reading = _Side(self._start_reading, self._stop_reading)
        self.writing = _Side(self._start_writing, self._stop_writing)

    def _start_reading(self) -> None:
        with self._free:
            while self._writers:
                self._free.wait()
            self._readers += 1

    def _stop_reading(self) -> None:
        with self._free:
            self._readers -= 1
            if self._writers:
                self._free.notify_all()

    def _start_writing(self) -> None:
        with self._free:
            self._writers += 1
            try:
                while self._readers or self._writes:
                    self._free.wait()
            except BaseException:  # Ctrl-C while waiting
                self._writers -= 1
                self._free.notify_all()
                raise
            self._writes = True

    def _stop_writing(self) -> None:
        with self._free:
            self._writes = False
            self._writers -= 1
            self._free.notify_all()
