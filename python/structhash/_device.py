"""Where an index compares codes."""

import importlib.util
import os
import pathlib
from typing import Any

# Of the packages nvidia-cuda-nvrtc-cu12 and nvidia-cuda-nvrtc (CUDA 13 and later), the first of both if both are there:
# what it compiles, older drivers load, too.
_COMPILER = "cu*/lib/libnvrtc.so.[0-9]*"


def use_device(index: Any, device: str) -> None:
    """Tells a _core.CodeIndex its device."""
    if device != "cpu":
        _find_compiler()
        index.use_device(device)


def _find_compiler() -> None:
    """Sets STRUCTHASH_NVRTC to the compiler of a package, unless it is set."""
    spec = importlib.util.find_spec("nvidia")
    folders = [] if spec is None else spec.submodule_search_locations or []
    for folder in map(pathlib.Path, folders):
        for library in sorted(folder.glob(_COMPILER), reverse=True):
            os.environ.setdefault("STRUCTHASH_NVRTC", str(library))
