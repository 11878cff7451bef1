#!/usr/bin/env python3
"""Compares structhash.Index on a GPU with the same index on the CPU: distances and ids must be equal.

Run: python3 benchmarks/gpu_index.py [cuda:N]        needs the installed package and a GPU; exit status 1 if an answer differs
"""
import sys

import numpy as np

import structhash

ROWS = 200_000


def differences(cpu, gpu, queries, **options):
    """0 or 1: whether the answers differ."""
    return int(not all(map(np.array_equal, cpu.search(queries, **options), gpu.search(queries, **options))))


def of_codes(bits, weights, device, rng):
    """One entry per search: all k, a filter, and after a change."""
    codes = np.packbits(rng.integers(0, 2, (ROWS, bits), dtype=np.uint8), axis=1, bitorder='little')
    ids = rng.permutation(5 * ROWS)[:ROWS]
    queries = codes[:300] ^ 1
    indexes = [structhash.Index(bits=bits, weights=weights, device=where) for where in ('cpu', device)]
    for index in indexes:
        index.add(codes, ids=ids)
    found = [differences(*indexes, queries, k=k) for k in (1, 10, 100, 1500)]
    found.append(differences(*indexes, queries, k=10, only=ids[:5000]))
    for index in indexes:
        index.remove(ids[:100])
    return [*found, differences(*indexes, queries, k=10)]


def of_a_model(device):
    """Queries that are features, by the adaptive distance."""
    X, y, _, _ = structhash.datasets.load_questions()
    hasher = structhash.StructHash(bits=64, n_jobs=-1).fit(X[:1500], y[:1500])
    indexes = [structhash.Index(hasher, device=where) for where in ('cpu', device)]
    for index in indexes:
        index.add(X[1500:])
    return [differences(*indexes, X[:200], k=10)]


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else 'cuda'
    rng = np.random.default_rng(1)
    found = of_a_model(device)
    for bits in (16, 64, 100, 256):
        for weights in (None, rng.uniform(0.2, 1.2, bits).astype(np.float32)):
            found += of_codes(bits, weights, device, rng)
    print(f'{len(found)} searches on the CPU and on {device}: {sum(found)} differ')
    return int(any(found))


if __name__ == '__main__':
    sys.exit(main())
