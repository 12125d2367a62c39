"""Products over axes.

The derivative of a product in one element is the product of all others, its cofactor.  That is the quotient of the
product and the element where no element is 0 and no partial product has left the range of normal numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ....determinism.flag import is_fixed
from ...engine.primitive import primitive
from ...engine.traced import Traced
from ..products.contractions import conjugate
from .sums import Axis, counted, implements_reduction, kept

LONG = 1000
"""Of so many elements the bounds say little about their product."""


@primitive(family="products")
def prod_over(a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The product over axes."""
    return np.prod(a, axis=axis, keepdims=keepdims)


# x = a_1 ... a_n  =>  dx = sum_i c_i da_i with the products c_i of the others;  ga_i = conj(c_i) g
@prod_over.differential
def _(x: Any, a: Any, da: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return np.sum(cofactors(x, a, axis) * da, axis=axis, keepdims=keepdims)


@prod_over.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return (g.reshape(kept(a.shape, axis)) * conjugate(cofactors(x, a, axis)),)


def cofactors(x: Any, a: Any, axis: Axis) -> Any:
    """For each element the product over some axes of all elements but this one, from the product of all.

    Those of a traced array are formed without a division, so that a second derivative that is 0 is no rounding error.
    """
    if not a.ndim:
        return np.ones_like(a)
    if isinstance(a, Traced) or is_fixed():  # or one element decides for all
        return along(others, a, axis)
    x = x.reshape(kept(a.shape, axis))
    if is_moderate(a, counted(a.shape, axis)):
        return x / a
    good = is_accurate(x, a, axis)
    if np.all(good):
        return x / a
    is_zero = a == 0
    if not np.any(is_zero):
        return np.where(good, x / np.where(good, a, 1), along(others, a, axis))
    zeros = np.sum(is_zero, axis=axis, keepdims=True)
    b = np.where(is_zero, 1, a)
    rest = np.prod(b, axis=axis, keepdims=True)
    if np.all(zeros) and np.all(is_accurate(rest, b, axis)):
        return rest * (is_zero & (zeros == 1))
    return cofactors(rest, b, axis) * (zeros == is_zero)


def is_moderate(a: Any, n: int) -> Any:
    """Whether no product of `n` elements, or of fewer, can leave the range of normal numbers; False is no answer."""
    if n > LONG:
        return False
    size = np.abs(a)
    low, high = size.min(initial=1), size.max(initial=1)
    return low > 0 and n * np.maximum(-np.log2(low), np.log2(high)) < -np.finfo(a.dtype).minexp


def is_accurate(x: Any, a: Any, axis: Axis) -> Any:
    """Whether products are exact to rounding, and no less so than normal numbers are.

    A subnormal partial product has lost digits.  The product in the opposite order has other partial products: those of
    the elements not yet multiplied by then, which are large where the first were small.
    """
    info = np.finfo(a.dtype)
    with np.errstate(all="ignore"):
        opposite = np.prod(np.flip(a, axis), axis=axis, keepdims=True)
        size = np.abs(x)
        return (size >= info.tiny) & (np.abs(x - opposite) <= 2 * counted(a.shape, axis) * info.eps * size)


def along(function: Callable[[Any], Any], a: Any, axis: Axis) -> Any:
    """Apply a function of the last axis, which keeps the shape, along several axes as if they were one."""
    axes = normalize_axis_tuple(range(a.ndim) if axis is None or not a.ndim else axis, a.ndim)
    order = (*(i for i in range(a.ndim) if i not in axes), *axes)
    moved = np.transpose(a, order)
    lined = np.reshape(moved, (*moved.shape[: a.ndim - len(axes)], counted(a.shape, axes)))
    return np.transpose(np.reshape(function(lined), moved.shape), np.argsort(order))


def others(a: Any) -> Any:
    """Along the last axis, the product of all elements but one: what is left of it times what is right of it."""
    one = np.ones_like(a[..., :1])
    left = np.concatenate([one, np.cumprod(a[..., :-1], axis=-1)], axis=-1)
    right = np.concatenate([np.flip(np.cumprod(a[..., :0:-1], axis=-1), -1), one], axis=-1)
    return left * right


implements_reduction(np.prod, prod_over, 1, np.multiply)
