"""The report: one HTML page of tables and charts, for notebooks and browsers, usable offline."""

from __future__ import annotations

import html
import json
import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _core
from ._arrays import float_rows, host_array, thread_count
from ._evaluation import labels_of_both, truth_from_labels
from ._hasher import Hasher

PAGE = pathlib.Path(__file__).with_name("page")
SCRIPTS = ("draw.js", "model.js", "texts.js", "tables.js", "time.js", "parts.js", "page.js")  # later ones use earlier ones
MEASURES = ("ndcg@100", "map", "precision@100")


class Report:
    """An HTML page: notebooks display it, ``save`` writes it, ``html`` is its text."""

    def __init__(self, text: str, height: int = 720) -> None:
        self.html = text
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page, as one self-contained file."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        # A frame separates styles and scripts of the page from those of the notebook.
        text = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{text}" sandbox="allow-scripts allow-downloads" title="Report" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<structhash.Report of {len(self.html)} characters; save(path) writes it>"


def report(
    results: Any,
    X: Any = None,
    y: Any = None,
    *,
    queries: Any = None,
    query_labels: Any = None,
    measures: Iterable[str] = MEASURES,
    expected: Any = (),
    name: str = "data",
    title: str = "StructHash results",
    charts: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
) -> Report:
    """One page of tables and charts, from result files or from fitted estimators.

    Parameters
    ----------
    results : result files of ``structhash experiment``, or fitted estimators; one or several. Estimators that differ
        only in ``random_state`` are the seeds of one line.
    X, y, queries, query_labels : for estimators: database and queries. Items with the label of the query are relevant.
    name : for estimators: the name of the data set on the page.
    measures : for estimators: the measures to compute; methods are ordered by the first one.
    expected : files of published numbers to show beside the results (docs/report.md).
    title : heading of the page.
    charts : a chart library as one script, instead of the one in the package.
    n_jobs : number of threads. None: 1. -1: all processors.
    """
    parts = _parts(charts)
    listed = [results] if isinstance(results, (str, os.PathLike, Hasher)) else list(results)
    rows = _core.ResultRows()
    hashers = [result for result in listed if isinstance(result, Hasher)]
    for path in listed:
        if not isinstance(path, Hasher):
            rows.read(os.fspath(path))
    if hashers:
        _evaluate(rows, hashers, name, (X, y, queries, query_labels), list(measures), thread_count(n_jobs))
    files = [expected] if isinstance(expected, (str, os.PathLike)) else list(expected)
    return Report(rows.page([os.fspath(path) for path in files], title, [], **parts))


def _evaluate(
    rows: _core.ResultRows, hashers: list[Hasher], name: str, data: tuple[Any, ...], measures: list[str], threads: int
) -> None:
    if any(part is None for part in data):
        raise ValueError("report of estimators needs X, y, queries and query_labels")
    X, y, queries, query_labels = (host_array(part, "X") for part in data)
    truth = truth_from_labels(*labels_of_both(query_labels, y))
    task = _core.RetrievalTask.of(name, float_rows(X), float_rows(queries, "queries"), truth)
    for hasher in hashers:
        params = json.dumps(_changed_parameters(hasher), sort_keys=True, default=str)
        seconds = getattr(hasher, "fit_seconds_", 0.0)
        rows.judge(task, hasher._fitted(), params, hasher._seed(), seconds, measures, threads)


def _changed_parameters(hasher: Hasher) -> Mapping[str, Any]:
    """The parameters that differ from their defaults; they label the lines of one method."""
    defaults = type(hasher)().get_params()
    shown_elsewhere = ("bits", "random_state", "n_jobs", "verbose")
    given = {key: value for key, value in hasher.get_params().items() if key not in shown_elsewhere}
    return {key: value for key, value in given.items() if not np.array_equal(value, defaults[key])}


def _parts(charts: str | os.PathLike[str] | None) -> dict[str, str]:
    library = PAGE / "charts.js" if charts is None else pathlib.Path(charts)
    if charts is None and not library.exists():
        raise FileNotFoundError(
            "this package was built without the chart library: run scripts/fetch_charts.sh (it needs npm) and install "
            "the package again, or give its output: report(..., charts='build/charts/charts.js')"
        )
    return {
        "html": (PAGE / "page.html").read_text(encoding="utf-8"),
        "style": (PAGE / "page.css").read_text(encoding="utf-8"),
        "charts": library.read_text(encoding="utf-8"),
        "script": "".join((PAGE / script).read_text(encoding="utf-8") for script in SCRIPTS),
    }
