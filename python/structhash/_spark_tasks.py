"""Files that the tasks of Spark write themselves: each attempt under a name of its own, those that Spark took are kept."""

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
    """Fills a folder with a file of each name, a task for each; returns the number of rows of all.

    write : what a task does: makes the file of this number under the path that it is given, returns its rows.

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
    """Runs an action; of an error that a worker raised in our code, the line that says what is wrong is raised."""
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
            message += " on a worker; its Python (PYSPARK_PYTHON) needs structhash and pyarrow, as that of the driver"
        raise ValueError(message) from error


def _attempted(number: int, place: str, write: Callable[[int, str], int]) -> pyarrow.RecordBatch:
    """Writes one file under a name that no other attempt has; says which name, and how many rows."""
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
    """Gives files their names and removes all that are not mentioned."""
    for file in list(folder.iterdir()):
        if file.name in names:
            file.rename(folder / names[file.name])
        else:
            file.unlink()
