"""Arrays that are not NumPy's, but of a backend that NumPy's functions reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import Any

import numpy as np

from ...backends import Backend, backend_of, backends

_OF_ARRAYS = np.ndarray.__array_ufunc__


def is_on_device(x: Any) -> bool:
    """Whether an array belongs to another backend than the CPU's."""
    kind: Any = type(x)
    return _is_a_devices(kind)


@cache
def _is_a_devices(kind: type) -> bool:
    return any(backend.owns(kind) for backend in backends() if backend.device != "cpu" and not backend.is_symbolic)


def overrides_ufuncs(x: Any) -> bool:
    """Whether something else than NumPy answers a call of a ufunc with it."""
    return getattr(type(x), "__array_ufunc__", _OF_ARRAYS) is not _OF_ARRAYS


def also_on_devices(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of SciPy's that is no ufunc; arrays of a device answer it as they answer NumPy's functions, NEP 18."""

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        for x in (*args, *keywords.values()):
            if is_on_device(x):
                return x.__array_function__(function, (type(x),), args, keywords)
        return function(*args, **keywords)

    return call


def constants_like(values: Any, x: Any) -> Any:
    """A table of constants on the device of a plain array, moved there once."""
    backend = backend_of(x)
    if backend.device == "cpu":
        return values
    table = np.ascontiguousarray(values)
    return moved_constants(backend, table.tobytes(), table.dtype.str, table.shape)


@lru_cache(maxsize=512)
def moved_constants(backend: Backend, contents: bytes, dtype: str, shape: tuple[int, ...]) -> Any:
    """The table with these contents on a device."""
    return backend.namespace.asarray(np.frombuffer(contents, dtype).reshape(shape).copy())
