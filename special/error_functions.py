"""Error functions and their relatives: Dawson's, Faddeeva's, Fresnel's, Voigt's, and the normal distribution.

They share one family, the repeated integrals of the complementary error function, scaled:
`E_n(z) = exp(z**2) i^n erfc(z)`, DLMF 7.18.2.  From 7.18.3 and 7.18.7 follows `E_n' = -2 (n + 1) E_(n+1)`: the
derivatives of `erfcx = E_0` have no cancellation in them, and neither have those of `wofz(z) = E_0(-i z)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import (
    dawsn,
    erf,
    erfc,
    erfcinv,
    erfcx,
    erfi,
    erfinv,
    fresnel,
    log_ndtr,
    modfresnelm,
    modfresnelp,
    ndtr,
    ndtri,
    ndtri_exp,
    owens_t,
    voigt_profile,
    wofz,
)

from .ufunc_rules import pointwise, rule

__all__ = [
    "dawsn",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfi",
    "erfinv",
    "fresnel",
    "log_ndtr",
    "modfresnelm",
    "modfresnelp",
    "ndtr",
    "ndtri",
    "ndtri_exp",
    "normal_density",
    "owens_t",
    "scaled_repeated_integral",
    "voigt_profile",
    "wofz",
]

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
_ROOT_PI = math.sqrt(math.pi)


@pointwise(lambda w, z, *, order: -2 * (order + 1) * scaled_repeated_integral(z, order=order + 1))
def scaled_repeated_integral(z: Any, *, order: int) -> Any:
    """`E_n(z) = exp(z**2) i^n erfc(z)`: by an expansion, a continued fraction, or a recurrence."""
    if order == 0:
        return erfcx(z)
    is_large = (np.abs(z) >= 6) & (np.real(z) >= 0)
    is_right = (np.real(z) >= 2) & ~is_large
    large = np.where(is_large, z, 8.0)
    right = np.where(is_right, z, 3.0)
    rest = np.where(is_large | is_right, 0.0, z)
    return np.where(
        is_large,
        _by_expansion(large, order),
        np.where(is_right, _by_fraction(right, order), _by_recurrence(rest, order)),
    )


def _by_expansion(z: Any, n: int) -> Any:
    """DLMF 7.18.14: `2 / sqrt(pi) (2 z)**(-n - 1) sum_m (-1)**m (2 m + n)! / (n! m!) (2 z)**(-2 m)`."""
    v = 1 / (2 * z)
    squared = v * v
    term = _TWO_OVER_ROOT_PI * v ** (n + 1)
    total = term
    for m in range(1, 36):
        term = term * (-(2 * m + n) * (2 * m + n - 1) / m) * squared
        total = total + term
    return total


def _by_fraction(z: Any, n: int) -> Any:
    """The ratios `r_k = E_k / E_(k-1) = 1 / (2 z + 2 (k + 1) r_(k+1))`, from DLMF 7.18.7, downwards."""
    ratio = 1 / (2 * z)
    product = None
    for k in reversed(range(1, n + 120)):
        ratio = 1 / (2 * z + 2 * (k + 1) * ratio)
        if k <= n:
            product = ratio if product is None else product * ratio
    return product * erfcx(z)


def _by_recurrence(z: Any, n: int) -> Any:
    """`2 k E_k = E_(k-2) - 2 z E_(k-1)` with `E_(-1) = 2 / sqrt(pi)`, DLMF 7.18.7."""
    before: Any = _TWO_OVER_ROOT_PI
    last = erfcx(z)
    for k in range(1, n + 1):
        before, last = last, (before - 2 * z * last) / (2 * k)
    return last


def _faddeeva_slope(z: Any, order: int = 1) -> Any:
    """The derivative of `wofz` of an order: `(2 i)**n n! E_n(-i z)`."""
    return (2j) ** order * math.factorial(order) * scaled_repeated_integral(-1j * z, order=order)


def _dawson_slope(w: Any, z: Any) -> Any:
    """At real `z` Dawson's integral is `sqrt(pi) / 2` times the imaginary part of `wofz`, DLMF 7.5.1."""
    if z.dtype.kind == "c":
        return 1 - 2 * z * w
    return _ROOT_PI / 2 * np.imag(_faddeeva_slope(z))


rule(erf, "z", lambda w, z: _TWO_OVER_ROOT_PI * np.exp(-z * z))
rule(erfc, "z", lambda w, z: -_TWO_OVER_ROOT_PI * np.exp(-z * z))
rule(erfi, "z", lambda w, z: _TWO_OVER_ROOT_PI * np.exp(z * z))
rule(erfcx, "z", lambda w, z: -2 * scaled_repeated_integral(z, order=1))
rule(wofz, "z", lambda w, z: _faddeeva_slope(z))
rule(dawsn, "z", _dawson_slope)  # DLMF 7.10.3
rule(erfinv, "y", lambda w, y: _ROOT_PI / 2 * np.exp(w * w))
rule(erfcinv, "y", lambda w, y: -_ROOT_PI / 2 * np.exp(w * w))

