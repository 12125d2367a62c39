"""Derivatives of Gauss' function `2F1(a, b; c; z)` in its parameters, real and complex `z`.

The power series is tried in several forms (as it stands, after the transformations of Pfaff and Euler, DLMF 15.8.1) and
used where it converges without cancellation; then the formulas that expand about 1 and infinity (DLMF 15.8.2, 15.8.4)
and about 1/2.  Where those have a removable singularity, at integers `b - a`, `c - a - b`, the function is interpolated
in the parameters.  Elsewhere the hypergeometric equation is solved from near 0 to `z`, on a straight line that makes a
detour round 1 if need be; where that would lose the digits the result is NaN, with a warning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...numerics.hypergeometric_series import AT_ONCE, dense, nan_where_unknown, power_series, sparse, try_in_turn
from ...numerics.jets import Jet, choose, variables
from ...numerics.regions import by_region, in_double
from ...ufuncs.parameter_families import ParameterFamily
from ..taylor_march import Equation, march, two_marches
from .choice import STEPS, fast_methods, first_methods, on_sheet, reliable_methods
from .expansions import about_middle_roughly, at_one, ends, euler, plain, polynomial
from .polynomials import polynomial_about_one
from .shared import shared_jets, shares

_HARD_LOSS = 1e5
"""The terms of a sum may be larger than the sum by this factor, where nothing better succeeds."""

_LARGEST = 1e8
"""Beyond this parameter nothing succeeds but the power series, whose methods come first."""

_LOSS_OF_SHARED, _LOSS_AT_START = 100.0, 1e4
"""The same where many arguments share the series, and where the solution of the equation begins."""


def _gauss(parameters: Sequence[Jet], z: Any, m: int) -> Jet:
    """The derivative of order `m` in `z`: `(a)_m (b)_m / (c)_m 2F1(a + m, b + m; c + m; z)`, DLMF 15.5.2."""
    orders = parameters[0].orders
    derivatives = [Jet({**p.coefficients, (0, 0, 0): 0.0}, orders) for p in parameters]

    def at(x: Any, y: Any, u: Any) -> list[Jet]:
        return [
            first_derivative + (value + float(m))
            for first_derivative, value in zip(derivatives, (x, y, u), strict=True)
        ]

    def general(x: Any, y: Any, u: Any, z: Any) -> list[Any]:
        def on_jets(method: Any) -> Any:
            return lambda x, y, u, z: method(*at(x, y, u), z)

        def others(x: Any, y: Any, u: Any, z: Any) -> Jet:
            methods = [
                (_is_largest(x, y, u), _nowhere),
                *fast_methods(x, y, u, z),
                *reliable_methods(x, y, u, z),
                (z == z, _solution),
            ]
            attempts = [(where, on_jets(method)) for where, method in methods]
            return sparse(try_in_turn(attempts, on_jets(_unknown), x, y, u, z), orders)

        upper = at(x, y, u)[:2]
        is_short = sum(ends(p) & (p.value > -STEPS) for p in upper) > 0
        methods = [
            (is_short & (np.real(z) > 1), polynomial_about_one),
            (_terminates(*upper), plain),
            (is_short, polynomial),
            *first_methods(x, y, u, z),
        ]
        return try_in_turn([(where, on_jets(method)) for where, method in methods], others, x, y, u, z)

    def at_infinity(x: Any, y: Any, u: Any, z: Any) -> list[Any]:
        """It vanishes with its derivatives at `-inf` as `(-z)**-min(a, b)`, DLMF 15.8.2."""
        limit = np.where((np.real(z) < 0) & (x > 0) & (y > 0), 0.0, np.nan) + np.zeros_like(z)
        return [limit] * math.prod(n + 1 for n in orders)

    def at_zero(x: Any, y: Any, u: Any, z: Any) -> list[Any]:
        return dense(Jet({(0,) * len(orders): np.ones_like(z)}, orders))

    values = [p.value for p in parameters]
    regions = [
        (z == 0, at_zero),
        (~np.isfinite(z), at_infinity),
        ((z == 1) & ~_terminates(*at(*values)[:2]), lambda x, y, u, z: dense(at_one(*at(x, y, u)))),
        (z == z, general),
    ]
    return sparse(by_region(regions, *values, z), orders) * _factor(parameters, m)


def _is_largest(*parameters: Any) -> Any:
    return sum(np.abs(p) > _LARGEST for p in parameters) > 0


def _nowhere(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """NaN at once, with a warning."""
    nothing = Jet({(0,) * len(a.orders): np.zeros_like(z)}, a.orders)
    return nan_where_unknown("hyp2f1", nothing, z == z), z == z


def _factor(parameters: Sequence[Jet], m: int) -> Any:
    """`(a)_m (b)_m / (c)_m`."""
    a, b, c = parameters
    factor: Any = 1.0
    for k in range(m):
        factor = (a + float(k)) * (b + float(k)) / (c + float(k)) * factor
    return factor


def _terminates(*upper: Jet) -> Any:
    """Whether the series is a polynomial."""
    return sum(map(ends, upper)) > 0


def _unknown(a: Jet, b: Jet, c: Jet, z: Any) -> Jet:
    """No method is good enough: NaN, with a warning, unless a sum that cancels much is still good to many digits."""
    is_inside = np.abs(z) < 1
    result, succeeds = power_series([a, b], [c], np.where(is_inside, z, 0.0), 3000, _HARD_LOSS)
    succeeds = succeeds & is_inside
    is_on_sheet = on_sheet(z)
    for series in (about_middle_roughly, lambda a, b, c, z: euler(a, b, c, z, about_middle_roughly)):
        other, succeeds_too = series(a, b, c, z)
        is_better = ~succeeds & succeeds_too & is_on_sheet
        result, succeeds = choose(is_better, other, result), succeeds | is_better
    return nan_where_unknown("hyp2f1", result, ~succeeds)


def _solution(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The hypergeometric equation from near 0 to `z`."""
    large = 1 + np.abs(a.value * b.value)
    stiff = 2 + np.abs(c.value) + np.abs(a.value + b.value + 1)
    corner = _corner(z)
    near = np.minimum(1.0, np.minimum(0.3, (1 + np.abs(c.value)) / large) / np.abs(corner))

    def arrive(parameters: Sequence[Jet], pace: float) -> Jet:
        a, b, c = parameters
        start = corner * near
        w, succeeds = power_series([a, b], [c], start, 300, _LOSS_AT_START)
        first_derivative, succeeds_too = power_series([a + 1.0, b + 1.0], [c + 1.0], start, 300, _LOSS_AT_START)
        w = w + np.where(succeeds & succeeds_too, 0.0, np.nan)
        first_derivative = first_derivative * (a * b / c)
        equation = Equation((a, b), c)

        def step(point: Any, here: Any) -> Any:
            distance = np.minimum(np.abs(point), np.abs(1 - point))
            oscillation = np.sqrt(np.abs(point * (1 - point)) / large[here])
            return pace * np.minimum(distance * np.minimum(0.35, 6 / stiff[here]), 3 * oscillation)

        w, first_derivative = march(w, first_derivative, start, corner, step, equation, 36)
        return march(w, first_derivative, corner, z, step, equation, 36)[0] if z.dtype.kind == "c" else w

    return two_marches((a, b, c), arrive)


