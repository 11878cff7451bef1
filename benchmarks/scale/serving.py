#!/usr/bin/env python3
"""Codes on engines that exist: same neighbours, time per query, bytes per code, and what follows for billions of codes.

    scripts/test_scale.sh build/wheel/*.whl                     # makes the environment
    build/scale-venv/bin/python benchmarks/scale/serving.py [--rows 10000000] [--folder DIR]

Every engine gets the folder that `python -m structhash export` writes. ClickHouse (chdb) must give exactly our neighbours by
weighted distance, ids in order and distances float for float; Faiss the same Hamming distances; PostgreSQL (PGlite, far fewer codes,
as it runs in WebAssembly on one core) our neighbours where it ranks all codes. Exit status 1 if one does not.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "python_interop"))

from cost_model import print_series

import structhash
from structhash.arrow import code_array
from structhash.export import export, query_text, read_faiss

BITS, K, QUERIES = 64, 100, 20
NODE_CORES, NODE_GIB, NODE_BYTES_PER_SECOND, WANTED_SECONDS = 32, 128, 100e9, 1.0


class Row(NamedTuple):
    """What one way of asking one engine was measured at."""

    engine: str
    codes: int
    seconds: float  # per query, median
    processor: (
        float  # processor seconds of a query on all cores together, the least: other work on the machine counts little
    )
    bytes_per_code: float
    grows: bool  # whether the time grows with the codes, as that of a scan
    verdict: str


class Workload:
    """Codes around a thousand centres, a model of theirs with weights, queries, and our own answers."""

    def __init__(self, rows, folder):
        rng = np.random.default_rng(rows)
        centres = rng.integers(0, 2**64, 1000, dtype=np.uint64)
        flips = rng.integers(0, 2**64, (3, rows + QUERIES), dtype=np.uint64)
        words = centres[rng.integers(0, 1000, rows + QUERIES)] ^ (flips[0] & flips[1] & flips[2])
        table = np.ascontiguousarray(words[:, None]).view(np.uint8)
        self.codes, self.queries = table[:rows], table[rows:]
        self.model = trained_model(folder)
        self.source = folder / "codes.parquet"
        columns = {"id": np.arange(rows), "code": code_array(self.codes, BITS, "binary")}
        pa.parquet.write_table(pa.table(columns), self.source)
        self.index = structhash.Index(structhash.load(self.model))
        self.index.add(self.codes)
        self.answers = self.index.search(self.queries, K, n_jobs=-1)
        self.plain = structhash.Index(bits=BITS)
        self.plain.add(self.codes)

    def is_ours(self, line, distances, ids):
        return ids == self.answers[1][line].tolist() and np.array_equal(np.float32(distances), self.answers[0][line])


def trained_model(folder):
    """StructHash of digits with 64 bits: weights as they are learned."""
    table = np.loadtxt(ROOT / "data/digits/digits.csv.gz", delimiter=",", dtype=np.float32)
    hasher = structhash.StructHash(bits=BITS, measure="map", ridge=0.02, penalty=0.2, trade_off=30)
    hasher.fit(table[:300, :64], table[:300, 64].astype(int)).save(folder / "model.shm")
    return folder / "model.shm"


class Times(NamedTuple):
    seconds: float
    processor: float


def times(work, count=QUERIES):
    """Of one query at a time; the first is not counted."""
    work(0)
    measured = []
    for number in range(count):
        start = time.perf_counter(), time.process_time()
        work(number)
        measured.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return Times(statistics.median(wall for wall, _ in measured), min(processor for _, processor in measured))


def statements(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("--")]
    return [statement for statement in "\n".join(lines).split(";\n") if statement.strip()]


def ask_ours(load):
    def weighted(number):
        return load.index.search(load.queries[number : number + 1], K, n_jobs=-1)

    def plain(number):
        return load.plain.search(load.queries[number : number + 1], K, n_jobs=-1)

    size, rows = load.index.nbytes / len(load.codes), len(load.codes)
    sizes = [rows // part for part in (8, 4, 2, 1)]
    print_series(
        "structhash.Index, weighted, processor seconds per query",
        sizes,
        index_series(load, sizes),
        (1e6, 1e7, 1e8, 1e9),
    )
    yield Row("structhash.Index, weighted", rows, *times(weighted), size, True, "")
    yield Row("structhash.Index, Hamming", rows, *times(plain), size, True, "")


def index_series(load, sizes):
    """Processor seconds per query of indexes over the first codes."""
    seconds = []
    for size in sizes:
        index = structhash.Index(structhash.load(load.model))
        index.add(load.codes[:size])

        def ask(number, index=index):
            index.search(load.queries[number : number + 1], K, n_jobs=-1)

        seconds.append(times(ask).processor)
    return seconds


def ask_clickhouse(load, folder):
    from chdb import session

    export("clickhouse", load.source, folder / "clickhouse", model=load.model, rows_per_file=2_500_000)
    engine = session.Session(str(folder / "chdb"))
    for statement in ["CREATE DATABASE d ENGINE = Atomic", "USE d", *statements(folder / "clickhouse" / "schema.sql")]:
        engine.query(statement)
    engine.query(statements(folder / "clickhouse" / "load.sql")[0].replace("data/", f"{folder}/clickhouse/data/"))
    engine.query("OPTIMIZE TABLE codes FINAL")
    stored = "SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts WHERE active AND table = 'codes'"
    size = float(str(engine.query(stored, "TSV")))

    def ask(sql, number):
        query = query_text("clickhouse", load.queries[number], BITS)
        text = str(engine.query(sql, "JSONCompactEachRow", params={"query": query}))
        rows = [json.loads(line) for line in text.splitlines()]
        return [float(row[1]) for row in rows], [int(row[0]) for row in rows]

    plain, weighted = statements(folder / "clickhouse" / "query.sql")
    same = all(load.is_ours(number, *ask(weighted, number)) for number in range(QUERIES))
    rows = len(load.codes)
    found = times(lambda number: ask(weighted, number))
    yield Row("ClickHouse, weighted", rows, *found, size, True, "pass" if same else "FAIL")
    yield Row("ClickHouse, Hamming", rows, *times(lambda number: ask(plain, number)), size, True, "")
    sizes = [rows // part for part in (8, 4, 2, 1)]
    parts = [weighted.replace(" ORDER BY", f" WHERE id < {size} ORDER BY") for size in sizes]
    seconds = [times(lambda number, sql=sql: ask(sql, number), 10).processor for sql in parts]
    print_series("ClickHouse, weighted, processor seconds per query", sizes, seconds, (1e6, 1e7, 1e8, 1e9))
    engine.close()


def ask_faiss(load, folder, cores):
    rows = len(load.codes)
    export("faiss", load.source, folder / "faiss", rows_per_file=-(-rows // cores))
    size = sum(file.stat().st_size for file in (folder / "faiss" / "data").iterdir()) / rows
    index = read_faiss(folder / "faiss")
    expected = load.plain.search(load.queries, K, n_jobs=-1)[0]
    same = np.array_equal(index.search(load.queries, K)[0], expected)
    found = times(lambda number: index.search(load.queries[number : number + 1], K))
    yield Row("Faiss shards, Hamming", rows, *found, size, True, "pass" if same else "FAIL")


def ask_postgresql(load, folder, rows):
    from pglite import Database

    packages = Path(os.environ.get("STRUCTHASH_PGLITE", ROOT / "build" / "interop-node"))
    if not (packages / "node_modules" / "@electric-sql" / "pglite-pgvector").is_dir():
        print(f"PGlite is not installed in {packages}: left out (scripts/test_interop.sh installs it)")
        return
    small = pa.parquet.read_table(load.source).slice(0, rows)
    pa.parquet.write_table(small, folder / "few.parquet")
    export("pgvector", folder / "few.parquet", folder / "pgvector", model=load.model, partitions=4)
    index = structhash.Index(structhash.load(load.model))
    index.add(load.codes[:rows])
    database = Database(packages)
    fill_postgresql(database, folder / "pgvector")
    sizes = "SELECT sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)) FROM pg_class c WHERE c.relname ~ '^codes_[0-9]+$'"
    table, indexes = map(float, database.run(sizes)[0])

    def ask(statement, number):
        return database.run(f"EXECUTE {statement}({query_text('pgvector', load.queries[number], BITS)})")

    expected = index.search(load.queries, K)[1]
    same = all([int(row[0]) for row in ask("nearest_weighted", n)] == expected[n].tolist() for n in range(QUERIES))
    verdict = "pass" if same else "FAIL"
    seconds = times(lambda number: ask("nearest_weighted", number), 5).seconds  # one core, in a process of its own
    yield Row("PostgreSQL (PGlite), weighted, all", rows, seconds, seconds, table / rows, True, verdict)
    database.run("SET enable_seqscan = off")
    found = [
        len({int(row[0]) for row in ask("nearest_reranked", n)} & set(expected[n].tolist())) for n in range(QUERIES)
    ]
    recall = f"recall {sum(found) / K / QUERIES:.2f}"
    seconds = times(lambda number: ask("nearest_reranked", number)).seconds
    yield Row(
        "PostgreSQL (PGlite), HNSW, ranked again", rows, seconds, seconds, (table + indexes) / rows, False, recall
    )
    database.close()


def fill_postgresql(database, folder):
    for statement in statements(folder / "schema.sql"):
        database.run(statement)
    lines = "".join(file.read_text() for file in sorted((folder / "data").iterdir())).splitlines()
    for start in range(0, len(lines), 5000):
        pairs = (line.split("\t") for line in lines[start : start + 5000])
        database.run(
            f"INSERT INTO codes (id, code) VALUES {','.join(f'({number},B{text!r})' for number, text in pairs)}"
        )
    for statement in [*statements(folder / "index.sql"), *statements(folder / "query.sql"), "ANALYZE codes"]:
        database.run(statement)


def print_measured(rows):
    print("\n| engine | codes | ms per query | processor ms | ns per code | bytes per code | same as ours |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        cost = f"{row.processor / row.codes * 1e9:.2f}" if row.grows else "–"
        milliseconds = f"{row.seconds * 1e3:,.1f} | {row.processor * 1e3:,.1f}"
        print(f"| {row.engine} | {row.codes:,} | {milliseconds} | {cost} | {row.bytes_per_code:.1f} | {row.verdict} |")


def print_arithmetic(rows):
    """Nodes for the memory: codes x bytes / memory. For the time: codes x seconds per code / wanted seconds, where a node
    takes max(processor seconds / cores, bytes / bandwidth) per code. Both rounded up."""
    room = 0.75 * NODE_GIB * 2**30
    node = f"{NODE_CORES} cores, {NODE_GIB} GiB, three quarters of it for codes, {NODE_BYTES_PER_SECOND / 1e9:g} GB/s"
    print(f"\nNodes of {node}:")
    print(
        f"\n| engine | codes per node | seconds, full node | nodes for 10^9: memory / {WANTED_SECONDS:g} s | for 10^10 |"
    )
    print("| --- | --- | --- | --- | --- |")
    for row in rows:
        per_node = room / row.bytes_per_code
        by_cores = row.processor / row.codes / NODE_CORES
        per_code = max(by_cores, row.bytes_per_code / NODE_BYTES_PER_SECOND)
        full = f"{per_node * per_code:,.1f}" if row.grows else "–"
        nodes = []
        for codes in (1e9, 1e10):
            memory = int(np.ceil(codes / per_node))
            time_bound = f" / {int(np.ceil(codes * per_code / WANTED_SECONDS))}" if row.grows else ""
            nodes.append(f"{memory}{time_bound}")
        print(f"| {row.engine} | {per_node / 1e9:.1f} x 10^9 | {full} | {nodes[0]} | {nodes[1]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--postgresql-rows", type=int, default=20_000)
    parser.add_argument("--folder", default=None, help="where the files are made (default: the system's)")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        load = Workload(options.rows, folder)
        rows = [*ask_ours(load), *ask_clickhouse(load, folder), *ask_faiss(load, folder, cores)]
        rows += ask_postgresql(load, folder, options.postgresql_rows)
    print(f"{BITS} bits, the {K} nearest, one query at a time, median of {QUERIES}, {cores} cores")
    print_measured(rows)
    print_arithmetic(rows)
    return 1 if any(row.verdict == "FAIL" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
