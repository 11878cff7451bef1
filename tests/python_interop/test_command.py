"""`structhash convert` writes the same bytes as these functions make."""

import subprocess

import numpy as np
import pytest

from conftest import command_path
from structhash import interop

ROWS = 150


@pytest.fixture(scope="module", params=[20, 24, 64, 72], ids=lambda bits: f"{bits}bits")
def encoded(request, tmp_path_factory):
    """A code file made by the command, and its codes read as docs/format.md says."""
    if command_path() is None:
        pytest.skip("the structhash command is not built; set STRUCTHASH_COMMAND to where it is")
    bits, folder = request.param, tmp_path_factory.mktemp("command")
    np.save(folder / "x.npy", np.random.default_rng(bits).normal(size=(ROWS, 10)).astype(np.float32))
    run("train", "--method", "lsh", "--features", folder / "x.npy", "--bits", bits, "--model", folder / "lsh.shm")
    run("encode", "--model", folder / "lsh.shm", "--features", folder / "x.npy", "--codes", folder / "codes.shc")
    words = np.memmap(folder / "codes.shc", "<u8", "r", 64, (ROWS, (bits + 63) // 64))
    return bits, folder, np.array(words).view(np.uint8)[:, : (bits + 7) // 8]


def run(*arguments):
    subprocess.run([str(command_path()), *map(str, arguments)], check=True, capture_output=True, timeout=60)


def converted(folder, *form):
    run("convert", "--codes", folder / "codes.shc", "--to", *form, "--out", folder / "out")
    return folder / "out"


def test_arrays(encoded):
    bits, folder, codes = encoded
    expected = {
        ("npy",): codes,
        ("npy", "--bitorder", "big"): interop.to_packbits(codes, bits),
        ("uint64",): interop.to_uint64(codes, bits),
    }
    if bits % 8 == 0:
        expected[("faiss",)] = codes
        expected[("ubinary",)] = interop.to_ubinary(codes)
        expected[("binary",)] = interop.to_binary(codes)
    for form, array in expected.items():
        written = np.load(converted(folder, *form))
        assert written.dtype == array.dtype and written.shape == array.shape
        assert written.tobytes() == array.tobytes()


def test_texts(encoded):
    bits, folder, codes = encoded
    assert converted(folder, "hex").read_text().splitlines() == interop.to_hex(codes, bits)
    assert converted(folder, "hex", "--bitorder", "big").read_text().splitlines() == interop.to_hex(codes, bits, "big")
    assert converted(folder, "pgvector").read_text().splitlines() == interop.to_pgbit(codes, bits)


def test_what_one_refuses_the_other_refuses(encoded):
    bits, folder, codes = encoded
    for form, call in {"ubinary": interop.to_ubinary, "binary": interop.to_binary}.items():
        if bits % 8 == 0:
            continue  # whole bytes are taken by both
        with pytest.raises(subprocess.CalledProcessError):
            converted(folder, form)
        with pytest.raises(ValueError, match="multiples of 8"):
            call(codes, bits)