def _corner(z: Any) -> Any:
    """Where the path from 0 to `z` bends to keep away from 1; real `z > 1` cannot be reached."""
    if z.dtype.kind != "c":
        return np.where(z > 1, np.nan, z)
    passes_one = (np.real(z) > 0.6) & (np.abs(np.imag(z)) < 0.7 * np.real(z))
    return np.where(passes_one, 0.5 + 0.87j * np.where(np.signbit(np.imag(z)), -1.0, 1.0), z)


class _Gauss(ParameterFamily):
    """The family; parameters that are numbers together with many real arguments share their series."""

    def _value(self, *args: Any, orders: tuple[int, ...], m: int) -> Any:
        def of_arrays(*args: Any) -> Any:
            return ParameterFamily._value(self, *args, orders=orders, m=m)

        def kernel(*flat: Any) -> Any:
            *columns, z = flat
            parameters = variables(orders, *[x[0] for x in columns])
            a, b, c = (p + float(m) for p in parameters)
            result = sparse(shared_jets(a, b, c, z, _LOSS_OF_SHARED), orders) * _factor(parameters, m)
            out = result.derivative(*orders)
            (others,) = np.nonzero(np.isnan(out))
            if others.shape[0]:
                out[others] = of_arrays(*[x[others] for x in flat])
            return out

        is_shared = shares(args[:-1], args[-1])
        return in_double(kernel, *args, at_once=self.at_once) if is_shared else of_arrays(*args)


GAUSS = _Gauss(_gauss, 3, AT_ONCE)
