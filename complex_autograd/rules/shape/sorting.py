"""Sorting, and selecting by comparison.

Which element goes where is read off the values; given that, sorting is a permutation, which is linear.  Between equal
elements the derivative follows the order found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....determinism.flag import IN_FORCE
from ...engine.determinism_route import at_level
from ...engine.dispatch import implements, on_values
from ...engine.operands import as_operand
from ...engine.primitive import linear
from ...engine.traced import raw

on_values(np.argpartition, np.argsort, np.digitize, np.isin, np.lexsort, np.searchsorted)


@linear(family="data movement")
def permuted(a: Any, *, order: Any, axis: int) -> Any:
    """The elements `a[order]` along an axis, where `order` is a permutation; in memory they lie as those of `a`."""
    x = np.take_along_axis(a, order, axis)
    if type(a) is not np.ndarray or a.flags.c_contiguous:
        return x
    y = np.empty_like(a)
    y[...] = x
    return y


@permuted.adjoint(0)
def _(g: Any, a: Any, *, order: Any, axis: int) -> Any:
    return restored(g, order=order, axis=axis)


@linear(family="data movement")
def restored(a: Any, *, order: Any, axis: int) -> Any:
    """The elements that `permuted` moved, where they were before."""
    x = np.empty_like(a)
    np.put_along_axis(x, order, a, axis)
    return x


@restored.adjoint(0)
def _(g: Any, a: Any, *, order: Any, axis: int) -> Any:
    return permuted(g, order=order, axis=axis)


@implements(np.sort)
def _(
    a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None, **options: Any
) -> Any:
    a, axis = flat(a) if axis is None else (as_operand(a), axis)
    if kind is None and order is None:
        stable = True
    permutation = np.argsort(
        raw(a), axis=axis, kind=kind, order=order, stable=stable, **options
    )  # NumPy 2.5: descending=
    return permuted(a, order=permutation, axis=axis)


def flat(a: Any) -> tuple[Any, int]:
    """The flattened array, and the axis to work along."""
    return np.ravel(as_operand(a)), 0


@implements(np.sort_complex)
def _(a: Any) -> Any:
    x = np.sort(a)
    return x if x.dtype.kind == "c" else x.astype(np.clongdouble if x.dtype.char == "g" else np.complex128)


@implements(np.partition)
def _(a: Any, kth: Any, axis: int | None = -1, kind: Any = "introselect", order: Any = None) -> Any:
    a, axis = flat(a) if axis is None else (as_operand(a), axis)
    values = raw(a)
    given = values, kth, axis, kind, order
    x = at_level(np.partition, "partition", given, {}) if IN_FORCE[0] else np.partition(*given)
    # x[j] is the element of a that has the same rank
    ranks = np.argsort(np.argsort(x, axis, stable=True), axis)
    return permuted(a, order=np.take_along_axis(np.argsort(values, axis, stable=True), ranks, axis), axis=axis)
