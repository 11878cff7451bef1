"""What the encoders written for other programs have in common."""

from typing import Any


def linear_model(estimator: Any, function: str, steps_before: str) -> Any:
    """The model of a fitted estimator, or the Model itself; an error unless its functions are linear or kernel.

    function : name of the caller, for messages; steps_before : what to do with the earlier steps of a Pipeline.
    """
    model = getattr(estimator, "model_", estimator)
    if not hasattr(model, "directions"):
        raise TypeError(
            f"{function} needs a fitted estimator or a Model, got {estimator!r:.100}; of a Pipeline give the last "
            f"step, and {steps_before}"
        )
    if model.directions is None:
        raise ValueError(
            f"{function} works for linear and kernel functions only; this model has {model.functions} functions"
        )
    if model.projection is not None:
        raise ValueError(f"{function} does not work for models of sparse features; fit on dense features")
    return model
