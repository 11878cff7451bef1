"""A standalone master with two workers: separate processes, one of which is killed."""

import filecmp
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import structhash
from conftest import SHARDS, as_codes, left_over, read, vector_column
from structhash import parquet
from structhash.interop import to_uint64

pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("java is not installed, which Spark needs", allow_module_level=True)

from standalone import Cluster

from structhash import spark


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def session(cluster):
    # A partition per file, several batches per partition, and a second attempt for a task that fails.
    settings = {
        "files.maxPartitionBytes": "400000",
        "files.openCostInBytes": "400000",
        "execution.arrow.maxRecordsPerBatch": "200",
    }
    sql = {f"spark.sql.{name}": value for name, value in settings.items()}
    session = cluster.session(**sql, **{"spark.task.maxFailures": "2"})
    yield session
    session.stop()


@pytest.fixture
def frame(session, shards):
    return session.read.parquet(str(shards))


def test_the_same_codes_as_one_machine(session, frame, model_file, codes, tmp_path):
    spark.write_parquet(spark.encode(frame, model_file, "features"), tmp_path / "out")
    table = read(tmp_path / "out")
    assert table.column_names == ["id", "name", "code"]
    assert table["name"].to_pylist() == [f"item {row}" for row in range(len(codes))]
    assert np.array_equal(as_codes(table["code"], 4), codes)
    assert "_SUCCESS" in left_over(tmp_path / "out")
    assert left_over(tmp_path) == ["out"]


def test_vectors_of_spark_ml_and_bytes(session, model_file, vectors, codes):
    from pyspark.ml.linalg import DenseVector, SparseVector

    sparse = {int(place): float(vectors[1, place]) for place in np.flatnonzero(vectors[1])}
    rows = [(0, DenseVector(vectors[0].tolist())), (1, SparseVector(64, sparse))]
    found = spark.encode(session.createDataFrame(rows, ["id", "features"]), model_file, "features").collect()
    assert b"".join(bytes(row["code"]) for row in sorted(found)) == codes[:2].tobytes()
    rows = [(number, bytearray(vectors[number].tobytes())) for number in range(3)]
    frame = session.createDataFrame(rows, "id int, features binary")
    found = spark.encode(frame, model_file, "features", form="bigint", keep_features=True).collect()
    assert [row["code"] for row in sorted(found)] == to_uint64(codes[:3], 32).ravel().tolist()
    assert found[0].asDict().keys() == {"id", "features", "code"}


def test_files_are_those_of_one_machine(session, model_file, shards, tmp_path):
    rows = parquet.encode(shards, model_file, "features", tmp_path / "one")
    assert spark.encode_files(session, shards, model_file, "features", tmp_path / "many") == rows
    names = left_over(tmp_path / "one")
    assert left_over(tmp_path / "many") == names
    assert filecmp.cmpfiles(tmp_path / "one", tmp_path / "many", names, shallow=False)[0] == names


def test_errors_that_the_driver_sees_at_once(frame, model_file, tmp_path):
    with pytest.raises(ValueError, match="no column 'vectors'; columns are id, features, name"):
        spark.encode(frame, model_file, "vectors")
    with pytest.raises(ValueError, match="column 'name' holds string; vectors are arrays"):
        spark.encode(frame, model_file, "name")
    with pytest.raises(ValueError, match="a column 'name' already exists"):
        spark.encode(frame, model_file, "features", code="name")
    (tmp_path / "out").mkdir()
    with pytest.raises(FileExistsError, match="already exists"):
        spark.write_parquet(spark.encode(frame, model_file, "features"), tmp_path / "out")


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        (None, "the vector is null"),
        ([0.0] * 63, "has 63 numbers; expected 64"),
        ([float("nan")] * 64, "value 0 is nan"),
    ],
    ids=["null", "short", "nan"],
)
def test_errors_of_workers_are_one_line_on_the_driver(session, model_file, vectors, tmp_path, vector, message):
    rows = [(number, vectors[number].tolist()) for number in range(40)]
    rows[29] = (29, vector)
    frame = session.createDataFrame(rows, "id int, features array<float>").coalesce(1)
    with pytest.raises(ValueError, match=f"^column 'features', row 29 of partition 0: {message}"):
        spark.write_parquet(spark.encode(frame, model_file, "features"), tmp_path / "out")
    assert left_over(tmp_path) == []


