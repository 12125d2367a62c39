"""The methods of ufuncs that combine the elements of one array: `reduce`, `accumulate`, `reduceat`.

If NumPy has a function for it (`add.reduce` is `sum`), that is used.  Any other ufunc of two arguments with a rule is
applied step by step, which is the definition of its methods; so all of them can be differentiated, to any order.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ....determinism.flag import IN_FORCE
from ...array.views import getitem, scatter
from ...engine.dispatch import entry_of, lowered, name_of
from ...engine.errors import NotDifferentiableError
from ...engine.hooks import UFUNC_METHODS
from ...engine.opaque import is_on_host
from ...engine.operands import all_items, arange_like, asarray_like
from ...engine.primitive import linear, primitive
from ...engine.trace import UFUNCS
from ...engine.traced import raw
from ..elementwise.exponentials import EXPONENTIALS, difference
from ..elementwise.piecewise_constant import FLAT
from ..shape.arranging import shape_along

_FUNCTIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: np.sum,
    np.multiply: np.prod,
    np.maximum: np.max,
    np.minimum: np.min,
    np.fmax: np.nanmax,
    np.fmin: np.nanmin,
}

_CUMULATIVE: dict[np.ufunc, Callable[..., Any]] = {np.add: np.cumsum, np.multiply: np.cumprod}

RUNNING: dict[np.ufunc, Callable[..., Any]] = {}
"""Functions `(a, axis)` that do the same in passes over the whole array, and take less time along a long axis."""


def _check(ufunc: np.ufunc, method: str) -> None:
    if ufunc.nin != 2 or ufunc.nout != 1 or ufunc.signature is not None:
        raise ValueError(f"{method} needs a function of two arguments and one result, which {ufunc.__name__} is not")
    if entry_of(ufunc, UFUNCS) is None:
        raise NotDifferentiableError(f"{name_of(ufunc)}.{method}", "wirtinger has no rule for this ufunc")


def _is_flat(ufunc: np.ufunc, dtype: Any) -> bool:
    """Whether the result has the derivative 0: integers and truth values are NumPy's."""
    return ufunc in FLAT or (dtype is not None and np.dtype(dtype).kind in "iub")


def _reduce(
    ufunc: np.ufunc,
    a: Any,
    axis: Any = 0,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = np._NoValue,
    where: Any = True,
) -> Any:
    options = {} if initial is np._NoValue or initial is None else {"initial": initial}
    if where is not True:
        options["where"] = where
    if _is_flat(ufunc, dtype):
        return ufunc.reduce(raw(a), axis=axis, dtype=dtype, keepdims=keepdims, **lowered(options))
    _check(ufunc, "reduce")
    if dtype is not None:
        a = a.astype(dtype)
    if ufunc in _FUNCTIONS:
        return _FUNCTIONS[ufunc](a, axis=axis, keepdims=keepdims, **options)
    if initial is np._NoValue:
        initial = None if ufunc in EXPONENTIALS else ufunc.identity
    return _reduced(ufunc, a, axis, keepdims, initial, where)


UFUNC_METHODS["reduce"] = _reduce


def _reduced(ufunc: np.ufunc, a: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    """Reduce where NumPy has no function for it; `initial` may be None."""
    name = ufunc.__name__
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim or 1)[: a.ndim]
    if len(axes) > 1 and ufunc.identity is None:
        raise ValueError(f"reduction operation '{name}' is not reorderable, so at most one axis may be specified")
    if where is not True:
        if ufunc.identity is None:
            raise NotDifferentiableError(f"numpy.{name}.reduce", "with where=, it needs an identity, and it has none")
        a = np.where(asarray_like(where, a), a, ufunc.identity)
    if ufunc in EXPONENTIALS:
        reduced = log_sum(a, axis=axes, ufunc=ufunc)
        reduced = reduced if initial is None else ufunc(reduced, initial)
    else:
        reduced = _folded(ufunc, a, axes, initial)
    return np.expand_dims(reduced, axes) if keepdims else reduced


def _folded(ufunc: np.ufunc, a: Any, axes: tuple[int, ...], initial: Any) -> Any:
    rest = tuple(n for i, n in enumerate(a.shape) if i not in axes)
    count = math.prod(a.shape[i] for i in axes)
    rows = np.reshape(np.moveaxis(a, axes, range(len(axes))), (count, *rest))
    if initial is None and not count:
        raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity")
    start = () if initial is None else (np.zeros_like(a, shape=rest) + initial,)
    return functools.reduce(ufunc, (*start, *rows))


