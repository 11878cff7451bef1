"""scikit-learn's own checks, and the option table of the library, for every method."""

import importlib
import importlib.util
import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import structhash
from conftest import ROOT
from structhash import _core
from structhash._loading import method_classes

CLASSES = list(method_classes().values())


def test_every_method_of_the_table_has_a_class():
    table = {row["name"]: row["supervision"] for row in _core.methods()}
    assert {kind._method: kind._supervision for kind in CLASSES} == table
    assert {kind.__name__ for kind in CLASSES} <= set(structhash.__all__)


def test_the_estimators_are_those_that_the_option_table_generates():
    script = ROOT / "scripts/generate_estimators.py"
    spec = importlib.util.spec_from_file_location("generate_estimators", script)
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    installed = inspect.getsource(importlib.import_module("structhash.estimators"))
    assert installed == generator.render(_core.methods()), "run scripts/generate_estimators.py"


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_option_of_the_library_can_be_given(kind):
    options = next(row["options"] for row in _core.methods() if row["name"] == kind._method)
    parameters = inspect.signature(kind).parameters
    for option in options:
        assert option["name"].replace("-", "_") in parameters


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore")
def test_check_estimator_passes_without_exception(kind):
    # Weights are those of queries: rows of weight 0 are still items, so that they cannot be left out.
    kinds = ("dense", "sparse")
    queries = {f"check_sample_weight_equivalence_on_{x}_data": "a row of weight 0 is still an item" for x in kinds}
    expected = queries if kind._supervision == "lists" else None
    results = check_estimator(kind(), on_fail="raise", on_skip=None, expected_failed_checks=expected)
    skipped = {result["check_name"] for result in results if result["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}  # runs only where SCIPY_ARRAY_API is set
    assert len(results) > 40


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_defaults_are_those_of_the_library(kind, digits):
    """Saying nothing and saying the defaults give the same model."""
    X, y = digits
    hasher = kind(bits=16).fit(X[:120], y[:120])
    training_set = _core.TrainingSet.of(X[:120])
    training_set.set_classes(y[:120].astype(np.int32))
    if kind._supervision == "lists":
        training_set.lists_from_labels(50, 50, 1, 1, "shared")
    assert _core.fit(training_set, kind._method, 16, {}, 1, 1, None) == hasher.model_


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_parameter_is_documented(kind):
    for name in inspect.signature(kind).parameters:
        assert f"\n{name} : " in kind.__doc__, name
    assert clone(kind(bits=24)).bits == 24
