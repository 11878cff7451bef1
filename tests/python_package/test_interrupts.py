"""Ctrl-C in the middle of long training, as a terminal sends it: to a process of its own."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, os, signal, sys, threading, time
import numpy as np
import structhash

rng = np.random.default_rng(1)
y = np.arange(5000) % 10
X = (rng.normal(size=(10, 128))[y] + 2 * rng.normal(size=(5000, 128))).astype(np.float32)
hasher = getattr(structhash, sys.argv[1])(**json.loads(sys.argv[2]))
sent = []

def press():
    sent.extend([time.monotonic(), time.process_time()])
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(float(sys.argv[3]), press).start()
try:
    while True:
        hasher.fit(X, y)
except KeyboardInterrupt:
    now = [time.monotonic(), time.process_time()]
small = type(hasher)(bits=16).fit(X[:300], y[:300])
print(json.dumps({"wall": now[0] - sent[0], "processor": now[1] - sent[1], "codes": len(small.transform(X))}))
"""

LONG = [
    ("StructHash", {"functions": "kernel", "bits": 64}),
    ("StructHash", {"bits": 256, "trade_off": 30, "ridge": 0.02, "penalty": 0.2}),
    ("CGH", {"bits": 128}),
    ("KSH", {"bits": 256}),
    ("FastHash", {"bits": 64}),
    ("MDSH", {"bits": 64}),
]


@pytest.mark.parametrize("delay", [0.4, 2.5])
@pytest.mark.parametrize(("method", "options"), LONG)
def test_ctrl_c_stops_training_soon(method, options, delay):
    arguments = [sys.executable, "-c", SCRIPT, method, json.dumps(options), str(delay)]
    run = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    # On a busy machine a second is soon gone: there the processor's time counts.
    assert min(seen["wall"], seen["processor"]) < 1.0, seen
    assert seen["codes"] == 5000
