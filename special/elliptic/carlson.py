"""Carlson's symmetric elliptic integrals and the derivatives of all orders that they share.

Every one of them is `I = int_0^inf prod_i (t + v_i)**(-p_i / 2) dt` up to a factor, DLMF 19.16; and
`dI / dv_i = -p_i / 2 I(p_i + 2)` is an integral of the same form with a positive integrand, in which nothing cancels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.ufunc_rules import pointwise, rule
from .homogeneous import homogeneous

__all__ = ["elliprc", "elliprd", "elliprf", "elliprg", "elliprj"]


_REACH = 37.0
"""`exp(-37)` is below the rounding error."""
_LOWEST = 700.0
"""`exp(-700)` is a number of double precision."""
_FINENESS = 50.0
"""`exp(-50)` is below it for singularities of high order too."""
_NARROWEST = 0.02
"""Of the strips in which an integrand is taken to be analytic."""


def _integral(*v: Any, powers: tuple[int, ...]) -> Any:
    """The trapezoidal rule in `log(t)`: there the integrand decays exponentially, and is analytic in a wide strip.

    Its error is `exp(-2 pi d / h)`, `d` half the width of the strip.  Complex arguments turn the ray of integration
    into the middle of their angles, and so the strip as wide as can be.
    """
    order = sum(p * (x == 0) for x, p in zip(v, powers, strict=True))
    if np.any(order >= 2):  # there it diverges at 0
        is_proper = order < 2
        return np.where(is_proper, _integral(*[np.where(is_proper, x, 1.0) for x in v], powers=powers), np.inf)
    scale = sum(np.abs(x) for x in v) * np.float64(1) / len(v)
    scaled = [x / scale if np.iscomplexobj(x) else np.where(x < 0, np.nan, x / scale) for x in v]
    low, high = _range(scaled)
    rotation, half = _middle([np.angle(x) for x in v]) if np.iscomplexobj(scale * sum(v)) else (None, math.pi)
    count = (high - low) * _FINENESS / (2 * math.pi * np.maximum(half, _NARROWEST))
    count = math.ceil(np.max(np.where(np.isfinite(count), count, 0.0), initial=1.0))
    h = (high - low) / count
    total: Any = 0.0
    for k in range(count + 1):
        t = np.exp(low + k * h) if rotation is None else np.exp(low + k * h) * rotation
        term = t
        for x, p in zip(scaled, powers, strict=True):
            inverse = 1 / (t + x)
            for _ in range(p // 2):
                term = term * inverse
            if p % 2:
                term = term * np.sqrt(inverse)
        total = total + term
    return total * h * scale ** (1 - sum(powers) / 2)


def _middle(angles: list[Any]) -> tuple[Any, Any]:
    """The direction between angles, a number of modulus 1, and half the width of the strip around it."""
    largest = smallest = angles[0]
    for angle in angles[1:]:
        largest, smallest = np.maximum(largest, angle), np.minimum(smallest, angle)
    return np.exp(0.5j * (largest + smallest)), math.pi - (largest - smallest) / 2


def _range(v: Any) -> tuple[Any, Any]:
    """Where the integrand matters: below the smallest argument it falls as `t`, as `sqrt(t)` if one is 0."""
    smallest: Any = 1.0
    factor: Any = 1.0
    for x in v:
        is_zero = x == 0
        smallest = np.minimum(smallest, np.where(is_zero, 1.0, np.abs(x)))
        factor = np.where(is_zero, 2.0, factor)
    return np.maximum(np.log(smallest) - factor * _REACH, -_LOWEST), _REACH / 2


def _partial(i: int) -> Any:
    def partial(w: Any, *v: Any, powers: tuple[int, ...]) -> Any:
        return -powers[i] / 2 * carlson_integral(*v, powers=(*powers[:i], powers[i] + 2, *powers[i + 1 :]))

    return partial


carlson_integral = pointwise(*[_partial(i) for i in range(4)])(_integral)
"""`int_0^inf prod_i (t + v_i)**(-p_i / 2) dt` of up to four arguments, with `powers=(p_1, ...)`."""


def _is_principal(y: Any) -> Any:
    """Whether a function is defined at `y` by its principal value."""
    return (np.real(y) < 0) & (np.imag(y) == 0)


# RF = I(1, 1, 1) / 2, DLMF 19.16.1

rule(
    special.elliprf,
    "x y z",
    lambda w, x, y, z: -elliprd(y, z, x) / 6,
    lambda w, x, y, z: -elliprd(z, x, y) / 6,
    lambda w, x, y, z: -elliprd(x, y, z) / 6,
)
elliprf = homogeneous(special.elliprf, -1)

# RC(x, y) = RF(x, y, y), DLMF 19.16.6; where y < 0 by its differential equation, DLMF 19.18.16


def _rc_first(w: Any, x: Any, y: Any) -> Any:
    principal = _is_principal(y)
    safe = np.where(principal, 1.0, y)
    gap = np.where(principal, x - y, 1.0)
    return np.where(principal, (1 / np.sqrt(x) - w) / (2 * gap), -elliprd(safe, safe, x) / 6)


def _rc_second(w: Any, x: Any, y: Any) -> Any:
    principal = _is_principal(y)
    safe = np.where(principal, 1.0, y)
    gap = np.where(principal, x - y, 1.0)
    return np.where(principal, (w - np.sqrt(x) / y) / (2 * gap), -elliprd(x, safe, safe) / 3)


elliprc = rule(special.elliprc, "x y", _rc_first, _rc_second)

# RD = 3/2 I(1, 1, 3), DLMF 19.16.5; its derivatives as difference quotients, but by the integral where the divisor is
# small

_NEAR = 0.01
"""Relative differences up to this are small: beyond, at most two digits are lost."""


def _is_near(a: Any, b: Any) -> Any:
    return np.abs(a - b) <= _NEAR * (np.abs(a) + np.abs(b))


def _rd_quotient(value: Any, x: Any, y: Any, z: Any) -> Any:
    return (value - elliprd(y, z, x)) / (2 * (z - x))


def _derivative(factor: float, powers: tuple[int, ...], is_near: Any, quotient: Any) -> Any:
    """`factor I(powers)`, as a quotient `(value, *v)` but where it is near or both are infinite.

    Its own derivatives are integrals.
    """

    def kernel(value: Any, *v: Any) -> Any:
        near = is_near(*v) | np.isinf(value), lambda value, *v: factor * _integral(*v, powers=powers)
        return by_region([near, (True, quotient)], value, *v)

    def partial(i: int) -> Any:
        raised = (*powers[:i], powers[i] + 2, *powers[i + 1 :])
        return lambda w, *v, value: factor * -powers[i] / 2 * carlson_integral(*v, powers=raised)

    @pointwise(*[partial(i) for i in range(len(powers))])
    def derivative(*v: Any, value: Any) -> Any:
        return in_double(kernel, value, *v)

    return lambda w, *v: derivative(*with_dtypes(*v), value=raw(w))


def _rd_last_quotient(value: Any, x: Any, y: Any, z: Any) -> Any:
    """By homogeneity of degree -3/2."""
    others = _times(x, z, value - elliprd(y, z, x)) + _times(y, z, value - elliprd(x, z, y))
    return -(1.5 * value + others) / z


def _times(x: Any, p: Any, difference: Any) -> Any:
    """`x difference / (2 (p - x))`, a quotient that may underflow without `x`; at 0 it is infinite as `x**(-1/2)`."""
    return np.where(x == 0, 0.0, x / (2 * (p - x)) * difference)


_rd_first = _derivative(-3 / 4, (3, 1, 3), lambda x, y, z: _is_near(x, z), _rd_quotient)
_rd_last = _derivative(-9 / 4, (1, 1, 5), lambda x, y, z: _is_near(x, z) | _is_near(y, z), _rd_last_quotient)
elliprd = rule(
    special.elliprd,
    "x y z",
    lambda w, x, y, z: _rd_first(w, x, y, z),
    lambda w, x, y, z: _rd_first(w, y, x, z),
    lambda w, x, y, z: _rd_last(w, x, y, z),
)

# RG: 4 RG_x = RF - x RD(y, z, x) / 3, from DLMF 19.20.8 and 19.18.1; both terms where x = 0.  Where y = z = 0 they are
# infinite, and RG = sqrt(x) / 2, DLMF 19.20.4


def _rg_own(w: Any, x: Any, y: Any, z: Any) -> Any:
    """`RG_xx = -(RD / 2 + x RD_x / 3) / 4` with `RD(y, z, x)`, infinite as `-x**(-1/2)`; `x RD_x` by homogeneity."""
    is_zero, is_near = raw(x) == 0, _is_near(raw(x), raw(y)) | _is_near(raw(x), raw(z))
    u, v, t = (np.where(is_near | is_zero, a, b) for a, b in zip((1.0, 2.0, 3.0), (x, y, z), strict=True))
    rd = elliprd(v, t, u)
    w = (_times(v, u, rd - elliprd(t, u, v)) + _times(t, u, rd - elliprd(v, u, t))) / 12
    if np.any(is_near):
        u, v, t = (np.where(is_near & ~is_zero, a, 1.0) for a in (x, y, z))
        rd = elliprd(v, t, u)
        w = np.where(is_near, -(rd / 2 + _rd_last(rd, v, t, u) * u / 3) / 4, w)
    return np.where(is_zero, -np.inf, w)


def _rg_mixed(x: Any, y: Any, z: Any) -> Any:
    """`RG_xz = -int t / ((t + x) (t + z)) prod_i (t + v_i)**(-1/2) dt / 16`, by partial fractions where x and z differ.

    The derivatives of both terms of `RG_x` are infinite at `z = 0`, where this is finite.
    """
    is_near = _is_near(raw(x), raw(z))
    w = (_times_rd(x, y, z) - _times_rd(z, x, y)) / np.where(is_near, 1.0, x - z) / -24
    if np.any(is_near):
        u, v, t = (np.where(is_near, a, 1.0) for a in (x, y, z))
        close = elliprd(u, v, t) * (2 / 3) - carlson_integral(u, v, t, powers=(3, 1, 3)) * u
        w = np.where(is_near, close / -16, w)
    return w


def _times_rd(x: Any, y: Any, z: Any) -> Any:
    """`x RD(y, z, x)`, which is 0 at 0."""
    is_zero = x == 0
    return elliprd(y, z, x + is_zero) * x


@pointwise(_rg_own, lambda w, x, y, z: _rg_mixed(y, z, x), lambda w, x, y, z: _rg_mixed(x, y, z))
def _rg_first(x: Any, y: Any, z: Any) -> Any:
    return (elliprf(x, y, z) - special.elliprd(y, z, x + (x == 0)) * x / 3) / 4


def _rg_derivative(x: Any, y: Any, z: Any) -> Any:
    is_root = (y == 0) & (z == 0)
    derivative = _rg_first(x, y + is_root, z)
    return np.where(is_root, 0.25 / np.sqrt(np.where(is_root, x, 1.0)), derivative) if np.any(is_root) else derivative


rule(
    special.elliprg,
    "x y z",
    lambda w, x, y, z: _rg_derivative(x, y, z),
    lambda w, x, y, z: _rg_derivative(y, z, x),
    lambda w, x, y, z: _rg_derivative(z, x, y),
)

elliprg = homogeneous(special.elliprg, 1)

# RJ = 3/2 I(1, 1, 1, 2), DLMF 19.16.2; where p < 0, its principal value, the quotients have large divisors


def _rj_quotient(value: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    return (value - elliprd(y, z, x)) / (2 * (p - x))


def _rj_last_quotient(value: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    """By homogeneity of degree -3/2."""
    terms = [_times(a, p, value - elliprd(b, c, a)) for a, b, c in ((x, y, z), (y, z, x), (z, x, y))]
    return -(1.5 * value + sum(terms[1:], terms[0])) / p


def _is_any_near(x: Any, y: Any, z: Any, p: Any) -> Any:
    return _is_near(x, p) | _is_near(y, p) | _is_near(z, p)


def _or_principal(ordinary: Any, quotient: Any) -> Any:
    """The derivative of the principal value by the quotient, whose own derivatives follow from it."""

    def partial(w: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
        principal = _is_principal(raw(p))
        if not np.any(principal):
            return ordinary(w, x, y, z, p)
        elsewhere = ordinary(w, x, y, z, np.where(principal, 1.0, p))
        return np.where(principal, quotient(w, x, y, z, np.where(principal, p, -1.0)), elsewhere)

    return partial


_rj_first = _or_principal(
    _derivative(-3 / 4, (3, 1, 1, 2), lambda x, y, z, p: _is_near(x, p), _rj_quotient), _rj_quotient
)
_rj_last = _or_principal(_derivative(-3 / 2, (1, 1, 1, 4), _is_any_near, _rj_last_quotient), _rj_last_quotient)
rule(
    special.elliprj,
    "x y z p",
    lambda w, x, y, z, p: _rj_first(w, x, y, z, p),
    lambda w, x, y, z, p: _rj_first(w, y, z, x, p),
    lambda w, x, y, z, p: _rj_first(w, z, x, y, p),
    lambda w, x, y, z, p: _rj_last(w, x, y, z, p),
)
elliprj = homogeneous(special.elliprj, -3)
