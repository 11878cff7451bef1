"""What the documents say is run: docstrings, the README, docs/python.md and the notebook."""

import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import structhash
from conftest import ROOT

MODULES = ["structhash"] + [f"structhash.{module.name}" for module in pkgutil.iter_modules(structhash.__path__)]
# Pages are made with a chart library that is not there where there was no npm.
WITH_CHARTS = pathlib.Path(structhash.__path__[0], "page", "charts.js").exists()
MODULES = [name for name in MODULES if not name.endswith(("._core", ".interop", "._torch_encoder"))]  # needs PyTorch


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("page", "least"), [("README.md", 1), ("docs/python.md", 5)])
def test_pieces_of_a_page(tmp_path, monkeypatch, page, least):
    """The pieces of a page, one after the other, in one session."""
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    pieces = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)
    assert len(pieces) >= least
    for piece in pieces:
        if "structhash.report(" in piece and not WITH_CHARTS:
            continue
        exec(compile(piece, page, "exec"), names)  # noqa: S102  (our own pages)


def assert_has_results(notebook):
    """Committed as it was run: numbered cells, pictures, no errors and no warnings."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 2
    assert all(output.output_type != "error" and output.get("name") != "stderr" for output in outputs)


@pytest.mark.parametrize("name", ["01_quickstart", "02_shrink_an_index"])
def test_notebooks_show_their_results(name):
    nbformat = pytest.importorskip("nbformat")
    assert_has_results(nbformat.read(ROOT / f"notebooks/{name}.ipynb", as_version=4))


def test_quickstart_notebook(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "notebooks/01_quickstart.ipynb", as_version=4)
    if not WITH_CHARTS:
        notebook.cells = [cell for cell in notebook.cells if "structhash.report(" not in cell.source]
    client.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_type_stubs_are_installed():
    folder = pathlib.Path(structhash.__path__[0])
    assert (folder / "py.typed").exists()
    assert "class CodeIndex" in (folder / "_core.pyi").read_text()
