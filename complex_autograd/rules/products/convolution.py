"""Convolution and correlation of two sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.views import scatter
from ...engine.dispatch import implements
from ...engine.operands import operands
from ...engine.primitive import multilinear


@multilinear(family="compositions")
def convolution(a: Any, v: Any, *, mode: Any) -> Any:
    """`x[k] = sum_i a[i] v[k - i]`, of which `mode` says how much is kept."""
    return np.convolve(a, v, mode)


@convolution.adjoint(0)
def _(g: Any, a: Any, v: Any, *, mode: Any) -> Any:
    # <g, x> = Re sum conj(g[k]) a[i] v[k-i]  =>  the cotangent of a[i] is sum_k g[k] conj(v[k-i])
    return np.correlate(in_full(g, a.size, v.size), v, "valid")


@convolution.adjoint(1)
def _(g: Any, a: Any, v: Any, *, mode: Any) -> Any:
    return np.correlate(in_full(g, a.size, v.size), a, "valid")


def in_full(g: Any, m: int, n: int) -> Any:
    """The cotangent of a part of the full convolution of m and n elements, as one of the whole, zero elsewhere."""
    full = m + n - 1
    if g.size == full:
        return g
    # "same" keeps max(m, n) of them, "valid" max(m, n) - min(m, n) + 1, both from the middle
    start = (full - g.size) // 2
    return scatter(g, index=slice(start, start + g.size), shape=(full,))


@implements(np.convolve)
def _(a: Any, v: Any, mode: Any = "full") -> Any:
    a, v = operands(a, v)
    return convolution(np.atleast_1d(a), np.atleast_1d(v), mode=mode)


@implements(np.correlate)
def _(a: Any, v: Any, mode: Any = "valid") -> Any:
    a, v = operands(a, v)
    if v.size > a.size:
        # NumPy exchanges the two, which moves what "same" keeps by one place
        return np.conj(np.flip(np.correlate(v, a, mode)))
    return convolution(a, np.flip(np.conj(v)), mode=mode)
