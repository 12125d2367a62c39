"""Error functions and their relatives: Dawson's, Faddeeva's, Fresnel's, Voigt's, and the normal distribution.

The derivatives of `erfcx = E_0` and of `wofz(z) = E_0(-i z)` are the repeated integrals `E_n`.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.kernel_partials import by_kernel
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY, of_arguments
from ..ufuncs.ufunc_rules import Pointwise, pointwise, rule
from .repeated_integrals import FAR, NEAR, far_expansion, scaled_repeated_integral

__all__ = [
    "dawsn", "erf", "erfc", "erfcinv", "erfcx", "erfi", "erfinv", "fresnel", "log_ndtr", "ndtr", "ndtri", "ndtri_exp",
    "owens_t", "voigt_profile", "wofz",
]  # fmt: skip

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
_ROOT_PI = math.sqrt(math.pi)


def _faddeeva_derivative(z: Any, order: int = 1, value: Any = None) -> Any:
    """The derivative of `wofz` of an order: `(2 i)**n n! E_n(-i z)`."""
    return (2j) ** order * math.factorial(order) * scaled_repeated_integral(-1j * z, order=order, first=raw(value))


# Dawson's integral, DLMF 7.5.1, is w = sqrt(pi) / 2 i (exp(-z**2) - wofz(z)); w' = 1 - 2 z w, DLMF 7.10.2, and so
# w^(k+1) = -2 (z w^(k) + k w^(k-1)).  Next to the real axis the derivatives of wofz serve, far out their expansion; the
# exponential function, with the sign of Im z, counts far from the real axis, and where Re z**2 < 0 it is so large that
# the recurrence loses nothing


@pointwise(lambda w, z, *, order, value=None: _dawson_derivative(z, order=order + 1))
def _dawson_derivative(z: Any, *, order: int, value: Any = None) -> Any:
    """The derivative of an order of Dawson's integral, whose own `value` may be known."""
    (z,) = with_dtypes(z)

    def kernel(w: Any, z: Any) -> Any:
        size, is_near_real = np.abs(z), np.abs(np.real(z)) >= np.abs(np.imag(z))
        regions = [
            (np.isinf(np.real(z)) & np.isfinite(np.imag(z)), lambda w, z: np.zeros_like(z)),
            (is_near_real & (size >= FAR), lambda w, z: _far_dawson(z, order)),
        ]
        if z.dtype.kind == "c":
            is_between = is_near_real & (size >= NEAR) & (size < FAR)
            regions.append((is_between, lambda w, z: _dawson_by_faddeeva(z, order)))
        return by_region([*regions, (True, lambda w, z: _dawson_recurrence(1.0, w, z, order))], w, z)

    if value is None or value.dtype.char in "fF":
        return in_double(lambda z: kernel(dawsn(z), z), z)
    return in_double(kernel, value, z)


def _dawson_recurrence(derivative_at_0: float, w: Any, z: Any, n: int) -> Any:
    before, last = w, derivative_at_0 - 2 * z * w
    for k in range(1, n):
        before, last = last, -2 * (z * last + k * before)
    return last


def _dawson_by_faddeeva(z: Any, n: int) -> Any:
    """In the upper half-plane; in the lower one with the symmetry."""
    side = np.where(np.imag(z) < 0, -1.0, 1.0)
    z = side * z
    return (
        side ** (n + 1) * _ROOT_PI / 2j * (_faddeeva_derivative(z, n) - _dawson_recurrence(0.0, np.exp(-z * z), z, n))
    )


def _far_dawson(z: Any, n: int) -> Any:
    out = far_expansion(-0.25 / (z * z), n) * ((-1.0) ** n * math.factorial(n) / 2 / z ** (n + 1))
    if z.dtype.kind == "c":
        exponential = _ROOT_PI / 2 * 1j * np.sign(np.imag(z)) * np.exp(-z * z)
        out = out + _dawson_recurrence(0.0, exponential, z, n)
    return out


