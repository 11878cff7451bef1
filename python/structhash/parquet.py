"""Encodes Parquet files on one machine. Needs pyarrow.

The output has the columns and the bytes of `structhash.spark`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._arrays import thread_count
from ._whole_folder import whole_folder
from .arrow import BatchEncoder, Form, require_column

if TYPE_CHECKING:
    import pyarrow

Source = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

ROWS_AT_A_TIME = 16_384  # vectors fit in the processor cache: twice as fast as 65,536
ROWS_PER_GROUP = 65_536  # row groups of the output


def encode(
    source: Source,
    model: Any,
    column: str,
    out: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    code: str = "code",
    form: Form = "binary",
    keep_features: bool = False,
    n_jobs: int | None = None,
) -> int:
    """Encodes Parquet files; returns the number of rows.

    source : a file, a folder of files, or a list of files; all with the same columns.
    out : output folder with a file of the same name for every file. It must not exist; it appears when all are written.
    columns : other columns to keep; None: all.
    n_jobs : files to encode in parallel; None: 1, -1: all processors. The output does not depend on it.

    model, column, code, form, keep_features : see :class:`structhash.arrow.BatchEncoder`.
    """
    encoder = BatchEncoder(model, column, code=code, form=form, keep_features=keep_features)
    files = files_of(source)
    wanted = checked_columns(files, encoder, columns)
    with whole_folder(out) as folder:

        def encode_one(file: Path) -> int:
            return encode_file(file, folder / file.name, encoder, wanted)

        with ThreadPoolExecutor(thread_count(n_jobs)) as pool:
            try:
                return sum(pool.map(encode_one, files))
            except BaseException:
                pool.shutdown(cancel_futures=True)  # start no other file
                raise


def encode_file(
    file: str | os.PathLike[str],
    out: str | os.PathLike[str],
    encoder: BatchEncoder,
    columns: Sequence[str] | None = None,
) -> int:
    """Encodes one file, reading only `columns`; returns the number of rows."""
    with open_file(file) as shard:
        schema = encoder.schema(_selected(shard.schema_arrow, columns))
        batches = shard.iter_batches(ROWS_AT_A_TIME, columns=columns, use_threads=False)
        return write_batches(encoded_batches(batches, encoder, os.fspath(file)), out, schema)


def encoded_batches(
    batches: Iterable[pyarrow.RecordBatch], encoder: BatchEncoder, origin: str, first_row: int = 0
) -> Iterator[pyarrow.RecordBatch]:
    """The batches with codes; origin and row numbers appear in error messages."""
    for batch in batches:
        yield encoder.batch(batch, origin, first_row)
        first_row += batch.num_rows


def write_batches(
    batches: Iterable[pyarrow.RecordBatch],
    out: str | os.PathLike[str],
    schema: pyarrow.Schema,
    compression: str = "snappy",
) -> int:
    """Writes batches to a Parquet file, several per row group; returns the number of rows."""
    import pyarrow
    import pyarrow.parquet

    rows, group, held = 0, [], 0
    with pyarrow.parquet.ParquetWriter(out, schema, compression=compression) as writer:
        for batch in batches:
            group.append(batch)
            held += batch.num_rows
            if held >= ROWS_PER_GROUP:
                writer.write_table(pyarrow.Table.from_batches(group, schema))
                rows, group, held = rows + held, [], 0
        if held:
            writer.write_table(pyarrow.Table.from_batches(group, schema))
    return rows + held


def files_of(source: Source) -> list[Path]:
    """The Parquet files of a folder in order of their names, or the given files."""
    if isinstance(source, (str, os.PathLike)):
        place = Path(source)
        if not place.is_dir():
            return [_existing(place)]
        if (place / "_temporary").exists():
            raise ValueError(f"{place} is the output of an unfinished job; wait for it or run it again")
        files = sorted(file for file in place.glob("*.parquet") if not file.name.startswith(("_", ".")))
        if not files:
            raise ValueError(f"{place} holds no *.parquet file")
        return files
    files = [_existing(Path(file)) for file in source]
    if not files:
        raise ValueError("no files were given")
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"two files are named {twice}: their outputs would have the same name; encode them in two runs"
        )
    return files


def open_file(file: str | os.PathLike[str]) -> Any:
    """Opens a Parquet file; errors name the file."""
    import pyarrow
    import pyarrow.parquet

    try:
        return pyarrow.parquet.ParquetFile(file)
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"{os.fspath(file)} is not a Parquet file or is damaged: {error}") from None


def checked_columns(files: Sequence[Path], encoder: BatchEncoder, columns: Sequence[str] | None) -> list[str] | None:
    """The columns to read. Raises ValueError unless they have the same types in all files."""
    wanted = None if columns is None else [*columns, *([] if encoder.column in columns else [encoder.column])]
    first = None
    for file in files:
        with open_file(file) as shard:
            schema = _selected(shard.schema_arrow, wanted, str(file))
        try:
            encoder.schema(schema)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
        first = first or schema
        if not schema.equals(first):
            raise ValueError(f"{file} and {files[0]} have different columns: {_difference(first, schema)}")
    return wanted


def _existing(file: Path) -> Path:
    if not file.exists():
        raise FileNotFoundError(f"{file} does not exist")
    return file


def _selected(schema: pyarrow.Schema, columns: Sequence[str] | None, name: str = "") -> pyarrow.Schema:
    """The schema that reading these columns gives: in the order of the file."""
    import pyarrow

    if columns is None:
        return schema.remove_metadata()
    for column in columns:
        require_column(column, schema.names, name)
    return pyarrow.schema([field for field in schema if field.name in columns])


def _difference(first: pyarrow.Schema, second: pyarrow.Schema) -> str:
    for name in sorted({*first.names, *second.names}):
        kinds = [str(schema.field(name).type) if name in schema.names else "missing" for schema in (second, first)]
        if kinds[0] != kinds[1]:
            return f"{name} is {kinds[0]} there and {kinds[1]} here"
    return "the order of the columns, or which may be null"