def test_a_bad_file_leaves_nothing(session, model_file, shards, tmp_path):
    bad = tmp_path / "bad.parquet"
    columns = {"id": [0, 1], "features": vector_column([np.zeros(64), None]), "name": ["a", "b"]}
    pyarrow.parquet.write_table(pa.table(columns), bad)
    with pytest.raises(ValueError, match=r"^column 'features', row 1 of .*bad\.parquet: the vector is null"):
        spark.encode_files(session, [*sorted(shards.iterdir()), bad], model_file, "features", tmp_path / "out")
    assert left_over(tmp_path) == ["bad.parquet"]


def slowed(frame, markers, seconds):
    """The frame, so much slower per batch; every batch leaves the session of the worker that reads it in the folder."""

    def wait(batches):
        import os
        import time

        for batch in batches:
            (markers / f"{os.getsid(0)}-{time.monotonic_ns()}").touch()
            time.sleep(seconds)
            yield batch

    return frame.mapInArrow(wait, frame.schema)


def kill_when(worker, busy):
    """Kills the worker and its executor when a condition holds; returns the thread, and a list that then has an entry."""
    happened = []

    def watch():
        end = time.monotonic() + 60
        while time.monotonic() < end and not happened:
            if busy():
                worker.kill()
                happened.append(True)
            time.sleep(0.02)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread, happened


def test_a_worker_killed_while_it_encodes_a_frame(cluster, session, frame, model_file, codes, tmp_path):
    for name in ("markers", "unused"):
        (tmp_path / name).mkdir()
    assert frame.rdd.getNumPartitions() >= SHARDS
    undisturbed = slowed(frame, tmp_path / "unused", 0.0)
    spark.write_parquet(spark.encode(undisturbed, model_file, "features"), tmp_path / "whole")
    worker = cluster.workers[0]
    in_second_batch = f"{worker.process.pid}-*"
    thread, happened = kill_when(worker, lambda: len(list((tmp_path / "markers").glob(in_second_batch))) >= 2)
    disturbed = slowed(frame, tmp_path / "markers", 0.3)
    spark.write_parquet(spark.encode(disturbed, model_file, "features"), tmp_path / "out")
    thread.join()
    cluster.replace(0)
    assert happened, "the job ended before the worker was killed"
    table = read(tmp_path / "out")
    assert np.array_equal(as_codes(table["code"], 4), codes)
    assert left_over(tmp_path) == ["markers", "out", "unused", "whole"]
    for whole, file in zip(*(sorted((tmp_path / name).glob("part-*")) for name in ("whole", "out")), strict=True):
        # Row by row in the same order; the bytes around them are those of Spark's compression, which vary.
        assert pyarrow.parquet.read_table(file).equals(pyarrow.parquet.read_table(whole))


def test_a_worker_killed_while_it_encodes_files(cluster, session, digits, tmp_path):
    """A slow model and larger files: half a second per file."""
    X, _ = digits
    structhash.KLSH(bits=128).fit(X[:1000]).save(tmp_path / "slow.shm")
    (tmp_path / "in").mkdir()
    rows = np.resize(X, (40_000, 64))
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), 64)
    for number in range(8):
        pyarrow.parquet.write_table(pa.table({"features": vectors}), tmp_path / "in" / f"{number}.parquet")
    arguments = (tmp_path / "in", tmp_path / "slow.shm", "features")
    parquet.encode(*arguments, tmp_path / "one")
    thread, happened = kill_when(cluster.workers[1], lambda: 3 <= len(list(tmp_path.glob(".many.tmp-*/*"))) <= 7)
    assert spark.encode_files(session, *arguments, tmp_path / "many") == 8 * len(rows)
    thread.join()
    assert happened, "the job ended before the worker was killed"
    names = left_over(tmp_path / "one")
    assert left_over(tmp_path / "many") == names
    assert filecmp.cmpfiles(tmp_path / "one", tmp_path / "many", names, shallow=False)[0] == names
    assert left_over(tmp_path) == ["in", "many", "one", "slow.shm"]


