"""ClickHouse inside Python (chdb)."""

import json

import numpy as np
import pytest

from conftest import assert_same_neighbours, slow_distances, some_weights, tied_codes
from structhash import interop
from structhash.interop import clickhouse

ROWS, K = 1200, 15


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    pytest.importorskip("chdb", reason="chdb is not installed")
    from chdb import session

    engine = session.Session(str(tmp_path_factory.mktemp("clickhouse")))
    engine.query("CREATE DATABASE codes ENGINE = Atomic")
    yield lambda sql: [json.loads(line) for line in str(engine.query(sql, "JSONCompactEachRow")).splitlines()]
    engine.close()


@pytest.fixture(scope="module", params=[20, 64, 100, 256, 300], ids=lambda bits: f"{bits}bits")
def task(request, engine):
    bits = request.param
    codes, queries = tied_codes(ROWS, bits, bits), tied_codes(ROWS + 4, bits, bits)[ROWS:]
    engine(clickhouse.create_table(f"codes.of_{bits}", bits))
    engine(clickhouse.insert(f"codes.of_{bits}", codes, bits))
    return bits, codes, queries


def split(rows):
    return [float(row[1]) for row in rows], [int(row[0]) for row in rows]


def test_golden_code(engine, golden_code):
    number = int(interop.to_uint64(golden_code)[0, 0])
    assert engine(f"SELECT arrayFilter(i -> bitTest(toUInt64({number}), i), range(24)), bitCount({number})") == [
        [[0, 3, 9, 23], 4]
    ]


def test_hamming_neighbours(engine, task):
    bits, codes, queries = task
    table = slow_distances(queries, codes, np.ones(bits))
    for line, query in enumerate(queries):
        distances, ids = split(engine(clickhouse.nearest(f"codes.of_{bits}", query, K, bits)))
        assert_same_neighbours([distances], [ids], table[line : line + 1])
        assert ids == interop.nearest(table[line : line + 1], K)[1][0].tolist()  # ties in order of id


def test_weighted_neighbours_are_exact(engine, task):
    bits, codes, queries = task
    weights = some_weights(bits)
    table = slow_distances(queries, codes, weights)
    for line, query in enumerate(queries):
        distances, ids = split(engine(clickhouse.nearest_weighted(f"codes.of_{bits}", query, weights, K)))
        assert_same_neighbours([distances], [ids], table[line : line + 1], tolerance=1e-9)


def test_parquet_files(engine, task, tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    bits, codes, queries = task
    path = tmp_path / "codes.parquet"
    clickhouse.write_parquet(path, codes, bits, ids=np.arange(ROWS) + 10)
    name = f"codes.file_{bits}"
    engine(clickhouse.create_table(name, bits))
    engine(f"INSERT INTO {name} SELECT id, code FROM file('{path}')")
    table = slow_distances(queries[:1], codes, np.ones(bits))
    distances, ids = split(engine(clickhouse.nearest(name, queries[0], K, bits)))
    assert_same_neighbours([distances], [np.asarray(ids) - 10], table)


def test_statements_of_long_codes_stay_small():
    for bits in (256, 2048):
        sql = clickhouse.nearest_weighted("items", tied_codes(1, bits, 1), some_weights(bits), 10)
        assert len(sql) < 256 * 1024  # the default max_query_size


def test_what_is_wrong_is_named():
    codes = tied_codes(3, 16, 1)
    with pytest.raises(ValueError, match="plain SQL name"):
        clickhouse.create_table("a b", 16)
    with pytest.raises(ValueError, match="one code, got 3"):
        clickhouse.nearest("items", codes, 5)
    with pytest.raises(ValueError, match="no codes to insert"):
        clickhouse.insert("items", codes[:0])
    with pytest.raises(ValueError, match="one whole number per code"):
        clickhouse.insert("items", codes, ids=[0.5, 1, 2])
