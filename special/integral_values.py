"""Better values of integrals of Bessel, Airy and Struve functions, where SciPy's algorithms lose digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from . import bessel_integrals
from .bessel_moments import BESSEL_MOMENTS
from .improved import with_kernel
from .improved_pairs import ImprovedPair
from .regions import by_region

__all__ = [
    "besselpoly",
    "it2i0k0",
    "it2j0y0",
    "it2struve0",
    "itairy",
    "iti0k0",
    "itj0y0",
    "itmodstruve0",
    "itstruve0",
]


# integrals marched by Taylor series from the nearest point of a grid, where they are known

_STEP = 0.5
_TERMS = 18
_FEWER_TERMS = 13
"""Enough from 4 on, further from the singular point."""


def _between(f: Callable[[Any], tuple[Any, ...]], points: Any) -> Any:
    """The integrals of functions between neighbouring points, by Gauss and Legendre's rule."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    places = (points[:-1, None] + points[1:, None] + _STEP * nodes) / 2
    return np.stack([values @ weights for values in f(places)]) * (_STEP / 2)


_AIRY_END = 10.0


@cache
def _airy_table() -> Any:
    """At `-10, -9.5, .., 10`: the integral from 0, the function and its slope; of Ai and of Bi."""
    points = np.arange(-_AIRY_END, _AIRY_END + _STEP, _STEP)
    ai, slope_of_ai, bi, slope_of_bi = special.airy(points)
    pieces = _between(lambda t: special.airy(t)[::2], points)
    middle = len(points) // 2
    behind = -np.cumsum(pieces[:, middle - 1 :: -1], axis=1)[:, ::-1]
    ahead = np.cumsum(pieces[:, middle:], axis=1)
    integrals = np.concatenate([behind, np.zeros((2, 1)), ahead], axis=1)
    return np.stack([[integrals[0], ai, slope_of_ai], [integrals[1], bi, slope_of_bi]])


def _airy_from_0(x: Any) -> list[Any]:
    """The integrals of Ai and Bi from 0 to x; `(n + 1) (n + 2) t_(n+2) = x0 t_n + t_(n-1)` by `w'' = x w`."""
    k = np.rint(x / _STEP)
    point = k * _STEP
    h = x - point
    first, second = point * h * h, h * h * h
    results = []
    for table in _airy_table():
        integral, here, above = (row[(k + _AIRY_END / _STEP).astype(int)] for row in table)
        below, above = 0.0 * x, above * h
        total = here
        for n in range(_TERMS):
            total = total + above / (n + 2)
            below, here, above = here, above, (first * here + second * below) / ((n + 1) * (n + 2))
        results.append(integral + h * total)
    return results


def _airy_integrals(x: Any) -> tuple[Any, ...]:
    ahead, behind = _airy_from_0(x), _airy_from_0(-x)
    return ahead[0], ahead[1], -behind[0], -behind[1]


itairy = ImprovedPair(bessel_integrals.itairy, _airy_integrals, lambda x: np.abs(x) < _AIRY_END)

_END = 64.0


@cache
def _table(start: float, is_modified: bool) -> Any:
    """At the points of the grid from `start` to 64: an antiderivative of `C / t`, C and its slope.

    C is J_0 and Y_0 or I_0 and K_0, and each antiderivative the one that has no constant at infinity.
    """
    points = np.arange(start, _END + _STEP, _STEP)
    if is_modified:
        tail = _by_cosh(points, lambda argument, cosh: special.exp1(argument))
        first = float(_modified_integral_over_t(points[:1])[0]) + _logarithm(start)
        pieces = _between(lambda t: (special.i0(t) / t,), points)[0]
        rows = [
            [first + np.concatenate([[0.0], np.cumsum(pieces)]), special.i0(points), special.i1(points)],
            [-tail, special.k0(points), -special.k1(points)],
        ]
        return np.array(rows)
    of_j, of_y = special.it2j0y0(_END)
    last = np.array([[_logarithm(_END) - of_j], [-of_y]])
    pieces = _between(lambda t: (special.j0(t) / t, special.y0(t) / t), points)
    integrals = np.cumsum(np.concatenate([last, -pieces[:, ::-1]], axis=1), axis=1)[:, ::-1]
    rows = [
        [integrals[0], special.j0(points), -special.j1(points)],
        [integrals[1], special.y0(points), -special.y1(points)],
    ]
    return np.array(rows)


