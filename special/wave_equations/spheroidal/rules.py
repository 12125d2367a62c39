"""The rules of the spheroidal wave functions.

The second output is the derivative of the first, and its own derivative in the argument follows by the differential
equation. In `c` and in the characteristic value they differentiate by the kernels of `spheroidal.py`. The functions
of `(m, n, c, cv, x)` are SciPy's sums also where `cv` is not the characteristic value, and do not solve the equation
there; so they differentiate by the kernels in `x` too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.special import (
    obl_ang1,
    obl_ang1_cv,
    obl_cv,
    obl_rad1,
    obl_rad1_cv,
    obl_rad2,
    obl_rad2_cv,
    pro_ang1,
    pro_ang1_cv,
    pro_cv,
    pro_rad1,
    pro_rad1_cv,
    pro_rad2,
    pro_rad2_cv,
)

from ....complex_autograd.engine.traced import raw
from ...numerics.few_elements import one_by_one
from ...numerics.regions import by_region
from ...scipy_repairs.hazards import is_harmless
from ...ufuncs.large_arrays import threaded
from ...ufuncs.modes import AT_ONCE, completed
from ...ufuncs.parameters import double, on_finite, parameter_derivative
from ...ufuncs.patched_ufunc import PatchedUfunc, improved_value
from ...ufuncs.ufunc_rules import INTEGER, Partial, rule
from ..known_values import where_known
from .characteristic_values import MANY, characteristic_value, expansion_of_number, is_mode
from .coefficients import MANY_ROWS, characteristic_derivative
from .first_derivatives import angular_change, radial_change
from .functions import angular, angular_of_mode, is_far_out, radial_of_mode, radial_one, radial_two
from .near_one import bend_near_one, is_near_one
from .scalars import Direction, Expansion

__all__ = ["obl_cv", "obl_rad1", "obl_rad1_cv", "pro_cv", "pro_rad1", "pro_rad1_cv"]

_CLOSE_TO_ZERO = 0.1
"""Of `x`: nearer, the terms of SciPy's derivative of the oblate functions cancel."""
_ROUNDED = 1e-3
"""Of the distance of `x` to 1: nearer, a root of `1 - x**2` has lost digits in SciPy's functions."""
_MOST_DEGREES = 1e4
"""Long before it SciPy's functions are NaN."""
_FAR, _NEAR = 2.0, 0.999
"""What stands in the place of an argument that is not used."""

# the spheroidal equation, DLMF 30.2.1: with sign = 1 for prolate and -1 for oblate functions; the radial oblate ones
# have i x in place of x


def _spheroidal(w: Any, m: Any, c: Any, cv: Any, x: Any, sign: int) -> Any:
    rest = (1 - x) * (1 + x)
    return w[1], (2 * x * w[1] - (cv - sign * c * c * x * x - m * m / rest) * w[0]) / rest


