import numpy as np
import pytest

from conftest import GOLDEN_BITS, tied_codes
from structhash import interop


def test_golden_code_in_every_form(golden_code):
    assert golden_code.tobytes().hex() == "090280"
    assert interop.to_packbits(golden_code).tobytes().hex() == "904001"
    assert interop.to_packbits(golden_code, bitorder="little").tobytes().hex() == "090280"
    assert interop.to_ubinary(golden_code).tobytes().hex() == "904001"
    assert interop.to_binary(golden_code).tolist() == [[16, -64, -127]]
    assert interop.to_signed_bytes(golden_code).tolist() == [[-112, 64, 1]]
    assert interop.to_pgbit(golden_code) == ["100100000100000000000001"]
    assert interop.to_uint64(golden_code).tolist() == [[8389129]]
    assert interop.to_hex(golden_code) == ["090280"]
    assert interop.to_hex(golden_code, bitorder="big") == ["904001"]
    assert tuple(interop.unpack(golden_code).nonzero()[1]) == GOLDEN_BITS


@pytest.mark.parametrize("bits", [1, 7, 8, 20, 24, 63, 64, 65, 128, 200])
def test_there_and_back(bits):
    codes = tied_codes(50, bits, seed=bits)
    assert np.array_equal(interop.pack(interop.unpack(codes, bits)), codes)
    for order in ("little", "big"):
        assert np.array_equal(interop.from_packbits(interop.to_packbits(codes, bits, order), bits, order), codes)
        assert np.array_equal(interop.from_hex(interop.to_hex(codes, bits, order), bits, order), codes)
        same = np.packbits(interop.unpack(codes, bits), axis=1, bitorder=order)
        assert np.array_equal(interop.to_packbits(codes, bits, order), same)
    assert np.array_equal(interop.from_uint64(interop.to_uint64(codes, bits), bits), codes)
    assert np.array_equal(interop.from_pgbit(interop.to_pgbit(codes, bits)), codes)
    if bits % 8 == 0:
        assert np.array_equal(interop.from_ubinary(interop.to_ubinary(codes)), codes)
        assert np.array_equal(interop.from_binary(interop.to_binary(codes)), codes)
        assert np.array_equal(interop.from_signed_bytes(interop.to_signed_bytes(codes)), codes)


def test_views_and_read_only_arrays():
    codes = tied_codes(40, 32, seed=1)
    strided = np.asfortranarray(codes)[::2]
    strided.flags.writeable = False
    assert np.array_equal(interop.from_ubinary(interop.to_ubinary(strided)), codes[::2])
    assert interop.to_uint64(strided).tolist() == interop.to_uint64(codes).tolist()[::2]


def test_no_codes():
    none = np.zeros((0, 4), dtype=np.uint8)
    assert interop.to_ubinary(none).shape == (0, 4)
    assert interop.to_binary(none).shape == (0, 4)
    assert interop.to_uint64(none).shape == (0, 1)
    assert interop.to_pgbit(none) == interop.to_hex(none) == []
    assert interop.hamming_distances(none, none).shape == (0, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interop.to_ubinary(np.zeros((2, 2), dtype=np.int8)), "uint8"),
        (lambda: interop.to_ubinary(np.zeros(2, dtype=np.uint8)), "two-dimensional"),
        (lambda: interop.to_ubinary(np.zeros((2, 0), dtype=np.uint8)), "at least one byte"),
        (lambda: interop.to_ubinary(np.zeros((2, 2), dtype=np.uint8), bits=12), "multiples of 8"),
        (lambda: interop.unpack(np.zeros((2, 2), dtype=np.uint8), bits=17), "3 bytes each"),
        (lambda: interop.unpack(np.full((2, 2), 255, dtype=np.uint8), bits=12), "must be zero"),
        (lambda: interop.from_binary(np.zeros((2, 2), dtype=np.uint8)), "int8"),
        (lambda: interop.from_signed_bytes(np.zeros((2, 2), dtype=np.uint8)), "int8"),
        (lambda: interop.from_uint64(np.full((2, 1), 2**40, dtype=np.uint64), bits=20), "must be zero"),
        (lambda: interop.from_uint64(np.zeros((2, 1), dtype=np.uint64), bits=65), "2 words each"),
        (lambda: interop.from_uint64(np.zeros((2, 1), dtype=np.int64), bits=64), "uint64"),
        (lambda: interop.from_hex(["00", "0000"]), "code 1 has 2 bytes"),
        (lambda: interop.from_hex([]), "no codes"),
        (lambda: interop.from_pgbit(["01", "02"]), "code 1"),
        (lambda: interop.pack([[0, 2]]), "0 or 1"),
        (lambda: interop.to_packbits(np.zeros((1, 1), dtype=np.uint8), bitorder="msb"), "'little' or 'big'"),
        (lambda: interop.hamming_distances(np.zeros((1, 1), np.uint8), np.zeros((1, 2), np.uint8)), "must be equal"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
