"""Rearranging elements: what changes the shape, the order or the dtype of an array and computes nothing.

All of it is linear.  The adjoint of a permutation is the inverse permutation; that of repetition is summation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .dispatch import implements
from .views import view
from .primitive import linear
from .space import cast

__all__ = ["astype", "broadcast_to", "conj", "imag", "real", "reshape", "transpose"]


@linear
def reshape(a: Any, *, shape: Any, order: str = "C") -> Any:
    return np.reshape(a, shape, order=order)  # type: ignore[arg-type]


@reshape.adjoint(0)
def _(g: Any, a: Any, *, shape: Any, order: str = "C") -> Any:
    return reshape(g, shape=a.shape, order=order)


@linear
def transpose(a: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    return np.transpose(a, axes)


@transpose.adjoint(0)
def _(g: Any, a: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    if axes is None:
        return transpose(g)
    return transpose(g, axes=tuple(int(i) for i in np.argsort([i % len(axes) for i in axes])))


@linear
def broadcast_to(a: Any, *, shape: tuple[int, ...]) -> Any:
    return np.broadcast_to(a, shape)


@broadcast_to.adjoint(0)
def _(g: Any, a: Any, *, shape: tuple[int, ...]) -> Any:
    return g


@linear
def astype(a: Any, *, dtype: Any) -> Any:
    return a.astype(dtype)


@astype.adjoint(0)
def _(g: Any, a: Any, *, dtype: Any) -> Any:
    return cast(g, a.dtype)


@linear
def real(a: Any) -> Any:
    return np.real(a)


@real.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return g


@linear
def imag(a: Any) -> Any:
    return np.imag(a)


@imag.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return 1j * g if a.dtype.kind == "c" else None


@implements(np.reshape)
def _(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    return view(reshape, a, shape=shape, order=order)


@implements(np.transpose)
def _(a: Any, axes: Any = None) -> Any:
    return view(transpose, a, axes=None if axes is None else tuple(axes))


@implements(np.broadcast_to)
def _(array: Any, shape: Any, subok: bool = False) -> Any:
    return view(broadcast_to, array, shape=shape)


@implements(np.real)
def _(val: Any) -> Any:
    return view(real, val)


@implements(np.imag)
def _(val: Any) -> Any:
    return view(imag, val)
