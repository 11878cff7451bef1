#!/usr/bin/env python3
"""Encoding on Spark beside one machine: rows per second and core, Parquet in, Parquet out, start-up excluded.

    scripts/test_scale.sh build/wheel/*.whl                     # makes the environment
    build/scale-venv/bin/python benchmarks/scale/encoding.py [--rows 2000000] [--rounds 2] [--folder DIR]

A standalone master with one worker per core and one machine with a thread per core encode the same files in turns; the best of
the rounds counts. Start-up of a job is what the same job takes with one row per file; it is subtracted. Needs 2 KiB of disk per
row for a while. The bar holds for spark.encode_files and for spark.encode of a DataFrame that reads those files; the same with
read_files=False, so that all rows come through Java as those of any other DataFrame do, is shown beside them. Wall and processor
time must both reach it: the second hardly minds other work on the machine. Exit status 1 if codes differ or the bar is missed.
"""

import argparse
import filecmp
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "python_scale"))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

from cost_model import print_series
from standalone import Cluster

import structhash
from structhash import parquet, spark

DIMENSION, FILES, BITS = 128, 8, 64
BARS = {"spark_files": 0.7, "spark_frame": 0.7, "spark_java": None}
WAYS = ("one_machine", *BARS)


def write_files(folder, rows):
    """Vectors around a thousand centres, in files of the same size."""
    folder.mkdir()
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(1000, DIMENSION)).astype(np.float32)
    for number in range(FILES):
        count = rows * (number + 1) // FILES - rows * number // FILES
        values = centres[rng.integers(0, 1000, count)] + rng.normal(0, 0.5, (count, DIMENSION)).astype(np.float32)
        starts = pa.array(np.arange(0, values.size + 1, DIMENSION, dtype=np.int32))
        vectors = pa.ListArray.from_arrays(starts, pa.array(values.ravel()))
        ids = np.arange(count) + rows * number // FILES
        table = pa.table({"id": ids, "features": vectors})
        pa.parquet.write_table(table, folder / f"{number}.parquet", row_group_size=65_536, use_dictionary=False)
    return folder


def trained_models(folder):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(3000, DIMENSION)).astype(np.float32)
    classes = rng.integers(0, 5, 3000)
    models = {"linear": structhash.ITQ(bits=BITS).fit(values), "kernel": structhash.KSH(bits=BITS).fit(values, classes)}
    for name, model in models.items():
        model.save(folder / f"{name}.shm")
    return {name: folder / f"{name}.shm" for name in models}


class Contest:
    """The ways to encode; each writes a new folder."""

    def __init__(self, folder, cores):
        self.folder, self.cores, self.count = folder, cores, 0
        (folder / "cluster").mkdir()
        self.cluster = Cluster(folder / "cluster", workers=cores)
        # A task per file, be it of one row: start-up is that of as many tasks.
        settings = {"spark.executor.memory": "900m", "spark.sql.files.openCostInBytes": str(128 << 20)}
        self.session = self.cluster.session(**settings)

    def warm_up(self, source, model):
        """Executors, Python workers and Java's compiler get going."""
        for way in WAYS:
            self.timed(way, source, model)

    def processor_seconds(self):
        return time.process_time() + sum(worker.cpu_seconds() for worker in self.cluster.workers)

    def timed(self, way, source, model):
        """Wall and processor seconds, and the folder written."""
        self.count += 1
        out = self.folder / f"out-{self.count}"
        start = time.perf_counter(), self.processor_seconds()
        getattr(self, way)(source, model, out)
        return time.perf_counter() - start[0], self.processor_seconds() - start[1], out

    def one_machine(self, source, model, out):
        parquet.encode(source, model, "features", out, n_jobs=self.cores)

    def spark_files(self, source, model, out):
        spark.encode_files(self.session, source, model, "features", out)

    def spark_frame(self, source, model, out, read_files=True):
        frame = self.session.read.parquet(str(source))
        spark.write_parquet(spark.encode(frame, model, "features", read_files=read_files), out)

    def spark_java(self, source, model, out):
        self.spark_frame(source, model, out, read_files=False)