erf = rule(special.erf, "z", by_kernel("erf", lambda w, z: _TWO_OVER_ROOT_PI * np.exp(-z * z)))
erfc = rule(special.erfc, "z", by_kernel("erfc", lambda w, z: -_TWO_OVER_ROOT_PI * np.exp(-z * z)))
erfi = rule(special.erfi, "z", lambda w, z: _TWO_OVER_ROOT_PI * np.exp(z * z))
erfcx = rule(
    special.erfcx, "z", by_kernel("erfcx", lambda w, z: -2 * scaled_repeated_integral(z, order=1, first=raw(w)))
)
wofz = rule(special.wofz, "z", by_kernel("wofz", lambda w, z: _faddeeva_derivative(z, value=w)))
dawsn = rule(special.dawsn, "z", by_kernel("dawsn", lambda w, z: _dawson_derivative(z, order=1, value=raw(w))))
erfinv = rule(special.erfinv, "y", by_kernel("erfinv", lambda w, y: _ROOT_PI / 2 * np.exp(w * w)))
erfcinv = rule(special.erfcinv, "y", by_kernel("erfcinv", lambda w, y: -_ROOT_PI / 2 * np.exp(w * w)))

# Fresnel integrals, DLMF 7.2.7 and 7.2.8; the modified ones are w0 = int_x^inf exp(i t**2) dt and, with
# u = x exp(-i pi / 4), w1 = erfcx(u) / 2, and the conjugates of both


LARGEST_SQUARED = 2.0**511
"""From here on the square of a number may overflow."""
_ALL_INTEGERS = 2.0**53
"""From here on all numbers are integers."""


def exact_square(z: Any) -> tuple[Any, Any]:
    """`z**2` as a sum of two numbers, of real `z` in double precision.

    The product is split after Dekker (Numer. Math. 18 (1971) 224), where the halves of `z` do not overflow.
    """
    scaled = 134217729.0 * z
    high = scaled - (scaled - z)
    low = z - high
    square = z * z
    rest = ((high * high - square) + 2 * (high * low)) + low * low
    return square, np.where(np.abs(z) < LARGEST_SQUARED, rest, 0.0)


def _quadrants(z: Any) -> tuple[Any, Any]:
    """`z**2` modulo 4, as such a sum; `z` modulo 4 where that is an integer."""
    square, rest = exact_square(np.where(np.abs(z) < _ALL_INTEGERS, z, np.fmod(z, 4.0)))
    return square - 4 * np.rint(square / 4), rest


def _of_phase(function: Any, z: Any) -> Any:
    """`function(pi z**2 / 2)` of period `2 pi`, without the rounding of a large real phase."""
    if z.dtype.kind == "c":
        first, second = _quadrants(np.real(z) * np.float64(1)), _quadrants(np.imag(z) * np.float64(1))
        quadrants = (first[0] - second[0]) + (first[1] - second[1])
        return function(math.pi / 2 * (quadrants + 2j * (np.real(z) * np.imag(z)))).astype(z.dtype)
    nearest, rest = _quadrants(z * np.float64(1))
    return function(math.pi / 2 * (nearest + rest)).astype(z.dtype)


@pointwise(lambda w, z: math.pi * z * _cosine_of_square(z))
def _sine_of_square(z: Any) -> Any:
    """`sin(pi z**2 / 2)`."""
    return _of_phase(np.sin, z)


@pointwise(lambda w, z: -math.pi * z * _sine_of_square(z))
def _cosine_of_square(z: Any) -> Any:
    """`cos(pi z**2 / 2)`."""
    return _of_phase(np.cos, z)


rule(special.fresnel, "z", lambda w, z: (_sine_of_square(z), _cosine_of_square(z)))


def _divides_by_small_sine(z: Any) -> Any:
    """Where SciPy divides by `sin(pi z**2 / 2)`, which is nearly 0."""
    if z.dtype.kind != "c":
        return np.zeros(z.shape, bool)
    size = np.abs(z)
    with np.errstate(all="ignore"):
        return (size > 2.4) & (size < 4.6) & (np.abs(np.sin(math.pi / 2 * z * z)) < 0.03)


def _by_error_functions(z: Any) -> tuple[Any, Any]:
    """`C(z) +- i S(z) = (1 +- i) / 2 erf(sqrt(pi) / 2 (1 -+ i) z)` (DLMF 7.5.8)."""
    upper, lower = (0.5 * (1 + i) * special.erf(_ROOT_PI / 2 * (1 - i) * z) for i in (1j, -1j))
    return (upper - lower) / 2j, (upper + lower) / 2


