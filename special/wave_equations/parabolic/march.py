"""How parabolic cylinder functions are marched: Taylor series from point to point, of arrays and of single numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...ufuncs.parameters import march

Pair = tuple[Any, Any]

_TERMS = 30
_MOST_STEPS = 5000


def shaped(kernel: Callable[..., Pair], shape: tuple[int, ...], a: Any, x: Any) -> Pair:
    """The value and the derivative that a kernel of vectors gives, in a shape."""
    if raw(x).size == 0:
        return np.reshape(a * x, shape), np.reshape(a * x, shape)
    value, derivative = kernel(a, x)
    return np.reshape(value, shape), np.reshape(derivative, shape)


def from_zero(value: Any, derivative: Any, a: Any, x: Any, sign: float) -> Pair:
    """The solution of `y'' = (sign x**2 / 4 + a) y` with this value and derivative at 0."""
    zero = np.zeros_like(raw(x))[()]
    return marched(path_between(raw(a), zero, raw(x), sign), x, value, derivative, a, zero + sign)


def marched(path: list[Any], x: Any, value: Any, derivative: Any, a: Any, sign: Any) -> Pair:
    """The same at the end of a path, from its start."""
    if not issubclass(type(value), float):
        return march(path, x, value, derivative, _taylor, a, sign)
    for here, there in pairwise(path):
        if not isfinite(abs(value)):
            break
        value, derivative = _taylor(here, there - here, value, derivative, a, sign)
    return value, derivative


def path_between(a: Any, here: Any, end: Any, sign: float) -> list[Any]:
    """The points between which the march goes: over one step no solution changes by a large factor."""
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        step = 1.5 / np.sqrt(np.abs(a) + here * here / 4 + 2)
        here = np.where(np.abs(end - here) > step, here + step * np.sign(end - here), end)[()]
        points.append(here)
    return points


def _taylor(c: Any, h: Any, value: Any, derivative: Any, a: Any, sign: Any) -> Pair:
    """The solution of `y'' = (sign x**2 / 4 + a) y` and its derivative at `c + h`.

    With `g_k` the terms of its Taylor series at `c`, `(k + 2) (k + 1) g_(k+2) =
    h ((sign c**2 / 4 + a) h g_k + sign c / 2 h**2 g_(k-1) + sign / 4 h**3 g_(k-2))`; those of the derivative are
    `(k + 2) g_(k+2) / h`.
    """
    square = h * h
    first = (sign * c * c / 4 + a) * h
    second = sign * c / 2 * square
    third = sign / 4 * square * h
    g = [0.0, 0.0, value, derivative * h]
    value = g[2] + g[3]
    for k in range(_TERMS):
        rise = (first * g[2] + second * g[1] + third * g[0]) * (1.0 / (k + 1))
        upper = rise * h * (1.0 / (k + 2))
        g = [*g[1:], upper]
        value = value + upper
        derivative = derivative + rise
    return value, derivative
