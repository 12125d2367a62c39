"""Elementwise functions that CuPy lacks, or has without some of NumPy's dtypes."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..dispatch import call_of
from ..tables import UFUNCS, implements
from .ufunc_calls import written

_LOGICAL = {
    np.logical_and: cupy.logical_and,
    np.logical_or: cupy.logical_or,
    np.logical_xor: cupy.logical_xor,
    np.logical_not: cupy.logical_not,
}


def _truth(x: Any) -> Any:
    return x != 0 if getattr(x, "dtype", np.dtype(int)).kind == "c" or issubclass(type(x), complex) else x


def _of_truth(function: Any) -> Any:
    return lambda *inputs: function(*[_truth(x) for x in inputs])


for _ufunc, _function in _LOGICAL.items():
    UFUNCS[_ufunc] = _of_truth(_function)


def _of_exponentials(function: Any, of_equal: float) -> Any:
    """The logarithm of a sum of two exponentials, also of two that vanish, of which CuPy's makes NaN."""

    def call(a: Any, b: Any) -> Any:
        total = function(a, b)
        return cupy.where(cupy.equal(a, b), cupy.asarray(a, total.dtype) + total.dtype.type(of_equal), total)

    return call


UFUNCS[np.logaddexp] = _of_exponentials(cupy.logaddexp, np.log(2.0))
UFUNCS[np.logaddexp2] = _of_exponentials(cupy.logaddexp2, 1.0)


@implements(np.spacing)
def spacing(x: Any) -> Any:
    """The distance to the next number, of the sign of `x`."""
    x = cupy.asarray(x)
    if x.dtype.kind in "biu":
        x = x.astype(np.spacing.resolve_dtypes((x.dtype, None))[1])
    above = cupy.nextafter(x, cupy.copysign(cupy.asarray(np.inf, x.dtype), x)) - x
    largest = cupy.abs(x) == np.finfo(x.dtype).max
    below = x - cupy.nextafter(x, cupy.asarray(0, x.dtype))
    return cupy.where(largest, below, cupy.where(cupy.isfinite(x), above, cupy.asarray(np.nan, x.dtype)))


@implements(np.where)
def where(condition: Any, *choices: Any) -> Any:
    """`numpy.where`, whose choices may be Python's numbers, which take the dtype of the other."""
    if not choices:
        return cupy.nonzero(cupy.asarray(condition))
    x, y = choices
    condition = cupy.asarray(condition)
    condition = condition if condition.dtype == bool else condition != 0
    dtype = np.result_type(*[c.dtype if hasattr(c, "dtype") else c for c in (x, y)])
    x, y = (
        cupy.asarray(c, dtype) if isinstance(c, (list, tuple)) or hasattr(c, "dtype") else dtype.type(c) for c in (x, y)
    )
    return cupy.where(condition, x, y)


@implements(np.clip)
def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """`numpy.clip`."""
    low, high = kwargs.pop("min", a_min), kwargs.pop("max", a_max)
    made = a
    for function, bound in ((np.maximum, low), (np.minimum, high)):
        if bound is not None:
            made = call_of(function)(made, bound)
    if made is a:
        made = cupy.copy(a)
    if out is not None:
        written(np.maximum, out, made, kwargs.get("casting", "same_kind"))
    return made
