"""Derivatives of Chebyshev functions of real degree in degree and argument, to any order.

With `x = cos(t)` they are `T = cos(n t)` and `U = sin((n + 1) t) / sin(t)`, DLMF 18.5.1 and 18.5.2.  The angle has no
derivative at `x = 1`, where the functions have; next to it the derivatives stay within the family:

    d2T / dn2 = -t**2 T         d2T / dn dx = U_(n-1) + n dU_(n-1) / dn
    d2U / dn2 = -t**2 U         d2U / dn dx = 2 dC_(n-1) / dn         dt**2 / dx = -2 t / sin(t) = -2 dU_(-1) / dn

with Gegenbauer's `C` of the parameter 2.  Of the shifted functions, at `2 x - 1 = cos(t)`, next to `x = 0` by those of
`y = 1 - 2 x = cos(r)`, `r = pi - t`, with `s = sin(r)` and `m = n + 1`:

    T(2 x - 1) = cos(n pi) T(y) + sin(n pi) s U_(n-1)(y)
    U(2 x - 1) = sin(m pi) T_m(y) / s - cos(m pi) U(y)
    dT / dn = -r s U_(n-1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import Traced, raw
from ...numerics.regions import by_region
from ...ufuncs.ufunc_rules import pointwise
from .chebyshev import of_arrays, shifted_t_in_degree, shifted_u_in_degree, square_of_angle, t_in_degree, u_in_degree
from .chebyshev_by_angle import (
    derivative_of_shifted_t_by_angle,
    derivative_of_shifted_u_by_angle,
    derivative_of_t_by_angle,
    derivative_of_u_by_angle,
)
from .degree_below import degree_below, is_linear
from .derivatives import degree_derivative
from .jacobi import gegenbauer_function
from .values import eval_chebyt, eval_chebyu, eval_gegenbauer, eval_sh_chebyu, gegenbauer

_NEAR = 0.25

_chebyshev_below, _shifted_below = degree_below(eval_chebyu), degree_below(eval_sh_chebyu)
_gegenbauer_below = degree_below(eval_gegenbauer, gegenbauer)
_gegenbauer_in_degree = degree_derivative(gegenbauer_function, 0, "eval_gegenbauer", "n")


def _divided(x: Any, near: Callable[[Any], Any], far: Callable[[Any], Any]) -> Any:
    """One function of `x` next to 1, and another elsewhere."""
    return _by_distance(np.abs(raw(x) - 1) < _NEAR, x, near, far, 1.0, 0.0)


def _next_to_zero(x: Any, near: Callable[[Any], Any], far: Callable[[Any], Any]) -> Any:
    """One function of `x` next to 0, and another elsewhere, at 0 too."""
    return _by_distance((np.abs(raw(x)) < _NEAR) & (raw(x) != 0), x, near, far, 0.1, 1.0)


def _by_distance(is_near: Any, x: Any, near: Any, far: Any, inside: float, outside: float) -> Any:
    """One function of `x` where it is near, another elsewhere; each is called inside its region alone."""
    if np.all(is_near):
        return near(x)
    if not np.any(is_near):
        return far(x)
    return np.where(is_near, near(np.where(is_near, x, inside)), far(np.where(is_near, outside, x)))


# in the argument


def _by_angle_where_real(near: Callable[[Any, Any], Any], by_angle: Callable[[Any, Any], Any], left: float) -> Any:
    """A derivative that is computed by the angle at real arguments above `left` and degrees that are not integers."""

    def is_ours(n: Any, x: Any) -> Any:
        return (n != np.floor(n)) & (x >= left)

    both = of_arrays(lambda n, x: by_region([(is_ours(n, x), by_angle), (True, near)], n, x))

    def derivative(n: Any, x: Any) -> Any:
        is_plain = not any(isinstance(v, Traced) or np.iscomplexobj(v) for v in (n, x))
        return (both if is_plain and np.any(is_ours(n, x)) else near)(n, x)

    return derivative


def _derivative_of_u(n: Any, x: Any) -> Any:
    if isinstance(n, Traced):
        return _divided(x, lambda x: 2 * eval_gegenbauer(n - 1, 2.0, x), lambda x: _derivative_within_family(n, x))
    if np.any(n < -1):
        return np.sign(n + 1) * _derivative_of_u(np.abs(n + 1) - 1, x)
    n = np.where(n == -1, 0, n)[()] if np.any(n == -1) else n  # both are constants
    if isinstance(x, Traced) or np.iscomplexobj(x):
        return _by_gegenbauer(n, x)
    is_easy = np.ndim(n) == 0 or is_linear(n) or (n.dtype.kind == "i" and np.all(n >= 0)) or np.ndim(x) == 0
    return (_by_gegenbauer if is_easy else _derivatives_of_u)(n, x)


def _derivative_within_family(n: Any, x: Any) -> Any:
    """DLMF 18.9.22."""
    return ((n + 1) * eval_chebyt(n + 1, x) - x * eval_chebyu(n, x)) / (x * x - 1)


def _by_gegenbauer(n: Any, x: Any) -> Any:
    return 2 * (n != 0) * _gegenbauer_below(n, 2.0, x)


@of_arrays
def _derivatives_of_u(n: Any, x: Any) -> Any:
    return by_region([(np.abs(x) <= 1, derivative_of_u_by_angle), (True, _by_gegenbauer)], n, x)


derivative_of_t = _by_angle_where_real(lambda n, x: n * _chebyshev_below(n, x), derivative_of_t_by_angle, -1.0)
"""`dT / dx`."""
derivative_of_u = _by_angle_where_real(_derivative_of_u, derivative_of_u_by_angle, -1.0)
"""`dU / dx`."""
derivative_of_shifted_t = _by_angle_where_real(
    lambda n, x: 2 * n * _shifted_below(n, x), derivative_of_shifted_t_by_angle, 0.0
)
"""`d T(2 x - 1) / dx`."""


def _derivative_of_shifted_u(n: Any, x: Any) -> Any:
    def right(x: Any) -> Any:
        return 2 * _derivative_of_u(n, 2 * x - 1)

    is_real = not isinstance(x, Traced) and not np.iscomplexobj(x)
    if not isinstance(n, Traced) and (is_real or np.all(n == np.floor(n))):
        return right(x)
    return _next_to_zero(x, lambda x: _derivative_of_shifted_u_next_to_zero(n, x), right)


derivative_of_shifted_u = _by_angle_where_real(_derivative_of_shifted_u, derivative_of_shifted_u_by_angle, 0.0)
"""`d U(2 x - 1) / dx`."""


def _parity(n: Any) -> tuple[Any, Any]:
    """`cos(n pi)` and `sin(n pi)`, which is 0 where it is."""
    nearest = np.round(raw(n))
    sign, rest = 1 - 2 * (nearest % 2), np.pi * (n - nearest)
    return sign * np.cos(rest), sign * np.sin(rest)


def _reflected(x: Any) -> tuple[Any, Any, Any]:
    """`y`, `s` and `r`, in which `y` has lost digits of `x`."""
    return 1 - 2 * x, 2 * np.sqrt(x * (1 - x)), 2 * np.arcsin(np.sqrt(x))


def _derivative_of_shifted_u_next_to_zero(n: Any, x: Any) -> Any:
    (a, b), (y, s, r), m = _parity(n + 1), _reflected(x), n + 1
    return 2 * (a * _derivative_of_u(n, y) - b * (m * eval_chebyu(n, y) / s + y * np.cos(m * r) / s**3))


def _degree_of_shifted_t_next_to_zero(n: Any, x: Any) -> Any:
    (a, b), (y, s, r) = _parity(n), _reflected(x)
    return (np.pi - r) * a * s * eval_chebyu(n - 1, y) - np.pi * b * np.cos(n * r) + b * s * degree_of_u(n - 1, y)


def _degree_of_shifted_u_next_to_zero(n: Any, x: Any) -> Any:
    (a, b), (y, s, r), m = _parity(n + 1), _reflected(x), n + 1
    return np.pi * a * np.cos(m * r) / s + (np.pi - r) * b * eval_chebyu(n, y) - a * degree_of_u(n, y)


# in the degree


def _check_domain(is_beyond: Any, x: Any) -> None:
    """Left of the interval real functions are real at whole degrees alone, SciPy's values at others infinite."""
    if not np.iscomplexobj(x) and np.any(is_beyond):
        raise NotDifferentiableError(
            "a Chebyshev function",
            "left of its interval it is on its branch cut. Pass x as a complex number: the sign of its imaginary part, "
            "of 0 too, chooses a side of the cut",
            "n",
        )


