"""Index against plain NumPy, its changes, files and errors."""

import threading

import numpy as np
import pytest

import structhash
from slow_twins import distances, nearest
from structhash import Index


def random_codes(rows, bits, seed):
    bits_matrix = np.random.default_rng(seed).integers(0, 2, size=(rows, bits), dtype=np.uint8)
    return np.packbits(bits_matrix, axis=1, bitorder="little")


@pytest.mark.parametrize("bits", [5, 8, 24, 64, 100, 128])
@pytest.mark.parametrize("weighted", [False, True])
def test_search_is_exact(bits, weighted):
    weights = np.random.default_rng(3).integers(1, 9, bits).astype(np.float32) if weighted else None
    database, queries = random_codes(300, bits, 1), random_codes(20, bits, 2)
    index = Index(bits=bits, weights=weights)
    index.add(database)
    expected = distances(queries, database, bits, weights)
    found, ids = index.search(queries, k=7)
    assert found.dtype == (np.float32 if weighted else np.int32)
    assert ids.dtype == np.int64
    assert np.array_equal(ids, nearest(expected, 7))
    assert np.array_equal(found, np.take_along_axis(expected, ids, axis=1))
    radius = float(np.sort(expected, axis=1)[:, 5].mean())
    limits, near, near_ids = index.range_search(queries, radius)
    for q in range(len(queries)):
        part = slice(limits[q], limits[q + 1])
        assert set(near_ids[part]) == set(np.flatnonzero(expected[q] <= radius))
        assert np.array_equal(near[part], expected[q][near_ids[part]])


def test_fewer_codes_than_asked_for():
    index = Index(bits=16)
    index.add(random_codes(3, 16, 1))
    found, ids = index.search(random_codes(2, 16, 2), k=5)
    assert (ids[:, 3:] == -1).all() and (found[:, 3:] == np.iinfo(np.int32).max).all()
    weighted = Index(bits=16, weights=np.ones(16))
    found, ids = weighted.search(random_codes(2, 16, 2), k=2)
    assert (ids == -1).all() and np.isinf(found).all()


def test_ids_changes_filters_and_merge():
    codes = random_codes(6, 32, 1)
    index = Index(bits=32)
    index.add(codes[:3], ids=[10, 20, 30])
    index.add(codes[3:5])
    assert index.ids.tolist() == [10, 20, 30, 31, 32]
    assert 31 in index and 11 not in index
    index.remove([20])
    assert len(index) == 4
    assert np.array_equal(index.reconstruct([31, 10]), codes[[3, 0]])
    only = index.filter([30, 31])
    for allowed in (only, [30, 31]):
        assert set(index.search(codes, 2, only=allowed)[1].ravel()) == {30, 31}
    other = Index(bits=32)
    other.add(codes[5:], ids=[7])
    index.merge(other)
    assert index.search(codes[5:], 1)[1].tolist() == [[7]]
    with pytest.raises(ValueError, match="changed"):
        index.search(codes, 1, only=only)
    assert repr(index) == "<structhash.Index: 5 codes of 32 bits, Hamming distance>"


def test_features_of_a_model_and_asymmetric_search(trained, digits):
    X, _ = digits
    index = Index(trained, distance="weighted")
    index.add(X)
    codes = trained.transform(X)
    by_codes, by_features = index.search(codes[:9], 5), index.search(X[:9], 5)
    assert np.array_equal(by_codes[1], by_features[1])
    expected = distances(codes[:9], codes, 32, trained.bit_weights_)
    assert np.allclose(by_codes[0], np.sort(expected, axis=1)[:, :5], atol=1e-4)
    values = trained.decision_function(X[:9])
    found, ids = index.search_asymmetric(values, 5)
    cost = distances(codes[:9], codes, 32)
    differ = (values > 0)[:, None, :] != (np.unpackbits(codes, axis=1, bitorder="little")[:, :32] > 0)[None]
    cost = (differ * (np.abs(values) * trained.bit_weights_)[:, None, :]).sum(axis=2)
    assert np.allclose(found, np.take_along_axis(cost, ids, axis=1), rtol=1e-4, atol=1e-4)


def adaptive_costs(trained, queries, codes):
    """A bit that differs from the sign of its value costs the size of the value."""
    values = trained.model_.adaptive_values(np.asarray(queries, np.float32))
    stored = np.unpackbits(codes, axis=1, bitorder="little")[:, : values.shape[1]] > 0
    return (((values > 0)[:, None, :] != stored[None]) * np.abs(values)[:, None, :]).sum(axis=2)


