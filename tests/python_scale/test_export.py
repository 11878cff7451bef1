"""Exported folders, read by the engines they are for; weighted answers are those of our index, order and ties included."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from pglite import started_database

import structhash
import structhash.__main__
import structhash._code_source
from conftest import ROOT, left_over
from structhash import interop
from structhash.export import export, query_text, read_faiss
from structhash.interop import clickhouse, pgvector

K = 100


def near_codes(rows, bits, seed):
    """Codes near a few centres, so that many distances tie."""
    rng = np.random.default_rng(seed)
    centres = rng.random((12, bits)) < 0.5
    return interop.pack(centres[rng.integers(0, 12, rows)] ^ (rng.random((rows, bits)) < 0.06))


def some_weights(bits):
    """Weights with many digits, some equal, one zero: rounding shows."""
    weights = np.random.default_rng(bits).gamma(2.0, 0.3, bits).astype(np.float32)
    weights[3], weights[4] = weights[5], 0.0
    return weights


def index_of(codes, bits, weights, ids=None):
    index = structhash.Index(bits=bits, weights=weights)
    index.add(codes, ids)
    return index


@pytest.fixture(scope="module")
def code_files(model_file, codes, vectors, tmp_path_factory):
    """The same codes as a code file of the command, if it is built, and as Parquet files."""
    import pyarrow as pa
    import pyarrow.parquet

    folder = tmp_path_factory.mktemp("codes")
    column = structhash.arrow.code_array(codes, 32, "binary")
    table = pa.table({"id": np.arange(len(codes)), "code": column})
    (folder / "parquet").mkdir()
    pyarrow.parquet.write_table(table.slice(0, 2500), folder / "parquet" / "0.parquet")
    pyarrow.parquet.write_table(table.slice(2500), folder / "parquet" / "1.parquet")
    command = Path(os.environ.get("STRUCTHASH_COMMAND", ROOT / "build" / "release" / "bin" / "structhash"))
    if command.exists():
        np.save(folder / "x.npy", vectors)
        files = ["--model", model_file, "--features", folder / "x.npy", "--codes", folder / "codes.shc"]
        subprocess.run([command, "encode", *files], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def source(code_files):
    return code_files / "parquet"


@pytest.fixture(scope="module")
def ours(model_file, codes):
    """Our answers to the first 20 codes."""
    index = structhash.Index(structhash.load(model_file))
    index.add(codes)
    return index.search(codes[:20], K)


def statements(path):
    """Statements of an SQL file, comments left out."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("--")]
    return [statement for statement in "\n".join(lines).split(";\n") if statement.strip()]


def rows_of(answer):
    return [float(row[1]) for row in answer], [int(row[0]) for row in answer]


@pytest.fixture(scope="module")
def chdb(tmp_path_factory):
    pytest.importorskip("chdb", reason="chdb is not installed")
    from chdb import session

    engine = session.Session(str(tmp_path_factory.mktemp("clickhouse")))
    engine.query("CREATE DATABASE codes ENGINE = Atomic")
    engine.query("USE codes")

    def run(sql, query=None):
        options = {} if query is None else {"params": {"query": query}}
        return [json.loads(line) for line in str(engine.query(sql, "JSONCompactEachRow", **options)).splitlines()]

    yield run
    engine.close()


def test_clickhouse(chdb, model_file, codes, source, ours, tmp_path):
    assert export("clickhouse", source, tmp_path / "out", model=model_file, rows_per_file=1500) == len(codes)
    for statement in statements(tmp_path / "out" / "schema.sql"):
        chdb(statement)
    load = statements(tmp_path / "out" / "load.sql")[0]
    chdb(load.replace("data/*", str(tmp_path / "out" / "data" / "*")))
    assert chdb("SELECT count() FROM codes") == [[len(codes)]]
    plain, weighted = statements(tmp_path / "out" / "query.sql")
    index = index_of(codes, 32, None)
    for line, code in enumerate(codes[:20]):
        query = query_text("clickhouse", code, 32)
        distances, ids = rows_of(chdb(weighted, query))
        assert ids == ours[1][line].tolist()
        assert np.array_equal(np.float32(distances), ours[0][line])
        expected = index.search(code[None, :], K)
        distances, ids = rows_of(chdb(plain, query))
        assert (distances, ids) == (expected[0][0].tolist(), expected[1][0].tolist())


