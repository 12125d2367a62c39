"""The sum of products over pairs of axes: what most adjoints of products are made of."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ...array.structure import transpose
from ...engine.dispatch import implements
from ...engine.operands import as_operand
from ...engine.primitive import multilinear


def conjugate(a: Any) -> Any:
    """The complex conjugate; a real array as it is, not copied."""
    return np.conjugate(a) if a.dtype.kind == "c" else a


@multilinear(family="matrix products")
def contract(a: Any, b: Any, *, axes: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    """The sum of products over pairs of axes (`tensordot`), given as two tuples of axes counted from the front."""
    if bool(a.ndim) is not bool(b.ndim):
        return a * b  # `tensordot` returns a view, of which the result of a gradient is one more copy
    return np.tensordot(a, b, axes)


@contract.space_of
def _(a: Any, b: Any, *, axes: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    free = [[n for i, n in enumerate(x.shape) if i not in taken] for x, taken in zip((a, b), axes, strict=True)]
    return (*free[0], *free[1]), np.result_type(a.dtype, b.dtype)


@contract.adjoint(0)
def _(g: Any, a: Any, b: Any, *, axes: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    free_a, free_b = free_axes(a, axes[0]), free_axes(b, axes[1])
    met = tuple(range(len(free_a), g.ndim))
    result = contract(g, conjugate(b), axes=(met, free_b))
    return _reordered(result, (*free_a, *[axes[0][axes[1].index(i)] for i in sorted(axes[1])]))


@contract.adjoint(1)
def _(g: Any, a: Any, b: Any, *, axes: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    free_a, free_b = free_axes(a, axes[0]), free_axes(b, axes[1])
    met = tuple(range(len(free_a)))
    result = contract(conjugate(a), g, axes=(free_a, met))
    return _reordered(result, (*[axes[1][axes[0].index(i)] for i in sorted(axes[0])], *free_b))


def free_axes(a: Any, taken: tuple[int, ...]) -> tuple[int, ...]:
    """The other axes."""
    return tuple(i for i in range(len(a.shape)) if i not in taken)


def _reordered(a: Any, axes: tuple[int, ...]) -> Any:
    """An array whose axis `i` belongs at `axes[i]`, with all its axes there."""
    if axes == tuple(range(len(axes))):
        return a
    return transpose(a, axes=tuple(axes.index(i) for i in range(len(axes))))


@implements(np.tensordot)
def _(a: Any, b: Any, axes: Any = 2) -> Any:
    a, b = as_operand(a), as_operand(b)
    if not np.iterable(axes):
        axes = range(-index(axes), 0), range(index(axes))
    pairs = [axis if np.iterable(axis) else (axis,) for axis in axes]
    normal_a, normal_b = (normalize_axis_tuple(axis, x.ndim) for axis, x in zip(pairs, (a, b), strict=True))
    return contract(a, b, axes=(normal_a, normal_b))
