"""Documents and requests for systems that are filled from files, against files that were checked by hand.

To make the files anew after a wanted change: STRUCTHASH_WRITE_GOLDEN=1 pytest tests/python_interop/test_exports.py
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from conftest import slow_distances, some_weights, tied_codes
from structhash import interop
from structhash.interop import elasticsearch, exports, milvus, opensearch, vespa

GOLDEN = Path(__file__).with_name("golden")
WEIGHTS = [0.5 * (1 + i % 4) for i in range(24)]  # exact in binary


@pytest.fixture
def codes(golden_code):
    """The golden code, no bit, every bit, and bit 7: the first with a sign."""
    return np.vstack([golden_code, [[0, 0, 0], [255, 255, 255], [128, 0, 0]]]).astype(np.uint8)


def agrees(name, text):
    path = GOLDEN / name
    if os.environ.get("STRUCTHASH_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs"


def lines(values):
    return "".join(exports.json_line(value) + "\n" for value in values)


def test_elasticsearch(codes):
    agrees("elasticsearch_mapping.json", lines([elasticsearch.mapping(24)]))
    agrees("elasticsearch_bulk.ndjson", lines(elasticsearch.bulk("items", codes, ids=["a", "b", "c", "d"])))
    requests = [elasticsearch.nearest(codes[0], 3), elasticsearch.nearest_weighted(codes[0], WEIGHTS, 3)]
    agrees("elasticsearch_search.ndjson", lines(requests))


def test_opensearch(codes):
    agrees("opensearch_mapping.json", lines([opensearch.mapping(24)]))
    agrees("opensearch_bulk.ndjson", lines(opensearch.bulk("items", codes)))
    agrees("opensearch_search.ndjson", lines([opensearch.nearest(codes[0], 3)]))


def test_vespa(codes):
    agrees("vespa_items.sd", vespa.schema("items", 24))
    agrees("vespa_feed.ndjson", lines(vespa.feed("shop", "items", codes)))
    requests = [
        vespa.nearest("items", codes[0], 3),
        vespa.nearest_weighted("items", codes[0], WEIGHTS, 3),
        vespa.nearest_weighted("items", codes[0], WEIGHTS, 3, candidates=100),
    ]
    agrees("vespa_search.ndjson", lines(requests))


def test_milvus(codes, tmp_path):
    collections = [milvus.collection("items", 24), milvus.collection("items", 24, "BIN_IVF_FLAT", lists=128)]
    agrees("milvus_collection.ndjson", lines(collections))
    milvus.write_json(tmp_path / "rows.json", codes, ids=[10, 11, 12, 13])
    agrees("milvus_rows.json", (tmp_path / "rows.json").read_text(encoding="utf-8"))
    search = milvus.nearest("items", codes[0], 3)
    assert search["data"] == [bytes([0x09, 0x02, 0x80])]  # our own bytes
    assert search["limit"] == 3


def test_milvus_parquet(codes, tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    milvus.write_parquet(tmp_path / "rows.parquet", codes)
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert table.schema.field("id").type == pyarrow.int64()
    assert table.schema.field("code").type.value_type == pyarrow.uint8()
    assert table.to_pylist() == milvus.rows(codes)


def test_json_lines(codes, tmp_path):
    path = tmp_path / "bulk.ndjson"
    assert exports.write_json_lines(path, elasticsearch.bulk("items", codes)) == 8
    assert [json.loads(line) for line in path.read_text().splitlines()] == list(elasticsearch.bulk("items", codes))


@pytest.mark.parametrize("bits", [20, 64])
def test_what_the_engines_would_compute(bits):
    """The formulas of the scripts, on documents read back as these engines read them: most significant bit first."""
    codes, query, weights = tied_codes(50, bits, 3), tied_codes(1, bits, 4), some_weights(bits)
    exact = slow_distances(query, codes, weights)[0]
    texts = [line["code"] for line in list(elasticsearch.bulk("items", codes))[1::2]]
    documents = np.array([np.unpackbits(np.frombuffer(bytes.fromhex(text), dtype=np.uint8)) for text in texts])
    script = elasticsearch.nearest_weighted(query, weights, 5)["query"]["script_score"]["script"]["params"]
    scores = script["total"] - script["constant"] - documents @ np.array(script["vector"])
    np.testing.assert_allclose(script["total"] - scores, exact, atol=1e-9)
    assert scores.min() > -1e-9
    request = vespa.nearest_weighted("items", query, weights, 5)
    relevance = -(request["input.query(constant)"] + documents @ np.array(request["input.query(vector)"]))
    np.testing.assert_allclose(-relevance, exact, atol=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda codes: elasticsearch.mapping(20), "multiples of 8"),
        (lambda codes: list(opensearch.bulk("items", codes, bits=21)), "must be zero|multiples of 8"),
        (lambda codes: list(elasticsearch.bulk("items", codes, ids=["a", "a", "b", "c"])), "different"),
        (lambda codes: list(elasticsearch.bulk("items", codes, ids=["a"])), "1 ids for 4 codes"),
        (lambda codes: elasticsearch.nearest(codes, 3), "one code, got 4"),
        (lambda codes: elasticsearch.nearest_weighted(codes[0], [1.0] * 25, 3), "4 bytes each"),
        (lambda codes: elasticsearch.nearest_weighted(codes[0], [1.0] * 24, 3, field="a'b"), "cannot be used in a script"),
        (lambda codes: vespa.schema("a b", 24), "not a name"),
        (lambda codes: vespa.schema("items", 20), "multiples of 8"),
        (lambda codes: milvus.collection("items", 20), "multiples of 8"),
        (lambda codes: milvus.rows(codes, ids=[0.5, 1, 2, 3]), "whole number"),
    ],
)
def test_what_is_wrong_is_named(codes, call, message):
    with pytest.raises(ValueError, match=message):
        call(codes)


def test_signed_bytes_are_not_binary(golden_code):
    """Both are int8 of the same shape, and they mean different codes."""
    assert interop.to_signed_bytes(golden_code).tolist() != interop.to_binary(golden_code).tolist()
