"""`mpirun -n N structhash train`: the bytes of one process, errors that name a process, checkpoints for any number of them.

STRUCTHASH_COMMAND: the command, built with STRUCTHASH_MPI.  STRUCTHASH_PLAIN_COMMAND, if given: the same built without."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy
import pytest

COMMAND = os.environ.get("STRUCTHASH_COMMAND", "structhash")
PLAIN = os.environ.get("STRUCTHASH_PLAIN_COMMAND", COMMAND)
GIVEN = ["--option", "trade-off=20", "--option", "ridge=0.02", "--option", "penalty=0.2", "--option", "shrinkage=0.5"]
ENVIRONMENT = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_base_warn_component_unused": "0",
               "OMPI_MCA_mpi_yield_when_idle": "1"}


def mpirun(*parts):
    """The command line of mpirun; several parts are different programs of one job."""
    words = ["mpirun", "--oversubscribe", "--allow-run-as-root"]
    for at, (processes, arguments) in enumerate(parts):
        words += [":"] * (at > 0) + ["-n", str(processes), *map(str, arguments)]
    return words


def run(words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, env=ENVIRONMENT)
    assert done.returncode == code, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module", autouse=True)
def together():
    """Skips with a line that says why, where processes cannot be started together."""
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is missing: scripts/install_packages.sh mpi", allow_module_level=True)
    done = subprocess.run(mpirun((1, [COMMAND, "train", "--features", "none.npy", "--model", "none.shm"])),
                          capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
    if "without MPI" in done.stderr:
        pytest.skip(f"{COMMAND} was built without MPI: configure with -DSTRUCTHASH_MPI=ON", allow_module_level=True)


def save_data(folder, rows, dimension=12, classes=4, name="x"):
    draw = numpy.random.default_rng(7)
    labels = numpy.sort(numpy.arange(rows) % classes)  # sorted by class, and every shard must hold all of them
    centres = draw.normal(size=(classes, dimension)) * 1.2
    x = centres[labels] + draw.normal(size=(rows, dimension))
    numpy.save(folder / f"{name}.npy", x.astype("<f4"))
    numpy.save(folder / f"{name}-labels.npy", labels.astype("<i4"))
    return folder / f"{name}.npy", folder / f"{name}-labels.npy"


class Training:
    def __init__(self, folder, rows=600, bits=12, options=GIVEN, shards=4, items=20):
        self.folder, (self.x, self.y) = folder, save_data(folder, rows)
        self.arguments = ["train", "--features", self.x, "--labels", self.y, "--bits", bits, "--relevant", items,
                          "--irrelevant", items, "--shards", shards, "--threads", 1, *options]

    def words(self, model, *more, command=COMMAND):
        return [command, *self.arguments, "--model", self.folder / model, *more]

    def plain(self, model="plain.shm"):
        run(self.words(model, command=PLAIN))
        return (self.folder / model).read_bytes()

    def together(self, processes, *more, model="m.shm", code=0):
        path = self.folder / model
        path.unlink(missing_ok=True)
        done = run(mpirun((processes, self.words(model, *more))), code)
        assert path.exists() == (code == 0)
        return path.read_bytes() if code == 0 else done


KINDS = {"given": GIVEN, "chosen": [], "stage-wise": [*GIVEN, "--option", "stage-wise=true"],
         "kernel": ["--functions", "kernel", "--option", "anchors=60", *GIVEN, "--option", "width=0.25"]}


@pytest.mark.parametrize("kind", KINDS)
def test_models_are_the_same_bytes_for_any_number_of_processes(tmp_path, kind):
    training = Training(tmp_path, rows=400, bits=4 if kind == "chosen" else 8, options=KINDS[kind])  # choosing trains nine times
    expected = training.plain()
    for processes in (1, 2, 4):
        assert training.together(processes) == expected, f"{processes} processes"


def test_processes_without_a_shard_are_said(tmp_path):
    training = Training(tmp_path, shards=1)
    done = run(mpirun((2, training.words("m.shm"))))
    assert "1 of 2 processes have nothing to do" in done.stderr
    assert (tmp_path / "m.shm").read_bytes() == training.plain()


def test_one_process_speaks_for_all(tmp_path):
    training = Training(tmp_path)
    told = json.loads(run(mpirun((2, training.words("m.shm", "--json")))).stdout)
    assert told["processes"] == 2 and told["rows"] == 600 and told["lists"] == 600
    assert told["network_bytes"] > 0


def test_another_file_on_one_machine(tmp_path):
    training = Training(tmp_path)
    x = numpy.load(training.x)
    x[-1, -1] += 1.0
    other = tmp_path / "other.npy"
    numpy.save(other, x)
    changed = [other if word == training.x else word for word in training.words("m.shm")]
    done = run(mpirun((1, training.words("m.shm")), (1, changed)), 3)
    assert "process 1 has different features or labels than process 0" in done.stderr
    assert not (tmp_path / "m.shm").exists()


def test_other_features_are_named_by_a_neighbour(tmp_path):
    """Process 2 of 4 has another file; nobody but it and process 1 reads its rows."""
    training = Training(tmp_path)
    other = tmp_path / "other.npy"
    numpy.save(other, numpy.load(training.x) + numpy.float32(1e-3))
    changed = [other if word == training.x else word for word in training.words("m.shm")]
    done = run(mpirun((2, training.words("m.shm")), (1, changed), (1, training.words("m.shm"))), 3)
    assert "process 2 has different features or labels than process 1" in done.stderr
    assert not (tmp_path / "m.shm").exists()


def test_other_labels_or_fewer_rows_on_one_machine(tmp_path):
    training = Training(tmp_path)
    x, y = numpy.load(training.x), numpy.load(training.y)
    for name, features, labels in (("labels", x, y[::-1]), ("rows", x[:-1], y[:-1])):
        numpy.save(tmp_path / "x-other.npy", features)
        numpy.save(tmp_path / "y-other.npy", labels)
        others = {training.x: tmp_path / "x-other.npy", training.y: tmp_path / "y-other.npy"}
        changed = [others.get(word, word) for word in training.words("m.shm")]
        done = run(mpirun((1, training.words("m.shm")), (1, changed)), 3)
        assert "process 1 has different features or labels than process 0" in done.stderr, name
        assert not (tmp_path / "m.shm").exists()


def version_of(command):
    """The version of the sources, as it stands in the program."""
    found = set(re.findall(rb"\d+\.\d+\.\d+\+[0-9a-f]{8}(?=\0)", pathlib.Path(command).read_bytes()))
    assert len(found) == 1, found
    return found.pop()


def test_another_version_on_one_machine(tmp_path):
    """A copy of the program whose version differs in its last letter. Nothing is read: there are no files."""
    training = Training(tmp_path)
    training.x.unlink()
    version = version_of(shutil.which(COMMAND))
    changed = version[:-1] + (b"0" if version[-1:] != b"0" else b"1")
    other = tmp_path / "structhash"
    shutil.copy(shutil.which(COMMAND), other)
    other.write_bytes(other.read_bytes().replace(version, changed))
    done = run(mpirun((2, training.words("m.shm")), (1, training.words("m.shm", command=other))), 3)
    assert f"process 2 has different code than process 0: {changed.decode()} instead of {version.decode()}" in done.stderr
    assert not (tmp_path / "m.shm").exists()


def test_a_machine_that_cannot_be_reached(tmp_path):
    training = Training(tmp_path)
    words = ["mpirun", "--allow-run-as-root", "--host", "localhost,unreachable.invalid", "-n", "2", *training.words("m.shm")]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    assert done.returncode != 0 and done.stderr
    assert not (tmp_path / "m.shm").exists()


MEASURED = """
import json, os, resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
told = dict(line.split(": ") for line in open("/proc/self/io").read().splitlines())
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
with open(f"{sys.argv[1]}-{os.environ['OMPI_COMM_WORLD_RANK']}.json", "w") as file:
    json.dump({"peak": peak, "read": int(told["rchar"])}, file)
