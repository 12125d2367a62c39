"""Sums and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dispatch import implements, refuse_out
from .primitive import linear
from .structure import broadcast_to, reshape

__all__ = ["sum_over"]


@linear
def sum_over(a: Any, *, axis: tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    return np.sum(a, axis=axis, keepdims=keepdims)


@sum_over.adjoint(0)
def _(g: Any, a: Any, *, axis: tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    return broadcast_to(reshape(g, shape=kept(a.shape, axis)), shape=a.shape)


def kept(shape: tuple[int, ...], axis: tuple[int, ...] | None) -> tuple[int, ...]:
    """A shape with the reduced axes kept at length one."""
    if axis is None:
        return (1,) * len(shape)
    axes = {i % len(shape) for i in axis}
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


@implements(np.sum)
def _(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    refuse_out(np.sum, out)
    axes = axis if axis is None or isinstance(axis, tuple) else (axis,)
    return sum_over(a, axis=axes, keepdims=bool(keepdims))
