#!/usr/bin/env python3
"""Exact search and encoding beside Faiss: queries and vectors per second, in turns, medians, with the bars we set ourselves.

    python3 -m venv build/venv-faiss
    build/venv-faiss/bin/pip install faiss-cpu==1.12.0 numpy
    build/venv-faiss/bin/python benchmarks/search_faiss.py [--rounds 5] [--small] [--only TEXT]

Needs build/release/bin/bench_search (target bench_search of the preset release).  The peer is Faiss
as PyPI ships it, which picks the best instructions of the CPU; of the versions tried (1.8, 1.12,
1.15) 1.12 has the fastest IndexBinaryFlat, twice as fast as 1.15.  Distances of plain searches must
equal those of Faiss; weighted ones are compared with a naive scan inside bench_search.
Exit status 1 if an answer is wrong or a ratio is below its bar.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import faiss
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
K = 100
BATCH = 1000
ONE_BY_ONE = 200  # queries of the rows that ask one at a time


class Ours:
    """bench_search as a child that answers one line per command."""

    def __init__(self, program, *options):
        self.child = subprocess.Popen([program, *options], text=True, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE)

    def ask(self, *words):
        print(*words, file=self.child.stdin, flush=True)
        return self.child.stdout.readline().strip()

    def seconds(self, kind, how, threads=1):
        return float(self.ask('time', kind, how, threads))


class Workload:
    """Clustered codes, queries from the same clusters, weights between 0.2 and 1.2; as files."""

    def __init__(self, rows, bits, queries, folder):
        rng = np.random.default_rng(rows + bits)
        words = bits // 64
        centres = rng.integers(0, 2**64, (1000, words), dtype=np.uint64)

        def near_centres(count):
            flips = rng.integers(0, 2**64, (2, count, words), dtype=np.uint64)
            return centres[rng.integers(0, 1000, count)] ^ (flips[0] & flips[1])

        self.rows, self.bits = rows, bits
        self.codes, self.queries = near_centres(rows), near_centres(queries)
        self.weights = (0.2 + rng.random(bits)).astype(np.float32)
        self.files = [folder / name for name in ('codes', 'queries', 'weights')]
        for file, array in zip(self.files, (self.codes, self.queries, self.weights)):
            array.tofile(file)

    def load(self, ours):
        ours.ask('load', *self.files, self.bits)

    def binary_flat(self):
        index = faiss.IndexBinaryFlat(self.bits)
        index.add(self.codes.view(np.uint8))
        return lambda queries: index.search(queries.view(np.uint8), K)

    def fast_scan(self):
        """16 x 4 bits whose centroids are the 16 patterns of 4 bits: weighted Hamming distance, but
        for the rounding of FastScan's tables."""
        def vectors(codes):
            bits = np.unpackbits(codes.view(np.uint8), axis=1, bitorder='little')
            return (bits * np.sqrt(self.weights)).astype(np.float32)

        index = faiss.IndexPQFastScan(64, 16, 4)
        index.train(vectors(self.codes[:2000]))
        patterns = (np.arange(16)[:, None] >> np.arange(4)) & 1
        centroids = patterns[None] * np.sqrt(self.weights).reshape(16, 1, 4)
        faiss.copy_array_to_vector(centroids.astype(np.float32).ravel(), index.pq.centroids)
        for start in range(0, self.rows, 100_000):
            index.add(vectors(self.codes[start:start + 100_000]))
        ready = vectors(self.queries)
        return lambda queries: index.search(ready[:len(queries)], K)


def timed(call, *arguments):
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start


def one_by_one(search):
    return lambda queries: [search(queries[i:i + 1]) for i in range(len(queries))]


class Table:
    def __init__(self, rounds, only):
        self.rounds, self.only, self.failed = rounds, only, False

    def wanted(self, *names):
        return any(self.only in name for name in names)

    def row(self, name, ours, theirs, queries, bar):
        """ours and theirs: functions that return seconds."""
        if not self.wanted(name):
            return
        pairs = [(ours(), theirs()) for _ in range(self.rounds + 1)][1:]  # the first warms up
        us, them = (queries / statistics.median(side) for side in zip(*pairs))
        good = us / them >= bar
        self.failed |= not good
        print(f'| {name} | {us:,.0f} | {them:,.0f} | {us / them:.1f} x | {bar} x | '
              f'{"pass" if good else "FAIL"} |', flush=True)

    def check(self, name, good):
        if not good:
            self.failed = True
            print(f'WRONG ANSWERS: {name}', flush=True)


def check_plain(table, name, ours, search, queries, folder):
    ours.seconds('plain', 'batch')
    ours.ask('answers', folder / 'answers')
    distances = np.fromfile(folder / 'answers', np.float32).reshape(len(queries), K)
    table.check(name, np.array_equal(distances, search(queries)[0]))


