"""``warm_start``: fit continues the last training to more bits, from the checkpoint that it left."""

from __future__ import annotations

import contextlib
import pathlib
import re
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from .errors import CorruptFileError

_AGAIN = "set warm_start=False to train from the start"
_OTHER_TRAINING = re.compile(r".* is the checkpoint of another training: (.*?); use the options .*", re.DOTALL)
_OTHER_VERSION = re.compile(r".* is a (checkpoint of structhash .*); finish with that version, .*", re.DOTALL)


class Training(NamedTuple):
    """The end of a training, from which the next one may continue."""

    seed: int
    bits: int
    checkpoint: bytes  # the content of its file


def last_training(estimator: Any) -> Training | None:
    """What the next ``fit`` continues from."""
    return getattr(estimator, "_training", None) if getattr(estimator, "warm_start", False) else None


@contextlib.contextmanager
def continued(estimator: Any, seed: int, bits: int) -> Iterator[str]:
    """The path of the checkpoint for a training, "" without ``warm_start``.

    The estimator keeps what a training that succeeds leaves there; no file remains.
    """
    if not getattr(estimator, "warm_start", False):
        yield ""
        estimator._training = None
        return
    last = last_training(estimator)
    if last and bits < last.bits:
        raise ValueError(
            f"bits={bits} must be at least {last.bits}, the bits of the last fit, with warm_start=True; "
            f"truncate({bits}) gives the first {bits} of them"
        )
    with tempfile.TemporaryDirectory(prefix="structhash-") as folder:
        file = pathlib.Path(folder, "checkpoint")
        if last:
            file.write_bytes(last.checkpoint)
        try:
            yield str(file)
        except CorruptFileError:
            raise
        except ValueError as error:
            raise _in_words_of_fit(error) from None
        estimator._training = Training(seed, bits, file.read_bytes())


def _in_words_of_fit(error: ValueError) -> ValueError:
    """Not of files but of the last fit: "ridge was 0.1 and is 0.2"."""
    if found := _OTHER_TRAINING.fullmatch(str(error)):
        difference = re.sub(r"^(\S+) is (.+) there and (.+) here", r"\1 was \2 and is \3", found[1])
        difference = re.sub(r"^seed ", "random_state ", difference).replace('"auto"', "None")
        return ValueError(
            f"warm_start=True continues the last training to more bits, and this is another one: {difference}; "
            f"fit with the same data and parameters, or {_AGAIN}"
        )
    if found := _OTHER_VERSION.fullmatch(str(error)):
        return ValueError(f"the last training is a {found[1]}; {_AGAIN}")
    return error
