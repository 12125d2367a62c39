"""The first derivatives of the incomplete beta function in its shapes, by a series and by quadrature.

At `x = 1 - y <= 1/2`, to which `1 - betainc(b, a, y)` leads, where `b x <= 2` (DLMF 8.17.7)

    betainc(a, b, x) = x**a / B(a, b) sum_n u_n / (a + n),    u_n = (1 - b)_n x**n / n!,

of which little cancels.  Elsewhere with `x = X / (1 + X)`, `s = x e**-t` and `l = log((1 - s) / y) =
log(1 + X (1 - e**-t))`

    d/da betainc(a, b, x) = x**a y**(b - 1) / B(a, b) int_0^inf e**(-a t + (b - 1) l) r dt

with `r = log(x) - t - psi(a) + psi(a + b)`; in the derivative in `b` instead `r = log(y) + l - psi(b) + psi(a + b)`.
The exponent falls from 0 where `x` is less than the mean `a / (a + b)`; beyond the mean the distribution of `1 - x` is
taken.  A derivative of 10,000 elements takes 3.3 times less time so than by the contour, and of one 8 times.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from ..numerics.devices import constants_like
from ..numerics.stirling_powers import beta_power
from .digamma_differences import digamma_difference

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_NODES = 32
_SMALLEST_TERM = 1e-18
_LARGE = 200.0
"""Shapes whose sum is more multiply the rounding errors of `t` and `l`."""
_SMALL = 20.0
"""Shapes whose sum is less need no care about the rounding of their product with a logarithm."""
_LEAST = 1e-305
"""Of the shapes: what the series multiplies by a smaller one may not be a normal number."""
_CHUNK, _CHUNK_OF_SERIES = 512, 2048
"""So many elements at a time: what is computed of them, at all nodes, stays in the cache."""


@cache
def _rule() -> tuple[Any, Any]:
    """Of Gauss and Legendre in the root of `t`, as the integrand changes fastest near 0."""
    z, weights = np.polynomial.legendre.leggauss(_NODES)
    root = (1 + z) / 2
    return root * root, weights * root


def is_moderate(a: Any, b: Any, odds: Any) -> Any:
    """Where `first_derivative` is accurate: of two huge shapes a rounding of the odds, and of their inverse, counts."""
    less = np.minimum(a, b)
    shapes = (less > _LEAST) & (less <= 1e8) & (np.maximum(a, b) <= 1e15)
    return shapes & (odds > 1e-300) & (odds < 1e300)


def first_derivative(a: Any, b: Any, odds: Any, *, in_first: bool) -> Any:
    """The derivative in `a`, or in `b`, of one-dimensional arrays of equal length."""
    is_left = odds <= 1
    less = np.where(is_left, odds, 1 / odds)
    is_short = np.where(is_left, b, a) * less <= 2 * (1 + less)
    is_left = np.where(is_short, is_left, odds * b <= a)
    odds = np.where(is_left, odds, 1 / odds)
    a, b, is_first = np.where(is_left, a, b), np.where(is_left, b, a), is_left == in_first
    method = np.where(is_short, 0, np.where(a + b <= _LARGE, 2, 4)) + is_first
    out = np.empty_like(a)
    for k, derivative in enumerate((_series, _integral, _large_integral)):
        at_once = _CHUNK if k else _CHUNK_OF_SERIES
        for first in (False, True):
            indices = np.flatnonzero(method == 2 * k + first)
            indices = indices[np.argsort(odds[indices])]
            for start in range(0, len(indices), at_once):
                at = indices[start : start + at_once]
                out[at] = derivative(a[at], b[at], odds[at], first)
    return np.where(is_left, out, -out)


def first_derivative_at_short(a: Any, b: Any, odds: Any) -> tuple[Any, Any]:
    """The derivative in `a`, and `x**a y**b / B(a, b)`, of vectors, where `odds <= 1` and `b x` is small."""
    out, power, is_small = np.empty_like(a), np.empty_like(a), a + b <= _SMALL
    for indices in (np.flatnonzero(is_small), np.flatnonzero(~is_small)):
        indices = indices[np.argsort(odds[indices])]
        for start in range(0, len(indices), _CHUNK_OF_SERIES):
            at = indices[start : start + _CHUNK_OF_SERIES]
            power[at] = _power(a[at], b[at], odds[at])[0]
            out[at] = _series(a[at], b[at], odds[at], True, power[at])
    return out, power


def _series(a: Any, b: Any, odds: Any, first: bool, power: Any = None) -> Any:
    """By the terms from the second on of the sums of `u_n / (a + n)`, and `u_n / (a + n)**2` or `u_n' / (a + n)`."""
    x = odds / (1 + odds)
    bx = b * x
    total, other = np.zeros_like(a), np.zeros_like(a)
    u, first_derivative = np.ones_like(a), np.zeros_like(a)
    done = 0
    while done < 4 or np.max(np.abs(u)) + np.max(np.abs(first_derivative)) > _SMALLEST_TERM:
        done += 4
        for n in range(done - 3, done + 1):
            inverse = 1 / (a + n)
            factor = x - bx * (1 / n)
            if not first:
                first_derivative *= factor
                first_derivative -= u * (x * (1 / n))
            u *= factor
            term = u * inverse
            total += term
            other += -term * inverse if first else first_derivative * inverse
    lead = np.log(x) - digamma(a + 1) + digamma(a + b) if first else digamma_difference(b, a)
    rest = total + a * other if first else a * other
    power = (_power(a, b, odds)[0] if power is None else power) * np.exp(b * np.log1p(odds))
    return power / a * (lead * (1 + a * total) + rest)


def _power(a: Any, b: Any, odds: Any) -> tuple[Any, Any, Any]:
    """`x**a y**b / B(a, b)`, and its logarithmic derivatives in `a` and `b`."""
    both = a + b
    if np.max(both) > _SMALL:
        return beta_power(a, b, odds)
    log_x, log_y, rate = -np.log1p(1 / odds), -np.log1p(odds), digamma(both)
    power = np.exp(a * log_x + b * log_y + (gammaln(both) - gammaln(a) - gammaln(b)))
    return power, log_x - digamma(a) + rate, log_y - digamma(b) + rate


def _integral(a: Any, b: Any, odds: Any, first: bool, rise: Callable[..., Any] | None = None) -> Any:
    """By quadrature."""
    rise = rise or _rise
    power, *offsets = _power(a, b, odds)
    far = _end(a, b - 1, odds)
    nodes, weights = (constants_like(x, far) for x in _rule())
    t = np.multiply.outer(nodes, far)
    l = rise(t, odds)
    height = l * (b - 1)
    t *= a
    height -= t
    np.exp(height, out=height)
    integral = weights @ height
    if first:
        changed = (weights * nodes) @ height * -far
    else:
        height *= l
        changed = weights @ height
    return far * (1 + odds) * power * (offsets[0 if first else 1] * integral + changed)


def _large_integral(a: Any, b: Any, odds: Any, first: bool) -> Any:
    return _integral(a, b, odds, first, lambda t, odds: np.log1p(-odds * np.expm1(-t)))


def _rise(t: Any, odds: Any) -> Any:
    """`l`."""
    out = np.exp(-t)
    np.subtract(1, out, out=out)
    out *= odds
    out += 1
    return np.log(out, out=out)


def _end(a: Any, c: Any, odds: Any) -> Any:
    """Where the integrand is negligible, by Newton's method from the Gaussian's: the exponent is convex."""
    first_derivative, curve = a - c * odds, np.maximum(c, 0.0) * odds * (1 + odds)
    t = 2 * _DEPTH / (first_derivative + np.sqrt(first_derivative * first_derivative + 2 * _DEPTH * curve))
    for _ in range(3):
        rise = _rise(t, odds)
        first_derivative = a + c - c * (1 + odds) * np.exp(-rise)
        t = t - (a * t - c * rise - _DEPTH) / first_derivative
    return t
