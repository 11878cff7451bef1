"""The report page from Python: rows of files and fitted estimators."""

import html
import json
import re

import numpy as np
import pytest

import structhash
from conftest import ROOT
from structhash import _report

pytestmark = pytest.mark.skipif(
    not (_report.PAGE / "charts.js").exists(), reason="the wheel was built without charts: scripts/fetch_charts.sh"
)


def document(report):
    """What the page draws from."""
    text = re.search(r'<script type="application/json" id="document">(.*?)</script>', report.html, flags=re.DOTALL)
    return json.loads(text[1])


@pytest.fixture(scope="module")
def judged(trained, itq, digits):
    X, y = digits
    return structhash.report([trained, itq], X[500:], y[500:], queries=X[:100], query_labels=y[:100], name="digits")


def test_estimators(judged, trained, digits):
    X, y = digits
    found = document(judged)
    assert found["datasets"] == ["digits"] and [m["name"] for m in found["measures"]] == list(_report.MEASURES)
    assert {line["method"] for line in found["series"]} == {"structhash", "itq"}
    assert found["series"][0]["method"] == "structhash"  # the best one first
    index = structhash.Index(trained)
    index.add(X[500:])
    found_distances, ids = index.search(X[:100], k=len(X) - 500)
    distances = np.empty(found_distances.shape)
    np.put_along_axis(distances, ids, found_distances, axis=1)
    wanted = structhash.measures.evaluate(["map"], y[:100, None] == y[None, 500:], distances=distances)["map"]
    adaptive = next(i for i, line in enumerate(found["series"]) if line["distance"] == "adaptive")  # as Index searches
    searched = next(result for result in found["results"] if result["series"] == adaptive)
    assert searched["measures"]["map"]["mean"] == pytest.approx(wanted, abs=1e-5)  # the page keeps six digits


def test_a_notebook_shows_it_in_a_frame(judged, tmp_path):
    shown = judged._repr_html_()
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts allow-downloads" [^<]*></iframe>', shown)
    assert html.unescape(frame[1]) == judged.html
    judged.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == judged.html
    assert judged.html.startswith("<!doctype html>") and "http-equiv" in judged.html
    assert len(repr(judged)) < 100


ROW = {
    "dataset": "mnist",
    "method": "itq",
    "params": {},
    "bits": 64,
    "seed": 1,
    "distance": "hamming",
    "map": 0.5,
    "train_seconds": 1.0,
    "encode_seconds": 0.1,
    "version": "0.1.0",
    "config_hash": "0123456789abcdef",
}


def test_files_of_rows_beside_published_numbers(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps({**ROW, "seed": seed}) + "\n" for seed in (1, 2)))
    published = ROOT / "experiments/expected/paper.json"
    found = document(structhash.report(file, expected=published, title="Two seeds"))
    assert found["title"] == "Two seeds" and found["datasets"] == ["mnist"]
    assert found["results"][0]["measures"]["map"]["mean"] == 0.5


def test_what_is_wrong_is_named(tmp_path, itq, digits, monkeypatch):
    with pytest.raises(OSError, match="missing.jsonl"):
        structhash.report(tmp_path / "missing.jsonl")
    with pytest.raises(ValueError, match="needs X, y, queries and query_labels"):
        structhash.report(itq, digits[0])
    with pytest.raises(ValueError):
        structhash.report([])
    monkeypatch.setattr(_report, "PAGE", tmp_path)
    with pytest.raises(FileNotFoundError, match="fetch_charts"):
        structhash.report(tmp_path / "missing.jsonl")
