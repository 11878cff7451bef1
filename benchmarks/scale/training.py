#!/usr/bin/env python3
"""What training on several processes costs, and how it grows with the queries (docs/scale.md).

    benchmarks/scale/training.py --mpi build/mpi/bin/structhash --plain build/release/bin/structhash
    benchmarks/scale/training.py ... --parts series          one part: processes, bytes, series or large
    benchmarks/scale/training.py ... --parts large           200,000 queries x (50 + 50), 64 bits: up to an hour

Needs numpy and a machine that does nothing else.  Exit code 1 if a bar is missed."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

GIVEN = ["--option", "trade-off=30", "--option", "ridge=0.02", "--option", "penalty=0.2", "--option", "shrinkage=0.5"]
ROWS_OF_LARGE = 200_000


def save_data(folder, rows, dimension, classes=10):
    x = folder / f"{rows}.npy"
    if not x.exists():
        draw = numpy.random.default_rng(1)
        labels = draw.integers(classes, size=rows)
        centres = draw.normal(size=(classes, dimension)) * 0.15  # far from separable: all passes are needed
        numpy.save(x, (centres[labels] + draw.normal(size=(rows, dimension))).astype("<f4"))
        numpy.save(folder / f"{rows}-labels.npy", labels.astype("<i4"))
    return x, folder / f"{rows}-labels.npy"


class Runner:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.failed, self.lines = arguments, folder, False, []

    def train(self, command, rows, *, processes=0, threads=1, shards=1, bits=None, options=GIVEN):
        """processes = 0: without mpirun.  Returns what the command says, its model's bytes and its peak memory."""
        x, y = save_data(self.folder, rows, self.arguments.dimension)
        model = self.folder / "model.shm"
        words = [command, "train", "--features", x, "--labels", y, "--bits", bits or self.arguments.bits, "--model", model,
                 "--threads", threads, "--shards", shards, "--json", *options]
        if processes > 0:
            words = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", processes, *words]
        read, write = os.pipe()
        process = subprocess.Popen([str(word) for word in words], stdout=write, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as out:
            text = out.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"training.py: the command failed: {' '.join(map(str, words))}")
        told = json.loads(text)
        told["model_bytes"] = model.read_bytes()
        told["peak_bytes"] = usage.ru_maxrss * 1024
        told["processor_seconds"] = usage.ru_utime + usage.ru_stime
        return told

    def say(self, line, passed=None):
        verdict = "" if passed is None else ("pass" if passed else "FAIL")
        self.failed = self.failed or passed is False
        self.lines.append(f"{line:<125} {verdict}")
        print(self.lines[-1], flush=True)


def ratio_of(runner, first, second, repeats):
    """Ratio of the shortest times, taken in turns, the times, and the same ratio of processor time, which says something on a
    busy machine too; both must give the same model."""
    seconds = []
    for _ in range(repeats):
        a, b = runner.train(**first), runner.train(**second)
        assert a["model_bytes"] == b["model_bytes"], "the models differ"
        seconds.append((a["train_seconds"], b["train_seconds"], a["processor_seconds"], b["processor_seconds"]))
    first, second, *work = [min(column) for column in zip(*seconds)]
    return second / first, (first, second), work[1] / work[0]


def processes_part(runner):
    given = runner.arguments
    common = {"rows": given.rows, "shards": 4}
    ratio, (plain, one), work = ratio_of(runner, {"command": given.plain, **common},
                                   {"command": given.mpi, "processes": 1, **common}, given.repeats)
    runner.say(f"one process of mpirun over the build without MPI: {ratio:.3f} ({one:.1f} s, {plain:.1f} s; bar 1.03); of processor "
               f"time {work:.3f}",
               ratio <= 1.03)
    ratio, (one, two), work = ratio_of(runner, {"command": given.mpi, "processes": 1, "threads": 2, **common},
                                 {"command": given.mpi, "processes": 2, "threads": 1, **common}, given.repeats)
    runner.say(f"2 processes x 1 thread over 1 x 2 threads: {ratio:.3f} ({two:.1f} s, {one:.1f} s; bar 1.15); of "
               f"processor time {work:.3f}", ratio <= 1.15)


