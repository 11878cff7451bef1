"""scikit-learn's own checks, for every method."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from structhash import _core
from structhash._estimator import method_classes

CLASSES = method_classes()


def test_every_method_of_the_table_has_a_class():
    table = {line["name"]: line["supervision"] for line in _core.methods()}
    assert {kind._method: kind._supervision for kind in CLASSES} == table


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore")
def test_check_estimator_passes_without_exception(kind):
    results = check_estimator(kind(), on_fail="raise", on_skip=None)
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
        training_set.lists_from_labels(50, 50, 1, 1)
    assert _core.fit(training_set, kind._method, 16, "", "", {}, 1, 1, None) == hasher.model_


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_parameter_is_documented(kind):
    documented = f"{kind.__doc__}\n{inspect.getdoc(kind.__mro__[1])}"
    for name in inspect.signature(kind).parameters:
        assert f"{name} : " in documented, name
    assert clone(kind(bits=24)).bits == 24
