"""`Array`: CuPy's array with NumPy's semantics, the type of all arrays created on a GPU.

It is a `cupy.ndarray`, so CuPy's functions and kernels accept it, and any CuPy array can be viewed as one without a
copy.  NumPy's two protocols look up the implementation of a call in `tables` first, then among CuPy's functions.
NumPy arrays are refused as operands, as values to write and as indices: nothing is copied between host and device
implicitly.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import cupy
import numpy as np

from ..base import DeviceError
from ..operators import Operators
from .dispatch import apply_function, apply_ufunc
from .flat import Flat
from .indexing import bare_index, distinct_values, may_repeat
from .methods import Methods
from .operands import bare, refuse, wrapped


class Array(Operators, Methods, cupy.ndarray):  # type: ignore[misc]
    """An array on a GPU."""

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return apply_ufunc(Array, ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        return apply_function(Array, function, types, args, kwargs)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise DeviceError(
            "an array on a GPU was about to become a NumPy array, which nothing does silently. Copy it explicitly: "
            "wirtinger.to_host(x)."
        )

    def __array_namespace__(self, *, api_version: Any = None) -> Any:
        np.empty(0).__array_namespace__(api_version=api_version)  # which raises for a version that NumPy has not
        return sys.modules[__package__.split(".")[0]]

    # reading and writing

    def __getitem__(self, index: Any) -> Any:
        return wrapped(super().__getitem__(bare_index(index)), Array)

    def __setitem__(self, index: Any, value: Any) -> None:
        index = bare_index(index)
        if issubclass(type(value), np.ndarray):
            refuse(value, "be written into an array on a GPU")
        value = cupy.asarray(bare(value)) if isinstance(value, (list, tuple)) else bare(value)
        if may_repeat(index):
            value = distinct_values(self.shape, index, value)
        super().__setitem__(index, value)

    @property
    def flat(self) -> Flat:
        """The elements in one row."""
        return Flat(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        Flat(self)[:] = values

    def __index__(self) -> int:
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self)

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(self == item))

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))
