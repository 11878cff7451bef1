#!/usr/bin/env python3
"""Writes tests/golden/oracle_cases.txt: small ranking problems solved by exhaustive search.

Run: python3 scripts/make_oracle_cases.py > tests/golden/oracle_cases.txt

Every case is a measure, the sorted distances of the relevant and of the irrelevant items, and the
largest value of  loss(y) - w' delta psi(y)  (Eq. 11) over every interleaving y of the two lists,
each scored from its 0/1 pattern by the textbook definition.  Where exactly one interleaving reaches
it, its counts follow (irrelevant items before each relevant one); otherwise a dash.
Nothing here knows of gain tables or of the dynamic programme.
"""
import itertools
import math
import random

TRIALS = 25


def paper(rank):
    return 1.0 if rank <= 2 else 1.0 / math.log2(rank)


def standard(rank):
    return 1.0 / math.log2(1 + rank)


def ndcg(pattern, cutoff, discount):
    top = min(cutoff, sum(pattern))  # the cut-off of training never exceeds the relevant items
    gain = sum(discount(r) for r, hit in enumerate(pattern[:top], 1) if hit)
    return gain / sum(discount(r) for r in range(1, top + 1))


def ndcg_simple(pattern):
    total, irrelevant = 0.0, 0
    for hit in pattern:
        if hit:
            total += standard(1 + irrelevant)
        else:
            irrelevant += 1
    return total / sum(pattern)


def auc(pattern):
    pairs = [(a, b) for a, b in itertools.combinations(pattern, 2) if a != b]
    return sum(1 for a, _ in pairs if a) / len(pairs)


def average_precision(pattern):
    ranks = [r for r, hit in enumerate(pattern, 1) if hit]
    return sum(hits / r for hits, r in enumerate(ranks, 1)) / len(ranks)


def score(measure, pattern, cutoff):
    top = min(cutoff, sum(pattern))
    return {
        'auc': lambda: auc(pattern),
        'ndcg': lambda: ndcg(pattern, cutoff, standard),
        'ndcg-paper': lambda: ndcg(pattern, cutoff, paper),
        'ndcg-simple': lambda: ndcg_simple(pattern),
        'precision': lambda: sum(pattern[:top]) / top,
        'recall': lambda: sum(pattern[:cutoff]) / top,
        'map': lambda: average_precision(pattern),
        'mrr': lambda: 1.0 / (1 + pattern.index(1)),
    }[measure]()


def solve(measure, cutoff, d, e):
    """The largest value and every interleaving that reaches it."""
    values = []
    for counts in itertools.combinations_with_replacement(range(len(e) + 1), len(d)):
        pattern = [0] * (len(d) + len(e))
        for j, before in enumerate(counts):
            pattern[j + before] = 1
        margin = sum(d[j] - e[k] for j, before in enumerate(counts) for k in range(before))
        values.append((2.0 * margin / (len(d) * len(e)) + 1 - score(measure, pattern, cutoff), counts))
    best = max(value for value, _ in values)
    return best, [counts for value, counts in values if value > best - 1e-9]


def main():
    rng = random.Random(0)
    names = ('auc', 'ndcg', 'ndcg-paper', 'ndcg-simple', 'precision', 'recall', 'map', 'mrr')
    print('# measure | relevant distances | irrelevant distances | maximum of Eq. (11) | counts or -')
    print('# written by scripts/make_oracle_cases.py, exhaustive search; do not edit')
    for trial in range(TRIALS):
        P, N = rng.randint(1, 5), rng.randint(1, 5)
        scale = rng.choice([0.1, 0.5, 2.0])
        if trial % 3 == 0:  # few values, so that ties occur
            draw = lambda: -rng.randint(0, 3) * 0.3 * scale
        else:
            draw = lambda: -rng.gauss(0, scale)
        d, e = sorted(draw() for _ in range(P)), sorted(draw() for _ in range(N))
        cutoffs = {'ndcg': rng.randint(2, 5), 'precision': rng.randint(1, 5)}
        cutoffs['ndcg-paper'], cutoffs['recall'] = cutoffs['ndcg'], cutoffs['precision']
        for name in names:
            best, winners = solve(name, cutoffs.get(name, 1), d, e)
            spelt = f'{name}@{cutoffs[name]}' if name in cutoffs else name
            counts = ' '.join(map(str, winners[0])) if len(winners) == 1 else '-'
            print(f'{spelt} | {" ".join(map(repr, d))} | {" ".join(map(repr, e))} | {best!r} | {counts}')


if __name__ == '__main__':
    main()
