"""An index as a container of codes by id: single ids and queries, filters, pickles, Pipelines, threads."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import structhash
from structhash import Index


@pytest.fixture
def codes():
    return np.random.default_rng(1).integers(0, 256, (6, 4), dtype=np.uint8)


@pytest.fixture
def index(codes):
    made = Index(bits=32)
    made.add(codes, ids=[50, 10, 20, 30, 40, 60])
    return made


def test_ids_are_iterated_in_order_and_lead_to_codes(index, codes):
    assert list(index) == [10, 20, 30, 40, 50, 60]
    assert all(type(id) is int for id in index)
    assert np.array_equal(index[50], codes[0]) and index[50].shape == (4,)
    assert np.array_equal(index[[10, 50]], codes[[1, 0]])
    assert {id: index[id].tolist() for id in index}[60] == codes[5].tolist()
    with pytest.raises(KeyError, match="no id 11"):
        index[11]
    with pytest.raises(KeyError, match="no id 12"):
        index[[10, 12]]
    with pytest.raises(ValueError, match="whole numbers"):
        index[2.5]


def test_upsert_replaces_and_adds(index, codes):
    index.upsert(codes[[5, 4]], ids=[10, 70])
    assert list(index) == [10, 20, 30, 40, 50, 60, 70]
    assert np.array_equal(index[10], codes[5]) and np.array_equal(index[70], codes[4])
    assert np.array_equal(index[50], codes[0])
    before = index.reconstruct(index.ids)
    with pytest.raises(ValueError, match="4 bytes"):
        index.upsert(np.zeros((1, 3), np.uint8), ids=[10])
    assert np.array_equal(index.reconstruct(index.ids), before)  # an error changes nothing


def test_upsert_keeps_the_model(trained, digits):
    X, _ = digits
    index = Index(trained)
    index.add(X[:5])
    index.upsert(X[5], ids=0)
    assert np.array_equal(index[0], trained.transform(X[5:6])[0])


def test_single_ids_codes_and_queries(index, codes):
    index.add(codes[0], ids=7)
    assert np.array_equal(index[7], codes[0])
    index.remove(7)
    assert 7 not in index
    assert index.reconstruct(20).shape == (1, 4)
    distances, ids = index.search(codes[2], 3)
    assert distances.shape == ids.shape == (3,) and ids[0] == 20 and distances[0] == 0
    many = index.search(codes[2:3], 3)
    assert np.array_equal(many[0][0], distances) and np.array_equal(many[1][0], ids)
    limits, near, _ = index.range_search(codes[2], 0)
    assert limits.tolist() == [0, 1] and near.tolist() == [0]


def test_a_single_query_of_features(trained, digits):
    X, _ = digits
    index = Index(trained)
    index.add(X[:50])
    distances, ids = index.search(X[3], 5)
    assert ids[0] == 3
    assert np.array_equal(index.search(X[3:4], 5)[1][0], ids) and distances.shape == (5,)


def test_filters_of_booleans(index, codes):
    wanted = index.ids >= 40
    _, ids = index.search(codes, 3, only=wanted)
    assert set(ids.ravel()) == {40, 50, 60}
    assert set(index.search(codes, 2, only=index.filter(~wanted))[1].ravel()) <= {10, 20, 30}
    assert set(index.range_search(codes, 32, only=wanted)[2]) == {40, 50, 60}
    assert index.search(codes[0], 1, only=30)[1].tolist() == [30]


@pytest.mark.parametrize("again", [lambda i: pickle.loads(pickle.dumps(i)), copy.deepcopy, copy.copy])
def test_pickles_hold_codes_model_and_distance(again, trained, digits):
    X, _ = digits
    index = Index(trained, distance="weighted")
    index.add(X[:40], ids=np.arange(40) * 3)
    twin = again(index)
    assert list(twin) == list(index) and repr(twin) == repr(index)
    assert all(np.array_equal(a, b) for a, b in zip(twin.search(X[:9], 5), index.search(X[:9], 5)))
    twin.remove(0)
    assert 0 in index and 0 not in twin


def test_a_pipeline_encodes_what_it_takes(digits):
    X, y = digits
    pipeline = make_pipeline(StandardScaler(), structhash.ITQ(bits=32)).fit(X[:300])
    index = Index(pipeline)
    index.add(X[:300])
    assert np.array_equal(index[index.ids], pipeline.transform(X[:300]))
    assert index.search(X[5], 1)[1].tolist() == [5]
    twin = pickle.loads(pickle.dumps(index))
    assert twin.search(X[5], 1)[1].tolist() == [5]
    supervised = make_pipeline(StandardScaler(), structhash.StructHash(bits=16, functions="linear"))
    adaptive = Index(supervised.fit(X[:300], y[:300]))
    adaptive.add(X[:300])
    assert "adaptive" in repr(adaptive) and adaptive.search(X[:4], 1)[0].dtype == np.float32
    with pytest.raises(TypeError, match="fitted"):
        Index(make_pipeline(StandardScaler(), structhash.ITQ()))


def test_a_pipeline_of_texts():
    texts = [f"{animal} {verb}s {place}" for animal in ("cat", "dog", "owl") for verb in ("sit", "run", "eat")
             for place in ("here", "there", "home")]  # fmt: skip
    pipeline = make_pipeline(TfidfVectorizer(), TruncatedSVD(6, random_state=1), structhash.LSH(bits=64)).fit(texts)
    index = Index(pipeline)
    index.add(texts)
    assert index.search(["owl runs home"], 1)[1].tolist() == [[texts.index("owl runs home")]]


def test_readers_and_a_writer_at_once(digits):
    X, _ = digits
    hasher = structhash.LSH(bits=64).fit(X)
    codes = hasher.transform(X)
    index = Index(hasher)
    index.add(codes)
    stop, errors, searches = threading.Event(), [], []

    def guarded(work):
        def run():
            try:
                while not stop.is_set():
                    work()
            except BaseException as error:
                errors.append(error)

        return threading.Thread(target=run)

    def read():
        distances, ids = index.search(codes[:64], 5, only=index.ids[::2])
        assert (np.diff(distances, axis=1) >= 0).all() and ids.shape == (64, 5)
        assert len(list(index)) >= 1797 and 3 in index
        searches.append(len(ids))

    def write():
        index.upsert(X[:40], ids=np.arange(5000, 5040))
        index.remove(np.arange(5000, 5040))
        index.prepare()

    threads = [guarded(read), guarded(read), guarded(read), guarded(write)]
    for thread in threads:
        thread.start()
    time.sleep(1.5)
    stop.set()
    for thread in threads:
        thread.join(timeout=60)
    assert errors == []
    assert not any(thread.is_alive() for thread in threads)
    assert len(searches) > 3


def test_two_indexes_merge_with_each_other_at_once(codes):
    first, second = Index(bits=32), Index(bits=32)
    first.add(codes, ids=np.arange(6))
    second.add(codes, ids=np.arange(6, 12))
    results = []

    def merge(a, b):
        try:
            a.merge(b)
            results.append("merged")
        except ValueError:  # the other was first: its ids are in both now
            results.append("refused")

    threads = [threading.Thread(target=merge, args=pair) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(results) == ["merged", "refused"]
