"""Differences, gradients and integrals of sampled functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ....backends import exact, is_precise
from ....backends.constants import constant
from ...array.structure import lying_as
from ...engine.dispatch import implements
from ...engine.operands import as_operand, asarray_like
from ...engine.primitive import linear
from ...engine.traced import Traced, raw
from ..reductions.sums import NOT_GIVEN
from . import interpolation as interpolation

_TURN: Final = 2 * np.pi
_EXACT_TURN = constant(_TURN, lambda mp: 2 * mp.pi)


@linear(family="componentwise arithmetic")
def diff_along(a: Any, *, n: int, axis: int) -> Any:
    """`numpy.diff` without ends."""
    return np.diff(a, n, axis)


@diff_along.adjoint(0)
def _(g: Any, a: Any, *, n: int, axis: int) -> Any:
    # the adjoint of the forward difference is minus the backward difference, with zeros beyond both ends
    shape = list(g.shape)
    shape[axis] = min(n, a.shape[axis])
    beyond = np.zeros_like(raw(g), shape=tuple(shape))
    return (-1) ** shape[axis] * diff_along(np.concatenate([beyond, g, beyond], axis=axis), n=shape[axis], axis=axis)


@implements(np.diff)
def _(a: Any, n: int = 1, axis: int = -1, prepend: Any = NOT_GIVEN, append: Any = NOT_GIVEN) -> Any:
    if n == 0:
        return a
    a = as_operand(a)
    parts = [part for part in (prepend, a, append) if part is not NOT_GIVEN]
    if len(parts) > 1:
        axis = normalize_axis_index(axis, a.ndim)
        a = np.concatenate([slab(part, a, axis) for part in parts], axis=axis)
    return diff_along(a, n=n, axis=axis)


def slab(part: Any, a: Any, axis: int) -> Any:
    """What is put before or after `a` along an axis: a number becomes one element long there."""
    part = asarray_like(part, a)
    return part if part.ndim else np.broadcast_to(part, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))


@implements(np.ediff1d)
def _(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    ary = np.ravel(as_operand(ary))
    parts = [ary[1:] - ary[:-1]]
    for name, part in (("to_begin", to_begin), ("to_end", to_end)):
        if part is None:
            continue
        part = asarray_like(part, ary)
        if not np.can_cast(part.dtype, ary.dtype, "same_kind"):
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
        part = np.ravel(part).astype(ary.dtype)
        parts = [part, *parts] if name == "to_begin" else [*parts, part]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


# Gradients


@implements(np.gradient)
def _(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    f = as_operand(f)
    f = f if f.dtype.kind in "fc" else f.astype(float)
    axes = tuple(range(f.ndim)) if axis is None else normalize_axis_tuple(axis, f.ndim)
    steps = spacings(f, axes, varargs)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    parts = [lying_as(derivative_along(f, step, i, edge_order), raw(f)) for step, i in zip(steps, axes, strict=True)]
    return parts[0] if len(parts) == 1 else tuple(parts)


def spacings(f: Any, axes: Sequence[int], given: Sequence[Any]) -> list[Any]:
    """For each axis the distance between samples: one number, or one for each interval."""
    if not given:
        return [1.0] * len(axes)
    given = [step if issubclass(type(step), (int, float)) else asarray_like(step, f) for step in given]
    if len(given) == 1 and np.ndim(given[0]) == 0:
        return given * len(axes)
    if len(given) != len(axes):
        raise TypeError("invalid number of arguments")
    return [distances(step, f.shape[i]) for step, i in zip(given, axes, strict=True)]


def distances(points: Any, n: int) -> Any:
    """The distances between points, or one number if that is given or if they are constants and all equal."""
    if np.ndim(points) == 0:
        return points
    if points.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if len(points) != n:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = np.diff(points if points.dtype.kind in "fc" else points.astype(float))
    return steps[0] if not isinstance(steps, Traced) and np.all(steps == steps[0]) else steps


def derivative_along(f: Any, step: Any, axis: int, edge_order: int) -> Any:
    """Central differences inside, one-sided ones of the given order at both ends.

    With the derivatives `s[i] = (f[i+1] - f[i]) / h[i]` of the intervals, the parabola through three samples has the
    derivatives `(h[1] s[0] + h[0] s[1]) / (h[0] + h[1])` in the middle and `s[0] + h[0] (s[0] - s[1]) / (h[0] + h[1])`
    on the left.
    """
    if f.shape[axis] < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    samples = f if axis == 0 else np.moveaxis(f, axis, 0)
    if np.ndim(step) == 0:
        inside = (samples[2:] - samples[:-2]) / (2.0 * step)
        left = right = step, step
    else:
        h = np.reshape(step, (-1,) + (1,) * (f.ndim - 1))
        derivatives = np.diff(samples, axis=0) / h
        inside = (h[1:] * derivatives[:-1] + h[:-1] * derivatives[1:]) / (h[:-1] + h[1:])
        left, right = step[:2], step[:-3:-1]
    n = len(samples)
    from_left = [samples[i : i + 1] for i in range(edge_order + 1)]
    from_right = [samples[n - 1 - i : n - i] for i in range(edge_order + 1)]
    derivative = np.concatenate([end_derivative(from_left, left), inside, -end_derivative(from_right, right)])
    derivative = derivative if axis == 0 else np.moveaxis(derivative, 0, axis)
    return derivative if derivative.dtype == f.dtype else derivative.astype(f.dtype)


def end_derivative(samples: Sequence[Any], steps: Any) -> Any:
    """The derivative at the first of two or three samples, with the distances between them."""
    first_derivative = (samples[1] - samples[0]) / steps[0]
    if len(samples) == 2:
        return first_derivative
    return first_derivative + (first_derivative - (samples[2] - samples[1]) / steps[1]) * (
        steps[0] / (steps[0] + steps[1])
    )


# Integrals and phases


@implements(np.trapezoid)
def _(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = as_operand(y)
    if x is not None:
        x = asarray_like(x, y)
        dx = np.diff(x, axis=axis if x.ndim > 1 else -1)
    axis = normalize_axis_index(axis, y.ndim)
    behind = (slice(None),) * axis
    if x is not None and x.ndim == 1:
        dx = np.reshape(dx, (-1,) + (1,) * (y.ndim - axis - 1))
    return np.sum(dx * (y[(*behind, slice(1, None))] + y[(*behind, slice(-1))]) / 2.0, axis=axis)


@implements(np.unwrap)
def _(p: Any, discont: Any = None, axis: int = -1, *, period: Any = _TURN) -> Any:
    # integer periods are added, and how many is constant almost everywhere
    p = as_operand(p)
    period = exact(_EXACT_TURN()) if period is _TURN and is_precise() else period
    values, length = raw(p), raw(period)
    periods = np.rint((np.unwrap(values, raw(discont), axis, period=length) - values) / length)
    return p + period * periods
