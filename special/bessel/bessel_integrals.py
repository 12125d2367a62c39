"""Integrals of Bessel, Airy and Struve functions, with better values where SciPy's algorithms lose digits.

The values are integrals of piecewise polynomials, up to where asymptotic expansions hold to all digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import special

from ..numerics.horner import horner
from ..numerics.regions import by_region
from ..numerics.regular_quotients import TERMS, regular_quotient
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.piecewise import Piecewise
from ..ufuncs.ufunc_rules import rule
from .airy.airy_integrands import airy_integrands
from .bessel_functions import j0, y0
from .struve_zero import modstruve0, struve0

__all__ = ["it2i0k0", "it2j0y0", "it2struve0", "itairy", "iti0k0", "itj0y0", "itmodstruve0", "itstruve0"]

# integrals: the derivative is the integrand, with j1(x) / x and i1(x) / x in mind where it is a difference over x

_J0 = [(-1) ** k / (4 * math.factorial(k + 1) ** 2) for k in range(TERMS)]
"""Of `(1 - J0) / x**2`."""
_I0 = [abs(c) for c in _J0]
"""Of `(I0 - 1) / x**2`."""
_H0 = [2 / math.pi * (-16) ** k * (math.factorial(k) / math.factorial(2 * k + 1)) ** 2 for k in range(TERMS)]
"""Of `H0 / x`, DLMF 11.2.1."""

rule(special.itairy, "x", lambda w, x: airy_integrands(x))
rule(special.itj0y0, "x", lambda w, x: (j0(x), y0(x)))
rule(special.iti0k0, "x", lambda w, x: (special.i0(x), special.k0(x)))
rule(
    special.it2j0y0,
    "x",
    lambda w, x: (regular_quotient(x, _J0, lambda far: (1 - j0(far)) / far, True), -y0(x) / x),
)
rule(
    special.it2i0k0,
    "x",
    lambda w, x: (regular_quotient(x, _I0, lambda far: (special.i0(far) - 1) / far, True), -special.k0(x) / x),
)
rule(special.itstruve0, "x", lambda w, x: struve0(x))
rule(special.itmodstruve0, "x", lambda w, x: modstruve0(x))
rule(special.it2struve0, "x", lambda w, x: -regular_quotient(x, _H0, lambda far: struve0(far) / far))

_FAR = 64.0
"""From here on expansions of so many terms are right to rounding."""
_TERMS = 16

# Airy functions

_AIRY_END = 20.0
_airy = Piecewise(-_AIRY_END, _AIRY_END, lambda x: special.airy(x)[::2], lambda: [(0.0, 0.0)] * 2, 1 / 32, 7)


def _airy_integrals(x: Any) -> tuple[Any, ...]:
    behind = _airy(-x)
    return *_airy(x), -behind[0], -behind[1]


itairy = PatchedUfunc(special.itairy, [(lambda x: np.abs(x) < _AIRY_END, _airy_integrals)])

# far out: `C_0 = f sum_k a_k / x**k` has the integral `f sum_k c_k / x**k`, where `f' = (i - 1 / (2 x)) f`


def _bessel_coefficients() -> list[float]:
    """`a_k(0)`, DLMF 10.17.1."""
    a = [1.0]
    for k in range(1, _TERMS):
        a.append(-a[-1] * (2 * k - 1) ** 2 / (8 * k))
    return a


def _integrated(expansion: Sequence[complex], rate: complex, over_t: bool) -> list[complex]:
    """The expansion of an antiderivative of a function, or of it over `t`: `rate c_k - (k - 1/2) c_(k-1) = a_k`."""
    shifted = [0.0, *expansion] if over_t else expansion
    c: list[complex] = []
    for k, a in enumerate(shifted):
        c.append((a + (k - 0.5) * (c[-1] if c else 0.0)) / rate)
    return c


_AT_INFINITY = _bessel_coefficients()
_OSCILLATING = [
    [((1j - 1) * c).real for c in _integrated([1j**k * a for k, a in enumerate(_AT_INFINITY)], 1j, t)]
    for t in (False, True)
]
"""The real parts; the imaginary ones differ from them in sign, at odd powers or, over `t`, at even ones."""
_GROWING = [c.real for c in _integrated([(-1) ** k * a for k, a in enumerate(_AT_INFINITY)], 1.0, True)]
_DECAYING = [-c.real for c in _integrated(_AT_INFINITY, -1.0, True)]


def _tails(x: Any, over_t: bool) -> tuple[Any, Any]:
    """`int_x^inf` of J_0 and Y_0, or of both over `t`: `exp(i (x - pi / 4))` times an expansion, DLMF 10.17.5.

    The cosine and the sine come from `tan(x / 2)`, in half the time of both.
    """
    inverse = 1 / x
    square = inverse * inverse
    even, odd = horner(_OSCILLATING[over_t][::2], square), horner(_OSCILLATING[over_t][1::2], square)
    odd *= inverse
    real, imaginary = even + odd, odd - even if over_t else even - odd
    tangent = np.tan(x / 2)
    np.multiply(tangent, tangent, out=square)
    scale = np.sqrt(math.pi * x)
    scale *= 1 + square
    cosine, sine = (1 - square) / scale, 2 * tangent / scale
    return cosine * real - sine * imaginary, cosine * imaginary + sine * real


# Bessel functions


def _near_or_far(near: Callable[[Any], tuple[Any, ...]], far: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], Any]:
    return lambda x: tuple(by_region([(x < _FAR, near), (x >= _FAR, far)], x))


def _logarithm(x: Any) -> Any:
    """By how much the integral of `(1 - J_0) / t` from 0 to x exceeds that of `J_0 / t` from x on."""
    return np.euler_gamma + np.log(x / 2)


def _far_bessel(x: Any) -> tuple[Any, ...]:
    of_j, of_y = _tails(x, False)
    return 1 - of_j, -of_y


def _at_far(functions: Callable[[Any], tuple[Any, ...]]) -> list[tuple[float, float]]:
    return [(_FAR, float(w[0])) for w in functions(np.array([_FAR]))]


_bessel = Piecewise(2.0, _FAR, lambda x: (j0(x), y0(x)), lambda: _at_far(_far_bessel))
_bessel_over_t = Piecewise(4.0, _FAR, lambda x: (-j0(x) / x, -y0(x) / x), lambda: _at_far(lambda x: _tails(x, True)))


def _bessel_integrals_over_t(x: Any) -> tuple[Any, Any]:
    """That of J is even; the one of Y is real at `x > 0` alone."""
    size = np.abs(x)
    of_j, of_y = _bessel_over_t(size)
    return _logarithm(size) + of_j, np.where(x > 0, of_y, np.nan)


def _bessel_integrals(x: Any) -> tuple[Any, Any]:
    """That of J is odd; the one of Y is real at `x > 0` alone."""
    of_j, of_y = _of_positive(np.abs(x))
    return np.copysign(of_j, x * of_j), np.where(x > 0, of_y, np.nan)


_of_positive = _near_or_far(_bessel, _far_bessel)
itj0y0 = PatchedUfunc(special.itj0y0, [(lambda x: np.abs(x) > 2, _bessel_integrals)])
it2j0y0 = PatchedUfunc(special.it2j0y0, [(lambda x: (np.abs(x) > 4) & (np.abs(x) < _FAR), _bessel_integrals_over_t)])

# modified Bessel functions

_MODIFIED_END = 96.0
"""SciPy's `int I_0` and `int L_0` are right to 1e-14 from here on."""
_COSH_STEP, _COSH_TERMS = 0.2, 22


