"""Encoders as modules of PyTorch: codes and scores where the vectors are computed, on a GPU too."""

from typing import Any, Literal

from ._linear_parts import linear_model

Precision = Literal["float64", "float32"]


def to_torch(estimator: Any, precision: Precision = "float64") -> Any:
    """The encoder of a fitted estimator, or of a Model, with linear or kernel functions, as a ``torch.nn.Module``.

    The module takes a tensor x (rows x features) and returns codes (uint8, rows x ceil(bits / 8), least significant bit
    first, as ``transform`` gives them) and scores (float32, rows x bits, as ``decision_function``).

    Parameters
    ----------
    estimator : fitted estimator or Model
    precision : {"float64", "float32"}, default "float64"
        Of the sums in the module. In float64 bits may differ from those of ``transform`` only where a score is within
        rounding of 0. float32 is for devices without float64, and faster on a GPU; more bits differ.
    """
    try:
        import torch

        from .._torch_encoder import TorchEncoder
    except ImportError as error:
        raise ImportError("to_torch needs PyTorch: pip install torch") from error
    model = linear_model(estimator, "to_torch", "put the steps before it into your own module")
    if precision not in ("float64", "float32"):
        raise ValueError(f"precision must be float64 or float32, got {precision!r}")
    dtype = getattr(torch, precision)
    directions, offsets = (torch.tensor(part, dtype=dtype) for part in (model.directions, model.offsets))
    if model.anchors is None:
        return TorchEncoder(directions, offsets)
    return TorchEncoder(directions, offsets, torch.tensor(model.anchors, dtype=dtype), float(model.gamma))
