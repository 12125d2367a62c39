"""Integrals of Bessel, Airy and Struve functions, Airy, Kelvin and Struve functions themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    airy,
    airye,
    bei,
    beip,
    ber,
    berp,
    besselpoly,
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
    y0,
)

from .airy_integrands import airy_integrands
from .airy_scaled import better_airye
from .bessel_moments import BESSEL_MOMENTS
from .bounded import ANY
from .corrected import Corrected
from .struve_order import struve_partials
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
    "moment_slope",
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


def _over(x: Any, coefficients: list[Any], formula: Any, is_odd: bool = False) -> Any:
    """A quotient that is regular at 0: next to it `sum_k c_k (x / 2)**(2 k)`, times `x` where it is odd."""
    is_near = np.abs(x) < 2
    far, near = np.where(is_near, 2.0, x), np.where(is_near, x, 0.0)
    u = near * near / 4
    total = 0.0 * near + coefficients[-1]
    for c in coefficients[-2::-1]:
        total = total * u + c
    return np.where(is_near, near * total if is_odd else total, formula(far))


_TERMS = range(14)
_KELVIN = [1j ** (k + 1) / (2 * math.factorial(k) * math.factorial(k + 1)) for k in _TERMS]
"""Of `(ber' + i bei') / x`, DLMF 10.25.2 at `x exp(i pi / 4)`."""
_REAL, _IMAGINARY = [c.real for c in _KELVIN], [c.imag for c in _KELVIN]

rule(
    kelvin,
    "x",
    lambda w, x: (w[2], w[3], 1j * w[0] - _over(x, _KELVIN, lambda far: w[2] / far), 1j * w[1] - w[3] / x),
)
rule(ber, "x", lambda w, x: _improved().berp(x))
rule(bei, "x", lambda w, x: _improved().beip(x))
rule(ker, "x", lambda w, x: _improved().kerp(x))
rule(kei, "x", lambda w, x: _improved().keip(x))
rule(berp, "x", lambda w, x: -_improved().bei(x) - _over(x, _REAL, lambda far: _improved().berp(far) / far))
rule(beip, "x", lambda w, x: _improved().ber(x) - _over(x, _IMAGINARY, lambda far: _improved().beip(far) / far))
rule(kerp, "x", lambda w, x: -_improved().kei(x) - _improved().kerp(x) / x)
rule(keip, "x", lambda w, x: _improved().ker(x) - _improved().keip(x) / x)

# Struve functions


def _struve(ufunc: np.ufunc, sign: float) -> Corrected:
    """At half-integer orders from -3/2 downwards these are J and I, which are 0 at 0; SciPy's are infinite, or NaN."""
    rule(ufunc, "v x", *struve_partials(sign))
    return Corrected(
        ufunc,
        lambda v, x: 0 * x,
        lambda v, x: (x == 0) & (v <= -1.5) & (v - np.floor(v) == 0.5),
        (-1.0, np.inf),
        ANY,
    )


struve, modstruve = _struve(special.struve, -1.0), _struve(special.modstruve, 1.0)


# moments of Bessel functions


def _better_besselpoly(a: Any, lmb: Any, nu: Any) -> Any:
    """The better values, which are made from this rule."""
    from . import integral_values

    return integral_values.besselpoly(a, lmb, nu)


def _moment_partial(i: int) -> Partial:
    slope: Any = BESSEL_MOMENTS.partial(i)

    def partial(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
        return slope(w, lmb, nu, a)

    partial.at_once = slope.at_once  # type: ignore[attr-defined]
    return partial


_slope_of_series = _moment_partial(2)


def moment_slope(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
    """The derivative in `a`: by parts, and next to 0 by the power series."""
    is_near = a < 0.5
    far = np.where(is_near, 1.0, a)
    by_parts = (jv(nu, 2 * far) - (lmb + 1) * w) / far
    if not np.any(is_near):
        return by_parts
    return np.where(is_near, _slope_of_series(w, np.where(is_near, a, 0.25), lmb, nu), by_parts)


rule(
    besselpoly,
    "a lmb nu",
    lambda w, a, lmb, nu: moment_slope(_better_besselpoly(a, lmb, nu), a, lmb, nu),
    _moment_partial(0),
    _moment_partial(1),
)

# integrals: the derivative is the integrand, with j1(x) / x and i1(x) / x in mind where it is a difference over x

_J0 = [(-1) ** k / (4 * math.factorial(k + 1) ** 2) for k in _TERMS]
"""Of `(1 - J0) / x**2`."""
_I0 = [abs(c) for c in _J0]
"""Of `(I0 - 1) / x**2`."""
_H0 = [2 / math.pi * (-16) ** k * (math.factorial(k) / math.factorial(2 * k + 1)) ** 2 for k in _TERMS]
"""Of `H0 / x`, DLMF 11.2.1."""

rule(itj0y0, "x", lambda w, x: (j0(x), y0(x)))
rule(iti0k0, "x", lambda w, x: (i0(x), k0(x)))
rule(it2j0y0, "x", lambda w, x: (_over(x, _J0, lambda far: (1 - j0(far)) / far, True), -y0(x) / x))
rule(it2i0k0, "x", lambda w, x: (_over(x, _I0, lambda far: (i0(far) - 1) / far, True), -k0(x) / x))
rule(itstruve0, "x", lambda w, x: struve0(x))
rule(itmodstruve0, "x", lambda w, x: modstruve0(x))
rule(it2struve0, "x", lambda w, x: -_over(x, _H0, lambda far: struve0(far) / far))
