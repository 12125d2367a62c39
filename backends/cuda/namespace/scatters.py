"""`ufunc.at`: an operation in place that counts every occurrence of an index.

CuPy has atomic sums and extrema of some dtypes.  Any other is done in rounds: the first occurrences of all places at
once, then the second ones, and so on, which is the order that NumPy keeps.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..dispatch import call_of
from ..tables import method
from .ufunc_calls import refuse_cast

_ATOMIC = {
    np.add: (cupy.add, "iLlIefdQq"),
    np.maximum: (cupy.maximum, "iLlIQq"),
    np.minimum: (cupy.minimum, "iLlIQq"),
}
_LARGEST = np.iinfo(np.int64).max


@method("at")
def at(ufunc: Any, array: Any, index: Any, *values: Any) -> None:
    """`ufunc.at`."""
    values = tuple([cupy.asarray(v) for v in values])
    result = ufunc.resolve_dtypes((array.dtype, *[v.dtype for v in values], *(None,) * ufunc.nout))[-1]
    if not np.can_cast(result, array.dtype, "same_kind"):
        refuse_cast(ufunc, "same_kind", result, array.dtype)
    values = tuple([v.astype(array.dtype, copy=False) if result == array.dtype else v for v in values])
    if ufunc is np.subtract and array.dtype.kind in "fci":
        ufunc, values = np.add, (-values[0],)
    if ufunc is np.add and array.dtype.kind == "c":
        for part in ("real", "imag"):
            cupy.add.at(getattr(array, part), index, getattr(values[0], part))
    elif ufunc in _ATOMIC and array.dtype.char in _ATOMIC[ufunc][1]:
        _ATOMIC[ufunc][0].at(array, index, values[0])
    elif ufunc in _ATOMIC and array.dtype.char in "efd":
        _extreme(ufunc, array, index, values[0])
    else:
        _in_rounds(ufunc, array, index, values)


def _extreme(ufunc: Any, array: Any, index: Any, value: Any) -> None:
    """The extremum of floating-point numbers, as that of integers in the same order.

    CuPy's own rounds to single precision (`fmaxf` in its `atomicMax` of doubles), and overlooks NaN.
    """
    keys = _ordered(array, ufunc)
    _ATOMIC[ufunc][0].at(keys, index, _ordered(value, ufunc))
    array[...] = (keys ^ ((keys >> 63) & _LARGEST)).view(np.float64)


def _ordered(x: Any, ufunc: Any) -> Any:
    """The bits of numbers, those below the sign inverted for negative ones; NaN before or after all others."""
    bits = cupy.ascontiguousarray(x, np.float64).view(np.int64)
    keys = bits ^ ((bits >> 63) & _LARGEST)
    return cupy.where(cupy.isnan(x), _LARGEST if ufunc is np.maximum else -_LARGEST - 1, keys)


def _in_rounds(ufunc: Any, array: Any, index: Any, values: tuple[Any, ...]) -> None:
    places = cupy.arange(array.size).reshape(array.shape)[index]
    operands = [cupy.broadcast_to(v, places.shape).ravel() for v in values]
    places = places.ravel()
    if not places.size:
        return
    order = places.argsort()
    order = cupy.lexsort(cupy.stack([cupy.arange(places.size), places])) if places.size > 1 else order
    ordered = places[order]
    first = cupy.searchsorted(ordered, ordered, side="left")
    occurrence = cupy.arange(places.size) - first
    flat = array.ravel()
    for number in range(int(occurrence.max()) + 1):
        chosen = order[occurrence == number]
        here = places[chosen]
        flat[here] = call_of(ufunc)(flat[here], *[v[chosen] for v in operands]).astype(flat.dtype, copy=False)
    array[...] = flat.reshape(array.shape)
