"""Better values of Kelvin functions, of integrals of Bessel, Airy and Struve functions, and of Tricomi's function.

SciPy's ufuncs stay what they are; those of `wirtinger.special` are these, where SciPy's algorithm loses digits.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from . import bessel_integrals, error_functions
from .improved import Improved
from .improved_pairs import ImprovedPair
from .regions import by_region, in_double
from .tricomi import TRICOMI

__all__ = [
    "hyperu",
    "it2i0k0",
    "it2struve0",
    "itairy",
    "iti0k0",
    "itj0y0",
    "itmodstruve0",
    "itstruve0",
    "kei",
    "keip",
    "ker",
    "kerp",
    "modfresnelm",
    "modfresnelp",
]


def _improved(ufunc: np.ufunc, domain: Callable[..., Any], kernel: Callable[..., Any]) -> Improved:
    """SciPy's function with the values of the kernel in the domain, where they are finite."""

    def choose(w: Any, *args: Any) -> Any:
        better = by_region([(domain(*args), kernel)], *args)
        return np.where(domain(*args) & np.isfinite(better), better, w)

    return Improved(ufunc, lambda w, *args: in_double(choose, w, *args))


# Tricomi's function

hyperu = _improved(
    special.hyperu,
    lambda a, b, x: (x > 1e-10) & (np.abs(a) <= 1000) & (np.abs(b) <= 1000),
    lambda a, b, x: TRICOMI.value(a, b, x),
)

# Kelvin functions, DLMF 10.61.2: ker + i kei = K_0(x exp(i pi / 4)), and its derivative

_TURN = cmath.exp(0.25j * math.pi)

ker = _improved(special.ker, lambda x: x > 2, lambda x: np.real(special.kv(0, _TURN * x)))
kei = _improved(special.kei, lambda x: x > 2, lambda x: np.imag(special.kv(0, _TURN * x)))
kerp = _improved(special.kerp, lambda x: x > 2, lambda x: np.real(-_TURN * special.kv(1, _TURN * x)))
keip = _improved(special.keip, lambda x: x > 2, lambda x: np.imag(-_TURN * special.kv(1, _TURN * x)))

# integrals of Bessel functions


def _bessel_integrals(x: Any) -> tuple[Any, Any]:
    """`x C_0 + pi x / 2 (C_1 H_0 - C_0 H_1)` for C = J, Y: DLMF 10.22.2."""
    struve0, struve1 = special.struve(0, x), special.struve(1, x)

    def integral(c0: Any, c1: Any) -> Any:
        return x * c0 + math.pi / 2 * x * (c1 * struve0 - c0 * struve1)

    return integral(special.j0(x), special.j1(x)), integral(special.y0(x), special.y1(x))


def _positive_series(x: Any, first: Any, ratio: Callable[[int], float]) -> Any:
    """`sum_k t_k`, `t_(k+1) = ratio(k) x**2 t_k`, until no term counts."""
    term = total = first
    for k in range(2000):
        term = term * (x * x) * ratio(k)
        total = total + term
        if bool(np.all((term <= 1e-18 * total) | ~np.isfinite(total))):
            break
    return total


def _modified_integrals(x: Any) -> tuple[Any, Any]:
    """`int_0^x I_0 = sum_k x (x / 2)**(2 k) / (k!**2 (2 k + 1))`, DLMF 10.25.2; the other integral is SciPy's."""
    first = _positive_series(x, x, lambda k: (2 * k + 1) / (4 * (k + 1) ** 2 * (2 * k + 3)))
    return first, special.iti0k0(x)[1]


def _modified_integrals_over_t(x: Any) -> tuple[Any, Any]:
    """`int_x^inf K_0(t) / t dt = int_0^inf E_1(x cosh u) du` by the trapezoidal rule; the other integral is SciPy's."""
    h = 0.08
    total = special.exp1(x) / 2
    for k in range(1, 40):
        total = total + special.exp1(x * math.cosh(k * h))
    return special.it2i0k0(x)[0], h * total


itj0y0 = ImprovedPair(bessel_integrals.itj0y0, _bessel_integrals, lambda x: x > 8)
iti0k0 = ImprovedPair(bessel_integrals.iti0k0, _modified_integrals, lambda x: (x > 15) & (x < 700))
it2i0k0 = ImprovedPair(bessel_integrals.it2i0k0, _modified_integrals_over_t, lambda x: x > 5)

