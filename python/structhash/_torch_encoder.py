"""The encoder as a module of PyTorch; ``to_torch`` makes it. This file is imported only where PyTorch is."""

from __future__ import annotations

import torch


class TorchEncoder(torch.nn.Module):
    """Linear functions of the features, or of responses to anchors: x -> (codes, scores).

    Everything learned is a buffer: it moves with ``to(device)`` and is saved in ``state_dict()``, and optimizers leave
    it alone. Gradients of the scores flow back to x.
    """

    def __init__(
        self,
        directions: torch.Tensor,
        offsets: torch.Tensor,
        anchors: torch.Tensor | None = None,
        gamma: float | None = None,
    ) -> None:
        super().__init__()
        self.gamma = 1.0 if gamma is None else gamma
        self.register_buffer("directions", directions)
        self.register_buffer("offsets", offsets)
        self.register_buffer("anchors", anchors)
        self.register_buffer("places", 2 ** torch.arange(8, dtype=torch.uint8))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Codes (uint8, rows x ceil(bits / 8), as ``transform``) and scores (float32, as ``decision_function``)."""
        x = x.to(self.directions.dtype)
        responses = x if self.anchors is None else self._responses(x, self.anchors)
        scores = responses @ self.directions.T + self.offsets
        return self._packed(scores > 0), scores.float()

    def _responses(self, x: torch.Tensor, anchors: torch.Tensor) -> torch.Tensor:
        """exp(-gamma ||x - a||^2) for every anchor a, from ||x||^2 + ||a||^2 - 2 x . a."""
        squared = (x * x).sum(dim=1, keepdim=True) + (anchors * anchors).sum(dim=1) - 2.0 * (x @ anchors.T)
        return torch.exp(-self.gamma * squared.clamp(min=0.0))

    def _packed(self, ones: torch.Tensor) -> torch.Tensor:
        """Bit i of a code is bit i % 8 of byte i // 8."""
        whole = torch.nn.functional.pad(ones.to(torch.uint8), (0, -ones.shape[1] % 8))
        return (whole.unflatten(1, (-1, 8)) * self.places).sum(dim=2, dtype=torch.uint8)
