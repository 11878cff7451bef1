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
_TYPES = {"integer": "int", "number": "float", "flag": "bool", "text": "str"}
_AUTO = 'Literal["auto"]'
_TRAINED_ON = {
    "none": "Trains on the features alone; ``y`` is ignored.",
    "labels": "Trains on labels: ``fit(X, y)``.",
    "lists": "Trains on rankings, made from labels or relevance: ``fit(X, y)`` or ``fit(X, relevance=...)``.",
}


_ATTRIBUTES = """\
Attributes
----------
model_ : Model
    The trained model, a value: codes, weights, parameters.
bit_weights_ : float32 array of shape (bits,) or None
    What a differing bit adds to the distance. None: plain Hamming distance.
best_params_ : dict
    Parameters that were None and that training chose.
coef_, intercept_ : float32 arrays
    Of linear and kernel functions: one row and one number per bit.
anchors_, gamma_ : float32 array and float
    Of kernel functions, whose responses are ``exp(-gamma_ ||x - anchor||^2)``.
fit_seconds_ : float
    Duration of the training.
n_features_in_ : int
    Number of features.
feature_names_in_ : array of str
    Names of the columns, if X was a data frame.
"""


class Parameter(NamedTuple):
    """A keyword argument of an estimator."""

    name: str
    type: str  # of the signature: "float | None"
    default: Any
    help: str


_LISTS = (
    Parameter("relevant", "int", 50, "Max relevant items per query in a training list. Allowed: at least 1."),
    Parameter("irrelevant", "int", 50, "Max irrelevant items per query in a training list. Allowed: at least 1."),
    Parameter(
        "label_grades",
        'Literal["any", "shared", "jaccard"]',
        "shared",
        "Of y with several labels per row: what makes an item more relevant, shared labels, shared labels over labels "
        "of either row, or nothing.",
    ),
)
_COMMON = (
    Parameter(
        "sparse_components",
        "int",
        300,
        "Of sparse X: number of components that it is reduced to, without becoming dense. Allowed: at least 1.",
    ),
    Parameter(
        "random_state",
        "int | RandomState | None",
        1,
        "Seed. The same int gives the same model, byte for byte, for any ``n_jobs``.",
    ),
    Parameter("n_jobs", "int | None", None, "Number of threads. None: 1. -1: all processors."),
    Parameter(
        "verbose",
        "int",
        0,
        "1: show progress: a bar in terminals and notebooks, else lines, in the log named structhash if it is on.",
    ),
)
_WARM_START = Parameter(
    "warm_start",
    "bool",
    False,
    "``fit`` continues the last training to more ``bits``, with the same data and parameters, and ends in the bytes of "
    "a training from the start.",
)
# Not options of a method: the estimator handles them itself.
OWN_PARAMETERS = frozenset(parameter.name for parameter in (*_LISTS, _WARM_START, *_COMMON))
# A method that needs fewer bits than training rows chooses the number by default.
_CHOSEN_BITS = Parameter("bits", "int | None", None, "Length of the codes. None: 64, or rows - 1 if that is less.")


def parameters(method: Mapping[str, Any]) -> list[Parameter]:
    """All keyword arguments of the method's class, in the order of its signature."""
    options = [_of_option(option) for option in method["options"]]
    if method["name"] == "sths":
        options = [_CHOSEN_BITS if option.name == "bits" else option for option in options]
    options.sort(key=lambda option: option.name != "bits")  # bits may be given by position: it comes first
    lists = _LISTS if method["supervision"] == "lists" else ()
    warm_start = (_WARM_START,) if method["checkpoints"] else ()
    return [*options, *lists, *warm_start, *_COMMON]


def docstring(summary: str, method: Mapping[str, Any]) -> str:
    """The text that ``help`` shows for the method's class."""
    trained_on = _TRAINED_ON[method["supervision"]]
    if method.get("multi_labels"):
        trained_on += " ``y`` holds one class per row, or is a 0/1 matrix with one column per label."
    entries = [_entry(parameter) for parameter in parameters(method)]
    lines = [summary, "", *textwrap.wrap(trained_on, _WIDTH), "", "Parameters", "----------", *entries]
    return "\n".join(lines) + f"\n\n{_ATTRIBUTES}"


def option_name(parameter: str) -> str:
    """The name in the option table of a parameter in Python."""
    return parameter.replace("_", "-")


def option_text(value: Any) -> str:
    """A value of a parameter as the option table reads it."""
    value = value.item() if hasattr(value, "item") else value  # a scalar of NumPy
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_option(option: Mapping[str, Any]) -> Parameter:
    kind = _TYPES.get(option["type"]) or _choice(option["allowed"])
    presets = option.get("presets", {})
    chosen = option["default"] == "auto"
    automatic = chosen or bool(presets)  # None: not given, so that the preset decides
    sentences = [option["help"].replace(" auto ", " None ")]
    if option["type"] == "text":
        sentences.append('A name of ``structhash.measures.names()``, with a cut-off as in "ndcg@100"')
    elif option["type"] in ("integer", "number"):
        sentences.append(f"Allowed: {option['allowed']}")
    if presets:
        others = ", ".join(f'{_shown(value)} with preset "{name}"' for name, value in presets.items())
        sentences.append(f"None: {'chosen by training' if chosen else _shown(option['default'])}, {others}")
    elif chosen:
        sentences.append("None: chosen by training")
    if presets and chosen:
        sentences.append('"auto": chosen by training with any preset')
        kind += f" | {_AUTO}"
    if option.get("functions"):
        sentences.append("Only with functions " + " or ".join(f'"{name}"' for name in option["functions"]))
    return Parameter(
        option["name"].replace("-", "_"),
        f"{kind} | None" if automatic else kind,
        None if automatic else _default(kind, option["default"]),
        " ".join(sentence.rstrip(".") + "." for sentence in sentences),
    )


def _choice(allowed: str) -> str:
    """The type of the words in a text.

    >>> _choice("linear, kernel or tree")
    'Literal["linear", "kernel", "tree"]'
    """
    words = allowed.replace(" or ", ", ").split(", ")
    return f"Literal[{', '.join(json.dumps(word) for word in words)}]"


def _shown(value: Any) -> str:
    """A value of the option table as Python shows it."""
    text = str(value)
    return text.title() if text in ("true", "false") else text


def _default(kind: str, value: Any) -> Any:
    if kind in ("int", "float", "bool") and isinstance(value, str):
        value = json.loads(value)
    return float(value) if kind == "float" else value


def _entry(parameter: Parameter) -> str:
    """As numpydoc writes it: ``functions : {"linear", "kernel"} or None, default None``."""
    *kinds, last = (_kind(part) for part in parameter.type.split(" | "))
    kind = f"{', '.join(kinds)} or {last}" if kinds else last
    text = textwrap.fill(parameter.help, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{parameter.name} : {kind}, default {parameter.default!r}\n{text}"


def _kind(part: str) -> str:
    """A part of a type in words."""
    if part == _AUTO:
        return '"auto"'
    return "{" + part[len("Literal[") : -1] + "}" if part.startswith("Literal[") else part
