"""Jacobi and Legendre functions of real degree, with their derivatives in degree, parameters and argument.

`P_n = (alpha + 1)_n / n! phi_n` with `phi_n = F(-n, n + alpha + beta + 1; alpha + 1; z)`, `z = (1 - x) / 2`, DLMF
15.9.1 and 18.5.7 at real `n`. `phi` does not change when `n` becomes `-n - alpha - beta - 1`, so the degree may be
taken as the larger of both. Then

* the series gives `phi` at the fractional part of the degree and one above, at `z` or on the way to it, where no term
  is larger than the sum by much;
* the recurrence DLMF 18.9.2 leads up to the degree; `phi` is not the minimal solution, so that is stable;
* the Taylor series of the hypergeometric equation leads on to `z`, straight in `log(1 - z)`, so never closer to the
  singular point `x = -1` than it must. Towards that point, and away from the interval, `phi` of a real degree is
  dominant, so that is stable too.

A degree that is whole, and is not differentiated, needs the recurrence alone, everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gamma, loggamma, poch, rgamma

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.errors import NotDifferentiableError
from .parameters import flat, march

__all__ = [
    "associated_legendre_function",
    "gegenbauer_function",
    "jacobi_function",
    "legendre_function",
    "rising",
    "shifted_jacobi_function",
    "value_at_one",
]

_RATIO = 0.35
"""A step of the march at most, as a part of the distance to the next singular point."""
_PHASE = 2.0
"""A step of the march may not see more than this change of phase, for the terms of its series cancel."""
_TINY = 1e-18
_MOST_STEPS = 5000
_MOST_TERMS = 5000
_LARGE = 50.0
"""From this degree on by Stirling's series."""


