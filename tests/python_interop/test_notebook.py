"""The notebook runs from top to bottom; its own assertions say what must hold."""

import subprocess
import sys

import pytest

from conftest import REPOSITORY


def test_shrink_an_index():
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    program = "import structhash, structhash.interop, structhash.measures; structhash.StructHash"
    if subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, cwd="/").returncode != 0:
        pytest.skip("the compiled package structhash is not installed in this environment")
    notebook = nbformat.read(REPOSITORY / "notebooks" / "02_shrink_an_index.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