# integrals of Struve functions: `H_0 = Y_0 + 2 / pi int_0^inf exp(-x t) / sqrt(1 + t**2) dt`, DLMF 11.5.2


@cache
def _half_line() -> list[tuple[float, float]]:
    """`t = exp(pi / 2 sinh u)` and the weights of `dt / t`."""
    h = 1 / 16
    return [(math.exp(math.pi / 2 * math.sinh(k * h)), math.pi / 2 * math.cosh(k * h) * h) for k in range(-60, 61)]


def _struve_integral(x: Any) -> Any:
    """`int_0^x Y_0 + 2 / pi int_0^inf (1 - exp(-x t)) / (t sqrt(1 + t**2)) dt`."""
    total: Any = 0.0
    for t, weight in _half_line():
        total = total - np.expm1(-x * t) * (weight / math.hypot(1, t))
    return _bessel_integrals(x)[1] + 2 / math.pi * total


def _struve_integral_over_t(x: Any) -> Any:
    """`int_x^inf Y_0 / t dt + 2 / pi int_0^inf E_1(t) / sqrt(x**2 + t**2) dt`."""
    total: Any = 0.0
    for t, weight in _half_line():
        total = total + float(special.exp1(t)) * (weight * t) / np.hypot(x, t)
    return _second_kind_over_t(x) + 2 / math.pi * total


@cache
def _laguerre() -> list[tuple[float, float]]:
    nodes, weights = np.polynomial.laguerre.laggauss(40)
    return [(float(u), float(w)) for u, w in zip(nodes, weights, strict=True)]


def _second_kind_over_t(x: Any) -> Any:
    """`int_x^inf Y_0(t) / t dt`, the imaginary part of the same of H1, which falls exponentially upwards from `x`."""
    total: Any = 0.0
    for u, weight in _laguerre():
        t = x + 1j * u
        total = total + special.hankel1e(0, t) / t * weight
    return np.real(np.exp(1j * x) * total)


def _modified_struve_integral(x: Any) -> Any:
    """`2 / pi sum_k x**(2 k + 2) / ((2 k + 1)!!**2 (2 k + 2))`, DLMF 11.2.2."""
    series = _positive_series(x, x * x / 2, lambda k: (k + 1) / ((2 * k + 3) ** 2 * (k + 2)))
    return 2 / math.pi * series


itstruve0 = _improved(special.itstruve0, lambda x: x > 8, _struve_integral)
it2struve0 = _improved(special.it2struve0, lambda x: x > 8, _struve_integral_over_t)
itmodstruve0 = _improved(special.itmodstruve0, lambda x: np.abs(x) < 700, _modified_struve_integral)

# integrals of Airy functions: smooth integrands


def _airy_integrals(x: Any) -> tuple[Any, ...]:
    nodes, weights = np.polynomial.legendre.leggauss(60)
    totals: list[Any] = [0.0] * 4
    for node, weight in zip(nodes, weights, strict=True):
        t = x * float((1 + node) / 2)
        (ai, _, bi, _), (ai_behind, _, bi_behind, _) = special.airy(t), special.airy(-t)
        for k, value in enumerate((ai, bi, ai_behind, bi_behind)):
            totals[k] = totals[k] + value * (x * float(weight / 2))
    return tuple(totals)


itairy = ImprovedPair(bessel_integrals.itairy, _airy_integrals, lambda x: (x > 1) & (x < 10))

# modified Fresnel integrals, by the complementary error function


def _modified_fresnel(sign: float) -> Callable[[Any], tuple[Any, Any]]:
    turn = cmath.exp(0.25j * math.pi * sign)

    def kernel(x: Any) -> tuple[Any, Any]:
        u = x * turn.conjugate()
        return math.sqrt(math.pi) / 2 * turn * special.erfc(u), special.erfcx(u) / 2

    return kernel


modfresnelp = ImprovedPair(error_functions.modfresnelp, _modified_fresnel(1.0), lambda x: x < 0)
modfresnelm = ImprovedPair(error_functions.modfresnelm, _modified_fresnel(-1.0), lambda x: x < 0)