def test_adaptive_distance_is_the_default_for_features(trained, digits):
    X, _ = digits
    codes = trained.transform(X)
    index = Index(trained)
    index.add(codes)
    assert trained.model_.adaptive
    assert repr(index).endswith("32 bits, adaptive Hamming distance>")
    costs = adaptive_costs(trained, X[:9], codes)
    found, ids = index.search(X[:9], 20)
    assert found.dtype == np.float32
    assert np.allclose(found, np.sort(costs, axis=1)[:, :20], atol=1e-4)
    assert np.allclose(found, np.take_along_axis(costs, ids, axis=1), atol=1e-4)
    signs = trained.model_.adaptive_values(np.float32(X[:9])) > 0
    assert np.array_equal(signs, trained.decision_function(X[:9]) > 0)
    index.prepare()
    again, same = index.search(X[:9], 20, engine="multi-index")
    assert np.array_equal(again, found) and np.array_equal(same, ids)
    # Codes, and a radius, have the weights of the model.
    plain = Index(trained, distance="weighted")
    plain.add(codes)
    assert np.array_equal(index.search(codes[:9], 20)[0], plain.search(X[:9], 20)[0])
    assert np.array_equal(index.range_search(X[:9], 3)[2], plain.range_search(codes[:9], 3)[2])
    adaptive = Index(trained, distance="adaptive")
    adaptive.add(codes)
    with pytest.raises(ValueError, match="got codes"):
        adaptive.search(codes[:9], 2)
    hamming = Index(trained, distance="hamming")
    hamming.add(codes)
    assert hamming.weights is None and hamming.search(X[:9], 2)[0].dtype == np.int32


def test_distances_that_a_model_does_not_have(trained, digits, tmp_path):
    X, y = digits
    lsh = structhash.LSH(bits=16).fit(X)
    with pytest.raises(ValueError, match="model of lsh does not hold the mean magnitudes"):
        Index(lsh, distance="adaptive")
    stumps = structhash.StructHash(bits=4, functions="stump", trade_off=10).fit(X[:200], y[:200])
    with pytest.raises(ValueError, match="functions of kind stump"):
        Index(stumps, distance="adaptive")
    with pytest.raises(ValueError, match="distance must be one of"):
        Index(trained, distance="cosine")
    with pytest.raises(ValueError, match="needs a model"):
        Index(bits=8, distance="adaptive")
    Index(trained).save(tmp_path / "w.shi")
    assert "adaptive" in repr(Index.load(tmp_path / "w.shi", model=trained))


@pytest.mark.parametrize("options", [{}, {"mmap": False}, {"verify": True}])
def test_files(options, tmp_path, trained, digits):
    X, _ = digits
    index = Index(trained.model_)
    index.add(X)
    index.prepare()
    index.save(tmp_path / "items.shi")
    again = Index.load(tmp_path / "items.shi", model=trained, **options)
    assert len(again) == 1797
    assert np.array_equal(again.weights, index.weights)
    assert np.array_equal(again.search(X[:20], 9)[1], index.search(X[:20], 9)[1])
    assert again.nbytes > 0


def test_an_index_file_knows_its_model(trained, digits, tmp_path):
    X, _ = digits
    index = Index(trained)
    index.add(X[:50])
    index.save(tmp_path / "items.shi")
    trained.save(tmp_path / "m.shm")
    again = Index.load(tmp_path / "items.shi", model=structhash.load(tmp_path / "m.shm"))
    assert np.array_equal(again.search(X[:9], 3)[1], index.search(X[:9], 3)[1])
    other = structhash.ITQ(bits=32).fit(X)
    with pytest.raises(ValueError, match="come from another model"):
        Index.load(tmp_path / "items.shi", model=other)
    with pytest.raises(ValueError, match="different models"):
        Index(trained, distance="hamming").merge(Index(other))
    codes_alone = Index(bits=32)  # of unknown origin: any model of 32 bits
    codes_alone.save(tmp_path / "codes.shi")
    assert Index.load(tmp_path / "codes.shi", model=other).bits == 32


