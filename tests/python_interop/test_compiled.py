"""What needs the compiled package: the notebook, whose own assertions say what must hold, and an index of ours."""

import subprocess
import sys

import pytest

from conftest import REPOSITORY


def compiled_package() -> bool:
    program = "import structhash, structhash.interop, structhash.measures; structhash.StructHash"
    return subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, cwd="/").returncode == 0


def test_shrink_an_index():
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    if not compiled_package():
        pytest.skip("the compiled package structhash is not installed in this environment")
    notebook = nbformat.read(REPOSITORY / "notebooks" / "02_shrink_an_index.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


INDEX_PROGRAM = """
import numpy as np, structhash
codes = np.random.default_rng(1).integers(0, 256, (500, 8), dtype=np.uint8)
index = structhash.Index(bits=64)
index.add(codes, ids=np.arange(1000, 1500))
distances, ids = index.search(codes[:20], k=5)
theirs, their_ids = index.to_faiss().search(codes[:20], 5)
assert (distances == theirs).all() and (ids[:, 0] == their_ids[:, 0]).all()
"""


def test_an_index_becomes_one_of_faiss():
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    if not compiled_package():
        pytest.skip("the compiled package structhash is not installed in this environment")
    subprocess.run([sys.executable, "-c", INDEX_PROGRAM], check=True, cwd="/")