def comes_from_java(frame):
    return "FileScan" in frame._jdf.queryExecution().executedPlan().toString()


def rows_of(frame):
    return sorted(frame.collect(), key=lambda row: row["id"])


def test_frames_that_are_files_are_read_by_the_tasks(session, frame, model_file, shards, tmp_path):
    (tmp_path / "more").mkdir()
    fields = [pa.field("Große Zahl", pa.int64(), False), pa.field("features", pa.list_(pa.float32(), 64)), ("id", pa.int64())]
    first = pyarrow.parquet.read_table(sorted(shards.iterdir())[0]).slice(0, 300)
    columns = [first["id"], pa.array(first["features"].to_pylist(), fields[1].type), pa.array([None, *range(299)])]
    pyarrow.parquet.write_table(pa.table(columns, pa.schema(fields)), tmp_path / "more" / "of 100%.parquet", row_group_size=70)
    more = session.read.parquet(str(tmp_path / "more"))
    for known in (frame, frame.select("features", "id"), frame.drop("name"), more.select("Große Zahl", "id", "features")):
        encoded = spark.encode(known, model_file, "features")
        through_java = spark.encode(known, model_file, "features", read_files=False)
        assert not comes_from_java(encoded) and comes_from_java(through_java)
        assert encoded.schema == through_java.schema
        assert sorted(map(str, encoded.collect())) == sorted(map(str, through_java.collect()))


def test_what_tasks_read_they_write(session, frame, model_file, tmp_path):
    encoded = spark.encode(frame, model_file, "features")
    session.conf.set("spark.sql.parquet.compression.codec", "zstd")
    try:
        spark.write_parquet(encoded, tmp_path / "new" / "by tasks")
        spark.write_parquet(encoded.where("id >= 0"), tmp_path / "by spark")  # another DataFrame
    finally:
        session.conf.unset("spark.sql.parquet.compression.codec")
    names = left_over(tmp_path / "new" / "by tasks")
    assert names == ["_SUCCESS", *(f"part-{number:05}.parquet" for number in range(len(names) - 1))]
    assert len(names) > SHARDS
    written = [session.read.parquet(str(tmp_path / name)) for name in ("new/by tasks", "by spark")]
    assert written[0].schema == written[1].schema
    assert rows_of(written[0]) == rows_of(written[1]) == rows_of(encoded)
    metadata = pyarrow.parquet.read_metadata(tmp_path / "new" / "by tasks" / names[1])
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    assert left_over(tmp_path / "new") == ["by tasks"]


def test_frames_that_are_more_than_files_come_through_java(session, frame, model_file, shards, tmp_path):
    from pyspark.sql import functions

    frame.withColumn("part", frame["id"] % 2).write.partitionBy("part").parquet(str(tmp_path / "parts"))
    frame.withColumn("when", functions.timestamp_seconds("id")).write.parquet(str(tmp_path / "times"))
    frames = {
        "filtered": frame.where("id % 3 = 0"),
        "limited": frame.orderBy("id").limit(5),
        "computed": frame.select((frame["id"] + 1).alias("id"), "features"),
        "renamed": frame.select(frame["id"].alias("id"), frame["name"].alias("other"), "features"),
        "with options": session.read.option("mergeSchema", "true").parquet(str(shards)),
        "partitioned": session.read.parquet(str(tmp_path / "parts")),
        "times": session.read.parquet(str(tmp_path / "times")),
    }
    for name, known in frames.items():
        encoded = spark.encode(known, model_file, "features")
        assert comes_from_java(encoded), name
        assert rows_of(encoded) == rows_of(spark.encode(known, model_file, "features", read_files=False)), name
    cached = frame.select("id", "features").cache()
    assert "InMemory" in spark.encode(cached, model_file, "features")._jdf.queryExecution().executedPlan().toString()
    cached.unpersist()


