"""The rules of the spheroidal wave functions.

The second output is the derivative of the first, and its own derivative in the argument follows by the differential
equation. In `c` and in the characteristic value they differentiate by the kernels of `spheroidal.py`. The functions
of `(m, n, c, cv, x)` are SciPy's sums also where `cv` is not the characteristic value, and do not solve the equation
there; so they differentiate by the kernels in `x` too.
"""

from __future__ import annotations

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

from ..complex_autograd.array import raw
from .improved import improved_value
from .large_arrays import spread
from .modes import AT_ONCE
from .overruns import is_harmless
from .parameters import double, on_finite, parameter_slope
from .replaced import Replaced
from .spheroidal import (
    angular,
    angular_of_mode,
    is_far_out,
    is_small,
    radial_of_mode,
    radial_one,
    radial_two,
)
from .spheroidal_coefficients import characteristic_slope, polished
from .ufunc_rules import INTEGER, Partial, rule

__all__ = [
    "obl_ang1",
    "obl_ang1_cv",
    "obl_cv",
    "obl_rad1",
    "obl_rad1_cv",
    "obl_rad2",
    "obl_rad2_cv",
    "pro_ang1",
    "pro_ang1_cv",
    "pro_cv",
    "pro_rad1",
    "pro_rad1_cv",
    "pro_rad2",
    "pro_rad2_cv",
]
_SMALLEST, _LARGEST = 1e-5, 10.0
"""Of `c`, between which SciPy's functions of the first kind are right; prolate ones lose all digits up to c = 25."""
_ROOM = 250
"""So many spherical Bessel functions have room in SciPy's functions, which write beyond."""


# the spheroidal equation, DLMF 30.2.1: with sign = 1 for prolate and -1 for oblate functions; the radial oblate ones
# have i x in place of x


def _spheroidal(w: Any, m: Any, c: Any, cv: Any, x: Any, sign: int) -> Any:
    rest = 1 - x * x
    return w[1], (2 * x * w[1] - (cv - sign * c * c * x * x - m * m / rest) * w[0]) / rest


def _oblate_radial(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    rest = 1 + x * x
    return w[1], (-2 * x * w[1] + (cv - c * c * x * x - m * m / rest) * w[0]) / rest


def _in_phase(w: Any, is_far: Any, sign: int, *args: Any) -> Any:
    """SciPy's radial functions of the first kind with ours in their place far out, where its sums cancel."""
    with np.errstate(all="ignore"):
        ours = on_finite(lambda *finite: radial_of_mode(1)(sign, *finite), *[double(x) for x in args])
    better = [np.where(is_far & np.isfinite(v), v, raw(x)) for x, v in zip(w, ours, strict=True)]
    return tuple(improved_value(x, value=v.astype(raw(x).dtype)[()]) for x, v in zip(w, better, strict=True))


def _declare(
    function: Any,
    function_of_value: Any,
    characteristic: Any,
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
        return kernel_of_mode(sign, m, n, c, polished(sign, m, n, c, characteristic(m, n, c)), x)

    def in_argument(w: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
        m, n, c, x = (double(a) for a in (m, n, c, x))
        is_far = is_far_out(raw(c), raw(x))
        if kernel is radial_one and np.any(is_far):
            value = polished(sign, raw(m), raw(n), raw(c), raw(characteristic(m, n, c)))
            w = _in_phase(w, is_far, sign, raw(m), raw(n), raw(c), value, raw(x))
        return equation(w, m, c, characteristic(m, n, c), x)

    in_parameter = parameter_slope(own, 2, function.__name__, "c")
    formal = [
        parameter_slope(of_value, i, function_of_value.__name__, name) for i, name in ((2, "c"), (3, "cv"), (4, "x"))
    ]
    for slope in (in_parameter, *formal):
        slope.at_once = AT_ONCE
    rule(function, "m n c x", INTEGER, INTEGER, in_parameter, in_argument)
    rule(function_of_value, "m n c cv x", INTEGER, INTEGER, *formal)


def _prolate(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    return _spheroidal(w, m, c, cv, x, 1)


def _oblate(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    return _spheroidal(w, m, c, cv, x, -1)


def _in_parameter(characteristic: Any, sign: int) -> Partial:
    """The derivative of a characteristic value, which is computed again where it is of single precision."""
    slope = characteristic_slope(sign)

    def partial(value: Any, m: Any, n: Any, c: Any) -> Any:
        exact = double(c)
        given = value if raw(value).dtype == np.float64 else characteristic(m, n, exact)
        return on_finite(slope, given, m, n, exact)

    partial.at_once = AT_ONCE
    return partial


rule(pro_cv, "m n c", INTEGER, INTEGER, _in_parameter(pro_cv, 1))
rule(obl_cv, "m n c", INTEGER, INTEGER, _in_parameter(obl_cv, -1))
_declare(pro_ang1, pro_ang1_cv, pro_cv, angular, 1, _prolate, angular_of_mode)
_declare(pro_rad1, pro_rad1_cv, pro_cv, radial_one, 1, _prolate, radial_of_mode(1))
_declare(pro_rad2, pro_rad2_cv, pro_cv, radial_two, 1, _prolate, radial_of_mode(2))
_declare(obl_ang1, obl_ang1_cv, obl_cv, angular, -1, _oblate)
_declare(obl_rad1, obl_rad1_cv, obl_cv, radial_one, -1, _oblate_radial, radial_of_mode(1))
_declare(obl_rad2, obl_rad2_cv, obl_cv, radial_two, -1, _oblate_radial, radial_of_mode(2))


def _first_kind(function: Any, function_of_value: Any, characteristic: Any, sign: int) -> tuple[Replaced, Replaced]:
    """Radial functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`, without SciPy's where it is wrong."""
    at_value = radial_of_mode(1)

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        is_large = c > _LARGEST
        is_wrong = (c < _SMALLEST) | is_small(sign, m, n, x) | (50 + n + 2 * c > _ROOM)
        is_wrong = is_wrong | (is_large if sign == 1 else is_large & is_far_out(c, x))
        if not np.any(is_wrong):
            return is_wrong
        is_mode = (m == np.floor(m)) & (n == np.floor(n)) & (m >= 0) & (m <= n)
        return is_wrong & is_mode & is_harmless("cv", m, n, c) & (c > 0) & (x > (sign == 1))

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        return at_value(sign, m, n, c, polished(sign, m, n, c, characteristic(m, n, c)), x)

    def kernel_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return radial_one(sign, m, n, c, cv, x)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return domain(m, n, c, x)

    return (
        Replaced(spread(function), kernel, domain),
        Replaced(spread(function_of_value), kernel_of_value, domain_of_value),
    )


pro_rad1, pro_rad1_cv = _first_kind(pro_rad1, pro_rad1_cv, spread(pro_cv), 1)
obl_rad1, obl_rad1_cv = _first_kind(obl_rad1, obl_rad1_cv, spread(obl_cv), -1)
