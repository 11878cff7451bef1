"""Encodes Arrow columns of feature vectors, for Spark, Dask, Ray and Parquet files. Needs pyarrow.

>>> from structhash.arrow import BatchEncoder
>>> encoder = BatchEncoder("model.shm", "features")                     # doctest: +SKIP
>>> dataset.map_batches(encoder, batch_format="pyarrow")                # Ray  # doctest: +SKIP
>>> frame.map_partitions(encoder.frame, meta=encoder.frame(frame._meta))  # Dask  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _model_bytes  # noqa: F401  (makes models picklable)
from ._arrays import Codes, FloatRows
from ._core import Model
from .interop import from_uint64, to_uint64

if TYPE_CHECKING:
    import pandas
    import pyarrow

Form = Literal["binary", "bigint"]


class Place(NamedTuple):
    """Origin of a batch, for messages. Rows count from 0."""

    column: str
    origin: str = ""  # file or partition
    first_row: int = 0

    def error(self, row: int, problem: str) -> ValueError:
        origin = f" of {self.origin}" if self.origin else ""
        return ValueError(f"column {self.column!r}, row {self.first_row + int(row)}{origin}: {problem}")


def model_of(model: Any) -> Model:
    """The model itself, that of a fitted estimator, or that of a model file."""
    if isinstance(model, (str, os.PathLike)):
        return Model.load(os.fspath(model))
    fitted = getattr(model, "model_", model)
    if not isinstance(fitted, Model):
        raise TypeError(f"encoding needs a fitted estimator, a Model or the name of a model file, got {model!r:.200}")
    return fitted


class BatchEncoder:
    """Replaces the column of feature vectors of a table by a column of codes; other columns stay unchanged.

    model : fitted estimator, Model, or name of a model file.
    column : lists of numbers, or binary values that hold float32, least significant byte first. Every row must have as many
        numbers as the model has columns; null, NaN and infinity are refused.
    code : name of the column of codes, which becomes the last one.
    form : "binary" (ceil(bits / 8) bytes, least significant bit first) or, up to 64 bits, "bigint" (the same bytes as a
        signed number of 64 bits).
    keep_features : whether to keep the column of feature vectors.

    The encoder can be pickled and sent to other machines.
    """

    def __init__(
        self, model: Any, column: str, *, code: str = "code", form: Form = "binary", keep_features: bool = False
    ) -> None:
        self.model = model_of(model)
        self.column, self.code, self.form, self.keep_features = column, code, form, keep_features
        check_form(form, self.model.bits)

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """The table with codes; Ray maps this over its blocks."""
        import pyarrow

        encoded, first_row = [], 0
        for batch in table.to_batches():
            encoded.append(self.batch(batch, first_row=first_row))
            first_row += batch.num_rows
        return pyarrow.Table.from_batches(encoded, self.schema(table.schema))

    def frame(self, frame: pandas.DataFrame) -> pandas.DataFrame:
        """A pandas frame with codes and the same index; Dask maps this over its partitions."""
        import pyarrow

        rest = frame if self.keep_features else frame.drop(columns=self.column)
        require_new_column(self.code, rest.columns)
        values = pyarrow.array(frame[self.column], from_pandas=True) if len(frame) else pyarrow.array([], "float")
        codes = self.codes(values, Place(self.column)) if len(frame) else np.empty((0, self._width), np.uint8)
        return rest.assign(**{self.code: code_array(codes, self.model.bits, self.form).to_pandas().to_numpy()})

    def batch(self, batch: pyarrow.RecordBatch, origin: str = "", first_row: int = 0) -> pyarrow.RecordBatch:
        """One record batch; origin and first row appear in error messages."""
        import pyarrow

        schema = self.schema(batch.schema)
        codes = self.codes(batch.column(self.column), Place(self.column, origin, first_row))
        columns = [batch.column(name) for name in schema.names[:-1]]
        return pyarrow.RecordBatch.from_arrays([*columns, code_array(codes, self.model.bits, self.form)], schema=schema)

    def schema(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The schema of the output for a schema of the input."""
        import pyarrow

        require_column(self.column, schema.names)
        fields = [field for field in schema if self.keep_features or field.name != self.column]
        require_new_column(self.code, [field.name for field in fields])
        kind = pyarrow.binary() if self.form == "binary" else pyarrow.int64()
        return pyarrow.schema([*fields, pyarrow.field(self.code, kind, nullable=False)])

    def codes(self, column: pyarrow.Array, place: Place, threads: int = 1) -> Codes:
        """Packed codes of one column."""
        rows = feature_rows(column, self.model.dimension, place)
        try:
            return self.model.encode(rows, threads)
        except ValueError:
            wrong = np.argwhere(~np.isfinite(rows))
            if not len(wrong):
                raise
            row, position = wrong[0]
            raise place.error(row, f"value {position} is {rows[row, position]}; values must be finite") from None

    @property
    def _width(self) -> int:
        return (self.model.bits + 7) // 8


def require_column(column: str, names: Iterable[str], origin: str = "") -> None:
    """Raises ValueError unless the column exists."""
    if column not in names:
        raise ValueError(f"{origin and origin + ': '}no column {column!r}; columns are {', '.join(names)}")


