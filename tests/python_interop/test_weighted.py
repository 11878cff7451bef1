import numpy as np
import pytest

from conftest import slow_distances, some_weights, tied_codes
from structhash import interop
from structhash.interop import replication


@pytest.mark.parametrize("bits", [1, 9, 24, 64, 100])
def test_identities_equal_the_definition(bits):
    codes, queries, weights = tied_codes(200, bits, 1), tied_codes(20, bits, 2), some_weights(bits)
    exact = slow_distances(queries, codes, weights)
    np.testing.assert_allclose(interop.weighted_distances(queries, codes, weights), exact, rtol=0, atol=1e-9)
    left, right = interop.to_vectors(queries, weights), interop.to_vectors(codes, weights)
    squared = ((left[:, None, :].astype(np.float64) - right[None, :, :]) ** 2).sum(axis=2)
    np.testing.assert_allclose(squared, exact, rtol=1e-6, atol=1e-6)
    plain = slow_distances(queries, codes, np.ones(bits))
    assert np.array_equal(interop.hamming_distances(queries, codes), plain)


@pytest.mark.parametrize("scale", [3.0, 10.5, 100.0])
def test_rounded_replication_keeps_its_bound(scale):
    bits = 64
    codes, weights = tied_codes(150, bits, 3), some_weights(bits)
    repeated = replication.rounded(weights, scale)
    counted = interop.hamming_distances(repeated.expand(codes), repeated.expand(codes)) / scale
    differing = interop.hamming_distances(codes, codes)
    errors = np.abs(counted - slow_distances(codes, codes, weights))
    assert (errors <= differing / (2 * scale) + 1e-9).all()
    assert errors.max() <= repeated.error_bound + 1e-9


@pytest.mark.parametrize("length", [65, 128, 256, 1000])
def test_replication_of_a_given_length_keeps_its_bound(length):
    codes, weights = tied_codes(150, 64, 4), some_weights(64)
    repeated = replication.of_length(weights, length)
    assert repeated.bits == length
    assert (np.abs(repeated.counts / repeated.scale - weights) < 1 / repeated.scale).all()
    longer = repeated.expand(codes)
    assert longer.shape == (150, (length + 7) // 8)
    interop.unpack(longer, length)  # zeros behind the last bit
    errors = np.abs(interop.hamming_distances(longer, longer) / repeated.scale - slow_distances(codes, codes, weights))
    differing = interop.hamming_distances(codes, codes)
    assert (errors <= differing / repeated.scale + 1e-9).all()
    assert errors.max() <= repeated.error_bound + 1e-9


def test_the_measured_error_is_that_of_all_pairs():
    codes, weights = tied_codes(200, 64, 6), some_weights(64)
    result = interop.replicate(codes, weights, 256, sample=200)
    counted = interop.hamming_distances(result.codes, result.codes) / result.replication.scale
    errors = np.abs(counted - slow_distances(codes, codes, weights))
    assert result.error.largest == pytest.approx(errors.max(), abs=1e-9)
    assert result.error.mean == pytest.approx(errors.mean(), abs=1e-9)
    assert result.error.largest <= result.error.bound + 1e-9
    coarse = interop.replicate(codes, weights, 72, sample=200).error
    assert result.error.largest < coarse.largest
    assert result.error.recall >= coarse.recall


def test_whole_weights_travel_without_error():
    codes, weights = tied_codes(100, 16, 7), np.arange(16.0)
    result = interop.replicate(codes, weights, int(weights.sum()))
    assert result.error.largest < 1e-9
    assert result.error.recall == 1.0
    assert result.replication.counts.tolist() == weights.tolist()  # bit 0 weighs nothing and drops out


def test_the_two_stages_end_in_the_exact_answer():
    codes, queries, weights = tied_codes(300, 40, 8), tied_codes(15, 40, 9), some_weights(40)
    exact = slow_distances(queries, codes, weights)
    everything = np.tile(np.arange(300), (15, 1))
    distances, ids = interop.rerank(queries, codes, everything, weights, k=12)
    expected, expected_ids = interop.nearest(np.round(exact, 9), 12)
    np.testing.assert_allclose(distances, expected, atol=1e-8)
    np.testing.assert_allclose(np.take_along_axis(exact, ids, 1), expected, atol=1e-8)
    assert (ids == expected_ids).mean() > 0.9  # sums of other order may swap ties
    few, few_ids = interop.rerank(queries[:1], codes, [[5, -1, 5]], weights, k=3)
    assert few_ids.tolist() == [[5, -1, -1]] and np.isinf(few[0, 1:]).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda codes: interop.real_queries(codes, [1.0, -1.0] * 8), "weight 1 is -1.0"),
        (lambda codes: interop.real_queries(codes, [np.nan] * 16), "weight 0 is nan"),
        (lambda codes: interop.real_queries(codes, [1.0] * 17), "3 bytes each"),
        (lambda codes: interop.real_queries(codes, []), "one number per bit"),
        (lambda codes: interop.replicate(codes, [0.0] * 16, 32), "all weights are 0"),
        (lambda codes: interop.replicate(codes, [1.0] * 16, 0), "at least 1 bit"),
        (lambda codes: replication.rounded([1.0] * 16, 0.0), "positive"),
        (lambda codes: replication.rounded([1.0] * 16, 0.1), "scale is too small"),
        (lambda codes: interop.rerank(codes, codes, [[0]], [1.0] * 16, 1), "one line per query"),
        (lambda codes: interop.rerank(codes[:1], codes, [[99]], [1.0] * 16, 1), "rows of codes"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(tied_codes(4, 16, 0))
