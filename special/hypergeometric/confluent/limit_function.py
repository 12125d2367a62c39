"""Derivatives of the confluent hypergeometric limit function `0F1(; v; z)` in its parameter, real and complex `z`.

Near 0 and at positive `z` it is its power series, and at negative `v` wherever that does not cancel; of large `v` it is
had by Debye's expansions; at moderate negative `z` it follows downwards from larger `v`, and further out by Miller's
algorithm; elsewhere it is `gamma(v) s**(1 - v) I_(v-1)(2 s)`, `s = sqrt(z)`, and at negative `z` the same with J and
`s = sqrt(-z)` (DLMF 10.39.9 and 10.16.9).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bessel.bessel_order import bessel_jet
from ...numerics.hypergeometric_series import dense, moduli, nan_where_unknown, power_series, sparse, try_in_turn
from ...numerics.jets import Jet, power, reciprocal_gamma, variables
from ...numerics.regions import by_region, is_pole, within
from ...numerics.series_terms import Factor, Step, reached_indices
from ...ufuncs.parameter_families import ParameterFamily
from ..integer_sums import series_in_integers
from .limit_function_large import LARGE, by_bessel, of_large

_EDGES = (5.0, 10.0, 20.0, 40.0)
"""Between two of these moduli the recurrence has the same length."""

_FARTHEST_SUMMED = 1000.0
"""Up to here the power series has less than a hundred terms; they are positive at positive arguments."""

_FARTHEST_IN_INTEGERS = 1e6
"""The series in integers takes some milliseconds an element up to here."""

_AGREEMENT = 1e-12
"""Up to this relative difference the values of two methods are right."""

_FAR_EDGES = (60.0, 100.0, 160.0, 250.0, 400.0)
"""The same for the recurrence from far above."""


def _confluent_limit(parameters: Sequence[Jet], z: Any, m: int) -> Jet:
    """The derivative of order `m` in `z`: `0F1(; v + m; z) / (v)_m`, DLMF 16.3.1."""
    v = parameters[0]
    n = v.orders[0]
    factor: Any = 1.0
    for k in range(m):
        factor = 1.0 / (v + float(k)) * factor

    def series(order: Any, z: Any) -> list[Any]:
        return dense(power_series([], variables((n,), order), z, 200)[0])

    def by_bessel(kind: str) -> Any:
        def kernel(order: Any, z: Any) -> list[Any]:
            s = np.sqrt(-z if kind == "j" else z)
            bessel = sparse(bessel_jet(order - 1, 2 * s, kind, False, n), (n,))
            jet = variables((n,), order)[0]
            return dense(bessel * power(s, 1.0 - jet) * reciprocal_gamma(jet).reciprocal())

        return kernel

    shifted = v.value + m
    modulus = np.abs(z)
    is_near = modulus <= np.maximum(np.abs(shifted), 0.01)
    if z.dtype.kind != "c":
        is_near = is_near | ((shifted > 0) & (z > 0) & (z <= _FARTHEST_SUMMED))

    def recurrence(order: Any, z: Any) -> list[Any]:
        return dense(_from_larger_parameter(variables((n,), order)[0], z))

    def by_miller(order: Any, z: Any) -> list[Any]:
        return dense(_by_normalized_recurrence(variables((n,), order)[0], z))

    def near_zero(order: Any, z: Any) -> list[Any]:
        """DLMF 16.3.1 and 16.3.6: next to the pole at 0 the sum of the other recurrence cancels."""
        v = variables((n,), order)[0]
        first, second = (sparse(by_miller(order + k, z), (n,)) for k in (1.0, 2.0))
        return dense(first + second / (v * (v + 1.0)) * z)

    def others(order: Any, z: Any) -> Jet:
        modulus, is_oscillating = np.abs(z), (np.real(z) < 0) & (z.dtype.kind != "c")
        recurs, is_moderate = is_oscillating & (order > -20), is_oscillating & (order > 0) & (order < 60)
        regions = [(recurs & (modulus <= edge), recurrence) for edge in _EDGES]
        regions += [(is_moderate & (order < 0.5) & (modulus <= _FAR_EDGES[-1]), near_zero)]
        regions += [(is_moderate & (modulus <= edge), by_miller) for edge in _FAR_EDGES]
        regions += [(is_oscillating, by_bessel("j")), (modulus >= 0, by_bessel("i"))]
        result = sparse(by_region(regions, order, z), (n,))
        is_known = np.isfinite(moduli(result)) | is_pole(order) | np.isinf(modulus)
        is_known &= _agrees(result.value, order, z)
        return nan_where_unknown("hyp0f1", result, ~is_known)

    def checked(order: Any, z: Any) -> tuple[Jet, Any]:
        return power_series([], variables((n,), order), z, 200)

    def large(order: Any, z: Any) -> tuple[Jet, Any]:
        return of_large(variables((n,), order)[0], z)

    methods = [
        (is_near, lambda order, z: (sparse(series(order, z), (n,)), np.ones_like(order, dtype=bool))),
        ((shifted < 0) & (modulus <= _FARTHEST_SUMMED), checked),
        (np.abs(shifted) >= LARGE, large),
    ]
    result = sparse(try_in_turn(methods, others, shifted, z), (n,))
    return factor * result if m else result


def certain_values(v: Any, z: Any) -> Any:
    """The function by expansions for large `v`, by its power series where that does not cancel; else NaN."""

    def series(v: Any, z: Any) -> tuple[Jet, Any]:
        return power_series([], variables((0,), v), z, 1000)

    def large(v: Any, z: Any) -> tuple[Jet, Any]:
        return of_large(variables((0,), v)[0], z)

    is_left = (v <= -LARGE) & (np.real(z) < 0) & (z.dtype.kind != "c")
    methods = [(v <= -LARGE, large), (is_left, by_bessel), (z == z, series), (v >= LARGE, large)]
    return try_in_turn(methods, lambda v, z: Jet({(0,): np.full_like(z, np.nan)}, (0,)), v, z)[0]


def last_values(v: Any, z: Any) -> Any:
    """The function by its power series in integers; NaN where that is too long."""
    return within(np.abs(z) <= _FARTHEST_IN_INTEGERS, lambda v, z: series_in_integers([], [v], z), v, z)


def _agrees(w: Any, v: Any, z: Any) -> Any:
    """Where quotients of Bessel functions are right: the expansions of large `v` end next to a turning point."""
    if z.dtype.kind != "c":
        return True
    is_doubtful = np.abs(v) >= LARGE
    exact = within(is_doubtful, last_values, v, z)
    return ~is_doubtful | (np.abs(w - exact) <= _AGREEMENT * np.abs(exact))


def _from_larger_parameter(v: Jet, z: Any) -> Jet:
    """`g_(k-1) = (v + k - 1) g_k + z g_(k+1)` of `g_k = 0F1(; v + k; z) / (v)_k`, downwards: there it is minimal.

    It is DLMF 10.6.1; where it begins the power series does not cancel.
    """
    steps = int(np.ceil(np.max(np.abs(z) - v.value, initial=0.0))) + 1
    top = v + float(steps)
    current, _ = power_series([], [top], z, 200)
    above, _ = power_series([], [top + 1.0], z, 200)
    above = above / top
    product = v * 0.0 + 1.0
    for k in reversed(range(steps)):
        factor = v + float(k)
        current, above = factor * current + above * z, current
        product = product * factor
    return current / product


def _by_normalized_recurrence(v: Jet, z: Any) -> Jet:
    """The same recurrence from far above, where any start is good, and the sum that tells its scale.

    It is `1 = g_0 + sum_(k > 0) (v - 1 + 2 k) (v)_(k-1) / k! (-z)**k g_(2 k)`, DLMF 10.23.15, summed as Horner does.
    """
    indices = reached_indices([v])
    factor = Factor(v, indices)
    farthest = 2 * math.sqrt(float(np.max(np.abs(z))))
    count = 2 * math.ceil((farthest + 12 * farthest ** (1 / 3) + 4) / 2)
    shifted = np.empty_like(z)
    above, total = (np.zeros_like(z, shape=(len(indices), z.shape[0])) for _ in range(2))
    current, work = above + 0.0, above + 0.0
    current[0] = 1e-200
    in_total, in_work = factor.product(shifted, total), factor.product(shifted, work)
    for k in reversed(range(1, count + 1)):
        if k % 2 == 0:
            np.add(v.value, k // 2 - 1.0, shifted)
            _run(in_total)
            np.multiply(total, z * (-1.0 / (k // 2 + 1)), total)
        np.add(v.value, k - 1.0, shifted)
        work[:] = current
        _run(in_work)
        if k % 2 == 0:
            np.add(total, work, total)
        np.multiply(above, z, above)
        np.add(above, work, above)
        current, above = above, current
    np.multiply(total, -z, total)
    first, scale = (Jet(dict(zip(indices, x, strict=True)), v.orders) for x in (current, current + total))
    return first / scale


def _run(steps: list[Step]) -> None:
    for act, x, y, out in steps:
        act(x, y, out)


CONFLUENT_LIMIT = ParameterFamily(_confluent_limit, 1, 1 << 16)
