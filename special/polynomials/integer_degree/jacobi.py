"""Jacobi polynomials of integer degree and their derivatives in the parameters, of plain vectors.

`P_n = (alpha + 1)_n / n! phi_n`, as in `real_degree/jacobi.py`, by DLMF 18.9.2 for the differences of `phi`: with
`s = alpha + beta` and `t = 2 k + s`,

    (k + alpha + 1) (k + s + 1) t rise_k = (t + 2) ((t + 1) t (x - 1) / 2 phi_k + k (k + beta) rise_(k-1)).

Computed with `sigma = (alpha + 1) + (beta + 1)` in place of `s + 2` it loses nothing where both parameters are next
to -1.  It is differentiated in place.  The functions are kernels of `degree_sweeps.sweep`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...numerics.regions import part
from ..real_degree.degree_sweeps import steps


class Direction(NamedTuple):
    """What a derivative moves: the derivatives of `n`, `alpha` and `beta` along it."""

    n: float
    alpha: float
    beta: float


def jacobi_along(n: Any, alpha: Any, beta: Any, x: Any, along: Direction) -> tuple[Any, Any]:
    """Jacobi's polynomial and its derivative in the parameters."""
    value, derivative = phi_along(n, alpha, beta, x, along)
    end, change = rising(n, alpha + 1, x, along.alpha)
    return value * end, derivative * end + value * change


def phi_along(n: Any, alpha: Any, beta: Any, x: Any, along: Direction) -> tuple[Any, Any]:
    """`phi_n` and its derivative in the parameters."""
    below = alpha + 1
    drise = (along.beta * below - along.alpha * (beta + 1)) / (below * below) * ((x - 1) / 2)
    return climb_along(n, alpha, beta, x, np.zeros_like(x), drise, along)[:2]


def phi(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """`phi_n`."""
    sigma, left = (alpha + 1) + (beta + 1), (x - 1) / 2
    value, rise = np.ones_like(x), sigma / (alpha + 1) * left
    for last, going in steps(n, len(x)):
        k = last + 1
        v, r, y, a, b, total = (part(p, going) for p in (value, rise, left, alpha, beta, sigma))
        v += r
        ratio = (total + 2 * k) / ((a + (k + 1)) * (total + (k - 1)))
        r *= ratio * (k * (b + k)) / (total + (2 * k - 2))
        r += y * v * (ratio * (total + (2 * k - 1)))
    return value


def climb_along(
    n: Any, alpha: Any, beta: Any, x: Any, derivative: Any, drise: Any, along: Direction
) -> tuple[Any, Any, Any, Any]:
    """`phi_n`, its derivative, the rise to `phi_(n+1)` and its derivative, from those derivatives at degree 0."""
    sigma, left = (alpha + 1) + (beta + 1), (x - 1) / 2
    value, rise = np.ones_like(x), sigma / (alpha + 1) * left
    for last, going in steps(n, len(x)):
        k = last + 1
        v, dv, r, dr, y, a, b, total = (
            part(p, going) for p in (value, derivative, rise, drise, left, alpha, beta, sigma)
        )
        v += r
        dv += dr
        first, other, dfirst, dother = _coefficients(k, a, b, total, along)
        u = y * v
        w = y * dv
        dr *= other
        w *= first
        dr += w
        dr += u * dfirst
        dr += r * dother
        r *= other
        u *= first
        r += u
    return value, derivative, rise, drise


def _coefficients(k: int, a: Any, b: Any, sigma: Any, along: Direction) -> tuple[Any, Any, Any, Any]:
    """Of `(x - 1) / 2 phi_k` and `rise_(k-1)` in `rise_k`, and their derivatives."""
    dn, da, db = along.n, along.n + along.alpha, along.n + along.beta
    dc, dt = da + along.beta, da + db
    a, c, t = a + (k + 1), sigma + (k - 1), sigma + (2 * k - 2)
    ratio = t + 2
    bend = dt / ratio
    bend -= dc / c
    if da:
        bend -= da / a
    a *= c
    ratio /= a
    first, other = t + 1, ratio / t
    dfirst = dt / first
    dfirst += bend
    first *= ratio
    dfirst *= first
    bend -= dt / t
    bend += dn / k
    other *= k
    dother = other * db
    other *= b + k
    bend *= other
    dother += bend
    return first, other, dfirst, dother


def rising(n: Any, c: Any, x: Any, dc: float = 0) -> tuple[Any, Any]:
    """`(c)_n / n!` and its derivative along that of `c`; of numbers it is one, of which the sizes of `x` do not matter.

    At `c = alpha + 1` it is Jacobi's polynomial at 1, DLMF 18.6.1, and at `c = 2 alpha` Gegenbauer's.
    """
    if type(n) is type(c) is float:
        x = np.ones(1)  # all elements are one number
    value, derivative = np.ones_like(x.real), np.zeros_like(x.real)
    for k, going in steps(n, len(x)):
        v, dv, factor = part(value, going), part(derivative, going), (part(c, going) + k) / (k + 1)
        if dc:
            dv *= factor
            dv += v * (dc / (k + 1))
        v *= factor
    return value, derivative