def degree_of_shifted_t(n: Any, x: Any) -> Any:
    """`d T(2 x - 1) / dn`."""
    _check_domain(raw(x) < 0, x)
    if not isinstance(n, Traced) and not isinstance(x, Traced):
        return shifted_t_in_degree(n, x)
    return _next_to_zero(x, lambda x: _degree_of_shifted_t_next_to_zero(n, x), lambda x: degree_of_t(n, 2 * x - 1))


def degree_of_shifted_u(n: Any, x: Any) -> Any:
    """`d U(2 x - 1) / dn`."""
    _check_domain(raw(x) <= 0, x)
    if not isinstance(n, Traced) and not isinstance(x, Traced):
        return shifted_u_in_degree(n, x)
    return _next_to_zero(x, lambda x: _degree_of_shifted_u_next_to_zero(n, x), lambda x: degree_of_u(n, 2 * x - 1))


def degree_of_t(n: Any, x: Any) -> Any:
    """`dT / dn`."""
    _check_domain(raw(x) < -1, x)
    if not isinstance(n, Traced) and not isinstance(x, Traced):
        return t_in_degree(n, x) if np.any(n) else np.zeros_like(n + x)
    return _divided(x, lambda x: _t_next_to_1(n, x), lambda x: _t_by_angle(n, x))


