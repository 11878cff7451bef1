#!/usr/bin/env python3
"""Draws mAP against code length (docs/pictures/code-lengths*.png) from scripts/code_lengths.json.

Run: python3 scripts/code_lengths_picture.py                    draws the picture
     python3 scripts/code_lengths_picture.py --measure FOLDER   writes the numbers first

FOLDER holds usps/ and banking77/, each with x.npy and y.npy. Needs matplotlib; --measure also needs numpy and the
package structhash. 1,000 queries, 2,000 training rows, all rows but the queries are the database, same class =
relevant, trained for mAP, the default (adaptive) distance, ties averaged; means of two splits.
"""
import json

from quality_bytes_picture import PICTURES, ROOT, lines, run

NUMBERS = ROOT / "scripts" / "code_lengths.json"
QUERIES, TRAINING, SEEDS, LENGTHS = 1000, 2000, (1, 2), (16, 32, 64, 128, 256)
SETS = ("usps", "banking77")


def values_of_a_split(x, y, seed):
    """(functions, codes, mAP by code length). The first bits of kernel functions are the shorter code, bit for bit."""
    import numpy as np
    import structhash
    order = np.random.default_rng(seed).permutation(len(x))
    queries, train, items = order[:QUERIES], order[QUERIES:QUERIES + TRAINING], order[QUERIES:]

    def trained(functions, bits):
        hasher = structhash.StructHash(bits=bits, functions=functions, measure="map", random_state=seed, n_jobs=2)
        return hasher.fit(x[train], y[train])

    def values(hashers):
        return [structhash.evaluate(hasher, x[items], y[items], x[queries], y[queries], "map", n_jobs=2)["map"]
                for hasher in hashers]

    for functions in ("kernel", "linear"):
        longest = trained(functions, LENGTHS[-1])
        yield functions, "first bits", values(longest.truncate(bits) for bits in LENGTHS)
    yield "linear", "trained", values([*(trained("linear", bits) for bits in LENGTHS[:-1]), longest])


def measured(folder):
    import numpy as np
    for name in SETS:
        x = np.load(folder / name / "x.npy").astype(np.float32)
        y = np.load(folder / name / "y.npy")
        for rows in zip(*(values_of_a_split(x, y, seed) for seed in SEEDS), strict=True):
            mean = np.mean([values for _, _, values in rows], axis=0).round(4).tolist()
            print(name, *rows[0][:2], mean, flush=True)
            yield {"dataset": name, "functions": rows[0][0], "codes": rows[0][1], "map": mean}


def measure(folder):
    head = json.dumps({"queries": QUERIES, "training_rows": TRAINING, "seeds": SEEDS, "bits": LENGTHS})[:-1]
    NUMBERS.write_text(f'{head}, "rows": [\n  {lines(measured(folder))}\n]}}\n')


def draw_set(axes, name, numbers, colours):
    for row in numbers["rows"]:
        if row["dataset"] == name:
            colour = colours["learned"] if row["functions"] == "kernel" else colours["others"]
            if row["codes"] == "trained":
                style = {"linestyle": "none", "markersize": 11, "fillstyle": "none"}
                label = "linear, trained for the length"
            else:
                style = {"linewidth": 2.5, "markersize": 6}
                label = f"{row['functions']}, first bits of {LENGTHS[-1]}"
            axes.plot(numbers["bits"], row["map"], marker="o", color=colour, label=label, **style)
    axes.set_title(name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(numbers["bits"], [str(bits) for bits in numbers["bits"]])
    axes.minorticks_off()
    axes.set_xlabel("bits")
    axes.grid(True, color=colours["grid"], linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def draw(colours, file):
    import matplotlib
    matplotlib.use("agg")
    from matplotlib import pyplot
    numbers = json.loads(NUMBERS.read_text())
    text = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"),
                         colours["text"])
    pyplot.rcParams.update({"font.size": 12, **text})
    figure, panels = pyplot.subplots(1, len(SETS), figsize=(9, 4.2), dpi=160)
    for axes, name in zip(panels, SETS, strict=True):
        draw_set(axes, name, numbers, colours)
    panels[0].set_ylabel("mAP")
    panels[-1].legend(loc="lower right", frameon=False)
    figure.tight_layout()
    figure.savefig(file, transparent=True)
    pyplot.close(figure)
    print(f"{file.relative_to(ROOT)} is drawn")


if __name__ == "__main__":
    run(__doc__, measure, draw, {ROOT / "docs" / "pictures" / file.name.replace("quality-bytes", "code-lengths"): colours
                                 for file, colours in PICTURES.items()})
