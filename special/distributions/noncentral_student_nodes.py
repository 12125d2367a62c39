"""The nodes of the trapezoidal rule for noncentral t about the mode of the integrand.

They are in `s`, where `log(r / mode)` is `u = s + bend (1 - e**-s)`: the integrand then falls doubly exponentially.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import erfc, erfcx

from ...complex_autograd.engine.operands import arange_like

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
DENSITY, LOWER, UPPER = 0, 1, -1
"""The kernel: `phi(t r - d)`, `Phi(t r - d)`, or `Phi(d - t r)`."""
_BEND = 0.3
_LARGE = 1000.0
_AT_ONCE = 2048
"""So many elements times nodes at a time, at least: what is computed of them costs more than the calls do."""


def mode_of(v: Any, d: Any, t: Any, j: int) -> tuple[Any, Any, Any]:
    """Where `r**(v + j) exp(-s r**2 / 2 + c r)`, `s = v + t**2`, `c = t d`, is largest; and `v + j`, `s r**2` there."""
    s, c, power = v + t * t, t * d, v + j
    root = np.sqrt(c * c + 4 * s * power)
    r = np.where(c > 0, (np.abs(c) + root) / (2 * s), 2 * power / (np.abs(c) + root))
    return r, power, s * r * r


def _ends(power: Any, left_curve: Any, right_curve: Any) -> tuple[Any, Any]:
    """Of the `s` where the integrand of `modal_nodes` is more than `exp(-_DEPTH)` relative to its largest value."""
    right = (_DEPTH + np.sqrt(_DEPTH * (_DEPTH + 2 * power))) / power
    right = np.log1p(np.minimum(np.sqrt(2 * _DEPTH / right_curve), right))
    for _ in range(2):
        grown = np.expm1(right)
        excess = power * (grown - right) + right_curve / 2 * grown * grown - _DEPTH
        right = right - excess / (power * grown + right_curve * grown * (1 + grown))
    left = (_DEPTH + np.sqrt(_DEPTH * (_DEPTH + 8 * power))) / (2 * power)
    drop = np.sqrt(2 * _DEPTH / left_curve)
    is_steep = drop < 1
    left = np.minimum(left, np.where(is_steep, -np.log1p(-np.where(is_steep, drop, 0.0)), np.inf))
    start = -np.log1p(left / (1 + _BEND))
    for _ in range(2):
        bent = _BEND * np.exp(-start)
        start = start - (start - bent + _BEND + left) / (1 + bent)
    return start, right


def _nodes(first: Any, step: Any, points: int) -> Iterator[tuple[Any, Any]]:
    """Of some nodes at a time `s + bend` and `bend e**-s`, one row a node."""
    count = min(points, max(1, _AT_ONCE // max(1, len(first))))
    numbers = arange_like(first, count) + 0.5
    s = first + np.multiply.outer(numbers, step)
    bent, shift = _BEND * np.exp(-s), count * step
    shrinkage = np.exp(-shift)
    s += _BEND
    for start in range(0, points, count):
        yield s[: points - start], bent[: points - start]
        s += shift
        bent *= shrinkage


def over_nodes(rows: Any) -> Any:
    """The sum of the rows of the nodes."""
    return rows[0] if len(rows) == 1 else np.sum(rows, axis=0)


def modal_nodes(v: Any, d: Any, t: Any, j: int, kernel: int, points: int) -> Iterator[tuple[Any, Any, Any]]:
    """Of the nodes the integrand relative to that at its mode, `u = log(r / mode)`, and `exp(u) - 1`.

    The exponent is less than at the mode by `(v + j) (e**u - 1 - u) + s r**2 / 2 (e**u - 1)**2`, where the kernel is
    `phi`.  The others have in addition the factor `Phi / phi`, which may grow so much on one side that there the second
    term is not to be relied upon.
    """
    mode, power, curve = mode_of(v, d, t, j)
    least = np.where(t * d > 0, v * mode * mode, curve)
    curves = np.where(kernel * t < 0, least, curve), np.where(kernel * t > 0, least, curve)
    first, last = _ends(power, *curves)
    step, half = (last - first) / points, curve / 2
    is_rising, is_large = bool(np.any(t * d > 0)), bool(np.any(v > _LARGE))
    shift, derivative = kernel * math.sqrt(0.5) * d, kernel * math.sqrt(0.5) * t * mode
    scale = step if kernel == DENSITY else step * math.sqrt(math.pi / 2)
    for node, bent in _nodes(first, step, points):
        u = node - bent
        ratio, grown = _exponential(u, is_large)
        exponent = power * (u - grown) - half * grown * grown
        term = np.exp(exponent) if kernel == DENSITY else _tail(exponent, shift - derivative * ratio, is_rising)
        term *= (1 + bent) * scale
        yield term, u, grown


def _exponential(u: Any, is_large: bool) -> tuple[Any, Any]:
    """`exp(u)` and `exp(u) - 1`, the latter without cancellation where a large power multiplies it."""
    if is_large:
        grown = np.expm1(u)
        return grown + 1, grown
    ratio = np.exp(u)
    return ratio, ratio - 1


def _tail(exponent: Any, x: Any, is_rising: bool) -> Any:
    """`exp(exponent + x**2) erfc(x)`; where `x` is negative only if it is rising."""
    if not is_rising:
        return np.exp(exponent) * erfcx(x)
    is_left = x < 0
    return np.exp(np.where(is_left, exponent + x * x, exponent)) * np.where(is_left, erfc(x), erfcx(np.abs(x)))


POINTS = (48, 64, 96, 200, 600, 2400, 10000, 40000)
"""How many `modal_nodes` are needed for each level."""


def tail_level(v: Any, d: Any, t: Any) -> Any:
    """Which of `POINTS` for `F`."""
    rise = np.where(t * d > 0, np.abs(d), 0.0)
    falling = (v < 0.1) * 1 + (v < 4)
    steps = (v < 1) * 1 + ((rise > 1) & (v < 4)) + (rise > 4) + (rise > 12)
    steep = (rise > 25) * 1 + (rise > 75) + (rise > 300) + (rise > 1300)
    rising = np.where(steep > 0, 3 + steep, 1 + np.minimum(steps, 2))
    return np.where(rise > 0, rising, falling)