def _by_cosh(x: float, f: Callable[[Any, Any], Any]) -> float:
    """`int_0^inf f(x cosh u, cosh u) du` where f falls as `exp(-x cosh u)`, by the trapezoidal rule."""
    step = min(_COSH_STEP, 0.7 / math.sqrt(x))
    cosh = np.cosh(np.arange(_COSH_TERMS) * step)
    values = f(x * cosh, cosh)
    return float(step * (values.sum() - values[0] / 2))


def _positive_series(x: float, first: float, ratio: Callable[[int], float]) -> float:
    """`sum_k t_k`, `t_(k+1) = ratio(k) x**2 t_k`."""
    term = total = first
    k = 0
    while term > 1e-18 * total:
        term *= x * x * ratio(k)
        total += term
        k += 1
    return total


def _modified_at_2() -> list[tuple[float, float]]:
    """`int_0^x I_0 = sum_k x (x / 2)**(2 k) / (k!**2 (2 k + 1))`, and `int K_0` by DLMF 10.32.9."""
    of_i = _positive_series(2.0, 2.0, lambda k: (2 * k + 1) / (4 * (k + 1) ** 2 * (2 * k + 3)))
    return [(2.0, of_i), (2.0, math.pi / 2 - _by_cosh(2.0, lambda argument, cosh: np.exp(-argument) / cosh))]


def _modified_over_t() -> list[tuple[float, float]]:
    """`int_0^x (I_0 - 1) / t = sum_(k>0) (x / 2)**(2 k) / (k!**2 2 k)`, and of K_0 from the far end inwards."""
    of_i = _positive_series(2.0, 0.5, lambda k: (k + 1) / (4 * (k + 2) ** 3))
    return [(2.0, of_i + float(_logarithm(2.0))), (_FAR, _by_cosh(_FAR, lambda argument, cosh: special.exp1(argument)))]


