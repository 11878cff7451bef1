"""Progress of training: a bar in terminals and notebooks, lines elsewhere."""

from __future__ import annotations

import logging
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

logger = logging.getLogger("structhash")


def is_interactive() -> bool:
    """Whether standard error is a terminal, or this is a notebook."""
    ipython = sys.modules.get("IPython")
    session = ipython.get_ipython() if ipython else None
    return sys.stderr.isatty() or hasattr(session, "kernel")


class TextBar:
    """A bar of text on standard error, for where tqdm is not installed."""

    WIDTH = 30

    def __init__(self, desc: str, total: float | None) -> None:
        self.n = 0.0
        self._stage, self._total, self._detail = desc, total, ""
        self._length = 0

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        self._detail = text
        if refresh:
            self.refresh()

    def refresh(self) -> None:
        done = f"{self.n:g}"
        if self._total:
            filled = round(self.WIDTH * min(1.0, self.n / self._total))
            done = f"[{'#' * filled}{'.' * (self.WIDTH - filled)}] {self.n:g}/{self._total:g}"
        self._write(f"{self._stage}: {done} {self._detail}".rstrip())

    def close(self) -> None:
        self._write("")
        self._write("")  # to the start of the line, now empty

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)


def make_bar(stage: str, total: float) -> Any:
    """A bar of tqdm, or of text without it."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return TextBar(stage, total or None)
    return tqdm(desc=stage, total=total or None, leave=False)


class Reporter:
    """Callback for training; its ``with`` block closes the bar.

    >>> with Reporter(interactive=False) as report:
    ...     report("training", 3, 64, "objective 0.2")
    """

    SECONDS_BETWEEN_LINES = 5.0

    def __init__(self, interactive: bool | None = None) -> None:
        self._interactive = is_interactive() if interactive is None else interactive
        self._bar: Any = None
        self._stage = ""
        self._last_line = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def __call__(self, stage: str, done: float, total: float, detail: str) -> None:
        if self._interactive:
            self._draw(stage, done, total, detail)
        else:
            self._log(stage, done, total, detail)

    def _draw(self, stage: str, done: float, total: float, detail: str) -> None:
        if self._bar is None or stage != self._stage:
            self._close()
            self._bar = make_bar(stage, total)
            self._stage = stage
        self._bar.n = done
        self._bar.set_postfix_str(detail, refresh=False)
        self._bar.refresh()

    def _log(self, stage: str, done: float, total: float, detail: str) -> None:
        now = time.monotonic()
        if stage != self._stage or now - self._last_line >= self.SECONDS_BETWEEN_LINES:
            self._stage, self._last_line = stage, now
            share = f"{done:g} of {total:g}" if total else f"{done:g}"
            line = f"{stage}: {share}{f', {detail}' if detail else ''}"
            if logger.isEnabledFor(logging.INFO):
                logger.info(line)
            else:  # nobody has configured the log
                print(line, file=sys.stderr)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
