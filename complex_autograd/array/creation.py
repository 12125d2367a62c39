"""Array creation.

Inside a function that is being differentiated, these functions return arrays into which traced values can be written,
and `device=` places them on a device.  Everywhere else they are NumPy's functions, and return what NumPy returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends import PRECISE, Backend, DeviceError, backend_of, backends, device_named, is_precise, own
from ...determinism.flag import IN_FORCE
from ..engine.dispatch import holds_traced, implements
from ..engine.forward import CONSTANT, constant
from ..engine.opaque import RECORDING, holds_symbols, is_symbolic, opaque_call, with_constants
from ..engine.operands import as_operand, holds_traced_objects, object_array, stack_nested
from ..engine.primitive import multilinear
from ..engine.trace import FUNCTIONS, MAPPING
from ..engine.traced import Traced, depth_of, raw
from .stand_in import StandIn
from .tracing import ANYWHERE, DEPTH

__all__ = [
    "arange",
    "array",
    "asanyarray",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "empty",
    "eye",
    "from_dlpack",
    "full",
    "identity",
    "ones",
    "to_device",
    "to_host",
    "zeros",
]


_IF_NEEDED: Any = np._CopyMode.IF_NEEDED
"""Of the three ways to copy the one that is neither true nor false; `copy=None` by another name."""


def _elsewhere(device: str | None) -> Backend | None:
    """The backend that `device=` names; None where NumPy is to answer, be it with its error for a device it lacks."""
    if device is None or device == "cpu":
        return None
    return next((found for backend in backends() if (found := backend.named(device)) is not None), None)


_TO_FILL = (np.zeros, np.ones, np.empty, np.full)


def _making(function: Any) -> Callable[..., Any]:
    """A creation function of NumPy, with `device=`, and writable under a trace; at a level, nothing is left unset."""

    def make(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and not ANYWHERE[0] and not IN_FORCE[0]:
            return function(*args)
        makes: Any = np.zeros if function is np.empty and (RECORDING[0] or IN_FORCE[0]) else function
        if "device" in kwargs and (kwargs["device"] == "cpu" or _elsewhere(kwargs["device"]) is not None):
            backend = device_named(kwargs.pop("device"))
            return writable(getattr(backend.namespace, makes.__name__)(*args, **kwargs))
        if RECORDING[0] and is_symbolic((args, kwargs)):
            return writable(opaque_call(function, args, kwargs), function in _TO_FILL)
        if PRECISE[0] and function is np.arange and is_precise():
            return writable(device_named("mpmath").namespace.arange(*args, **kwargs))
        if function is np.arange and not MAPPING[0] and any(map(depth_of, (*args, *kwargs.values()))):
            return FUNCTIONS[function](*args, **kwargs)
        made = makes(*args, **kwargs)
        return writable(made, function in _TO_FILL) if ANYWHERE[0] or PRECISE[0] else made

    return make


def writable(made: Any, to_fill: bool = False) -> Any:
    """A new array; a constant that traced values can be written into if a function is being differentiated.

    In a mapped function one of integers, too, if it was made to be filled.
    """
    if PRECISE[0] and type(made) is np.ndarray:
        made = own(made)
    if not DEPTH.value or isinstance(made, (np.matrix, np.ma.MaskedArray)):
        return made
    if DEPTH.keep is not None and DEPTH.value == DEPTH.recorded:
        return DEPTH.keep(made) if type(made) is np.ndarray and made.dtype.kind in "fc" else made
    is_filled = to_fill and DEPTH.mapped and made.dtype.kind in "biufc"
    return Traced(made, CONSTANT, None) if is_filled else constant(made)


zeros = StandIn(np.zeros, _making(np.zeros))
ones = StandIn(np.ones, _making(np.ones))
empty = StandIn(np.empty, _making(np.empty))
eye = StandIn(np.eye, _making(np.eye))
identity = StandIn(np.identity, _making(np.identity))
arange = StandIn(np.arange, _making(np.arange))
_full = _making(np.full)


def _full_of(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    """NumPy's `full`, which also takes a traced value."""
    if not isinstance(fill_value, Traced) and not (RECORDING[0] and holds_symbols(fill_value)):
        return _full(shape, fill_value, dtype, order, device=device, **({} if like is None else {"like": like}))
    filled = np.broadcast_to(fill_value, shape)
    return filled.copy(order) if dtype is None else filled.astype(dtype, order)


full = StandIn(np.full, _full_of)


