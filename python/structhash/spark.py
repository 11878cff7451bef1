"""Encodes Spark DataFrames with `mapInArrow`. Needs pyspark and pyarrow on the driver and on every worker.

>>> from structhash import spark
>>> encoded = spark.encode(frame, "model.shm", "features")  # doctest: +SKIP
>>> spark.write_parquet(encoded, "codes/")  # doctest: +SKIP

For Parquet files on a file system that all workers share, faster, because no row passes through Java:

>>> spark.encode_files(session, "features/", "model.shm", "features", "codes/")  # doctest: +SKIP
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._model_bytes import from_bytes, to_bytes
from ._spark_scan import Piece, encoded_pieces, tasks_of
from ._spark_tasks import explained, write_by_tasks
from ._whole_folder import already_exists, whole_folder
from .arrow import BatchEncoder, Form, require_column, require_new_column
from .parquet import Source, checked_columns, encode_file, encoded_batches, files_of, write_batches

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    Batches = Iterable[pyarrow.RecordBatch]

SCAN = "_structhash_scan"  # attribute of a DataFrame whose tasks read files

# Compression codecs that both can write: name in Spark, name in Arrow
COMPRESSIONS = {
    "snappy": "snappy",
    "gzip": "gzip",
    "zstd": "zstd",
    "brotli": "brotli",
    "lz4_raw": "lz4",
    "none": "none",
    "uncompressed": "none",
}


def encode(
    df: DataFrame,
    model: Any,
    column: str,
    *,
    code: str = "code",
    form: Form = "binary",
    keep_features: bool = False,
    read_files: bool = True,
) -> DataFrame:
    """The DataFrame with a column of codes instead of its feature vectors; computed lazily, by an action.

    df : any DataFrame. If it is `session.read.parquet` of local files, or some of their columns, tasks read the files
        directly. Other rows pass through the Java process, which costs more than a linear model.
    column : an array of numbers, a vector of Spark ML, or binary values that hold float32.
    code, form, keep_features : as for :class:`structhash.arrow.BatchEncoder`; with keep_features all rows pass through Java.
    read_files : False: all rows pass through Java. The rows are the same; their order may differ.

    The model is broadcast once. A null, a vector of another length, NaN or infinity fails the job; the error names the
    column, the row and the file or partition.
    """
    df = _with_arrays(df, column)
    encoder = BatchEncoder(model, column, code=code, form=form, keep_features=keep_features)
    output = _encoded_type(df, encoder)
    encoder_of = _shared(df.sparkSession, encoder)
    tasks = tasks_of(df, encoder) if read_files and not keep_features else None
    if tasks:
        return _encoded_scan(df, EncodedScan(tasks, encoder_of, df.columns), output)

    def encode_partition(batches: Batches) -> Batches:
        return encoded_batches(batches, encoder_of(), _partition_name())

    return df.mapInArrow(encode_partition, output)


def encode_files(
    session: SparkSession,
    source: Source,
    model: Any,
    column: str,
    out: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    **options: Any,
) -> int:
    """:func:`structhash.parquet.encode` with a task per file: the same files, byte for byte; returns the number of rows.

    options : code, form, keep_features; see :class:`structhash.arrow.BatchEncoder`.

    Tasks read and write the files directly; no row passes through the Java process. Driver and workers must see `source`
    and the folder of `out` under the same names. Every attempt of a task writes its own temporary file; those of
    successful attempts are renamed at the end, the others are removed.
    """
    encoder = BatchEncoder(model, column, **options)
    files = [file.absolute() for file in files_of(source)]
    wanted = checked_columns(files, encoder, columns)
    encoder_of = _shared(session, encoder)
    sources = [str(file) for file in files]

    def encode_one(number: int, path: str) -> int:
        return encode_file(sources[number], path, encoder_of(), wanted)

    with whole_folder(out) as folder:
        return write_by_tasks(session, folder, [file.name for file in files], encode_one)


def write_parquet(df: DataFrame, out: str | os.PathLike[str]) -> None:
    """Writes the DataFrame to a new folder, which one rename makes visible when everything is written.

    If :func:`encode` read local files and `out` is local, the tasks write the files directly; otherwise Spark writes. On
    object stores a rename is a copy: the folder is complete when it has the file `_SUCCESS`. An error of a worker is
    raised here as one line.
    """
    context = df.sparkSession.sparkContext
    java: Any = context._jvm
    path = java.org.apache.hadoop.fs.Path
    files = path(os.fspath(out)).getFileSystem(context._jsc.hadoopConfiguration())
    final = files.makeQualified(path(os.fspath(out)))
    if files.exists(final):
        raise already_exists(out)
    scan, place = getattr(df, SCAN, None), final.toUri()
    compression = COMPRESSIONS.get(df.sparkSession.conf.get("spark.sql.parquet.compression.codec") or "")
    if scan is not None and compression is not None and place.getScheme() == "file":
        _write_scan(df, scan, Path(place.getPath()), compression)
        return
    unfinished = path(final.getParent(), f".{final.getName()}.tmp-{secrets.token_hex(4)}")  # hidden from readers
    try:
        explained(lambda: df.write.parquet(unfinished.toString()))
        if files.exists(final) or not files.rename(unfinished, final):  # rename would move into an existing folder
            raise FileExistsError(f"cannot rename the output to {out}; was it created by another program meanwhile?")
    finally:
        files.delete(unfinished, True)


class EncodedScan(NamedTuple):
    """What the tasks of an encoded DataFrame read; write_parquet uses it."""

    tasks: list[list[Piece]]
    encoder_of: Callable[[], BatchEncoder]
    columns: list[str]

    def batches(self, number: int) -> Batches:
        return encoded_pieces(self.tasks[number], self.encoder_of(), self.columns)


def _encoded_scan(df: DataFrame, scan: EncodedScan, output: Any) -> DataFrame:
    def encode_numbers(batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from scan.batches(number)

    count = len(scan.tasks)
    encoded = df.sparkSession.range(0, count, 1, count).mapInArrow(encode_numbers, output)
    setattr(encoded, SCAN, scan)  # DataFrames derived from this one do not have it
    return encoded


def _write_scan(df: DataFrame, scan: EncodedScan, out: Path, compression: str) -> None:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(df.schema)

    def write_one(number: int, path: str) -> int:
        return write_batches((batch.cast(schema) for batch in scan.batches(number)), path, schema, compression)

    out.parent.mkdir(parents=True, exist_ok=True)  # as Spark does
    with whole_folder(out) as folder:
        write_by_tasks(df.sparkSession, folder, [f"part-{n:05}.parquet" for n in range(len(scan.tasks))], write_one)
        (folder / "_SUCCESS").touch()


def _with_arrays(df: DataFrame, column: str) -> DataFrame:
    """The DataFrame with Spark ML vectors as arrays; raises ValueError for a column of another type."""
    from pyspark.sql import types

    require_column(column, df.columns)
    kind = df.schema[column].dataType
    if isinstance(kind, types.UserDefinedType):
        from pyspark.ml.functions import vector_to_array

        return df.withColumn(column, vector_to_array(df[column], "float32"))
    holds_numbers = isinstance(kind, types.ArrayType) and isinstance(kind.elementType, types.NumericType)
    if not (holds_numbers or isinstance(kind, types.BinaryType)):
        raise ValueError(
            f"column {column!r} holds {kind.simpleString()}; vectors are arrays of numbers, vectors of Spark ML "
            "or binary values that hold float32"
        )
    return df


def _encoded_type(df: DataFrame, encoder: BatchEncoder) -> Any:
    from pyspark.sql import types

    fields = [field for field in df.schema if encoder.keep_features or field.name != encoder.column]
    require_new_column(encoder.code, [field.name for field in fields])
    kind = types.BinaryType() if encoder.form == "binary" else types.LongType()
    return types.StructType([*fields, types.StructField(encoder.code, kind, False)])


def _shared(session: SparkSession, encoder: BatchEncoder) -> Callable[[], BatchEncoder]:
    """A function that returns the encoder on a worker; the model is broadcast as the bytes of its file."""
    content = session.sparkContext.broadcast(to_bytes(encoder.model))
    options = {name: getattr(encoder, name) for name in ("code", "form", "keep_features")}
    column, version = encoder.column, _core.code_version

    def encoder_of() -> BatchEncoder:
        if _core.code_version != version:
            raise ValueError(
                f"worker {socket.gethostname()} has structhash {_core.code_version}, the driver {version}; "
                "install the same version on both"
            )
        return BatchEncoder(from_bytes(content.value), column, **options)

    return encoder_of


def _partition_name() -> str:
    from pyspark import TaskContext

    context = TaskContext.get()
    return "partition ?" if context is None else f"partition {context.partitionId()}"