def require_new_column(code: str, names: Iterable[str]) -> None:
    """Raises ValueError if a column has the name for the codes."""
    if code in names:
        raise ValueError(f"a column {code!r} already exists; choose another name for the codes")


def check_form(form: str, bits: int) -> None:
    """Raises ValueError unless codes of this length fit the form."""
    if form not in ("binary", "bigint"):
        raise ValueError(f"form must be 'binary' or 'bigint', got {form!r}")
    if form == "bigint" and bits > 64:
        raise ValueError(f"form 'bigint' holds 64 bits, the codes have {bits}; use form='binary'")


def feature_rows(column: pyarrow.Array, dimension: int, place: Place) -> FloatRows:
    """The vectors of a column as rows of float32, without a copy if the column holds float32."""
    from pyarrow import types

    column = getattr(column, "storage", column)  # of an extension type, such as fixed_shape_tensor
    if column.null_count:
        raise place.error(np.flatnonzero(column.is_null())[0], "the vector is null; leave out or fill such rows")
    if types.is_binary(column.type) or types.is_large_binary(column.type) or types.is_fixed_size_binary(column.type):
        return _rows_of_bytes(column, dimension, place)
    if not is_list(column.type):
        raise place.error(0, f"the column holds {column.type}; vectors are lists of numbers or bytes of float32")
    kind = column.type.value_type
    if not (types.is_floating(kind) or types.is_integer(kind)):
        raise place.error(0, f"the lists hold {kind}; vectors are lists of numbers")
    _check_lengths(_list_lengths(column), dimension, "numbers", place)
    values = column.flatten()
    if values.null_count:
        row, position = divmod(int(np.flatnonzero(values.is_null())[0]), dimension)
        raise place.error(row, f"value {position} is null; values must be finite")
    with np.errstate(over="ignore"):  # the encoder refuses infinite values
        numbers = values.to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    return numbers.reshape(len(column), dimension)


def is_list(kind: Any) -> bool:
    """Whether an Arrow type is some kind of list."""
    from pyarrow import types

    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


def code_array(codes: Codes, bits: int, form: Form) -> pyarrow.Array:
    """Packed codes as an Arrow column; without a copy for form "binary"."""
    import pyarrow

    if form == "bigint":
        return pyarrow.array(to_uint64(codes, bits).ravel().view(np.int64))
    ends = np.arange(0, codes.size + 1, codes.shape[1], dtype=np.int32)
    return pyarrow.Array.from_buffers(
        pyarrow.binary(), len(codes), [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(codes)]
    )


def codes_of_array(column: pyarrow.Array, bits: int, place: Place) -> Codes:
    """Packed codes from a column of either form; the inverse of :func:`code_array`."""
    import pyarrow
    from pyarrow import types

    if column.null_count:
        raise place.error(np.flatnonzero(column.is_null())[0], "the code is null")
    if types.is_int64(column.type) or types.is_uint64(column.type):
        return from_uint64(column.to_numpy().view(np.uint64), bits)
    width = (bits + 7) // 8
    if types.is_fixed_size_binary(column.type):
        column = column.cast(pyarrow.binary())
    if not (types.is_binary(column.type) or types.is_large_binary(column.type)):
        raise place.error(0, f"the column holds {column.type}; codes are binary, int64 or uint64")
    _check_lengths(np.diff(_ends(column)), width, "bytes", place)
    return _bytes_of(column, width)


def _rows_of_bytes(column: pyarrow.Array, dimension: int, place: Place) -> FloatRows:
    import pyarrow
    from pyarrow import types

    if types.is_fixed_size_binary(column.type):
        column = column.cast(pyarrow.binary())
    _check_lengths(np.diff(_ends(column)), 4 * dimension, f"bytes for {dimension} float32", place)
    rows = _bytes_of(column, 4 * dimension)
    return np.require(rows.view("<f4"), dtype=np.float32, requirements=["C", "A"])


def _bytes_of(column: pyarrow.Array, width: int) -> Codes:
    """The bytes of a column of equally long values, one row per value."""
    start = int(_ends(column)[0])
    content = column.buffers()[2]
    if content is None or not len(column):
        return np.empty((0, width), dtype=np.uint8)
    return np.frombuffer(content, np.uint8, len(column) * width, start).reshape(len(column), width)


def _ends(column: pyarrow.Array) -> Any:
    """Start of each value of a binary column, and end of the last one."""
    from pyarrow import types

    kind = np.int64 if types.is_large_binary(column.type) else np.int32
    buffer = column.buffers()[1]
    if buffer is None or not len(column):
        return np.zeros(1, dtype=kind)
    return np.frombuffer(buffer, kind, len(column) + 1, column.offset * np.dtype(kind).itemsize)


def _list_lengths(column: pyarrow.Array) -> Any:
    from pyarrow import types

    if types.is_fixed_size_list(column.type):
        return np.full(min(1, len(column)), column.type.list_size)
    return np.diff(column.offsets.to_numpy())


def _check_lengths(lengths: Any, expected: int, what: str, place: Place) -> None:
    wrong = np.flatnonzero(lengths != expected)
    if len(wrong):
        raise place.error(wrong[0], f"has {lengths[wrong[0]]} {what.split()[0]}; expected {expected} {what}")
