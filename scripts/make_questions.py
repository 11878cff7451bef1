#!/usr/bin/env python3
"""Draws data/questions from the whole of banking77: 50 questions of each of its 77 classes.

    scripts/make_questions.py FOLDER [--out data/questions] [--check]

FOLDER has x.npy (float16 sentence embeddings), y.npy, texts.json and classes.json. Each class keeps the texts whose
SHA-256, after a fixed prefix, comes first: the choice depends on no random generator. --check compares with the files that
are there instead of writing them."""

import argparse
import collections
import gzip
import hashlib
import io
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
PER_CLASS = 50
PREFIX = "structhash questions 1 "


def place(text):
    """Where a text comes in the drawing order."""
    return hashlib.sha256((PREFIX + text).encode()).hexdigest()


def drawn_rows(texts, y):
    """PER_CLASS rows of each class, in drawing order; a text that occurs twice is left out."""
    uses = collections.Counter(texts)
    order = sorted((row for row, text in enumerate(texts) if uses[text] == 1), key=lambda row: place(texts[row]))
    taken = collections.Counter()
    rows = []
    for row in order:
        if taken[y[row]] < PER_CLASS:
            taken[y[row]] += 1
            rows.append(row)
    short = [label for label in sorted(set(y.tolist())) if taken[label] < PER_CLASS]
    if short:
        raise SystemExit(f"make_questions.py: classes {short} have fewer than {PER_CLASS} different texts")
    return rows


def packed(data):
    """gzip without a time: the same bytes every time."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def files(folder):
    """The contents of the two files, by name."""
    texts = [" ".join(text.split()) for text in json.loads((folder / "texts.json").read_text())]
    classes = json.loads((folder / "classes.json").read_text())
    x, y = np.load(folder / "x.npy"), np.load(folder / "y.npy")
    if not len(texts) == len(x) == len(y):
        raise SystemExit(f"{folder}: {len(texts)} texts, {len(x)} rows and {len(y)} labels; give the whole data set")
    rows = drawn_rows(texts, y)
    array = io.BytesIO()
    np.save(array, x[rows].astype("<f2"))
    lines = "".join(f"{classes[y[row]]}\t{texts[row]}\n" for row in rows)
    return {"embeddings.npy.gz": array.getvalue(), "questions.tsv.gz": lines.encode()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "data/questions")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    wrong = []
    for name, content in files(arguments.folder).items():
        path = arguments.out / name
        if not arguments.check:
            path.write_bytes(packed(content))
            print(f"{path}: {path.stat().st_size} bytes")
        elif gzip.decompress(path.read_bytes()) != content:
            wrong.append(str(path))
    if wrong:
        sys.exit(f"make_questions.py: other than drawn from {arguments.folder}: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
