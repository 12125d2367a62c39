"""Methods of backend arrays that call the NumPy function of the same name, with the keywords of NumPy's methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_AS_FUNCTIONS = (
    *("all", "any", "argmax", "argmin", "argsort", "choose", "clip", "cumprod", "cumsum", "diagonal", "dot", "max"),
    *("mean", "min", "nonzero", "prod", "put", "repeat", "round", "searchsorted", "squeeze", "std", "sum", "swapaxes"),
    *("take", "trace", "var"),
)
"""Methods whose arguments are those of the function, after the array."""


class ArrayMethods:
    """The methods that are the same for every backend."""

    __slots__ = ()
    dtype: Any

    def conj(self: Any) -> Any:
        """`numpy.ndarray.conj`."""
        return np.conjugate(self) if self.dtype.kind == "c" else self

    conjugate = conj

    def compress(self: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
        """`numpy.ndarray.compress`."""
        return np.compress(condition, self, axis, out)

    def ravel(self: Any, order: Any = "C") -> Any:
        """`numpy.ndarray.ravel`."""
        return np.ravel(self, order)

    def reshape(self: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
        """`numpy.ndarray.reshape`."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, order=order, copy=copy)

    def transpose(self: Any, *axes: Any) -> Any:
        """`numpy.ndarray.transpose`."""
        order = axes[0] if len(axes) == 1 else axes or None
        return np.transpose(self, order)

    def sort(self: Any, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        """`numpy.ndarray.sort`, in place."""
        self[...] = np.sort(self, axis, kind, order, stable=stable)


def as_function(name: str) -> Callable[..., Any]:
    """The method that is NumPy's function of its name, of the array and the other arguments."""
    function = getattr(np, name)
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


for _name in _AS_FUNCTIONS:
    setattr(ArrayMethods, _name, as_function(_name))
