"""The hypergeometric function of a Jacobi function whose degree is a fraction, on the whole cut plane.

With `zeta = (1 - sqrt(1 - z)) / (1 + sqrt(1 - z))`, which maps the plane without `[1, inf)` on the unit disc,
`F(a, b; c; z) = (1 + zeta)**(2 a) psi`. In `zeta` the hypergeometric equation has four singular points; the factor
removes one exponent at `zeta = -1`, so the power series of `psi` has three terms in its recurrence,

    k (k + c - 1) t_k = 2 (2 b - c) (k - 1 + a) zeta t_(k-1) + (k - 2 + 2 a) (k - 1 + 2 a - c) zeta**2 t_(k-2).

It converges as `zeta**k`: at `z = 1/2` as `0.17**k`. Next to the circle, that is next to the cut, Taylor series of the
hypergeometric equation lead on, straight in `log(1 - z)`. The parameters are numbers, arrays or jets.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.jets import Jet, power
from ...numerics.regions import part, plain, replaced
from .jacobi_left_end import nearness, onto_left_end
from .jacobi_sums import are_first_jets, inplace_sums

_RADIUS = 0.9
"""The power series is used up to here."""
_DEPARTURE = 0.7
"""Where the path to a point outside begins."""
_LOSS = 4.0
"""Nor where `|1 - z|**-beta` is less than its largest value on the circle by more than the exponential of this."""
_RATIO = 0.4
"""A step at most, as a part of the distance to the next singular point."""
_GROWTH = 7.0
"""So much, as the exponent of `e`, terms may grow that cancel."""
_LEG = 2.0
"""How far a leg of the path goes in `log(1 - z)`."""
_PHASE = 2.0
"""A step may not see more than this change of phase, for the terms of its series cancel."""
_NARROW, _SMALL_SUM = 3e-3, 0.1
"""Where `alpha + 1` is less, or `alpha + beta + 2` than the other times it or 1, derivatives in the degree cancel."""
_TINY = 1e-18
_MOST_TERMS = 5000
_MOST_STEPS = 2000


def beginning(a: Any, b: Any, c: Any, z: Any, rest: Any) -> tuple[Any, Any]:
    """`F(a, b; c; z)` and `z dF / dz`, with `rest = 1 - z`."""
    zeta = z / (1 + np.sqrt(rest)) ** 2
    size = np.abs(raw(zeta))
    exponent = np.maximum(plain(a) + plain(b) - plain(c), 0.25)
    loss = 2 * exponent * (2 * np.arctanh(np.minimum(size, _RADIUS)) + np.log(np.abs(raw(rest))) / 2)
    departure = np.minimum(_DEPARTURE, np.tanh(_LOSS / (4 * exponent)))
    is_outside = (size > _RADIUS) | (loss > _LOSS) & (size > departure)
    if not np.any(is_outside):
        return _by_series(a, b, c, zeta)
    start = np.where(is_outside, raw(zeta) * (departure / np.maximum(size, departure)), zeta)
    value, rise = _by_series(a, b, c, start)
    (outside,) = np.nonzero(is_outside)
    origin = 4 * raw(start)[outside] / (1 + raw(start)[outside]) ** 2
    a, b, c, w, climb = (part(p, outside) for p in (a, b, c, value, rise))
    value_there, derivative = march(a, b, c, w, climb / origin, 1 - origin, rest[outside])
    rise_there = derivative * z[outside]
    return replaced(value, outside, value_there), replaced(rise, outside, rise_there)


def _by_series(a: Any, b: Any, c: Any, zeta: Any) -> tuple[Any, Any]:
    """With `psi = 1 + a V` and `theta = zeta d / dzeta`: `z dF / dz = (1 + zeta) / (1 - zeta) theta F`.

    At `a = 0` the first derivatives need `V` alone, without its own.
    """
    inner = (a, b, c)
    if isinstance(a, Jet) and sum(a.orders) == 1 and type(a.value) is float and a.value == 0:
        inner = tuple(p.value if isinstance(p, Jet) else p for p in inner)
    value, derivative = (inplace_sums if are_first_jets(*inner, zeta) else _sums)(*inner, zeta)
    psi = a * value + 1.0
    rise = (derivative * ((1 + zeta) / (1 - zeta)) + psi * (2 * zeta / (1 - zeta))) * a
    factor = power(1 + zeta, 2.0 * a, log_of_rest(-zeta, 1 + zeta)) if isinstance(a, Jet) else (1 + zeta) ** (2.0 * a)
    return psi * factor, rise * factor


def log_of_rest(z: Any, rest: Any) -> Any:
    """`log(1 - z)`, of small real `z` with all digits, with `rest = 1 - z`."""
    if rest.dtype.kind == "c":
        return np.log(rest)
    is_small = np.abs(raw(z)) < 0.5
    return np.where(is_small, np.log1p(np.where(is_small, -z, 0.0)), np.log(rest))


def _sums(a: Any, b: Any, c: Any, zeta: Any) -> tuple[Any, Any]:
    """`V = sum t_k / a` and `sum k t_k / a`."""
    first, square = (2.0 * b - c) * (2.0 * zeta), zeta * zeta
    twice, excess = 2.0 * a, 2.0 * a - c
    before, term = square * 0.0 + 1.0, first / c
    value, derivative = term, term
    before = 2.0
    for k in range(2, _count(plain(a), plain(b), plain(c), raw(zeta)) + 1):
        weight = excess + (k - 1.0)
        weight = weight * (twice + (k - 2.0)) if k > 2 else weight
        upper = (a + (k - 1.0)) * first * term + weight * square * before
        before, term = term, upper / ((c + (k - 1.0)) * float(k))
        value = value + term
        derivative = derivative + float(k) * term
    return value, derivative


def _count(a: Any, b: Any, c: Any, zeta: Any) -> int:
    """How many terms the series needs, by a majorant."""
    largest, middle = float(np.max(np.abs(a), initial=0.0)), float(np.max(np.abs(2 * b - c), initial=0.0))
    excess, c = float(np.max(np.abs(2 * a - c), initial=0.0)), float(np.min(c))
    size = float(np.max(np.abs(zeta), initial=0.0))
    before, term, highest, k = 2.0, 2 * middle * size / c, 1.0, 1
    while (term > _TINY * highest or before > _TINY * highest) and k < _MOST_TERMS:
        k += 1
        weight = (excess + k - 1) * ((2 * largest + k - 2) if k > 2 else 1.0)
        upper = (largest + k - 1) * 2 * middle * size * term + weight * size * size * before
        before, term = term, upper / (k * (k + c - 1))
        highest = max(highest, term)
    return k


def march(a: Any, b: Any, c: Any, value: Any, derivative: Any, start: Any, rest: Any) -> tuple[Any, Any]:
    """`F` and `dF / dz` from `1 - z = start` to `rest`, straight in `log(1 - z)`; NaN where it is too far.

    Next to `z = 1` by the series there.
    """
    path, derivative = np.log(rest / start), -derivative
    limit = nearness(plain(a), plain(b), plain(c))
    is_near = np.abs(raw(rest)) < np.minimum(limit, np.abs(raw(start)))
    if not np.any(is_near):
        value, derivative = _by_legs(a, b, c, value, derivative, start, rest)
        return value, -derivative
    (near,) = np.nonzero(is_near)
    begin, end = np.abs(raw(start)), np.where(is_near, np.abs(raw(rest)), 1.0)
    to_limit = np.log(np.maximum(begin / np.where(is_near, limit, 1.0), 1.0))
    share = np.where(is_near, to_limit / np.where(is_near, np.log(begin / end), 1.0), 1.0)
    stop = np.where(is_near, raw(start) * np.exp(raw(path) * share), rest)
    (here,) = np.nonzero(share > 0)
    if len(here):
        ends = _by_legs(*(part(p, here) for p in (a, b, c, value, derivative, start, stop)))
        value, derivative = (replaced(x, here, end) for x, end in zip((value, derivative), ends, strict=True))
    derivative_in_log = derivative * stop
    ends = onto_left_end(*(part(p, near) for p in (a, b, c, value, derivative_in_log, stop, rest)))
    value, derivative_in_log = (replaced(x, near, end) for x, end in zip((value, derivative_in_log), ends, strict=True))
    return value, derivative_in_log * (-1 / rest)


def _by_legs(a: Any, b: Any, c: Any, value: Any, derivative: Any, start: Any, rest: Any) -> tuple[Any, Any]:
    """`F` and its derivative in `1 - z`, by Taylor series."""
    path, here = np.log(rest / start), start
    legs = max(1, math.ceil(np.max(np.abs(raw(path)), initial=0.0) / _LEG))
    for k in range(legs):
        there = start * np.exp(path * ((k + 1) / legs)) if k + 1 < legs else rest
        value, derivative = _leg(a, b, c, value, derivative, here, there)
        here = there
    return value, derivative


def _leg(a: Any, b: Any, c: Any, value: Any, derivative: Any, start: Any, rest: Any) -> tuple[Any, Any]:
    """A part of the path, on which the steps of an element are of one length."""
    path = np.log(rest / start)
    excess = plain(a) + plain(b) - plain(c)
    needed = steps_to(plain(a) * plain(b), raw(start), raw(path), _ratio(excess), _ratio(plain(c) - 1))
    is_near = needed <= _MOST_STEPS
    count = int(np.max(needed, where=is_near, initial=1))
    rest = np.where(is_near, rest, np.nan)
    left = start
    for k in range(count):
        there = start * np.exp(path * ((k + 1) / count)) if k + 1 < count else rest
        value, derivative = _taylor(left, there - left, value, derivative, a * b, a + b, c)
        left = there
    return value, derivative


def _ratio(exponent: Any) -> Any:
    """The largest part of the distance to a singular point of this exponent.

    The terms of the other solution, which rounding errors start, grow to the power of the rest of the distance.
    """
    return np.minimum(_RATIO, -np.expm1(-_GROWTH / np.maximum(np.abs(exponent), 1.0)))


def steps_to(product: Any, start: Any, path: Any, ratio: Any, other: Any) -> Any:
    """So many that none is longer than its part of the distance to the next singular point, or than its phase.

    The part is `ratio` of the distance to 0, and `other` of that to 1.
    """
    shortest = np.full_like(np.abs(path), np.inf)
    for k in range(33):
        left = start * np.exp(path * (k / 32))
        relative = np.abs(1 - left) / np.abs(left)
        step = np.minimum(np.minimum(ratio, other * relative), _PHASE * np.sqrt(relative / (np.abs(product) + 1e-300)))
        shortest = np.minimum(shortest, step)
    return np.ceil(np.abs(path) / shortest)


def _taylor(left: Any, h: Any, value: Any, derivative: Any, product: Any, total: Any, c: Any) -> tuple[Any, Any]:
    """The solution of the hypergeometric equation, DLMF 15.10.1, and its derivative, as functions of `1 - z`.

    With `product = a b`, `total = a + b` and `g_k` the terms of its Taylor series at `y = left = 1 - z`,
    `(k + 2) (k + 1) y (1 - y) g_(k+2) = (k**2 + k total + product) h**2 g_k - (k + 1) (k (1 - 2 y) + total + 1 - c
    - (total + 1) y) h g_(k+1)`.
    """
    y = 1 - left
    scale = h / (y * left)
    linear, constant = (y - left) * scale, (total + 1.0) * (y * scale) - c * scale
    square = h * scale
    product, total_square = product * square, total * square
    ratio = float(np.max(np.abs(raw(h)) / np.minimum(np.abs(raw(y)), np.abs(raw(left))), initial=0.0))
    g, following = value, derivative * h
    value, rise = g + following, following
    for k in range(step_terms(plain(total) - plain(c), plain(c), ratio)):
        upper = (product + (k * square + total_square) * float(k)) * g
        upper = upper - ((constant + k * linear) * following) * (k + 1.0)
        g, following = following, upper * (1.0 / ((k + 2) * (k + 1)))
        value = value + following
        rise = rise + (k + 2.0) * following
    return value, rise / h


def step_terms(beta: Any, c: Any, ratio: float) -> int:
    """How many terms a step needs: they fall as those of `(1 - ratio t)**-p`, `p` a singular exponent."""
    p = max(float(np.max(np.abs(beta))), float(np.max(np.abs(c)))) + 2
    term, largest, k = 1.0, 1.0, 0
    while term > _TINY * largest and k < _MOST_TERMS:
        term *= ((p + k) * ratio + _PHASE) / (k + 1)
        largest = max(largest, term)
        k += 1
    return k


def keeps_degree_digits(alpha: Any, beta: Any) -> Any:
    """Where derivatives of Jacobi functions in the degree are right to 1e-10, as measured, and not NaN."""
    return (alpha + 1 >= _NARROW) & ((alpha + 1) + (beta + 1) >= _SMALL_SUM * np.minimum(alpha + 1, 1))
