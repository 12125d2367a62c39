"""What may stand beside an array on a GPU, and how results become `Array`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import cupy
import numpy as np

from ..base import DeviceError

_NUMBERS = {bool, int, float, complex, str, type(None), *(np.dtype(char).type for char in "?bBhHiIlLqQefdFD")}


def refuse(x: Any, what: str) -> NoReturn:
    """Raise for a NumPy array where one of the GPU is wanted."""
    raise DeviceError(
        f"a NumPy array of shape {x.shape} was to {what}: nothing is copied between host and device silently. Copy "
        "it explicitly, wirtinger.to_device(x, 'cuda'), or the other array to the host, wirtinger.to_host(x)."
    )


def bare(x: Any) -> Any:
    """Arguments for CuPy: arrays as bare CuPy arrays, inside tuples, lists and dicts too; a NumPy array raises."""
    kind = type(x)
    if kind in _NUMBERS or kind is cupy.ndarray:
        return x
    if issubclass(kind, cupy.ndarray):
        return x.view(cupy.ndarray)
    if kind is tuple or kind is list:
        return kind([bare(item) for item in x])
    if kind is dict:
        return {key: bare(item) for key, item in x.items()}
    if issubclass(kind, np.ndarray):
        refuse(x, "meet an array on a GPU")
    return x


def listed(x: Any, dtype: Any = None) -> Any:
    """Python's numbers and lists of them, which a program wrote down, as an array on the device; arrays as they are."""
    return cupy.asarray(bare(x), dtype)


def wrapped(x: Any, kind: type) -> Any:
    """Results of CuPy as arrays of our kind, inside tuples and lists too."""
    given = type(x)
    if given is cupy.ndarray:
        return x.view(kind)
    if given is tuple or given is list:
        return given([wrapped(item, kind) for item in x])
    if issubclass(given, tuple) and hasattr(given, "_fields"):
        return given(*[wrapped(item, kind) for item in x])
    return x


def giving(kind: type, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of CuPy as one that takes and gives arrays of our kind."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return wrapped(function(*bare(args), **bare(kwargs)), kind)

    return call