def measured(contest, sources, model, rounds):
    """For every way its runs with all rows and with one row per file, the ways in turns."""
    runs = {way: ([], []) for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            for kind, source in enumerate(sources):
                runs[way][kind].append(contest.timed(way, source, model))
    return runs


def rates(runs, rows, cores):
    """Rows per second and core by wall time, and rows per processor second; best of the rounds, start-up taken off."""
    wall, processor = (min(run[kind] for run in runs[0]) - min(run[kind] for run in runs[1]) for kind in (0, 1))
    return rows / wall / cores, rows / processor


def startup(runs, way):
    return f"{min(run[0] for run in runs[way][1]):.2f} s"


def same_codes(ours, theirs):
    names = sorted(file.name for file in ours.iterdir())
    if names == sorted(file.name for file in theirs.iterdir()):
        return not filecmp.cmpfiles(ours, theirs, names, shallow=False)[1]
    return pa.parquet.read_table(ours).equals(pa.parquet.read_table(theirs).sort_by("id"))


def compare(contest, name, sources, model, rows, rounds):
    """Prints a line per way; returns whether all is well."""
    well, runs = True, measured(contest, sources, model, rounds)
    machine = rates(runs["one_machine"], rows, contest.cores)
    print(
        f"| {name} | one_machine | {machine[0]:,.0f} | {machine[1]:,.0f} | | | | {startup(runs, 'one_machine')} |",
        flush=True,
    )
    for way, bar in BARS.items():
        wall, processor = rates(runs[way], rows, contest.cores)
        good = same_codes(runs["one_machine"][0][-1][2], runs[way][0][-1][2])
        good = good and (bar is None or min(wall / machine[0], processor / machine[1]) >= bar)
        verdict = ("pass" if good else "FAIL") if bar or not good else ""
        ratios = f"{wall / machine[0]:.2f} | {processor / machine[1]:.2f} | {bar or ''} {verdict}"
        print(f"| {name} | {way} | {wall:,.0f} | {processor:,.0f} | {ratios} | {startup(runs, way)} |", flush=True)
        well = well and good
    return well


def doubling_series(contest, source, model, rows):
    """One machine with 1, 2, 4 and 8 of the files: processor seconds, best of three."""
    files = sorted(source.iterdir())
    counts = [count for count in (1, 2, 4, 8) if count <= len(files)]
    seconds = [min(contest.timed("one_machine", files[:count], model)[1] for _ in range(3)) for count in counts]
    sizes = [rows * count // len(files) for count in counts]
    print_series("Processor seconds of encoding, linear", sizes, seconds, (1e6, 1e7, 1e8, 1e9))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--folder", default=None, help="where the files are made (default: the system's)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        models = trained_models(folder)
        few = options.rows // 8  # kernel models take long, and their rate does not depend on the number of rows
        tiny = write_files(folder / "tiny", FILES)
        files = {"linear": (write_files(folder / "linear", options.rows), tiny)}
        files["kernel"] = (write_files(folder / "kernel", few), tiny)
        contest = Contest(folder, options.cores)
        contest.warm_up(files["linear"][0], models["linear"])
        print(f"{options.rows:,} x {DIMENSION} ({few:,} for the kernel), {BITS} bits, {options.cores} cores")
        print(
            "| model | way | rows/s per core | rows per processor second | ratio | by processor time | bar | start-up |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        try:
            well = [compare(contest, "linear", files["linear"], models["linear"], options.rows, options.rounds)]
            well.append(compare(contest, "kernel", files["kernel"], models["kernel"], few, options.rounds))
            doubling_series(contest, files["linear"][0], models["linear"], options.rows)
        finally:
            contest.session.stop()
            contest.cluster.close()
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
