"""The questions inside the package."""

import collections

import numpy as np
import pytest

import structhash
from structhash import datasets


def test_the_questions():
    X, y, texts, classes = datasets.load_questions()
    assert X.shape == (3850, 384) and X.dtype == np.float32 and X.flags.c_contiguous and X.flags.writeable
    assert np.allclose(np.linalg.norm(X, axis=1), 1, atol=1e-3)
    assert y.shape == (3850,) and y.dtype == np.int64
    assert len(texts) == len(set(texts)) == 3850 and len(classes) == 77 and classes == sorted(classes)
    assert set(collections.Counter(y.tolist()).values()) == {50}
    assert texts[0] == "Where do I order a virtual card?" and classes[y[0]] == "getting_virtual_card"


def test_texts_and_embeddings_belong_together():
    """The same questions in other words are near, and most neighbours have the same class."""
    questions = datasets.load_questions()
    similar = questions.X[:500] @ questions.X.T
    similar[np.arange(500), np.arange(500)] = -1
    nearest = similar.argmax(axis=1)
    assert (questions.y[nearest] == questions.y[:500]).mean() > 0.75
    row = questions.texts.index("What are the reasons for a declined transfer?")
    order = np.argsort(-(questions.X @ questions.X[row]))
    assert order[0] == row and "declin" in questions.texts[order[1]]


def test_codes_of_the_questions_rank():
    X, y, _, _ = structhash.datasets.load_questions()
    hasher = structhash.ITQ(bits=64).fit(X[:1000])
    index = structhash.Index(hasher)
    index.add(hasher.transform(X[500:]), ids=range(500, 3850))
    _, found = index.search(X[:500], k=10)
    assert (y[found] == y[:500, None]).mean() > 0.4  # by chance: 1 / 77


def test_without_the_data(monkeypatch, tmp_path):
    monkeypatch.setattr(datasets, "FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match="embeddings.npy.gz.*install structhash with pip"):
        datasets.load_questions()
