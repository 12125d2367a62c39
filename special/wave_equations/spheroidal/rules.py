"""The rules of the spheroidal wave functions.

The second output is the derivative of the first, and its own derivative in the argument follows by the differential
equation. In `c` and in the characteristic value they differentiate by the kernels of `functions.py`. The functions
of `(m, n, c, cv, x)` are SciPy's sums also where `cv` is not the characteristic value, and do not solve the equation
there; so they differentiate by the kernels in `x` too.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.traced import raw
from ...ufuncs.large_arrays import block_size
from ...ufuncs.modes import AT_ONCE
from ...ufuncs.parameters import check, double, on_finite, parameter_derivative
from ...ufuncs.patched_ufunc import improved_value
from ...ufuncs.ufunc_rules import INTEGER, Partial, rule
from .angular import angular, angular_of_mode
from .characteristic_values import characteristic_value, is_mode
from .coefficients import characteristic_derivative
from .functions import is_far_out, radial_of_mode, radial_one, radial_two
from .given_values import is_characteristic, is_unsteady
from .near_one import bend_near_one, is_near_one

_MOST_DEGREES = 1e4
"""Long before it SciPy's functions are NaN."""
_FAR, _NEAR = 2.0, 0.999
"""What stands in place of an argument that is not used."""

# the spheroidal equation, DLMF 30.2.1: with sign = 1 for prolate and -1 for oblate functions; the radial oblate ones
# have i x in place of x


def _spheroidal(w: Any, m: Any, c: Any, cv: Any, x: Any, sign: int) -> Any:
    rest = (1 - x) * (1 + x)
    return w[1], (2 * x * w[1] - (cv - sign * c * c * x * x - m * m / rest) * w[0]) / rest


def _oblate_radial(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    rest = 1 + x * x
    return w[1], (-2 * x * w[1] + (cv - c * c * x * x - m * m / rest) * w[0]) / rest


def characteristic(sign: int, m: Any, n: Any, c: Any) -> Any:
    """The characteristic value of a mode."""
    return characteristic_value(c, sign=sign, m=m, n=n)


def _in_phase(w: Any, is_far: Any, sign: int, *args: Any) -> Any:
    """SciPy's radial functions of the first kind with ours in their place far out, where its sums cancel."""
    with np.errstate(all="ignore"):
        ours = on_finite(lambda *finite: radial_of_mode(1)(sign, *finite), *[double(x) for x in args], outputs=2)
    better = [np.where(is_far & np.isfinite(v), v, raw(x)) for x, v in zip(w, ours, strict=True)]
    return tuple(improved_value(x, value=v.astype(raw(x).dtype)[()]) for x, v in zip(w, better, strict=True))


def _of_modes(derivative: Partial) -> Partial:
    """A partial derivative that is called for orders and degrees only, and is NaN elsewhere."""

    @wraps(derivative)
    def partial(w: Any, m: Any, n: Any, *rest: Any) -> Any:
        first = raw(w[0] if isinstance(w, tuple) else w)
        if first.size == 0:
            return (first,) * len(w) if isinstance(w, tuple) else first
        known = is_mode(m, n) & np.less(n, _MOST_DEGREES)
        return derivative(w, *(m, n) if np.all(known) else (np.where(known, k, 1.0) for k in (m, n)), *rest)

    return partial


def _steady(derivative: Partial, i: int, name: str, argument: str, otherwise: Partial | None) -> Partial:
    """A partial derivative in argument `i`, another where it has lost its digits, see `is_unsteady`, or it raises."""

    @block_size(AT_ONCE)
    def partial(w: Any, *args: Any) -> Any:
        found = derivative(w, *args)
        sizes = [np.abs(raw(y)) / np.maximum(1.0, np.abs(raw(args[i]))) for y in w]
        unsteady = is_unsteady(derivative, found, sizes, w, *args)
        if otherwise is not None and np.any(unsteady):
            found = tuple(np.where(unsteady, *both) for both in zip(otherwise(w, *args), found, strict=True))
            unsteady = np.isnan(raw(found[0]))
        check(raw(w[0]), np.where(unsteady, np.nan, 1.0), name, argument)
        return found

    return partial


def _declare(
    function: Any,
    function_of_value: Any,
    kernel: Any,
    sign: int,
    equation: Any,
    kernel_of_mode: Any = None,
) -> None:
    """The rules of a function of `(m, n, c, x)` and of the one of `(m, n, c, cv, x)`."""
    kernel_of_mode = kernel_of_mode or kernel

    def of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return kernel(sign, m, n, c, cv, x)

    def own(m: Any, n: Any, c: Any, x: Any) -> Any:
        return kernel_of_mode(sign, m, n, c, characteristic(sign, m, n, c), x)

    is_singular = kernel is radial_two or equation is _oblate_radial

    @block_size(AT_ONCE)
    def in_argument(w: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
        m, n, c, x = (double(a) for a in (m, n, c, x))
        value = characteristic(sign, raw(m), raw(n), c)
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
        ours = bend_near_one(w[0], w[1], m, n, square, value, np.where(here, x, _NEAR))
        return w[1], np.where(here, ours, equation(w, m, c, value, np.where(here, _FAR, x))[1])

    name = function_of_value.__name__

    def in_argument_of_mode(w: Any, m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        is_own = is_characteristic(sign, m, n, *map(raw, (c, cv)))
        return tuple(np.where(is_own, y, np.nan) for y in in_argument(w, m, n, c, x))

    formal = [
        _steady(parameter_derivative(of_value, i, name, argument), i, name, argument, otherwise)
        for i, argument, otherwise in ((2, "c", None), (3, "cv", None), (4, "x", in_argument_of_mode))
    ]
    in_parameter = block_size(AT_ONCE)(parameter_derivative(own, 2, function.__name__, "c"))
    rule(function, "m n c x", INTEGER, INTEGER, _of_modes(in_parameter), _of_modes(in_argument))
    rule(function_of_value, "m n c cv x", INTEGER, INTEGER, *map(_of_modes, formal))


def _prolate(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    return _spheroidal(w, m, c, cv, x, 1)


def _oblate(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    return _spheroidal(w, m, c, cv, x, -1)


def _in_parameter(sign: int) -> Partial:
    """The derivative of a characteristic value, which is computed again where it is of single precision."""
    derivative = characteristic_derivative(sign)

    @block_size(AT_ONCE)
    def partial(value: Any, m: Any, n: Any, c: Any) -> Any:
        exact = double(c)
        given = value if raw(value).dtype == np.float64 else characteristic(sign, m, n, exact)
        return on_finite(derivative, given, m, n, exact)

    return partial


rule(special.pro_cv, "m n c", INTEGER, INTEGER, _of_modes(_in_parameter(1)))
rule(special.obl_cv, "m n c", INTEGER, INTEGER, _of_modes(_in_parameter(-1)))
_declare(special.pro_ang1, special.pro_ang1_cv, angular, 1, _prolate, angular_of_mode)
_declare(special.pro_rad1, special.pro_rad1_cv, radial_one, 1, _prolate, radial_of_mode(1))
_declare(special.pro_rad2, special.pro_rad2_cv, radial_two, 1, _prolate, radial_of_mode(2))
_declare(special.obl_ang1, special.obl_ang1_cv, angular, -1, _oblate, angular_of_mode)
_declare(special.obl_rad1, special.obl_rad1_cv, radial_one, -1, _oblate_radial, radial_of_mode(1))
_declare(special.obl_rad2, special.obl_rad2_cv, radial_two, -1, _oblate_radial, radial_of_mode(2))
