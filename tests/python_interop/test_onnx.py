"""Encoders in onnxruntime give the codes and scores of this package."""

import types

import numpy as np
import pytest

from conftest import REPOSITORY
from structhash import interop

NEAR = 1e-4  # scores this near to 0 may have either sign


@pytest.fixture
def runtime():
    pytest.importorskip("onnx", reason="onnx is not installed")
    return pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


@pytest.fixture(scope="module")
def digits():
    """Features (float32), labels."""
    table = np.loadtxt(REPOSITORY / "data/digits/digits.csv.gz", delimiter=",", dtype=np.float32)
    return np.ascontiguousarray(table[:, :64]), table[:, 64].astype(int)


def run(runtime, path, x):
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(["codes", "scores"], {"x": x})


def assert_same_codes(codes, expected, scores, bits):
    assert codes.dtype == np.uint8 and codes.shape == expected.shape
    bits_of = [np.unpackbits(c, axis=1, bitorder="little") for c in (codes, expected)]
    assert not bits_of[0][:, bits:].any()  # padding
    certain = np.abs(scores) > NEAR
    assert certain.mean() > 0.99
    assert np.array_equal(bits_of[0][:, :bits][certain], bits_of[1][:, :bits][certain])


@pytest.mark.parametrize("bits", [5, 8, 20, 64, 130])
@pytest.mark.parametrize("kind", ["linear", "kernel"])
def test_the_formula_of_an_encoder(runtime, tmp_path, kind, bits):
    """Needs no compiled package: a model is its arrays."""
    rng = np.random.default_rng(bits)
    anchors = rng.normal(size=(30, 7)).astype(np.float32) if kind == "kernel" else None
    gamma = 0.125 if kind == "kernel" else None
    directions = rng.normal(size=(bits, 7 if anchors is None else 30)).astype(np.float32)
    offsets = rng.normal(size=bits).astype(np.float32)
    model = types.SimpleNamespace(
        method="any", functions=kind, bits=bits, dimension=7, directions=directions, offsets=offsets,
        anchors=anchors, gamma=gamma,
    )  # fmt: skip
    x = rng.normal(size=(50, 7)).astype(np.float32)
    inputs = x.astype(float)
    if kind == "kernel":
        inputs = np.exp(-gamma * ((inputs[:, None, :] - anchors[None]) ** 2).sum(axis=2))
    scores = inputs @ directions.T.astype(float) + offsets
    interop.to_onnx(model, tmp_path / "encoder.onnx")
    codes, found = run(runtime, tmp_path / "encoder.onnx", x)
    assert found.dtype == np.float32 and np.allclose(found, scores, atol=1e-5)
    assert_same_codes(codes, np.packbits(scores > 0, axis=1, bitorder="little"), scores, bits)
    assert all(len(part) == 0 for part in run(runtime, tmp_path / "encoder.onnx", x[:0]))


TRAINED = [
    ("StructHash", {"functions": "linear", "bits": 64}),
    ("StructHash", {"functions": "kernel", "bits": 64}),
    ("StructHash", {"functions": "kernel", "bits": 20, "anchors": 100}),
    ("KSH", {"bits": 32}),
    ("LSH", {"bits": 12}),
    ("ITQ", {"bits": 24}),
]


@pytest.fixture
def compiled():
    structhash = pytest.importorskip("structhash")
    if not hasattr(structhash, "Index"):
        pytest.skip("the compiled package structhash is not installed in this environment")
    return structhash


@pytest.mark.parametrize(("method", "options"), TRAINED)
def test_trained_encoders(runtime, compiled, digits, tmp_path, method, options):
    X, y = digits
    hasher = getattr(compiled, method)(**options).fit(X[:600], y[:600])
    hasher.to_onnx(tmp_path / "encoder.onnx")
    codes, scores = run(runtime, tmp_path / "encoder.onnx", X)
    expected = hasher.decision_function(X)
    assert np.allclose(scores, expected, rtol=1e-4, atol=1e-4)
    assert_same_codes(codes, hasher.transform(X), expected, hasher.model_.bits)
    hasher.to_onnx(tmp_path / "again.onnx")
    assert (tmp_path / "again.onnx").read_bytes() == (tmp_path / "encoder.onnx").read_bytes()


def test_float32_is_near(runtime, compiled, digits, tmp_path):
    X, y = digits
    hasher = compiled.StructHash(bits=32, functions="linear").fit(X[:600], y[:600])
    hasher.to_onnx(tmp_path / "encoder.onnx", precision="float32")
    codes, scores = run(runtime, tmp_path / "encoder.onnx", X)
    assert np.allclose(scores, hasher.decision_function(X), rtol=1e-3, atol=1e-3)
    assert np.unpackbits(codes ^ hasher.transform(X)).mean() < 1e-3


def test_codes_of_the_file_find_themselves_in_an_index(runtime, compiled, digits, tmp_path):
    X, y = digits
    hasher = compiled.StructHash(bits=32, functions="linear").fit(X[:600], y[:600])
    hasher.to_onnx(tmp_path / "encoder.onnx")
    index = compiled.Index(hasher)
    index.add(run(runtime, tmp_path / "encoder.onnx", X)[0])
    distances, _ = index.search(hasher.transform(X[:100]), 1)
    assert (distances == 0).all()


def test_what_is_no_model(runtime, tmp_path):
    with pytest.raises(TypeError, match="of a Pipeline give the last step"):
        interop.to_onnx("encoder", tmp_path / "encoder.onnx")


def test_other_functions_are_refused(runtime, compiled, digits, tmp_path):
    X, y = digits
    with pytest.raises(ValueError, match="this model has tree functions"):
        compiled.FastHash(bits=4).fit(X[:100], y[:100]).to_onnx(tmp_path / "encoder.onnx")
    assert not (tmp_path / "encoder.onnx").exists()
    with pytest.raises(ValueError, match="not fitted"):
        compiled.LSH().to_onnx(tmp_path / "encoder.onnx")
