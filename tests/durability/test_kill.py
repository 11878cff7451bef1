"""kill -9 at any time: every file is the old or the new one, and the same command ends in the same bytes.

About 20 kills; STRUCTHASH_KILLS=200 asks for more (docs/reliability.md has the figures of the last long run)."""

import json
import os
import random
import signal
import subprocess
import time

import pytest

from conftest import COMMAND, INDEX_WRITER, check, save_data, temporaries, verifies

KILLS = int(os.environ.get("STRUCTHASH_KILLS", "20"))
SEED = int(os.environ.get("STRUCTHASH_KILL_SEED", "1"))


def share(of_all):
    return max(1, round(KILLS * of_all))


def start(arguments):
    return subprocess.Popen([str(word) for word in arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_within(arguments, draw, longest):
    """True if the command was still at work when it was killed."""
    process = start(arguments)
    try:
        process.wait(draw.uniform(0.0, longest))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    code = process.wait()
    assert code in (0, -signal.SIGKILL), code
    return code != 0


def seconds_of(arguments):
    begin = time.monotonic()
    check(arguments)
    return time.monotonic() - begin


def test_training_goes_on_from_its_checkpoint(work):
    draw = random.Random(SEED)
    x, y = save_data(work, "train", 400, 12)
    model, checkpoint = work / "m.shm", work / "m.checkpoint"
    plain = [COMMAND, "train", "--features", x, "--labels", y, "--bits", "24", "--relevant", "20", "--irrelevant", "20",
             "--model", model]
    longest = seconds_of(plain)
    expected = model.read_bytes()
    model.unlink()
    command = [*plain, "--checkpoint", checkpoint]
    kills = finished = 0
    while kills < share(0.5):
        if kill_within(command, draw, longest):
            kills += 1
        assert not checkpoint.exists() or verifies(checkpoint)
        if model.exists():
            finished += 1
            assert model.read_bytes() == expected
            model.unlink()
            checkpoint.unlink(missing_ok=True)  # killed between the two: the next one would end at once
    check(command)
    assert model.read_bytes() == expected
    assert not temporaries(work) and not checkpoint.exists()
    print(f"{kills} kills, {finished + 1} trainings finished")


@pytest.mark.parametrize("name", ["encode", "convert", "index"])
def test_a_file_is_the_old_or_the_new_one(work, name):
    draw = random.Random(f"{SEED} {name}")
    x, y = save_data(work, "many", 100_000, 32)
    model, codes, out = work / "m.shm", work / "c.shc", work / "out"
    check([COMMAND, "train", "--method", "itq", "--features", x, "--train-size", "1000", "--bits", "32", "--model", model])
    check([COMMAND, "encode", "--model", model, "--features", x, "--codes", codes])
    command = {"encode": [COMMAND, "encode", "--model", model, "--features", x, "--codes", out],
               "convert": [COMMAND, "convert", "--codes", codes, "--to", "pgvector", "--out", out],
               "index": [INDEX_WRITER, codes, out]}[name]
    longest = seconds_of(command)
    new = out.read_bytes()
    old = b"the old content"
    kills = 0
    while kills < share(0.1):
        out.write_bytes(old)
        kills += 1 if kill_within(command, draw, longest) else 0
        assert out.read_bytes() in (old, new)
    check(command)
    assert out.read_bytes() == new
    assert name == "convert" or verifies(out)
    assert not temporaries(work)


def rows_of(path):
    """Rows without what depends on the clock; a last line without an end does not count."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    rows = [json.loads(line) for line in lines]
    return sorted(json.dumps({key: value for key, value in row.items() if not key.endswith("_seconds")}, sort_keys=True)
                  for row in rows)


def test_an_experiment_goes_on_with_the_cells_that_are_missing(work):
    draw = random.Random(SEED + 1)
    x, y = save_data(work, "e", 300, 8)
    experiment = work / "e.json"
    structhash = {"method": "structhash", "measure": "map", "trade-off": 10, "ridge": 0.02, "penalty": 0.2, "shrinkage": 0.5}
    experiment.write_text(json.dumps({
        "datasets": [{"name": "e", "features": [str(x)], "labels": [str(y)]}],
        "protocol": {"queries": 50, "train": 200, "relevant": 10, "irrelevant": 10},
        "methods": [{"method": "lsh"}, {"method": "itq"}, structhash], "bits": [8, 16], "seeds": [1, 2, 3],
        "measures": ["map", "ndcg@10"]}))
    undisturbed, killed = work / "undisturbed.jsonl", work / "killed.jsonl"
    command = [COMMAND, "experiment", experiment, "--results"]
    longest = seconds_of([*command, undisturbed])
    expected = rows_of(undisturbed)
    kills = 0
    while kills < share(0.2):
        kills += 1 if kill_within([*command, killed], draw, longest) else 0
        rows = rows_of(killed)
        assert len(rows) == len(set(rows)) and set(rows) <= set(expected)
        if rows == expected:
            killed.unlink()
    check([*command, killed])
    assert rows_of(killed) == expected
    check([*command, killed])  # nothing is left to do, and nothing is left behind
    assert not temporaries(work)
