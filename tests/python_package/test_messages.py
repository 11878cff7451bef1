"""Messages speak Python: names of parameters, None and True, positions from 0."""

import numpy as np
import pytest

import structhash
from structhash import Index
from structhash._messages import in_python


def with_nan(rows, row, column):
    bad = np.zeros((rows, 64), np.float32)
    bad[row, column] = np.nan
    return bad


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"trade_off": -1}, "^trade_off must be above 1, or None, got -1$"),
        ({"ridge": -2}, "^ridge must be above 0, or None, got -2$"),
        ({"auc_share": 7}, "^auc_share must be 0 to 1, got 7$"),
        ({"max_planes": 0}, "^max_planes must be at least 1, got 0$"),
        ({"stage_wise": "maybe"}, "^stage_wise must be True or False, got maybe$"),
        ({"functions": "linear", "self_response": 0.4}, "^self_response has no effect on linear functions"),
    ],
)
def test_parameters_are_named_as_in_python(parameters, message, digits):
    with pytest.raises(ValueError, match=message):
        structhash.StructHash(bits=8, **parameters).fit(digits[0][:100], digits[1][:100])


@pytest.mark.parametrize("name", ["bits", "relevant", "irrelevant"])
@pytest.mark.parametrize("value", [8.5, "many"])
def test_numbers_that_are_not_whole(name, value, digits):
    with pytest.raises(TypeError, match=f"^{name} must be a whole number, got {value!r}$"):
        structhash.StructHash(**{name: value}).fit(digits[0][:100], digits[1][:100])


@pytest.mark.parametrize("rows", [10, 9000])  # more rows than the library takes at once
def test_positions_of_nan_count_from_0(rows, trained):
    bad, where = with_nan(rows, rows - 2, 3), rf"X\[{rows - 2}, 3\] is nan"
    index = Index(trained)
    calls = (trained.transform, trained.decision_function, index.add, lambda x: index.search(x, 1))
    for call in calls:
        with pytest.raises(ValueError, match=where):
            call(bad)
    with pytest.raises(ValueError, match=where):
        Index(trained, distance="weighted").search(bad, 1)


def test_positions_in_queries(digits):
    X, _ = digits
    with pytest.raises(ValueError, match=r"queries\[4, 2\] is nan"):
        structhash.StructHash(bits=8).fit(X[:100], relevance={0: [1]}, queries=with_nan(5, 4, 2))


def test_positions_of_codes_and_values():
    index = Index(bits=12)
    codes = np.zeros((3, 2), np.uint8)
    index.add(codes)
    codes[2] = 255
    for call in (index.add, lambda c: index.upsert(c, ids=[7, 8, 9]), lambda c: index.search(c, 1)):
        with pytest.raises(ValueError, match=r"^codes\[2\]: bits after"):
            call(codes)
    values = np.zeros((3, 12), np.float32)
    values[1, 4] = np.inf
    with pytest.raises(ValueError, match=r"^values\[1, 4\] is inf"):
        index.search_asymmetric(values, 1)


def test_words_inside_other_words_stay():
    assert in_python("max-planes and max-planes-2 of trade-offs", ["max_planes"]) == (
        "max_planes and max_planes-2 of trade-offs"
    )
