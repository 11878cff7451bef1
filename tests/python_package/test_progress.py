"""Progress and Ctrl-C."""

import logging
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import structhash
from structhash import progress

QUICK = {"bits": 64, "trade_off": 30, "ridge": 0.02, "penalty": 0.2}


def test_the_log_says_how_far_it_is(caplog, digits):
    X, y = digits
    with caplog.at_level(logging.INFO, logger="structhash"):
        structhash.StructHash(**QUICK, verbose=1).fit(X[:600], y[:600])
    assert any("training: " in line and "of 64" in line for line in caplog.messages)
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="structhash"):
        structhash.StructHash(**QUICK).fit(X[:100], y[:100])
    assert not caplog.messages


def test_a_bar_where_somebody_watches(capsys):
    pytest.importorskip("tqdm")
    with progress.Reporter(interactive=True) as report:
        report("choosing parameters", 1, 3, "")
        report("training", 8, 64, "objective 0.1")
    assert "8/64" in capsys.readouterr().err


def test_a_bar_without_tqdm(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # importing it fails
    with progress.Reporter(interactive=True) as report:
        report("choosing parameters", 1, 0, "")
        report("training", 16, 64, "objective 0.1")
        report("training", 64, 64, "objective 0.05")
    lines = capsys.readouterr().err.split("\r")
    assert "choosing parameters: 1" in [line.rstrip() for line in lines]
    assert any(line.startswith("training: [########......................] 16/64 objective 0.1") for line in lines)
    assert any(line.startswith(f"training: [{'#' * 30}] 64/64") for line in lines)
    assert lines[-2].strip() == "" and lines[-1] == ""  # the line is cleared at the end


def test_lines_where_no_log_is_configured():
    script = (
        "import numpy as np, structhash; X = np.random.default_rng(1).normal(size=(300, 8)); "
        "structhash.StructHash(bits=64, functions='linear', verbose=1).fit(X, np.arange(300) % 3)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "training: " in run.stderr and run.stdout == ""


def test_what_a_callback_raises_stops_training(digits):
    X, y = digits
    training_set = structhash._core.TrainingSet.of(X)
    training_set.set_classes(y.astype(np.int32))
    training_set.lists_from_labels(50, 50, 1, 1, "shared")

    def stop(stage, done, total, detail):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        structhash._core.fit(training_set, "structhash", 64, {}, 1, 2, stop)


def seconds_to_stop(work):
    """Presses Ctrl-C after a while; returns the processor time until the work ended, as a busy machine has little."""
    sent = []

    def send():
        sent.append(time.process_time())
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    timer = threading.Timer(0.5, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    return time.process_time() - sent[0]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_stops_training_within_a_second(n_jobs, digits):
    hasher = structhash.StructHash(bits=256, n_jobs=n_jobs)
    assert seconds_to_stop(lambda: hasher.fit(*digits)) < n_jobs
    assert not hasattr(hasher, "model_")


def test_ctrl_c_stops_search_and_transform_within_a_second():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 256, (500_000, 32), dtype=np.uint8)
    index = structhash.Index(bits=256, weights=rng.random(256))
    index.add(codes)
    assert seconds_to_stop(lambda: index.search(codes, 100)) < 1.0
    X = rng.random((300_000, 128), dtype=np.float32)
    hasher = structhash.LSH(bits=256, functions="kernel", anchors=1000).fit(X[:2000])
    assert seconds_to_stop(lambda: [hasher.transform(X) for _ in range(100)]) < 1.0


def test_importing_takes_no_time():
    script = "import time; t = time.process_time(); import structhash; print(time.process_time() - t)"
    seconds = min(float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(5))
    assert seconds < 0.15
    loaded = subprocess.check_output([sys.executable, "-c", "import structhash, sys; print('sklearn' in sys.modules)"])
    assert loaded == b"False\n"