@primitive(family="compositions")
def log_sum(a: Any, *, axis: tuple[int, ...], ufunc: np.ufunc) -> Any:
    """The logarithm of a sum of exponentials, to base e or 2."""
    return ufunc.reduce(a, axis=axis)


# dw = sum(exp(a) da) / sum(exp(a)), with exp(a - w) in place of exp(a) above and below
@log_sum.differential
def _(w: Any, a: Any, da: Any, *, axis: tuple[int, ...], ufunc: np.ufunc) -> Any:
    shares = EXPONENTIALS[ufunc](difference(a, np.expand_dims(w, axis)))
    return np.sum(shares / np.sum(shares, axis=axis, keepdims=True) * da, axis=axis)


def _accumulate(ufunc: np.ufunc, a: Any, axis: Any = 0, dtype: Any = None) -> Any:
    if _is_flat(ufunc, dtype):
        return ufunc.accumulate(raw(a), axis=axis, dtype=dtype)
    _check(ufunc, "accumulate")
    if not a.ndim:
        raise TypeError("cannot accumulate on a scalar")
    if axis is None and a.ndim > 1:
        raise ValueError("accumulate does not allow multiple axes")
    axis = 0 if axis is None else axis
    if dtype is not None:
        a = a.astype(dtype)
    if ufunc in _CUMULATIVE:
        return _CUMULATIVE[ufunc](a, axis)
    if ufunc is np.maximum or ufunc is np.minimum:
        return running_extreme(a, axis=axis, ufunc=ufunc)
    if ufunc in RUNNING and _is_long(a, axis):
        return RUNNING[ufunc](a, axis)
    rows = list(itertools.accumulate(np.moveaxis(a, axis, 0), ufunc))
    return np.stack(rows, axis) if rows else a


UFUNC_METHODS["accumulate"] = _accumulate


_LONG, _NARROW = 32, 200
"""Elements along the axis, and across it: the loop takes 22 microseconds a step of few numbers."""


def _is_long(a: Any, axis: int) -> bool:
    """Whether passes over the whole array take less time than a loop along the axis, as of vectors of 32 and more.

    NaN, which would come back from the elements after it, and levels of determinism are left to the loop.
    """
    n = a.shape[axis]
    if n < _LONG or a.size > _NARROW * n or IN_FORCE[0]:
        return False
    x = all_items(a)
    return is_on_host(x) and not np.any(np.isnan(x))


@primitive(family="extrema")
def running_extreme(a: Any, *, axis: int, ufunc: np.ufunc) -> Any:
    """The running maximum or minimum along an axis."""
    return ufunc.accumulate(a, axis)


@running_extreme.differential
def _(w: Any, a: Any, da: Any, *, axis: int, ufunc: np.ufunc) -> Any:
    """Every result is the mean of the equal elements that it is the extreme of.

    Along the axis `w` is piecewise constant: a run starts at an element that beats all before it, and the elements of
    the run that equal `w` share its later results.  Both their sum and their count are cumulative sums, less what these
    were before the run; where only one element counts, the sums cancel exactly.  Where each run has one that wins, its
    tangent is that of the whole run: the gradient of a million numbers takes 29 ms in place of 43.
    """
    wins, before = (a == w) | ((a != a) & (w != w)), np.roll(w, 1, axis)
    position = np.reshape(arange_like(w, w.shape[axis]), shape_along(axis % w.ndim, w.ndim))
    begins = (position == 0) | ((w != before) & ((w == w) | (before == before)))
    if type(w) is np.ndarray and w.size and np.count_nonzero(wins) == np.count_nonzero(begins):
        lines, first = np.moveaxis(da, axis, -1), np.moveaxis(begins, axis, -1)
        dw = held(lines[first], starts=np.flatnonzero(first), size=w.size, axis=0)
        return np.moveaxis(np.reshape(dw, lines.shape), -1, axis)
    start = np.maximum.accumulate(np.where(begins, position, 0), axis)
    count = np.cumsum(wins, axis)
    count = count - np.take_along_axis(count, start, axis) + 1
    won = wins * da
    total = np.cumsum(won, axis)
    return (total - np.take_along_axis(total, start, axis) + np.take_along_axis(won, start, axis)) / count