def run_batches(table, ours, avx2, rows, bars, folder):
    work = Workload(rows, 64, BATCH, folder)
    work.load(ours)
    flat = work.binary_flat()
    name = f'n = {rows:,}'
    check_plain(table, name, ours, flat, work.queries, folder)
    peer = lambda: timed(flat, work.queries)
    row = lambda what, us, them, bar: table.row(f'{what}, {name}', us, them, BATCH, bar)
    row('Hamming, batch / IndexBinaryFlat', lambda: ours.seconds('plain', 'batch'), peer, bars[0])
    row('weighted, batch / IndexBinaryFlat (plain)', lambda: ours.seconds('weighted', 'batch'),
        peer, bars[1])
    ours.seconds('weighted', 'batch')
    table.check(f'weighted, {name}', ours.ask('check', 'weighted') == '0')
    if bars[2:]:
        row('Hamming, batch, 2 threads / ours, 1 thread',
            lambda: ours.seconds('plain', 'batch', 2), lambda: ours.seconds('plain', 'batch'),
            bars[2])
        work.load(avx2)
        check_plain(table, f'{name}, AVX2', avx2, flat, work.queries, folder)
        row('Hamming, batch, AVX2 only / IndexBinaryFlat', lambda: avx2.seconds('plain', 'batch'),
            peer, bars[3])
        if table.wanted(f'weighted, batch / IndexPQFastScan 16x4, {name}'):
            scan = work.fast_scan()
            row('weighted, batch / IndexPQFastScan 16x4',
                lambda: ours.seconds('weighted', 'batch'), lambda: timed(scan, work.queries),
                bars[4])


def run_one_by_one(table, ours, rows, folder):
    work = Workload(rows, 64, ONE_BY_ONE, folder)
    work.load(ours)
    names = [f'{what}, n = {rows:,}' for what in ('Hamming, one by one / IndexBinaryFlat',
                                                  'weighted, one by one / IndexPQFastScan 16x4')]
    if not table.wanted(*names):
        return
    flat, scan = one_by_one(work.binary_flat()), one_by_one(work.fast_scan())
    table.row(names[0], lambda: ours.seconds('plain', 'one'), lambda: timed(flat, work.queries),
              ONE_BY_ONE, 4)
    table.row(names[1], lambda: ours.seconds('weighted', 'one'), lambda: timed(scan, work.queries),
              ONE_BY_ONE, 1.4)
    table.check('one by one', ours.ask('check', 'weighted') == '0')


def run_longer_codes(table, ours, rows, bits, folder):
    name = f'Hamming, batch, {bits} bits / IndexBinaryFlat, n = {rows:,}'
    if not table.wanted(name):
        return
    work = Workload(rows, bits, BATCH, folder)
    work.load(ours)
    flat = work.binary_flat()
    check_plain(table, name, ours, flat, work.queries, folder)
    table.row(name, lambda: ours.seconds('plain', 'batch'), lambda: timed(flat, work.queries),
              BATCH, 6)


def run_encoding(table, ours, dimension, folder):
    """The directions of Faiss's own index, so that codes can be compared."""
    name = f'linear encode, {dimension} features, 64 bits / IndexLSH sa_encode'
    if not table.wanted(name):
        return
    vectors = np.random.default_rng(dimension).standard_normal((50_000, dimension), np.float32)
    index = faiss.IndexLSH(dimension, 64, True)
    directions = faiss.vector_to_array(index.rrot.A).reshape(64, dimension)
    vectors.tofile(folder / 'features')
    directions.tofile(folder / 'directions')
    ours.ask('load-features', folder / 'features', folder / 'directions', dimension)
    table.row(name, lambda: float(ours.ask('encode', 1)), lambda: timed(index.sa_encode, vectors),
              len(vectors), 1.4)
    ours.ask('codes', folder / 'encoded')
    different = np.fromfile(folder / 'encoded', np.uint64) ^ index.sa_encode(vectors).view(np.uint64)[:, 0]
    bits = np.unpackbits(different.view(np.uint8)).sum()  # Faiss rounds, we do not
    table.check(name, bits <= 1e-5 * 64 * len(vectors))


def cpu_name():
    for line in pathlib.Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines():
        if line.startswith('model name'):
            return line.split(':')[1].strip()
    return 'unknown'


def faiss_simd():
    """Newer versions pick at run time and say so; all list what they were built with."""
    config = getattr(faiss, 'SIMDConfig', None)
    picked = f'{config.get_level_name()}, ' if hasattr(config, 'get_level_name') else ''
    return f'{picked}built with: {faiss.get_compile_options().strip()}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--small', action='store_true', help='leave out n = 10,000,000')
    parser.add_argument('--only', default='', help='rows whose name contains this text')
    parser.add_argument('--program', default=ROOT / 'build/release/bin/bench_search')
    options = parser.parse_args()
    faiss.omp_set_num_threads(1)
    ours, avx2 = Ours(options.program), Ours(options.program, '--without-avx512')
    print(f'CPU {cpu_name()}; ours {ours.ask("target")} and {avx2.ask("target")}; '
          f'Faiss {faiss.__version__} ({faiss_simd()}); k = {K}, 64 bits and one thread unless said')
    print('\n| work / peer | ours, queries/s | peer | ratio | bar | |\n| --- | --- | --- | --- | --- | --- |')
    table = Table(options.rounds, options.only)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run_batches(table, ours, avx2, 1_000_000, (10, 5, 1.8, 3, 3), folder)
        run_one_by_one(table, ours, 1_000_000, folder)
        for dimension in (512, 784):
            run_encoding(table, ours, dimension, folder)
        for bits in (128, 256):
            run_longer_codes(table, ours, 1_000_000, bits, folder)
        if not options.small:
            run_batches(table, ours, avx2, 10_000_000, (15, 7), folder)
    sys.exit(1 if table.failed else 0)


if __name__ == '__main__':
    main()
