"""Encoders in onnxruntime and PyTorch give the codes and scores of this package."""

import copy
import sys
import types

import numpy as np
import pytest

from conftest import REPOSITORY
from structhash import interop

NEAR = 1e-4  # scores this near to 0 may have either sign


def installed(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture
def runtime():
    installed("onnx")
    return installed("onnxruntime")


@pytest.fixture(params=["onnx", "torch"])
def elsewhere(request, tmp_path):
    """Function: (codes, scores) of x by the encoder of an estimator or model, without this package."""
    if request.param == "torch":
        torch = installed("torch")

        def run_torch(estimator, x, precision="float64"):
            module = interop.to_torch(estimator, precision)
            return tuple(result.numpy() for result in module(torch.from_numpy(x)))

        return run_torch
    runtime = request.getfixturevalue("runtime")

    def run_onnx(estimator, x, precision="float64"):
        interop.to_onnx(estimator, tmp_path / "encoder.onnx", precision)
        return run_file(runtime, tmp_path / "encoder.onnx", x)

    return run_onnx


@pytest.fixture(scope="module")
def digits():
    """Features (float32), labels."""
    table = np.loadtxt(REPOSITORY / "data/digits/digits.csv.gz", delimiter=",", dtype=np.float32)
    return np.ascontiguousarray(table[:, :64]), table[:, 64].astype(int)


def run_file(runtime, path, x):
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(["codes", "scores"], {"x": x})


def assert_same_codes(codes, expected, scores, bits):
    assert codes.dtype == np.uint8 and codes.shape == expected.shape
    bits_of = [np.unpackbits(c, axis=1, bitorder="little") for c in (codes, expected)]
    assert not bits_of[0][:, bits:].any()  # padding
    certain = np.abs(scores) > NEAR
    assert certain.mean() > 0.99
    assert np.array_equal(bits_of[0][:, :bits][certain], bits_of[1][:, :bits][certain])


def some_model(kind, bits):
    """A model is its arrays: this needs no compiled package."""
    rng = np.random.default_rng(bits)
    anchors = rng.normal(size=(30, 7)).astype(np.float32) if kind == "kernel" else None
    directions = rng.normal(size=(bits, 7 if anchors is None else 30)).astype(np.float32)
    return types.SimpleNamespace(
        method="any", functions=kind, bits=bits, dimension=7, directions=directions,
        offsets=rng.normal(size=bits).astype(np.float32), anchors=anchors, gamma=None if anchors is None else 0.125,
        projection=None,
    )  # fmt: skip


def test_models_of_sparse_features_are_refused(tmp_path):
    model = some_model("linear", 8)
    model.projection = "of 100,000 columns"
    with pytest.raises(ValueError, match="to_onnx does not work for models of sparse features"):
        interop.to_onnx(model, tmp_path / "encoder.onnx")


@pytest.mark.parametrize("bits", [5, 8, 20, 64, 130])
@pytest.mark.parametrize("kind", ["linear", "kernel"])
def test_the_formula_of_an_encoder(elsewhere, kind, bits):
    model = some_model(kind, bits)
    x = np.random.default_rng(1).normal(size=(50, 7)).astype(np.float32)
    inputs = x.astype(float)
    if kind == "kernel":
        inputs = np.exp(-model.gamma * ((inputs[:, None, :] - model.anchors[None]) ** 2).sum(axis=2))
    scores = inputs @ model.directions.T.astype(float) + model.offsets
    codes, found = elsewhere(model, x)
    assert found.dtype == np.float32 and np.allclose(found, scores, atol=1e-5)
    assert_same_codes(codes, np.packbits(scores > 0, axis=1, bitorder="little"), scores, bits)
    assert all(len(part) == 0 for part in elsewhere(model, x[:0]))


TRAINED = [
    ("StructHash", {"functions": "linear", "bits": 64}),
    ("StructHash", {"functions": "kernel", "bits": 64}),
    ("StructHash", {"functions": "kernel", "bits": 20, "anchors": 100}),
    ("KSH", {"bits": 32}),
    ("LSH", {"bits": 12}),
    ("ITQ", {"bits": 24}),
]


@pytest.fixture(scope="module")
def compiled():
    structhash = pytest.importorskip("structhash")
    if not hasattr(structhash, "Index"):
        pytest.skip("the compiled package structhash is not installed in this environment")
    return structhash


@pytest.fixture(scope="module")
def linear(compiled, digits):
    X, y = digits
    return compiled.StructHash(bits=32, functions="linear").fit(X[:600], y[:600])


@pytest.mark.parametrize(("method", "options"), TRAINED)
def test_trained_encoders(elsewhere, compiled, digits, method, options):
    X, y = digits
    hasher = getattr(compiled, method)(**options).fit(X[:600], y[:600])
    codes, scores = elsewhere(hasher, X)
    expected = hasher.decision_function(X)
    assert np.allclose(scores, expected, rtol=1e-4, atol=1e-4)
    assert_same_codes(codes, hasher.transform(X), expected, hasher.model_.bits)


def test_float32_is_near(elsewhere, linear, digits):
    codes, scores = elsewhere(linear, digits[0], precision="float32")
    assert np.allclose(scores, linear.decision_function(digits[0]), rtol=1e-3, atol=1e-3)
    assert np.unpackbits(codes ^ linear.transform(digits[0])).mean() < 1e-3


def test_codes_from_elsewhere_find_themselves_in_an_index(elsewhere, compiled, linear, digits):
    index = compiled.Index(linear)
    index.add(elsewhere(linear, digits[0])[0])
    distances, _ = index.search(linear.transform(digits[0][:100]), 1)
    assert (distances == 0).all()


def test_other_functions_are_refused(elsewhere, compiled, digits):
    X, y = digits
    with pytest.raises(ValueError, match="this model has tree functions"):
        elsewhere(compiled.FastHash(bits=4).fit(X[:100], y[:100]), X)


def test_what_is_no_model(elsewhere, digits):
    with pytest.raises(TypeError, match="of a Pipeline give the last step"):
        elsewhere("encoder", digits[0])


def test_the_same_model_gives_the_same_file(runtime, linear, tmp_path):
    linear.to_onnx(tmp_path / "encoder.onnx")
    linear.to_onnx(tmp_path / "again.onnx")
    assert (tmp_path / "again.onnx").read_bytes() == (tmp_path / "encoder.onnx").read_bytes()


def test_nothing_is_written_for_an_estimator_that_is_not_fitted(runtime, compiled, tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        compiled.LSH().to_onnx(tmp_path / "encoder.onnx")
    assert not (tmp_path / "encoder.onnx").exists()


def test_the_command_writes_the_same_file(runtime, compiled, linear, tmp_path, capsys):
    from structhash.__main__ import main

    linear.save(tmp_path / "model.shm")
    linear.to_onnx(tmp_path / "expected.onnx")
    model, out = str(tmp_path / "model.shm"), str(tmp_path / "encoder.onnx")
    assert main(["export", "onnx", model, "--out", out]) == 0
    assert "encoder of 32 bits written" in capsys.readouterr().out
    assert (tmp_path / "encoder.onnx").read_bytes() == (tmp_path / "expected.onnx").read_bytes()
    before = (tmp_path / "model.shm").read_bytes()
    assert main(["export", "onnx", model, "--out", model]) == 3
    assert "is the model itself" in capsys.readouterr().err
    assert (tmp_path / "model.shm").read_bytes() == before
    compiled.FastHash(bits=2).fit(np.eye(8, dtype=np.float32), np.arange(8) % 2).save(model)
    assert main(["export", "onnx", model, "--out", out]) == 3
    assert "tree functions" in capsys.readouterr().err


def test_a_torch_encoder_moves_copies_and_lets_gradients_through(tmp_path):
    torch = installed("torch")
    module = interop.to_torch(some_model("kernel", 20))
    assert not list(module.parameters())
    x = torch.randn(5, 7, generator=torch.Generator().manual_seed(1), requires_grad=True)
    codes, scores = module(x)
    scores.sum().backward()
    assert x.grad.abs().sum() > 0
    torch.save(module, tmp_path / "encoder.pt")
    loaded = torch.load(tmp_path / "encoder.pt", weights_only=False)
    for other in (loaded, copy.deepcopy(module)):
        assert torch.equal(other(x)[0], codes)


def test_a_missing_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="to_torch needs PyTorch: pip install torch"):
        interop.to_torch(some_model("linear", 8))
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install structhash.onnx"):
        interop.to_onnx(some_model("linear", 8), tmp_path / "encoder.onnx")
