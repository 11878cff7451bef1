"""Progress of training: a bar in terminals and notebooks, log lines elsewhere."""

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
        if not (self._interactive and self._draw(stage, done, total, detail)):
            self._log(stage, done, total, detail)

    def _draw(self, stage: str, done: float, total: float, detail: str) -> bool:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._interactive = False
            return False
        if self._bar is None or stage != self._stage:
            self._close()
            self._bar = tqdm(desc=stage, total=total or None, leave=False)
            self._stage = stage
        self._bar.n = done
        self._bar.set_postfix_str(detail, refresh=False)
        self._bar.refresh()
        return True

    def _log(self, stage: str, done: float, total: float, detail: str) -> None:
        now = time.monotonic()
        if stage != self._stage or now - self._last_line >= self.SECONDS_BETWEEN_LINES:
            self._stage, self._last_line = stage, now
            share = f"{done:g} of {total:g}" if total else f"{done:g}"
            logger.info("%s: %s%s", stage, share, f", {detail}" if detail else "")

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
