"""Noncentral gamma and beta distributions where their parameters are moderate, by recurrence along the Poisson mixture.

With the Poisson probabilities `c_j` of the mean `l` both are `F(a) = sum_j c_j I(a + j)`, where `I` is `gammainc` or
`betainc`.  Neighbours differ by `I(a + i) - I(a + i + 1) = w_i` (DLMF 8.8.5, 8.17.20), and the ratio of these is
rational.  Of the logarithmic derivative `L_i` of `w_i` in a parameter follows in two ways, of which the first loses no
digits in the lower tail and the second none in the upper one,

    F' = sum_(i < J) C_i w_i L_i + I'(a + J) = I'(a) - sum_i S_i w_i L_i,
    C_i = c_0 + .. + c_i,    S_i = c_(i + 1) + c_(i + 2) + ..

The densities, and the derivatives in the mean, are sums of positive terms with a rational ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import betaln, digamma, gammaln

__all__ = [
    "beta_density_is_short",
    "beta_is_short",
    "beta_mixture_density",
    "beta_mixture_slope",
    "gamma_density_is_short",
    "gamma_is_short",
    "gamma_mixture_density",
    "gamma_mixture_slope",
]

_CHUNK = 1024
"""So many elements at a time: what is computed of them stays in the cache."""
_SMALLEST = 1e-17
"""A term that is smaller beside the sum is left out."""
_MEANS = (1.0, 4.0, 10.0, 20.0, 40.0, 80.0)
_LENGTHS = (19, 32, 49, 72, 110, 174)
"""The Poisson probabilities beyond are below 1e-17 for means up to these."""
_LARGEST = 150.0
"""Parameters beyond would cost accuracy, or too many terms."""

Slope = Callable[..., Any]


def _series(first: Any, ratio: Callable[[int], Any]) -> Any:
    """The sum of positive terms from the first and the ratios of neighbours, which fall."""
    term, total = first, np.copy(first)
    k = 0
    while np.any(term > _SMALLEST * total):
        for _ in range(4):
            term = term * ratio(k)
            total += term
            k += 1
    return total


def _in_chunks(kernel: Callable[..., Any], *args: Any) -> Any:
    out = np.empty_like(args[0])
    for k in range(0, len(out), _CHUNK):
        piece = slice(k, k + _CHUNK)
        out[piece] = kernel(*[x[piece] for x in args])
    return out


def _lower(terms: Iterator[tuple[Any, Any]]) -> Any:
    """`sum_i C_i w_i L_i` of the `c_i` and `w_i L_i`."""
    weight: Any = 0.0
    total: Any = 0.0
    for c, slope in terms:
        weight = weight + c
        total = total + weight * slope
    return total


def _upper(terms: Iterator[tuple[Any, Any]]) -> Any:
    """`-sum_i S_i w_i L_i`."""
    rows = list(terms)
    weight: Any = 0.0
    total: Any = 0.0
    for i in range(len(rows) - 1, 0, -1):
        weight = weight + rows[i][0]
        total = total - weight * rows[i - 1][1]
    return total


def _mixture(
    is_upper: Any, extent: Any, terms: Callable[..., Any], lower: Slope, upper: Slope, a: Any, *args: Any
) -> Any:
    """`F'` for groups of vectors of similar extent.

    The mixture raises the shape `a`; `lower` and `upper` are the derivative of `I` far in the lower tail, and anywhere.
    """
    out = np.empty_like(extent)
    group = sum((extent > mean) * 1 for mean in _MEANS)
    for k, length in enumerate(_LENGTHS):
        for chosen, total, central, raised in ((~is_upper, _lower, lower, length), (is_upper, _upper, upper, 0)):
            at = np.flatnonzero(chosen & (group == k))
            for start in range(0, len(at), _CHUNK):
                here = at[start : start + _CHUNK]
                first, *rest = a[here], *[x[here] for x in args]
                out[here] = total(terms(length, first, *rest)) + central(first + raised, *rest)
    return out


# gamma: m the shape, x the mean, y the argument; w_i = y**(m + i) e**-y / gamma(m + i + 1) and
# L_i = log(y) - psi(m + i + 1)


def gamma_density_is_short(m: Any, x: Any, y: Any) -> Any:
    """Where `gamma_mixture_density` is accurate."""
    is_representable = m * np.log(np.where(y > 1e-9, y, 1.0)) > -500
    return is_representable & (m > 1e-6) & (m < _LARGEST) & (x >= 0) & (x < _LARGEST) & (y > 1e-9) & (y < _LARGEST)


def _gamma_extent(m: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Where the upper tail is, and the place of the largest terms."""
    is_upper = y > m + x
    return is_upper, np.where(is_upper, np.sqrt(x * y), x)


def gamma_is_short(m: Any, x: Any, y: Any) -> Any:
    """Where `gamma_mixture_slope` is accurate."""
    return gamma_density_is_short(m, x, y) & (m > 0.01) & (_gamma_extent(m, x, y)[1] <= _MEANS[-1])


def gamma_mixture_density(m: Any, x: Any, y: Any) -> Any:
    """The derivative of `sum_j c_j gammainc(m + j, y)` in `y`, of vectors."""

    def kernel(m: Any, x: Any, y: Any) -> Any:
        square = x * y
        first = np.exp((m - 1) * np.log(y) - y - x - gammaln(m))
        return _series(first, lambda j: square / ((j + 1) * (m + j)))

    return _in_chunks(kernel, m, x, y)


