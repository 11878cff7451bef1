"""Progress and Ctrl-C."""

import logging
import signal
import subprocess
import sys
import textwrap
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


def test_what_a_callback_raises_stops_training(digits):
    X, y = digits
    training_set = structhash._core.TrainingSet.of(X)
    training_set.set_classes(y.astype(np.int32))
    training_set.lists_from_labels(50, 50, 1, 1)

    def stop(stage, done, total, detail):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        structhash._core.fit(training_set, "structhash", 64, "", "", {}, 1, 2, stop)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_stops_training_within_a_second(n_jobs, digits):
    X, y = digits
    sent = []

    def send():
        sent.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    timer = threading.Timer(0.5, send)
    timer.start()
    hasher = structhash.StructHash(bits=256, n_jobs=n_jobs)
    with pytest.raises(KeyboardInterrupt):
        hasher.fit(X, y)
    assert time.monotonic() - sent[0] < 3.0  # a second, and two for a busy machine
    assert not hasattr(hasher, "model_")


def test_ctrl_c_stops_a_long_search():
    script = textwrap.dedent("""
        import numpy as np, structhash
        codes = np.random.default_rng(1).integers(0, 256, (1_000_000, 32), dtype=np.uint8)
        index = structhash.Index(bits=256, weights=np.random.default_rng(2).random(256))
        index.add(codes)
        print("ready", flush=True)
        index.search(codes[:200_000], 100)
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        errors = child.stderr.read()
        seconds = time.monotonic() - start
    assert b"KeyboardInterrupt" in errors
    assert seconds < 5.0, seconds  # a second on an idle machine


def test_importing_takes_no_time():
    script = "import time; t = time.process_time(); import structhash; print(time.process_time() - t)"
    seconds = min(float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(5))
    assert seconds < 0.15
    loaded = subprocess.check_output([sys.executable, "-c", "import structhash, sys; print('sklearn' in sys.modules)"])
    assert loaded == b"False\n"