_modified = Piecewise(2.0, _MODIFIED_END, lambda x: (special.i0(x), special.k0(x)), _modified_at_2)
_modified_over = Piecewise(2.0, _FAR, lambda x: (special.i0(x) / x, -special.k0(x) / x), _modified_over_t)


def _near_modified(x: Any) -> tuple[Any, ...]:
    of_i, of_k = _modified_over(x)
    return of_i - _logarithm(x), of_k


def _far_modified(x: Any) -> tuple[Any, ...]:
    """By DLMF 10.40.1 and 10.40.2."""
    root, inverse = np.sqrt(2 * math.pi * x), 1 / x
    growing = np.exp(x) / root * horner(_GROWING, inverse)
    return growing - _logarithm(x), math.pi * np.exp(-x) / root * horner(_DECAYING, inverse)


def _odd_modified(x: Any) -> tuple[Any, ...]:
    """The first is odd, and the second real for positive numbers alone."""
    of_i, of_k = _modified(np.abs(x))
    return np.copysign(of_i, x), np.where(x > 0, of_k, np.nan)


iti0k0 = PatchedUfunc(special.iti0k0, [(lambda x: (np.abs(x) > 2) & (np.abs(x) < _MODIFIED_END), _odd_modified)])
_modified_on_the_right = _near_or_far(_near_modified, _far_modified)


def _even_modified(x: Any) -> tuple[Any, ...]:
    """The first is even, and the second real for positive numbers alone."""
    of_i, of_k = _modified_on_the_right(np.abs(x))
    return of_i, np.where(x > 0, of_k, np.nan)


it2i0k0 = PatchedUfunc(special.it2i0k0, [(lambda x: (np.abs(x) > 2) & (np.abs(x) < 700), _even_modified)])

# Struve functions; far out they are Y_0 and a series, of which Abramowitz and Stegun 12.1.31 and 12.1.32 have the
# integrals

_LEVEL = [(-1) ** k * math.factorial(2 * k) ** 2 / (math.factorial(k) ** 2 * 4.0**k) for k in range(12)]
_LEVEL_INTEGRAL = [0.0, *(-c / (2 * k) for k, c in enumerate(_LEVEL) if k)]
_LEVEL_OVER_T = [c / (2 * k + 1) for k, c in enumerate(_LEVEL)]


def _far_struve(x: Any) -> tuple[Any, ...]:
    level = np.euler_gamma + np.log(2 * x) + horner(_LEVEL_INTEGRAL, 1 / (x * x))
    return (2 / math.pi * level - _tails(x, False)[1],)


def _far_struve_over_t(x: Any) -> tuple[Any, ...]:
    return (2 / math.pi / x * horner(_LEVEL_OVER_T, 1 / (x * x)) + _tails(x, True)[1],)


_struve = Piecewise(1.0, _FAR, lambda x: (struve0(x),), lambda: _at_far(_far_struve))
_struve_over_t = Piecewise(1.0, _FAR, lambda x: (-struve0(x) / x,), lambda: _at_far(_far_struve_over_t))


def _modified_struve_at_1() -> list[tuple[float, float]]:
    """`2 / pi sum_k x**(2 k + 2) / ((2 k + 1)!!**2 (2 k + 2))`, DLMF 11.2.2."""
    series = _positive_series(1.0, 0.5, lambda k: (k + 1) / ((2 * k + 3) ** 2 * (k + 2)))
    return [(1.0, 2 / math.pi * series)]


_modified_struve = Piecewise(1.0, _MODIFIED_END, lambda x: (modstruve0(x),), _modified_struve_at_1)


_of_struve, _of_struve_over_t = _near_or_far(_struve, _far_struve), _near_or_far(_struve_over_t, _far_struve_over_t)


def _over_t(x: Any) -> Any:
    """At `x < 0` it is `pi` less that at `-x`, as H_0 is odd, and its integral over `t` from 0 on is `pi / 2`."""
    (w,) = _of_struve_over_t(np.abs(x))
    return np.where(x < 0, math.pi - w, w)


itstruve0 = PatchedUfunc(special.itstruve0, [(lambda x: np.abs(x) > 1, lambda x: _of_struve(np.abs(x))[0])])
it2struve0 = PatchedUfunc(special.it2struve0, [(lambda x: np.abs(x) > 1, _over_t)])
itmodstruve0 = PatchedUfunc(
    special.itmodstruve0,
    [(lambda x: (np.abs(x) > 1) & (np.abs(x) < _MODIFIED_END), lambda x: _modified_struve(np.abs(x))[0])],
)
