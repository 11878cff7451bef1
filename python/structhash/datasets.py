"""A data set inside the package, for examples that need no download.

>>> from structhash import datasets
>>> questions = datasets.load_questions()
>>> questions.X.shape, questions.classes[questions.y[0]]
((3850, 384), 'getting_virtual_card')
"""

from __future__ import annotations

import gzip
import io
import pathlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Questions", "load_questions"]

FOLDER = pathlib.Path(__file__).with_name("questions")


class Questions(NamedTuple):
    """Short texts with sentence embeddings and classes; also ``X, y, texts, classes = load_questions()``."""

    X: npt.NDArray[np.float32]
    """Sentence embeddings, float32, rows of unit length."""
    y: npt.NDArray[np.int64]
    """The class of each row, as a position in ``classes``."""
    texts: list[str]
    """The question of each row."""
    classes: list[str]
    """The names of the classes, in alphabetical order."""


def load_questions() -> Questions:
    """3,850 questions of bank customers: 50 of each of 77 classes, as embeddings of 384 numbers.

    A subset of banking77 (PolyAI, CC BY 4.0), embedded by all-MiniLM-L6-v2. The file ``README.md`` beside the data says how
    the rows were chosen. Rows are in no particular order: any slice is a random sample.

    Returns:
        ``(X, y, texts, classes)``, a named tuple.

    Raises:
        FileNotFoundError: The package was installed without its data.
    """
    try:
        array = gzip.decompress((FOLDER / "embeddings.npy.gz").read_bytes())
        lines = gzip.decompress((FOLDER / "questions.tsv.gz").read_bytes()).decode().splitlines()
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{error.filename}: the questions are not there; install structhash with pip, which puts them in the package"
        ) from None
    names, texts = zip(*(line.split("\t") for line in lines), strict=True)
    classes, y = np.unique(names, return_inverse=True)
    X = np.load(io.BytesIO(array)).astype(np.float32)
    return Questions(X, y.astype(np.int64), list(texts), classes.tolist())