sys.exit(code)
"""


def measured(training, processes, rows, dimension):
    """Peak memory and bytes read of every process."""
    labels = numpy.arange(rows, dtype="<i4") % 4
    x = numpy.random.default_rng(3).standard_normal((rows, dimension), dtype=numpy.float32)
    x[:, :4] += 2 * numpy.eye(4, dtype=numpy.float32)[labels]
    numpy.save(training.x, x)
    numpy.save(training.y, labels)
    name = training.folder / f"{processes}-{rows}"
    run(mpirun((processes, [sys.executable, "-c", MEASURED, name, *training.words(f"{processes}.shm")])))
    return [json.loads(pathlib.Path(f"{name}-{rank}.json").read_text()) for rank in range(processes)]


def test_a_process_keeps_only_its_share(tmp_path):
    training = Training(tmp_path, bits=2, items=2)
    base = max(process["peak"] for process in measured(training, 4, rows=2_000, dimension=128))  # what any process needs
    (alone,) = measured(training, 1, rows=120_000, dimension=128)
    shared = measured(training, 4, rows=120_000, dimension=128)
    assert (tmp_path / "1.shm").read_bytes() == (tmp_path / "4.shm").read_bytes()
    size = training.x.stat().st_size
    assert alone["peak"] - base > size
    for process in shared:
        assert process["peak"] - base < 0.4 * (alone["peak"] - base), (base, alone, shared)


def test_a_process_reads_its_own_rows_and_those_of_one_other(tmp_path):
    """Rows of a page each: closer ones come from the disk together."""
    training = Training(tmp_path, bits=2, items=2)
    others = 2 * 2**20  # labels, the program that measures and its libraries
    for process in measured(training, 4, rows=4_000, dimension=1024):
        assert process["read"] < training.x.stat().st_size / 2 + others, process


def test_other_options_on_one_machine(tmp_path):
    training = Training(tmp_path)
    done = run(mpirun((2, training.words("m.shm")), (1, [*training.words("m.shm"), "--seed", "5"])), 3)
    assert "process 2 has different options than process 0" in done.stderr and "seed 5" in done.stderr
    assert not (tmp_path / "m.shm").exists()


def test_a_missing_file_on_one_machine(tmp_path):
    training = Training(tmp_path)
    gone = [tmp_path / "gone.npy" if word == training.x else word for word in training.words("m.shm")]
    done = run(mpirun((1, training.words("m.shm")), (1, gone)), 5)
    assert "process 1: " in done.stderr and "gone.npy" in done.stderr
    assert not (tmp_path / "m.shm").exists()


def children(pid):
    return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def kill_one(training, checkpoint, processes, rank):
    """Kills one process of a job once it has kept something; returns what mpirun said."""
    words = mpirun((processes, training.words("m.shm", "--checkpoint", checkpoint)))
    job = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           env=ENVIRONMENT)
    kept = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    deadline = time.monotonic() + 120
    while job.poll() is None and time.monotonic() < deadline:
        if checkpoint.exists() and checkpoint.stat().st_mtime_ns != kept and len(children(job.pid)) == processes:
            break
        time.sleep(0.001)
    if job.poll() is None:
        os.kill(children(job.pid)[rank], signal.SIGKILL)
    said, _ = job.communicate(timeout=60)
    return job.returncode, said


def test_a_killed_process_ends_the_job_and_any_number_goes_on(tmp_path):
    training = Training(tmp_path, rows=12000, bits=64)  # seconds: long enough to be killed on any machine
    expected = training.plain()
    checkpoint = tmp_path / "m.checkpoint"
    for processes, rank in ((2, 1), (4, 2)):
        code, said = kill_one(training, checkpoint, processes, rank)
        assert code != 0, "the training was over before a process could be killed"
        assert "rank" in said and "signal 9" in said, said
        assert checkpoint.exists() and not (tmp_path / "m.shm").exists()
    assert training.together(1, "--checkpoint", checkpoint) == expected
    assert not checkpoint.exists()


def test_a_checkpoint_of_one_process_goes_on_with_four(tmp_path):
    training = Training(tmp_path, rows=12000, bits=64)  # seconds: long enough to be killed on any machine
    expected = training.plain()
    checkpoint = tmp_path / "m.checkpoint"
    code, _ = kill_one(training, checkpoint, 1, 0)
    assert code != 0 and checkpoint.exists()
    assert training.together(4, "--checkpoint", checkpoint) == expected


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