def jacobi_phi(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """`F(-n, n + alpha + beta + 1; alpha + 1; (1 - x) / 2)`."""
    shape, (n, alpha, beta, x) = flat(n, alpha, beta, x)
    if raw(x).size == 0:
        return np.reshape(x + 0 * n, shape)
    z, rest = (1 - x) / 2, (1 + x) / 2
    on_cut = (np.imag(raw(z)) == 0) & (np.real(raw(z)) >= 1)
    is_polynomial = (raw(n) >= 0) & (raw(n) == np.floor(raw(n))) & (not isinstance(n, Traced))
    if np.any(on_cut & ~is_polynomial):
        raise NotDifferentiableError(
            "a Jacobi function",
            "at x <= -1 it is on its branch cut, unless the degree is a constant whole number. Pass complex x to "
            "choose a side of the cut",
            "n",
        )
    s = alpha + beta
    if np.any(((raw(alpha) <= -1) | (raw(s) <= -2)) & ~is_polynomial):
        raise NotDifferentiableError(
            "a Jacobi function", "of real degree it is computed for alpha > -1 and alpha + beta > -2 only", "n"
        )
    n = np.where(raw(2 * n + s + 1) < 0, -n - s - 1, n)
    polynomial = _recurrence(n, alpha, beta, x, *_polynomials(alpha, s, x))[0] if np.any(is_polynomial) else 1.0
    if np.all(is_polynomial):
        return np.reshape(polynomial, shape)
    z, rest = np.where(is_polynomial, 0.0, z), np.where(is_polynomial, 1.0, rest)
    t = _start(raw(alpha), raw(s), raw(z))
    reached = t == 1
    first = np.where(reached, z, raw(z) * t)
    value, slope = _first_point(n, alpha, beta, first, reached)
    path = _path(raw(n), raw(alpha), raw(beta), np.where(reached, raw(rest), 1 - raw(first)), raw(rest))
    value, _ = march(path, rest, value, -slope, _taylor, -n * (n + s + 1), s + 1, alpha + 1)
    return np.reshape(np.where(is_polynomial, polynomial, value), shape)


def _polynomials(alpha: Any, s: Any, x: Any) -> tuple[Any, Any]:
    """`phi_0` and `phi_1`."""
    return 1 + 0 * x, 1 - (s + 2) / (alpha + 1) * (1 - x) / 2


def _start(alpha: Any, s: Any, z: Any) -> Any:
    """How far on the way to `z` the series is used; its terms have one sign where `z` is positive."""
    is_positive = (np.imag(z) == 0) & (np.real(z) >= 0)
    reach = np.minimum(0.5, np.where(is_positive, 4.0, 2 * (alpha + 1)) / (np.abs(s) + 3))
    return np.minimum(1.0, reach / np.maximum(np.abs(z), 1e-300))


def _whole(n: Any) -> Any:
    return np.maximum(np.floor(raw(n)), 0.0)


def _first_point(n: Any, alpha: Any, beta: Any, y: Any, reached: Any) -> tuple[Any, Any]:
    """`phi` at `y` and, where that is not the end of the way, `d phi / dy`."""
    s = alpha + beta
    fraction = n - _whole(n)
    first, slope = _series(-fraction, fraction + s + 1, alpha + 1, y)
    above = _whole(n) > 0
    if not np.any(above):
        return first, slope
    second, _ = _series(-fraction - 1, fraction + s + 2, alpha + 1, y, with_slope=False)
    x = 1 - 2 * y
    value, lower = _recurrence(n, alpha, beta, x, first, second)
    # DLMF 18.9.17
    divisor = np.where(above & ~reached, -2 * (2 * n + s) * y * (1 - y), 1.0)
    rise = (n * (alpha - beta - (2 * n + s) * x) * value + 2 * n * (n + beta) * lower) / divisor
    return value, np.where(above, rise, slope)


def _series(a: Any, b: Any, c: Any, z: Any, with_slope: bool = True) -> tuple[Any, Any]:
    """`F(a, b; c; z)` and `dF / dz`; `(a + k) (b + k)` goes from term to term by its differences, which grow by 2."""
    term: Any = 1 + 0 * (a * z)
    value, slope = term, 0.0
    numerator, difference = a * b, a + b
    for k in range(_terms(a, b, c, z)):
        term = term * (numerator * (1 / ((c + k) * (k + 1))))
        if with_slope:
            slope = slope + (k + 1) * term
        term = term * z
        value = value + term
        numerator = numerator + (difference + (2 * k + 1))
    return value, slope


def _terms(a: Any, b: Any, c: Any, z: Any) -> int:
    """How many terms the series needs, by a majorant."""
    a, b = float(np.max(np.abs(raw(a)))) + 1, float(np.max(np.abs(raw(b)))) + 1
    c, z = float(np.min(np.abs(raw(c)))), float(np.max(np.abs(raw(z))))
    term, largest, k = 1.0, 1.0, 0
    while term > _TINY * largest and k < _MOST_TERMS:
        term *= (a + k) * (b + k) / ((c + k) * (k + 1)) * z
        largest = max(largest, term)
        k += 1
    return k


def _recurrence(n: Any, alpha: Any, beta: Any, x: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """`phi_n` and `phi_(n-1)` from those at the fractional part of the degree and one above; DLMF 18.9.2."""
    whole = _whole(n)
    fraction = n - whole
    s = alpha + beta
    asymmetry = (alpha - beta) * s
    value, lower = np.where(whole == 0, first, second), np.where(whole == 0, 0.0, first)
    for k in range(1, int(np.max(whole))):
        m = fraction + k
        twice = 2 * m + s
        upper = (twice + 1) * (twice * (twice + 2) * x + asymmetry) * value - 2 * m * (m + beta) * (twice + 2) * lower
        upper = upper / (2 * (m + 1 + alpha) * (m + s + 1) * twice)
        goes_on = whole > k
        value, lower = np.where(goes_on, upper, value), np.where(goes_on, value, lower)
    return value, lower


def _path(n: Any, alpha: Any, beta: Any, left: Any, rest: Any) -> list[Any]:
    """The values of `1 - z` between which the march goes, from `left` to `rest`."""
    ratio = np.minimum(_RATIO, 10 / (np.abs(alpha) + np.abs(beta) + 1))
    frequency = np.sqrt(np.abs(n * (n + alpha + beta + 1))) + 1e-300
    points = [left]
    while np.any(left != rest) and len(points) < _MOST_STEPS:
        to_zero, to_one = np.abs(1 - left), np.abs(left)
        step = np.minimum(ratio * np.minimum(to_zero, to_one), _PHASE / frequency * np.sqrt(to_zero * to_one))
        way = np.log(rest / left)
        part = step / (to_one * np.abs(way) + 1e-300)
        left = np.where(part < 1, left * np.exp(np.minimum(part, 1.0) * way), rest)
        points.append(left)
    return points


def _taylor(left: Any, h: Any, value: Any, slope: Any, product: Any, total: Any, c: Any) -> tuple[Any, Any]:
    """The solution of the hypergeometric equation, DLMF 15.10.1, and its slope, as functions of `1 - z`.

    With `product = a b`, `total = a + b` and `g_k` the terms of its Taylor series at `y = left = 1 - z`,
    `(k + 2) (k + 1) y (1 - y) g_(k+2) = (k**2 + k total + product) h**2 g_k - (k + 1) (k (1 - 2 y) + total + 1 - c
    - (total + 1) y) h g_(k+1)`.
    """
    y = 1 - left
    scale = h / (y * left)
    linear, constant = (y - left) * scale, ((total + 1) * y - c) * scale
    square = h * scale
    product, total_square = product * square, total * square
    ratio = float(np.max(np.abs(raw(h)) / np.minimum(np.abs(y), np.abs(left)), initial=0.0))
    g, following = value, slope * h
    value, rise = g + following, following
    for k in range(_step_terms(raw(total - c), raw(c), ratio)):
        upper = (product + (k * (k * square + total_square))) * g - ((k + 1) * (k * linear + constant)) * following
        g, following = following, upper * (1.0 / ((k + 2) * (k + 1)))
        value = value + following
        rise = rise + (k + 2) * following
    return value, rise / h


def _step_terms(beta: Any, c: Any, ratio: float) -> int:
    """How many terms a step needs: they fall as those of `(1 - ratio t)**-p exp(phase t)`, `p` a singular exponent."""
    p = max(float(np.max(np.abs(beta))), float(np.max(np.abs(c)))) + 2
    term, largest, k = 1.0, 1.0, 0
    while term > _TINY * largest:
        term *= ((p + k) * ratio + _PHASE) / (k + 1)
        largest = max(largest, term)
        k += 1
    return k


def rising(z: Any, n: Any) -> Any:
    """`gamma(z + n) / gamma(z)`, also where both are infinite."""
    is_small = raw(z + 0 * n) < 1
    small = gamma(np.where(is_small, z + n, 1.0)) * rgamma(np.where(is_small, z, 1.0))
    return np.where(is_small, small, poch(np.where(is_small, 1.0, z), n))


def value_at_one(n: Any, alpha: Any) -> Any:
    """`gamma(n + alpha + 1) / (gamma(alpha + 1) gamma(n + 1))`, DLMF 18.6.1.

    At a large degree by the difference of two of Stirling's series, DLMF 5.11.3, without the parts that cancel.
    """
    shape, (n, alpha) = flat(n, alpha)
    swapped = raw(alpha).real > raw(n).real
    top, low = np.where(swapped, alpha, n), np.where(swapped, n, alpha)
    is_large = (raw(top).real > _LARGE) & (raw(low).real > -_LARGE / 2)
    z, a = np.where(is_large, top + 1, 2 * _LARGE), np.where(is_large, low, 0.0)
    exponent = (z - 0.5) * np.log1p(a / z) + a * (np.log(z + a) - 1) + _stirling(z + a) - _stirling(z)
    is_huge = raw(a).real > 2 * _LARGE
    by_two = np.exp(exponent - loggamma(np.where(is_huge, a + 1, 1.0))) * rgamma(np.where(is_huge, 1.0, a + 1))
    m, b = np.where(is_large, 0.0, n), np.where(is_large, 0.0, alpha)
    return np.reshape(np.where(is_large, by_two, rising(b + 1, m) * rgamma(m + 1)), shape)


def _stirling(z: Any) -> Any:
    """What Stirling's series adds to `(z - 1/2) log(z) - z + log(2 pi) / 2`."""
    return (1 - (1 / 30 - 1 / (105 * z**2)) / z**2) / (12 * z)


def legendre_function(n: Any, x: Any) -> Any:
    """Legendre's function of the first kind, DLMF 14.3.1."""
    return jacobi_phi(n, 0.0, 0.0, x)


def jacobi_function(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Jacobi's function of real degree."""
    return value_at_one(n, alpha) * jacobi_phi(n, alpha, beta, x)


def gegenbauer_function(n: Any, alpha: Any, x: Any) -> Any:
    """Gegenbauer's function of real degree, DLMF 15.9.2."""
    return value_at_one(n, 2 * alpha - 1) * jacobi_phi(n, alpha - 0.5, alpha - 0.5, x)


def shifted_jacobi_function(n: Any, p: Any, q: Any, x: Any) -> Any:
    """`n! gamma(n + p) / gamma(2 n + p)` times Jacobi's function of `n, p - q, q - 1, 2 x - 1`."""
    factor = value_at_one(n, p - q) / value_at_one(n, n + p - 1)
    return factor * jacobi_phi(n, p - q, q - 1, 2 * x - 1)


def associated_legendre_function(m: Any, v: Any, x: Any) -> Any:
    """Ferrers' function of the first kind, of whole order and real degree; DLMF 14.3.1 and 14.9.3."""
    order = np.abs(raw(m))
    v = np.where(raw(v) < -0.5, -1 - v, v)
    value = ((1 - x) / (1 + x)) ** (order / 2) * rgamma(order + 1) * jacobi_phi(v, order, -order, x)
    for k in range(1, int(np.max(raw(m), initial=0)) + 1):
        value = value * np.where(raw(m) >= k, -(v + k) * (v - k + 1), 1.0)
    return value
