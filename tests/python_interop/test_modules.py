"""Examples in the documentation strings run; the package is light and free of the compiled module."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from structhash import interop

MODULES = sorted(path.stem for path in Path(interop.__file__).parent.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(f"structhash.interop.{name}")
    assert module.__doc__
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0


def test_names_are_all_there():
    for name in interop.__all__:
        assert getattr(interop, name).__doc__


def test_engines_are_imported_only_when_used():
    folder = Path(interop.__file__).parent
    program = (
        "import sys, types\n"
        "package = types.ModuleType('structhash')\n"
        f"package.__path__ = [{str(folder.parent)!r}]\n"
        "sys.modules['structhash'] = package\n"
        "import structhash.interop\n"
        "heavy = {'faiss', 'usearch', 'hnswlib', 'chdb', 'pyarrow', 'sklearn', 'scipy', 'structhash._core'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == "[]"
