"""Parameters of the estimators: names, types, defaults and help, from the option table of the C++ library.

A method is a row of ``_core.methods()``, where defaults are texts, or of ``structhash methods --json``.
scripts/generate_estimators.py writes the signatures of estimators.py from them; ``help`` shows them at run time.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple

_WIDTH = 100
_TYPES = {"integer": "int", "number": "float", "flag": "bool", "choice": "str", "text": "str"}
_TRAINED_ON = {
    "none": "Trains on the features alone; ``y`` is ignored.",
    "labels": "Trains on labels: ``fit(X, y)``.",
    "lists": "Trains on rankings, made from labels or relevance: ``fit(X, y)`` or ``fit(X, relevance=...)``.",
}


class Parameter(NamedTuple):
    """A keyword argument of an estimator."""

    name: str
    type: str  # of the signature: "float | None"
    default: Any
    help: str


_LISTS = (
    Parameter("relevant", "int", 50, "Max relevant items per query in a training list."),
    Parameter("irrelevant", "int", 50, "Max irrelevant items per query in a training list."),
)
_COMMON = (
    Parameter("random_state", "Any", 1, "Seed. The same int gives the same model, byte for byte, for any ``n_jobs``."),
    Parameter("n_jobs", "int | None", None, "Number of threads. None: 1. -1: all processors."),
    Parameter(
        "verbose",
        "int",
        0,
        "1: show progress: a bar in terminals and notebooks, else lines, in the log named structhash if it is on.",
    ),
)
# Not options of a method: the estimator handles them itself.
OWN_PARAMETERS = frozenset(parameter.name for parameter in (*_LISTS, *_COMMON))
# A method that needs fewer bits than training rows chooses the number by default.
_CHOSEN_BITS = Parameter("bits", "int | None", None, "Length of the codes. None: 64, or rows - 1 if that is less.")


def parameters(method: Mapping[str, Any]) -> list[Parameter]:
    """All keyword arguments of the method's class, in the order of its signature."""
    options = [_of_option(option) for option in method["options"]]
    if method["name"] == "sths":
        options = [_CHOSEN_BITS if option.name == "bits" else option for option in options]
    options.sort(key=lambda option: option.name != "bits")  # bits may be given by position: it comes first
    return [*options, *(_LISTS if method["supervision"] == "lists" else ()), *_COMMON]


def docstring(summary: str, method: Mapping[str, Any]) -> str:
    """The text that ``help`` shows for the method's class."""
    trained_on = _TRAINED_ON[method["supervision"]]
    if method.get("multi_labels"):
        trained_on += " ``y`` holds one class per row, or is a 0/1 matrix with one column per label."
    if any(option["default"] == "auto" for option in method["options"]):
        trained_on += " An option that is None is chosen automatically."
    entries = [_entry(parameter) for parameter in parameters(method)]
    lines = [summary, "", *textwrap.wrap(trained_on, _WIDTH), "", "Parameters", "----------", *entries]
    return "\n".join(lines) + "\n"


def option_name(parameter: str) -> str:
    """The name in the option table of a parameter in Python."""
    return parameter.replace("_", "-")


def option_text(value: Any) -> str:
    """A value of a parameter as the option table reads it."""
    value = value.item() if hasattr(value, "item") else value  # a scalar of NumPy
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_option(option: Mapping[str, Any]) -> Parameter:
    kind = _TYPES[option["type"]]
    presets = option.get("presets", {})
    automatic = option["default"] == "auto" or bool(presets)  # None: not given, so that the preset decides
    sentences = [option["help"]]
    if presets:
        others = ", ".join(f'{value} with preset "{name}"' for name, value in presets.items())
        sentences.append(f"None: {option['default']}, {others}")
    if option["type"] not in ("flag", "text"):
        sentences.append(f"Allowed: {option['allowed']}")
    if option.get("functions"):
        sentences.append("Only with functions " + " or ".join(f'"{name}"' for name in option["functions"]))
    return Parameter(
        option["name"].replace("-", "_"),
        f"{kind} | None" if automatic else kind,
        None if automatic else _default(kind, option["default"]),
        " ".join(sentence.rstrip(".") + "." for sentence in sentences),
    )


def _default(kind: str, value: Any) -> Any:
    if kind != "str" and isinstance(value, str):
        value = json.loads(value)
    return float(value) if kind == "float" else value


def _entry(parameter: Parameter) -> str:
    kind = parameter.type.replace(" | ", " or ").replace("Any", "int, RandomState or None")
    text = textwrap.fill(parameter.help, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{parameter.name} : {kind}, default {parameter.default!r}\n{text}"
