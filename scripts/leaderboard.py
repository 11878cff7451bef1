#!/usr/bin/env python3
"""Writes docs/leaderboard.md and its pictures from result rows of experiments/leaderboard.json.

Run: python3 scripts/leaderboard.py                            page and pictures from docs/leaderboard.csv
     python3 scripts/leaderboard.py --rows leaderboard.jsonl   makes docs/leaderboard.csv first
     python3 scripts/leaderboard.py --rows leaderboard.jsonl --times quiet.jsonl --times-note "How they were taken."
     python3 scripts/leaderboard.py --add more.jsonl           replaces or adds the data sets of these rows, without times
     python3 scripts/leaderboard.py --page-only                without pictures, which need matplotlib

--times takes train_seconds from other rows of the same experiment, such as those of a quiet machine. A cell
that they do not have keeps none.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / 'docs'
TABLE, PAGE = DOCS / 'leaderboard.csv', DOCS / 'leaderboard.md'
COLUMNS = ['dataset', 'method', 'functions', 'bits', 'seed', 'map', 'ndcg@100', 'precision@100', 'train_seconds']
MEASURES = {'map': 'mAP', 'ndcg@100': 'NDCG@100', 'precision@100': 'P@100'}
TITLES = {'usps': 'USPS', 'mnist': 'MNIST', 'isolet': 'ISOLET', 'banking77': 'banking77', 'cifar10': 'CIFAR-10, GIST'}
T_QUANTILES = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571}  # 97.5 %, by degrees of freedom

LINEAR = {'cgh', 'cca-itq', 'splh', 'sths', 'bres', 'itq', 'lsh'}
KERNEL = {'ksh', 'sdh', 'hcsdh', 'cosdish', 'mihash', 'klsh'}
OTHER = {'fasthash': 'trees', 'agh': 'anchor graph', 'agh1': 'anchor graph', 'mdsh': 'sinusoids', 'sph': 'sinusoids',
         'spher': 'balls'}
UNSUPERVISED = {'itq', 'agh', 'agh1', 'mdsh', 'spher', 'klsh', 'lsh', 'sph'}
OURS = 'structhash'

KINDS = {  # legend: colours (light, dark), marker
    'StructHash': (('#0b6e4f', '#4cc38a'), 'o'),
    'labels, kernel functions or trees': (('#8a4b00', '#f0a858'), 's'),
    'labels, linear functions': (('#2f5fb3', '#86b1ff'), '^'),
    'no labels': (('#777777', '#9a9a9a'), 'v'),
}


def functions_of(method, params):
    kind = 'linear' if method in LINEAR else 'kernel' if method in KERNEL else OTHER.get(method)
    return params.get('functions') or kind


def kind_of(method, functions):
    if method == OURS:
        return 'StructHash'
    if method in UNSUPERVISED:
        return 'no labels'
    return 'labels, linear functions' if functions == 'linear' else 'labels, kernel functions or trees'


def plain_rows(path):
    """By plain Hamming distance; CGH, whose weights are its point, by weighted distance."""
    with open(path, encoding='utf-8') as file:
        for row in map(json.loads, file):
            if row['distance'] == ('weighted' if row['method'] == 'cgh' else 'hamming'):
                yield {**row, 'functions': functions_of(row['method'], row['params'])}


def cell(row):
    return tuple(str(row[name]) for name in ('dataset', 'method', 'functions', 'bits', 'seed'))


def table_row(row, seconds):
    values = [f'{row[measure]:.5f}' for measure in MEASURES]
    return [*cell(row), *values, '' if seconds is None else f'{seconds:.3f}']


def write_table(note, versions, table_rows):
    with open(TABLE, 'w', encoding='utf-8', newline='') as file:
        file.write(f'# {note}\n# {", ".join(sorted(versions))}\n')
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(COLUMNS)
        writer.writerows(table_rows)


def make_table(rows_path, times_path, note):
    rows = list(plain_rows(rows_path))
    times = {cell(row): row['train_seconds'] for row in (plain_rows(times_path) if times_path else rows)}
    write_table(note, {row['version'] for row in rows}, [table_row(row, times.get(cell(row))) for row in rows])


def add_to_table(rows_path):
    """Data sets of the table that the rows do not have stay; the others are replaced."""
    rows = list(plain_rows(rows_path))
    note, versions, *lines = TABLE.read_text(encoding='utf-8').splitlines()
    added = {row['dataset'] for row in rows}
    kept = [row for row in csv.reader(lines[1:]) if row[0] not in added]
    write_table(note[2:], {*versions[2:].split(', '), *(row['version'] for row in rows)},
                kept + [table_row(row, None) for row in rows])


def read_table():
    """Two notes and {dataset: {(method, functions): {bits: {measure or 'train_seconds': values by seed}}}}."""
    lines = TABLE.read_text(encoding='utf-8').splitlines()
    notes = [line[2:] for line in lines if line.startswith('# ')]
    table = {}
    for row in csv.DictReader(line for line in lines if not line.startswith('#')):
        methods = table.setdefault(row['dataset'], {})
        values = methods.setdefault((row['method'], row['functions']), {}).setdefault(int(row['bits']), {})
        for name in (*MEASURES, 'train_seconds'):
            if row[name]:
                values.setdefault(name, []).append(float(row[name]))
    return notes, table


def short(value, digits=3):
    return f'{value:.{digits}f}'.removeprefix('0')


def with_interval(values):
    mean = statistics.fmean(values)
    if len(values) < 2:
        return short(mean)
    half = T_QUANTILES[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    return f'{short(mean)} ± {short(half)}'


def seconds_text(values):
    if not values:
        return ''
    mean = statistics.fmean(values)
    return f'{mean:.0f}' if mean >= 9.5 else f'{mean:.1f}' if mean >= 0.095 else f'{mean:.2f}'


def mean_ap(by_bits, bits):
    return statistics.fmean(by_bits[bits]['map'])


def ranked(methods, bits):
    return sorted((key for key in methods if bits in methods[key]), key=lambda key: -mean_ap(methods[key], bits))


def name_cell(key):
    return f'**{key[0]}**' if key[0] == OURS else key[0]


def quality_table(methods, bits):
    yield '| method | functions | mAP | NDCG@100 | P@100 | training, s |'
    yield '| --- | --- | --- | --- | --- | --- |'
    for key in ranked(methods, bits):
        values = methods[key][bits]
        cells = [with_interval(values[measure]) for measure in MEASURES]
        yield f'| {name_cell(key)} | {key[1]} | {" | ".join(cells)} | {seconds_text(values.get("train_seconds"))} |'


def has_lengths(methods):
    return any(len(by_bits) > 1 for by_bits in methods.values())


def has_times(methods):
    return any('train_seconds' in values for by_bits in methods.values() for values in by_bits.values())


def bytes_table(table, lengths):
    names = [name for name in TITLES if name in table and has_lengths(table[name])]
    yield '| method | functions | ' + ' | '.join(TITLES[name].partition(',')[0] for name in names) + ' |'
    yield '| --- ' * (len(names) + 2) + '|'
    first = table[names[0]]
    for key in ranked(first, lengths[-1]):
        cells = [' / '.join(short(mean_ap(table[name][key], bits)) if bits in table[name].get(key, {}) else '-'
                            for bits in lengths) for name in names]
        yield f'| {name_cell(key)} | {key[1]} | {" | ".join(cells)} |'


def page(notes, table):
    lengths = sorted({bits for methods in table.values() for by_bits in methods.values() for bits in by_bits})
    seeds = max(len(by_bits[lengths[-1]]['map']) for methods in table.values() for by_bits in methods.values()
                if lengths[-1] in by_bits)
    sizes = ' / '.join(str(bits // 8) for bits in lengths)
    untimed = [title for name, title in TITLES.items() if name in table and not has_times(table[name])]
    untimed = f'; not taken for {" and ".join(untimed)}' if untimed else ''
    lines = [line.format(seeds=seeds, untimed=untimed, freedom=seeds - 1, note=notes[0], version=notes[1], bits=lengths[-1],
                         bytes=lengths[-1] // 8, sets=len(table)) for line in HEAD]
    for name, title in TITLES.items():
        if name in table:
            lines += [f'## {title}', '', *quality_table(table[name], lengths[-1]), '']
    if len(lengths) > 1:
        lines += ['## Bytes per item', '', f'mAP with {sizes} bytes per item:', '', *bytes_table(table, lengths), '']
    lines += TAIL
    return '\n'.join(lines)


HEAD = """<!-- Generated by scripts/leaderboard.py from docs/leaderboard.csv; do not edit. -->

