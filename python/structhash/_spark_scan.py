"""DataFrames that only read Parquet files: which files, and how tasks share them.

Java passes a list to Python number by number. Tasks are faster if they read the files directly.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .arrow import BatchEncoder, is_list
from .parquet import ROWS_AT_A_TIME, encoded_batches, open_file

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

# Types that both readers read alike. Dates and times are not: their calendars differ.
SAME_IN_BOTH = ("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "string", "binary")


class Piece(NamedTuple):
    """Some row groups of a file; size and time of change when the DataFrame was made."""

    path: str
    size: int
    changed: int
    groups: tuple[int, ...]
    first_row: int
    cost: int  # bytes to read


class StoredFile(NamedTuple):
    path: str
    size: int
    changed: int  # milliseconds, from Java


def tasks_of(df: DataFrame, encoder: BatchEncoder) -> list[list[Piece]] | None:
    """The pieces that each task reads. None: rows must pass through Java, because the DataFrame does more than read files,
    Java may read other values, or the files are not local.
    """
    files = _files_of(df)
    columns = {field.name: field.dataType for field in df.schema}
    others = [kind.simpleString() for name, kind in columns.items() if name != encoder.column]
    if not files or len(columns) < len(df.columns) or not set(others) <= set(SAME_IN_BOTH):
        return None
    pieces: list[Piece] = []
    for file in files:
        found = _pieces_of(file, columns, encoder.column)
        if found is None:
            return None
        pieces += found
    return _grouped(pieces, *_sizes(df, pieces))


def encoded_pieces(pieces: Iterable[Piece], encoder: BatchEncoder, columns: Sequence[str]) -> Iterator[Any]:
    """The record batches that a task returns."""
    for piece in pieces:
        _check_unchanged(piece)
        with open_file(piece.path) as file:
            batches = file.iter_batches(
                ROWS_AT_A_TIME, row_groups=list(piece.groups), columns=list(columns), use_threads=False
            )
            selected = (batch.select(columns).replace_schema_metadata(None) for batch in batches)
            yield from encoded_batches(selected, encoder, piece.path, piece.first_row)


def _files_of(df: DataFrame) -> list[StoredFile] | None:
    """The local Parquet files whose rows the DataFrame shows, all rows and some columns; None: it does more."""
    frame: Any = getattr(df, "_jdf", None)  # absent under Spark Connect
    if frame is None or df.isStreaming or df.storageLevel.useMemory or df.storageLevel.useDisk:
        return None
    settings = df.sparkSession.conf
    if any(settings.get(f"spark.sql.files.ignore{what}Files", "false") != "false" for what in ("Corrupt", "Missing")):
        return None
    plan = frame.queryExecution().optimizedPlan()
    if _kind(plan) == "Project" and all(_kind(item) == "AttributeReference" for item in _each(plan.projectList())):
        plan = plan.child()
    if _kind(plan) != "LogicalRelation" or _kind(plan.relation()) != "HadoopFsRelation":
        return None
    relation = plan.relation()
    if (
        _kind(relation.fileFormat()) != "ParquetFileFormat"
        or _kind(relation.location()) != "InMemoryFileIndex"
        or not relation.partitionSchema().isEmpty()
        or relation.bucketSpec().isDefined()
        or any(_changes_reading(option) for option in _each(relation.options().keySet().toSeq()))
    ):
        return None
    stored = [(status.getPath().toUri(), status) for status in _each(relation.location().allFiles())]
    if any(place.getScheme() != "file" for place, _ in stored):
        return None
    return [StoredFile(place.getPath(), status.getLen(), status.getModificationTime()) for place, status in stored]


def _changes_reading(name: str) -> bool:
    """Whether an option of the reader changes how files are read, not only which."""
    return name.lower() not in ("path", "paths", "recursivefilelookup", "pathglobfilter")


def _kind(value: Any) -> str:
    name: str = value.getClass().getSimpleName()
    return name.rstrip("$")


def _each(sequence: Any) -> list[Any]:
    return [sequence.apply(place) for place in range(sequence.size())]


def _pieces_of(file: StoredFile, columns: dict[str, Any], vectors: str) -> list[Piece] | None:
    """One piece per row group; None if Java would read other types."""
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(file.path) as opened:
            if not all(_same_type(opened.schema_arrow, name, kind, name == vectors) for name, kind in columns.items()):
                return None
            pieces, row = [], 0
            for number in range(opened.metadata.num_row_groups):
                group = opened.metadata.row_group(number)
                pieces.append(Piece(*file, (number,), row, group.total_byte_size))
                row += group.num_rows
            return pieces
    except (OSError, pyarrow.ArrowException):
        return None  # Spark reports the error


def _same_type(schema: pyarrow.Schema, name: str, kind: Any, is_vectors: bool) -> bool:
    from pyspark.sql.pandas.types import to_arrow_type

    if schema.names.count(name) != 1:
        return False
    found = schema.field(name).type
    if is_vectors and is_list(found):
        return kind.typeName() == "array" and bool(found.value_type == to_arrow_type(kind.elementType))
    return bool(found == to_arrow_type(kind))


def _sizes(df: DataFrame, pieces: Sequence[Piece]) -> tuple[int, int]:
    """Max bytes per task, and the cost of opening a file in bytes: the rule of Spark."""
    settings, context = df.sparkSession._jsparkSession.sessionState().conf(), df.sparkSession.sparkContext
    opening = int(settings.filesOpenCostInBytes())
    everything = sum(piece.cost + opening for piece in pieces)
    per_core = everything // max(1, context.defaultParallelism)
    return min(int(settings.filesMaxPartitionBytes()), max(opening, per_core)), opening


def _grouped(pieces: Sequence[Piece], max_bytes: int, opening: int) -> list[list[Piece]]:
    """Consecutive pieces in one task, up to max_bytes; row groups of one file become one piece.

    A task costs about 1/6 s of Python, so a file of up to 1.5 max_bytes is not split.
    """
    tasks: list[list[Piece]] = []
    filled = 0
    for unit in _units(pieces, max_bytes + max_bytes // 2):
        if not tasks or filled + unit.cost > max_bytes:
            tasks.append([])
            filled = 0
        last = tasks[-1][-1] if tasks[-1] else None
        if last is not None and last.path == unit.path:
            tasks[-1][-1] = _joined(last, unit)
            filled += unit.cost
        else:
            tasks[-1].append(unit)
            filled += unit.cost + opening
    return tasks


def _units(pieces: Sequence[Piece], max_bytes: int) -> Iterator[Piece]:
    """Files of up to max_bytes; the row groups of larger ones."""
    for _, groups in itertools.groupby(pieces, lambda piece: piece.path):
        whole = list(groups)
        yield from [functools.reduce(_joined, whole)] if sum(piece.cost for piece in whole) <= max_bytes else whole


def _joined(first: Piece, second: Piece) -> Piece:
    return first._replace(groups=first.groups + second.groups, cost=first.cost + second.cost)


def _check_unchanged(piece: Piece) -> None:
    try:
        now = os.stat(piece.path)
    except OSError as error:
        raise ValueError(f"cannot read {piece.path}: {error.strerror}; every worker must see it") from None
    if (now.st_size, now.st_mtime_ns // 1_000_000) != (piece.size, piece.changed):
        raise ValueError(f"{piece.path} has changed since the DataFrame was made; read it again")
