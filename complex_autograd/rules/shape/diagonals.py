"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.read_only import read_only
from ...array.views import view
from ...engine.dispatch import implements
from ...engine.operands import arange_like
from ...engine.primitive import linear


@read_only
@linear
def diagonal(a: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    """`numpy.diagonal`, bound without its view."""
    return np.diagonal(a, offset, axis1, axis2)


@diagonal.adjoint(0)
def _(g: Any, a: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return on_diagonal(g, offset=offset, axis1=axis1, axis2=axis2, shape=a.shape)


@linear(family="data movement")
def on_diagonal(a: Any, *, offset: int, axis1: int, axis2: int, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with the last axis of `a` on the diagonal of two axes."""
    out = np.zeros_like(a, shape=shape)
    rows, columns = max(-offset, 0), max(offset, 0)
    along = arange_like(a, a.shape[-1])
    np.moveaxis(out, (axis1, axis2), (-2, -1))[..., along + rows, along + columns] = a
    return out


@on_diagonal.space_of
def _(a: Any, *, offset: int, axis1: int, axis2: int, shape: tuple[int, ...]) -> Any:
    return shape, a.dtype


@on_diagonal.adjoint(0)
def _(g: Any, a: Any, *, offset: int, axis1: int, axis2: int, shape: tuple[int, ...]) -> Any:
    return diagonal(g, offset=offset, axis1=axis1, axis2=axis2)


@implements(np.diagonal)
def _(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return view(diagonal, a, offset=offset, axis1=axis1, axis2=axis2)


@implements(np.diag)
def _(v: Any, k: int = 0) -> Any:
    if v.ndim == 1:
        n = v.shape[0] + abs(k)
        return on_diagonal(v, offset=k, axis1=0, axis2=1, shape=(n, n))
    if v.ndim == 2:
        return np.diagonal(v, k)
    raise ValueError("Input must be 1- or 2-d.")


@implements(np.diagflat)
def _(v: Any, k: int = 0) -> Any:
    return np.diag(np.ravel(v), k)


@linear(family="data movement")
def lower_triangle(a: Any, *, k: int) -> Any:
    """`numpy.tril`."""
    return np.tril(a, k)


@lower_triangle.adjoint(0)
def _(g: Any, a: Any, *, k: int) -> Any:
    return lower_triangle(g, k=k)


@linear(family="data movement")
def upper_triangle(a: Any, *, k: int) -> Any:
    """`numpy.triu`."""
    return np.triu(a, k)


@upper_triangle.adjoint(0)
def _(g: Any, a: Any, *, k: int) -> Any:
    return upper_triangle(g, k=k)


@implements(np.tril)
def _(m: Any, k: int = 0) -> Any:
    return lower_triangle(m, k=k)


@implements(np.triu)
def _(m: Any, k: int = 0) -> Any:
    return upper_triangle(m, k=k)
