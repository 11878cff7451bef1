"""SIGINT and SIGTERM stop training within two seconds with exit code 6; the same command goes on to the same bytes."""

import os
import random
import signal
import subprocess
import time

import pytest

from conftest import COMMAND, check, save_data, temporaries, verifies

# Elsewhere on a busy machine two seconds of ours are many more by the clock.
MOST_SECONDS = float(os.environ.get("STRUCTHASH_STOP_SECONDS", "2"))


def stop_after(command, seconds, sign):
    """Exit code, errors, and how long it took to stop; None if it was over before."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        process.wait(seconds)
        return None
    except subprocess.TimeoutExpired:
        pass
    begin = time.monotonic()
    process.send_signal(sign)
    _, errors = process.communicate(timeout=120)
    return process.returncode, errors, time.monotonic() - begin


@pytest.mark.parametrize("functions", ["linear", "kernel"])
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_training_stops_at_once_and_goes_on_to_the_same_bytes(work, sign, functions):
    draw = random.Random(f"{sign} {functions}")
    x, y = save_data(work, "stop", 1500 if functions == "linear" else 600, 24)
    model, checkpoint = work / "m.shm", work / "m.checkpoint"
    plain = [COMMAND, "train", "--features", x, "--labels", y, "--bits", "24", "--functions", functions, "--relevant", "20",
             "--irrelevant", "20", "--option", "random-starts=2", "--model", model]
    begin = time.monotonic()
    check(plain)
    longest = time.monotonic() - begin
    expected = model.read_bytes()
    model.unlink()
    command = [*plain, "--checkpoint", checkpoint]
    stops = 0
    slowest = 0.0
    for _ in range(4):
        stopped = stop_after(command, draw.uniform(0.3, 0.6) * longest, sign)
        if stopped is None or stopped[0] == 0:
            break
        code, errors, seconds = stopped
        stops += 1
        slowest = max(slowest, seconds)
        assert code == 6, errors
        assert str(checkpoint) in errors and "the same command goes on" in errors
        assert verifies(checkpoint) and not model.exists()
    check(command) if not model.exists() else None
    assert stops >= 1
    assert slowest < MOST_SECONDS
    assert model.read_bytes() == expected
    assert not checkpoint.exists() and not temporaries(work)
    print(f"{stops} stops, the slowest took {slowest:.2f} s")


def test_a_checkpoint_of_something_else_is_refused(work):
    x, y = save_data(work, "other", 60, 6)
    given = [word for option in ["trade-off=10", "ridge=0.02", "penalty=0.2", "shrinkage=0.5"] for word in ["--option", option]]
    command = [COMMAND, "train", "--features", x, "--labels", y, "--relevant", "5", "--irrelevant", "5", *given, "--model",
               work / "m.shm", "--checkpoint", work / "c"]

    def error_of(*words, code):
        done = subprocess.run([str(word) for word in [*command, *words]], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stderr

    check([*command, "--bits", "4"])
    assert not (work / "c").exists()
    begun = subprocess.Popen([str(word) for word in [*command, "--bits", "200"]], stderr=subprocess.DEVNULL)
    while not (work / "c").exists():
        time.sleep(0.001)
    begun.kill()
    begun.wait()
    if (work / "c").exists():
        assert "bits is 200 there and 4 here" in error_of("--bits", "4", code=3)
        assert "seed is 1 there and 2 here" in error_of("--bits", "200", "--seed", "2", code=3)
    assert "--checkpoint keeps the training of the method structhash" in error_of("--method", "lsh", "--option", "x=1", code=2)
    command[-1] = work / "m.shm"
    assert "need a file each" in error_of(code=2)
