"""Derivatives of Kummer's function `M(a, b, z) = 1F1(a; b; z)` in its parameters, real and complex `z`.

By Kummer's transformation (DLMF 13.2.39) the argument is in the right half-plane.  There the power series is tried
first; far out the asymptotic expansion; and where both fail, for large parameters of the sign that makes M oscillate or
near the imaginary axis, Kummer's equation is solved along the ray from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .hypergeometric_series import checked_march, dense, march, power_series, sparse, try_in_turn, without_lost
from .jets import Jet, choose, cosine_of_pi, power, reciprocal_gamma, turn, variables
from .parameter_families import ParameterFamily
from .regions import by_region

__all__ = ["KUMMER"]


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
        return dense(transformed * np.exp(z))

    is_left = np.real(z) < 0
    result = sparse(by_region([(~is_left, right), (is_left, left)], a.value, b.value, z), orders)
    return factor * result if m else result


def _shifted(a: Any, b: Any, m: int, orders: tuple[int, ...]) -> tuple[Jet, Jet]:
    first, second = variables(orders, a, b)
    return first + float(m), second + float(m)


def _right_half_plane(a: Jet, b: Jet, z: Any) -> list[Any]:
    orders = a.orders
    slopes = [Jet({**p.coefficients, (0,) * len(orders): 0.0}, orders) for p in (a, b)]

    def at(x: Any, y: Any) -> tuple[Jet, Jet]:
        return slopes[0] + x, slopes[1] + y

    def series(x: Any, y: Any, z: Any) -> tuple[Jet, Any]:
        first, second = at(x, y)
        return power_series([first], [second], z, 1500)

    def expansion(x: Any, y: Any, z: Any) -> tuple[Jet, Any]:
        return _expansion(*at(x, y), z)

    def solution(x: Any, y: Any, z: Any) -> Jet:
        return _solution(*at(x, y), z)

    def attempts(z: Any) -> list[Any]:
        return [(np.abs(z) < 400, series), (np.abs(z) > 40, expansion)]

    def by_recurrence(x: Any, y: Any, z: Any) -> tuple[Jet, Any]:
        steps = np.ceil(1 - y)
        pair = [sparse(try_in_turn(attempts(z), solution, x, c, z), orders) for c in (y + steps, y + steps + 1)]
        result = _downwards(*at(x, y), z, steps, *pair)
        values = [Jet({(0, 0): p.value}, (0, 0)) for p in (*at(x, y), pair[0], 0.0 * pair[1])]
        part = _downwards(*values[:2], z, steps, *values[2:]).value
        size = np.abs(part) + np.abs(result.value - part)
        return without_lost("hyp1f1", result, size > 1e4 * np.abs(result.value)), True

    return try_in_turn([*attempts(z), (b.value < 0, by_recurrence)], solution, a.value, b.value, z)


def _downwards(a: Jet, b: Jet, z: Any, steps: Any, current: Jet, above: Jet) -> Jet:
    """From `b + steps` and `b + steps + 1` to `b`, DLMF 13.3.2: where M is large at negative b, it grows that way."""
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        c = b + float(k)
        below = ((c - 1.0 + z) * c * current - (c - a) * above * z) / (c * (c - 1.0))
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
    return current


def _expansion(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 13.2.4 with 13.7.3: `gamma(b) (exp(z) z**(a-b) / gamma(a) S1 + exp(+-i pi a) z**-a / gamma(b-a) S2)`."""
    growing, is_good = _expansion_sum(b - a, 1.0 - a, z, 1.0)
    decaying, is_good_too = _expansion_sum(a, a - b + 1.0, z, -1.0)
    growing = growing * power(z, a - b) * reciprocal_gamma(a) * np.exp(z)
    is_complex = z.dtype.kind == "c"
    rotation = choose(np.imag(z) >= 0, turn(a, 1.0), turn(a, -1.0)) if is_complex else cosine_of_pi(a)
    growing = growing + decaying * rotation * power(z, -a) * reciprocal_gamma(b - a)
    result = growing * reciprocal_gamma(b).reciprocal()
    is_finite = np.isfinite(sum(np.abs(c) for c in result.coefficients.values()))
    return result, is_good & is_good_too & is_finite


def _expansion_sum(p: Jet, q: Jet, z: Any, sign: float) -> tuple[Jet, Any]:
    """`sum_k (p)_k (q)_k / k! (sign / z)**k`, and whether its terms fall fast and do not cancel."""
    term = total = Jet({(0,) * len(p.orders): 1.0 + 0.0 * z}, p.orders)
    sizes: Any = 1.0
    for k in range(46):
        term = term * (p + float(k)) * (q + float(k)) * (sign / ((k + 1) * z))
        sizes = sizes + np.abs(term.value)
        total = total + term
    falls = (np.abs(p.value) + 45) * (np.abs(q.value) + 45) <= 40 * np.abs(z)
    return total, falls & (np.abs(term.value) <= 1e-15 * sizes) & (sizes <= 1000 * np.abs(total.value))


def _solution(a: Jet, b: Jet, z: Any) -> Jet:
    """`z w'' + (b - z) w' - a w = 0`, DLMF 13.2.1, from near 0 along the ray to `z`."""
    modulus = np.abs(z)
    large, stiff = 1 + np.abs(a.value), 1 + np.abs(b.value)
    start = z * (np.minimum(modulus, stiff / large) / modulus)

    def arrive(parameters: Sequence[Jet], pace: float) -> Jet:
        a, b = parameters
        w, _ = power_series([a], [b], start, 300)
        slope, _ = power_series([a + 1.0], [b + 1.0], start, 300)

        def step(point: Any) -> Any:
            distance = np.abs(point)
            shortest = np.minimum(distance * np.minimum(0.35, 3 / stiff), 2.5 * np.sqrt(distance / large))
            return pace * np.minimum(2.0, shortest)

        def following(point: Any, j: int, c: Jet, after: Jet) -> Jet:
            fed = (a + float(j)) * c - (b - point + float(j)) * after * (j + 1.0)
            return fed * (1 / ((j + 1) * (j + 2) * point))

        return march(w, slope * (a / b), start, z, step, following, 36)[0]

    return checked_march("hyp1f1", (a, b), arrive)


KUMMER = ParameterFamily(_kummer, 2)
