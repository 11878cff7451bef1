"""Plots draw what was asked for."""

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from structhash import ITQ, plot


def test_curves(trained, itq, digits):
    X, y = digits
    axes = plot.curves({"learned": trained, "itq": itq}, X[300:], y[300:], X[:100], y[:100])
    assert [line.get_label() for line in axes[0].lines] == ["learned", "itq"]
    values = axes[0].lines[0].get_ydata()
    assert len(values) == 20 and np.all((0 <= values) & (values <= 1))
    assert len(plot.curves(itq, X[300:], y[300:], X[:50], y[:50])[1].lines) == 1
    twice = plot.curves([itq, itq], X[300:], y[300:], X[:50], y[:50])
    assert [line.get_label() for line in twice[0].lines] == ["ITQ, 32 bits", "ITQ, 32 bits (2)"]
    scaled = make_pipeline(StandardScaler(), ITQ(bits=16)).fit(X[:300])
    line = plot.curves([scaled], X[300:], y[300:], X[:50], y[:50])[0].lines[0]
    scale = scaled[0].transform
    by_hand = plot.curves(scaled[-1], scale(X[300:]), y[300:], scale(X[:50]), y[:50])
    assert line.get_label() == "ITQ, 16 bits"
    assert np.array_equal(line.get_ydata(), by_hand[0].lines[0].get_ydata())


def test_bit_weights(trained, itq):
    heights = [bar.get_height() for bar in plot.bit_weights(trained).patches]
    assert np.allclose(heights, trained.bit_weights_)
    assert len(plot.bit_weights(itq).patches) == 32


def test_strips(digits):
    images = digits[0].reshape(-1, 8, 8)
    ids = np.array([[0, 1, 2], [5, 6, -1]])
    figure = plot.strips(images[:2], images, ids, relevant=ids == 0)
    assert len(figure.axes) == 8
