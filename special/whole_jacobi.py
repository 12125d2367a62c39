"""Derivatives of Jacobi polynomials in degree and parameters at whole degrees, of plain vectors.

`P_n = (alpha + 1)_n / n! phi_n`, as in `polynomial_degree.py`, by DLMF 18.9.2 for the differences of `phi`: with
`s = alpha + beta` and `t = 2 k + s`,

    (k + alpha + 1) (k + s + 1) t rise_k = (t + 2) ((t + 1) t (x - 1) / 2 phi_k + k (k + beta) rise_(k-1)).

It is differentiated in place.  At degree 0 the derivative in the degree is that of `F(-n, n + s + 1; alpha + 1; z)`, a
series.  The functions are kernels of `degree_sweeps.sweep`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import psi

from .degree_sweeps import in_order, steps
from .jet_vectors import part
from .whole_jacobi_series import distance, march_in_degree, reaches, rises_at_degree_0

__all__ = [
    "Direction",
    "far_start",
    "is_far",
    "jacobi_along",
    "leading",
    "legendre_in_degree",
    "near_start",
    "off_cut",
    "phi_along",
    "within_reach",
]

_LOSS = 4.5
"""Where `(1 - z)**-abs(beta)` is more than the exponential of this the recurrence loses digits, and is not used."""


class Direction(NamedTuple):
    """What a derivative moves: the derivatives of `n`, `alpha` and `beta` along it."""

    n: float
    alpha: float
    beta: float


class Start(NamedTuple):
    """Where the derivative in the degree begins.

    Attributes
    ----------
    stop : array
        `1 - z = (1 + x) / 2`, or a point on the way there from where the hypergeometric equation leads on, where the
        recurrence would lose digits.
    slope, bend : array
        The derivatives of `phi_n` and `z dphi_n / dz / (alpha + beta + 1)` in `n` at `n = 0`.
    """

    stop: Any
    slope: Any
    bend: Any


def near_start(alpha: Any, beta: Any, x: Any) -> Start:
    """For the recurrence alone."""
    return _start(alpha, beta, (1 + x) / 2)


def far_start(alpha: Any, beta: Any, x: Any) -> Start:
    """For elements that all are far."""
    stop = (1 + x) / 2
    return _start(alpha, beta, np.exp(np.log(stop) * -_LOSS / (np.abs(beta) * np.log(np.abs(stop)))))


def _start(alpha: Any, beta: Any, stop: Any) -> Start:
    return Start(stop, *in_order(_at_degree_0, distance(2 * stop - 1), alpha, beta, stop))


def _at_degree_0(alpha: Any, beta: Any, stop: Any) -> Any:
    return np.stack(rises_at_degree_0(alpha, beta, 1 - stop, stop))


def phi_along(n: Any, alpha: Any, beta: Any, x: Any, along: Direction, *start: Any) -> tuple[Any, Any]:
    """`phi_n` and its derivative; where the degree moves, from the start of these elements."""
    if along.n:
        return _in_degree(n, alpha, beta, x, Start(*start))
    below = alpha + 1
    turn = ((along.alpha + along.beta) * below - (alpha + beta + 2) * along.alpha) / (below * below) * ((x - 1) / 2)
    return _climb(n, alpha, beta, x, np.zeros_like(x), turn, along)[:2]


def _climb(n: Any, alpha: Any, beta: Any, x: Any, slope: Any, turn: Any, along: Direction) -> tuple[Any, Any, Any, Any]:
    """`phi_n`, its derivative, the last rise and its derivative, from those derivatives at degree 0."""
    s, ds = alpha + beta, along.alpha + along.beta
    dt = 2 * along.n + ds
    left = (x - 1) / 2
    value, rise = np.ones_like(x), (s + 2) / (alpha + 1) * left
    for k, going in steps(n, len(x)):
        v, dv, r, dr, y, a, b = (part(p, going) for p in (value, slope, rise, turn, left, alpha, beta))
        if k:
            a, c, t, q = a + (k + 1), a + b + (k + 1), a + b + 2 * k, (b + k) * k
            weight, other, below = (t + 2) * ((t + 1) * t), (t + 2) * q, a * c * t
            u = y * v
            dr *= other
            dr += y * dv * weight
            dr += ((3 * t + 6) * t + 2) * dt * u
            dr += ((t + 2) * (along.n * (b + 2 * k) + along.beta * k) + dt * q) * r
            r *= other
            r += u * weight
            r /= below
            dr -= (((along.n + along.alpha) * c + (along.n + ds) * a) * t + a * c * dt) * r
            dr /= below
        v += r
        dv += dr
    return value, slope, rise, turn


def _in_degree(n: Any, alpha: Any, beta: Any, x: Any, start: Start) -> tuple[Any, Any]:
    """By `phi_1` next to degree 0, DLMF 18.9.17."""
    stop, slope, bend = start
    y, s, rest = 2 * stop - 1, alpha + beta, (1 + x) / 2
    one = ((alpha - beta) + (s + 2) * y) / 2
    turn = (y + (one * slope - one / (alpha + 1)) + (s + 2) * (bend * stop)) / (alpha + 1) - slope
    value, slope, rise, turn = _climb(n, alpha, beta, y, slope, turn, Direction(1, 0, 0))
    if np.all(stop == rest):
        return value, slope
    return _onwards(n, alpha, beta, value, slope, value - rise, slope - turn, stop, rest)


def _onwards(n: Any, alpha: Any, beta: Any, v: Any, dv: Any, low: Any, dlow: Any, y: Any, rest: Any) -> tuple[Any, Any]:
    """From `1 - z = y` to `rest`; the slope in `z` by DLMF 18.9.17 with `phi_(n-1)`."""
    t, middle = 2 * n + (alpha + beta), 1 - 2 * y
    below = -2 * y * (1 - y) * t
    total = ((alpha - beta) + t * middle) * v + 2 * (n + beta) * low
    turn = ((alpha - beta) + t * middle) * dv + 2 * (n + beta) * dlow + 2 * (middle * v + low)
    rise = n * total / below
    return march_in_degree(n, alpha, beta, v, dv, -rise, (2 * rise / t * below - total - n * turn) / below, y, rest)


def jacobi_along(n: Any, alpha: Any, beta: Any, x: Any, along: Direction, *start: Any) -> tuple[Any, Any]:
    """Jacobi's polynomial and its derivative."""
    value, slope = phi_along(n, alpha, beta, x, along, *start)
    end, turn = leading(n, alpha, x, along)
    return value * end, slope * end + value * turn


