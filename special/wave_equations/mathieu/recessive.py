"""Mathieu functions where they are exponentially small, and their Fourier series cancel: next to 0 if `q > 0`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.tridiagonal import counted
from ..spheroidal.equation import marched
from .characteristic_values import lowest

_NODES, _LARGEST_EXPONENT = 16, 690.0
"""Of the midpoint rule that estimates how much a function grows, and of the largest growth."""


def marched_mathieu(even: bool, m: Any, q: Any, angle: Any, coefficients: Any, a: Any) -> tuple[Any, Any]:
    """A Mathieu function and its derivative by its equation, solved from where it is small; of radians.

    With `t = sin x` it is `(t**2 - 1) y'' + t y' + (2 |q| - 4 |q| t**2 - a) y = 0`, the spheroidal equation of order
    -1/2, or with `t = cos x` where `q < 0`.  The function is even or odd in `t`, or that times `dt / dx`; it grows up
    to where it begins to oscillate, and there its Fourier series tells the multiple.  NaN where it does not grow.
    """
    p = lowest(m, even)
    is_positive = raw(q) > 0
    side = np.where(is_positive, 1.0, -1.0)
    size, cosine, sine = side * q, np.cos(angle), np.sin(angle)
    near, far = np.where(is_positive, sine, cosine), np.where(is_positive, cosine, sine)
    is_odd = np.where(is_positive, not even, (p % 2 == 1) == even)
    is_negated = (raw(far) < 0) & np.where(is_positive, (p % 2 == 1) == even, not even)
    turning = np.sqrt(np.maximum(2 * raw(size) - raw(a), 0.0) / (4 * raw(size)))
    zero = 0 * turning
    # what it grows by is about exp(int sqrt(2 |q| cos(2 u) - a) du) up to there, DLMF 2.7.25: with a start that much
    # smaller nothing overflows, and neither does the square of what is divided by, in a derivative
    nodes = np.arcsin(turning) * (counted(_NODES, turning) + 0.5) / _NODES
    rates = np.sqrt(np.maximum(2 * raw(size) * np.cos(2 * nodes) - raw(a), 0.0))
    first = np.exp(-np.minimum(np.arcsin(turning) * np.sum(rates, axis=0) / _NODES, _LARGEST_EXPONENT))
    start = zero + np.where(is_odd, 0.0, first), zero + np.where(is_odd, first, 0.0)

    def at(t: Any) -> tuple[Any, Any]:
        return marched(1, -0.5, -4 * size, a - 2 * size - 0.25, t, zero, *start)

    (value, derivative), (end, end_derivative) = at(near), at(turning)
    order = 2 * counted(coefficients.shape[0], turning) + p
    there = order * np.where(is_positive, np.arcsin(turning), np.arccos(turning))
    waves, rates = (np.cos(there), -order * np.sin(there)) if even else (np.sin(there), order * np.cos(there))
    # of the value and the derivative in x there the one that is large relative to the other
    end_derivative = side * np.sqrt((1 - turning) * (1 + turning)) * end_derivative
    of_derivative = np.abs(raw(end_derivative)) > np.sqrt(raw(size)) * np.abs(raw(end))
    known = np.sum(coefficients * np.where(of_derivative, rates, waves), axis=0)
    scale = np.where(is_negated, -1.0, 1.0) * known / np.where(of_derivative, end_derivative, end)
    return scale * value, scale * derivative * side * far
