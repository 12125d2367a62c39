"""`linspace`, `logspace` and `geomspace`, in the ends of their intervals; `arange`, in its start and its step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....backends import backend_of
from ...engine.dispatch import implements, lowered
from ...engine.operands import as_operand
from ...engine.primitive import linear, primitive
from ...engine.traced import raw
from ...engine.zero import ZERO


@linear(family="compositions")
def _points(start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.linspace(start, stop, num, endpoint, dtype=dtype, axis=axis)


# x_k = (1 - t_k) start + t_k stop
@_points.adjoint(0)
def _(g: Any, start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.sum(g * (1 - _fractions(g, num, endpoint, axis)), axis=axis)


@_points.adjoint(1)
def _(g: Any, start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.sum(g * _fractions(g, num, endpoint, axis), axis=axis)


@linear(family="compositions")
def _step(start: Any, stop: Any, *, num: int, endpoint: bool) -> Any:
    return np.linspace(start, stop, num, endpoint, retstep=True)[1]


@_step.adjoint(0)
def _(g: Any, start: Any, stop: Any, *, num: int, endpoint: bool) -> Any:
    return -g / (num - endpoint)


@_step.adjoint(1)
def _(g: Any, start: Any, stop: Any, *, num: int, endpoint: bool) -> Any:
    return g / (num - endpoint)


def _fractions(x: Any, num: int, endpoint: bool, axis: int) -> Any:
    """t_k = k / (num - 1), or k / num without the end point, along an axis of `x`, on its device."""
    values = raw(x)
    ramp = backend_of(values).namespace.arange(num, dtype=values.real.dtype) / max(num - endpoint, 1)
    shape = [1] * values.ndim
    shape[axis] = num
    return ramp.reshape(shape)


def _end(x: Any) -> Any:
    """An end of an interval: numbers stay numbers, which take the precision of the other end."""
    return x if issubclass(type(x), (int, float, complex)) else as_operand(x)


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """`numpy.linspace`, in both ends."""
    start, stop = _end(start), _end(stop)
    points = _points(start, stop, num=num, endpoint=endpoint, dtype=dtype, axis=axis)
    return (points, _step(start, stop, num=num, endpoint=endpoint)) if retstep else points


@implements(np.logspace)
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    """`numpy.logspace`, in both ends and the base."""
    exponents = np.linspace(start, stop, num, endpoint, axis=axis)
    if np.ndim(base):
        base = np.expand_dims(as_operand(base), axis)
    points = np.power(base, exponents)
    return points if dtype is None else points.astype(dtype)


@primitive(family="compositions")
def _spiral(start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.geomspace(start, stop, num, endpoint, dtype, axis)


# x_k = start (stop / start)^t_k  =>  dx_k = x_k ((1 - t_k) dstart / start + t_k dstop / stop)
@_spiral.differential
def _(x: Any, start: Any, stop: Any, da: Any, db: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    t = _fractions(x, num, endpoint, axis)
    return x * ((1 - t) * _along(da / start, x, axis) + t * _along(db / stop, x, axis))


def _along(a: Any, x: Any, axis: int) -> Any:
    """`a` with the axis of `x` that it lacks."""
    if a is ZERO:
        return ZERO
    ndim = x.ndim - 1
    return np.expand_dims(np.reshape(a, (1,) * (ndim - a.ndim) + a.shape), axis)


@implements(np.geomspace)
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    """`numpy.geomspace`, in both ends."""
    return _spiral(_end(start), _end(stop), num=num, endpoint=endpoint, dtype=dtype, axis=axis)


@implements(np.arange)
def arange(*args: Any, **kwargs: Any) -> Any:
    """`numpy.arange`, in the start and the step: how many elements come before `stop` is a constant."""
    values = np.arange(*lowered(args), **lowered(kwargs))
    if values.dtype.kind not in "fc":
        return np.arange(*args, **kwargs)  # raises: of the whole numbers nothing is left of a derivative
    given = dict(zip(("start", "stop", "step"), args, strict=False)) | kwargs
    start, step = given.get("start") if "stop" in given else None, given.get("step")
    points = (0.0 if start is None else start) + (1.0 if step is None else step) * np.arange(len(values))
    return (values + (points - raw(points))).astype(values.dtype)