def leading(n: Any, a: Any, x: Any, along: Direction) -> tuple[Any, Any]:
    """`gamma(n + a + 1) / (gamma(a + 1) gamma(n + 1))`, DLMF 18.6.1, and its derivative, with `a` for `alpha`."""
    value, slope = np.ones_like(x), np.zeros_like(x)
    for k, going in steps(n, len(x)):
        v, dv, factor = part(value, going), part(slope, going), 1 + part(a, going) / (k + 1)
        if along.alpha:
            dv *= factor
            dv += v * (along.alpha / (k + 1))
        v *= factor
    return value, value * (psi(n + a + 1) - psi(n + 1)) if along.n else slope


def legendre_in_degree(n: Any, x: Any) -> Any:
    """At degree 0 it is `log((1 + x) / 2)`."""
    first = np.log((1 + x) / 2)
    return _climb(n, 0.0, 0.0, x, first, x * first + (x - 1) - first, Direction(1, 0, 0))[1]


def off_cut(x: Any) -> Any:
    """Where the derivative in the degree is one-valued."""
    return (np.real(x) > -1) | (np.imag(x) != 0)


def is_far(n: Any, beta: Any, x: Any) -> Any:
    """Where the recurrence would lose digits next to `x = -1`."""
    return (np.abs(beta) * np.log(np.abs(1 + x) / 2) < -_LOSS) & (n > 0)


def within_reach(beta: Any, x: Any) -> Any:
    """Where the derivative in the degree keeps its digits."""
    return off_cut(x) & reaches(beta, x)
