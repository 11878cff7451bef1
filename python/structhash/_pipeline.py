"""Estimators inside a Pipeline or a search of parameters: the fitted hasher, and the features that reach it."""

from __future__ import annotations

from typing import Any


def split(estimator: Any) -> tuple[Any, list[Any]]:
    """The last step of a fitted Pipeline (or of the best estimator of a search), and the steps before it."""
    while hasattr(estimator, "best_estimator_"):
        estimator = estimator.best_estimator_
    if not hasattr(estimator, "steps"):
        return estimator, []
    hasher, before = split(estimator.steps[-1][1])
    steps = [step for _, step in estimator.steps[:-1] if step not in (None, "passthrough")]
    return hasher, [*steps, *before]


def features(steps: list[Any], X: Any) -> Any:
    """X after the steps before the hasher."""
    for step in steps:
        X = step.transform(X)
    return X
