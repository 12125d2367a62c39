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
from ...engine.opaque import RECORDING, is_on_host, is_symbolic, opaque_call
from ...engine.operands import as_operand
from ...engine.primitive import linear
from ...engine.traced import raw

on_values(np.argpartition, np.argsort, np.digitize, np.isin, np.lexsort, np.searchsorted)


@linear(family="data movement")
def permuted(a: Any, *, order: Any, axis: int) -> Any:
    """The elements `a[order]` along an axis, where `order` is a permutation; in memory they lie as those of `a`."""
    x = np.take_along_axis(a, order, axis)
    if not is_on_host(a) or a.flags.c_contiguous:
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
    if RECORDING[0] and is_symbolic((a, order)):
        return opaque_call(restored.function, (a,), {"order": order, "axis": axis})
    x = np.empty_like(a)
    np.put_along_axis(x, order, a, axis)
    return x


@restored.adjoint(0)
def _(g: Any, a: Any, *, order: Any, axis: int) -> Any:
    return permuted(g, order=order, axis=axis)


_SEVERAL = 256
"""Elements: of fewer there is nothing to gain."""


def stable_order(a: Any, axis: int) -> Any:
    """`argsort` by a stable method.

    Where no elements are equal there is one order, which NumPy's vectorized method finds in up to a tenth of the time.
    """
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(stable_order, (a, axis), {})
    if type(a) is np.ndarray and a.size >= _SEVERAL and a.dtype.kind in "iuf" and not IN_FORCE[0]:
        order = np.argsort(a, axis)
        x = np.moveaxis(np.take_along_axis(a, order, axis), axis, -1)
        if np.all(x[..., 1:] > x[..., :-1]):
            return order
    return np.argsort(a, axis, stable=True)


@implements(np.sort)
def _(
    a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None, **options: Any
) -> Any:
    a, axis = flat(a) if axis is None else (as_operand(a), axis)
    if kind is None and order is None and not options:
        permutation = stable_order(raw(a), axis)
    else:  # NumPy 2.5: descending=
        stable = True if kind is None and order is None else stable
        permutation = np.argsort(raw(a), axis=axis, kind=kind, order=order, stable=stable, **options)
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
    order = restored(stable_order(values, axis), order=stable_order(x, axis), axis=axis)
    return permuted(a, order=order, axis=axis)
