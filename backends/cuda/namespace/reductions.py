"""Sums, products, extrema and moments along axes, with NumPy's keywords."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ..tables import FUNCTIONS, implements
from .ufunc_methods import MISSING, reduce


def _reduction(ufunc: Any) -> Any:
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = MISSING,
        initial: Any = MISSING,
        where: Any = MISSING,
    ) -> Any:
        where = True if where is MISSING else where
        return reduce(ufunc, a, axis, dtype, _pair(out), is_true(keepdims), initial, where)

    return call


def _extremum(ufunc: Any) -> Any:
    total = _reduction(ufunc)
    return lambda a, axis=None, out=None, keepdims=MISSING, initial=MISSING, where=MISSING: total(
        a, axis, None, out, keepdims, initial, where
    )


def _truth(ufunc: Any) -> Any:
    total = _reduction(ufunc)
    return lambda a, axis=None, out=None, keepdims=MISSING, *, where=MISSING: total(
        a, axis, None, out, keepdims, MISSING, where
    )


def _pair(out: Any) -> Any:
    return None if out is None else (out,)


def is_true(keepdims: Any) -> bool:
    """Whether a flag was given, and is set."""
    return keepdims is not MISSING and bool(keepdims)


FUNCTIONS[np.sum] = _reduction(np.add)
FUNCTIONS[np.prod] = _reduction(np.multiply)
FUNCTIONS[np.max] = FUNCTIONS[np.amax] = _extremum(np.maximum)
FUNCTIONS[np.min] = FUNCTIONS[np.amin] = _extremum(np.minimum)
FUNCTIONS[np.all] = _truth(np.logical_and)
FUNCTIONS[np.any] = _truth(np.logical_or)


@implements(np.ptp)
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING) -> Any:
    """`numpy.ptp`."""
    made = reduce(np.maximum, a, axis, keepdims=is_true(keepdims)) - reduce(
        np.minimum, a, axis, keepdims=is_true(keepdims)
    )
    return placed(out, made)


@implements(np.count_nonzero)
def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """`numpy.count_nonzero`."""
    return reduce(np.add, cupy.asarray(a) != 0, axis, np.intp, keepdims=keepdims)


def placed(out: Any, made: Any) -> Any:
    """A result, in `out=` where it is given."""
    if out is not None:
        out[...] = made.astype(out.dtype, copy=False)
        return out
    return made


def counted(a: Any, axis: Any, where: Any = True) -> Any:
    """How many elements each mean is of: a number, or an array where a condition chooses them."""
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    if where is True or where is MISSING:
        return int(np.prod([a.shape[i] for i in axes]))
    return reduce(np.add, cupy.broadcast_to(cupy.asarray(where), a.shape), axis, np.intp, keepdims=True)


@implements(np.mean)
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = MISSING, *, where: Any = MISSING
) -> Any:
    """`numpy.mean`."""
    a = cupy.asarray(a)
    where = True if where is MISSING else where
    half = a.dtype == np.float16 and dtype is None
    kind = dtype or ("d" if a.dtype.kind in "biu" else "f" if half else a.dtype)
    made = reduce(np.add, a, axis, kind, keepdims=True, where=where) / counted(a, axis, where)
    return placed(out, shaped(made.astype(np.float16 if half else kind, copy=False), a.ndim, axis, keepdims))


def shaped(made: Any, ndim: int, axis: Any, keepdims: Any) -> Any:
    """A result that kept the axes of its reduction, with or without them."""
    if is_true(keepdims):
        return made
    axes = tuple(range(ndim)) if axis is None else normalize_axis_tuple(axis, ndim)
    return made.reshape([n for i, n in enumerate(made.shape) if i not in axes])


@implements(np.var)
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = MISSING,
    *,
    where: Any = MISSING,
    mean: Any = MISSING,
    correction: Any = MISSING,
) -> Any:
    """`numpy.var`."""
    a = cupy.asarray(a)
    ddof = ddof if correction is MISSING else correction
    where = True if where is MISSING else where
    narrow = a.dtype
    kind = np.dtype(dtype or ("d" if a.dtype.kind in "biu" else "f" if a.dtype == np.float16 else a.dtype))
    count = counted(a, axis, where)
    a = a.astype(kind, copy=False)
    centre = reduce(np.add, a, axis, keepdims=True, where=where) / count if mean is MISSING else mean
    apart = a - centre.astype(kind, copy=False)
    squares = apart * apart if kind.kind != "c" else apart.real**2 + apart.imag**2
    total = reduce(np.add, squares, axis, keepdims=True, where=where)
    freedom = cupy.maximum(count - ddof, 0) if hasattr(count, "dtype") else max(count - ddof, 0)
    made = (total / freedom).astype(narrow if narrow == np.float16 and dtype is None else total.dtype, copy=False)
    return placed(out, shaped(made, a.ndim, axis, keepdims))


@implements(np.std)
def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, *args: Any, **kwargs: Any) -> Any:
    """`numpy.std`."""
    return placed(out, cupy.sqrt(var(a, axis, dtype, None, ddof, *args, **kwargs)))