def _converts(function: Any, name: str, copies: bool) -> StandIn:
    """A conversion function of NumPy, which keeps what is traced and stacks nested sequences of it."""
    own_order = {np.ascontiguousarray: "C", np.asfortranarray: "F"}.get(function)

    def convert(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and not ANYWHERE[0] and not PRECISE[0]:
            try:
                return function(*args)
            except DeviceError:
                return _convert_there(function, *args)
        if kwargs and "device" in kwargs and (backend := _elsewhere(kwargs["device"])) is not None:
            del kwargs["device"]
            return to_device(convert(*args, **kwargs), device=backend.device)
        a: Any = args[0] if args else kwargs.get(name)
        dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
        if ANYWHERE[0] and dtype is not None and holds_traced_objects(a):
            a = a.tolist()
        if isinstance(a, Traced) and function is not np.asanyarray:
            a = as_operand(a)
        if isinstance(a, Traced) or (ANYWHERE[0] and isinstance(a, (list, tuple)) and holds_traced(a)):
            order = own_order or (args[2] if len(args) > 2 else kwargs.get("order")) or "K"
            return _convert_traced(
                a, dtype, kwargs.get("copy", copies or None), kwargs.get("ndmin", own_order is not None), order
            )
        if RECORDING[0] and holds_symbols(a):
            a = raw(stack_nested(with_constants(a)))
            made = opaque_call(function, (a, *args[1:]), {key: x for key, x in kwargs.items() if key != name})
        else:
            try:
                made = function(*args, **kwargs)
            except DeviceError:
                made = _convert_there(function, *(args or (kwargs.pop(name),)), **kwargs)
        return writable(made) if PRECISE[0] or (ANYWHERE[0] and (copies or made is not a)) else made

    return StandIn(function, convert)


def _convert_there(function: Any, a: Any, *args: Any, **kwargs: Any) -> Any:
    """A conversion of what NumPy must not convert: an array on a device, or a nested sequence that holds some."""
    a = a if hasattr(a, "dtype") else stack_nested(a)
    return getattr(backend_of(a).namespace, function.__name__)(a, *args, **kwargs)


def _convert_traced(a: Any, dtype: Any, copy: Any, ndmin: int, order: Any) -> Any:
    made = object_array(a) if dtype is not None and np.dtype(dtype) == object else stack_nested(a)
    if dtype is not None and made.dtype != np.dtype(dtype):
        made = made.astype(dtype)
    is_copied = made is a and copy is not _IF_NEEDED and copy
    if issubclass(raw(made).__class__, np.generic):  # an array without axes
        made = np.copy(made)
    elif is_copied or (order in "CFcf" and not raw(made).flags[f"{order.upper()}_CONTIGUOUS"]):
        made = made.copy(order)
    if made is not a and copy is not _IF_NEEDED and copy is not None and not copy:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    return np.reshape(made, (1,) * (ndmin - made.ndim) + made.shape) if ndmin > made.ndim else made


array = _converts(np.array, "object", copies=True)
asarray = _converts(np.asarray, "a", copies=False)
asanyarray = _converts(np.asanyarray, "a", copies=False)
ascontiguousarray = _converts(np.ascontiguousarray, "a", copies=False)
asfortranarray = _converts(np.asfortranarray, "a", copies=False)


def _from_dlpack(x: Any, /, **kwargs: Any) -> Any:
    """NumPy's `from_dlpack`, which also takes an array of a GPU, without a copy, as one of ours."""
    kind, index = x.__dlpack_device__() if hasattr(x, "__dlpack_device__") else (None, None)
    if kind not in _GPUS:
        return np.from_dlpack(x, **kwargs)
    name, device = f"cuda:{index}", kwargs.get("device")
    if device not in (None, "cuda", name):
        raise ValueError(f"the array lies on {name!r}: copy it with wirtinger.to_device(x, {device!r})")
    made = device_named(name).namespace.from_dlpack(x)
    return made.copy() if kwargs.get("copy") else made


_GPUS = (2, 13)
"""DLPack's numbers of CUDA's memory: a GPU's own, and the managed."""

from_dlpack = StandIn(np.from_dlpack, _from_dlpack)


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
        return np.broadcast_to(as_operand(fill_value), filled.shape).astype(filled.dtype)
    filled[...] = fill_value
    return filled


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
        "cpu", "cuda", or one of several GPUs as "cuda:1".

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


@multilinear(family="data movement")
def _transfer(a: Any, *, device: str) -> Any:
    target, source = device_named(device), backend_of(a)
    if source.device != "cpu" and source.name != target.name:
        a = source.to_host(a)
    return target.namespace.array(a)


@_transfer.adjoint(0)
def _transfer_adjoint(g: Any, a: Any, *, device: str) -> Any:
    return _transfer(g, device=backend_of(raw(a)).device_of(raw(a)))