@pytest.mark.parametrize("bits", [20, 64, 100, 256, 300])
def test_distances_of_clickhouse_are_ours(chdb, bits):
    """Every bit of every distance, order and ties; tables dealt out to shards give the same answer to the same statement."""
    codes, weights = near_codes(3000, bits, bits), some_weights(bits)
    chdb("SET max_query_size = 1000000")
    chdb(clickhouse.create_distance(f"distance_{bits}", weights))
    for shard in range(2):
        chdb(clickhouse.create_table(f"part_{bits}_{shard}", bits))
        part = slice(shard, None, 2)
        chdb(clickhouse.insert(f"part_{bits}_{shard}", codes[part], bits, np.arange(3000)[part]))
    pattern = f"^part_{bits}_[01]$"
    chdb(f"CREATE TABLE all_{bits} AS part_{bits}_0 ENGINE = Merge('codes', '{pattern}')")
    index = index_of(codes, bits, weights)
    sql = clickhouse.parameterized(f"all_{bits}", K, bits, f"distance_{bits}")
    for code in codes[:5]:
        expected = index.search(code[None, :], K)
        distances, ids = rows_of(chdb(sql, clickhouse.query_parameter(code, bits)))
        assert ids == expected[1][0].tolist()
        assert np.array_equal(np.float32(distances), expected[0][0])


def test_the_statement_of_a_distributed_table(chdb):
    """The planner of distributed queries, two shards in this process: every code is there twice."""
    codes, weights = near_codes(2000, 64, 9), some_weights(64)
    chdb(clickhouse.create_distance("distance_of_shards", weights))
    chdb(clickhouse.create_table("sharded", 64))
    chdb(clickhouse.insert("sharded", codes, 64))
    sql = clickhouse.parameterized("sharded", 2 * K, 64, "distance_of_shards")
    everywhere = sql.replace("FROM sharded", "FROM remote('127.0.0.1,localhost', codes.sharded)")
    distances, ids = index_of(codes, 64, weights).search(codes[:1], K)
    found = rows_of(chdb(everywhere, clickhouse.query_parameter(codes[0], 64)))
    assert found[1] == np.repeat(ids[0], 2).tolist()
    assert np.array_equal(np.float32(found[0]), np.repeat(distances[0], 2))
    text = clickhouse.create_distributed("codes_everywhere", "codes", "search")
    assert text.endswith("ENGINE = Distributed('search', currentDatabase(), 'codes', intHash64(id))")
    assert "'shop', 'items'" in clickhouse.create_distributed("a", "shop.items", "search")


@pytest.fixture(scope="module")
def database():
    yield from started_database()


def filled_from(folder, database):
    """What psql does with the files of an exported folder; \\copy by a statement, as PGlite has none."""
    for statement in statements(folder / "schema.sql"):
        database.run(statement)
    assert folder.joinpath("load.sql").read_text().count("\\copy codes (id, code) FROM 'data/part-") == 3
    texts = "".join(file.read_text() for file in sorted((folder / "data").iterdir()))
    values = ",".join(re.sub(r"(\d+)\t(\d+)", r"(\1,B'\2')", line) for line in texts.splitlines())
    database.run(f"INSERT INTO codes (id, code) VALUES {values}")
    for statement in [*statements(folder / "index.sql"), *statements(folder / "query.sql")]:
        database.run(statement)


def test_pgvector(database, model_file, codes, source, ours, tmp_path):
    export("pgvector", source, tmp_path / "out", model=model_file, partitions=3, rows_per_file=2000)
    filled_from(tmp_path / "out", database)
    assert len(database.run("SELECT DISTINCT tableoid FROM codes")) == 3
    database.run("ANALYZE codes; SET enable_seqscan = off")
    reached = 0
    for line, code in enumerate(codes[:10]):
        query = query_text("pgvector", code, 32)
        distances, ids = rows_of(database.run(f"EXECUTE nearest_weighted({query})"))
        assert ids == ours[1][line].tolist()
        assert np.array_equal(np.float32(distances), ours[0][line])
        distances, ids = rows_of(database.run(f"EXECUTE nearest_reranked({query})"))
        reached += (np.float32(distances) <= ours[0][line].max()).sum()
    assert reached >= 0.9 * 10 * K
    plan = "\n".join(row[0] for row in database.run(f"EXPLAIN EXECUTE nearest({query})"))
    assert plan.count("Index Scan using codes_") == 3


