#!/usr/bin/env python3
"""Markdown tables of StructHash against the other methods, from the result rows of an experiment.

Run: scripts/equal_treatment.py [--adaptive] paper-table1-2.jsonl
First table: NDCG@100 / P@100 / mAP / PR area, means over seeds of every kernel and linear method. Second table: StructHash by its defaults
less the best other method of the same kind, seed by seed, with Student's 95 % interval over the seeds;
its last line counts the cells. Plain Hamming distance, except CGH, which has its learned weights; with
--adaptive every method that has it by adaptive distance.
"""
import collections
import json
import math
import statistics
import sys

# 97.5 % quantiles of Student's t by degrees of freedom
T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
LINEAR = {'cgh', 'cca-itq', 'splh', 'sths', 'bres', 'itq', 'lsh'}
KERNEL = {'ksh', 'sdh', 'hcsdh', 'cosdish', 'mihash', 'klsh'}


def kind_of(method, params):
    return params.get('functions') or ('linear' if method in LINEAR else 'kernel' if method in KERNEL else 'other')


def label_of(row):
    words = [row['method']]
    for name, value in row['params'].items():
        if name == 'measure':
            words.append(f'for {value}')
        elif name != 'functions':
            words.append(f'{name} {value}')
    return ', '.join(words)


def distance_of(row, adaptive):
    return 'adaptive' if adaptive else 'weighted' if row['method'] == 'cgh' else 'hamming'


def read(paths, adaptive):
    """{dataset: {(kind, label): {measure: {seed: value}}}}"""
    table = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(dict)))
    for path in paths:
        with open(path, encoding='utf-8') as file:
            for row in map(json.loads, file):
                if row['distance'] == distance_of(row, adaptive):
                    cell = table[row['dataset']][kind_of(row['method'], row['params']), label_of(row)]
                    for measure in measures_of(row):
                        cell[measure][row['seed']] = row[measure]
    return table


def measures_of(row):
    wanted = ('ndcg@100', 'precision@100', 'map', 'pr-auc')
    return [measure for measure in wanted if measure in row]


def number(value, digits=4):
    return f'{value:.{digits}f}'.replace('0.', '.', 1)


def signed(value):
    return ('+' if value >= 0 else '−') + number(abs(value))


def mean(values):
    return statistics.fmean(values.values())


def is_ours(label):
    return label.startswith('structhash')


def is_default(label):
    return label == 'structhash'


def print_values(table, kind):
    datasets = list(table)
    rows = sorted({label for dataset in datasets for k, label in table[dataset] if k == kind},
                  key=lambda label: -max(mean(table[d][kind, label]['map']) for d in datasets
                                         if (kind, label) in table[d]))
    print(f'\n| {kind} functions | ' + ' | '.join(datasets) + ' |\n|' + '---|' * (len(datasets) + 1))
    for label in rows:
        cells = [' / '.join(number(mean(values)) for values in table[d][kind, label].values())
                 if (kind, label) in table[d] else '' for d in datasets]
        print(f'| {"**" + label + "**" if is_ours(label) else label} | ' + ' | '.join(cells) + ' |')


def interval(differences):
    n = len(differences)
    centre = statistics.fmean(differences)
    half = T[n - 1] * statistics.stdev(differences) / math.sqrt(n) if n > 1 else math.inf
    return centre, centre - half, centre + half


def print_differences(table, kind):
    print(f'\n| {kind} functions | measure | structhash | best other | difference, 95 % interval |\n|---|---|---|---|---|')
    intervals = []
    for dataset, methods in table.items():
        ours = next((cell for (k, label), cell in methods.items() if k == kind and is_default(label)), {})
        for measure in ours:
            label, best = max(((label, cell[measure]) for (k, label), cell in methods.items()
                               if k == kind and not is_ours(label)), key=lambda pair: mean(pair[1]))
            centre, low, high = interval([ours[measure][seed] - best[seed]
                                          for seed in sorted(ours[measure].keys() & best.keys())])
            intervals.append((centre, low))
            print(f'| {dataset} | {measure} | {number(mean(ours[measure]))} | {label} {number(mean(best))} | '
                  f'{signed(centre)} ({signed(low)} to {signed(high)}) |')
    print(f'\n{len(intervals)} cells: {sum(centre >= 0 for centre, _ in intervals)} first, '
          f'{sum(low > 0 for _, low in intervals)} with an interval above 0.')


def main():
    paths = [argument for argument in sys.argv[1:] if argument != '--adaptive']
    if not paths:
        sys.exit(__doc__)
    table = read(paths, adaptive='--adaptive' in sys.argv)
    for kind in ('kernel', 'linear'):
        print_values(table, kind)
        print_differences(table, kind)


if __name__ == '__main__':
    main()
