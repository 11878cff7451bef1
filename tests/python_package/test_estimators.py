"""Fit, transform, score, save, and what surrounds them in scikit-learn."""

import errno
import io
import json
import pickle
import subprocess

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import structhash
from slow_twins import distances
from structhash import measures


def test_codes_are_the_signs_of_the_decision_function(trained, digits):
    X, _ = digits
    codes = trained.transform(X)
    assert codes.dtype == np.uint8
    assert codes.shape == (1797, 4)
    assert np.array_equal(np.packbits(trained.decision_function(X) > 0, axis=1, bitorder="little"), codes)
    assert list(trained.get_feature_names_out()) == [f"structhash{i}" for i in range(4)]
    assert trained.bit_weights_.shape == (32,)


@pytest.mark.parametrize("bits", [1, 7, 8, 20, 64, 65, 130])
def test_any_number_of_bits(bits, digits):
    X, _ = digits
    hasher = structhash.LSH(bits=bits).fit(X)
    codes = hasher.transform(X)
    assert codes.shape == (1797, (bits + 7) // 8)
    assert np.array_equal(np.packbits(hasher.decision_function(X) > 0, axis=1, bitorder="little"), codes)


def test_same_seed_same_model_whatever_the_threads(digits):
    X, y = digits
    one = structhash.CGH(bits=16, random_state=5).fit(X[:200], y[:200])
    two = structhash.CGH(bits=16, random_state=5, n_jobs=2).fit(X[:200], y[:200])
    other = structhash.CGH(bits=16, random_state=6).fit(X[:200], y[:200])
    assert one.model_ == two.model_
    assert one.model_ != other.model_


def test_plain_float32_is_used_as_it_is(itq, digits):
    X, _ = digits
    assert itq._validated(X, reset=False) is X
    assert np.shares_memory(itq._validated(X[10:500], reset=False), X)


def test_other_layouts_give_the_same_codes(itq, digits, tmp_path):
    X, _ = digits
    expected = itq.transform(X)
    np.save(tmp_path / "x.npy", X)
    read_only = X.copy()
    read_only.flags.writeable = False
    forms = {
        "float64": X.astype(np.float64),
        "integers": X.astype(np.int16),
        "Fortran": np.asfortranarray(X),
        "strided": np.repeat(X, 2, axis=0)[::2],
        "big-endian": X.astype(">f4"),
        "mapped": np.load(tmp_path / "x.npy", mmap_mode="r"),
        "read-only": read_only,
        "list": X.tolist(),
    }
    for name, form in forms.items():
        assert np.array_equal(itq.transform(form), expected), name


def test_frames_and_tensors(itq, digits):
    X, _ = digits
    expected = itq.transform(X)
    names = [f"pixel{i}" for i in range(64)]
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")

    class Tensor:  # what torch offers on the CPU
        def __array__(self, dtype=None, copy=None):
            return np.array(X, dtype=dtype)

    assert np.array_equal(itq.transform(Tensor()), expected)
    for frame in (pandas.DataFrame(X, columns=names), polars.DataFrame(X, schema=names)):
        hasher = structhash.ITQ(bits=32).fit(frame[:500])
        assert list(hasher.feature_names_in_) == names
        assert np.array_equal(hasher.transform(frame), expected)


def test_sparse_features_are_refused_clearly(itq, digits):
    with pytest.raises((TypeError, ValueError), match="[Ss]parse.*dense"):
        itq.transform(sparse.csr_matrix(digits[0]))


def test_labels_of_any_kind_give_the_same_model(digits):
    X, y = digits
    words = np.array([f"digit {label}" for label in y])
    numbers = structhash.CCAITQ(bits=16).fit(X, y)
    assert structhash.CCAITQ(bits=16).fit(X, words).model_ == numbers.model_
    multi = np.eye(10, dtype=int)[y]
    assert (
        structhash.StructHash(bits=8, trade_off=30, ridge=0.02, penalty=0.2).fit(X[:200], multi[:200]).model_.bits == 8
    )


def test_relevance_in_three_forms_gives_one_model(digits):
    X, y = digits
    X, y = X[:150], y[:150]
    queries = range(0, 150, 3)
    qrels = {q: {int(i): 1 for i in np.flatnonzero(y == y[q]) if i != q} for q in queries}
    pairs = [(q, i) for q, items in qrels.items() for i in items]
    matrix = sparse.lil_matrix((150, 150), dtype=int)
    for q, i in pairs:
        matrix[q, i] = 1
    options = {"bits": 16, "trade_off": 30, "ridge": 0.02, "penalty": 0.2}
    models = [structhash.StructHash(**options).fit(X, relevance=form).model_ for form in (qrels, pairs, matrix.tocsr())]
    assert models[0] == models[1] == models[2]
    by_vectors = structhash.StructHash(**options).fit(
        X, relevance=[(k, i) for k, q in enumerate(queries) for i in qrels[q]], queries=X[::3]
    )
    judged = [(k, int(i)) for k, q in enumerate(queries) for i in np.flatnonzero(y == y[q])]
    assert by_vectors.score(X, relevance=judged, queries=X[::3]) > 0.8


@pytest.mark.parametrize(
    ("relevance", "message"),
    [
        ({0: {999: 1}}, "item row 999"),
        ({-1: {1: 1}}, "query row"),
        ({0: {1: 1.5}}, "whole numbers"),
        ({"a": {1: 1}}, "row numbers"),
        ([(0, 1), (0, 1)], "twice"),
        ([1, 2, 3], "relevance must be"),
        ({0: {1: 31}}, "grades must be at most 30, got 31"),
        ({}, "quer|list"),
    ],
)
def test_senseless_relevance(relevance, message, digits):
    with pytest.raises(ValueError, match=message):
        structhash.StructHash(bits=8).fit(digits[0][:100], relevance=relevance)


def test_wrong_supervision_is_named(digits):
    X, y = digits
    with pytest.raises(ValueError, match="requires y"):
        structhash.KSH().fit(X)
    with pytest.raises(ValueError, match="cannot train on relevance"):
        structhash.KSH().fit(X, relevance={0: [1]})
    with pytest.raises(ValueError, match="not both"):
        structhash.StructHash().fit(X, y, relevance={0: [1]})
    with pytest.raises(ValueError, match="queries needs relevance"):
        structhash.StructHash().fit(X, y, queries=X)


def test_score_is_the_measure_by_hand(trained, digits):
    X, y = digits[0][300:360], digits[1][300:360]
    order = np.argsort(y, kind="stable")
    halves = np.sort(order[::2]), np.sort(order[1::2])
    values = []
    for asking, asked in (halves, halves[::-1]):
        found = distances(trained.transform(X[asking]), trained.transform(X[asked]), 32, trained.bit_weights_)
        values += [measures.average_precision(y[asked] == y[q], distances=np.float32(d)) for q, d in zip(asking, found)]
    assert trained.score(X, y) == pytest.approx(np.mean(values), abs=1e-3)  # float sums tie a little differently


def test_every_measure_to_train_for_has_a_score(digits):
    X, y = digits[0][:200], digits[1][:200]
    for measure in ("auc", "map", "mrr", "ndcg@10", "ndcg-paper@10", "ndcg-simple", "precision@10", "recall@10"):
        assert 0 < structhash.StructHash(bits=4, measure=measure).fit(X, y).score(X, y) <= 1
    with pytest.raises(ValueError, match="'pr-auc' can only be evaluated; train for one of ndcg@K"):
        structhash.StructHash(bits=4, measure="pr-auc").fit(X, y)


def test_pipeline_grid_search_and_scorer(digits):
    X, y = digits
    pipeline = make_pipeline(StandardScaler(), structhash.ITQ(bits=16))
    search = GridSearchCV(pipeline, {"itq__bits": [8, 32]}, cv=2, scoring=None, n_jobs=1)
    assert search.fit(X[:400], y[:400]).best_params_ == {"itq__bits": 32}
    hasher = structhash.ITQ(bits=16).fit(X[:400])
    assert measures.scorer("precision@10")(hasher, X[400:], y[400:]) > hasher.score(X[400:], y[400:])
    framed = structhash.ITQ(bits=16).set_output(transform="pandas").fit_transform(X[:50])
    assert list(framed.columns) == ["itq0", "itq1"]


def test_scorers_work_for_pipelines(digits):
    X, y = digits
    pipeline = make_pipeline(StandardScaler(), "passthrough", structhash.ITQ(bits=16)).fit(X[:400])
    scorer = measures.scorer("precision@10")
    itq = pipeline[-1]
    assert scorer(pipeline, X[400:], y[400:]) == scorer(itq, pipeline[:-1].transform(X[400:]), y[400:])
    scores = cross_val_score(pipeline, X[:400], y[:400], scoring=scorer, cv=2, error_score="raise")
    assert (scores > 0.5).all()
    search = GridSearchCV(pipeline, {"itq__bits": [8, 32]}, scoring=scorer, cv=2).fit(X[:400], y[:400])
    assert scorer(search, X[400:], y[400:]) == scorer(search.best_estimator_, X[400:], y[400:])


def test_pickle_joblib_and_files(trained, digits, tmp_path):
    X, _ = digits
    expected = trained.transform(X)
    copies = {"pickle": pickle.loads(pickle.dumps(trained))}
    buffer = io.BytesIO()
    joblib.dump(trained, buffer)
    buffer.seek(0)
    copies["joblib"] = joblib.load(buffer)
    trained.save(tmp_path / "model.shm")
    copies["load"] = structhash.load(tmp_path / "model.shm")
    copies["class"] = structhash.StructHash.load(tmp_path / "model.shm")
    for name, copy in copies.items():
        assert np.array_equal(copy.transform(X), expected), name
    assert copies["load"].measure == "map"
    assert copies["load"].random_state == 1
    assert copies["load"].bits == 32
    with pytest.raises(ValueError, match="model of method structhash"):
        structhash.ITQ.load(tmp_path / "model.shm")


@pytest.mark.parametrize("functions", ["linear", "kernel"])
def test_trials_are_made_only_where_they_are_asked_for(functions, digits):
    X, y = digits
    anchors = {"anchors": 20} if functions == "kernel" else {}
    hasher = structhash.StructHash(bits=2, functions=functions, **anchors)
    plain = json.loads(hasher.fit(X[:110], y[:110]).model_.parameters)
    assert plain["trials"] == [] and plain["chosen"]["ridge"] > 0
    tuned = json.loads(hasher.set_params(tune=True).fit(X[:110], y[:110]).model_.parameters)
    assert tuned["trials"][0]["ridge"] == plain["chosen"]["ridge"]  # the trials begin with the defaults


def test_the_preset_fast_takes_fewer_anchors(digits):
    X, y = digits
    few = structhash.StructHash(bits=4, preset="fast").fit(X[:800], y[:800])
    assert json.loads(few.model_.parameters)["chosen"]["anchors"] == 500
    with pytest.raises(ValueError, match="preset"):
        structhash.StructHash(bits=4, preset="quick").fit(X[:800], y[:800])


def test_an_option_beside_the_preset_paper_wins(digits):
    X, y = digits

    def options(**given):
        hasher = structhash.StructHash(bits=4, preset="paper", **given).fit(X[:200], y[:200])
        return json.loads(hasher.model_.parameters)["options"]

    assert structhash.StructHash().functions is None
    paper = options()
    assert (paper["auc_share"], paper["shrinkage"], paper["random_duals"]) == (0.0, 0.0, True)
    assert "anchors" not in paper  # linear functions
    kernel = options(functions="kernel", auc_share=0.5, ridge="auto")
    assert (kernel["anchors"], kernel["auc_share"], kernel["ridge"]) == (300, 0.5, "auto")


def test_parallel_jobs_of_joblib(digits):
    X, _ = digits
    codes = joblib.Parallel(n_jobs=2)(joblib.delayed(_fit_and_encode)(X, seed) for seed in (1, 2))
    assert not np.array_equal(codes[0], codes[1])


def _fit_and_encode(X, seed):
    return structhash.LSH(bits=16, random_state=seed).fit(X).transform(X)


def test_options_of_the_library(digits):
    X, _ = digits
    named = structhash.LSH(functions="kernel", anchors=20, bits=8).fit(X)
    assert named.model_ != structhash.LSH(functions="kernel", bits=8).fit(X).model_
    plain = structhash.LSH(bits=8).fit(X).model_
    assert structhash.LSH(bits=8, anchors=None, centre=None).fit(X).model_ == plain  # None: the default
    assert structhash.LSH(bits=8, centre=np.True_).fit(X).model_ == plain
    assert structhash.LSH(bits=8, centre=False).fit(X).model_ != plain
    assert structhash.LSH(bits=None).fit(X[:20]).model_.bits == 19
    with pytest.raises(ValueError, match="trade_off"):
        structhash.STHs(bits=8, trade_off="much").fit(X[:50], np.arange(50) % 2)


def test_errors_of_the_library_arrive(digits, tmp_path):
    X, y = digits
    with pytest.raises(ValueError, match="ndgc.*ndcg"):
        structhash.StructHash(measure="ndgc@10").fit(X, y)
    with pytest.raises(ValueError, match="bits"):
        structhash.ITQ(bits=0).fit(X)
    results = structhash._core.ResultRows()
    for missing in (structhash.load, structhash.Index.load, structhash.LSH().fit(X[:9]).save, results.read):
        with pytest.raises(FileNotFoundError, match="nothing.shm") as raised:
            missing(str(tmp_path / "folder/nothing.shm"))
        assert raised.value.errno == errno.ENOENT
    structhash.LSH().fit(X).save(tmp_path / "m.shm")
    damaged = bytearray((tmp_path / "m.shm").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "m.shm").write_bytes(damaged)
    with pytest.raises(structhash.CorruptFileError, match="m.shm"):
        structhash.load(tmp_path / "m.shm")
    bad = X.copy()
    bad[4, 2] = np.nan
    with pytest.raises(ValueError, match=r"X\[4, 2\] is nan"):
        structhash.LSH().fit(bad)


def test_the_command_reads_model_files_of_the_package(tmp_path):
    """The command, if it is built, reads the model files of the package."""
    command = next((tmp_path.cwd()).glob("build/*/bin/structhash"), None)
    if command is None:
        pytest.skip("the command structhash is not built")
    structhash.LSH(bits=8).fit(np.eye(4, dtype=np.float32)).save(tmp_path / "m.shm")
    assert "lsh" in subprocess.check_output([command, "inspect", tmp_path / "m.shm"], text=True)


def test_scores_do_not_depend_on_the_output_format(digits):
    pytest.importorskip("pandas")
    X, y = digits
    hasher = structhash.CCAITQ(bits=16).fit(X[:300], y[:300])
    plain = hasher.score(X[300:600], y[300:600])
    assert hasher.set_output(transform="pandas").score(X[300:600], y[300:600]) == plain


@pytest.mark.parametrize(
    "given",
    [
        {"functions": "linear", "auc_share": 0.3, "trade_off": 20, "gap": 0.2},
        {"anchors": 60, "dither": 0.1},
        {"preset": "fast"},
        {"preset": "paper"},
        {"functions": "tree", "trees": 3},
        {"functions": "linear", "relevant": 7, "irrelevant": 9},
    ],
)
def test_a_loaded_estimator_trains_the_same_model(given, digits, tmp_path):
    X, y = digits
    hasher = structhash.StructHash(bits=8, random_state=3, **given).fit(X[:200], y[:200])
    hasher.save(tmp_path / "m.shm")
    again = clone(structhash.load(tmp_path / "m.shm")).fit(X[:200], y[:200])
    assert np.array_equal(again.transform(X), hasher.transform(X))
