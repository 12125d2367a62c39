"""Carlson's symmetric elliptic integrals and the derivatives of all orders that they share.

Every one of them is `I = int_0^inf prod_i (t + v_i)**(-p_i / 2) dt` up to a factor, DLMF 19.16; and
`dI / dv_i = -p_i / 2 I(p_i + 2)` is an integral of the same form with a positive integrand, in which nothing cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import elliprc, elliprd, elliprf, elliprg, elliprj

from .ufunc_rules import pointwise, rule

__all__ = ["carlson_integral", "elliprc", "elliprd", "elliprf", "elliprg", "elliprj"]


_NODES = 200
_REACH = 37.0
"""`exp(-37)` is below the rounding error."""


def _integral(*v: Any, powers: tuple[int, ...]) -> Any:
    """The trapezoidal rule in `log(t)`: there the integrand decays exponentially and is analytic in a wide strip."""
    scale = sum(np.abs(x) for x in v) * np.float64(1) / len(v)
    scaled = [x / scale for x in v]
    low, high = _range(scaled)
    h = (high - low) / _NODES
    total: Any = 0.0
    for k in range(_NODES + 1):
        t = np.exp(low + k * h)
        term = t
        for x, p in zip(scaled, powers, strict=True):
            root = np.sqrt(t + x)
            term = term / (root if p == 1 else root**p)
        total = total + term
    return total * h * scale ** (1 - sum(powers) / 2)


def _range(v: Any) -> tuple[Any, Any]:
    """Where the integrand matters: below the smallest argument it falls as `t`, as `sqrt(t)` if one is 0."""
    smallest, factor = 1.0, 1.0
    for x in v:
        is_zero = x == 0
        smallest = np.minimum(smallest, np.where(is_zero, 1.0, np.abs(x)))
        factor = np.where(is_zero, 2.0, factor)
    return np.log(smallest) - factor * _REACH, _REACH / 2


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
    elliprf,
    "x y z",
    lambda w, x, y, z: -elliprd(y, z, x) / 6,
    lambda w, x, y, z: -elliprd(z, x, y) / 6,
    lambda w, x, y, z: -elliprd(x, y, z) / 6,
)

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


rule(elliprc, "x y", _rc_first, _rc_second)

# RD = 3/2 I(1, 1, 3), DLMF 19.16.5

rule(
    elliprd,
    "x y z",
    lambda w, x, y, z: -3 / 4 * carlson_integral(x, y, z, powers=(3, 1, 3)),
    lambda w, x, y, z: -3 / 4 * carlson_integral(x, y, z, powers=(1, 3, 3)),
    lambda w, x, y, z: -9 / 4 * carlson_integral(x, y, z, powers=(1, 1, 5)),
)

# RG: 4 RG_x = RF - x RD(y, z, x) / 3, from DLMF 19.20.8 and 19.18.1; both terms where x = 0


def _rg_slope(x: Any, y: Any, z: Any) -> Any:
    is_zero = x == 0
    return (elliprf(x, y, z) - x * elliprd(y, z, x + is_zero) / 3) / 4


rule(
    elliprg,
    "x y z",
    lambda w, x, y, z: _rg_slope(x, y, z),
    lambda w, x, y, z: _rg_slope(y, z, x),
    lambda w, x, y, z: _rg_slope(z, x, y),
)

# RJ = 3/2 I(1, 1, 1, 2), DLMF 19.16.2; where p < 0 by the difference quotient of RD, which then has a large divisor


def _rj_first(w: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    principal = _is_principal(p)
    safe = np.where(principal, 1.0, p)
    gap = np.where(principal, p - x, 1.0)
    ordinary = -3 / 4 * carlson_integral(x, y, z, safe, powers=(3, 1, 1, 2))
    return np.where(principal, (w - elliprd(y, z, x)) / (2 * gap), ordinary)


def _rj_last(w: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    """Where `p < 0` by homogeneity of degree -3/2."""
    principal = _is_principal(p)
    safe = np.where(principal, 1.0, p)
    ordinary = -3 / 2 * carlson_integral(x, y, z, safe, powers=(1, 1, 1, 4))
    others = x * _rj_first(w, x, y, z, p) + y * _rj_first(w, y, z, x, p) + z * _rj_first(w, z, x, y, p)
    return np.where(principal, -(1.5 * w + others) / p, ordinary)


rule(
    elliprj,
    "x y z p",
    lambda w, x, y, z, p: _rj_first(w, x, y, z, p),
    lambda w, x, y, z, p: _rj_first(w, y, z, x, p),
    lambda w, x, y, z, p: _rj_first(w, z, x, y, p),
    _rj_last,
)
