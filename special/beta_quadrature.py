"""The first derivatives of the incomplete beta function in its shapes where both are moderate, by quadrature.

At `x = X / (1 + X) = 1 - y` with `s = x e**-t` and `l = log((1 - s) / y) = log(1 + X (1 - e**-t))`

    d/da betainc(a, b, x) = x**a y**(b - 1) / B(a, b) int_0^inf e**(-a t + (b - 1) l) r dt

with `r = log(x) - t - psi(a) + psi(a + b)`; in the derivative in `b` instead `r = log(y) + l - psi(b) + psi(a + b)`.
The exponent falls from 0 where `x` is less than the mean `a / (a + b)`; beyond the mean the distribution of `1 - x` is
taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import betaln, digamma

from ..backends import backend_of

__all__ = ["first_derivative", "is_moderate"]

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_NODES = 34
_SMALLEST = 0.5
"""A shape below is raised by one."""
_CHUNK = 512
"""So many elements at a time: what is computed of them at all nodes stays in the cache."""


def _rule() -> tuple[Any, Any]:
    """Of Gauss and Legendre in the root of `t`, as the integrand changes fastest near 0."""
    z, weights = np.polynomial.legendre.leggauss(_NODES)
    root = (1 + z) / 2
    return root * root, weights * root


_PLACES, _WEIGHTS = _rule()


def is_moderate(a: Any, b: Any, odds: Any) -> Any:
    """Where `first_derivative` is accurate."""
    return (np.minimum(a, b) >= 0.1) & (np.maximum(a, b) <= 100) & (odds > 1e-300) & (odds < 1e300)


def first_derivative(a: Any, b: Any, odds: Any, *, in_first: bool) -> Any:
    """The derivative in `a`, or in `b`, of one-dimensional arrays of equal length."""
    up_a, up_b = a < _SMALLEST, b < _SMALLEST
    out = _integral(a + up_a, b + up_b, odds, in_first)
    at = np.flatnonzero(up_a | up_b)
    if len(at):
        a, b, odds, up_a, up_b = a[at], b[at], odds[at], up_a[at], up_b[at]
        out[at] += up_a * _step(a, b, odds, in_first) - up_b * _step(b, a + up_a, 1 / odds, not in_first)
    return out


def _step(a: Any, b: Any, odds: Any, in_first: bool) -> Any:
    """The derivative of `betainc(a, b, x) - betainc(a + 1, b, x) = x**a y**b / (a B(a, b))`, DLMF 8.17.20."""
    log_y = -np.log1p(odds)
    log_x = log_y + np.log(odds)
    rate = log_x - digamma(a + 1) if in_first else log_y - digamma(b)
    return np.exp(a * log_x + b * log_y - betaln(a, b)) / a * (rate + digamma(a + b))


def _integral(a: Any, b: Any, odds: Any, in_first: bool) -> Any:
    """The same where no shape is small."""
    is_left = odds * b <= a
    a, b = np.where(is_left, a, b), np.where(is_left, b, a)
    odds = np.where(is_left, odds, 1 / odds)
    log_y = -np.log1p(odds)
    log_x = log_y + np.log(odds)
    is_first = is_left == in_first
    shape = np.where(is_first, a, b)
    offset = np.where(is_first, log_x, log_y) + digamma(a + b) - digamma(shape)
    far = _end(a, b - 1, odds, log_y)
    total = np.empty_like(a)
    for k in range(0, len(a), _CHUNK):
        piece = slice(k, k + _CHUNK)
        total[piece] = _sum(a[piece], b[piece] - 1, odds[piece], far[piece], offset[piece], is_first[piece])
    return np.where(is_left, far, -far) * np.exp(a * log_x + (b - 1) * log_y - betaln(a, b)) * total


def _sum(a: Any, c: Any, odds: Any, far: Any, offset: Any, is_first: Any) -> Any:
    """Of the nodes."""
    constant = backend_of(far).namespace.asarray
    places, weights = constant(_PLACES), constant(_WEIGHTS)
    t = np.multiply.outer(places, far)
    rise = _rise(t, odds)
    height = rise * c
    t *= a
    height -= t
    np.exp(height, out=height)
    first = (weights * places) @ height * -far
    second = np.einsum("k,ki,ki->i", weights, height, rise)
    return offset * (weights @ height) + np.where(is_first, first, second)


def _rise(t: Any, odds: Any) -> Any:
    """`l`."""
    out = np.exp(-t)
    np.subtract(1, out, out=out)
    out *= odds
    out += 1
    return np.log(out, out=out)


def _end(a: Any, c: Any, odds: Any, log_y: Any) -> Any:
    """Where the integrand is negligible, by Newton's method from above: the exponent is convex."""
    t = (_DEPTH - np.maximum(c, 0.0) * log_y) / a
    for _ in range(3):
        rise = _rise(t, odds)
        slope = a + c - c * (1 + odds) * np.exp(-rise)
        t = t - (a * t - c * rise - _DEPTH) / slope
    return t
