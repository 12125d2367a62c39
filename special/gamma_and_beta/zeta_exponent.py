"""Derivatives of the zeta functions of Riemann and Hurwitz in the exponent, real and complex.

Euler and Maclaurin's formula (DLMF 25.11.28) sums the first terms and corrects: with `A = q + N`,
`zeta(s, q) = sum_(k < N) (q + k)**-s + A**(1 - s) / (s - 1) + A**-s / 2 + sum_j c_j (s)_(2j-1) A**(1 - s - 2 j)` where
`c_j = B_2j / (2 j)!`.
Riemann's function of `Re s < -1/4` follows by reflection, DLMF 25.4.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import special

from ..numerics.hypergeometric_series import dense, sparse
from ..numerics.jets import Jet, compose, exponential, log_gamma, sine_of_pi, variables
from ..ufuncs.parameter_families import ParameterFamily
from ..ufuncs.regions import by_region, in_double
from ..ufuncs.ufunc_rules import pointwise

__all__ = ["HURWITZ", "riemann_derivative"]

_CORRECTIONS = [
    number / math.factorial(2 * j)
    for j, number in enumerate(
        [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330,
         854513 / 138, -236364091 / 2730, 8553103 / 6],
        1,
    )
]  # fmt: skip
"""`B_2j / (2 j)!`."""
_HIGHEST = 1e4
"""The imaginary part of `s` up to which Hurwitz' function is summed."""
_MOST_CANCELLED = 1e6
"""It is NaN where more is lost of it far on the left."""


def _hurwitz(parameters: Sequence[Jet], q: Any, m: int) -> Jet:
    """The derivative of order `m` in `q`: `(-1)**m (s)_m zeta(s + m, q)`, DLMF 25.11.17."""
    s = parameters[0]
    q = np.where((q > 0) & (np.abs(np.imag(s.value)) < _HIGHEST), q, np.nan)
    factor: Any = 1.0
    for k in range(m):
        factor = -(s + float(k)) * factor
    terms = _terms(s.value)
    result = _euler_maclaurin(s + float(m), q, terms)
    cancels = np.abs((q + terms) ** (1 - m - s.value) / (s.value + (m - 1))) > _MOST_CANCELLED * np.abs(result.value)
    if np.any(cancels):
        result = result * np.where(cancels, np.nan, 1.0)
    return factor * result if m else result


def _terms(s: Any) -> int:
    """The further from the real axis, the more terms are summed before the corrections converge."""
    height = np.abs(np.imag(s))
    highest = float(np.max(np.where(height < _HIGHEST, height, 0.0), initial=0.0))
    return 12 if highest < 4 else math.ceil((highest + 26) / 1.5)


def _euler_maclaurin(s: Jet, q: Any, terms: int) -> Jet:
    total = _power(q, -s)
    for k in range(1, terms):
        total = total + _power(q + k, -s)
    end = q + terms
    tail = _power(end, -s)
    total = total + tail * end / (s - 1.0) + tail * 0.5
    rising = s
    power = 1 / end
    for j, number in enumerate(_CORRECTIONS, 1):
        total = total + rising * tail * (number * power)
        rising = rising * (s + (2.0 * j - 1)) * (s + 2.0 * j)
        power = power / (end * end)
    return total


def _power(base: Any, exponent: Jet) -> Jet:
    logarithm = np.log(base)
    return compose(exponent, lambda x, k: logarithm**k * (1.0 / math.factorial(k))) * np.exp(exponent.value * logarithm)


HURWITZ = ParameterFamily(_hurwitz, 1)


@pointwise(lambda w, s, *, n: riemann_derivative(s, n=n + 1))
def riemann_derivative(s: Any, *, n: int) -> Any:
    """The derivative of order `n` of Riemann's zeta function."""
    if n == 1 and s.dtype.kind == "f":
        return in_double(_real_slope, s)
    return in_double(lambda s: _by_jets(s, n), s)


def _by_jets(s: Any, n: int) -> Any:
    is_left, is_far = np.real(s) < _EDGES[0], np.real(s) >= _EDGES[-1]
    out = np.zeros_like(s)
    if np.any(is_far):
        out[is_far] = _far(s[is_far], n)
    near = s[~is_far]
    if near.size:
        is_left = is_left[~is_far]
        regions = [(~is_left, lambda s: _right(s, n)), (is_left, lambda s: _left(s, n))]
        out[~is_far] = sparse(by_region(regions, near), (n,)).derivative(n)
    return out


