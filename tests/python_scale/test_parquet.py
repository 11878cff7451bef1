"""Parquet files on one machine, from Python, from the command line and mapped by Dask."""

import filecmp
import os
import signal
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import structhash
from conftest import SHARDS, as_codes, left_over, read, vector_column
from structhash._whole_folder import whole_folder
from structhash.arrow import BatchEncoder
from structhash.parquet import encode


def write(path, **columns):
    pyarrow.parquet.write_table(pa.table(columns), path)


def test_codes_are_those_of_the_estimator(model_file, shards, codes, tmp_path):
    assert encode(shards, model_file, "features", tmp_path / "out") == len(codes)
    table = read(tmp_path / "out")
    assert table.column_names == ["id", "name", "code"]
    assert np.array_equal(as_codes(table["code"], 4), codes)
    assert table["name"].to_pylist() == [f"item {row}" for row in range(len(codes))]
    assert left_over(tmp_path / "out") == [f"{number:03}.parquet" for number in range(SHARDS)]
    assert left_over(tmp_path) == ["out"]


def test_bytes_do_not_depend_on_threads(model_file, shards, tmp_path):
    for jobs in (1, 3):
        encode(shards, model_file, "features", tmp_path / str(jobs), n_jobs=jobs, columns=["id"])
    names = left_over(tmp_path / "1")
    assert filecmp.cmpfiles(tmp_path / "1", tmp_path / "3", names, shallow=False)[0] == names
    assert read(tmp_path / "1").column_names == ["id", "code"]


def command(*arguments):
    words = [sys.executable, "-m", "structhash", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_the_command(model_file, shards, codes, tmp_path):
    done = command(
        *("encode", "--model", model_file, "--column", "features", "--parquet", *sorted(shards.iterdir())),
        *("--out", tmp_path / "out", "--form", "bigint", "--keep", "id"),
    )
    assert (done.returncode, done.stdout) == (0, f"{len(codes)} codes written to {tmp_path / 'out'}\n"), done.stderr
    words = read(tmp_path / "out")["code"].to_numpy().view(np.uint64)
    assert np.array_equal(structhash.interop.from_uint64(words, 32), codes)
    again = command(
        "encode", "--model", model_file, "--column", "features", "--parquet", shards, "--out", tmp_path / "out"
    )
    assert again.returncode == 5 and "already exists" in again.stderr
    assert command("encode", "--model", model_file).returncode == 2
    broken = tmp_path / "broken.shm"
    broken.write_bytes(model_file.read_bytes()[:-1])
    assert (
        command("encode", "--model", broken, "--column", "x", "--parquet", shards, "--out", tmp_path / "b").returncode
        == 4
    )
    wrong = command("encode", "--model", model_file, "--column", "x", "--parquet", shards, "--out", tmp_path / "b")
    assert wrong.returncode == 3 and "no column 'x'" in wrong.stderr


def test_a_bad_row_leaves_nothing(model_file, shards, tmp_path):
    good = [*sorted(shards.iterdir())]
    write(tmp_path / "bad.parquet", id=[0, 1], features=vector_column([np.zeros(64), None]), name=["a", "b"])
    with pytest.raises(ValueError, match=r"column 'features', row 1 of .*bad\.parquet: the vector is null"):
        encode([*good, tmp_path / "bad.parquet"], model_file, "features", tmp_path / "out", n_jobs=2)
    assert left_over(tmp_path) == ["bad.parquet"]


def test_a_killed_run_leaves_nothing_under_the_name(model_file, shards, tmp_path):
    program = (
        "import sys, time\n"
        "from structhash import parquet\n"
        "slow = parquet.encode_file\n"
        "def slower(file, *rest):\n"
        "    rows = slow(file, *rest)\n"
        "    print(file, flush=True)\n"
        "    time.sleep(60)\n"
        "    return rows\n"
        "parquet.encode_file = slower\n"
        "parquet.encode(sys.argv[1], sys.argv[2], 'features', sys.argv[3])\n"
    )
    words = [sys.executable, "-c", program, str(shards), str(model_file), str(tmp_path / "out")]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as child:
        child.stdout.readline()  # one file is written
        os.kill(child.pid, signal.SIGKILL)
    assert not (tmp_path / "out").exists()
    assert len(left_over(tmp_path)) == 1  # the unfinished folder, hidden
    encode(shards, model_file, "features", tmp_path / "out")
    assert left_over(tmp_path) == ["out"]  # what was left has been removed


def test_of_two_programs_the_first_to_end_wins(tmp_path):
    with (
        pytest.raises(FileExistsError, match="created by another program meanwhile"),
        whole_folder(tmp_path / "out") as slow,
    ):
        with whole_folder(tmp_path / "out") as quick:
            (quick / "quick").touch()
        assert slow.exists()  # the folder of a living program is left alone
    assert left_over(tmp_path) == ["out"] and left_over(tmp_path / "out") == ["quick"]


def test_files_must_fit_together(model_file, shards, tmp_path):
    first = min(shards.iterdir())
    write(tmp_path / "other.parquet", id=["a"], features=vector_column([np.zeros(64)]), name=["a"])
    with pytest.raises(ValueError, match="different columns: id is string there and int64 here"):
        encode([first, tmp_path / "other.parquet"], model_file, "features", tmp_path / "out")
    with pytest.raises(FileNotFoundError, match="missing.parquet does not exist"):
        encode([first, tmp_path / "missing.parquet"], model_file, "features", tmp_path / "out")
    with pytest.raises(ValueError, match="two files are named"):
        encode([first, first], model_file, "features", tmp_path / "out")
    with pytest.raises(ValueError, match="no column 'price'"):
        encode(shards, model_file, "features", tmp_path / "out", columns=["price"])
    (tmp_path / "text.parquet").write_text("not Parquet at all")
    with pytest.raises(ValueError, match="is not a Parquet file or is damaged"):
        encode(tmp_path / "text.parquet", model_file, "features", tmp_path / "out")
    (tmp_path / "unfinished" / "_temporary").mkdir(parents=True)
    with pytest.raises(ValueError, match="an unfinished job"):
        encode(tmp_path / "unfinished", model_file, "features", tmp_path / "out")
    with pytest.raises(ValueError, match="holds no"):
        encode(tmp_path / "unfinished" / "_temporary", model_file, "features", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_dask_maps_it_over_partitions(model_file, shards, codes):
    dask = pytest.importorskip("dask", reason="dask is not installed")
    read_parquet = pytest.importorskip("dask.dataframe").read_parquet

    encoder = BatchEncoder(model_file, "features")
    with dask.config.set({"dataframe.convert-string": False, "scheduler": "processes", "num_workers": 2}):
        frame = read_parquet(shards)
        encoded = frame.map_partitions(encoder.frame, meta=encoder.frame(frame._meta)).compute().sort_values("id")
    assert list(encoded.columns) == ["id", "name", "code"]
    assert b"".join(encoded["code"]) == codes.tobytes()
