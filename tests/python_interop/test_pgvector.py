"""PostgreSQL with pgvector, run inside node by PGlite; npm packages as in scripts/test_interop.sh."""

import numpy as np
import pytest
from pglite import started_database

from conftest import assert_same_neighbours, slow_distances, some_weights, tied_codes
from structhash import interop
from structhash.interop import pgvector

BITS, ROWS, K = 60, 800, 12


@pytest.fixture(scope="module")
def database():
    yield from started_database()


@pytest.fixture(scope="module")
def task(database):
    codes, queries = tied_codes(ROWS, BITS, 21), tied_codes(ROWS + 6, BITS, 21)[ROWS:]
    database.run(pgvector.create_table("items", BITS))
    database.run(pgvector.insert("items", codes, BITS))
    database.run(pgvector.create_hnsw_index("items"))
    return codes, queries


def split(rows):
    return [float(row[1]) for row in rows], [int(row[0]) for row in rows]


def test_version_has_hamming_distance(database):
    version = database.run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")[0][0]
    assert tuple(int(part) for part in version.split(".")[:2]) >= (0, 7)


def test_golden_code(database, golden_code):
    text = interop.to_pgbit(golden_code)[0]
    row = database.run(
        f"SELECT B'{text}'::text, get_bit(B'{text}', 0), get_bit(B'{text}', 1), get_bit(B'{text}', 23), "
        f"(B'{text}' <~> B'{'0' * 24}')"
    )[0]
    assert row == ["100100000100000000000001", 1, 0, 1, 4]


def test_binary_quantize_makes_the_same_bits(database):
    values = np.random.default_rng(4).normal(size=(1, 24)).round(3)
    vector = ",".join(str(value) for value in values[0])
    assert (
        database.run(f"SELECT binary_quantize('[{vector}]'::vector)::text")[0][0]
        == interop.to_pgbit(interop.pack(values > 0))[0]
    )


def test_codes_come_back(database, task):
    codes, _ = task
    texts = [row[0] for row in database.run("SELECT code::text FROM items ORDER BY id")]
    assert np.array_equal(interop.from_pgbit(texts), codes)


def test_a_scan_has_the_same_neighbours(database, task):
    codes, queries = task
    table = slow_distances(queries, codes, np.ones(BITS))
    database.run("SET enable_indexscan = off")
    for line, query in enumerate(queries):
        distances, ids = split(database.run(pgvector.nearest("items", query, K, BITS)))
        assert_same_neighbours([distances], [ids], table[line : line + 1])


def test_the_index_is_used_and_has_the_same_neighbours(database, task):
    codes, queries = task
    table = slow_distances(queries, codes, np.ones(BITS))
    database.run("SET enable_indexscan = on; SET enable_seqscan = off; SET hnsw.ef_search = 400")
    plan = "\n".join(row[0] for row in database.run("EXPLAIN " + pgvector.nearest("items", queries[0], K, BITS)))
    assert "Index Scan using items_code_idx" in plan
    found = 0
    for line, query in enumerate(queries):
        distances, ids = split(database.run(pgvector.nearest("items", query, K, BITS)))
        assert table[line, ids].tolist() == distances
        found += (np.asarray(distances) <= np.sort(table[line])[K - 1]).sum()
    assert found >= 0.99 * K * len(queries)


def test_weighted_distance_is_exact(database, task):
    codes, queries = task
    weights = some_weights(BITS)
    table = slow_distances(queries, codes, weights)
    for line, query in enumerate(queries):
        distances, ids = split(database.run(pgvector.nearest_weighted("items", query, weights, K)))
        assert_same_neighbours([distances], [ids], table[line : line + 1], tolerance=1e-9)


def test_long_codes(database):
    """More than 256 bits: smaller tables."""
    codes, weights = tied_codes(150, 301, 5), some_weights(301)
    database.run(pgvector.create_table("long", 301))
    database.run(pgvector.insert("long", codes, 301))
    distances, ids = split(database.run(pgvector.nearest_weighted("long", codes[3], weights, K)))
    assert_same_neighbours([distances], [ids], slow_distances(codes[3:4], codes, weights), tolerance=1e-9)


def test_two_stages_in_one_statement(database, task):
    codes, queries = task
    weights = some_weights(BITS)
    table = slow_distances(queries, codes, weights)
    plain = slow_distances(queries, codes, np.ones(BITS))
    database.run("SET enable_indexscan = off; SET enable_seqscan = on")
    for line, query in enumerate(queries):
        distances, ids = split(database.run(pgvector.nearest_weighted("items", query, weights, K, candidates=100)))
        np.testing.assert_allclose(distances, table[line, ids], atol=1e-9)
        assert (plain[line, ids] <= np.sort(plain[line])[99]).all()
        everything = split(database.run(pgvector.nearest_weighted("items", query, weights, K, candidates=ROWS)))
        assert_same_neighbours([everything[0]], [everything[1]], table[line : line + 1], tolerance=1e-9)


def test_replicated_codes_in_an_index(database, task):
    codes, queries = task
    weights = some_weights(BITS)
    longer = interop.replicate(codes, weights, 256)
    database.run(pgvector.create_table("longer", 256))
    database.run(pgvector.insert("longer", longer.codes))
    database.run(pgvector.create_hnsw_index("longer"))
    database.run("SET enable_indexscan = on; SET enable_seqscan = off")
    table = slow_distances(queries, codes, weights)
    for line, query in enumerate(longer.replication.expand(queries)):
        distances, ids = split(database.run(pgvector.nearest("longer", query, K)))
        errors = np.abs(np.asarray(distances) / longer.replication.scale - table[line, ids])
        assert errors.max() <= longer.replication.error_bound + 1e-9


def test_texts_without_a_database():
    codes = tied_codes(3, 10, 1)
    lines = pgvector.copy_lines(codes, 10, ids=[5, 7, 9]).splitlines()
    assert [line.split("\t")[0] for line in lines] == ["5", "7", "9"]
    assert np.array_equal(interop.from_pgbit([line.split("\t")[1] for line in lines]), codes)
    with pytest.raises(ValueError, match="plain SQL name"):
        pgvector.nearest("items; DROP TABLE items", codes[0], 1, 10)
    with pytest.raises(ValueError, match="one code, got 2"):
        pgvector.nearest("items", codes[:2], 1, 10)
    with pytest.raises(ValueError, match="k must be at least 1"):
        pgvector.nearest("items", codes[0], 0, 10)
    with pytest.raises(ValueError, match="no codes to insert"):
        pgvector.insert("items", codes[:0], 10)
