#!/usr/bin/env python3
"""Draws mAP against bytes per item (docs/quality-bytes*.png) from scripts/quality_bytes.json.

Run: python3 scripts/quality_bytes_picture.py                    draws the picture
     python3 scripts/quality_bytes_picture.py --measure FOLDER   writes the numbers first

FOLDER holds x.npy and y.npy of banking77. Needs matplotlib; --measure also needs numpy, the package
structhash and faiss-cpu. Protocol of experiments/text.json: 2,000 queries, 5,000 training rows, all
rows but the queries are the database, same class = relevant, ties averaged; means of three splits.
"""
import argparse
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBERS = ROOT / "scripts" / "quality_bytes.json"
PICTURES = {
    ROOT / "docs" / "quality-bytes.png": {"text": "#1f2328", "grid": "#dddddd",
                                          "learned": "#0b6e4f", "others": "#8a4b00"},
    ROOT / "docs" / "quality-bytes-dark.png": {"text": "#e6edf3", "grid": "#30363d",
                                               "learned": "#4cc38a", "others": "#f0a858"},
}
QUERIES, TRAINING, SEEDS, LENGTHS = 2000, 5000, (1, 2, 3), (16, 32, 64, 128)
LEARNED = "StructHash"


def mean_ap(relevant, distances):
    from structhash import measures
    return float(measures.evaluate(["map"], relevant, distances=distances)["map"])


def code_distances(hasher, database, queries):
    """Distances of every query to every code, queries x items, as `Index(hasher)` searches."""
    import numpy as np
    import structhash
    index = structhash.Index(hasher)
    index.add(hasher.transform(database))
    found, ids = index.search(queries, k=len(database))
    distances = np.empty_like(found)
    np.put_along_axis(distances, ids, found, axis=1)
    return distances


def product_quantizer_distances(database, queries):
    """OPQ with 8 bytes per item, trained on the whole database."""
    import faiss
    import numpy as np
    index = faiss.index_factory(database.shape[1], "OPQ8,PQ8x8")
    index.train(database)
    index.add(database)
    found, ids = index.search(queries, len(database))
    distances = np.empty_like(found)
    np.put_along_axis(distances, ids, found, axis=1)
    return distances


def rows_of_a_split(x, y, seed, with_training):
    """(name, bytes per item, mAP) of every representation; training rows are in the database or not."""
    import numpy as np
    import structhash
    order = np.random.default_rng(seed).permutation(len(x))
    queries, train = order[:QUERIES], order[QUERIES:QUERIES + TRAINING]
    items = order[QUERIES if with_training else QUERIES + TRAINING:]
    relevant = y[queries, None] == y[None, items]
    unit = (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32)
    int8 = np.round(unit[items] * (127 / np.abs(unit[items]).max()))
    int8 /= np.linalg.norm(int8, axis=1, keepdims=True)
    signs = np.where(x > x[items].mean(axis=0), 1, -1).astype(np.float32)  # centred: better than raw signs
    width = x.shape[1]
    yield "float32, cosine", 4 * width, mean_ap(relevant, -unit[queries] @ unit[items].T)
    yield "int8, cosine", width, mean_ap(relevant, -unit[queries] @ int8.T.astype(np.float32))
    yield f"{width} sign bits", width // 8, mean_ap(relevant, -signs[queries] @ signs[items].T)
    yield "OPQ, 8 bytes", 8, mean_ap(relevant, product_quantizer_distances(unit[items], unit[queries]))
    for bits in LENGTHS:
        hasher = structhash.StructHash(bits=bits, measure="map", random_state=seed, n_jobs=2).fit(x[train], y[train])
        yield f"{LEARNED}, {bits} bits", bits // 8, mean_ap(relevant, code_distances(hasher, x[items], x[queries]))


def means(x, y, with_training):
    values: dict = {}
    for seed in SEEDS:
        for name, size, value in rows_of_a_split(x, y, seed, with_training):
            values.setdefault((name, size), []).append(value)
            print(seed, name, size, round(value, 4), flush=True)
    return [{"name": name, "bytes": size, "map": round(sum(v) / len(v), 4), "splits": [round(one, 4) for one in v]}
            for (name, size), v in values.items()]


def lines(rows):
    return ",\n  ".join(json.dumps(row) for row in rows)


def measure(folder):
    import numpy as np
    x = np.load(folder / "x.npy").astype(np.float32)
    y = np.load(folder / "y.npy")
    head = json.dumps({"dataset": "banking77", "queries": QUERIES, "training_rows": TRAINING, "seeds": SEEDS})[:-1]
    NUMBERS.write_text(f'{head}, "rows": [\n  {lines(means(x, y, True))}\n],\n'
                       f'"without_training_rows_in_the_database": [\n  {lines(means(x, y, False))}\n]}}\n')


def short(value):
    return f"{value:.2f}".removeprefix("0")


def draw_rows(axes, rows, colours):
    learned = [row for row in rows if row["name"].startswith(LEARNED)]
    axes.plot([row["bytes"] for row in learned], [row["map"] for row in learned], "o-", color=colours["learned"],
              markersize=9, linewidth=2.5, zorder=3)
    for row in rows:
        colour, label = colours["learned"], short(row["map"])
        if row not in learned:
            colour, label = colours["others"], f"{row['name'].partition(',')[0]}\n{short(row['map'])}"
            axes.plot(row["bytes"], row["map"], "s", color=colour, markersize=8, zorder=3)
        axes.annotate(label, (row["bytes"], row["map"]), textcoords="offset points", xytext=(0, 10), ha="center",
                      color=colour, fontweight="bold" if row in learned else "normal")
    lengths = ", ".join(row["name"].removeprefix(f"{LEARNED}, ").removesuffix(" bits") for row in learned)
    axes.annotate(f"{LEARNED}\n{lengths} bits", (learned[-1]["bytes"], learned[-1]["map"]), va="center",
                  textcoords="offset points", xytext=(16, 0), color=colours["learned"], fontweight="bold")


def draw(colours, file):
    import matplotlib
    matplotlib.use("agg")
    from matplotlib import pyplot
    rows = json.loads(NUMBERS.read_text())["rows"]
    pyplot.rcParams.update({"font.size": 12, "text.color": colours["text"], "axes.labelcolor": colours["text"],
                            "axes.edgecolor": colours["text"], "xtick.color": colours["text"],
                            "ytick.color": colours["text"]})
    figure, axes = pyplot.subplots(figsize=(6.4, 4), dpi=200)
    draw_rows(axes, rows, colours)
    axes.set_xscale("log", base=2)
    ticks = sorted({row["bytes"] for row in rows})
    axes.set_xticks(ticks, [f"{size:,}" for size in ticks])
    axes.minorticks_off()
    axes.set_xlim(1.5, 3600)
    axes.set_ylim(0.4, 1.0)
    axes.set_xlabel("bytes per item")
    axes.set_ylabel("mAP")
    axes.grid(True, color=colours["grid"], linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(file, transparent=True)
    pyplot.close(figure)
    print(f"{file.relative_to(ROOT)} is drawn")


def run(description, measure, draw, pictures):
    """Measures if a folder of data is given, and draws every picture with its colours."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=pathlib.Path, metavar="FOLDER", help="folder of the data")
    folder = parser.parse_args().measure
    if folder:
        measure(folder)
    for file, colours in pictures.items():
        draw(colours, file)


if __name__ == "__main__":
    run(__doc__, measure, draw, PICTURES)
