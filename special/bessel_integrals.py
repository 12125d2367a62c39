"""Integrals of Bessel, Airy and Struve functions, Airy, Kelvin and Struve functions themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import (
    airy,
    airye,
    bei,
    beip,
    ber,
    berp,
    besselpoly,
    gamma,
    i0,
    it2i0k0,
    it2j0y0,
    it2struve0,
    itairy,
    iti0k0,
    itj0y0,
    itmodstruve0,
    itstruve0,
    j0,
    jv,
    k0,
    kei,
    keip,
    kelvin,
    ker,
    kerp,
    modstruve,
    struve,
    y0,
)

from .airy_integrands import airy_integrands
from .airy_scaled import better_airye
from .bessel_moments import BESSEL_MOMENTS
from .struve_order import struve_order_partial
from .struve_zero import modstruve0, struve0
from .ufunc_rules import Partial, rule

__all__ = [
    "airy",
    "airye",
    "bei",
    "beip",
    "ber",
    "berp",
    "besselpoly",
    "it2i0k0",
    "it2j0y0",
    "it2struve0",
    "itairy",
    "iti0k0",
    "itj0y0",
    "itmodstruve0",
    "itstruve0",
    "kei",
    "keip",
    "kelvin",
    "ker",
    "kerp",
    "modstruve",
    "struve",
]

# Airy functions Ai, Ai', Bi, Bi', DLMF 9.2.1; scaled by exp(zeta) the first two, zeta = 2/3 z**(3/2), and by
# exp(-|Re zeta|) the others, where d|Re zeta| / dz = s r / 2 with r = sqrt(z) and s the sign of Re zeta


def _root_and_sign(z: Any) -> tuple[Any, Any]:
    if z.dtype.kind == "c":
        root = np.sqrt(z)
        return root, np.sign(np.real(root * z))
    root = np.sqrt(np.maximum(z, 0.0))
    return root, np.sign(root)


def _airye_partial(w: Any, z: Any) -> Any:
    root, sign = _root_and_sign(z)
    ai, aip, bi, bip = w
    ai, aip = better_airye(ai, aip, z)
    scaling = sign * root / 2
    return aip + root * ai, z * ai + root * aip, bip - scaling * bi, z * bi - scaling * bip


def _airye_conjugate(w: Any, z: Any) -> Any:
    root, sign = _root_and_sign(z)
    scaling = -sign * np.conjugate(root) / 2
    return 0.0 * w[0], 0.0 * w[1], scaling * w[2], scaling * w[3]


rule(airy, "z", lambda w, z: (w[1], z * w[0], w[3], z * w[2]))
rule(airye, "z", _airye_partial, conjugate=_airye_conjugate)
rule(itairy, "x", lambda w, x: airy_integrands(x))

# Kelvin functions, DLMF 10.61.3: ber'' + i bei'' = i (ber + i bei) - (ber' + i bei') / x, and ker, kei likewise


def _improved() -> Any:
    """The functions with the better values, which are made from these."""
    from . import bessel_values

    return bessel_values


rule(kelvin, "x", lambda w, x: (w[2], w[3], 1j * w[0] - w[2] / x, 1j * w[1] - w[3] / x))
rule(ber, "x", lambda w, x: _improved().berp(x))
rule(bei, "x", lambda w, x: _improved().beip(x))
rule(ker, "x", lambda w, x: _improved().kerp(x))
rule(kei, "x", lambda w, x: _improved().keip(x))
rule(berp, "x", lambda w, x: -_improved().bei(x) - _improved().berp(x) / x)
rule(beip, "x", lambda w, x: _improved().ber(x) - _improved().beip(x) / x)
rule(kerp, "x", lambda w, x: -_improved().kei(x) - _improved().kerp(x) / x)
rule(keip, "x", lambda w, x: _improved().ker(x) - _improved().keip(x) / x)

# Struve functions, DLMF 11.4.27 and 11.4.29, at x = 0 by 11.4.24 and 11.4.26


def _struve_slope(function: Any, sign: float) -> Any:
    """The derivative in `x`: from its lower neighbour; at `x = 0` from both and the power that they differ by."""

    def partial(w: Any, v: Any, x: Any) -> Any:
        at_zero = x == 0
        if not np.any(at_zero):
            return function(v - 1.0, x) - v * w / x
        far, zero = np.where(at_zero, 1.0, x), np.where(at_zero, x, 1.0)
        power = (zero / 2) ** v / (math.sqrt(math.pi) * gamma(v + 1.5))
        slope = (function(v - 1.0, zero) + sign * function(v + 1.0, zero) + power) / 2
        return np.where(at_zero, slope, function(v - 1.0, far) - v * w / far)

    return partial


rule(struve, "v x", struve_order_partial(-1.0), _struve_slope(struve, -1.0))
rule(modstruve, "v x", struve_order_partial(1.0), _struve_slope(modstruve, 1.0))


def _better_besselpoly(a: Any, lmb: Any, nu: Any) -> Any:
    """The better values, which are made from this rule."""
    from . import integral_values

    return integral_values.besselpoly(a, lmb, nu)


def _moment_slope(i: int) -> Partial:
    slope: Any = BESSEL_MOMENTS.partial(i)

    def partial(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
        return slope(w, lmb, nu, a)

    partial.at_once = slope.at_once  # type: ignore[attr-defined]
    return partial


# integrals: the derivative is the integrand, with j1(x) / x and i1(x) / x in mind where it is a difference over x


def _one_minus_j0_over(x: Any) -> Any:
    """`(1 - J0(x)) / x`; near 0 by its power series `sum_k (-1)**k (x / 2)**(2 k + 1) / (2 (k + 1)!**2)`."""
    return _difference_over(x, -1.0, lambda far: (1 - j0(far)) / far)


def _i0_minus_one_over(x: Any) -> Any:
    return _difference_over(x, 1.0, lambda far: (i0(far) - 1) / far)


def _difference_over(x: Any, sign: float, formula: Any) -> Any:
    is_near = np.abs(x) < 2
    far, near = np.where(is_near, 2.0, x), np.where(is_near, x, 0.0)
    u = sign * near * near / 4
    total = 0.0 * near
    for k in reversed(range(1, 14)):
        total = total * u + 1 / math.factorial(k) ** 2
    return np.where(is_near, total * near / 4, formula(far))


rule(itj0y0, "x", lambda w, x: (j0(x), y0(x)))
rule(iti0k0, "x", lambda w, x: (i0(x), k0(x)))
rule(it2j0y0, "x", lambda w, x: (_one_minus_j0_over(x), -y0(x) / x))
rule(it2i0k0, "x", lambda w, x: (_i0_minus_one_over(x), -k0(x) / x))
rule(itstruve0, "x", lambda w, x: struve0(x))
rule(itmodstruve0, "x", lambda w, x: modstruve0(x))
rule(it2struve0, "x", lambda w, x: -struve0(x) / x)
rule(
    besselpoly,
    "a lmb nu",
    lambda w, a, lmb, nu: (jv(nu, 2 * a) - (lmb + 1) * _better_besselpoly(a, lmb, nu)) / a,  # by parts
    _moment_slope(0),
    _moment_slope(1),
)
