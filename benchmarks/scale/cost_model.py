"""seconds = fixed + each x items, fitted to all but the largest of a doubling series and compared with the largest."""

import numpy as np


def fitted(items, seconds):
    """Least squares: what is fixed, and what each item costs."""
    each, fixed = np.polyfit(np.asarray(items, dtype=float), np.asarray(seconds, dtype=float), 1)
    return fixed, each


def print_series(name, items, seconds, wanted):
    """A doubling series, its prediction of the largest size, and predictions for the wanted sizes."""
    fixed, each = fitted(items[:-1], seconds[:-1])
    predicted = fixed + each * items[-1]
    measured = ", ".join(f"{count / 1e6:g}M {time:.3g} s" for count, time in zip(items, seconds, strict=True))
    print(f"\n{name}: {measured}")
    error = predicted / seconds[-1] - 1
    print(
        f"  fitted to all but the last: {fixed:.3g} s + {each * 1e9:.3g} ns x items; predicts {predicted:.3g} s ({error:+.0%})"
    )
    fixed, each = fitted(items, seconds)
    print("  predictions: " + ", ".join(f"{count:.0e} {fixed + each * count:.3g} s" for count in wanted))