def _logarithm(x: Any) -> Any:
    """By how much the integral of `(1 - J_0) / t` from 0 to x exceeds that of `J_0 / t` from x on."""
    return np.euler_gamma + np.log(x / 2)


def _marched(x: Any, table: Any, start: float, *, over_t: bool, is_modified: bool = False, force: float = 0.0) -> Any:
    """The antiderivative of a table, of C or of `C / t`, at x.

    With `t_n` the terms of C at the point `x0` and `g_n` those of `C / t`: `x0 g_n = t_n - g_(n-1)`, and by Bessel's
    equation `x0 (n + 1) (n + 2) t_(n+2) = -(n + 1)**2 t_(n+1) -+ (x0 t_n + t_(n-1))`, with the force more at `n = 0`.
    """
    k = np.rint(x / _STEP)
    point = k * _STEP
    h = x - point
    ratio = h / point
    square = h * h if is_modified else -h * h
    integral, here, above = (row[(k - start / _STEP).astype(int)] for row in table)
    below, above = 0.0 * x, above * h
    part = here / point if over_t else here
    total = part
    for n in range(_TERMS if start < 4 else _FEWER_TERMS):
        part = above / point - ratio * part if over_t else above
        total = total + part / (n + 2)
        further = square * (here + ratio * below) - ratio * (n + 1) ** 2 * above
        if n == 0 and force:
            further = further + force * ratio * h
        below, here, above = here, above, further / ((n + 1) * (n + 2))
    return integral + h * total


def _bessel_integrals_over_t(x: Any) -> tuple[Any, Any]:
    of_j, of_y = (_marched(x, table, 4.0, over_t=True) for table in _table(4.0, False))
    return _logarithm(x) - of_j, -of_y


it2j0y0 = ImprovedPair(bessel_integrals.it2j0y0, _bessel_integrals_over_t, lambda x: (x > 4) & (x < _END))


# integrals of Bessel functions and of Struve's H_0, which has a force of 2 / pi in Bessel's equation, DLMF 11.2.7:
# marched likewise, beyond the table by their formulas

_START = 7.5


@cache
def _table_of_integrals() -> Any:
    """At `7.5, 8, .., 64`: the integral from 0, the function and its slope; of J_0, Y_0 and H_0."""
    points = np.arange(_START, _END + _STEP, _STEP)
    first = np.stack([*_bessel_integrals(points[:1]), _struve_integral(points[:1])])
    pieces = _between(lambda t: (special.j0(t), special.y0(t), special.struve(0, t)), points)
    of_j, of_y, of_h = np.concatenate([first, first + np.cumsum(pieces, axis=1)], axis=1)
    rows = [
        [of_j, special.j0(points), -special.j1(points)],
        [of_y, special.y0(points), -special.y1(points)],
        [of_h, special.struve(0, points), 2 / math.pi - special.struve(1, points)],
    ]
    return np.array(rows)


def _integrals(x: Any) -> tuple[Any, ...]:
    def near(x: Any) -> list[Any]:
        return [_marched(x, table, _START, over_t=False) for table in _table_of_integrals()[:2]]

    first, second = by_region([(x < _END, near), (x >= _END, _bessel_integrals)], x)
    return first, second


