"""--memory-limit: what is predicted to be too much is refused before it is read, what is allowed keeps to it."""

import json
import re
import subprocess
import sys

import numpy
import pytest

from conftest import COMMAND, check, clusters, save_data

UNITS = {"bytes": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
METHODS = ["lsh", "sph", "mdsh", "agh", "agh1", "spher", "itq", "klsh", "cca-itq", "bres", "sths", "splh", "cgh", "ksh", "fasthash",
           "cosdish", "mihash", "sdh", "hcsdh"]


def predicted(command):
    """What the command says it would need, in bytes."""
    done = subprocess.run([str(word) for word in [*command, "--memory-limit", "1"]], capture_output=True, text=True)
    assert done.returncode == 5, done.stderr
    number, unit = re.search(r"needs about ([0-9.]+) (\w+) of memory", done.stderr).groups()
    return float(number) * UNITS[unit]


def peak(command):
    """Exit code and the largest resident size, in bytes.  A small process starts the command: a child's figure begins with
    that of its parent."""
    launcher = ("import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); _, status, usage = os.wait4(pid, 0); "
                "print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)")
    done = subprocess.run([sys.executable, "-S", "-c", launcher, *[str(word) for word in command]], capture_output=True, text=True)
    code, size = done.stdout.split()[-2:]
    return int(code), float(size)


def keeps_to_its_prediction(command):
    limit = predicted(command)
    code, used = peak([*command, "--memory-limit", str(int(limit * 1.01) + 1)])
    print(f"{command[1]}: predicted {limit / 2**20:.0f} MiB, used {used / 2**20:.0f} MiB")
    assert code == 0
    assert used <= 1.1 * limit
    return used / limit


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    x, y = save_data(folder, "train", 3000, 100)
    check([COMMAND, "train", "--method", "itq", "--features", x, "--bits", "64", "--model", folder / "m.shm"])
    big, labels = clusters(400_000, 64)
    numpy.save(folder / "big-x.npy", big)
    numpy.save(folder / "big-y.npy", labels)
    check([COMMAND, "train", "--method", "itq", "--features", folder / "big-x.npy", "--train-size", "2000", "--bits", "64",
           "--model", folder / "big.shm"])
    check([COMMAND, "encode", "--model", folder / "big.shm", "--features", folder / "big-x.npy", "--codes", folder / "big.shc"])
    numpy.save(folder / "q.npy", big[:500])
    return folder


@pytest.mark.parametrize("method", METHODS)
def test_a_method_keeps_to_its_prediction(data, method):
    keeps_to_its_prediction([COMMAND, "train", "--method", method, "--features", data / "train-x.npy", "--labels",
                             data / "train-y.npy", "--bits", "16", "--train-size", "600", "--model", data / "out.shm",
                             "--threads", "2"])


@pytest.mark.parametrize("functions", ["linear", "kernel", "stump", "tree"])
def test_structhash_keeps_to_its_prediction(data, functions):
    keeps_to_its_prediction([COMMAND, "train", "--features", data / "train-x.npy", "--labels", data / "train-y.npy", "--bits",
                             "16", "--train-size", "600", "--functions", functions, "--model", data / "out.shm", "--threads",
                             "2"])


@pytest.mark.parametrize("method", ["structhash", "sdh", "itq", "cca-itq", "ksh"])
def test_more_features_than_rows_keep_to_their_prediction(data, method):
    x, y = save_data(data, "wide", 400, 20_000)
    keeps_to_its_prediction([COMMAND, "train", "--method", method, "--features", x, "--labels", y, "--bits", "16", "--functions",
                             "linear", "--model", data / "out.shm", "--threads", "2"])


@pytest.mark.parametrize("functions", ["linear", "kernel"])
def test_two_encoders_keep_to_their_prediction(data, functions):
    q, labels = save_data(data, "queries", 2000, 300)
    keeps_to_its_prediction([COMMAND, "train", "--features", data / "train-x.npy", "--labels", data / "train-y.npy",
                             "--query-features", q, "--query-labels", labels, "--bits", "16", "--functions", functions, "--model",
                             data / "out.shm", "--threads", "2"])


@pytest.mark.parametrize("method", ["structhash", "cgh", "cca-itq", "ksh", "cosdish", "mihash", "sdh", "hcsdh"])
def test_thousands_of_classes_keep_to_their_prediction(data, method):
    """A matrix of rows x classes would take 1.5 GiB, one of classes x classes 400 MiB."""
    generator = numpy.random.default_rng(2)
    labels = numpy.repeat(numpy.arange(10_000, dtype=numpy.int32), 4)
    numpy.save(data / "many-y.npy", labels)
    centres = generator.normal(size=(10_000, 16))
    numpy.save(data / "many-x.npy", (centres[labels] + 0.3 * generator.normal(size=(40_000, 16))).astype(numpy.float32))
    keeps_to_its_prediction([COMMAND, "train", "--method", method, "--features", data / "many-x.npy", "--labels", data / "many-y.npy",
                             "--functions", "linear", "--bits", "8", "--model", data / "out.shm", "--threads", "2"])


def test_sparse_features_keep_to_their_prediction(data):
    generator = numpy.random.default_rng(1)
    with open(data / "words.svm", "w") as file:
        for row in range(2000):
            columns = numpy.unique(generator.integers(1, 60_000, 50))
            file.write(f"{row % 5} " + " ".join(f"{column}:1" for column in columns) + "\n")
    keeps_to_its_prediction([COMMAND, "train", "--features", data / "words.svm", "--sparse-components", "100", "--bits", "16", "--model",
                             data / "out.shm", "--threads", "2"])


def test_commands_on_many_rows_keep_to_their_predictions(data):
    model, big = data / "big.shm", data / "big-x.npy"
    keeps_to_its_prediction([COMMAND, "encode", "--model", model, "--features", big, "--codes", data / "out.shc"])
    keeps_to_its_prediction([COMMAND, "search", "--model", model, "--codes", data / "big.shc", "--queries", data / "q.npy"])
    keeps_to_its_prediction([COMMAND, "evaluate", "--model", model, "--features", big, "--labels", data / "big-y.npy",
                             "--queries", "50"])


def test_an_experiment_keeps_to_its_prediction(data):
    experiment = data / "e.json"
    experiment.write_text(json.dumps({
        "datasets": [{"name": "big", "features": [str(data / "big-x.npy")], "labels": [str(data / "big-y.npy")]}],
        "protocol": {"queries": 50, "train": 1000, "relevant": 20, "irrelevant": 20},
        "methods": [{"method": "lsh"}, {"method": "itq"}], "bits": [16], "seeds": [1], "measures": ["map"]}))
    keeps_to_its_prediction([COMMAND, "experiment", experiment, "--results", data / "rows.jsonl"])


def test_too_much_is_refused_before_it_is_read(data):
    command = [COMMAND, "train", "--features", data / "big-x.npy", "--labels", data / "big-y.npy", "--model", data / "no.shm",
               "--train-size", "400000", "--memory-limit", "300MiB"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 5
    assert re.search(r"needs about [0-9.]+ GiB of memory, but --memory-limit allows 300.0 MiB; train on fewer rows",
                     done.stderr), done.stderr
    code, used = peak(command)
    assert code == 5 and used < 150 * 2**20  # not even the features were read
    assert not (data / "no.shm").exists()


def test_what_fits_of_too_many_rows_is_trained_on(data):
    command = [COMMAND, "train", "--features", data / "big-x.npy", "--labels", data / "big-y.npy", "--model", data / "some.shm",
               "--functions", "linear", "--bits", "4", "--memory-limit", "300MiB", "--threads", "2"]
    done = check(command)
    assert re.search(r"training on [0-9,]+ of 400,000 rows: all of them would need [0-9.]+ GiB, the limit is 300.0 MiB",
                     done.stderr), done.stderr
    code, used = peak(command)
    assert code == 0 and used < 330 * 2**20


@pytest.mark.parametrize("word", ["many", "-1GiB", "0", "2GX", "", "nan", "inf"])
def test_what_is_no_size_is_refused(data, word):
    done = subprocess.run([COMMAND, "encode", "--model", data / "m.shm", "--features", data / "train-x.npy", "--codes",
                           data / "c.shc", f"--memory-limit={word}"], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
