"""Exports codes to search engines: a folder with data files and the SQL to create, fill and query the tables.

`python -m structhash export ENGINE codes.shc --model model.shm --out FOLDER`; docs/scale.md has the capacity of a node.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from . import __version__, _core
from ._code_source import Block, CodeSource
from ._core import Model
from ._whole_folder import whole_folder
from .arrow import Form, check_form, code_array, model_of
from .interop import clickhouse, pgvector, to_faiss, to_pgbit

Engine = Literal["clickhouse", "pgvector", "faiss", "parquet"]

DISTANCE = "structhash_distance"  # the function of weighted distance in SQL
ROWS_PER_FILE = 10_000_000
_LINES_AT_A_TIME = 100_000


@dataclass(frozen=True)
class Plan:
    """What to export, and the options of the engines."""

    source: CodeSource
    weights: Any  # None: plain Hamming distance
    table: str = "codes"
    k: int = 100
    rows_per_file: int = ROWS_PER_FILE
    partitions: int = 8  # of PostgreSQL's table
    candidates: int = 400  # from the index, to re-rank by weighted distance
    cluster: str = "default"  # of ClickHouse
    form: Form = "binary"  # of codes in Parquet files


def _write_files(plan: Plan, folder: Path, pattern: str, write: Callable[[Path, Block], None]) -> dict[str, int]:
    """Writes a file per block of codes; returns the number of rows by file name."""
    (folder / "data").mkdir()
    written = {}
    for number, block in enumerate(plan.source.blocks(plan.rows_per_file)):
        name = f"data/{pattern.format(number)}"
        write(folder / name, block)
        written[name] = len(block.ids)
    return written


def export(
    engine: Engine,
    codes: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    model: Any = None,
    bits: int | None = None,
    id_column: str = "id",
    code_column: str = "code",
    **choices: Any,
) -> int:
    """Writes the new folder `out`; it appears when it is complete. Returns the number of codes.

    codes : a code file, a Parquet file or a folder of them (columns `id_column` and `code_column`).
    model : its bit weights define the distance; None: plain Hamming distance.
    choices : table, k, rows_per_file, partitions, candidates, cluster, form; see :class:`Plan`.
    """
    if engine not in _ENGINES:
        raise ValueError(f"engine must be one of {', '.join(_ENGINES)}, got {engine!r}")
    known = None if model is None else model_of(model)
    if bits is None and known is not None:
        bits = known.bits
    source = CodeSource(codes, bits=bits, id_column=id_column, code_column=code_column)
    if known is not None:
        _check_same_model(model, known, source)
    plan = Plan(source, None if known is None else known.bit_weights, **choices)
    if plan.rows_per_file < 1:
        raise ValueError(f"rows per file must be at least 1, got {plan.rows_per_file}")
    with whole_folder(out) as folder:
        files = _ENGINES[engine](plan, folder)
        _write_manifest(folder, engine, plan, files)
    return sum(files.values())


def _check_same_model(model: Any, known: Model, source: CodeSource) -> None:
    """Raises ValueError if the codes have another length than the model, or come from another model file."""
    if known.bits != source.bits:
        raise ValueError(f"the model gives codes of {known.bits} bits; {source.path} holds codes of {source.bits}")
    if source.model and isinstance(model, (str, os.PathLike)):
        identity = _core.file_identity(os.fspath(model))
        if identity != source.model:
            raise ValueError(f"{source.path} comes from the model {source.model}; {os.fspath(model)} is {identity}")


def _write_clickhouse(plan: Plan, folder: Path) -> dict[str, int]:
    bits = plan.source.bits

    def write(file: Path, block: Block) -> None:
        clickhouse.write_parquet(file, block.codes, bits, block.ids)

    schema = [clickhouse.create_table(plan.table, bits)]
    queries = [clickhouse.parameterized(plan.table, plan.k, bits)]
    if plan.weights is not None:
        schema.append(clickhouse.create_distance(DISTANCE, plan.weights))
        queries.append(clickhouse.parameterized(plan.table, plan.k, bits, DISTANCE))
    distributed = clickhouse.create_distributed(f"{plan.table}_everywhere", plan.table, plan.cluster)
    load = f"INSERT INTO {plan.table} (id, code) SELECT id, code FROM file('data/*.parquet')"
    _write_sql(folder / "schema.sql", "On every node.", schema)
    _write_sql(folder / "distributed.sql", _DISTRIBUTED, [distributed])
    _write_sql(folder / "load.sql", "On every node, for the files of its share, in its folder user_files.", [load])
    _write_sql(folder / "query.sql", _CLICKHOUSE_QUERY, queries)
    return _write_files(plan, folder, "part-{:05}.parquet", write)


def _write_pgvector(plan: Plan, folder: Path) -> dict[str, int]:
    bits, candidates = plan.source.bits, max(plan.candidates, plan.k)
    if candidates > pgvector.MAX_CANDIDATES:
        raise ValueError(
            f"candidates and k must be at most {pgvector.MAX_CANDIDATES} for an HNSW index, got {candidates}"
        )

    def write(file: Path, block: Block) -> None:
        with open(file, "w", encoding="ascii") as lines:
            for start in range(0, len(block.ids), _LINES_AT_A_TIME):
                part = slice(start, start + _LINES_AT_A_TIME)
                lines.write(pgvector.copy_lines(block.codes[part], bits, block.ids[part]))

    schema = ["CREATE EXTENSION IF NOT EXISTS vector"]
    schema += pgvector.create_partitioned_table(plan.table, bits, plan.partitions)
    queries = [f"SET hnsw.ef_search = {candidates}", pgvector.prepared("nearest", plan.table, plan.k, bits)]
    if plan.weights is not None:
        schema.append(pgvector.create_distance(DISTANCE, plan.weights))
        queries.append(pgvector.prepared("nearest_weighted", plan.table, plan.k, bits, DISTANCE))
        queries.append(pgvector.prepared("nearest_reranked", plan.table, plan.k, bits, DISTANCE, candidates))
    _write_sql(folder / "schema.sql", "Needs pgvector 0.7 or later.", schema)
    _write_sql(
        folder / "index.sql",
        "After loading: an HNSW index on every partition.",
        [pgvector.create_hnsw_index(plan.table)],
    )
    _write_sql(folder / "query.sql", _PGVECTOR_QUERY, queries)
    files = _write_files(plan, folder, "part-{:05}.tsv", write)
    copies = "".join(f"\\copy {plan.table} (id, code) FROM '{file}'\n" for file in files)
    (folder / "load.sql").write_text(f"-- For psql, started in this folder.\n{copies}", encoding="ascii")
    return files


def _write_faiss(plan: Plan, folder: Path) -> dict[str, int]:
    import faiss

    def write(file: Path, block: Block) -> None:
        faiss.write_index_binary(to_faiss(block.codes, bits=plan.source.bits, ids=block.ids), str(file))

    return _write_files(plan, folder, "shard-{:05}.faiss", write)


def _write_parquet(plan: Plan, folder: Path) -> dict[str, int]:
    import pyarrow
    import pyarrow.parquet

    check_form(plan.form, plan.source.bits)

    def write(file: Path, block: Block) -> None:
        column = code_array(block.codes, plan.source.bits, plan.form)
        pyarrow.parquet.write_table(pyarrow.table({"id": block.ids, "code": column}), file)

    return _write_files(plan, folder, "part-{:05}.parquet", write)


def read_faiss(folder: str | os.PathLike[str]) -> Any:
    """A Faiss index over all shards of an exported folder."""
    import faiss

    from .interop import to_faiss_shards

    files = json.loads(Path(folder, "export.json").read_text())["files"]
    return to_faiss_shards([faiss.read_index_binary(str(Path(folder, file))) for file in files])


def query_text(engine: Engine, code: Any, bits: int) -> str:
    """A code as argument of the exported statements: a ClickHouse parameter or a PostgreSQL bit string."""
    return (
        clickhouse.query_parameter(code, bits) if engine == "clickhouse" else f"B'{to_pgbit(code[None, :], bits)[0]}'"
    )


def _write_sql(path: Path, comment: str, statements: list[str]) -> None:
    lines = "".join(f"-- {line}\n" for line in comment.splitlines())
    path.write_text(lines + "".join(f"{statement};\n" for statement in statements), encoding="ascii")


def _write_manifest(folder: Path, engine: str, plan: Plan, files: dict[str, int]) -> None:
    """Writes export.json: the content of the folder, for programs."""
    content = {
        "engine": engine,
        "rows": sum(files.values()),
        "bits": plan.source.bits,
        "bit_order": "lsb-first",
        "distance": "hamming" if plan.weights is None else "weighted",
        "weights": None if plan.weights is None else [float(weight) for weight in plan.weights],
        "model": plan.source.model,
        "files": files,
        "version": __version__,
    }
    (folder / "export.json").write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


_CLICKHOUSE_QUERY = """By Hamming distance and, for a model with weights, by weighted distance: exact, ties in order of id.
The parameter is one code, from structhash.export.query_text: clickhouse-client --param_query=NUMBER --query=STATEMENT"""

_DISTRIBUTED = "On the nodes that receive queries; the statements of query.sql also work with the name of this table."

_PGVECTOR_QUERY = """EXECUTE nearest(B'...') is approximate if it uses the index. With a model that has weights: nearest_weighted ranks
all codes, which is exact; nearest_reranked re-ranks the candidates of the index by weighted distance."""

_ENGINES: dict[str, Callable[[Plan, Path], dict[str, int]]] = {
    "clickhouse": _write_clickhouse,
    "pgvector": _write_pgvector,
    "faiss": _write_faiss,
    "parquet": _write_parquet,
}