def _bessel_integrals(x: Any) -> tuple[Any, Any]:
    """`x C_0 + pi x / 2 (C_1 H_0 - C_0 H_1)` for C = J, Y: DLMF 10.22.2."""
    struve0, struve1 = special.struve(0, x), special.struve(1, x)

    def integral(c0: Any, c1: Any) -> Any:
        return x * c0 + math.pi / 2 * x * (c1 * struve0 - c0 * struve1)

    return integral(special.j0(x), special.j1(x)), integral(special.y0(x), special.y1(x))


def _positive_series(x: Any, first: Any, ratio: Callable[[int], float]) -> Any:
    """`sum_k t_k`, `t_(k+1) = ratio(k) x**2 t_k`, until no term counts."""
    term = total = first
    for k in range(2000):
        term = term * (x * x) * ratio(k)
        total = total + term
        if bool(np.all((term <= 1e-18 * total) | ~np.isfinite(total))):
            break
    return total


_COSH_TERMS = 19
"""At `x = 2` what follows is less than `exp(-40)` of the sum."""


def _by_cosh(x: Any, f: Callable[[Any, Any], Any]) -> Any:
    """`int_0^inf f(x cosh u, cosh u) du` where f falls as `exp(-x cosh u)` and x > 2.

    The trapezoidal rule: its error is about `exp(-2 pi**2 / (h**2 x))`, and not less than `exp(-pi**2 / h)`.
    """
    h = np.minimum(0.2, 0.7 / np.sqrt(x))
    total = f(x, 1.0) / 2
    for k in range(1, _COSH_TERMS + 1):
        cosh = np.cosh(k * h)
        total = total + f(x * cosh, cosh)
    return h * total


def _modified_integral_over_t(x: Any) -> Any:
    """`int_0^x (I_0 - 1) / t = sum_(k>0) (x / 2)**(2 k) / (k!**2 2 k)`."""
    return _positive_series(x, x * x / 8, lambda k: (k + 1) / (4 * (k + 2) ** 3))


def _tail_of_k0(x: Any) -> Any:
    """`int_x^inf K_0`, DLMF 10.32.9."""
    return _by_cosh(x, lambda argument, cosh: np.exp(-argument) / cosh)


@cache
def _table_of_modified_integrals() -> Any:
    """At `2, 2.5, .., 64`: the integral from 0, the function and its slope; of I_0 and K_0."""
    points = np.arange(2.0, _END + _STEP, _STEP)
    (pieces,) = _between(lambda t: (special.i0(t),), points)
    of_i = special.iti0k0(2.0)[0] + np.concatenate([[0.0], np.cumsum(pieces)])
    rows = [
        [of_i, special.i0(points), special.i1(points)],
        [math.pi / 2 - _tail_of_k0(points), special.k0(points), -special.k1(points)],
    ]
    return np.array(rows)


def _modified_integrals(x: Any) -> tuple[Any, ...]:
    """Beyond the table `int_0^x I_0 = sum_k x (x / 2)**(2 k) / (k!**2 (2 k + 1))`, DLMF 10.25.2."""

    def near(x: Any) -> list[Any]:
        tables = _table_of_modified_integrals()
        return [_marched(x, table, 2.0, over_t=False, is_modified=True) for table in tables]

    def far(x: Any) -> list[Any]:
        series = _positive_series(x, x, lambda k: (2 * k + 1) / (4 * (k + 1) ** 2 * (2 * k + 3)))
        return [series, math.pi / 2 - _tail_of_k0(x)]

    first, second = by_region([(x < _END, near), (x >= _END, far)], x)
    return first, second


def _modified_integrals_over_t(x: Any) -> tuple[Any, Any]:
    """Beyond the table `int_x^inf K_0 / t` by DLMF 10.32.9."""

    def near(x: Any) -> list[Any]:
        of_i, of_k = (_marched(x, table, 2.0, over_t=True, is_modified=True) for table in _table(2.0, True))
        return [of_i - _logarithm(x), -of_k]

    def far(x: Any) -> list[Any]:
        return [_modified_integral_over_t(x), _by_cosh(x, lambda argument, cosh: special.exp1(argument))]

    first, second = by_region([(x < _END, near), (x >= _END, far)], x)
    return first, second


