"""Bessel functions of large real order at positive arguments, with all their derivatives in the order.

They are integrals through the saddle points of their exponents, which trapezoidal rules sum in a fixed number of terms;
the derivatives in `v` bring down powers of `t`:

    J_v(x) = 1/(2 pi i) int exp(x sinh t - v t) dt,              cosh t = v / x; x cosh(Re t) sin(Im t) = v Im t
    H1_v(x) = 1/(pi i) int exp(x sinh t - v t) dt,               from -inf to inf + i pi (DLMF 10.9.17 and 10.9.18).

A derivative in `x` brings down `sinh t`.  Where `x` is next to `v` the saddles of H1 lie together, and it is summed by
Gauss' rule along the negative axis and the ray of 60 degrees.  What is exponentially small underflows to 0 together
with its derivatives.  With `r = sqrt(|x**2 - v**2|)` the exponents at the saddles are `v (arctanh(r / v) - r / v)`, or
with `arctan` and the other sign, and are computed as such: `v - x` is exact, and no order is too high.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from ..numerics.regions import by_region

_STEP, _NODES = 0.5, 24
"""The nodes to one side are half a step and integer ones from the saddle, in units of the width of the peak."""
_WIDTHS = 1.5, 10.0, 5.0
"""In units of `cbrt(v)`: J is an integral of its own from so far below the order; H1 has two saddles so far beneath and
above it."""
_LONGEST, _ON_RAY = 10.5, 64
"""The length of the rays in units of `1 / cbrt(x)`, and the nodes on each."""
_SMALL, _TERMS = 0.3, 15
"""Up to this `r / v` the exponents at the saddles are series of so many terms."""


def _powers(n: int, factor: Any, parts: Iterable[tuple[Any, Any]], in_argument: bool) -> list[Any]:
    """`factor sum weight t**k / k!`, `k = 0, .., n`, of pairs of `t` and a weight, or their derivatives in `x`."""
    totals: list[Any] = [0.0] * (n + 1)
    for t, weight in parts:
        if in_argument:
            weight = -weight * np.sinh(t)
        for k in range(n + 1):
            totals[k] = totals[k] + weight
            weight = weight * t / (k + 1)
    return [factor * total for total in totals]


def _cubic(u: Any) -> Any:
    """`sinh u - u` of small `u`."""
    square, total = u * u, 1.0
    for k in range(12, 1, -1):
        total = 1.0 + total * square / (2 * k * (2 * k + 1))
    return total * square * u / 6


def _phase(v: Any, root: Any, sign: float) -> Any:
    """`v (arctanh(t) - t)` (sign 1) or `v (t - arctan(t))` with `t = root / v`, small."""
    t = np.minimum(root / v, _SMALL)
    square, total = sign * t * t, 0.0
    for k in range(_TERMS, 0, -1):
        total = (total + 1 / (2 * k + 1)) * square
    return sign * root * total


def is_recessive(v: Any, x: Any) -> Any:
    """Where J is an integral of its own: it falls from here towards smaller `x`."""
    return v - x > _WIDTHS[0] * np.cbrt(v)


def recessive_j(v: Any, x: Any, n: int, in_argument: bool = False) -> list[Any]:
    """The coefficients of J where it is recessive, `v >= 100`: along `t = a + i theta`, on which the exponent is real.

    With `C = cosh(alpha) = v / x` at the saddle it is `cosh a = C + k`, `k = C (theta / sin(theta) - 1)`; with `d` the
    distance to the saddle, the exponent changes by `r (cosh d - 1) + v (sinh d - d)`.
    """
    root, cosh = np.sqrt((v - x) * (v + x)), v / x
    sinh, width = root / x, 1 / np.sqrt(root)
    saddle = np.arcsinh(sinh)

    def parts() -> Iterable[tuple[Any, Any]]:
        for k in range(_NODES):
            theta = np.minimum((k + 0.5) * _STEP * width, 3.0)
            sine = np.sin(theta)
            more = -cosh * np.imag(_cubic(1j * theta)) / sine
            height = np.sqrt(sinh * sinh + more * (2 * cosh + more))
            rise = more * ((2 * cosh + more) * cosh / (height + sinh) - sinh)
            rise = np.where(cosh < 2, np.arcsinh(rise), np.arccosh(np.maximum(cosh, 2.0) + more) - saddle)
            d = rise + 1j * theta
            derivative = cosh * (sine - theta * np.cos(theta)) / (sine * sine * height)
            exponent = np.real(2 * root * np.sinh(d / 2) ** 2 + v * _cubic(d))
            yield -(saddle + d), np.exp(exponent) * (1 - 1j * derivative)

    peak = np.exp(-_exponent(v, root, saddle))
    return [np.real(w) for w in _powers(n, peak * width * (_STEP / math.pi), parts(), in_argument)]


def _exponent(v: Any, root: Any, saddle: Any) -> Any:
    return np.where(root < _SMALL * v, _phase(v, root, 1.0), v * saddle - root)


def cylinder_pair(v: Any, x: Any, n: int, in_argument: bool = False) -> list[Any]:
    """The coefficients of J, and behind them those of Y, of `v >= 100` and `x > 0`, or their derivatives in `x`."""
    width = np.cbrt(v)
    regions = [
        (x - v > _WIDTHS[2] * width, _oscillating),
        (v - x > _WIDTHS[1] * width, _evanescent),
        (x > 0, _transitional),
    ]
    return by_region(
        [(mask, lambda v, x, kernel=kernel: kernel(v, x, n, in_argument)) for mask, kernel in regions], v, x
    )


def _real_and_imaginary(pair: list[Any]) -> list[Any]:
    return [np.real(h) for h in pair] + [np.imag(h) for h in pair]


def _oscillating(v: Any, x: Any, n: int, in_argument: bool) -> list[Any]:
    """H1 through `t = i beta`, `cos beta = v / x`, on `t = i beta + exp(i pi / 4) w - v / (6 r) w**2`.

    There `x sinh t - v t` changes by `i r (cosh d - 1) + v (sinh d - d)`, `r = sqrt(x**2 - v**2)`, which is
    `-r w**2 / 2 + O(w**4)`.
    """
    root = np.sqrt((x - v) * (x + v))
    beta, width, bend = np.arctan2(root, v), 1 / np.sqrt(root), -v / (6 * root)
    ray = cmath.exp(0.25j * math.pi)

    def parts() -> Iterable[tuple[Any, Any]]:
        for k in range(-_NODES, _NODES):
            w = (k + 0.5) * _STEP * width
            d = ray * w + bend * w * w
            weight = np.exp(2j * root * np.sinh(d / 2) ** 2 + v * _cubic(d))
            yield -(d + 1j * beta), weight * (ray + 2 * bend * w)

    far = np.exp(1j * x) * np.exp(-1j * (v * v / (x + root) + v * beta))
    phase = np.where(root < _SMALL * v, np.exp(1j * _phase(v, root, -1.0)), far)
    return _real_and_imaginary(_powers(n, phase * width * (_STEP / (math.pi * 1j)), parts(), in_argument))


def _evanescent(v: Any, x: Any, n: int, in_argument: bool) -> list[Any]:
    """J, and Y by the saddle on the negative axis, next to which the other one does not count."""
    root = np.sqrt((v - x) * (v + x))
    saddle, width = np.arcsinh(root / x), 1 / np.sqrt(root)

    def parts() -> Iterable[tuple[Any, Any]]:
        for k in range(-_NODES, _NODES):
            u = (k + 0.5) * _STEP * width
            yield saddle + u, np.exp(-2 * root * np.sinh(u / 2) ** 2 - v * _cubic(u))

    factor = np.exp(_exponent(v, root, saddle)) * width * (-_STEP / math.pi)
    return recessive_j(v, x, n, in_argument) + _powers(n, factor, parts(), in_argument)


@cache
def _legendre() -> tuple[Any, Any]:
    nodes, weights = np.polynomial.legendre.leggauss(_ON_RAY)
    return (nodes + 1) / 2, weights / 2


def _transitional(v: Any, x: Any, n: int, in_argument: bool) -> list[Any]:
    """H1 along the rays; J where it is recessive."""
    length, ray = _LONGEST / np.cbrt(x), cmath.exp(1j * math.pi / 3)

    def parts() -> Iterable[tuple[Any, Any]]:
        for node, weight in zip(*_legendre(), strict=True):
            for side, direction in ((-1.0, 1.0), (ray, ray)):
                t = node * length * side
                yield -t, np.exp((x - v) * t + x * _cubic(t)) * (weight * direction)

    both = _real_and_imaginary(_powers(n, length / (math.pi * 1j), parts(), in_argument))
    alone = is_recessive(v, x)
    if np.any(alone):
        for out, j in zip(both, recessive_j(v[alone], x[alone], n, in_argument), strict=False):
            out[alone] = j
    return both
