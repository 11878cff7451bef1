"""Batches of any kind of column, and what is wrong with them."""

import pickle

import numpy as np
import pyarrow as pa
import pytest

import structhash
from conftest import as_codes, vector_column
from structhash.arrow import BatchEncoder, Place, code_array, codes_of_array

KINDS = {
    "float": pa.list_(pa.float32()),
    "double": pa.list_(pa.float64()),
    "half": pa.list_(pa.float16()),
    "large": pa.large_list(pa.float32()),
    "fixed": pa.list_(pa.float32(), 64),
    "bytes": pa.binary(),
    "large bytes": pa.large_binary(),
    "fixed bytes": pa.binary(256),
}


def columns(rows, kind):
    if "bytes" in kind:
        return pa.array([row.tobytes() for row in rows], KINDS[kind])
    return vector_column(rows.astype(np.float16) if kind == "half" else rows, KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_column_gives_the_same_codes(model_file, vectors, kind):
    rows = vectors[:50].astype(np.float16).astype(np.float32)  # numbers that every kind can hold
    table = pa.table({"id": np.arange(50), "features": columns(rows, kind)})
    encoded = BatchEncoder(model_file, "features")(table.slice(7, 30))
    assert encoded.column_names == ["id", "code"]
    expected = structhash.load(model_file).transform(rows)[7:37]
    assert np.array_equal(as_codes(encoded["code"], 4), expected)


def test_both_forms_are_the_same_bits(model_file, vectors, codes):
    table = pa.table({"features": vector_column(vectors[:20])})
    numbers = BatchEncoder(model_file, "features", form="bigint", keep_features=True)(table)
    assert numbers.column_names == ["features", "code"]
    words = numbers["code"].to_numpy().view(np.uint64)
    assert np.array_equal(structhash.interop.from_uint64(words, 32), codes[:20])


@pytest.mark.parametrize(
    ("form", "bits"), [*(("binary", b) for b in (5, 31, 64, 100)), *(("bigint", b) for b in (5, 31, 64))]
)
def test_columns_of_codes_come_back(form, bits):
    codes = structhash.interop.pack(np.random.default_rng(bits).random((40, bits)) < 0.5)
    column = code_array(codes, bits, form)
    assert np.array_equal(codes_of_array(column, bits, Place("code")), codes)
    assert np.array_equal(codes_of_array(column.slice(3, 9), bits, Place("code")), codes[3:12])


def test_no_rows(model_file):
    table = pa.table({"id": pa.array([], pa.int64()), "features": vector_column([])})
    assert BatchEncoder(model_file, "features")(table).num_rows == 0
    whole = BatchEncoder(model_file, "features").batch(pa.RecordBatch.from_arrays([vector_column([])], ["features"]))
    assert whole.num_rows == 0 and whole.schema.names == ["code"]


def test_encoders_travel(model_file, vectors):
    encoder = BatchEncoder(model_file, "features")
    table = pa.table({"features": vector_column(vectors[:5])})
    assert pickle.loads(pickle.dumps(encoder))(table).equals(encoder(table))


ROW = [0.0] * 64


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([ROW, None]), "column 'features', row 11 of file x: the vector is null"),
        (pa.array([ROW, ROW[1:]]), "row 11 of file x: has 63 numbers; expected 64 numbers"),
        (pa.array([ROW, [*ROW[1:], None]]), "row 11 of file x: value 63 is null"),
        (pa.array([ROW, [1.0, float("nan"), *ROW[2:]]]), "row 11 of file x: value 1 is nan"),
        (pa.array([ROW, [1e300, *ROW[1:]]]), "row 11 of file x: value 0 is inf"),
        (pa.array([["a"] * 64]), "the lists hold string"),
        (pa.array([1.0]), "the column holds double"),
        (pa.array([b"12"]), "row 10 of file x: has 2 bytes; expected 256 bytes for 64 float32"),
        (pa.array([ROW[1:]], pa.list_(pa.float32(), 63)), "has 63 numbers; expected 64"),
    ],
)
def test_what_is_wrong_is_named(model_file, column, message):
    batch = pa.RecordBatch.from_arrays([column], ["features"])
    with pytest.raises(ValueError, match=message):
        BatchEncoder(model_file, "features").batch(batch, "file x", 10)


def test_wrong_choices_are_named(model_file, vectors):
    table = pa.table({"features": vector_column(vectors[:2]), "code": [1, 2]})
    with pytest.raises(ValueError, match="no column 'vectors'; columns are features, code"):
        BatchEncoder(model_file, "vectors")(table)
    with pytest.raises(ValueError, match="a column 'code' already exists"):
        BatchEncoder(model_file, "features")(table)
    with pytest.raises(ValueError, match="form must be"):
        BatchEncoder(model_file, "features", form="text")
    with pytest.raises(TypeError, match="fitted estimator, a Model or the name"):
        BatchEncoder(7, "features")
    long = structhash.LSH(bits=65).fit(vectors[:100])
    with pytest.raises(ValueError, match="64 bits, the codes have 65"):
        BatchEncoder(long, "features", form="bigint")
