"""Making arrays.

Inside a function that is being differentiated, what these make can be written to with traced values, and `device=` puts
it where it is wanted.  Everywhere else they are NumPy's, and return what NumPy's return.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..backends import Backend, backend_of, backends, device_named
from .array import Traced, raw
from .constant import constant
from .dispatch import holds_traced, implements, lowered
from .primitive import linear, multilinear, primitive
from .tracing import DEPTH
from .zero import ZERO

__all__ = [
    "arange",
    "array",
    "as_operand",
    "asanyarray",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "empty",
    "eye",
    "full",
    "identity",
    "ones",
    "stack_nested",
    "to_device",
    "to_host",
    "zeros",
]


def as_operand(x: Any) -> Any:
    """Whatever is given as one array: arrays, traced or not, and numbers as they are; nested sequences stacked."""
    if hasattr(x, "dtype"):
        return x
    return stack_nested(x) if holds_traced(x) else np.asarray(x)


def stack_nested(items: Any) -> Any:
    """A nested sequence that holds traced values, as one array on their device."""
    leaves: list[Any] = []
    _leaves_into(leaves, items)
    namespace = next(backend_of(raw(x)).namespace for x in leaves if isinstance(x, Traced))

    def stack(item: Any) -> Any:
        if isinstance(item, (list, tuple)):
            return np.stack([stack(part) for part in item])
        return item if hasattr(item, "dtype") else namespace.asarray(item)

    return stack(items)


def _leaves_into(leaves: list[Any], items: Any) -> None:
    if isinstance(items, (list, tuple)):
        for item in items:
            _leaves_into(leaves, item)
    else:
        leaves.append(items)


def _elsewhere(device: str | None) -> Backend | None:
    """The backend that `device=` names; None where NumPy is to answer, be it with its error for a device it lacks."""
    if device is None or device == "cpu":
        return None
    return next((backend for backend in backends() if backend.device == device), None)


def _like_builtin(make: Callable[..., Any], function: Any) -> Any:
    """A function that, as NumPy's written in C, does not bind where it is an attribute of a class."""
    unbound: Any = staticmethod(make)
    unbound.__text_signature__ = getattr(function, "__text_signature__", None)
    return unbound


def _makes(function: Any) -> Any:
    """NumPy's creation function of the same name, with `device=`, and writable under a trace."""

    @wraps(function)
    def make(*args: Any, **kwargs: Any) -> Any:
        if "device" in kwargs and (kwargs["device"] == "cpu" or _elsewhere(kwargs["device"]) is not None):
            backend = device_named(kwargs.pop("device"))
            return writable(getattr(backend.namespace, function.__name__)(*args, **kwargs))
        made = function(*args, **kwargs)
        return writable(made) if DEPTH.value else made

    return _like_builtin(make, function)


def writable(made: Any) -> Any:
    """A new array; a constant that traced values can be written into if a function is being differentiated."""
    return constant(made) if DEPTH.value and not isinstance(made, (np.matrix, np.ma.MaskedArray)) else made


zeros = _makes(np.zeros)
ones = _makes(np.ones)
empty = _makes(np.empty)
eye = _makes(np.eye)
identity = _makes(np.identity)
arange = _makes(np.arange)
_full = _makes(np.full)


@wraps(np.full)
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    """NumPy's `full`, which also takes a traced value."""
    if not isinstance(fill_value, Traced):
        return _full(shape, fill_value, dtype, order, device=device, like=like)
    filled = np.broadcast_to(fill_value, shape).copy()
    return filled if dtype is None else filled.astype(dtype)


def _converts(function: Any, name: str, copies: bool) -> Any:
    """NumPy's conversion function of the same name, which keeps what is traced and stacks nested sequences of it."""

    @wraps(function)
    def convert(*args: Any, **kwargs: Any) -> Any:
        if "device" in kwargs and (backend := _elsewhere(kwargs["device"])) is not None:
            del kwargs["device"]
            return to_device(convert(*args, **kwargs), device=backend.device)
        a = args[0] if args else kwargs.get(name)
        if isinstance(a, Traced) or (DEPTH.value and isinstance(a, (list, tuple)) and holds_traced(a)):
            dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
            return _convert_traced(a, dtype, kwargs.get("copy", copies), kwargs.get("ndmin", 0))
        made = function(*args, **kwargs)
        return writable(made) if DEPTH.value and (copies or made is not a) else made

    return _like_builtin(convert, function)


