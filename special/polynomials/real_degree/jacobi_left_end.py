"""The hypergeometric function of a Jacobi function next to `x = -1`, from its value and its derivative nearby.

In `y = 1 - z` with `theta = y d / dy` and `beta = a + b - c` its equation, DLMF 15.10.1, is `theta (theta + beta) F =
y (theta + a) (theta + b) F`, with the exponents 0 and `-beta` at 0. They may differ by an integer, where the powers of
the one are not a solution, or nearly so. With `m` the integer next to `-beta`, `delta = beta + m` and

    psi = (1 - u**-delta) / delta,    u = y / y_0,    theta psi = 1 - delta psi,

which is `log(u)` at `delta = 0`, the solutions are `F = sum u**j (p_j + q_j psi)` without any small denominators, of
`m >= 0`: as `theta` makes of the coefficients `(j p + q, (j - delta) q)`,

    j (j + delta - m) p_j + (2 j - m) q_j = r,    (j - delta) (j - m) q_j = s,

`r` and `s` the same of `y_0 (theta + a) (theta + b)` of the term before. `p_0` and `p_m` are free, of `m = 0` `p_0` and
`q_0`: what is known at `y_0` tells them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.jets import Jet, exponential
from ...numerics.regions import by_region, part, plain, replaced

_NEAREST, _GROWTH, _FARTHEST_EXPONENT = 0.05, 2.0, 40
"""The largest `|y_0|`; the largest ratio of terms in their beginning; the largest `|beta|`."""
_TERMS = 30
"""Apart from those between the exponents."""
_POWERS = 20
"""Of a series of an exponential function, at arguments less than 1."""


def nearness(a: Any, b: Any, c: Any) -> Any:
    """The largest `|y_0|` of plain parameters."""
    m = np.abs(a + b - c)
    limit = np.minimum(_NEAREST, _GROWTH * (1 + m) / ((1 + np.abs(a) + m) * (1 + np.abs(b) + m)))
    return np.where(m <= _FARTHEST_EXPONENT, limit, 0.0)


def onto_left_end(a: Any, b: Any, c: Any, value: Any, derivative: Any, start: Any, rest: Any) -> tuple[Any, Any]:
    """`F` and its derivative `theta F` at `y = rest`, by those at `y_0 = start`."""
    integer = np.rint(plain(c) - plain(a) - plain(b)) + 0 * np.real(raw(rest))
    for m in np.unique(integer):
        (here,) = np.nonzero(integer == m)
        parts = [part(p, here) for p in (a, b, a + b - c, value, derivative, start, rest)]
        found = (_by_dominant if m < 0 else _of_integer)(int(m), *parts)
        value, derivative = (replaced(x, here, piece) for x, piece in zip((value, derivative), found, strict=True))
    return value, derivative


def _by_dominant(
    m: int, a: Any, b: Any, beta: Any, value: Any, derivative: Any, start: Any, rest: Any
) -> tuple[Any, Any]:
    """By `G = u**beta F`, whose equation has `a - beta`, `b - beta` and `-beta`."""
    value, derivative = _of_integer(-m, a - beta, b - beta, -beta, value, derivative + beta * value, start, rest)
    factor = _exponential(-beta * np.log(rest / start))
    return factor * value, factor * (derivative - beta * value)


def _of_integer(
    m: int, a: Any, b: Any, beta: Any, value: Any, derivative: Any, start: Any, rest: Any
) -> tuple[Any, Any]:
    delta = beta + float(m)
    both = [_coefficients(m, a, b, delta, start, is_second) for is_second in (False, True)]
    (f, f_derivative), (g, g_derivative) = (_sums(rows, 1.0, 0.0, 1.0) for rows in both)
    determinant = f * g_derivative - g * f_derivative
    first, second = (
        (value * g_derivative - derivative * g) / determinant,
        (derivative * f - value * f_derivative) / determinant,
    )
    ratio = rest / start
    logarithm = np.log(ratio)
    is_small = np.abs(plain(delta) * raw(logarithm)) < 1
    psi = by_region([(is_small, _psi_by_powers), (True, _psi)], delta, logarithm)
    power = _exponential(-delta * logarithm)
    (f, f_derivative), (g, g_derivative) = (_sums(rows, ratio, psi, power) for rows in both)
    return first * f + second * g, first * f_derivative + second * g_derivative


def _coefficients(m: int, a: Any, b: Any, delta: Any, start: Any, is_second: bool) -> list[tuple[float, Any, Any]]:
    """`j, p_j, q_j` from `p_0 = 1` or `p_m = 1` on, the other of which is 0; of `m = 0` from `q_0 = 1` for `p_m`."""
    zero = 0.0 * (delta + start)
    p, q, opening = zero + 1.0, zero, 0
    if is_second:
        p, q, opening = (zero + 1.0, zero - delta, m) if m else (zero, zero + 1.0, 0)
    rows = [(float(opening), p, q)]
    for k in range(opening, m + _TERMS):
        p, q = (p * (b + float(k)) + q) * start, q * ((b + float(k)) - delta) * start
        p, q = p * (a + float(k)) + q, q * ((a + float(k)) - delta)
        j = k + 1.0
        if j == m:
            p, q = zero, p / j
        else:
            q = q / ((j - delta) * (j - m))
            p = (p - q * (2 * j - m)) / ((delta + (j - m)) * j)
        rows.append((j, p, q))
    return rows


def _sums(rows: list[tuple[float, Any, Any]], u: Any, psi: Any, power: Any) -> tuple[Any, Any]:
    """`sum u**j (p_j + q_j psi)` and `theta` of it, where `power` is `1 - delta psi`."""
    total = derivative = 0.0
    for j, p, q in reversed(rows):
        term = p + q * psi
        total, derivative = total * u + term, derivative * u + (term * j + q * power)
    factor = u ** int(rows[0][0])
    return total * factor, derivative * factor


def _exponential(x: Any) -> Any:
    return exponential(x) if isinstance(x, Jet) else np.exp(x)


def _psi(delta: Any, logarithm: Any) -> Any:
    return (1.0 - _exponential(-delta * logarithm)) / delta


def _psi_by_powers(delta: Any, logarithm: Any) -> Any:
    ratio = -delta * logarithm
    total = ratio * 0.0 + 1.0
    for k in range(_POWERS, 1, -1):
        total = total * ratio * (1 / k) + 1.0
    return total * logarithm
