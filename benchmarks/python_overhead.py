#!/usr/bin/env python3
"""What the Python package adds to the C++ calls behind transform and search.

Run: python benchmarks/python_overhead.py [--rounds 15]

Both are timed in one process, in turn, on the same arrays; the C++ times are taken inside the module, around the bare
library calls. Processor time on one thread, medians; prints their ratio: 1.00 means that Python costs nothing.
"""

import argparse
import statistics
import time
from functools import partial

import numpy as np

import structhash
from structhash import _core


def median_times(package_call, library_seconds, rounds):
    """Seconds of the package and of the library: medians of calls made in turn."""
    package_call()
    library_seconds()
    package, library = [], []
    for _ in range(rounds):
        start = time.process_time()
        package_call()
        package.append(time.process_time() - start)
        library.append(library_seconds())
    return statistics.median(package), statistics.median(library)


def report(name, package, library):
    print(f"{name:<44} {package * 1e3:10.3f} ms {library * 1e3:10.3f} ms {package / library:7.3f}", flush=True)


def encoding(rng, rounds):
    for columns, functions, rows in [
        (512, "linear", 1_000),
        (512, "linear", 10_000),
        (512, "linear", 100_000),
        (784, "kernel", 1_000),
        (784, "kernel", 10_000),
    ]:
        x = rng.normal(size=(rows, columns)).astype(np.float32)
        hasher = structhash.LSH(bits=64, functions=functions).fit(x[:1_000])
        expected = np.packbits(hasher.decision_function(x[:100]) > 0, axis=1, bitorder="little")
        assert np.array_equal(hasher.transform(x)[:100], expected)
        call, bare = partial(hasher.transform, x), partial(_core._time_encode, hasher.model_, x, 1)
        times = median_times(call, bare, rounds)
        report(f"transform, {rows} x {columns}, {functions}", *times)


def searching(rng, rounds):
    codes = rng.integers(0, 256, size=(1_000_000, 8), dtype=np.uint8)
    for weights in (None, rng.random(64).astype(np.float32)):
        index = structhash.Index(bits=64, weights=weights)
        index.add(codes)
        for count, k in [(1_000, 10), (1_000, 100), (4_000, 100)]:
            queries = rng.integers(0, 256, size=(count, 8), dtype=np.uint8)
            call, bare = partial(index.search, queries, k), partial(_core._time_search, index._index, queries, k, 1)
            times = median_times(call, bare, rounds)
            kind = "plain" if weights is None else "weighted"
            report(f"search, {count} queries of 1M, k = {k}, {kind}", *times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=31)
    rounds = parser.parse_args().rounds
    print(f"{'':<44} {'Python':>13} {'C++':>13} {'ratio':>7}")
    rng = np.random.default_rng(1)
    encoding(rng, rounds)
    searching(rng, max(3, rounds // 3))


if __name__ == "__main__":
    main()
