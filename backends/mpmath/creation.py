"""Making arrays of mpmath's numbers, with NumPy's signatures."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from .array import Array, array_of, in_force
from .elements import numbers


class Namespace:
    """The module that makes the arrays; arrays of whole numbers are NumPy's own."""

    __name__ = "mpmath"
    __version__ = mpmath.__version__

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if isinstance(function, type) or not callable(function):
            return function

        def make(*args: Any, **kwargs: Any) -> Any:
            return in_force(function(*args, **kwargs))

        return make

    def asarray(self, a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
        """`numpy.asarray`."""
        if type(a) is not Array:
            a = np.asarray(a)
            a = in_force(a) if dtype is None else a
        if dtype is not None and np.dtype(dtype).kind in "fc":
            a = array_of(a).astype(dtype, copy=False)
        elif dtype is not None:
            a = a.astype(dtype)
        return a.copy() if copy else a

    asanyarray = asarray

    def array(
        self, object: Any, dtype: Any = None, copy: Any = True, order: Any = "K", subok: bool = False, ndmin: int = 0
    ) -> Any:
        """`numpy.array`."""
        made = self.asarray(object, dtype, copy=copy)
        return np.reshape(made, (1,) * (ndmin - made.ndim) + made.shape) if ndmin > made.ndim else made

    def arange(self, *args: Any, **kwargs: Any) -> Any:
        """`numpy.arange`: as many numbers as NumPy has, and `start + k step` in this precision."""
        made = np.arange(*args, **kwargs)
        if made.dtype.kind not in "fc":
            return in_force(made)
        given = dict(zip(("start", "stop", "step"), args, strict=False)) if len(args) > 1 or "stop" in kwargs else {}
        start, step = (kwargs.get(key, given.get(key)) for key in ("start", "step"))
        steps = np.arange(made.size) * array_of(1 if step is None else step)
        return (steps + array_of(0 if start is None else start)).astype(made.dtype)

    def full(self, shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Any:
        """`numpy.full`."""
        value = self.asarray(fill_value, dtype)
        if type(value) is not Array:
            return np.full(shape, value, dtype, order)
        return Array(numbers(np.broadcast_to(value.host, shape), value.dtype), value.dtype)


NAMESPACE = Namespace()