def bytes_part(runner):
    """Of a whole training, per bit.  Most bytes are gradients of L-BFGS, so dividing by the passes of the row oracle, whose number
    falls with more queries, would say nothing; tests/learner/shards_test.cpp checks the bytes of one pass exactly."""
    sent = []
    for rows in (runner.arguments.rows // 4, runner.arguments.rows // 2, runner.arguments.rows):
        told = runner.train(runner.arguments.mpi, rows, processes=2, shards=4)
        passes = sum(told["parameters"]["log"]["passes"])
        sent.append(told["network_bytes"] / told["bits"])
        runner.say(f"{rows:>8} queries: {told['network_bytes']:>10} bytes, {sent[-1]:.0f} per bit; {passes} passes of the "
                   f"row oracle")
    growth = sent[-1] / sent[0]
    runner.say(f"bytes per bit, four times the queries: {growth:.2f} (bar 1.25; four times as many would be 4)", growth <= 1.25)


def series_part(runner):
    """Seconds and bytes as  fixed + per query,  fitted to all but the last size and checked there."""
    sizes = [10_000, 20_000, 40_000]
    seconds, peaks = [], []
    for rows in sizes:
        told = runner.train(runner.arguments.plain, rows, threads=2, shards=1, bits=64)
        seconds.append(told["train_seconds"])
        peaks.append(told["peak_bytes"])
        passes = sum(told["parameters"]["log"]["passes"])
        runner.say(f"{rows:>8} queries, 64 bits, 2 threads: {seconds[-1]:7.1f} s "
                   f"({told['processor_seconds']:.0f} s of processors), {peaks[-1] / 2**30:.2f} GiB, {passes} passes")
    for name, values, unit, bar in (("time", seconds, 60.0, 60.0), ("memory", peaks, 2.0**30, 8.0)):
        slope = (values[1] - values[0]) / (sizes[1] - sizes[0])
        predicted = values[1] + slope * (sizes[2] - sizes[1])
        runner.say(f"{name} at {sizes[2]} queries: {values[2] / predicted:.2f} of the line through the two before")
        slope = (values[2] - values[1]) / (sizes[2] - sizes[1])
        large = (values[2] + slope * (ROWS_OF_LARGE - sizes[2])) / unit
        runner.say(f"{name} at {ROWS_OF_LARGE} queries by that line: {large:.1f} {'min' if name == 'time' else 'GiB'} "
                   f"(bar {bar:.0f})")


def large_part(runner):
    options = [] if runner.arguments.chosen else GIVEN
    told = runner.train(runner.arguments.plain, ROWS_OF_LARGE, threads=2, shards=8, bits=64, options=options)
    minutes, gib = told["train_seconds"] / 60, told["peak_bytes"] / 2**30
    runner.say(f"{ROWS_OF_LARGE} queries x (50 + 50), 64 bits, 2 threads: {minutes:.1f} min, {gib:.2f} GiB (bars 60, 8)",
               minutes <= 60 and gib <= 8)


PARTS = {"processes": processes_part, "bytes": bytes_part, "series": series_part, "large": large_part}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpi", default="build/mpi/bin/structhash", help="the command built with STRUCTHASH_MPI")
    parser.add_argument("--plain", default="build/release/bin/structhash", help="the command built without")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=["processes", "bytes", "series"])
    parser.add_argument("--rows", type=int, default=16_000, help="training queries of the first two parts")
    parser.add_argument("--dimension", type=int, default=128)
    parser.add_argument("--bits", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--chosen", action="store_true", help="large: choose the parameters too, as without any option")
    parser.add_argument("--folder", type=pathlib.Path, help="where data are kept (default: a temporary folder)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        runner = Runner(arguments, folder)
        for part in arguments.parts:
            PARTS[part](runner)
    sys.exit(1 if runner.failed else 0)


if __name__ == "__main__":
    main()