def _far(s: Any, n: int) -> Any:
    """By DLMF 25.2.1, of which two terms are enough."""
    return (-math.log(2)) ** n * np.exp2(-s) + (-math.log(3)) ** n * 3.0**-s


# The first derivative at real s, in the time of a few elementary functions: (s - 1)**2 2**s zeta'(s) is an entire
# function that varies little, and far out, by DLMF 25.2.6, zeta'(s) is -log(2) 2**-s - log(3) 3**-s

_EDGES = (-0.25, 2.0, 6.0, 14.0, 30.0, 60.0)
_NODES = 24
_LOWEST = -150.0
"""Below, the gamma function overflows in the reflection."""


@cache
def _coefficients(low: float, high: float) -> list[float]:
    """Those of Chebyshev's polynomials between two edges, the first one halved: DLMF 3.11.11."""
    angles = math.pi / _NODES * (np.arange(_NODES) + 0.5)
    s = low + (high - low) / 2 * (np.cos(angles) + 1)
    scaled = (s - 1) ** 2 * np.exp2(s) * sparse(_right(s, 1), (1,)).derivative(1)
    first, *others = (np.cos(np.outer(np.arange(_NODES), angles)) @ scaled * (2 / _NODES)).tolist()
    return [first / 2, *others]


def _between(low: float, high: float) -> Any:
    def kernel(s: Any) -> Any:
        double = (s - low) * (4 / (high - low)) - 2
        *others, first = _coefficients(low, high)[::-1]
        current = above = np.zeros_like(s)
        for c in others:
            current, above = double * current - above + c, current
        return (0.5 * double * current - above + first) / ((s - 1) ** 2 * np.exp2(s))

    return kernel


def _real_slope(s: Any) -> Any:
    pieces = [((s >= low) & (s < high), _between(low, high)) for low, high in pairwise(_EDGES)]
    far = s >= _EDGES[-1], lambda s: _far(s, 1)
    mirrored = (s < _EDGES[0]) & (s >= _LOWEST), _mirrored_slope
    return by_region([*pieces, far, mirrored, (np.ones_like(s, dtype=bool), lambda s: _by_jets(s, 1))], s)


def _mirrored_slope(s: Any) -> Any:
    """The derivative of `2 (2 pi)**(s - 1) sin(pi s / 2) gamma(1 - s) zeta(1 - s)`, DLMF 25.4.1."""
    value = special.zeta(1 - s)
    angle = math.pi / 2 * (s - 4 * np.rint(s / 4))
    rate = value * (math.log(2 * math.pi) - special.digamma(1 - s)) - _real_slope(1 - s)
    slope = np.sin(angle) * rate + math.pi / 2 * np.cos(angle) * value
    return 2 * (2 * math.pi) ** (s - 1) * special.gamma(1 - s) * slope


def _right(s: Any, n: int) -> list[Any]:
    """The further from the real axis, the more terms are summed before the corrections converge."""
    height = np.abs(np.imag(s))

    def summed(terms: int) -> Any:
        return lambda s: dense(_euler_maclaurin(variables((n,), s)[0], np.ones_like(np.real(s)), terms))

    regions = [(height < 4, summed(16))]
    highest = float(np.max(np.where(np.isfinite(height), height, 0.0)))
    terms = 24
    while terms < 2 * highest + 48:
        regions.append((height + 26 < 1.5 * terms, summed(terms)))
        terms *= 2
    return by_region(regions, s)  # type: ignore[no-any-return]


def _left(s: Any, n: int) -> list[Any]:
    """`zeta(s) = 2 (2 pi)**(s - 1) sin(pi s / 2) gamma(1 - s) zeta(1 - s)`."""
    jet = variables((n,), s)[0]
    mirrored = sparse(_right(1 - s, n), (n,)).reflected()
    factor = exponential((jet - 1.0) * math.log(2 * math.pi) + log_gamma(1.0 - jet)) * 2.0
    return dense(factor * sine_of_pi(jet * 0.5) * mirrored)
