"""Hyperbolic functions of matrices, where their exponentials cancel or overflow.

Next to zero `expm(a) - expm(-a)` cancels: there both are blocks of `expm([[0, a], [a, 0]]) = [[cosh a, sinh a], [sinh
a, cosh a]]`.  Far from it `expm(a) + expm(-a)` is ill-conditioned, and at last infinite: there `tanh(2 a) = 2 t inv(1 +
t^2)` with `t = tanh(a)`, from a part of `a` on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...complex_autograd.engine.traced import raw
from ..elementary.triangles import identity
from .block_derivative import in_upper_right, upper_right
from .exponential import exponential_of

Function = Callable[[Any], Any]

_NEAR_ZERO: Final = 0.125
"""Up to this norm the difference of exponentials loses three bits and more."""

_FAR: Final = 4.0
"""From this norm on the sum may lose twelve bits."""

_PART: Final = 2.0
"""The norm from which `tanh` is doubled."""


def hyperbolic_cosine(a: Any, ordinary: Function | None = None) -> Any:
    """`cosh` of matrices; `ordinary` computes it neither near zero nor far away."""
    return np.cosh(a) if a.shape[-1] == 1 else _by_size(a, ordinary or _cosine, near=lambda a: _near_zero(a)[0])


def hyperbolic_sine(a: Any, ordinary: Function | None = None) -> Any:
    """`sinh` of matrices."""
    return np.sinh(a) if a.shape[-1] == 1 else _by_size(a, ordinary or _sine, near=lambda a: _near_zero(a)[1])


def hyperbolic_tangent(a: Any, ordinary: Function | None = None) -> Any:
    """`tanh` of matrices."""
    if a.shape[-1] == 1:
        return np.tanh(a)
    return _by_size(a, ordinary or _tangent, near=lambda a: np.linalg.solve(*_near_zero(a)), far=_far_tangent)


def _cosine(a: Any) -> Any:
    return (exponential_of(a) + exponential_of(-a)) / 2


def _sine(a: Any) -> Any:
    return (exponential_of(a) - exponential_of(-a)) / 2


def _tangent(a: Any) -> Any:
    rising, falling = exponential_of(a), exponential_of(-a)
    return np.linalg.solve(rising + falling, rising - falling)


def _near_zero(a: Any) -> tuple[Any, Any]:
    """`cosh` and `sinh`."""
    n = a.shape[-1]
    both = exponential_of(in_upper_right(a) + in_upper_right(a.mT).mT)
    return both[..., :n, :n], upper_right(both)


def _far_tangent(a: Any) -> Any:
    counts = np.maximum(np.ceil(np.log2(np.maximum(_sizes(a), _PART) / _PART)), 0.0)
    t, one = _tangent(a * np.exp2(-counts).astype(a.dtype.char.lower())), identity(a)
    for k in range(int(np.max(counts, initial=0.0))):
        t = np.where(counts > k, np.linalg.solve(one + t @ t, t + t), t)
    return t


def _by_size(a: Any, ordinary: Function, near: Function, far: Function | None = None) -> Any:
    """A function of matrices, of each of a stack by its norm."""
    sizes = _sizes(a)
    found: Any = None
    is_ordinary = np.ones_like(sizes, dtype=bool)
    for here, function in ((sizes <= _NEAR_ZERO, near), (np.isfinite(sizes) & (sizes > _FAR), far)):
        if function is None or not np.any(here):
            continue
        if np.all(here):
            return function(a)
        is_ordinary = is_ordinary & ~here
        part = function(np.where(here, a, 0.0))
        found = part if found is None else np.where(here, part, found)
    if found is None:
        return ordinary(a)
    return np.where(is_ordinary, ordinary(np.where(is_ordinary, a, 0.0)), found) if np.any(is_ordinary) else found


def _sizes(a: Any) -> Any:
    """The norms of matrices, the largest sums of moduli, with the last axes kept."""
    return np.max(np.sum(np.abs(raw(a)), axis=-1, keepdims=True), axis=-2, keepdims=True, initial=0.0)