def degree_of_u(n: Any, x: Any) -> Any:
    """`dU / dn`."""
    _check_domain(raw(x) <= -1, x)
    if not isinstance(n, Traced) and not isinstance(x, Traced):
        return u_in_degree(n, x)
    return _divided(x, lambda x: _u_next_to_1(n, x), lambda x: _u_by_angle(n, x))


def _t_by_angle(n: Any, x: Any) -> Any:
    angle = np.arccos(x + 0j)
    return _like(x, -angle * np.sin(n * angle))


def _u_by_angle(n: Any, x: Any) -> Any:
    angle = np.arccos(x + 0j)
    return _like(x, angle / np.sin(angle) * np.cos((n + 1) * angle))


def _like(x: Any, z: Any) -> Any:
    """Real where `x` is."""
    return z if np.iscomplexobj(x) else np.real(z)


@pointwise(lambda w, x: -2 * _u_next_to_1(-1.0, x))
def _square(x: Any) -> Any:
    return square_of_angle(x)


@pointwise(
    lambda w, n, x: -_square(x) * eval_chebyt(n, x), lambda w, n, x: eval_chebyu(n - 1, x) + n * _u_next_to_1(n - 1, x)
)
def _t_next_to_1(n: Any, x: Any) -> Any:
    return t_in_degree(n, x)


@pointwise(
    lambda w, n, x: -_square(x) * eval_chebyu(n, x), lambda w, n, x: 2 * _gegenbauer_in_degree(0.0 * x, n - 1, 2.0, x)
)
def _u_next_to_1(n: Any, x: Any) -> Any:
    return u_in_degree(n, x)
