"""Elements chosen, written or put in places: modes, conditions and choices that CuPy takes only as arrays."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..operands import listed
from ..tables import implements
from .borrowed import borrowed
from .reductions import placed


def in_range(indices: Any, size: int, mode: str) -> Any:
    """Indices in the range of an axis; those outside raise, which takes a look at them."""
    if mode == "wrap":
        return indices % size
    if mode == "clip":
        return cupy.clip(indices, 0, size - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    return indices


@implements(np.take)
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    """`numpy.take`."""
    a = cupy.asarray(a)
    if not hasattr(indices, "dtype"):
        indices = listed(indices, np.intp)
    a, axis = (a.ravel(), 0) if axis is None else (a, normalize_axis_index(axis, a.ndim))
    return placed(out, cupy.take(a, in_range(indices, a.shape[axis], mode), axis))


@implements(np.choose)
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """`numpy.choose`."""
    which = listed(a)
    arrays = cupy.broadcast_arrays(which, *[listed(x) for x in choices])
    stacked = cupy.stack(arrays[1:])
    if mode == "raise" and bool(((which < 0) | (which >= len(stacked))).any()):
        raise ValueError("invalid entry in choice array")
    positions = in_range(arrays[0], len(stacked), mode)
    return placed(out, cupy.take_along_axis(stacked, positions[None], 0)[0])


@implements(np.compress)
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """`numpy.compress`."""
    condition = listed(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, cupy.flatnonzero(condition), axis, out)


@implements(np.extract)
def extract(condition: Any, arr: Any) -> Any:
    """`numpy.extract`."""
    return take(arr, cupy.flatnonzero(listed(condition)))


@implements(np.copyto)
def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """`numpy.copyto`."""
    src = listed(src) if isinstance(src, (list, tuple)) else src
    cupy.copyto(dst, src, casting, None if where is True else listed(where))


@implements(np.putmask)
def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """`numpy.putmask`."""
    mask, values = listed(mask), listed(values).ravel()
    if mask.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    if values.size:
        spread = values[cupy.arange(a.size) % values.size].reshape(a.shape)
        a[...] = cupy.where(mask.reshape(a.shape), spread.astype(a.dtype, copy=False), a)


@implements(np.place)
def place(arr: Any, mask: Any, vals: Any) -> None:
    """`numpy.place`."""
    mask, vals = listed(mask), listed(vals).ravel()
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    which = cupy.flatnonzero(mask)
    if not vals.size and which.size:
        raise ValueError("Cannot insert from an empty array!")
    if which.size:
        arr[cupy.unravel_index(which, arr.shape)] = vals[cupy.arange(which.size) % vals.size]


@implements(np.put)
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """`numpy.put`, of which the last value for a place stays."""
    ind, v = listed(ind).astype(np.intp).ravel(), listed(v).ravel()
    if ind.size and v.size:
        from ..indexing import distinct_values

        positions = in_range(ind, a.size, mode) % a.size
        spread = v[cupy.arange(ind.size) % v.size]
        last = distinct_values((a.size,), positions, spread)
        a[cupy.unravel_index(positions, a.shape)] = last


@implements(np.repeat)
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """`numpy.repeat`; how many elements there are is read, where the repeats are an array."""
    a = cupy.asarray(a)
    if isinstance(repeats, (int, np.integer)):
        return cupy.repeat(a, int(repeats), axis)
    a, axis = (a.ravel(), 0) if axis is None else (a, normalize_axis_index(axis, a.ndim))
    counts = cupy.broadcast_to(listed(repeats), (a.shape[axis],))
    ends = cupy.cumsum(counts)
    total = int(ends[-1]) if ends.size else 0
    return cupy.take(a, cupy.searchsorted(ends, cupy.arange(total), side="right"), axis)


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """`numpy.pad`."""
    array = cupy.asarray(array)
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * array.ndim
        for axis, width in pad_width.items():
            pairs[axis] = width if isinstance(width, tuple) else (width, width)
        pad_width = pairs
    literal = not any(hasattr(value, "dtype") for value in kwargs.values())
    if mode in ("constant", "edge", "reflect", "symmetric", "wrap") and literal:
        return cupy.pad(array, pad_width, mode, **kwargs)
    return borrowed(np.pad)(array, pad_width, mode, **kwargs)


@implements(np.piecewise)
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kwargs: Any) -> Any:
    """`numpy.piecewise`."""
    x = cupy.asarray(x)
    alone = (hasattr(condlist, "dtype") and condlist.ndim <= 1 and x.ndim != 0) or isinstance(condlist, bool)
    conditions = [cupy.asarray(c) != 0 for c in ([condlist] if alone else condlist)]
    return borrowed(np.piecewise)(x, conditions, funclist, *args, **kwargs)


@implements(np.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """`numpy.interp`."""
    return cupy.interp(cupy.asarray(x), cupy.asarray(xp), cupy.asarray(fp), left, right, period)


@implements(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    """`numpy.polyval`."""
    p, x = cupy.asarray(p), cupy.asarray(x)
    made = cupy.zeros_like(x, dtype=np.result_type(p.dtype, x.dtype))
    for coefficient in p:
        made = made * x + coefficient
    return made


@implements(np.polymul)
def polymul(a1: Any, a2: Any) -> Any:
    """`numpy.polymul`."""
    a1, a2 = (cupy.atleast_1d(cupy.asarray(a)) for a in (a1, a2))
    return cupy.convolve(*(cupy.trim_zeros(a, "f") if a.size > 1 else a for a in (a1, a2)))