def _reduceat(ufunc: np.ufunc, a: Any, indices: Any, axis: int = 0, dtype: Any = None) -> Any:
    if _is_flat(ufunc, dtype):
        return ufunc.reduceat(raw(a), lowered(indices), axis=axis, dtype=dtype)
    _check(ufunc, "reduceat")
    if dtype is not None:
        a = a.astype(dtype)
    if not a.ndim:
        raise TypeError("cannot reduceat on a scalar")
    if axis is None and a.ndim > 1:
        raise ValueError("reduceat does not allow multiple axes")
    axis = 0 if axis is None else normalize_axis_index(axis, a.ndim)
    starts = np.asarray(lowered(indices), np.intp)
    if starts.ndim != 1:
        raise ValueError("the indices of reduceat are a vector")
    outside = (starts < 0) | (starts >= a.shape[axis])
    if outside.any():
        raise IndexError(f"index {starts[outside][0]} out-of-bounds in {ufunc.__name__}.reduceat [0, {a.shape[axis]})")
    if ufunc is np.add:
        return sums_at(a, starts=starts, axis=axis)
    before, lengths = (slice(None),) * axis, _lengths(starts, a.shape[axis])
    if not starts.size:
        return a[(*before, slice(0))].copy()
    if not is_on_host(all_items(a)):  # positions would be copied to a device
        parts = (a[(*before, slice(i, i + n))] for i, n in zip(starts, lengths, strict=True))
        return np.stack([ufunc.reduce(part, axis=axis, initial=None) for part in parts], axis)
    # parts of one length are reduced in one call: 30,000 parts take 12 ms, and 2 s one by one
    groups = [np.flatnonzero(lengths == n) for n in np.unique(lengths)]
    equal = [_parts(a, starts[group], int(lengths[group[0]]), axis) for group in groups]
    reduced = [ufunc.reduce(part, axis=axis + 1, initial=None) for part in equal]
    if len(groups) == 1:
        return reduced[0]
    order: Any = np.argsort(np.concatenate(groups))
    return np.concatenate(reduced, axis)[(*before, order)]


UFUNC_METHODS["reduceat"] = _reduceat


def _parts(a: Any, starts: Any, length: int, axis: int) -> Any:
    """Parts of one length, one a start: a slice where one follows the other, whose adjoint adds nothing up."""
    before = (slice(None),) * axis
    if np.any(np.diff(starts) != length):
        return a[(*before, starts[:, None] + np.arange(length))]
    start, count = int(starts[0]), len(starts)
    part = a[(*before, slice(start, start + count * length))]
    return np.reshape(part, (*a.shape[:axis], count, length, *a.shape[axis + 1 :]))


def _lengths(starts: Any, size: int) -> Any:
    """How many elements `reduceat` reduces: up to the next index, or one where that does not lie ahead."""
    return np.maximum(np.diff(starts, append=size), 1)


@linear(family="compositions")
def sums_at(a: Any, *, starts: Any, axis: int) -> Any:
    """`numpy.add.reduceat`."""
    return np.add.reduceat(a, starts if type(a) is np.ndarray else starts.tolist(), axis)


@sums_at.adjoint(0)
def _(g: Any, a: Any, *, starts: Any, axis: int) -> Any:
    lengths, before = _lengths(starts, a.shape[axis]), (slice(None),) * axis
    if len(starts) and (np.diff(starts) > 0).all():
        return held(g, starts=starts, size=a.shape[axis], axis=axis)
    owner = np.repeat(arange_like(g, len(starts)), lengths.tolist())
    x = getitem(g, index=(*before, owner))
    position = np.concatenate(
        [arange_like(g, i, i + n) for i, n in zip(starts.tolist(), lengths.tolist(), strict=True)] or [owner]
    )
    return scatter(x, index=(*before, position), shape=a.shape)


@linear(family="data movement")
def held(a: Any, *, starts: Any, size: int, axis: int) -> Any:
    """Each element repeated along an axis from its start on up to the next one, and zeros before the first."""
    counts = np.diff(starts, append=size)
    x = np.repeat(a, counts if type(a) is np.ndarray else counts.tolist(), axis)
    if starts[0] == 0:
        return x
    none = np.zeros_like(a, shape=(*a.shape[:axis], int(starts[0]), *a.shape[axis + 1 :]))
    return np.concatenate([none, x], axis)


@held.adjoint(0)
def _(g: Any, a: Any, *, starts: Any, size: int, axis: int) -> Any:
    return sums_at(g, starts=starts, axis=axis)