# Fresnel integrals, DLMF 7.2.7 and 7.2.8; the modified ones are w0 = int_x^inf exp(i t**2) dt and, with
# u = x exp(-i pi / 4), w1 = erfcx(u) / 2, and the conjugates of both

_ROTATION = complex(math.sqrt(0.5), -math.sqrt(0.5))


def _quarter_turns(z: Any) -> tuple[Any, Any]:
    """`z**2` modulo 4 as a sum of two numbers: that nearest to it and the rest, of real `z` in double precision.

    The product is split after Dekker (Numer. Math. 18 (1971) 224), where the halves of `z` do not overflow.
    """
    scaled = 134217729.0 * z
    high = scaled - (scaled - z)
    low = z - high
    square = z * z
    rest = ((high * high - square) + 2 * (high * low)) + low * low
    return square - 4 * np.rint(square / 4), np.where(np.abs(z) < 1e150, rest, 0.0)


def _of_phase(function: Any, z: Any) -> Any:
    """`function(pi z**2 / 2)` of period `2 pi`, without the rounding of a large real phase."""
    if z.dtype.kind == "c":
        first, second = _quarter_turns(np.real(z) * np.float64(1)), _quarter_turns(np.imag(z) * np.float64(1))
        turns = (first[0] - second[0]) + (first[1] - second[1])
        return function(math.pi / 2 * (turns + 2j * (np.real(z) * np.imag(z)))).astype(z.dtype)
    nearest, rest = _quarter_turns(z * np.float64(1))
    return function(math.pi / 2 * (nearest + rest)).astype(z.dtype)


@pointwise(lambda w, z: math.pi * z * _cosine_of_square(z))
def _sine_of_square(z: Any) -> Any:
    """`sin(pi z**2 / 2)`."""
    return _of_phase(np.sin, z)


@pointwise(lambda w, z: -math.pi * z * _sine_of_square(z))
def _cosine_of_square(z: Any) -> Any:
    """`cos(pi z**2 / 2)`."""
    return _of_phase(np.cos, z)


rule(fresnel, "z", lambda w, z: (_sine_of_square(z), _cosine_of_square(z)))
rule(
    modfresnelp,
    "x",
    lambda w, x: (-np.exp(1j * (x * x)), -_ROTATION * scaled_repeated_integral(_ROTATION * x, order=1)),
)
rule(
    modfresnelm,
    "x",
    lambda w, x: (
        -np.exp(-1j * (x * x)),
        -_ROTATION.conjugate() * scaled_repeated_integral(_ROTATION.conjugate() * x, order=1),
    ),
)

# Voigt's profile: the real part of wofz((x + i gamma) / (sigma sqrt(2))) / (sigma sqrt(2 pi)), DLMF 7.19.1; in sigma by
# the heat equation; without sigma Lorentz's profile, the real part of i / (pi (x + i gamma)) and even in sigma


def _voigt_slopes(x: Any, sigma: Any, gamma: Any) -> Any:
    z, is_sharp = x + 1j * gamma, sigma == 0
    if not np.any(is_sharp):
        return _faddeeva_slope(z / (sigma * math.sqrt(2))) / (2 * _ROOT_PI * sigma**2)
    wide = np.where(is_sharp, 1.0, sigma)
    slope = _faddeeva_slope(z / (wide * math.sqrt(2))) / (2 * _ROOT_PI * wide**2)
    return np.where(is_sharp, -1j / (math.pi * z * z) * (1 + 3 * (sigma / z) ** 2), slope)


def _voigt_width(w: Any, x: Any, sigma: Any, gamma: Any) -> Any:
    z, is_sharp = x + 1j * gamma, sigma == 0
    wide = np.where(is_sharp, 1.0, sigma) if np.any(is_sharp) else sigma
    curvature = np.real(_faddeeva_slope(z / (wide * math.sqrt(2)), 2)) / (2 * math.sqrt(2) * _ROOT_PI * wide**2)
    return np.where(is_sharp, np.real(2j * sigma / (math.pi * z**3)), curvature) if np.any(is_sharp) else curvature


rule(
    voigt_profile,
    "x sigma gamma",
    lambda w, x, sigma, gamma: np.real(_voigt_slopes(x, sigma, gamma)),
    _voigt_width,
    lambda w, x, sigma, gamma: -np.imag(_voigt_slopes(x, sigma, gamma)),
)

# the normal distribution


def normal_density(x: Any) -> Any:
    """The density of the standard normal distribution."""
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


rule(ndtr, "x", lambda w, x: normal_density(x))
rule(log_ndtr, "x", lambda w, x: math.sqrt(2 / math.pi) / erfcx(-x / math.sqrt(2)))
rule(ndtri, "p", lambda w, p: 1 / normal_density(w))
rule(ndtri_exp, "y", lambda w, y: math.sqrt(math.pi / 2) * erfcx(-w / math.sqrt(2)))
rule(
    owens_t,
    "h a",
    lambda w, h, a: -normal_density(h) * erf(a * h / math.sqrt(2)) / 2,
    lambda w, h, a: np.exp(-h * h * (1 + a * a) / 2) / (2 * math.pi * (1 + a * a)),
)