fresnel = PatchedUfunc(special.fresnel, [(_divides_by_small_sine, _by_error_functions)])
# Voigt's profile: the real part of G(x + i gamma) with G(z) = wofz(z / (sigma sqrt(2))) / (sigma sqrt(2 pi)), DLMF
# 7.19.1, holomorphic in z; in sigma by the heat equation, dG / dsigma = sigma d2G / dz2; where sigma is small beside z
# in the upper half plane, G is i / (pi z), DLMF 7.12.1

_SHARP = 1e9


def _profile(order: int, z: Any, sigma: Any) -> Any:
    """The derivative of `G` in `z` of an order."""
    return _profile_of_order(order)(z, sigma)


@functools.cache
def _profile_of_order(order: int) -> Pointwise:
    @pointwise(
        lambda w, z, sigma: _profile(order + 1, z, sigma), lambda w, z, sigma: sigma * _profile(order + 2, z, sigma)
    )
    def profile(z: Any, sigma: Any) -> Any:
        is_sharp = (np.abs(z) > _SHARP * np.abs(sigma)) & (np.imag(z) * np.sign(sigma) >= 0) | (sigma == 0)
        wide, far = np.where(is_sharp, 1.0, sigma) * math.sqrt(2), np.where(is_sharp, z, 1.0)
        derivative, sharp = _faddeeva_derivative(z / wide, order) / wide / _ROOT_PI, 1j / (math.pi * far)
        for k in range(order):
            derivative, sharp = derivative / wide, -(k + 1) * sharp / far
        return np.where(is_sharp, sharp, derivative)

    return profile


voigt_profile = rule(
    special.voigt_profile,
    "x sigma gamma",
    lambda w, x, sigma, gamma: np.real(_profile(1, x + 1j * gamma, sigma)),
    lambda w, x, sigma, gamma: sigma * np.real(_profile(2, x + 1j * gamma, sigma)),
    lambda w, x, sigma, gamma: -np.imag(_profile(1, x + 1j * gamma, sigma)),
)

# the normal distribution


def normal_density(x: Any) -> Any:
    """The density of the standard normal distribution."""
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


ndtr = rule(special.ndtr, "x", by_kernel("ndtr", lambda w, x: normal_density(x)))


def _derivative_of_logarithm(w: Any, x: Any) -> Any:
    """`sqrt(2 / pi) / erfcx(-x / sqrt(2))`; on the right, where that overflows, `exp(-x**2 / 2 - w) / sqrt(2 pi)`."""
    is_right = np.real(raw(x)) > np.abs(np.imag(raw(x)))
    left = math.sqrt(2 / math.pi) / erfcx(-np.where(is_right, 0.0, x) / math.sqrt(2))
    return np.where(is_right, np.exp(-x * x / 2 - w) / math.sqrt(2 * math.pi), left) if np.any(is_right) else left


rule(special.log_ndtr, "x", by_kernel("log_ndtr", _derivative_of_logarithm))


def _is_right_and_complex(z: Any) -> Any:
    return (np.real(z) > 1) & (np.abs(np.imag(z)) < np.real(z)) if np.iscomplexobj(z) else False


log_ndtr = PatchedUfunc(
    special.log_ndtr,
    corrections=[(of_arguments(_is_right_and_complex), lambda z: special.log1p(-special.ndtr(-z)))],
    bounds=[ANY],
)
"""SciPy's complex values lose digits where `ndtr` is next to 1."""
ndtri = rule(special.ndtri, "p", by_kernel("ndtri", lambda w, p: 1 / normal_density(w)))
ndtri_exp = rule(special.ndtri_exp, "y", lambda w, y: math.sqrt(math.pi / 2) * erfcx(-w / math.sqrt(2)))


@pointwise(
    lambda w, h, a: -h * np.exp(-(h * h + (a * h) ** 2) / 2) / (2 * math.pi),
    lambda w, h, a: -(w * a * h) * h - 2 * w * (a / (1 + a * a)),
)
def _owens_derivative(h: Any, a: Any) -> Any:
    """`exp(-h**2 (1 + a**2) / 2) / (2 pi (1 + a**2))`, the derivative of Owen's T in `a`."""
    return np.exp(-(h * h + (a * h) ** 2) / 2) / (2 * math.pi * (1 + a * a))


owens_t = rule(
    special.owens_t,
    "h a",
    lambda w, h, a: -normal_density(h) * erf(a * h / math.sqrt(2)) / 2,
    lambda w, h, a: _owens_derivative(h, a),
)
