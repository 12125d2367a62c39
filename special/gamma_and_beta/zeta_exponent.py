"""Derivatives of the zeta functions of Riemann and Hurwitz in the exponent, real and complex.

Euler and Maclaurin's formula (DLMF 25.11.28) sums the first terms and corrects: with `A = q + N`,
`zeta(s, q) = sum_(k < N) (q + k)**-s + A**(1 - s) / (s - 1) + A**-s / 2 + sum_j c_j (s)_(2j-1) A**(1 - s - 2 j)` where
`c_j = B_2j / (2 j)!`.  Left of the imaginary axis the powers of `A` are larger than the sum; there Hermite's integral,
DLMF 25.11.29, stands in place of the corrections, and `A` need not be large.
Riemann's function of `Re s < -1/4` follows by reflection, DLMF 25.4.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import special

from ...backends.native.elementary import derivative
from ...complex_autograd.engine.opaque import is_on_host
from ..numerics.hypergeometric_series import dense, sparse
from ..numerics.jets import Jet, compose, exponential, log_gamma, sine_of_pi, variables
from ..numerics.regions import by_region, in_double
from ..numerics.warned import warn
from ..ufuncs.parameter_families import ParameterFamily
from ..ufuncs.ufunc_rules import pointwise

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
_HEIGHTS = (0.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, _HIGHEST)
"""The further from the real axis, the more terms are summed: between two of these as many as at the upper one."""
_SLOWEST = 4.0
"""The imaginary part of `s` over `A` in Hermite's integral, of which the integrand falls by this less than `2 pi`."""


def _hurwitz(parameters: Sequence[Jet], q: Any, m: int) -> Jet:
    """The derivative of order `m` in `q`: `(-1)**m (s)_m zeta(s + m, q)`, DLMF 25.11.17.

    The last factor is multiplied into the sum, as it cancels the pole: next to `s + m = 1` both lose their digits.
    """
    s = parameters[0]
    height, is_left = np.abs(np.imag(s.value)), np.real(s.value) < -m
    is_high = height >= _HIGHEST
    if np.any(is_high & (q > 0)):
        warn(
            f"zeta: Hurwitz' function of exponents with imaginary parts beyond {_HIGHEST:g} is NaN, for it takes too "
            "many terms. Take a smaller imaginary part, or compute there with mpmath."
        )
    height = np.where(is_high, 0.0, height)
    cases: list[tuple[Any, Any]] = []
    for low, high in pairwise(_HEIGHTS):
        is_between = (height >= low) & (height < high)
        terms = 12 if high == _HEIGHTS[1] else math.ceil((high + 26) / 1.5)
        cases += [
            (is_between & ~is_left, lambda s, q, terms=terms: _euler_maclaurin(s, q, terms)),
            (is_between & is_left, _by_hermite),
        ]
    regular, residue = by_region(cases, s + float(m), np.where((q > 0) & ~is_high, q, np.nan))
    if m == 0:
        return regular + residue / (s - 1.0)
    result = -((s + float(m - 1)) * regular + residue)
    for k in range(m - 1):
        result = -(s + float(k)) * result
    return result


@cache
def _legendre(count: int) -> tuple[list[float], list[float]]:
    """The nodes of Gauss and Legendre's rule between 0 and 1, and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return ((nodes + 1) / 2).tolist(), (weights / 2).tolist()


def _by_hermite(s: Jet, q: Any) -> tuple[Jet, Jet]:
    """Terms up to `A = q + N >= max(1 / 2, |Im s| / 4)`, and then DLMF 25.11.29 with `r exp(i theta) = A + i x`.

    Two parts, as `_euler_maclaurin` has.
    `2 sin(s theta) r**-s` is `-i ((A - i x)**-s - (A + i x)**-s)`.  With `x = L u**2` nodes are close together next to
    the poles `+-i` of the integrand, and `L` is so long that it is less than rounding there.
    """
    steps = np.where(q > 0, np.ceil(np.maximum(0.5, np.abs(np.imag(s.value)) / _SLOWEST) - q), 0.0)
    steps = np.maximum(steps, 0.0)
    end = q + steps
    tail = _power(end, -s)
    total = tail * 0.5
    for k in range(int(np.max(steps, initial=0.0))):
        is_within = k < steps
        total = total + _power(np.where(is_within, q + k, 1.0), -s) * np.where(is_within, 1.0, 0.0)
    left = -np.real(s.value)
    length = 18 + 0.8 * left
    nodes, weights = _legendre(80 if np.max(left, initial=0.0) < 12 else 256)
    for u, weight in zip(nodes, weights, strict=True):
        x = length * (u * u)
        factor = 2 * u * weight * length / np.expm1(2 * math.pi * x)
        below = _power(end - 1j * x, -s)
        if s.value.dtype.kind != "c":
            total = total + below.map(np.imag) * (2 * factor)
        else:
            total = total + (below - _power(end + 1j * x, -s)) * (-1j * factor)
    return total, tail * end


def _euler_maclaurin(s: Jet, q: Any, terms: int) -> tuple[Jet, Jet]:
    """The function but for its pole, and what is over `s - 1` in that."""
    total = _power(q, -s)
    for k in range(1, terms):
        total = total + _power(q + k, -s)
    end = q + terms
    tail = _power(end, -s)
    total = total + tail * 0.5
    rising = s
    power = 1 / end
    for j, number in enumerate(_CORRECTIONS, 1):
        total = total + rising * tail * (number * power)
        rising = rising * (s + (2.0 * j - 1)) * (s + 2.0 * j)
        power = power / (end * end)
    return total, tail * end


def _power(base: Any, exponent: Jet) -> Jet:
    logarithm = np.log(base)
    return compose(exponent, lambda x, k: logarithm**k * (1.0 / math.factorial(k))) * np.exp(exponent.value * logarithm)


HURWITZ = ParameterFamily(_hurwitz, 1)


@pointwise(lambda w, s, *, n: riemann_derivative(s, n=n + 1))
def riemann_derivative(s: Any, *, n: int) -> Any:
    """The derivative of order `n` of Riemann's zeta function."""
    if n == 1 and s.dtype.kind == "f":
        return in_double(_real_derivative, s)
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
# function that varies little, and far out, by DLMF 25.2.6, zeta'(s) is -log(2) 2**-s - log(3) 3**-s.  Right of the pole
# the C library has it.

