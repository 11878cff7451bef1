"""What the tests share: models, Parquet files of vectors, and codes as one machine makes them."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

# Before anything else is imported: workers of Spark run this Python, Faiss takes one thread.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("OMP_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "python_interop"))  # pglite.py

import structhash

SHARDS, ROWS_PER_SHARD = 6, 700


@pytest.fixture(scope="session")
def digits():
    table = np.loadtxt(ROOT / "data/digits/digits.csv.gz", delimiter=",", dtype=np.float32)
    return np.ascontiguousarray(table[:, :64]), table[:, 64].astype(int)


@pytest.fixture(scope="session")
def model_file(digits, tmp_path_factory):
    """StructHash of 32 bits with weights, as a file."""
    X, y = digits
    hasher = structhash.StructHash(bits=32, measure="map", ridge=0.02, penalty=0.2, trade_off=30).fit(X[:300], y[:300])
    path = tmp_path_factory.mktemp("model") / "digits.shm"
    hasher.save(path)
    return path


@pytest.fixture(scope="session")
def vectors(digits):
    """More rows than the digits have, so that there are several batches and files."""
    X, _ = digits
    rng = np.random.default_rng(3)
    rows = X[rng.integers(0, len(X), SHARDS * ROWS_PER_SHARD)]
    return rows + rng.normal(0, 2, rows.shape).astype(np.float32)


@pytest.fixture(scope="session")
def codes(model_file, vectors):
    return structhash.load(model_file).transform(vectors)


def vector_column(rows, kind=None):
    import pyarrow as pa

    return pa.array(list(rows), kind or pa.list_(pa.float32()))


@pytest.fixture(scope="session")
def shards(vectors, tmp_path_factory):
    """A folder of Parquet files: id, a name, and the vectors."""
    import pyarrow as pa
    import pyarrow.parquet

    folder = tmp_path_factory.mktemp("shards")
    for number in range(SHARDS):
        part = np.arange(number * ROWS_PER_SHARD, (number + 1) * ROWS_PER_SHARD)
        columns = {"id": part, "features": vector_column(vectors[part]), "name": [f"item {row}" for row in part]}
        pyarrow.parquet.write_table(pa.table(columns), folder / f"{number:03}.parquet", row_group_size=300)
    return folder


def read(folder):
    """All rows of a folder of Parquet files, in order of id."""
    import pyarrow.parquet

    return pyarrow.parquet.read_table(folder).sort_by("id")


def as_codes(column, width):
    return np.frombuffer(b"".join(column.to_pylist()), np.uint8).reshape(-1, width)


def left_over(folder):
    """Everything in a folder but what a test put there: unfinished output would be found here."""
    return sorted(path.name for path in folder.iterdir())
