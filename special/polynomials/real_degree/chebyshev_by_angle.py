"""Derivatives of Chebyshev functions of real degree in real arguments above -1 by the angle, of vectors.

A derivative is a multiple of a function of the degree below, but `n - 1` has lost the digits of a degree next to 0,
where derivatives vanish.  With `x = cos(t)` and `m = n + 1` they are, DLMF 18.5.1 and 18.5.2,

    dT / dx = n sin(n t) / sin(t)    and    dU / dx = (sin(n t) - n cos(m t) sin(t)) / sin(t)**3,

where no term has lost them.  The angle `s`, and `cos(n pi)` and `sin(n pi)` on the left, are those of `chebyshev.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...numerics.regions import by_region
from .chebyshev import SHIFTED, STANDARD, Interval, parity
from .chebyshev_far import derivative_of_t_far, derivative_of_u_far, log_of_power

_NEAR = 0.25
"""Up to this `m s` the derivative of `sin(m s) / sin(s)` is summed; beyond it loses two digits at most."""
_TERMS = 10
_MIDDLE = 0.5
"""Up to this argument angles are counted from the one of 0."""


def _derivative(
    between: Callable[..., Any], beyond: Callable[..., Any], on: Interval, factor: float = 1.0
) -> Callable[..., Any]:
    """The kernel by the real angle between the ends, and by powers to the right."""

    def kernel(n: Any, x: Any) -> Any:
        within = (on.holds(x), lambda n, x: between(n, x, on))
        return factor * by_region([within, (True, lambda n, x: beyond(n, on.general(x)))], n, x)

    return kernel


def _dt_between(n: Any, x: Any, on: Interval) -> Any:
    """By `sin(n t)`, with angles from the end nearby, or from `pi / 2`, where derivatives of even degree vanish.

    They are `t = s`; `t = pi - s`, `sin(n t) = sin(n pi) cos(n s) - cos(n pi) sin(n s)`; and `t = pi / 2 - w` likewise.
    """
    s, sine, is_left = on.angle(x), on.sine(x), on.is_left(x)
    y = np.where(is_left, -1, 1) * on.cosine(x)
    is_middle = np.abs(y) < _MIDDLE
    s = n * np.where(is_middle, np.arcsin(y), np.where(is_left, s, -s))
    (a, b), (c, d) = parity(n, is_left), parity(n / 2, True)
    a, b = np.where(is_middle, c, a), np.where(is_middle, d, b)
    return np.where(x == 1, n * n, n * (b * np.cos(s) - a * np.sin(s)) / sine)


def _folded(n: Any) -> tuple[Any, Any, Any]:
    """`k`, `m` and a sign: `U` is odd in `m`, and the same up to the sign at the degree `k = m - 1` for `m >= 0`."""
    return np.where(n > -1, n, -2 - n), np.abs(n + 1), np.sign(n + 1)


def _du_between(n: Any, x: Any, on: Interval) -> Any:
    """By `y = cos(s)`, `R = sin(m s) / sin(s)` and `Q = cos(m s) / sin(s)`.

    It is `dR/dy`, and on the left `sin(n pi) dQ/dy - cos(n pi) dR/dy`.
    With `k = m - 1` the numerators are `sin(k s) - k cos(m s) sin(s)` and `cos(k s) + k sin(m s) sin(s)`; next to
    `m = 0` the former is `sin(m s) cos(s) - m cos(m s) sin(s)`.
    """
    (k, m, sign), s, sine, cosine, is_left = _folded(n), on.angle(x), on.sine(x), on.cosine(x), on.is_left(x)
    a, b = parity(k, is_left)
    c, d, cube = np.cos(m * s), np.sin(m * s), sine * sine * sine
    numerator = np.where(m < 0.5, d * cosine - m * (c * sine), np.sin(k * s) - k * (c * sine))
    is_near = s * np.maximum(m, 1.0) <= _NEAR
    derivative = np.where(is_near, _next_to_1(k, m, on.square(x)), numerator / cube) * np.where(is_left, -a, a)
    return sign * (derivative + np.where(b == 0, 0.0, b * ((np.cos(k * s) + k * (d * sine)) / cube)))


def _du_beyond(n: Any, x: Any) -> Any:
    k, m, sign = _folded(n)
    is_near = log_of_power(x) * np.maximum(m, 1.0) <= _NEAR
    return np.where(is_near, sign * _next_to_1(k, m, np.where(is_near, (1 - x) / 2, 0.0)), derivative_of_u_far(n, x))


def _next_to_1(k: Any, m: Any, z: Any) -> Any:
    """`dR/dy = m k (k + 2) / 3 F(2 - m, 2 + m; 5/2; z)`, DLMF 15.9.6 and 15.5.1."""
    total = np.ones_like(z)
    for j in range(_TERMS, -1, -1):
        total = 1 + total * (((j + 2 - m) * (j + 2 + m) / ((j + 2.5) * (j + 1))) * z)
    return m * k * (k + 2) / 3 * total


derivative_of_t_by_angle = _derivative(_dt_between, derivative_of_t_far, STANDARD)
derivative_of_u_by_angle = _derivative(_du_between, _du_beyond, STANDARD)
derivative_of_shifted_t_by_angle = _derivative(_dt_between, derivative_of_t_far, SHIFTED, 2.0)
derivative_of_shifted_u_by_angle = _derivative(_du_between, _du_beyond, SHIFTED, 2.0)
