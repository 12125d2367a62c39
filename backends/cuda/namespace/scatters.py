"""`ufunc.at`: an operation in place that counts every occurrence of an index.

CuPy has atomic sums and extrema of some dtypes.  Any other is done in rounds: the first occurrences of all places at
once, then the second ones, and so on, which is the order that NumPy keeps.  Atomic sums of floating-point numbers
arrive in any order; while a level of determinism is in force, one thread a place adds in the order that NumPy keeps.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy
import numpy as np

from ....determinism import are_deterministic_algorithms_enabled
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
    if ufunc is np.add and array.dtype.kind in "fc" and are_deterministic_algorithms_enabled():
        add_in_order(array, index, values[0])
    elif ufunc is np.add and array.dtype.kind == "c":
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


@cache
def _adding() -> Any:
    return cupy.ElementwiseKernel(
        "raw int64 first, raw int64 places, int64 runs, int64 count, raw T terms",
        "raw T flat",
        """
        const long long begin = first[i], end = i + 1 < runs ? first[i + 1] : count, place = places[begin];
        T t = flat[place];
        for (long long j = begin; j < end; ++j) t = t + terms[j];
        flat[place] = t;
        """,
        "wirtinger_add_in_order",
    )


def add_in_order(array: Any, index: Any, value: Any) -> None:
    """Add to the elements at an index, to each in the order of the index."""
    order, positions, start = _by_position(array.shape, index)
    if positions.size:
        terms = cupy.broadcast_to(value, order.shape).ravel()[order.ravel()]
        first = cupy.flatnonzero(start == cupy.arange(positions.size))
        _adding()(
            first, positions, first.size, positions.size, terms.astype(array.dtype, copy=False), array, size=first.size
        )


def _by_position(shape: tuple[int, ...], index: Any) -> tuple[Any, Any, Any]:
    """How the places that an index names are sorted, in its shape; the sorted places; where the run of each begins."""
    positions = cupy.arange(int(np.prod(shape))).reshape(shape)[index]
    flat = positions.ravel()
    order = cupy.lexsort(cupy.stack([cupy.arange(flat.size), flat])) if flat.size > 1 else cupy.arange(flat.size)
    ordered = flat[order]
    return order.reshape(positions.shape), ordered, cupy.searchsorted(ordered, ordered, side="left")


def _in_rounds(ufunc: Any, array: Any, index: Any, values: tuple[Any, ...]) -> None:
    order, positions, start = _by_position(array.shape, index)
    operands = [cupy.broadcast_to(v, order.shape).ravel() for v in values]
    if not positions.size:
        return
    order, occurrence = order.ravel(), cupy.arange(positions.size) - start
    flat = array.ravel()
    for number in range(int(occurrence.max()) + 1):
        now = occurrence == number
        chosen, here = order[now], positions[now]
        flat[here] = call_of(ufunc)(flat[here], *[v[chosen] for v in operands]).astype(flat.dtype, copy=False)
    array[...] = flat.reshape(array.shape)
