"""Copies, dtypes, devices, real and imaginary parts: operations that are linear in each element separately."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dispatch import implements
from ..engine.errors import TraceError
from ..engine.hooks import HOOKS
from ..engine.memory import plain
from ..engine.operands import object_array
from ..engine.primitive import linear
from ..engine.space import cast
from ..engine.traced import peel, raw
from .creation import to_device
from .views import view


@linear
def astype(a: Any, *, dtype: Any, order: Any = "K") -> Any:
    """`a` in another dtype."""
    return a.astype(dtype, order=order)


@astype.adjoint(0, takes_batches=True)
def _(g: Any, a: Any, *, dtype: Any, order: Any = "K") -> Any:
    return cast(g, a.dtype)


@linear(family="data movement")
def copied(a: Any, *, order: Any = "K") -> Any:
    """`numpy.copy`."""
    return np.copy(a, order)


@copied.adjoint(0, takes_batches=True)
def _(g: Any, a: Any, *, order: Any = "K") -> Any:
    return g


@linear
def real(a: Any) -> Any:
    """`numpy.real`, bound without its view."""
    return np.real(a)


@real.adjoint(0, takes_batches=True)
def _(g: Any, a: Any) -> Any:
    return g


@linear
def imag(a: Any) -> Any:
    """`numpy.imag`, bound without its view."""
    return np.imag(a)


@imag.adjoint(0, takes_batches=True)
def _(g: Any, a: Any) -> Any:
    return g * 1j if a.dtype.kind == "c" else None


@implements(np.astype)
def _(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return converted(x, dtype, "K", "unsafe", copy)


def converted(x: Any, dtype: Any, order: Any, casting: Any, copy: bool) -> Any:
    """What `x.astype` does; integers and truth values have no derivative, Python objects keep theirs."""
    dtype = np.dtype(dtype)
    if dtype.kind == "O" and peel(x) is x:
        return object_array(x)[()]
    if dtype.kind in "SUTV" and peel(x) is x:
        raise TraceError(
            f"astype({dtype.name!r}) of a traced value would lose its derivative, since text has none. Keep the value "
            f"an array, or drop the derivative on purpose: wirtinger.stop_gradient(x).astype({dtype.name!r})"
        )
    if dtype.kind not in "fc":
        return raw(x).astype(dtype, order=order, casting=casting)
    if not np.can_cast(x.dtype, dtype, casting):
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to {dtype!r} according to the rule {casting!r}")
    if x.dtype == dtype:
        flags = raw(x).flags
        is_in_order = {"C": flags.c_contiguous, "F": flags.f_contiguous}.get(order.upper(), True)
        return copy_of(x, order) if copy or not is_in_order else x
    return astype(x, dtype=dtype, order=order)


def copy_of(a: Any, order: Any) -> Any:
    """What `a.copy` does; a number is its own copy."""
    return a if issubclass(raw(a).__class__, np.generic) else copied(a, order=order)


@implements(np.copy)
def _(a: Any, order: Any = "K", subok: bool = False) -> Any:
    return copied(a, order=order)


def _item(a: Any, *args: Any) -> Any:
    return plain(a, "item").item(*args)


def _tolist(a: Any) -> Any:
    return plain(a, "tolist").tolist()


HOOKS.astype = converted
HOOKS.copy = copy_of
HOOKS.to_device = to_device
HOOKS.item = _item
HOOKS.tolist = _tolist


@implements(np.real)
def _(val: Any) -> Any:
    return val if val.dtype.kind in "fiub" else view(real, val)


@implements(np.imag)
def _(val: Any) -> Any:
    if val.dtype.kind == "c":
        return view(imag, val)
    return np.broadcast_to(np.zeros_like(val), val.shape)[()]  # as NumPy's read-only; it does not move
