"""Files written by Spark tasks: each attempt under its own name; files of successful attempts are renamed."""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

    Batches = Iterable[pyarrow.RecordBatch]


def write_by_tasks(session: SparkSession, folder: Path, names: Sequence[str], write: Callable[[int, str], int]) -> int:
    """Writes a file for each name, by one task each; returns the total number of rows.

    write : writes the file of a number to a path and returns its rows; runs in a task.

    Driver and workers must see the folder under the same name.
    """
    place = str(folder.absolute())

    def write_numbers(batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield _attempted(number, place, write)

    numbers = session.range(0, len(names), 1, len(names))
    taken = explained(numbers.mapInArrow(write_numbers, "number bigint, attempt string, rows bigint").collect)
    _keep_only(folder, {row["attempt"]: names[row["number"]] for row in taken})
    return sum(row["rows"] for row in taken)


def explained(action: Callable[[], Any]) -> Any:
    """Runs an action; an error of structhash on a worker is raised as one line, without the Java trace."""
    from pyspark.errors import PySparkException

    try:
        return action()
    except PySparkException as error:
        said = re.findall(
            r"^(\w*NotFoundError|ValueError|structhash\.errors\.\w+): (.*)$", str(error), flags=re.MULTILINE
        )
        if not said:
            raise
        kind, message = said[-1]
        if kind == "ModuleNotFoundError":
            message += " on a worker; its Python (PYSPARK_PYTHON) needs structhash and pyarrow, as on the driver"
        raise ValueError(message) from error


def _attempted(number: int, place: str, write: Callable[[int, str], int]) -> pyarrow.RecordBatch:
    """Writes one file under a name unique to this attempt; returns the name and the number of rows."""
    import pyarrow

    attempt = f"{number}.attempt-{secrets.token_hex(8)}"
    try:
        rows = write(number, os.path.join(place, attempt))
    except OSError as error:
        raise ValueError(
            f"worker {socket.gethostname()} cannot read its file or write to {place}: {error}; every worker must see both "
            "under these names"
        ) from None
    return pyarrow.RecordBatch.from_pylist([{"number": number, "attempt": attempt, "rows": rows}])


def _keep_only(folder: Path, names: dict[str, str]) -> None:
    """Renames the files in ``names`` and removes all others."""
    for file in list(folder.iterdir()):
        if file.name in names:
            file.rename(folder / names[file.name])
        else:
            file.unlink()