def gamma_mixture_slope(m: Any, x: Any, y: Any, central: Slope) -> Any:
    """The derivative of `sum_j c_j gammainc(m + j, y)` in `m`, of vectors; `central(m, y)` is that of `gammainc`."""

    def terms(length: int, m: Any, y: Any, x: Any) -> Iterator[tuple[Any, Any]]:
        c, (w, rate) = np.exp(-x), _first_step(m, y)
        yield c, w * rate
        for i in range(1, length):
            inverse = 1 / (m + i)
            c, w, rate = c * (x * (1 / i)), w * (y * inverse), rate - inverse
            yield c, w * rate

    return _mixture(
        *_gamma_extent(m, x, y), terms, lambda m, y, x: _lower_slope(m, y), lambda m, y, x: central(m, y), m, y, x
    )


def _first_step(m: Any, y: Any) -> tuple[Any, Any]:
    """`w_0` and `L_0`."""
    log_y = np.log(y)
    return np.exp(m * log_y - y - gammaln(m + 1)), log_y - digamma(m + 1)


def _lower_slope(m: Any, y: Any) -> Any:
    """The derivative of `gammainc(m, y) = sum_i w_i` in `m` where `y` is less than `m`: no term is positive."""
    w, rate = _first_step(m, y)
    term = total = w * rate
    i = 0
    while np.any(term < _SMALLEST * total):
        for _ in range(4):
            i += 1
            inverse = 1 / (m + i)
            w, rate = w * (y * inverse), rate - inverse
            term = w * rate
            total = total + term
    return total


# beta: the shapes a and b, the mean l, the odds X = x / y; w_i = x**(a + i) y**b / ((a + i) B(a + i, b)), L_i is
# psi(a + b + i) + log(x) - psi(a + i + 1) in a, psi(a + b + i) + log(y) - psi(b) in b


def beta_density_is_short(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """Where `beta_mixture_density` is accurate."""
    shapes = (a > 1e-6) & (a < _LARGEST) & (b > 0.01) & (b < _LARGEST) & (a + b > 1.01)
    return shapes & _is_representable(a, b, odds) & (l >= 0) & (l < _LARGEST / 3)


def _is_representable(a: Any, b: Any, odds: Any) -> Any:
    log_x, log_y = _logs(np.where(odds > 0, odds, 1.0))
    return (odds > 1e-9) & (odds < 1e9) & (a * log_x + b * log_y > -500)


def _beta_extent(a: Any, b: Any, l: Any, odds: Any) -> tuple[Any, Any]:
    """Where the upper tail is, and the place `j` of the largest terms: `j (a + j) = l x (a + b + j)`."""
    is_upper = odds * b > a + l
    lx = l * odds / (1 + odds)
    excess = a - lx
    root = np.sqrt(excess * excess + 4 * lx * (a + b))
    return is_upper, np.where(is_upper, (root - excess) / 2, l)


def beta_is_short(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """Where `beta_mixture_slope` is accurate, if the central one is for shapes from 0.1 to 100."""
    is_upper, extent = _beta_extent(a, b, l, odds)
    length = _LENGTHS[0] + sum(
        (extent > mean) * (after - before) for mean, (before, after) in zip(_MEANS, pairwise(_LENGTHS), strict=False)
    )
    shapes = (a >= 0.1) & (b >= 0.1) & (b <= 100) & (a + np.where(is_upper, 0, length) <= 100)
    return shapes & _is_representable(a, b, odds) & (l >= 0) & (extent <= _MEANS[-1])


def _logs(odds: Any) -> tuple[Any, Any]:
    log_y = -np.log1p(odds)
    return log_y + np.log(odds), log_y


def beta_mixture_density(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """`sum_j c_j x**(a + j) y**b gamma(a + b + j - 1) / (gamma(a + j) gamma(b))`, of vectors."""

    def kernel(a: Any, b: Any, l: Any, odds: Any) -> Any:
        log_x, log_y = _logs(odds)
        lx, shapes = l * (odds / (1 + odds)), a + b - 1
        first = np.exp(a * log_x + b * log_y - l - betaln(a, b)) / shapes
        return _series(first, lambda j: lx * (shapes + j) / ((j + 1) * (a + j)))

    return _in_chunks(kernel, a, b, l, odds)


def beta_mixture_slope(a: Any, b: Any, l: Any, odds: Any, central: Slope, in_first: bool) -> Any:
    """The derivative of `sum_j c_j betainc(a + j, b, x)` in `a` or `b`, of vectors; `central` is that of `betainc`."""

    def terms(length: int, a: Any, b: Any, odds: Any, l: Any) -> Iterator[tuple[Any, Any]]:
        log_x, log_y = _logs(odds)
        x = odds / (1 + odds)
        c, w = np.exp(-l), np.exp(a * log_x + b * log_y - betaln(a, b)) / a
        rate = digamma(a + b) + (log_x - digamma(a + 1) if in_first else log_y - digamma(b))
        yield c, w * rate
        for i in range(1, length):
            before, inverse = a + b + (i - 1), 1 / (a + i)
            rate = rate + (1 / before - inverse if in_first else 1 / before)
            c, w = c * (l * (1 / i)), w * (x * before * inverse)
            yield c, w * rate

    def anywhere(a: Any, b: Any, odds: Any, l: Any) -> Any:
        return central(a, b, odds)

    return _mixture(*_beta_extent(a, b, l, odds), terms, anywhere, anywhere, a, b, odds, l)