itj0y0 = ImprovedPair(bessel_integrals.itj0y0, _integrals, lambda x: x > 8)
iti0k0 = ImprovedPair(bessel_integrals.iti0k0, _modified_integrals, lambda x: (x > 2) & (x < 700))
it2i0k0 = ImprovedPair(bessel_integrals.it2i0k0, _modified_integrals_over_t, lambda x: (x > 2) & (x < 700))

# integrals of Struve functions: `H_0 = Y_0 + 2 / pi int_0^inf exp(-x t) / sqrt(1 + t**2) dt`, DLMF 11.5.2


@cache
def _half_line() -> list[tuple[float, float]]:
    """`t = exp(pi / 2 sinh u)` and the weights of `dt / t`."""
    h = 1 / 16
    return [(math.exp(math.pi / 2 * math.sinh(k * h)), math.pi / 2 * math.cosh(k * h) * h) for k in range(-60, 61)]


def _struve_integral(x: Any) -> Any:
    """`int_0^x Y_0 + 2 / pi int_0^inf (1 - exp(-x t)) / (t sqrt(1 + t**2)) dt`."""
    total: Any = 0.0
    for t, weight in _half_line():
        total = total - np.expm1(-x * t) * (weight / math.hypot(1, t))
    return _bessel_integrals(x)[1] + 2 / math.pi * total


def _struve_integral_over_t(x: Any) -> Any:
    """`int_x^inf Y_0 / t dt + 2 / pi int_0^inf E_1(t) / sqrt(x**2 + t**2) dt`."""
    total: Any = 0.0
    for t, weight in _half_line():
        total = total + float(special.exp1(t)) * (weight * t) / np.hypot(x, t)
    return it2j0y0(x)[1] + 2 / math.pi * total


def _near_struve_integral(x: Any) -> Any:
    return _marched(x, _table_of_integrals()[2], _START, over_t=False, force=2 / math.pi)


@cache
def _struve_table() -> Any:
    """At `7.5, 8, .., 64`: an antiderivative of `H_0 / t`, H_0 and its slope."""
    points = np.arange(_START, _END + _STEP, _STEP)
    (pieces,) = _between(lambda t: (special.struve(0, t) / t,), points)
    behind = np.concatenate([[0.0], np.cumsum(pieces[::-1])])[::-1]
    slope = 2 / math.pi - special.struve(1, points)
    return np.stack([-_struve_integral_over_t(points[-1:]) - behind, special.struve(0, points), slope])


def _near_struve_integral_over_t(x: Any) -> Any:
    return -_marched(x, _struve_table(), _START, over_t=True, force=2 / math.pi)


def _modified_struve_integral(x: Any) -> Any:
    """`2 / pi sum_k x**(2 k + 2) / ((2 k + 1)!!**2 (2 k + 2))`, DLMF 11.2.2."""
    series = _positive_series(x, x * x / 2, lambda k: (k + 1) / ((2 * k + 3) ** 2 * (k + 2)))
    return 2 / math.pi * series


itstruve0 = with_kernel(
    special.itstruve0,
    lambda x: x > 8,
    lambda x: by_region([(x < _END, _near_struve_integral), (x >= _END, _struve_integral)], x),
)
it2struve0 = with_kernel(
    special.it2struve0,
    lambda x: x > 8,
    lambda x: by_region([(x < _END, _near_struve_integral_over_t), (x >= _END, _struve_integral_over_t)], x),
)
itmodstruve0 = with_kernel(special.itmodstruve0, lambda x: np.abs(x) < 700, _modified_struve_integral)

# the moments of Bessel functions: SciPy's power series cancels at large a

besselpoly = with_kernel(
    special.besselpoly, lambda a, lmb, nu: (a > 2) & (a < 1000), lambda a, lmb, nu: BESSEL_MOMENTS.value(lmb, nu, a)
)