def test_threads_search_at_once():
    index = Index(bits=64)
    index.add(random_codes(20_000, 64, 1))
    queries = random_codes(200, 64, 2)
    expected = index.search(queries, 10)[1]
    answers = []
    workers = [threading.Thread(target=lambda: answers.append(index.search(queries, 10)[1])) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(answers) == 4
    assert all(np.array_equal(answer, expected) for answer in answers)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda i: i.search(np.zeros((1, 3), np.uint8), 1), "must have 4 bytes"),
        (lambda i: i.search(np.zeros((1, 4), np.int8), 1), "got int8"),
        (lambda i: i.search(np.zeros((1, 4), np.float32), 1), "got float32"),
        (lambda i: i.search(np.zeros(5, np.uint8), 1), "must have 4 bytes"),
        (lambda i: i.search(np.zeros((1, 1, 4), np.uint8), 1), "two dimensions"),
        (lambda i: i.search(np.zeros((1, 4), np.uint8), 1, only=[True]), "each of the 2 codes"),
        (lambda i: i.upsert(np.zeros((2, 4), np.uint8), ids=[0, 0]), "id"),
        (lambda i: i.upsert(np.full((1, 4), 255, np.uint8), ids=0), "must be zero"),
        (lambda i: i.upsert(np.zeros((1, 4), np.uint8), ids=[0, 1]), "ids"),
        (lambda i: i.merge(i), "with itself"),
        (lambda i: i.search(np.zeros((1, 4), np.uint8), 0), "k must be"),
        (lambda i: i.search(np.zeros((1, 4), np.uint8), 10**12), "use a smaller k"),
        (lambda i: i.search(np.zeros((1, 4), np.uint8), 1, n_jobs=0), "n_jobs"),
        (lambda i: i.search(np.zeros((1, 4), np.uint8), 1, engine="warp"), "warp"),
        (lambda i: i.range_search(np.zeros((1, 4), np.uint8), float("nan")), "radius"),
        (lambda i: i.add(np.zeros((2, 4), np.uint8), ids=[1]), "ids"),
        (lambda i: i.add(np.zeros((2, 4), np.uint8), ids=[1, 1]), "id"),
        (lambda i: i.add(np.zeros((1, 4), np.uint8), ids=[-1]), "id"),
        (lambda i: i.add(np.zeros((1, 4), np.uint8), ids=[0.5]), "whole numbers"),
        (lambda i: i.add(np.full((1, 4), 255, np.uint8)), "must be zero"),
        (lambda i: i.remove([99]), "99"),
        (lambda i: Index(), "bits"),
        (lambda i: Index(bits=8, device="gpu"), "devices are cpu, cuda"),
        (lambda i: Index(bits=0), "bit"),
        (lambda i: Index(bits=8, weights=[1.0]), "weights"),
        (lambda i: Index(bits=2, weights=[1.0, -1.0]), "weight"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    index = Index(bits=30)
    index.add(np.zeros((2, 4), np.uint8))
    with pytest.raises(ValueError, match=message):
        call(index)
    assert len(index) == 2


def test_a_machine_without_a_driver(monkeypatch):
    monkeypatch.setenv("STRUCTHASH_CUDA_DRIVER", "libnosuchdriver.so")
    with pytest.raises(RuntimeError, match="needs NVIDIA's driver"):
        Index(bits=8, device="cuda")
    assert Index(bits=8).device == "cpu"


def test_an_index_of_an_unfitted_estimator():
    with pytest.raises(TypeError, match="fitted"):
        Index(structhash.ITQ())


def test_only_whole_numbers_are_ids():
    index = Index(bits=8)
    index.add(np.zeros((3, 1), dtype=np.uint8))
    assert 2 in index and np.int64(2) in index
    assert 2.7 not in index and 2.0 not in index and "2" not in index and None not in index


def test_columns_of_frames_are_those_of_the_training(digits):
    pandas = pytest.importorskip("pandas")
    X, y = digits
    frame = pandas.DataFrame(X, columns=[f"pixel{i}" for i in range(X.shape[1])]).astype(np.float32)
    hasher = structhash.StructHash(bits=16, functions="linear").fit(frame[:300], y[:300])
    index = Index(hasher)
    index.add(frame[:50])
    assert np.array_equal(index.search(frame[:50], 1)[0].ravel(), index.search(X[:50].astype(np.float32), 1)[0].ravel())
    with pytest.raises(ValueError, match="feature names"):
        index.search(frame[:50][frame.columns[::-1]], 1)
    with pytest.raises(ValueError, match="feature names"):
        index.add(frame[:50][frame.columns[::-1]])


def test_model_files_keep_the_names_of_columns(digits, tmp_path):
    pandas = pytest.importorskip("pandas")
    X, _ = digits
    frame = pandas.DataFrame(X, columns=[f"größe {i}" for i in range(64)])
    hasher = structhash.LSH(bits=16).fit(frame)
    hasher.save(tmp_path / "m.shm")
    again = structhash.load(tmp_path / "m.shm")
    assert list(again.feature_names_in_) == list(frame.columns)
    assert again.model_ == hasher.model_
    assert np.array_equal(again.transform(frame), hasher.transform(frame))
    backwards = frame[frame.columns[::-1]]
    for call in (again.transform, Index(again).add):
        with pytest.raises(ValueError, match="feature names"):
            call(backwards)
    structhash.LSH(bits=16).fit(X).save(tmp_path / "plain.shm")
    assert not hasattr(structhash.load(tmp_path / "plain.shm"), "feature_names_in_")


def test_faiss_indexes_lose_weights_with_a_warning(monkeypatch):
    monkeypatch.setattr("structhash.interop.to_faiss", lambda codes, kind, **options: "made")
    index = Index(bits=8, weights=np.arange(8))
    index.add(np.zeros((3, 1), dtype=np.uint8))
    with pytest.warns(UserWarning, match="weights are left out"):
        assert index.to_faiss() == "made"
