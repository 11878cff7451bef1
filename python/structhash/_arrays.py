"""Converts the arguments of callers to arrays of the library, without a copy where possible."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

FloatRows = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]
Ids = npt.NDArray[np.int64]


def is_plain(x: Any, dtype: type, columns: int) -> bool:
    """Whether the library can use the rows without a copy."""
    return (
        type(x) is np.ndarray
        and x.dtype == dtype
        and x.ndim == 2
        and x.shape[1] == columns
        and x.flags.c_contiguous
        and x.flags.aligned
    )


def host_array(x: Any, name: str = "X") -> Any:
    """A tensor of another library as a NumPy array, sharing memory where DLPack can; anything else unchanged."""
    if isinstance(x, np.ndarray) or not hasattr(x, "__dlpack__"):
        return x
    try:
        return np.from_dlpack(x)
    except Exception as error:  # every library has its own exceptions
        try:
            return x.__array__()
        except Exception:
            raise ValueError(
                f"{name} is a {type(x).__name__} that NumPy cannot read ({error}); give a tensor of plain numbers on "
                f"the CPU, without gradient: for torch {name}.detach().cpu().float()"
            ) from error


def float_rows(x: Any, name: str = "X") -> FloatRows:
    """A C-contiguous float32 matrix; no copy if x is one."""
    if hasattr(x, "tocoo"):
        raise ValueError(f"{name} is a sparse matrix; the features must be dense: pass {name}.toarray()")
    rows = np.require(np.asarray(host_array(x, name), dtype=np.float32), requirements=["C", "A"])
    if rows.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, one row per vector, got {rows.ndim}")
    return rows


def packed_codes(codes: Any, name: str = "codes") -> Codes:
    """Packed codes, one per row. Other types are refused: their bit order is unknown."""
    rows = np.asarray(host_array(codes, name))
    if rows.dtype != np.uint8:
        raise ValueError(
            f"{name} must be packed uint8, least significant bit first, got {rows.dtype}: "
            "pack bits with numpy.packbits(bits, axis=1, bitorder='little')"
        )
    if rows.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, one row per code, got {rows.ndim}")
    return np.ascontiguousarray(rows)


def whole_numbers(values: Any, name: str = "ids") -> Ids:
    """One-dimensional int64."""
    numbers = np.asarray(host_array(values, name))
    if numbers.size == 0:
        return np.empty(0, dtype=np.int64)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of whole numbers, got {numbers.ndim} dimensions of {numbers.dtype}")
    if numbers.dtype.kind == "u" and numbers.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} must be below 2^63, got {numbers.max()}")
    return np.require(numbers.astype(np.int64, copy=False), requirements=["C", "A"])


def thread_count(n_jobs: int | None) -> int:
    """scikit-learn's n_jobs as threads: None is 1, -1 all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; -1 means all processors, None means one thread")
    if n_jobs > 0:
        return int(n_jobs)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable + 1 + int(n_jobs))


def class_numbers(*label_sets: Any) -> list[npt.NDArray[np.int32]]:
    """Labels of any type as class numbers; equal labels get the same number in all sets."""
    sets = [np.asarray(labels) for labels in label_sets]
    _, numbers = np.unique(np.concatenate(sets), return_inverse=True)
    cuts = np.cumsum([len(labels) for labels in sets])[:-1]
    return np.split(numbers.ravel().astype(np.int32), cuts)


def multi_labels(labels: Any, name: str = "y") -> npt.NDArray[np.uint8]:
    """A 0/1 matrix with one column per label, from an array or a scipy sparse matrix."""
    if hasattr(labels, "tocoo"):
        entries = labels.tocsr().tocoo()  # adds up repeated entries
        matrix = np.zeros(labels.shape, dtype=np.uint8)
        matrix[entries.row, entries.col] = np.where(np.isin(entries.data, (0, 1)), entries.data, 2)
    else:
        matrix = np.asarray(labels)
    if matrix.dtype.kind not in "biuf" or not np.isin(matrix, (0, 1)).all():
        raise ValueError(f"{name} with several columns must be a 0/1 matrix, one column per label")
    return np.ascontiguousarray(matrix, dtype=np.uint8)
