"""Plots: precision-recall curves, bit weights, retrieved images. Needs matplotlib (``structhash[plot]``).

Every function draws into the axes or figure it is given, or into new ones, and returns them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core, _pipeline
from ._arrays import thread_count
from ._evaluation import labels_of_both, truth_from_labels
from ._types import ArrayLike, Labels

RELEVANT, OTHER = "#2a9d5c", "#c8443c"


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("structhash.plot needs matplotlib: pip install structhash[plot]") from error
    return plt


def curve_values(hasher: Any, X: Any, y: Any, queries: Any, query_labels: Any) -> dict[str, list[float]]:
    """The data of ``curves``: precision by recall and by rank, with X as database."""
    hasher, before = _pipeline.split(hasher)
    model = hasher.model_
    return _core.curves(
        hasher._encoded(_pipeline.features(before, X)),
        hasher._encoded(_pipeline.features(before, queries)),
        model.bits,
        model.bit_weights,
        truth_from_labels(*labels_of_both(query_labels, y)),
        thread_count(hasher.n_jobs),
    )


def _named(hashers: Any) -> dict[str, Any]:
    """Names for the legend; the second estimator of a name gets a number."""
    named: dict[str, Any] = {}
    for hasher in hashers:
        last, _ = _pipeline.split(hasher)
        name = f"{type(last).__name__}, {last.model_.bits} bits"
        same = sum(other == name or other.startswith(f"{name} (") for other in named)
        named[f"{name} ({same + 1})" if same else name] = hasher
    return named


def curves(hashers: Any, X: ArrayLike, y: Labels, queries: ArrayLike, query_labels: Labels, *, axes: Any = None) -> Any:
    """Precision by recall, and precision of the top N; one line per estimator.

    Parameters
    ----------
    hashers : fitted estimator or Pipeline, several, or a dictionary of them by the name for the legend
    X, y : features and labels of the database
    queries, query_labels : features and labels of the queries
    axes : two matplotlib axes or None, default None
        None: new ones.
    """
    if axes is None:
        _, axes = _pyplot().subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    if not isinstance(hashers, Mapping):
        listed = hashers if isinstance(hashers, (list, tuple)) else [hashers]
        hashers = _named(listed)
    for name, hasher in hashers.items():
        values = curve_values(hasher, X, y, queries, query_labels)
        axes[0].plot(values["recall"], values["precision_at_recall"], label=name)
        axes[1].plot(values["ranks"], values["precision_at_rank"], label=name)
    axes[0].set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
    axes[1].set(xlabel="top N", ylabel="precision", xscale="log", ylim=(0, 1.02))
    axes[0].legend()
    return axes


def bit_weights(hasher: Any, *, ax: Any = None) -> Any:
    """The weight of every bit, in the order of training.

    Parameters
    ----------
    hasher : fitted estimator
    ax : matplotlib axes or None, default None
        None: new ones.
    """
    weights = hasher.bit_weights_
    if weights is None:
        weights = np.ones(hasher.model_.bits, dtype=np.float32)
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(8, 2.5), layout="constrained")
    ax.bar(np.arange(len(weights)), weights, width=0.9)
    ax.axhline(1.0, color="0.5", linewidth=0.8)
    ax.set(xlabel="bit", ylabel="weight", xlim=(-0.5, len(weights) - 0.5))
    return ax


def strips(query_images: Any, images: Any, ids: Any, *, relevant: Any = None, figure: Any = None) -> Any:
    """One row per query: its image, then the images of its nearest items.

    Parameters
    ----------
    query_images : sequence of arrays of shape (height, width) or (height, width, colours)
    images : the same, by id
    ids : array of shape (queries, k)
        From ``Index.search``.
    relevant : array of bool of the shape of ids, or None; default None
        Frames are green where True, red elsewhere.
    figure : matplotlib figure or None, default None
        None: a new one.
    """
    ids = np.asarray(ids)
    rows, columns = ids.shape
    if figure is None:
        figure = _pyplot().figure(figsize=(0.8 * (columns + 1.5), 0.9 * rows))
    ticks: dict[str, Any] = {"xticks": [], "yticks": []}
    gaps = {"wspace": 0.1, "hspace": 0.1}
    grid = figure.subplots(rows, columns + 1, squeeze=False, subplot_kw=ticks, gridspec_kw=gaps)
    for row in range(rows):
        _show_image(grid[row, 0], query_images[row], "black")
        for column in range(columns):
            if ids[row, column] < 0:  # fewer items than places
                grid[row, column + 1].set_axis_off()
                continue
            colour = "none" if relevant is None else (RELEVANT if relevant[row][column] else OTHER)
            _show_image(grid[row, column + 1], images[ids[row, column]], colour)
    grid[0, 0].set_title("query", fontsize="small")
    return figure


def _show_image(ax: Any, image: Any, frame: str) -> None:
    ax.imshow(image, cmap="gray_r" if np.ndim(image) == 2 else None)
    for spine in ax.spines.values():
        spine.set(edgecolor=frame, linewidth=2)