def _convert_traced(a: Any, dtype: Any, copy: bool | None, ndmin: int) -> Any:
    stacked = stack_nested(a)
    if dtype is not None and stacked.dtype != np.dtype(dtype):
        stacked = stacked.astype(dtype)
    elif copy and stacked is a:
        stacked = stacked.copy()
    return np.reshape(stacked, (1,) * (ndmin - stacked.ndim) + stacked.shape) if ndmin > stacked.ndim else stacked


array = _converts(np.array, "object", copies=True)
asarray = _converts(np.asarray, "a", copies=False)
asanyarray = _converts(np.asanyarray, "a", copies=False)
ascontiguousarray = _converts(np.ascontiguousarray, "a", copies=False)
asfortranarray = _converts(np.asfortranarray, "a", copies=False)


@implements(np.zeros_like)
def zeros_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Any:
    return constant(np.zeros_like(raw(a), dtype, order, subok, shape))


@implements(np.ones_like)
def ones_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Any:
    return constant(np.ones_like(raw(a), dtype, order, subok, shape))


@implements(np.empty_like)
def empty_like(
    prototype: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Any:
    return constant(np.zeros_like(raw(prototype), dtype, order, subok, shape))


@implements(np.full_like)
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    filled = constant(np.zeros_like(raw(a), dtype, order, subok, shape))
    if not isinstance(filled, Traced):
        return np.full_like(filled, lowered(fill_value))
    filled[...] = fill_value
    return filled


@linear
def _points(start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.linspace(start, stop, num, endpoint, dtype=dtype, axis=axis)


# x_k = (1 - t_k) start + t_k stop
@_points.adjoint(0)
def _(g: Any, start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.sum(g * (1 - _fractions(g, num, endpoint, axis)), axis=axis)


@_points.adjoint(1)
def _(g: Any, start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.sum(g * _fractions(g, num, endpoint, axis), axis=axis)


@linear
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
    return x if isinstance(x, (int, float, complex)) else as_operand(x)


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
    start, stop = _end(start), _end(stop)
    points = _points(start, stop, num=num, endpoint=endpoint, dtype=dtype, axis=axis)
    return (points, _step(start, stop, num=num, endpoint=endpoint)) if retstep else points


@implements(np.logspace)
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    exponents = np.linspace(start, stop, num, endpoint, axis=axis)
    if np.ndim(base):
        base = np.expand_dims(as_operand(base), axis)
    points = np.power(base, exponents)
    return points if dtype is None else points.astype(dtype)


@primitive
def _spiral(start: Any, stop: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    return np.geomspace(start, stop, num, endpoint, dtype, axis)


@_spiral.differential
def _(x: Any, start: Any, stop: Any, da: Any, db: Any, *, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    # x_k = start (stop / start)^t_k  =>  dx_k = x_k ((1 - t_k) dstart / start + t_k dstop / stop)
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
    return _spiral(_end(start), _end(stop), num=num, endpoint=endpoint, dtype=dtype, axis=axis)


def to_host(a: Any) -> Any:
    """A copy as a NumPy array: the explicit way off a device.

    Parameters
    ----------
    a : array
        On any device.

    Returns
    -------
    ndarray
        Of the same shape and dtype.  The derivative goes back to the device of `a`.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.to_host(np.ones(2))
    array([1., 1.])
    """
    return _transfer(a, device="cpu")


def to_device(a: Any, device: str) -> Any:
    """A copy on a device: the explicit way onto it.

    Parameters
    ----------
    a : array
        On any device.
    device : str
        "cpu" or "cuda".

    Returns
    -------
    array
        Of the same shape and dtype.  The derivative goes back to the device of `a`.

    Raises
    ------
    DeviceError
        If there is no such device, or its library is not installed.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.to_device(np.ones(2), "cpu")
    array([1., 1.])
    """
    return _transfer(a, device=device)


@multilinear
def _transfer(a: Any, *, device: str) -> Any:
    target, source = device_named(device), backend_of(a)
    host = a if source.device == "cpu" else source.to_host(a)
    return target.namespace.array(host)


@_transfer.adjoint(0)
def _transfer_adjoint(g: Any, a: Any, *, device: str) -> Any:
    return _transfer(g, device=backend_of(raw(a)).device)
