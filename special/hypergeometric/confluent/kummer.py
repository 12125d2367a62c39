"""Derivatives of Kummer's function `M(a, b, z) = 1F1(a; b; z)` in its parameters, real and complex `z`.

By Kummer's transformation (DLMF 13.2.39) the argument is in the right half-plane.  There the power series is tried
first; far out the asymptotic expansion; and where both fail, for large parameters of the sign that makes M oscillate or
near the imaginary axis, Kummer's equation is solved along the ray from 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...numerics.hypergeometric_series import AT_ONCE, dense, nan_where_unknown, power_series, sparse, try_in_turn
from ...numerics.jets import Jet, variables
from ...numerics.regions import by_region, is_near_pole, is_pole
from ...ufuncs.parameter_families import ParameterFamily
from ..taylor_march import Equation, march, two_marches
from .kummer_expansions import (
    FAR,
    FAR_LEFT,
    FAR_ON_AXIS,
    MOST_CANCELLED,
    NEAR_POLE,
    STEPS,
    downwards,
    expansion,
    far_left,
    from_larger_a,
    on_axis,
    polynomial,
)
from .kummer_poles import is_near_poles, is_rounded, near_poles

_STEPS_BELOW = 3000
"""A recurrence in a negative `b` is at most so long."""

_LOSS_AT_START = 1e4
"""The terms may be larger than the sum by this factor where the solution of the equation begins."""


def _kummer(parameters: Sequence[Jet], z: Any, m: int) -> Jet:
    """The derivative of order `m` in `z`: `(a)_m / (b)_m M(a + m, b + m, z)`, DLMF 13.3.16."""
    a, b = parameters
    orders = a.orders
    factor: Any = 1.0
    for k in range(m):
        factor = (a + float(k)) / (b + float(k)) * factor

    def right(a: Any, b: Any, z: Any) -> list[Any]:
        return _right_half_plane(*_shifted(a, b, m, orders), z)

    def left(a: Any, b: Any, z: Any) -> list[Any]:
        first, second = _shifted(a, b, m, orders)
        transformed = sparse(_right_half_plane(second - first, second, -z), orders)
        return dense(nan_where_unknown("hyp1f1", transformed * np.exp(z), is_rounded(a, b, sum(orders))))

    def at_infinity(a: Any, b: Any, z: Any) -> list[Any]:
        """It vanishes with its derivatives at `-inf` as `(-z)**-a`, DLMF 13.7.2."""
        limit = np.where((np.real(z) < 0) & (a + m > 0), 0.0, np.nan) + np.zeros_like(z)
        return [limit] * math.prod(n + 1 for n in orders)

    def far(a: Any, b: Any, z: Any) -> list[Any]:
        result, is_good = on_axis(*_shifted(a, b, m, orders), z)
        return dense(nan_where_unknown("hyp1f1", result, ~is_good))

    def others(a: Any, b: Any, z: Any) -> Jet:
        is_left, is_far = np.real(z) < 0, (np.abs(z) > FAR_ON_AXIS) & (z.dtype.kind != "c")
        regions = [(~np.isfinite(z), at_infinity), (is_far, far), (~is_left, right), (is_left, left)]
        return sparse(by_region(regions, a, b, z), orders)

    first = _shifted(a.value, b.value, m, orders)[0]
    is_short = is_pole(first.value) & (first.value > -STEPS) & (first.value < 0) & np.isfinite(z)
    is_short = is_short & (len(first.coefficients) == 1)
    methods = [
        (is_short, lambda a, b, z: polynomial(*_shifted(a, b, m, orders), z)),
        (is_near_poles(a.value, b.value, z), lambda a, b, z: near_poles(a, b, z, m, orders)),
    ]
    if z.dtype.kind != "c":
        methods.append(((z < -FAR_LEFT) & (z >= -FAR_ON_AXIS), lambda a, b, z: far_left(*_shifted(a, b, m, orders), z)))
    return sparse(try_in_turn(methods, others, a.value, b.value, z), orders) * factor


def _shifted(a: Any, b: Any, m: int, orders: tuple[int, ...]) -> tuple[Jet, Jet]:
    first, second = variables(orders, a, b)
    return first + float(m), second + float(m)


def _right_half_plane(a: Jet, b: Jet, z: Any) -> list[Any]:
    orders = a.orders
    derivatives = [Jet({**p.coefficients, (0,) * len(orders): 0.0}, orders) for p in (a, b)]

    def on_jets(method: Any) -> Any:
        return lambda x, y, z: method(derivatives[0] + x, derivatives[1] + y, z)

    def series(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return power_series([a], [b], z, 1500)

    def attempts(x: Any, z: Any) -> list[Any]:
        modulus = np.abs(z)
        cancels_little = modulus - np.real(z) < MOST_CANCELLED + 2 * np.abs(x)
        is_far = modulus > FAR
        return [
            (is_far & ~cancels_little, on_jets(expansion)),
            ((modulus < 400) & cancels_little, on_jets(series)),
            (is_far & cancels_little, on_jets(expansion)),
            ((x < -1) & (x > -STEPS) & (modulus < 8 * np.abs(x)), on_jets(from_larger_a)),
        ]

    def by_recurrence(x: Any, y: Any, z: Any) -> tuple[Jet, Any]:
        steps = np.ceil(1 - y)
        pair = [
            sparse(try_in_turn(attempts(x, z), on_jets(_solution_or_nan), x, c, z), orders)
            for c in (y + steps, y + steps + 1)
        ]
        return downwards(derivatives[0] + x, derivatives[1] + y, z, steps, *pair)

    def roughly(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return expansion(a, b, z, 3e-14)

    def poorly(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return expansion(a, b, z, 1e-12)

    methods = [
        *attempts(a.value, z),
        ((b.value < 0) & (b.value > -_STEPS_BELOW) & ~is_near_pole(b.value, NEAR_POLE), by_recurrence),
        (np.abs(z) > 40, on_jets(roughly)),
    ]
    methods += [(z == z, on_jets(_solution)), (np.abs(z) > 40, on_jets(poorly))]
    return try_in_turn(methods, on_jets(_unknown), a.value, b.value, z)


def _unknown(a: Jet, b: Jet, z: Any) -> Jet:
    """No method is good enough: NaN, with a warning."""
    return nan_where_unknown("hyp1f1", (a + b) * (0.0 * z), z == z)


def _solution_or_nan(a: Jet, b: Jet, z: Any) -> Jet:
    result, agrees = _solution(a, b, z)
    return nan_where_unknown("hyp1f1", result, ~agrees)


def _solution(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """Kummer's equation from near 0 along the ray to `z`, and where two marches agree."""
    modulus = np.abs(z)
    large, stiff = 1 + np.abs(a.value), 1 + np.abs(b.value)
    start = z * (np.minimum(modulus, np.maximum(stiff / large, _start(a.value, z))) / modulus)

    def arrive(parameters: Sequence[Jet], pace: float) -> Jet:
        a, b = parameters
        w, succeeds = power_series([a], [b], start, 300, _LOSS_AT_START)
        derivative, succeeds_too = power_series([a + 1.0], [b + 1.0], start, 300, _LOSS_AT_START)
        w = w + np.where(succeeds & succeeds_too, 0.0, np.nan)

        def step(point: Any, here: Any) -> Any:
            distance = np.abs(point)
            shortest = np.minimum(distance * np.minimum(0.35, 3 / stiff[here]), 2.5 * np.sqrt(distance / large[here]))
            return pace * np.minimum(4.6, shortest)

        return march(w, derivative * (a / b), start, z, step, Equation((a,), b), 36)[0]

    return two_marches((a, b), arrive)


def _start(a: Any, z: Any) -> Any:
    """How far from 0 the power series, which behaves as `exp(z + 2 sqrt(a z))`, cancels by `exp(4)`."""
    cosine = np.real(z) / np.abs(z)
    half = np.sqrt((1 + cosine) / 2)
    linear = 1 - cosine
    root = np.sqrt(np.abs(a)) * np.where(a > 0, 1 - half, 1.0)
    return (4 / (root + np.sqrt(root * root + 4 * linear))) ** 2


KUMMER = ParameterFamily(_kummer, 2, AT_ONCE)
