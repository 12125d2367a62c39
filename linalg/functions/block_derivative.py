"""Matrices in two by two blocks: `f([[a, e], [0, a]])` has the derivative of `f` at `a` along `e` in its upper right.

That holds for every function of a matrix [Mt96], and so for its derivative, which gives the second one [HR14].
"""

from __future__ import annotations

from collections.abc import Callable
from math import frexp, isfinite
from typing import Any

import numpy as np

from ...complex_autograd.engine.primitive import linear
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.engine.zero import ZERO
from ...determinism.flag import is_fixed


@linear(family="data movement")
def twice_on_diagonal(a: Any) -> Any:
    """`[[a, 0], [0, a]]`."""
    nothing = np.zeros_like(a)
    return np.concatenate([np.concatenate([a, nothing], axis=-1), np.concatenate([nothing, a], axis=-1)], axis=-2)


@twice_on_diagonal.adjoint(0)
def _(g: Any, a: Any) -> Any:
    n = a.shape[-1]
    return g[..., :n, :n] + g[..., n:, n:]


@linear(family="data movement")
def in_upper_right(e: Any) -> Any:
    """`[[0, e], [0, 0]]`."""
    nothing = np.zeros_like(e)
    return np.concatenate([np.concatenate([nothing, e], axis=-1), np.concatenate([nothing, nothing], axis=-1)], axis=-2)


@in_upper_right.adjoint(0)
def _(g: Any, e: Any) -> Any:
    return upper_right(g)


def with_derivative(a: Any, e: Any) -> Any:
    """`[[a, e], [0, a]]`."""
    return twice_on_diagonal(a) + in_upper_right(e)


def upper_right(m: Any) -> Any:
    """The upper right of four blocks."""
    n = m.shape[-1] // 2
    return m[..., :n, n:]


def second_derivative(derivative: Callable[[Any, Any], Any], a: Any, e: Any, da: Any, de: Any) -> Any:
    """The differential of a derivative `derivative(a, e)`, which is linear in `e`; `derivative` takes any matrices."""
    if da is ZERO:
        return derivative(a, de)
    size = size_of(e)
    return upper_right(derivative(with_derivative(a, e / size), with_derivative(da, de / size))) * size


def size_of(e: Any) -> Any:
    """A power of two near the largest element: what to divide by, so that the block of `e` is not the larger one.

    Where bits must not depend on the rest of a stack each matrix has its own.
    """
    if is_fixed():
        each = np.max(np.abs(raw(e)), axis=(-2, -1), keepdims=True, initial=0.0)
        return np.where(np.isfinite(each) & (each > 0), np.ldexp(1.0, np.frexp(each)[1]), 1.0).astype(each.dtype)
    largest = float(np.max(np.abs(raw(e)), initial=0.0))
    return 2.0 ** frexp(largest)[1] if isfinite(largest) and largest > 0 else 1.0
