"""Signatures and docstrings: a type checker finds a misspelt argument, and every argument is documented."""

import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import structhash
from structhash import Index, datasets, measures, plot
from structhash._hasher import Hasher
from structhash._loading import method_classes
from structhash._ranker import Ranker

SCRIPT = """\
import numpy as np
import structhash
from structhash import Index, measures

X, y = np.zeros((9, 4)), np.zeros(9)
hasher = structhash.StructHash(bits=8, functions="linear", ridge="auto", trade_off=None).fit(X, y, sample_weight=y)
structhash.KSH(random_state=np.random.RandomState(1)).fit([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])
hasher.transform(X, output="bits")
index = Index(hasher, distance="hamming")
index.search(X, k=3, only=[1, 2])
measures.ndcg([[1, 0]], distances=[[1, 2]], k=1, ties="best")
structhash.evaluate(hasher, X, y, X, y, measures=["map"], distance="weighted")
structhash.StructHash(bit=8)  # wrong
structhash.StructHash(functions="cubic")  # wrong
structhash.StructHash(trade_off="much")  # wrong
structhash.CGH(loss="hinged")  # wrong
structhash.KSH().fit(X, y, sample_weight=y)  # wrong
hasher.fit(X, y, weights=y)  # wrong
hasher.transform(X, output="hex")  # wrong
Index(hasher, distance="cosine")  # wrong
index.search(X, k=3, engine="multi_index")  # wrong
index.to_faiss("flat", probe=3)  # wrong
measures.ndcg([[1, 0]], distance=[[1, 2]])  # wrong
structhash.evaluate(hasher, X, y, X, y, measure=["map"])  # wrong
"""


def test_a_type_checker_flags_what_is_misspelt(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    package = pathlib.Path(structhash.__file__).parent.parent
    paths = {} if package.name == "site-packages" else {"MYPYPATH": str(package)}
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--follow-imports", "silent", "script.py"],
        cwd=tmp_path,
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = [number for number, line in enumerate(SCRIPT.splitlines(), 1) if line.endswith("# wrong")]
    found = {int(number) for number in re.findall(r"^script\.py:(\d+): error", run.stdout, flags=re.MULTILINE)}
    assert sorted(found) == wrong, run.stdout + run.stderr


METHODS = [
    getattr(kind, name)
    for kind, names in {
        Hasher: ["fit", "transform", "decision_function", "score", "save", "load", "to_onnx", "to_torch"],
        Ranker: ["fit"],
        Index: ["add", "upsert", "remove", "merge", "reconstruct", "prepare", "filter", "save", "load", "to_faiss"],
    }.items()
    for name in names
]
METHODS += [Index.search, Index.range_search, Index.search_asymmetric, Index]
FUNCTIONS = [getattr(measures, name) for name in measures.__all__]
FUNCTIONS += [plot.curves, plot.bit_weights, plot.strips, structhash.evaluate, structhash.load, structhash.report]
FUNCTIONS += [datasets.load_questions]


@pytest.mark.parametrize("function", METHODS + FUNCTIONS, ids=lambda function: function.__qualname__)
def test_every_argument_is_documented(function):
    documented = set()
    for line in inspect.getdoc(function).splitlines():
        names, colon, _ = line.partition(" :")
        if colon:
            documented.update(name.strip("* ") for name in names.split(","))
    arguments = set(inspect.signature(function).parameters) - {"self"}
    assert arguments <= documented, arguments - documented


@pytest.mark.parametrize("function", METHODS + FUNCTIONS, ids=lambda function: function.__qualname__)
def test_no_argument_is_left_to_guess(function):
    for parameter in inspect.signature(function).parameters.values():
        assert parameter.annotation is not parameter.empty or parameter.name == "self", parameter
        if parameter.kind is parameter.VAR_KEYWORD:
            assert parameter.annotation.startswith("Unpack["), parameter


@pytest.mark.parametrize("kind", method_classes().values(), ids=lambda kind: kind.__name__)
def test_estimators_say_type_range_and_effect_of_every_parameter(kind):
    entries = re.findall(r"^(\w+) : (.+)\n((?:    .+\n)+)", kind.__doc__, flags=re.MULTILINE)
    texts = {name: (types, text) for name, types, text in entries}
    for name, parameter in inspect.signature(kind).parameters.items():
        types, text = texts[name]
        assert types.endswith(f"default {parameter.default!r}")
        assert len(text.split()) >= 3
        if re.match(r"(int|float)", types) and name not in ("random_state", "n_jobs", "verbose", "bits"):
            assert "Allowed: " in " ".join(text.split()), name
    for name, choices in re.findall(r"(\w+): Literal\[([^]]+)\]", inspect.getsource(kind)):
        if choices != '"auto"':
            assert texts[name][0].startswith("{" + choices + "}")
