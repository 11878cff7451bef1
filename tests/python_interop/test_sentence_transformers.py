"""The library's own quantize_embeddings. Its module is loaded alone: the rest of it needs torch, which this does not."""

import importlib.metadata
import importlib.util
import sys
import types

import numpy as np
import pytest

from structhash import interop


@pytest.fixture
def library(monkeypatch):
    try:
        files = importlib.metadata.files("sentence-transformers")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("sentence-transformers is not installed (pip install --no-deps sentence-transformers is enough)")
    place = next(file for file in files if file.as_posix().endswith("util/quantization.py")).locate()
    if importlib.util.find_spec("torch") is None:
        torch = types.ModuleType("torch")
        torch.Tensor = type("Tensor", (), {})
        monkeypatch.setitem(sys.modules, "torch", torch)
    tensor = types.ModuleType("quantization_alone.tensor")
    tensor._tensor_to_numpy = lambda tensor: tensor
    parent = types.ModuleType("quantization_alone")
    parent.__path__ = []
    monkeypatch.setitem(sys.modules, "quantization_alone", parent)
    monkeypatch.setitem(sys.modules, "quantization_alone.tensor", tensor)
    spec = importlib.util.spec_from_file_location("quantization_alone.quantization", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("bits", [8, 64, 384])
def test_both_forms_both_ways(library, bits):
    embeddings = np.random.default_rng(bits).normal(size=(30, bits)).astype(np.float32)
    embeddings[0, :3] = 0.0  # not greater than zero
    codes = interop.pack(embeddings > 0)
    ubinary = library.quantize_embeddings(embeddings, precision="ubinary")
    binary = library.quantize_embeddings(embeddings, precision="binary")
    assert ubinary.dtype == np.uint8 and binary.dtype == np.int8
    assert np.array_equal(interop.to_ubinary(codes), ubinary)
    assert np.array_equal(interop.to_binary(codes), binary)
    assert np.array_equal(interop.from_ubinary(ubinary), codes)
    assert np.array_equal(interop.from_binary(binary), codes)


def test_its_search_finds_our_neighbours(library):
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    rng = np.random.default_rng(1)
    corpus, queries = rng.normal(size=(300, 64)), rng.normal(size=(5, 64))
    codes, query_codes = interop.pack(corpus > 0), interop.pack(queries > 0)
    found, _ = library.semantic_search_faiss(
        interop.to_ubinary(query_codes),
        corpus_embeddings=interop.to_ubinary(codes),
        corpus_precision="ubinary",
        top_k=10,
        rescore=False,
    )
    distances = interop.hamming_distances(query_codes, codes)
    for line, answers in enumerate(found):
        reached = [distances[line, answer["corpus_id"]] for answer in answers]
        assert reached == np.sort(distances[line])[:10].tolist()
