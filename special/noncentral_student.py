"""The distribution function of noncentral t: its lower tail, and its derivatives of every order in every argument.

With `p(v, r)` the density of `chi / sqrt(v)` at `r`, `F = int p(v, r) Phi(t r - d) dr`.  Its derivatives are integrals
of one of two families,

    F(v, d, t; n) = int d^n p(v, r) / dv^n Phi(t r - d) dr,
    M(v, d, t; n, j) = int d^n p(v, r) / dv^n r**j phi(t r - d) dr,

where `d/dv` adds 1 to `n`; of `F` `d/dd` is `-M(n, 0)` and `d/dt` is `M(n, 1)`, of `M` `d/dd` is `t M(j + 1) - d M(j)`
and `d/dt` is `d M(j + 1) - t M(j + 2)`.  But for the factor that `d^n/dv^n` brings the integrands are positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import erfc, erfcx, ndtr

from .contours import LONG_BLOCK, in_double, leibniz
from .gamma_family import polygamma_of
from .stirling_powers import log_beside, stirling
from .ufunc_rules import pointwise

__all__ = [
    "CENTRAL_POINTS",
    "DEPTH",
    "POINTS",
    "central_level",
    "central_nodes",
    "is_central",
    "lower_tail",
    "noncentral_student",
    "student_moment",
    "tail_level",
]

DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_BEND = 0.3
_LARGE = 1000.0
_DENSITY, _LOWER, _UPPER = 0, 1, -1
"""The kernel: `phi(t r - d)`, `Phi(t r - d)`, or `Phi(d - t r)`."""


def _mode(v: Any, d: Any, t: Any, j: int) -> tuple[Any, Any, Any]:
    """Where `r**(v + j) exp(-s r**2 / 2 + c r)`, `s = v + t**2`, `c = t d`, is largest; and `v + j`, `s r**2` there."""
    s, c, power = v + t * t, t * d, v + j
    root = np.sqrt(c * c + 4 * s * power)
    r = np.where(c > 0, (np.abs(c) + root) / (2 * s), 2 * power / (np.abs(c) + root))
    return r, power, s * r * r


def _ends(power: Any, left_curve: Any, right_curve: Any, depth: float) -> tuple[Any, Any]:
    """Of the `s` where the integrand of `_trapezoid` is more than `exp(-depth)` beside its largest value."""
    right = (depth + np.sqrt(depth * (depth + 2 * power))) / power
    right = np.log1p(np.minimum(np.sqrt(2 * depth / right_curve), right))
    for _ in range(2):
        grown = np.expm1(right)
        excess = power * (grown - right) + right_curve / 2 * grown * grown - depth
        right = right - excess / (power * grown + right_curve * grown * (1 + grown))
    left = (depth + np.sqrt(depth * (depth + 8 * power))) / (2 * power)
    drop = np.sqrt(2 * depth / left_curve)
    is_steep = drop < 1
    left = np.minimum(left, np.where(is_steep, -np.log1p(-np.where(is_steep, drop, 0.0)), np.inf))
    start = -np.log1p(left / (1 + _BEND))
    for _ in range(2):
        bent = _BEND * np.exp(-start)
        start = start - (start - bent + _BEND + left) / (1 + bent)
    return start, right


def _nodes(
    v: Any, d: Any, t: Any, j: int, kernel: int, points: int, depth: float = DEPTH
) -> Iterator[tuple[Any, Any, Any]]:
    """Of each node the integrand of the trapezoidal rule beside `_log_scale`, `u = log(r / mode)`, and `exp(u) - 1`.

    It is in `s`, where `u` is `s + bend (1 - e**-s)`: the integrand falls doubly exponentially.  The exponent is less
    than at the mode by `(v + j) (e**u - 1 - u) + s r**2 / 2 (e**u - 1)**2`, where the kernel is `phi`.  The others
    have in addition the factor `Phi / phi`, which may grow so much on one side that there the second term is not to be
    relied upon.
    """
    mode, power, curve = _mode(v, d, t, j)
    least = np.where(t * d > 0, v * mode * mode, curve)
    curves = np.where(kernel * t < 0, least, curve), np.where(kernel * t > 0, least, curve)
    first, last = _ends(power, *curves, depth)
    step, half = (last - first) / points, curve / 2
    is_rising, is_large = bool(np.any(t * d > 0)), bool(np.any(v > _LARGE))
    shift, slope = kernel * math.sqrt(0.5) * d, kernel * math.sqrt(0.5) * t * mode
    scale = step if kernel == _DENSITY else step * math.sqrt(math.pi / 2)
    s = first + step / 2
    bent, shrinkage = _BEND * np.exp(-s), np.exp(-step)
    s = s + _BEND
    for _ in range(points):
        u = s - bent
        ratio, grown = _exponential(u, is_large)
        exponent = power * (u - grown) - half * grown * grown
        term = np.exp(exponent) if kernel == _DENSITY else _tail(exponent, shift - slope * ratio, is_rising)
        term *= (1 + bent) * scale
        yield term, u, grown
        s, bent = s + step, bent * shrinkage


def _exponential(u: Any, is_large: bool) -> tuple[Any, Any]:
    """`exp(u)` and `exp(u) - 1`, the latter without cancellation where a large power multiplies it."""
    if is_large:
        grown = np.expm1(u)
        return grown + 1, grown
    ratio = np.exp(u)
    return ratio, ratio - 1


def _log_scale(v: Any, d: Any, t: Any, j: int) -> Any:
    mode = _mode(v, d, t, j)[0]
    peak = v * _log_beside_one(mode) - (t * mode - d) ** 2 / 2 + j * np.log(mode)
    return peak + _log_density(v) - math.log(2 * math.pi) / 2


def _log_beside_one(r: Any) -> Any:
    """`log(r) + (1 - r**2) / 2`, without cancellation."""
    excess = r - 1
    return log_beside(r, excess) - excess - excess * excess / 2


def _exponents(mode: Any) -> Callable[[Any, Any], Any]:
    """The same at `r = mode exp(u)`, a function of `u` and `exp(u) - 1`."""
    constant, square = _log_beside_one(mode), mode * mode
    excess = (mode - 1) * (mode + 1)

    def exponent(u: Any, grown: Any) -> Any:
        out = u - grown
        out -= grown * (excess + square / 2 * grown)
        out += constant
        return out

    return exponent


def _trapezoid(v: Any, d: Any, t: Any, n: int, j: int, kernel: int, points: int) -> Any:
    """The integral."""
    exponent = _exponents(_mode(v, d, t, j)[0])
    start, rates = _rate(v), _higher_rates(v, n)
    total = np.zeros_like(v)
    for term, u, grown in _nodes(v, d, t, j, kernel, points):
        total += term * _bell([start + exponent(u, grown), *rates]) if n else term
    return np.exp(_log_scale(v, d, t, j)) * total


def lower_tail(v: Any, d: Any, t: Any, points: int, depth: float = DEPTH) -> tuple[Any, Any, Any]:
    """`log(F)` and its first two derivatives in `v`, for `t` and `-d` that are not positive."""
    exponent = _exponents(_mode(v, d, t, 0)[0])
    total, first, second = np.zeros_like(v), np.zeros_like(v), np.zeros_like(v)
    for term, u, grown in _nodes(v, d, t, 0, _LOWER, points, depth):
        total += term
        rate = exponent(u, grown)
        term *= rate
        first += term
        second += term * rate
    first, second = first / total, second / total
    higher = _higher_rates(v, 2)[0]
    return np.log(total) + _log_scale(v, d, t, 0), _rate(v) + first, second - first * first + higher


def _log_density(v: Any) -> Any:
    """`log(p(v, 1))`."""
    return np.log(v / math.pi) / 2 - stirling(v / 2)[0]


def _rate(v: Any) -> Any:
    """`d log(p(v, 1)) / dv`."""
    return -stirling(v / 2)[1] / 2


def _higher_rates(v: Any, n: int) -> list[Any]:
    """The derivatives of `_rate` of all orders below `n`."""
    return [
        1 / (2 * v) * (-1.0) ** (k - 1) * math.factorial(k - 1) / v ** (k - 1) - polygamma_of(v / 2, n=k) / 2 ** (k + 1)
        for k in range(1, n)
    ]


def _tail(exponent: Any, x: Any, is_rising: bool) -> Any:
    """`exp(exponent + x**2) erfc(x)`; where `x` is negative only if it is rising."""
    if not is_rising:
        return np.exp(exponent) * erfcx(x)
    is_left = x < 0
    return np.exp(np.where(is_left, exponent + x * x, exponent)) * np.where(is_left, erfc(x), erfcx(np.abs(x)))


def _bell(rates: list[Any]) -> Any:
    """The derivative of `exp(f)` divided by it, from those of `f`: as many orders as are given."""
    values: list[Any] = [1.0]
    for n in range(len(rates)):
        values.append(leibniz(n, rates.__getitem__, values.__getitem__))
    return values[-1]


POINTS = (48, 64, 96, 200, 600)
"""How many nodes."""
_CHUNK = 2048
"""So many elements at a time: what is computed of them stays in the cache."""


def _effort(v: Any, d: Any, t: Any, n: int, j: int, kernel: int) -> Any:
    """Which of `POINTS`: more where the integrand falls slowly, or `Phi` changes in a short interval."""
    if kernel == _DENSITY:
        return 1 + (v + j < 1) * 1 + (v + j < 4)
    return tail_level(v, d, t)


def tail_level(v: Any, d: Any, t: Any) -> Any:
    """Which of `POINTS` for `F`."""
    rise = np.where(t * d > 0, np.abs(d), 0.0)
    falling = (v < 0.1) * 1 + (v < 4)
    rising = np.where(rise > 12, 4, 1 + np.minimum((v < 1) * 1 + ((rise > 1) & (v < 4)) + (rise > 4), 2))
    return np.where(rise > 0, rising, falling)


def _integral(v: Any, d: Any, t: Any, n: int, j: int, kernel: int) -> Any:
    """The integral, of vectors."""
    out = np.empty_like(v)
    effort = _effort(v, d, t, n, j, kernel)
    if n and kernel != _DENSITY:
        effort = np.where(is_central(v, d, t), -1 - central_level(v, t), effort)
    for k, points in (*enumerate(POINTS), *((-1 - k, points) for k, points in enumerate(CENTRAL_POINTS))):
        places = np.flatnonzero(effort == k)
        for start in range(0, len(places), _CHUNK):
            here = places[start : start + _CHUNK]
            args = v[here], d[here], t[here], n
            out[here] = _trapezoid(*args, j, kernel, points) if k >= 0 else _about_one(*args, kernel, points)
    return out


CENTRAL_POINTS = (64, 72, 96, 144)
"""How many nodes `central_nodes` needs for each level."""


def central_level(v: Any, t: Any) -> Any:
    """The level: the higher, the faster `Phi` changes beside `p(v, r)`."""
    square = t * t
    return np.where(v < 1, 3, (square > 0.3 * v) * 1 + (square > np.where(v < 2, 0.3, 2.0) * v))


def is_central(v: Any, d: Any, t: Any) -> Any:
    """Where `_about_one` is accurate: not in the tails, and where `Phi` changes not much faster than `p(v, r)`."""
    square = t * t
    return (v >= 0.3) & (np.maximum(square, d * d) <= 16 * v) & (np.abs(t - d) <= 3 * np.sqrt(1 + square / (2 * v)))


def central_nodes(v: Any, points: int, depth: float = DEPTH) -> Iterator[tuple[Any, Any, Any]]:
    """Of each node about the mode of `p(v, r)`, which is 1, `log(r) + (1 - r**2) / 2`, `r`, and the weight."""
    first, last = _ends(v, v, v, depth)
    step, is_large = (last - first) / points, bool(np.any(v > _LARGE))
    s = first + step / 2
    bent, shrinkage = _BEND * np.exp(-s), np.exp(-step)
    s += _BEND
    for _ in range(points):
        q = s - bent
        r, grown = _exponential(q, is_large)
        q -= grown
        grown *= grown
        grown *= 0.5
        q -= grown
        yield q, r, (1 + bent) * step
        s += step
        bent *= shrinkage


def _about_one(v: Any, d: Any, t: Any, n: int, kernel: int, points: int) -> Any:
    """The same rule about the mode of `p(v, r)`.

    With `q = log(r) + (1 - r**2) / 2` the exponent is `v q`, and `d log(p) / dv` is `q` and its value at the mode.  Of
    `Phi` its value at the mode is subtracted, a constant, whose integral is 0.
    """
    d, t = kernel * d, kernel * t
    start, rates, constant = _rate(v), _higher_rates(v, n), ndtr(t - d)
    total = np.zeros_like(v)
    for q, r, weight in central_nodes(v, points):
        x = t * r
        x -= d
        term = np.exp(v * q)
        term *= ndtr(x) - constant
        q += start
        term *= q if n == 1 else _bell([q, *rates])
        term *= weight
        total += term
    return np.exp(_log_density(v)) * total


def _inside(v: Any, d: Any, t: Any) -> Any:
    return (v > 0) & (v < np.inf) & (np.abs(d) < np.inf) & (np.abs(t) < np.inf)


def _at_infinity(v: Any, limit: Any) -> Any:
    """The limit where `v` is infinite, NaN elsewhere."""
    return np.where(v == np.inf, limit, np.nan)


@pointwise(
    lambda w, v, d, t, *, order, power: student_moment(v, d, t, order=order + 1, power=power),
    lambda w, v, d, t, *, order, power: t * student_moment(v, d, t, order=order, power=power + 1) - d * w,
    lambda w, v, d, t, *, order, power: (
        d * student_moment(v, d, t, order=order, power=power + 1)
        - t * student_moment(v, d, t, order=order, power=power + 2)
    ),
)
@in_double(block=LONG_BLOCK)
def student_moment(v: Any, d: Any, t: Any, *, order: int, power: int) -> Any:
    """`M(v, d, t; order, power)`; where `v` is infinite `r` is 1."""
    v, d, t = np.broadcast_arrays(v, d, t)
    out = _at_infinity(v, np.exp(-((t - d) ** 2) / 2) / math.sqrt(2 * math.pi) if order == 0 else 0.0 * (t - d))
    inside = _inside(v, d, t)
    out[inside] = _integral(v[inside], d[inside], t[inside], order, power, _DENSITY)
    return out


@pointwise(
    lambda w, v, d, t, *, order: noncentral_student(v, d, t, order=order + 1),
    lambda w, v, d, t, *, order: -student_moment(v, d, t, order=order, power=0),
    lambda w, v, d, t, *, order: student_moment(v, d, t, order=order, power=1),
)
@in_double(block=LONG_BLOCK)
def noncentral_student(v: Any, d: Any, t: Any, *, order: int) -> Any:
    """`F(v, d, t; order)`: of order 0 where it is small, of the others from the smaller one of `F` and `1 - F`."""
    v, d, t = np.broadcast_arrays(v, d, t)
    out = _at_infinity(v, 0.0 * (t - d))
    inside = _inside(v, d, t)
    is_lower = (t < d) | (order == 0)
    for kernel, places in ((_LOWER, inside & is_lower), (_UPPER, inside & ~is_lower)):
        out[places] = kernel * _integral(v[places], d[places], t[places], order, 0, kernel)
    return out