_EDGES = (-0.25, 2.0, 6.0, 14.0, 30.0, 60.0)
_NODES = 24
_FAR_OFF = 20.0
"""From this imaginary part on one of the two exponentials of a sine is less than rounding."""
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


def _real_derivative(s: Any) -> Any:
    return by_region(_regions_of_derivative(s), s)


def _regions_of_derivative(s: Any) -> Iterator[tuple[Any, Any]]:
    kernel = derivative("_riemann_zeta") if is_on_host(s) else None
    if kernel is not None:
        yield s > 1, kernel
    for low, high in pairwise(_EDGES):
        yield (s >= low) & (s < high), _between(low, high)
    yield s >= _EDGES[-1], lambda s: _far(s, 1)
    yield (s < _EDGES[0]) & (s >= _LOWEST), _mirrored_derivative
    yield np.ones_like(s, dtype=bool), lambda s: _by_jets(s, 1)


def _mirrored_derivative(s: Any) -> Any:
    """The derivative of `2 (2 pi)**(s - 1) sin(pi s / 2) gamma(1 - s) zeta(1 - s)`, DLMF 25.4.1."""
    value = special.zeta(1 - s)
    angle = math.pi / 2 * (s - 4 * np.rint(s / 4))
    rate = value * (math.log(2 * math.pi) - special.digamma(1 - s)) - _real_derivative(1 - s)
    first_derivative = np.sin(angle) * rate + math.pi / 2 * np.cos(angle) * value
    return 2 * (2 * math.pi) ** (s - 1) * special.gamma(1 - s) * first_derivative


def _right(s: Any, n: int) -> list[Any]:
    """The further from the real axis, the more terms are summed before the corrections converge."""
    height = np.abs(np.imag(s))

    def summed(terms: int) -> Any:
        def kernel(s: Any) -> Any:
            jet = variables((n,), s)[0]
            regular, residue = _euler_maclaurin(jet, np.ones_like(np.real(s)), terms)
            return dense(regular + residue / (jet - 1.0))

        return kernel

    regions = [(height < 4, summed(16))]
    highest = float(np.max(np.where(np.isfinite(height), height, 0.0)))
    terms = 24
    while terms < 2 * highest + 48:
        regions.append((height + 26 < 1.5 * terms, summed(terms)))
        terms *= 2
    return by_region(regions, s)


def _left(s: Any, n: int) -> list[Any]:
    """`zeta(s) = 2 (2 pi)**(s - 1) sin(pi s / 2) gamma(1 - s) zeta(1 - s)`.

    Far from the real axis the sine is `+-i / 2 exp(-+i pi s / 2)`, the upper sign above it.
    """
    jet = variables((n,), s)[0]
    mirrored = sparse(_right(1 - s, n), (n,)).reflected()
    exponent = (jet - 1.0) * math.log(2 * math.pi) + log_gamma(1.0 - jet)
    is_far = np.abs(np.imag(s)) > _FAR_OFF
    if not np.any(is_far):
        return dense(exponential(exponent) * 2.0 * sine_of_pi(jet * 0.5) * mirrored)
    rotation = np.where(is_far, 1j * np.sign(np.imag(s)), 0.0)
    sine = sine_of_pi(jet * np.where(is_far, 0.0, 0.5)) * 2.0
    return dense(exponential(exponent - jet * (rotation * (math.pi / 2))) * (sine + rotation) * mirrored)
