"""Reductions that leave NaN out: NaN becomes what is neutral, and is not counted."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..tables import FUNCTIONS, implements
from .reductions import counted, is_true, placed, shaped, var
from .ufunc_methods import MISSING, reduce


def _numbers(a: Any) -> Any:
    return cupy.ones(a.shape, bool) if a.dtype.kind in "biu" else ~cupy.isnan(a)


def _both(a: Any, where: Any) -> Any:
    """Where a condition holds and there is a number."""
    numbers = _numbers(a)
    return numbers if where is MISSING or where is True else numbers & cupy.asarray(where)


def _sum(ufunc: Any, neutral: int) -> Any:
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = MISSING,
        initial: Any = MISSING,
        where: Any = MISSING,
    ) -> Any:
        a = cupy.asarray(a)
        a = cupy.where(_numbers(a), a, a.dtype.type(neutral))
        where = True if where is MISSING else where
        return placed(out, reduce(ufunc, a, axis, dtype, None, is_true(keepdims), initial, where))

    return call


FUNCTIONS[np.nansum] = _sum(np.add, 0)
FUNCTIONS[np.nanprod] = _sum(np.multiply, 1)


def _extremum(ufunc: Any) -> Any:
    def call(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING, initial: Any = MISSING, where: Any = MISSING
    ) -> Any:
        where = True if where is MISSING else where
        return placed(out, reduce(ufunc, a, axis, None, None, is_true(keepdims), initial, where))

    return call


FUNCTIONS[np.nanmax] = _extremum(np.fmax)
FUNCTIONS[np.nanmin] = _extremum(np.fmin)


@implements(np.nanmean)
def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = MISSING, *, where: Any = MISSING
) -> Any:
    """`numpy.nanmean`."""
    a = cupy.asarray(a)
    chosen = _both(a, where)
    kind = dtype or ("d" if a.dtype.kind in "biu" else a.dtype)
    made = reduce(np.add, a, axis, kind, keepdims=True, where=chosen) / counted(a, axis, chosen)
    return placed(out, shaped(made.astype(kind, copy=False), a.ndim, axis, keepdims))


@implements(np.nanvar)
def nanvar(
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
    """`numpy.nanvar`; NaN where no degree of freedom is left."""
    a = cupy.asarray(a)
    chosen = _both(a, where)
    ddof = ddof if correction is MISSING else correction
    made = var(a, axis, dtype, None, ddof, True, where=chosen, mean=mean)
    made = cupy.where(counted(a, axis, chosen) > ddof, made, made.dtype.type(np.nan))
    return placed(out, shaped(made, a.ndim, axis, keepdims))


@implements(np.nanstd)
def nanstd(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`numpy.nanstd`."""
    return placed(out, cupy.sqrt(nanvar(a, axis, dtype, None, *args, **kwargs)))