def test_files_of_different_types_come_through_java(session, model_file, vectors, tmp_path):
    """Spark takes the schema of one file for all; what it makes of the others is its own affair."""
    for number, kind in enumerate((pa.int32(), pa.int64())):
        columns = {"id": pa.array([number], kind), "features": vector_column(vectors[:1])}
        pyarrow.parquet.write_table(pa.table(columns), tmp_path / f"{number}.parquet")
    assert comes_from_java(spark.encode(session.read.parquet(str(tmp_path)), model_file, "features"))


def test_errors_of_tasks_that_read_files(session, model_file, vectors, tmp_path):
    source = tmp_path / "in"
    source.mkdir()

    def write(rows):
        columns = {"id": np.arange(len(rows)), "features": vector_column(rows)}
        pyarrow.parquet.write_table(pa.table(columns), source / "0.parquet", row_group_size=10)

    write([*vectors[:29], None])
    frame = session.read.parquet(str(source))
    with pytest.raises(ValueError, match=r"^column 'features', row 29 of .*/in/0\.parquet: the vector is null"):
        spark.write_parquet(spark.encode(frame, model_file, "features"), tmp_path / "out")
    encoded = spark.encode(frame, model_file, "features")
    write(vectors[:40])
    with pytest.raises(ValueError, match=r"0\.parquet has changed since the DataFrame was made; read it again"):
        spark.write_parquet(encoded, tmp_path / "out")
    (source / "0.parquet").unlink()
    with pytest.raises(ValueError, match=r"cannot read .*0\.parquet: No such file"):
        spark.write_parquet(encoded, tmp_path / "out")
    assert left_over(tmp_path) == ["in"]


OTHER_VERSION = """
import sys
from pyspark.sql import SparkSession
from structhash import spark

folder, source, model, package = sys.argv[1:]
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
session = builder.config("spark.executorEnv.PYTHONPATH", package).getOrCreate()
frame = session.read.parquet(source)
for number, attempt in enumerate((
    lambda out: spark.encode_files(session, source, model, "features", out),
    lambda out: spark.write_parquet(spark.encode(frame, model, "features"), out),
    lambda out: spark.write_parquet(spark.encode(frame, model, "features", read_files=False), out),
)):
    try:
        attempt(f"{folder}/out-{number}")
    except ValueError as error:
        print("refused:", error)
"""


def test_workers_with_another_version(model_file, shards, tmp_path):
    """A copy of the package whose version differs in its last letter, for the workers alone; one core suffices."""
    place = Path(structhash.__file__).parent
    other = tmp_path / "package" / "structhash"
    shutil.copytree(place, other, ignore=shutil.ignore_patterns("__pycache__"))
    version = structhash._core.code_version
    changed = version[:-1] + ("0" if version[-1] != "0" else "1")
    library = other / "lib" / "libstructhash.so"
    content = library.read_bytes()
    assert content.count(version.encode()) == 1
    library.write_bytes(content.replace(version.encode(), changed.encode()))
    (tmp_path / "job").mkdir()
    words = [sys.executable, "-c", OTHER_VERSION, tmp_path / "job", shards, model_file, tmp_path / "package"]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600)
    said = [line for line in done.stdout.splitlines() if line.startswith("refused:")]
    assert len(said) == 3, done.stdout + done.stderr
    for line in said:
        assert f"has structhash {changed}, the driver {version}; install the same version on both" in line
    assert not list((tmp_path / "job").glob("*out-*"))


def test_a_worker_without_the_package_is_explained():
    from pyspark.errors import PySparkException
    from structhash._spark_tasks import explained

    def fail():
        raise PySparkException("Traceback ...\nModuleNotFoundError: No module named 'structhash'\n")

    with pytest.raises(ValueError, match="No module named 'structhash' on a worker"):
        explained(fail)
