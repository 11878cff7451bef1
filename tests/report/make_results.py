"""Invented result rows with details, in the shape that `structhash experiment` writes.

Run: python3 make_results.py FOLDER: writes FOLDER/results.jsonl, FOLDER/results.details/ and
FOLDER/expected.json. Three data sets, eight methods of which one has weights, three code lengths,
three seeds. Equal calls write equal bytes.
"""

import base64
import json
import math
import pathlib
import random
import struct
import sys
import zlib

DATASETS = {"usps": 0.06, "mnist": 0.0, "cifar-10": -0.35}
METHODS = {  # how good, how long it trains
    ("structhash", "kernel"): (0.93, 40.0),
    ("structhash", "linear"): (0.88, 9.0),
    ("ksh", ""): (0.87, 11.0),
    ("sdh", ""): (0.90, 3.0),
    ("fasthash", ""): (0.91, 22.0),
    ("cca-itq", ""): (0.82, 0.3),
    ("itq", ""): (0.62, 0.4),
    ("lsh", ""): (0.45, 0.0),  # below the resolution of the clock
    ("spher", ""): (0.58, 1.7),
}
BITS = (16, 32, 64)
SEEDS = (1, 2, 3)
MEASURES = ("ndcg@100", "precision@100", "map")
QUERIES = 120
RANKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def png(pixels, side):
    """A grey picture as a data URI."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes(pixels[r * side : (r + 1) * side]) for r in range(side))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def picture(rng, label, side=12):
    """Rings whose number is the label: classes can be told apart by eye."""
    centre = (side / 2 + rng.uniform(-1, 1), side / 2 + rng.uniform(-1, 1))
    pixels = []
    for r in range(side):
        for c in range(side):
            wave = math.cos(math.hypot(r - centre[0], c - centre[1]) * (0.4 + 0.35 * label))
            pixels.append(max(0, min(255, int(128 + 110 * wave + rng.gauss(0, 12)))))
    return png(pixels, side)


def strips(rng, good, pictures):
    result = []
    for label in (0, 2, 4):
        items = []
        for _ in range(10):
            shown = label if rng.random() < good else rng.choice([l for l in range(6) if l != label])
            items.append({"image": rng.choice(pictures[shown]), "relevant": shown == label,
                          "label": f"class {shown}"})
        items[-1]["image"] = ""  # not everything has a picture
        result.append({"query_image": pictures[label][0], "query_label": f"class {label}",
                       "items": items})
    return result


def details(rng, row, good, pictures):
    recall = [round(0.05 * (i + 1), 2) for i in range(20)]
    weighted = row["distance"] == "weighted"
    return {
        "recall": recall,
        "precision": [round(good * (1 - 0.75 * r**3), 5) for r in recall],
        "ranks": list(RANKS),
        "precision_at_rank": [round(good * (1 - 0.06 * math.log10(n) ** 1.6), 5) for n in RANKS],
        "objective": [round(0.9 * math.exp(-0.06 * i) + 0.1, 5) for i in range(row["bits"])]
        if weighted else [],
        "bit_weights": [round(rng.uniform(0.3, 1) * math.exp(-i / row["bits"]), 4)
                        for i in range(row["bits"])] if weighted else [],
        "strips": strips(rng, good, pictures) if row["seed"] == 1 else [],
        "per_query": {m: [None if q == 7 else round(min(1, max(0, row[m] + rng.gauss(0, 0.12))), 4)
                          for q in range(QUERIES)] for m in MEASURES},
    }


def write(folder):
    folder = pathlib.Path(folder)
    store = folder / "results.details"
    store.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, shift in DATASETS.items():
        rng = random.Random(name)
        pictures = [[picture(rng, label) for _ in range(6)] for label in range(6)]
        for (method, functions), (level, seconds) in METHODS.items():
            for bits in BITS:
                for seed in SEEDS:
                    rng = random.Random(f"{name} {method} {functions} {bits} {seed}")
                    distances = ["weighted", "hamming"] if method == "structhash" else ["hamming"]
                    for distance in distances:
                        good = (level + shift) * (1 - 0.25 * math.exp(-bits / 20))
                        good += rng.gauss(0, 0.004) - (0.02 if distances[0] != distance else 0)
                        row = {"dataset": name, "method": method,
                               "params": {"functions": functions} if functions else {},
                               "bits": bits, "seed": seed, "distance": distance,
                               "ndcg@100": round(good, 5), "precision@100": round(good - 0.01, 5),
                               "map": round(good - 0.05, 5),
                               "train_seconds": round(seconds * bits / 64, 3),
                               "encode_seconds": 0.05, "version": "0.1.0",
                               "config_hash": f"{zlib.crc32(repr((name, method, functions, bits, seed)).encode()):016x}"}
                        lines.append(json.dumps(row))
                        target = store / f"{row['config_hash']}-{distance}.json"
                        target.write_text(json.dumps(details(rng, row, good, pictures)))
    (folder / "results.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "expected.json").write_text(json.dumps({"source": "A paper that was invented", "rows": [
        {"dataset": "mnist", "table": "1", "method": "itq", "bits": 64,
         "measures": {"ndcg@100": 0.612, "map": 0.57}},
        {"dataset": "mnist", "table": "1", "method": "structhash", "functions": "linear", "bits": 64,
         "measures": {"ndcg@100": 0.894}}]}))


if __name__ == "__main__":
    write(sys.argv[1])
