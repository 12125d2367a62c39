"""The distribution function of noncentral t: its derivatives in the degrees of freedom and in the other arguments.

With `p(v, r)` the density of `chi / sqrt(v)` at `r`, `F = int p(v, r) Phi(t r - d) dr`.  Its derivatives in `t` and `d`
have positive integrands, and with those in `v` they are the family

    M(v, d, t; n, j) = int d^n p(v, r) / dv^n r**j phi(t r - d) dr,

where `d/dv` adds 1 to `n`, `d/dd` is `t M(j + 1) - d M(j)` and `d/dt` is `d M(j + 1) - t M(j + 2)`.  The derivative of
`F` in `v` itself is a contour integral.  Lenth's series of incomplete beta functions (Appl. Stat. 38 (1989) 185) is,
summed as in `beta_shape`, with `b = v / 2`, `x = t**2 / (v + t**2) = 1 - y`, `t > 0`

    F = Phi(-d) + G / 2,
    G = 1 / (2 pi i) int (x / s)**(1/2) (y / (1 - s))**b e**(z**2 - d**2 / 2) erfc(-z) / (s - x) ds

with `z = d sqrt(x / (2 s))`, and `F(t, d) = 1 - F(-t, -d)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import digamma, erfc, gammaln, ndtr, wofz

from ..complex_autograd.errors import NotDifferentiableError
from .beta_shape import NONCENTRAL, SLOW, Grid, Path, end_of, nodes_to, path_of
from .contours import in_double, leibniz, times_power
from .gamma_family import polygamma_of
from .ufunc_rules import pointwise

__all__ = ["lower_tail", "noncentral_student_degrees", "student_moment"]

_POINTS = 320
_DEPTH = 40.0


def _mode(v: Any, d: Any, t: Any, j: int) -> tuple[Any, Any, Any]:
    """Where `r**(v + j) exp(-s r**2 / 2 + c r)`, `s = v + t**2`, `c = t d`, is largest; and `v + j`, `s r**2` there."""
    s, c, power = v + t * t, t * d, v + j
    root = np.sqrt(c * c + 4 * s * power)
    r = np.where(c > 0, (np.abs(c) + root) / (2 * s), 2 * power / (np.abs(c) + root))
    return r, power, s * r * r


def _moments(v: Any, d: Any, t: Any, n: int, j: int) -> Any:
    """The trapezoidal rule in `u = log(r / mode)`.

    There the exponent is less than at the mode by `(v + j) (e**u - 1 - u) + s r**2 / 2 (e**u - 1)**2`.
    """
    mode, power, curve = _mode(v, d, t, j)
    right = np.minimum(np.sqrt(2 * _DEPTH / curve), (_DEPTH + np.sqrt(_DEPTH * (_DEPTH + 2 * power))) / power)
    left = (_DEPTH + np.sqrt(_DEPTH * (_DEPTH + 8 * power))) / (2 * power)
    drop = np.sqrt(2 * _DEPTH / curve)
    left = np.minimum(left, np.where(drop < 1, -np.log1p(-np.where(drop < 1, drop, 0.0)), np.inf))
    step = (np.log1p(right) + left) / _POINTS
    start = np.log(mode) + np.log(v / 2) / 2 - digamma(v / 2) / 2
    rates = [
        1 / (2 * v) * (-1.0) ** (k - 1) * math.factorial(k - 1) / v ** (k - 1) - polygamma_of(v / 2, n=k) / 2 ** (k + 1)
        for k in range(1, n)
    ]
    total: Any = 0.0
    for k in range(_POINTS):
        u = (k + 0.5) * step - left
        grown = np.expm1(u)
        term = np.exp(-power * (grown - u) - curve / 2 * grown * grown)
        if n:
            term = term * _bell([start + u + (1 - (mode * (1 + grown)) ** 2) / 2, *rates])
        total = total + term
    peak = v * (np.log(mode) - (mode * mode - 1) / 2) - (t * mode - d) ** 2 / 2 + j * np.log(mode)
    constant = math.log(2) + v / 2 * np.log(v / 2) - v / 2 - gammaln(v / 2) - math.log(2 * math.pi) / 2
    return np.exp(peak + constant) * step * total


def _bell(rates: list[Any]) -> Any:
    """The derivative of `exp(f)` divided by it, from those of `f`: as many orders as are given."""
    values: list[Any] = [1.0]
    for n in range(len(rates)):
        values.append(leibniz(n, rates.__getitem__, values.__getitem__))
    return values[-1]


def _lowest(v: Any, d: Any, t: Any, n: int) -> Any:
    """`M(n, 0)` where `v` is small: from `v M(0) = (v + t**2) M(2) - t d M(1)`, by parts, and its derivatives."""
    value: Any = 0.0
    for k in range(n + 1):
        sides = (v + t * t) * _moments(v, d, t, k, 2) - t * d * _moments(v, d, t, k, 1)
        if k:
            sides = sides + k * (_moments(v, d, t, k - 1, 2) - value)
        value = sides / v
    return value


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
@in_double
def student_moment(v: Any, d: Any, t: Any, *, order: int, power: int) -> Any:
    """`M(v, d, t; order, power)`; where `v` is infinite `r` is 1."""
    inside = _inside(v, d, t)
    outside = _at_infinity(v, np.exp(-((t - d) ** 2) / 2) / math.sqrt(2 * math.pi) if order == 0 else 0.0 * (t - d))
    v, d, t = (np.where(inside, a, 1.0) for a in (v, d, t))
    out = _moments(np.maximum(v, 1.0), d, t, order, power) if power == 0 else _moments(v, d, t, order, power)
    if power == 0 and np.any(v < 1):
        out = np.where(v < 1, _lowest(v, d, t, order), out)
    return np.where(inside, out, outside)


def _shape(b: Any, d: Any, odds: Any, order: int, grid: Grid, is_left: Any = False) -> Any:
    """The derivative of `G` of an order in `b`, on the path of the noncentral beta distribution, shapes 1/2 and `b`.

    Where `is_left`, `G` less the residue at `x`, which is the integral over a path between 0 and `x`.
    """
    x, y = odds / (1 + odds), 1 / (1 + odds)
    half = d * d / 2
    is_right = d > 0
    lx = np.where(is_right, half * x, 0.0)
    path = path_of(0.5 + 0.0 * b, b, lx)
    if is_left is not False:
        p = np.where(is_left & (x > path.p / 50), np.minimum(path.p, x / 2), path.p)
        path = Path(p, 1 - p)
    fall = 0.5 + b
    logs = np.log(x / path.p), np.log(y / path.q)
    front = logs[0] / 2 + b * logs[1] - half
    total: Any = 0.0
    for t, rest, rate in nodes_to(end_of(path, 0.5, b, lx, fall), grid):
        square = t * t
        moduli, angles, bent = path.moduli(square), path.angles(t, square), path.reciprocal(t, square)
        weight = path.measure(t, square, x, y, True)
        weight = times_power(weight, (logs[1] - moduli[1] - rest, -angles[1]), order)
        exponent = front - moduli[0] / 2 - b * moduli[1] - fall * rest
        phase = angles[0] / 2 + b * angles[1]
        z = np.abs(d) * np.sqrt(x / (2 * path.p)) * np.exp(-(moduli[0] + rest) / 2 - 0.5j * angles[0])
        scaled = np.where(is_right, -1.0, 1.0) * wofz(1j * z) * np.exp(exponent - 1j * phase)
        square_of_z = half * x / path.p + lx * bent[0] + 1j * lx * bent[1]
        full = np.where(is_right, 2.0, 0.0) * np.exp(np.where(is_right, exponent + square_of_z, 0.0) - 1j * phase)
        value = scaled + full
        total = total + rate * (np.real(value) * weight[1] + np.imag(value) * weight[0])
    return total - np.where(is_left & (path.p > x), erfc(-d / math.sqrt(2)), 0.0)


def _shape_on_grids(b: Any, d: Any, odds: Any, order: int) -> Any:
    b, d, odds = np.broadcast_arrays(b, d, odds)
    is_slow = b < 1
    out = _shape(np.where(is_slow, 2.0, b), d, odds, order, NONCENTRAL)
    if np.any(is_slow):
        out[is_slow] = _shape(b[is_slow], d[is_slow], odds[is_slow], order, SLOW)
    return out


@in_double
def lower_tail(v: Any, d: Any, t: Any) -> Any:
    """`F` where it is small: `Phi(-d) + G / 2` if `t > 0`; if `t < 0`, `-G / 2` of `-d` over a path between 0 and `x`.

    The residue that `G` loses there is `2 Phi(-d)`, so that nothing is left to cancel in `1 - F(-t, -d)`.
    """
    is_left = t < 0
    odds = np.where(t == 0, 1.0, t * t / v)
    shape = np.sign(t) * _shape(v / 2, np.where(is_left, -d, d), odds, 0, SLOW, is_left) / 2
    return np.where(is_left, shape, ndtr(-d) + shape)


def _again(w: Any, v: Any, d: Any, t: Any, *, order: int) -> Any:
    if order == 2:
        raise NotDifferentiableError("scipy.special.nctdtr", "only two derivatives are available", "df")
    return noncentral_student_degrees(v, d, t, order=2)


@pointwise(
    _again,
    lambda w, v, d, t, *, order: -student_moment(v, d, t, order=order, power=0),
    lambda w, v, d, t, *, order: student_moment(v, d, t, order=order, power=1),
)
@in_double
def noncentral_student_degrees(v: Any, d: Any, t: Any, *, order: int) -> Any:
    """The derivative of `F` of order 1 or 2 in `v`.

    At fixed `d` and `t` both `b` and `x` move with `v`: `F_v = G_b / 4 - t F_t / (2 v)`, and
    `F_vv = G_bb / 8 + t F_t / (4 v**2) - t F_tv / v - t**2 F_tt / (4 v**2)`.
    """
    inside, outside = _inside(v, d, t), _at_infinity(v, 0.0 * (t - d))
    v, d, t = (np.where(inside, a, 1.0) for a in (v, d, t))
    sign = np.sign(t)
    odds = np.where(t == 0, 1.0, t * t / v)
    shape = sign * _shape_on_grids(v / 2, np.where(t < 0, -d, d), odds, order)
    density = _moments(v, d, t, 0, 1)
    if order == 1:
        out = shape / 4 - t * density / (2 * v)
    else:
        bend = d * _moments(v, d, t, 0, 2) - t * _moments(v, d, t, 0, 3)
        moved = t * density / (4 * v * v) - t * _moments(v, d, t, 1, 1) / v - t * t * bend / (4 * v * v)
        out = shape / 8 + moved
    return np.where(inside, out, outside)
