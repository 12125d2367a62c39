"""Making arrays on a GPU: CuPy's functions with NumPy's signatures, whose results are `Array`."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any

import cupy
import numpy as np

from ..base import DeviceError
from .array import Array
from .operands import bare, wrapped

_HELD = "?bBhHiIlLqQefdFD"
"""The types of number that CuPy has arrays of."""


class Namespace:
    """The module that makes arrays of one GPU, with NumPy's signatures.

    Handing it a NumPy array is the explicit copy onto the device.

    Parameters
    ----------
    index : int or None
        The GPU; None for the one that is current in CuPy.
    """

    __name__ = "cupy"
    __version__ = cupy.__version__

    def __init__(self, index: int | None) -> None:
        self._index = index

    def __getattr__(self, name: str) -> Any:
        function = getattr(cupy, name)
        if isinstance(function, type) or not callable(function):
            return function
        return partial(self._make, function)

    def _make(self, function: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if dtype is not None:
            kwargs["dtype"] = checked(dtype)
        with nullcontext() if self._index is None else cupy.cuda.Device(self._index):
            return wrapped(function(*_checked_arrays(args), **kwargs), Array)

    def asarray(self, a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
        """`numpy.asarray`."""
        return self._make(cupy.array, a, dtype=dtype, copy=copy or None, order=order or "K")

    asanyarray = asarray

    def array(
        self, object: Any, dtype: Any = None, copy: Any = True, order: Any = "K", subok: bool = False, ndmin: int = 0
    ) -> Any:
        """`numpy.array`."""
        return self._make(cupy.array, object, dtype=dtype, copy=copy, order=order or "K", ndmin=ndmin)

    def zeros(self, shape: Any, dtype: Any = float, order: Any = "C") -> Any:
        """`numpy.zeros`."""
        return self._make(cupy.zeros, shape, dtype=dtype, order=order)

    def ones(self, shape: Any, dtype: Any = None, order: Any = "C") -> Any:
        """`numpy.ones`."""
        return self._make(cupy.ones, shape, dtype=dtype or float, order=order)

    def empty(self, shape: Any, dtype: Any = float, order: Any = "C") -> Any:
        """`numpy.empty`."""
        return self._make(cupy.empty, shape, dtype=dtype, order=order)

    def full(self, shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Any:
        """`numpy.full`."""
        if dtype is None and not hasattr(fill_value, "dtype"):
            dtype = np.asarray(fill_value).dtype
        return self._make(cupy.full, shape, fill_value, dtype=dtype, order=order)


def checked(dtype: Any) -> Any:
    """A dtype that a GPU has; `DeviceError` for the others."""
    dtype = np.dtype(dtype)
    if dtype.char not in _HELD:
        raise DeviceError(
            f"CUDA has no arrays of dtype {dtype}: the widest are float64 and complex128. Keep this one on the CPU, or "
            "convert it first, x.astype(float)."
        )
    return dtype


def _checked_arrays(args: tuple[Any, ...]) -> list[Any]:
    for x in args:
        if issubclass(type(x), np.ndarray):
            checked(x.dtype)
    return [x if issubclass(type(x), np.ndarray) else bare(x) for x in args]
