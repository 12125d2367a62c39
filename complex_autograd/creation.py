"""Making arrays.

Inside a function that is being differentiated, what these make can be written to with traced values, and `device=` puts
it where it is wanted.  Everywhere else they are NumPy's, and return what NumPy's return.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..backends import backend_of, device_named
from .array import Traced, raw
from .constant import constant
from .dispatch import holds_traced, implements, lowered
from .errors import TraceError
from .primitive import multilinear
from .tracing import is_tracing

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
    """A nested sequence that holds traced values, as one array."""
    if not isinstance(items, (list, tuple)):
        return items if hasattr(items, "dtype") else np.asarray(items)
    return np.stack([stack_nested(item) for item in items])


def _makes(function: Any) -> Callable[..., Any]:
    """NumPy's creation function of the same name, with `device=`, and writable under a trace."""

    @wraps(function)
    def make(*args: Any, device: str | None = None, **kwargs: Any) -> Any:
        if device is not None and device != "cpu":
            return writable(getattr(device_named(device).namespace, function.__name__)(*args, **kwargs))
        return writable(function(*args, **kwargs))

    return make


def writable(made: Any) -> Any:
    """A new array; a constant that traced values can be written into if a function is being differentiated."""
    return constant(made) if is_tracing() else made


zeros = _makes(np.zeros)
ones = _makes(np.ones)
empty = _makes(np.empty)
eye = _makes(np.eye)
identity = _makes(np.identity)
arange = _makes(np.arange)


@wraps(np.full)
def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    if not isinstance(fill_value, Traced):
        return _full(shape, fill_value, dtype, order, device=device)
    filled = np.broadcast_to(fill_value, shape).copy()
    return filled if dtype is None else filled.astype(dtype)


_full = _makes(np.full)


def _converts(function: Any, copies: bool) -> Callable[..., Any]:
    """NumPy's conversion function of the same name, which keeps what is traced and stacks nested sequences of it."""

    @wraps(function)
    def convert(a: Any, dtype: Any = None, *args: Any, device: str | None = None, **kwargs: Any) -> Any:
        if device is not None and device != "cpu":
            return to_device(convert(a, dtype, *args, **kwargs), device=device)
        if isinstance(a, Traced) or (isinstance(a, (list, tuple)) and is_tracing() and holds_traced(a)):
            return _convert_traced(a, dtype, kwargs.get("copy", True) if copies else False, kwargs.get("ndmin", 0))
        made = function(a, dtype, *args, **kwargs)
        return writable(made) if copies or made is not a else made

    return convert


def _convert_traced(a: Any, dtype: Any, copy: bool | None, ndmin: int) -> Any:
    stacked = stack_nested(a)
    if dtype is not None and stacked.dtype != np.dtype(dtype):
        stacked = stacked.astype(dtype)
    elif copy and stacked is a:
        stacked = stacked.copy()
    return np.reshape(stacked, (1,) * (ndmin - stacked.ndim) + stacked.shape) if ndmin > stacked.ndim else stacked


array = _converts(np.array, copies=True)
asarray = _converts(np.asarray, copies=False)
asanyarray = _converts(np.asanyarray, copies=False)
ascontiguousarray = _converts(np.ascontiguousarray, copies=False)
asfortranarray = _converts(np.asfortranarray, copies=False)


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
    start, stop = as_operand(start) * 1.0, as_operand(stop) * 1.0
    intervals = num - 1 if endpoint else num
    step = (stop - start) / intervals if intervals > 0 else (stop - start) * np.nan
    steps = np.arange(num, dtype=float).reshape((-1,) + (1,) * step.ndim)
    points = start + steps * (step if intervals > 0 else 0.0 * (stop - start))
    if endpoint and num > 1:
        points = np.concatenate([points[:-1], np.broadcast_to(stop, step.shape)[None]])
    points = np.moveaxis(points, 0, axis) if axis != 0 else points
    points = points if dtype is None else points.astype(dtype)
    return (points, step) if retstep else points


@implements(np.logspace)
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    exponents = np.linspace(start, stop, num, endpoint, axis=axis)
    base = as_operand(base)
    if base.ndim:
        base = np.expand_dims(base, axis)
    points = np.power(base, exponents)
    return points if dtype is None else points.astype(dtype)


@implements(np.geomspace)
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    # x_k = start (stop / start)^(k / (num - 1)), on the logarithmic spiral of the principal branch
    start, stop = as_operand(start) * 1.0, as_operand(stop) * 1.0
    fractions = np.linspace(0.0, 1.0, num, endpoint).reshape((-1,) + (1,) * max(start.ndim, stop.ndim))
    points = start * np.power(stop / start, fractions)
    if endpoint and num > 1:
        points = np.concatenate([points[:-1], np.broadcast_to(stop, points.shape[1:])[None]])
    points = np.moveaxis(points, 0, axis) if axis != 0 else points
    return points if dtype is None else points.astype(dtype)


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
