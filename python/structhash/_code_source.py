"""Reads codes and their ids from code files and Parquet files, block by block."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Codes, Ids
from .arrow import Place, codes_of_array, require_column
from .parquet import files_of, open_file


class Block(NamedTuple):
    """Codes and their ids."""

    ids: Ids
    codes: Codes


class CodeSource:
    """Codes of one length, read in blocks."""

    def __init__(
        self, path: str | os.PathLike[str], *, bits: int | None = None, id_column: str = "id", code_column: str = "code"
    ) -> None:
        """Opens a code file (.shc; ids are 0, 1, 2, ...) or Parquet files with a column of ids and one of codes.

        bits : length of the codes in Parquet files, which do not store it; None: 8 bits per byte.
        """
        self.path = Path(path)
        self.columns = (id_column, code_column)
        self.model = ""  # identity of the model file, if known
        self._codes: Codes | None = None
        if self.path.is_dir() or self.path.suffix == ".parquet":
            self.files = files_of(self.path)
            self.bits = self._bits_in_files() if bits is None else int(bits)
            return
        self._codes, self.bits, self.model = _core.codes_of_file(os.fspath(path))
        if bits is not None and bits != self.bits:
            raise ValueError(f"bits must be {self.bits}, the length of the codes in {self.path}, got {bits}")

    def blocks(self, rows: int) -> Iterator[Block]:
        """All codes in order, in blocks of ``rows`` rows; the last block may be shorter."""
        ids, codes, waiting = [], [], 0
        for block in self._pieces(rows):
            while len(block.ids):
                taken = min(rows - waiting, len(block.ids))
                ids.append(block.ids[:taken])
                codes.append(block.codes[:taken])
                waiting += taken
                block = Block(block.ids[taken:], block.codes[taken:])
                if waiting == rows:
                    yield Block(np.concatenate(ids), np.concatenate(codes))
                    ids, codes, waiting = [], [], 0
        if waiting:
            yield Block(np.concatenate(ids), np.concatenate(codes))

    def _pieces(self, rows: int) -> Iterator[Block]:
        if self._codes is not None:
            for start in range(0, len(self._codes), rows):
                part = self._codes[start : start + rows]
                yield Block(np.arange(start, start + len(part)), part)
            return
        for file in self.files:
            yield from self._file_pieces(file, rows)

    def _file_pieces(self, file: Path, rows: int) -> Iterator[Block]:
        id_column, code_column = self.columns
        row = 0
        with open_file(file) as shard:
            self._check_names(file, shard.schema_arrow.names)
            for batch in shard.iter_batches(min(rows, 1 << 20), columns=list(self.columns)):
                ids = _whole_ids(batch.column(id_column), Place(id_column, str(file), row))
                codes = codes_of_array(batch.column(code_column), self.bits, Place(code_column, str(file), row))
                yield Block(ids, codes)
                row += batch.num_rows

    def _bits_in_files(self) -> int:
        """8 bits for each byte of the first code."""
        from pyarrow import types

        for file in self.files:
            with open_file(file) as shard:
                self._check_names(file, shard.schema_arrow.names)
                for batch in shard.iter_batches(1, columns=[self.columns[1]]):
                    column = batch.column(0)
                    return 64 if types.is_integer(column.type) else 8 * len(column[0].as_py() or b"")
        raise ValueError(f"{self.path} holds no codes, so the number of bits is unknown; give bits")

    def _check_names(self, file: Path, names: list[str]) -> None:
        for column in self.columns:
            require_column(column, names, str(file))


def _whole_ids(column: Any, place: Place) -> Ids:
    from pyarrow import types

    if not types.is_integer(column.type):
        raise place.error(0, f"the column holds {column.type}; ids are whole numbers")
    if column.null_count:
        raise place.error(np.flatnonzero(column.is_null())[0], "the id is null")
    ids = column.to_numpy().astype(np.int64)
    if len(ids) and ids.min() < 0:
        raise place.error(int(np.argmin(ids)), f"the id is {ids.min()}; ids are whole numbers from 0 to 2^63 - 1")
    return ids
