"""Running sums and products, and running logarithms of sums of exponentials.

A running sum is linear, its adjoint the running sum from the other end.  A running product obeys `x[k] = a[k] x[k-1]`,
so its differential obeys a linear recurrence, which holds at zeros of `a` where the quotient `x da / a` does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...array.structure import shows_repeated
from ...engine.dispatch import implements, refuse_out
from ...engine.primitive import linear, primitive
from ...engine.traced import raw
from ..elementwise.exponentials import EXPONENTIALS, difference, share_beside
from ..ufunc_protocol.reductions import RUNNING
from .sums import as_dtype, computes_integers


@linear(family="running sums")
def cumsum_along(a: Any, *, axis: int | None) -> Any:
    """The running sum along an axis, or of the flattened array."""
    return np.cumsum(a, axis=axis)


@cumsum_along.adjoint(0)
def _(g: Any, a: Any, *, axis: int | None) -> Any:
    along = 0 if axis is None else axis
    run = np.flip(cumsum_along(np.flip(g, along), axis=along), along)
    return np.reshape(run, a.shape) if axis is None else run


@cumsum_along.batched
def _(g: Any, a: Any, *, axis: int | None) -> Any:
    if axis is None and len(a.shape) != 1:
        return None
    along = 1 + (axis or 0) % len(a.shape)
    return np.flip(np.cumsum(np.flip(g, along), axis=along), along)


@primitive(family="running products")
def cumprod_last(a: Any) -> Any:
    """The running product along the last axis."""
    return np.cumprod(a, axis=-1)


# x[k] = a[k] x[k-1]  =>  dx[k] = a[k] dx[k-1] + x[k-1] da[k].  With c the cotangent of what is added to the recurrence,
# `adjoint_recurrence`:  ga[k] = c[k] conj(x[k-1])
@cumprod_last.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return recurrence(a, delayed(x, 1) * da)


@cumprod_last.adjoint_by_hand
def _(g: Any, x: Any, a: Any) -> Any:
    return (adjoint_recurrence(a, g) * np.conj(delayed(x, 1)),)


@primitive(family="compositions")
def recurrence(a: Any, b: Any) -> Any:
    """The solution of `x[k] = a[k] x[k-1] + b[k]`, `x[-1] = 0`, along the last axis.

    Two steps at once give the same recurrence for every other element, of half the length: in all about 4 n operations
    in log2(n) rounds (G. E. Blelloch, Prefix sums and their applications, CMU-CS-90-190, 1990, section 1.4).
    """
    n = b.shape[-1]
    x = np.zeros_like(b, dtype=np.result_type(a.dtype, b.dtype))
    x[..., ::2] = b[..., ::2]
    if n > 1:
        later, earlier = a[..., 1::2], b[..., : n - 1 : 2]
        odd = recurrence.function(later * a[..., : n - 1 : 2], later * earlier + b[..., 1::2])
        x[..., 1::2] = odd
        x[..., 2::2] += a[..., 2::2] * odd[..., : (n - 1) // 2]
    return x


# dx[k] = a[k] dx[k-1] + (x[k-1] da[k] + db[k])  =>  gb = c,  ga[k] = c[k] conj(x[k-1])
@recurrence.differential
def _(x: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
    return recurrence(a, delayed(x, 0) * da + db)


@recurrence.adjoint_by_hand
def _(g: Any, x: Any, a: Any, b: Any) -> Any:
    c = adjoint_recurrence(a, g)
    conjugate = np.conj(delayed(x, 0))
    return c * conjugate, c


def adjoint_recurrence(a: Any, g: Any) -> Any:
    """The cotangent of `b`: `c[k] = g[k] + conj(a[k+1]) c[k+1]`, the recurrence from the other end."""
    return np.flip(recurrence(delayed(np.flip(np.conj(a), -1), 0), np.flip(g, -1)), -1)


def delayed(x: Any, first: float) -> Any:
    """The elements moved one place to the right along the last axis, after a constant."""
    return np.concatenate([np.full_like(raw(x)[..., :1], first), x[..., :-1]], axis=-1)


@primitive(family="compositions")
def running_log_sum(a: Any, *, axis: int, ufunc: np.ufunc) -> Any:
    """The running logarithm of a sum of exponentials, to base e or 2, along an axis."""
    return ufunc.accumulate(a, axis)


# dx[k] = p[k] da[k] + q[k] dx[k-1], with the partials of the step from x[k-1] to x[k]
@running_log_sum.differential
def _(x: Any, a: Any, da: Any, *, axis: int, ufunc: np.ufunc) -> Any:
    p, q = _partials_of_steps(x, a, axis, ufunc)
    return np.moveaxis(recurrence(q, p * np.moveaxis(da, axis, -1)), -1, axis)


@running_log_sum.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, axis: int, ufunc: np.ufunc) -> Any:
    p, q = _partials_of_steps(x, a, axis, ufunc)
    return (np.moveaxis(p * adjoint_recurrence(q, np.moveaxis(g, axis, -1)), -1, axis),)


def _partials_of_steps(x: Any, a: Any, axis: int, ufunc: np.ufunc) -> tuple[Any, Any]:
    """The partials of each step in its element and in the result before it, along the last axis: first 1 and 0."""
    before, a = np.moveaxis(x, axis, -1)[..., :-1], np.moveaxis(a, axis, -1)
    one = np.ones_like(raw(a)[..., :1])
    p, q = (share_beside(ufunc, d) for d in (difference(before, a[..., 1:]), difference(a[..., 1:], before)))
    return np.concatenate([one, p], axis=-1), np.concatenate([0 * one, q], axis=-1)


for _ufunc in EXPONENTIALS:
    RUNNING[_ufunc] = lambda a, axis, ufunc=_ufunc: running_log_sum(a, axis=axis, ufunc=ufunc)


def along_axis(function: Callable[..., Any], a: Any, axis: int | None) -> Any:
    """Apply a function of the last axis along another one; along the flattened array where `axis` is None.

    A number has the axes 0 and -1, as in NumPy.
    """
    if axis is None or (a.ndim == 0 and axis in (0, -1)):
        return function(np.ravel(a))
    if axis in (-1, a.ndim - 1):
        return function(a)
    return np.swapaxes(function(np.swapaxes(a, axis, -1)), axis, -1)


@implements(np.cumsum)
def _(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    refuse_out(np.cumsum, out)
    return cumsum_along(as_dtype(a, dtype), axis=axis)


@implements(np.cumprod)
def _(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    refuse_out(np.cumprod, out)
    a = as_dtype(a, dtype)
    if shows_repeated(a):
        a = np.where(True, a, 1)  # lies in memory as what a ufunc returns
    return along_axis(cumprod_last, a, axis)


computes_integers(np.cumsum, np.cumprod)


@implements(np.cumulative_sum)
def _(x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None, include_initial: bool = False) -> Any:
    refuse_out(np.cumulative_sum, out)
    return cumulative(np.cumsum, x, axis, dtype, 0 if include_initial else None)


@implements(np.cumulative_prod)
def _(x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None, include_initial: bool = False) -> Any:
    refuse_out(np.cumulative_prod, out)
    return cumulative(np.cumprod, x, axis, dtype, 1 if include_initial else None)


def cumulative(function: Callable[..., Any], x: Any, axis: int | None, dtype: Any, initial: int | None) -> Any:
    """A running sum or product by the rules of the array API standard."""
    x = np.atleast_1d(x)
    if axis is None:
        if x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    run = function(x, axis=axis, dtype=dtype)
    if initial is None:
        return run
    first = np.full_like(raw(run), initial, shape=(*run.shape[:axis], 1, *run.shape[axis % run.ndim + 1 :]))
    return np.concatenate([first, run], axis=axis)