@pytest.mark.parametrize("bits", [20, 64, 301])
def test_distances_of_postgresql_are_ours(database, bits):
    codes, weights = near_codes(400, bits, bits), some_weights(bits)
    distances, ids = index_of(codes, bits, weights).search(codes[:1], 50)
    database.run(pgvector.create_table(f"items_{bits}", bits))
    database.run(pgvector.insert(f"items_{bits}", codes, bits))
    database.run(pgvector.create_distance(f"distance_{bits}", weights))
    database.run(pgvector.prepared(f"ask_{bits}", f"items_{bits}", 50, bits, f"distance_{bits}"))
    found = rows_of(database.run(f"EXECUTE ask_{bits}({query_text('pgvector', codes[0], bits)})"))
    assert found[1] == ids[0].tolist()
    assert np.array_equal(np.float32(found[0]), distances[0])


def test_faiss(model_file, codes, source, tmp_path):
    pytest.importorskip("faiss", reason="faiss is not installed")
    export("faiss", source, tmp_path / "out", rows_per_file=1000)
    assert left_over(tmp_path / "out" / "data") == [f"shard-{number:05}.faiss" for number in range(5)]
    distances, ids = read_faiss(tmp_path / "out").search(codes[:20], K)
    expected = index_of(codes, 32, None).search(codes[:20], K)[0]
    assert np.array_equal(distances, expected)
    assert np.array_equal(interop.hamming_distances(codes[:20], codes)[np.arange(20)[:, None], ids], distances)


@pytest.mark.parametrize("form", ["binary", "bigint"])
def test_parquet_and_back(codes, source, tmp_path, form):
    export("parquet", source, tmp_path / "out", form=form, rows_per_file=999)
    export("parquet", tmp_path / "out" / "data", tmp_path / "again", form="binary", bits=32)
    written = structhash._code_source.CodeSource(tmp_path / "again" / "data")
    blocks = list(written.blocks(1000))
    assert [len(block.ids) for block in blocks] == [1000, 1000, 1000, 1000, 200]
    assert np.array_equal(np.concatenate([block.codes for block in blocks]), codes)
    assert np.array_equal(np.concatenate([block.ids for block in blocks]), np.arange(len(codes)))
    manifest = json.loads((tmp_path / "out" / "export.json").read_text())
    assert manifest["rows"] == len(codes) and manifest["bits"] == 32 and len(manifest["files"]) == 5


def test_code_files_of_the_command(code_files, model_file, codes, tmp_path):
    if not (code_files / "codes.shc").exists():
        pytest.skip("the structhash command is not built; set STRUCTHASH_COMMAND to where it is")
    main = structhash.__main__.main
    words = [
        "export",
        "parquet",
        str(code_files / "codes.shc"),
        "--model",
        str(model_file),
        "--out",
        str(tmp_path / "out"),
    ]
    assert main(words) == 0
    written = next(structhash._code_source.CodeSource(tmp_path / "out" / "data").blocks(10**6))
    assert np.array_equal(written.codes, codes)
    other = structhash.LSH(bits=32).fit(np.random.default_rng(1).normal(size=(50, 64)))
    other.save(tmp_path / "other.shm")
    with pytest.raises(ValueError, match="comes from the model"):
        export("parquet", code_files / "codes.shc", tmp_path / "no", model=tmp_path / "other.shm")
    (code_files / "codes.shc").write_bytes((code_files / "codes.shc").read_bytes()[:-5])
    assert main([*words[:-1], str(tmp_path / "no")]) == 4
    assert not (tmp_path / "no").exists()


def test_what_is_wrong_is_named(model_file, source, vectors, tmp_path, capsys):
    out = tmp_path / "out"
    with pytest.raises(ValueError, match="engine must be one of clickhouse"):
        export("oracle", source, out)
    with pytest.raises(ValueError, match="no column 'key'; columns are id, code"):
        export("parquet", source, out, id_column="key")
    with pytest.raises(ValueError, match="has 4 bytes; expected 8 bytes"):
        export("parquet", source, out, model=structhash.LSH(bits=64).fit(vectors[:100]))
    with pytest.raises(ValueError, match="bits behind bit 19 must be zero|expected 3 bytes"):
        export("clickhouse", source, out, bits=20)
    with pytest.raises(ValueError, match="plain SQL name"):
        export("clickhouse", source, out, table="a; DROP TABLE b")
    with pytest.raises(ValueError, match="at most 1000 for an HNSW index"):
        export("pgvector", source, out, candidates=2000)
    with pytest.raises(ValueError, match="belong to no database"):
        clickhouse.create_distance("a.b", [1.0])
    assert structhash.__main__.main(["export", "parquet", str(source), "--out", str(tmp_path / "no" / "out")]) == 5
    assert "create it first" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        structhash.__main__.main(["export", "oracle", str(source), "--out", str(out)])
    assert left_over(tmp_path) == []
