"""Derivatives of Jacobi polynomials in the degree at integer degrees, of plain vectors.

At degree 0 it is that of `F(-n, n + s + 1; alpha + 1; z)` with `s = alpha + beta`, a series; the recurrence of
`jacobi.py` leads on.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy.special import psi

from ...numerics.regions import by_region, part
from ..real_degree.degree_sweeps import PIECE, in_order, steps, sweep
from ..real_degree.jacobi_series import keeps_degree_digits
from .jacobi import Direction, climb_along, rising
from .jacobi_degree_zero import bends_at_degree_0, distance, edge, log1p, logarithm, modulus

_LOSS = 4.5
"""Where `(1 - z)**-beta` is more than the exponential of this the recurrence loses digits, and `beta` is lowered."""
_BEND = 3.0
"""So it is where this is less than its largest value on the circle of `zeta` by more than the exponential of it."""
_LIMIT = 0.98
"""The largest `abs(zeta)` at which the power series is used."""
_NEXT_TO_1 = 0.1
"""Of `x`: nearer `(1 + x) / 2` has lost digits of the logarithm."""
_HIGHEST = 1000.0
"""The largest parameter that is lowered, or stands with it."""


def legendre_in_degree(n: Any, x: Any) -> Any:
    """At degree 0 it is `log((1 + x) / 2)`."""
    first = logarithm((1 + x) / 2)
    if np.any(is_near := np.abs(x - 1) < _NEXT_TO_1):
        first[is_near] = log1p((x[is_near] - 1) / 2)
    return climb_along(n, 0.0, 0.0, x, first, (x - 1) * (first + 1), Direction(1, 0, 0))[1]


def jacobi_in_degree(n: Any, alpha: Any, beta: Any, x: Any, change: Any = 0.0) -> Any:
    """The derivative of Jacobi's polynomial in the degree, and `change` times the polynomial.

    Of numbers and vectors; `x` is a vector.
    """
    if not (type(n) is type(alpha) is type(beta) is float):
        return _in_order(n, alpha, beta, change, x)
    effort = np.abs(1 - x) if x.dtype.kind == "f" else distance((1 + x) / 2)
    return in_order(functools.partial(_in_order, n, alpha, beta, change), effort, x)


def _in_order(n: Any, alpha: Any, beta: Any, change: Any, x: Any) -> Any:
    regions = (_is_left(alpha, beta, (1 + x) / 2), _from_left), (True, _from_right)
    return by_region(regions, n, alpha, beta, change, x)


def _bends(alpha: Any, beta: Any, z: Any, rest: Any) -> Any:
    """Those of numbers are polynomials, of which a few elements may have more terms than they need."""
    if type(alpha) is type(beta) is float and len(rest) <= PIECE:
        return bends_at_degree_0(alpha, beta, z, rest)
    return in_order(bends_at_degree_0, distance(rest), alpha, beta, z, rest)


def _from_right(n: Any, alpha: Any, beta: Any, change: Any, x: Any) -> Any:
    rest = (1 + x) / 2
    derivative, bend = _bends(alpha, beta, (1 - x) / 2, rest)
    return sweep(_from_degree_0, n, alpha, beta, change, x, derivative, bend * rest)


def _from_degree_0(n: Any, alpha: Any, beta: Any, change: Any, *args: Any) -> Any:
    value, derivative, _, _ = _in_degree(n, alpha, beta, *args)
    return derivative + change * value


def _from_left(n: Any, alpha: Any, beta: Any, change: Any, x: Any) -> Any:
    """`(-1)**n` times the polynomial of `beta, alpha, -x`, with the derivative at degree 0 of the original one.

    Next to `x = -1` this is of size `(1 + x)**-beta`, and the recurrence loses that; so `beta` starts below 1, and is
    raised to its value: from the fractional part `f`, which loses `(n + 1)**(2 f)`, or from one less, which loses
    `((n + 1)**2 r)**(f - 1)`.
    """
    integer = beta // 1
    f = beta - integer
    is_high = f > 0.5
    if np.any(is_high & (f < 0.9)):
        is_high = is_high & ~((f < 0.9) & (2 * np.log(n + 1) < (f - 1) * np.log(np.abs((1 + x) / 2))))
    value, derivative = by_region([(is_high, _from_minus), (True, _from_plus)], n, alpha, beta, x)
    return derivative + change * value


def _from_plus(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    return _from_lowered(n, alpha, beta, np.maximum(beta // 1, 0.0), x)


def _from_minus(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    return _from_lowered(n, alpha, beta, beta // 1 + 1, x)


def _from_lowered(n: Any, alpha: Any, beta: Any, up: Any, x: Any) -> Any:
    rest, base = (1 + x) / 2, beta - up
    if type(beta) is float:
        base, up = float(base), float(up)
    derivative, bend = _bends(alpha, base, (1 - x) / 2, rest)
    derivative += psi(alpha + 1) - psi(base + 1)
    rows = sweep(_rows, n, base, alpha, -x, derivative, -bend * rest) * (1 - 2 * (n % 2))
    if not np.any(up):
        return rows[:2]
    return sweep(_raised, up, n, alpha, base, rest, *rows)


def _rows(*args: Any) -> Any:
    return np.stack(_in_degree(*args))


def _in_degree(n: Any, alpha: Any, beta: Any, x: Any, derivative: Any, bend: Any) -> tuple[Any, Any, Any, Any]:
    """`P_n`, its derivative, `(alpha + 1)_n / n!` times the rise to `phi_(n+1)`, and the derivative of that.

    By `phi_1` next to degree 0, DLMF 18.9.17.
    """
    s = alpha + beta
    z = (1 - x) / 2
    drise = (s + 2) / (alpha + 1) * (z / (alpha + 1) - z * derivative + bend) - 2 * z / (alpha + 1)
    value, derivative, rise, drise = climb_along(n, alpha, beta, x, derivative, drise, Direction(1, 0, 0))
    end, bend = rising(n, alpha + 1, x)[0], psi(n + (alpha + 1)) - psi(n + 1)
    value *= end
    rise *= end
    return value, derivative * end + bend * value, rise, drise * end + bend * rise


def _raised(up: Any, n: Any, alpha: Any, beta: Any, rest: Any, v: Any, dv: Any, rise: Any, drise: Any) -> Any:
    """The polynomial and its derivative at `beta + up`.

    To `beta + 1` by DLMF 18.9.6, on in `b = n + s + 1` at `a = -n`, `c = alpha + 1` by DLMF 15.5.12: `b r F(b + 1) =
    -(n + beta) F(b - 1) + (beta + (2 n + s + 1) r) F(b)` with `r = rest`.
    """
    twice = 2 * n + (alpha + beta + 2)
    factor = -(n + (beta + 1)) / (twice * rest)
    low, high = [v.copy(), dv.copy()], [factor * rise, factor * drise - (alpha - beta) / (twice**2 * rest) * rise]
    even, odd, inverse = low, high, 1 / rest
    for k, going in steps(up, len(rest)):
        if k:
            u, du, w, dw, m, a, b, r, i = (part(p, going) for p in (*low, *high, n, alpha, beta + k, rest, inverse))
            below, ahead = i / (m + a + b + 1), b + (2 * m + (a + b + 1)) * r
            du *= -(m + b)
            du += ahead * dw + 2 * r * w - u
            u *= -(m + b)
            u += ahead * w
            u *= below
            du -= r * u
            du *= below
            low, high = high, low
    return np.where(up % 2, odd, even)


def off_cut(x: Any) -> Any:
    """Where the derivative in the degree is one-valued."""
    return (np.real(x) > -1) | (np.imag(x) != 0)


def _is_left(alpha: Any, beta: Any, rest: Any) -> Any:
    """Next to `x = -1`, and where `beta` is too large.

    That is where `beta log(abs(rest)) < -_LOSS`, and on the circle `beta log(abs(rest) ((1 + c) / (1 - c))**2) > _BEND`
    for a `beta` above 1/2, with `c` the size of `zeta`.
    """
    size = modulus(rest)
    bound = np.exp(np.divide(-_LOSS, beta))
    is_left = (size < edge(alpha)) | ((beta > 0) & (size < bound))
    if rest.dtype.kind == "f" and np.all(size <= 1):
        return is_left
    is_left |= (beta < 0) & (size > bound)
    if np.all(beta <= 0.5):
        return is_left
    c = np.minimum(distance(rest), _LIMIT)
    return is_left | ((beta > 0.5) & (size * np.square((1 + c) / (1 - c)) > np.exp(np.divide(_BEND, beta))))


def within_reach(alpha: Any, beta: Any, x: Any) -> Any:
    """Where the derivative in the degree keeps its digits."""
    is_mild, is_kept = (beta > -1) & (np.maximum(np.abs(alpha), beta) <= _HIGHEST), keeps_degree_digits(alpha, beta)
    if x.dtype.kind == "f" and np.all((x > -1) & (x <= 1)) and np.all(is_mild):
        return is_kept
    rest = (1 + x) / 2
    out = is_kept & off_cut(x) & ((modulus(rest) < edge(alpha)) | (distance(rest) <= _LIMIT))
    return out if np.all(is_mild) else out & (is_mild | ~_is_left(alpha, beta, rest))