def _oblate_radial(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    rest = 1 + x * x
    return w[1], (-2 * x * w[1] + (cv - c * c * x * x - m * m / rest) * w[0]) / rest


def _characteristic(sign: int, m: Any, n: Any, c: Any) -> Any:
    return characteristic_value(c, sign=sign, m=m, n=n)


def _in_phase(w: Any, is_far: Any, sign: int, *args: Any) -> Any:
    """SciPy's radial functions of the first kind with ours in their place far out, where its sums cancel."""
    with np.errstate(all="ignore"):
        ours = on_finite(lambda *finite: radial_of_mode(1)(sign, *finite), *[double(x) for x in args], outputs=2)
    better = [np.where(is_far & np.isfinite(v), v, raw(x)) for x, v in zip(w, ours, strict=True)]
    return tuple(improved_value(x, value=v.astype(raw(x).dtype)[()]) for x, v in zip(w, better, strict=True))


def _of_modes(derivative: Partial) -> Partial:
    """A partial derivative that is called for orders and degrees only, and is NaN elsewhere."""

    def partial(w: Any, m: Any, n: Any, *rest: Any) -> Any:
        first = raw(w[0] if isinstance(w, tuple) else w)
        if first.size == 0:
            return (first,) * len(w) if isinstance(w, tuple) else first
        known = is_mode(m, n) & np.less(n, _MOST_DEGREES)
        return derivative(w, *(m, n) if np.all(known) else (np.where(known, k, 1.0) for k in (m, n)), *rest)

    partial.at_once = derivative.at_once  # type: ignore[attr-defined]
    return where_known(partial)


def _few_first(change: Callable[..., Any], derivative: Partial) -> Partial:
    """A partial derivative of few elements by plain numbers, where these tell it."""

    def partial(w: Any, *args: Any) -> Any:
        found = one_by_one(change, *args)
        return derivative(w, *args) if found is None else found

    partial.at_once = AT_ONCE
    return partial


def _declare(
    function: Any,
    function_of_value: Any,
    kernel: Any,
    change: Callable[..., Any],
    sign: int,
    equation: Any,
    kernel_of_mode: Any = None,
) -> None:
    """The rules of a function of `(m, n, c, x)` and of the one of `(m, n, c, cv, x)`."""
    kernel_of_mode = kernel_of_mode or kernel

    def of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return kernel(sign, m, n, c, cv, x)

    def own(m: Any, n: Any, c: Any, x: Any) -> Any:
        return kernel_of_mode(sign, m, n, c, _characteristic(sign, m, n, c), x)

    spare = MANY_ROWS if kernel is radial_two else None
    is_singular = kernel is radial_two or equation is _oblate_radial

    def own_change(m: float, n: float, c: float, x: float) -> Any:
        expansion = expansion_of_number(sign, m, n, c, spare)
        return None if expansion is None else change(expansion, x, Direction(1.0, expansion.derivative))

    def change_along(along: Direction) -> Callable[..., Any]:
        def of_value(m: float, n: float, c: float, cv: float, x: float) -> Any:
            if not is_mode(m, n):
                return None
            return change(Expansion(sign, m, n, c, cv, is_given=True, spare=spare), x, along)

        return of_value

    def in_argument(w: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
        m, n, c, x = (double(a) for a in (m, n, c, x))
        value = _characteristic(sign, raw(m), raw(n), c)
        is_far = is_far_out(np.abs(raw(c)), raw(x))
        if kernel is radial_one and np.any(is_far):
            w = _in_phase(w, is_far, sign, raw(m), raw(n), raw(c), raw(value), raw(x))
        x = np.where(np.isinf(raw(x)), _FAR, x)  # the functions are 0 there
        if is_singular:
            return equation(w, m, c, value, x)
        square = sign * c * c
        here = is_near_one(m, raw(square), raw(value), raw(x))
        if not np.any(here):
            return equation(w, m, c, value, x)
        ours = bend_near_one(*w, m, n, square, value, np.where(here, x, _NEAR))
        return w[1], np.where(here, ours, equation(w, m, c, value, np.where(here, _FAR, x))[1])

    name = function_of_value.__name__
    formal = [
        _few_first(change_along(Direction(**{argument: 1.0})), parameter_derivative(of_value, i, name, spelled))
        for i, argument, spelled in ((2, "c", "c"), (3, "value", "cv"), (4, "x", "x"))
    ]
    in_parameter = _few_first(own_change, parameter_derivative(own, 2, function.__name__, "c"))
    in_argument.at_once = AT_ONCE  # type: ignore[attr-defined]
    rule(function, "m n c x", INTEGER, INTEGER, _of_modes(in_parameter), _of_modes(in_argument))
    rule(function_of_value, "m n c cv x", INTEGER, INTEGER, *map(_of_modes, formal))


def _prolate(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    return _spheroidal(w, m, c, cv, x, 1)


def _oblate(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    return _spheroidal(w, m, c, cv, x, -1)


def _in_parameter(sign: int) -> Partial:
    """The derivative of a characteristic value, which is computed again where it is of single precision."""
    derivative = characteristic_derivative(sign)

    def of_number(value: float, m: float, n: float, c: float) -> float | None:
        return Expansion(sign, m, n, c, value).derivative if is_mode(m, n) else None

    def partial(value: Any, m: Any, n: Any, c: Any) -> Any:
        exact = double(c)
        given = value if raw(value).dtype == np.float64 else _characteristic(sign, m, n, exact)
        few = one_by_one(of_number, given, m, n, exact)
        return on_finite(derivative, given, m, n, exact) if few is None else few

    partial.at_once = AT_ONCE
    return partial


rule(pro_cv, "m n c", INTEGER, INTEGER, _of_modes(_in_parameter(1)))
rule(obl_cv, "m n c", INTEGER, INTEGER, _of_modes(_in_parameter(-1)))
_declare(pro_ang1, pro_ang1_cv, angular, angular_change, 1, _prolate, angular_of_mode)
_declare(pro_rad1, pro_rad1_cv, radial_one, partial(radial_change, 1), 1, _prolate, radial_of_mode(1))
_declare(pro_rad2, pro_rad2_cv, radial_two, partial(radial_change, 2), 1, _prolate, radial_of_mode(2))
_declare(obl_ang1, obl_ang1_cv, angular, angular_change, -1, _oblate, angular_of_mode)
_declare(obl_rad1, obl_rad1_cv, radial_one, partial(radial_change, 1), -1, _oblate_radial, radial_of_mode(1))
_declare(obl_rad2, obl_rad2_cv, radial_two, partial(radial_change, 2), -1, _oblate_radial, radial_of_mode(2))


def _first_kind(function: Any, function_of_value: Any, sign: int) -> tuple[PatchedUfunc, PatchedUfunc]:
    """Radial functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`, without SciPy's where it is wrong."""

    def is_wrong(m: Any, n: Any, c: Any, x: Any) -> Any:
        """Beyond where SciPy's functions are ours to 8e-13, of 60000 points; they lose all digits."""
        size = np.abs(c)
        is_rounded = (m > 0) & ((np.abs(x - 1) < _ROUNDED) if sign == 1 else (x < _CLOSE_TO_ZERO))
        return is_rounded | (m > 8) | (n > m + 10) | (size > 10) | (size < 0.01) | ~(np.abs(np.log(size * x)) < 5)

    def is_inside(m: Any, n: Any, c: Any, x: Any) -> Any:
        return is_mode(m, n) & is_harmless("cv", m, n, c) & (c != 0) & (x > (sign == 1))

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        return is_inside(m, n, c, x) & (is_wrong(m, n, c, x) | (len(x) >= MANY))

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        value = _characteristic(sign, m, n, c)
        wrong = is_wrong(m, n, c, x)
        parts = [
            (wrong, lambda *args: completed(radial_of_mode(1)(sign, *args), threaded(function_of_value), *args)),
            (~wrong, threaded(function_of_value)),
        ]
        return by_region(parts, m, n, c, value, x)

    def kernel_of_value(*args: Any) -> Any:
        """Where the sum cancels, the solution of the equation, with which it agrees for characteristic values."""
        found = completed(radial_one(sign, *args), partial(radial_of_mode(1), sign), *args)
        return completed(found, threaded(function_of_value), *args)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        wrong = is_wrong(m, n, c, x)
        return wrong & is_inside(m, n, c, x) if np.any(wrong) else wrong

    return (
        PatchedUfunc(threaded(function), [(domain, kernel)], at_once=AT_ONCE),
        PatchedUfunc(threaded(function_of_value), [(domain_of_value, kernel_of_value)]),
    )


def _values(function: Any, sign: int) -> PatchedUfunc:
    def domain(m: Any, n: Any, c: Any) -> Any:
        return is_mode(m, n) & is_harmless("cv", m, n, c) & (c != 0) & (len(c) >= MANY)

    return PatchedUfunc(threaded(function), [(domain, partial(_characteristic, sign))], at_once=AT_ONCE)


pro_rad1, pro_rad1_cv = _first_kind(pro_rad1, pro_rad1_cv, 1)
obl_rad1, obl_rad1_cv = _first_kind(obl_rad1, obl_rad1_cv, -1)
pro_cv, obl_cv = _values(pro_cv, 1), _values(obl_cv, -1)