# Leaderboard

All 20 methods of the library on {sets} data sets: quality against training time and bytes per item.

![mAP against training time](pictures/leaderboard-time.png#only-light)
![mAP against training time](pictures/leaderboard-time-dark.png#only-dark)

![mAP against bytes per item](pictures/leaderboard-bytes.png#only-light)
![mAP against bytes per item](pictures/leaderboard-bytes-dark.png#only-dark)

## How to make these numbers

    structhash experiment experiments/leaderboard.json               # every row
    python3 scripts/leaderboard.py --rows leaderboard.jsonl          # this page

[leaderboard.csv](leaderboard.csv) holds the value of every seed
(code {version}).
Two commands make a single value (`--train-size 5000` for banking77):

    structhash train --features x.npy --labels y.npy --method cosdish \\
        --option anchors=2000 --bits 64 --queries 2000 --train-size 2000 \\
        --seed 1 --model m.shm
    structhash evaluate --model m.shm --features x.npy --labels y.npy \\
        --queries 2000 --seed 1 --distance hamming \\
        --measures map,ndcg@100,precision@100

| | |
| --- | --- |
| queries | 2,000 random rows |
| training rows | 2,000 of the others; 5,000 for banking77 |
| database | all rows but the queries |
| relevant | items of the same class |
| distance | plain Hamming; weighted for `cgh`; ties averaged |
| options | defaults, but `anchors=2000` for `ksh`, `sdh`, `hcsdh`, `cosdish` and `mihash`, as StructHash has |
| StructHash | `--measure map`, with `--functions kernel` and `--functions linear` |
| means | over {seeds} seeds, which choose the split and the training |
| intervals | 95 %, Student's t over seeds, {freedom} degrees of freedom |
| training, s | {note}{untimed} |

Two intervals that overlap do not show that two methods are equal: the seeds choose the same splits
for all methods, so differences vary less than the values. [Reproducing](reproducing.md) compares
methods pair by pair. The tables by data set are for {bits} bits, {bytes} bytes per item.
""".split('\n')

TAIL = """By adaptive distance StructHash gains another .003 to .005 of mAP with 64 bits
([search](search.md#plain-weighted-adaptive)).
""".split('\n')


def style(pyplot, dark):
    text = '#e6edf3' if dark else '#1f2328'
    pyplot.rcParams.update({'font.size': 11, 'text.color': text, 'axes.labelcolor': text, 'axes.edgecolor': text,
                            'axes.titlecolor': text, 'xtick.color': text, 'ytick.color': text})
    return '#30363d' if dark else '#dddddd'


def front(points):
    """Of (seconds, value, key), fastest first: those that no faster method beats."""
    best = -1.0
    for point in sorted(points):
        if point[1] > best:
            best = point[1]
            yield point


def draw_times(axes, methods, bits, dark):
    points = [(max(statistics.fmean(methods[key][bits]['train_seconds']), 0.01), mean_ap(methods[key], bits), key)
              for key in ranked(methods, bits) if methods[key][bits].get('train_seconds')]
    best = list(front(points))
    axes.plot([point[0] for point in best], [point[1] for point in best], '--', linewidth=1,
              color=KINDS['no labels'][0][dark], zorder=1)
    axes.set_xscale('log')
    axes.set_xlim(0.007, 40)
    taken = []
    for seconds, value, key in sorted(points, key=lambda point: (point[2][0] != OURS, point not in best)):
        colours, marker = KINDS[kind_of(*key)]
        axes.plot(seconds, value, marker, color=colours[dark], markersize=9 if key[0] == OURS else 6, zorder=3)
        place = math.log10(seconds), value
        if all(abs(place[0] - x) > 0.9 or abs(place[1] - y) > 0.04 for x, y in taken):  # names must not overlap
            taken.append(place)
            above = key == (OURS, 'kernel')
            axes.annotate(' '.join(key) if key[0] == OURS else key[0], (seconds, value), ha='center', fontsize=8,
                          textcoords='offset points', xytext=(0, 7 if above else -14), color=colours[dark])
    axes.set_xlabel('training, s')


def draw_bytes(axes, methods, bits, dark):
    for key in reversed(ranked(methods, bits)):
        colours, marker = KINDS[kind_of(*key)]
        sizes = sorted(methods[key])
        axes.plot([size // 8 for size in sizes], [mean_ap(methods[key], size) for size in sizes], f'{marker}-',
                  color=colours[dark], linewidth=2.5 if key[0] == OURS else 1, markersize=6 if key[0] == OURS else 4,
                  alpha=1 if key[0] == OURS else 0.7)
    axes.set_xscale('log', base=2)
    axes.set_xticks([size // 8 for size in sizes], [str(size // 8) for size in sizes])
    axes.set_xlabel('bytes per item')


def draw(table, name, draw_panel):
    import matplotlib
    matplotlib.use('agg')
    from matplotlib import lines, pyplot
    names = [dataset for dataset in TITLES if dataset in table]
    for dark in (False, True):
        grid = style(pyplot, dark)
        columns = min(2, len(names))
        rows = math.ceil(len(names) / columns)
        figure, panels = pyplot.subplots(rows, columns, figsize=(7.6, 3.4 * rows + 0.8), dpi=150,
                                         layout='constrained', squeeze=False)
        for axes, dataset in zip(panels.flat, names):
            draw_panel(axes, table[dataset], max(bits for by_bits in table[dataset].values() for bits in by_bits), dark)
            axes.set_title(TITLES[dataset])
            axes.set_ylabel('mAP')
            axes.set_ylim(0, 1.08)
            axes.grid(True, color=grid, linewidth=0.8)
            axes.spines[['top', 'right']].set_visible(False)
        for axes in panels.flat[len(names):]:
            axes.axis('off')
        handles = [lines.Line2D([], [], color=colours[dark], marker=marker, label=label)
                   for label, (colours, marker) in KINDS.items()]
        figure.legend(handles=handles, loc='outside lower center', ncols=2, frameon=False)
        file = DOCS / 'pictures' / f'leaderboard-{name}{"-dark" if dark else ""}.png'
        figure.savefig(file, transparent=True)
        pyplot.close(figure)
        print(f'{file.relative_to(ROOT)} is drawn')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rows', type=pathlib.Path, help='result rows (.jsonl)')
    parser.add_argument('--add', type=pathlib.Path, help='result rows (.jsonl) of further data sets')
    parser.add_argument('--times', type=pathlib.Path, help='result rows whose training times to take')
    parser.add_argument('--times-note', default='wall-clock seconds of the run that made the rows')
    parser.add_argument('--page-only', action='store_true', help='no pictures')
    wanted = parser.parse_args()
    if wanted.rows:
        make_table(wanted.rows, wanted.times, wanted.times_note)
    if wanted.add:
        add_to_table(wanted.add)
    notes, table = read_table()
    PAGE.write_text(page(notes, table), encoding='utf-8')
    if not wanted.page_only:
        for name, draw_panel, suits in (('time', draw_times, has_times), ('bytes', draw_bytes, has_lengths)):
            draw({dataset: methods for dataset, methods in table.items() if suits(methods)}, name, draw_panel)


if __name__ == '__main__':
    main()
