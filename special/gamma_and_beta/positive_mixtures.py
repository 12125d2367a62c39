"""Sums of positive terms along the Poisson mixture of gamma and beta distributions: nothing in them cancels.

With the Poisson probabilities `c_j` of the mean `l`, the mixture `F(a) = sum_j c_j I(a + j)`, where `I` is `gammainc`
or `betainc`, and `w_j = I(a + j) - I(a + j + 1)` (DLMF 8.8.5, 8.17.20), the density is `sum_j c_j I'(a + j)`, and

    dF / dl = -sum_j c_j w_j,    1 - F = sum_j c_j Q_j,    Q_0 = 1 - I(a),    Q_(j + 1) = Q_j + w_j,

whose terms have rational ratios.  So they have all their digits, however small they are next to 1, and at the smallest
shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betainc, betaincc, betaln, gammaincc, gammaln

from ..numerics.stirling_powers import beta_power

_CHUNK = 2048
"""So many elements at a time: what is computed of them stays in the cache."""
SMALLEST = 1e-17
"""A term that is smaller relative to the sum is left out."""
_LARGEST = 150.0
LARGEST_SHAPE = 2000.0
"""Parameters beyond would cost accuracy, or too many terms."""
LONGEST_MEAN = 50.0
_POINTS = 1e-30
"""Of the sum of shapes: where it is less, a beta distribution is two points, at which SciPy's may be wrong."""
TINIEST = 1e-290
"""Of shapes and arguments: the quotients of smaller ones are no normal numbers."""
_SMALL = 200.0
"""Shapes whose sum is less need no care about the rounding of their product with a logarithm."""


def _series(first: Any, ratio: Callable[[int], Any]) -> Any:
    """The sum of positive terms from the first and the ratios of neighbours, which fall."""
    term, total = first, np.copy(first)
    k = 0
    while np.any(term > SMALLEST * total):
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


def _upper(mean: Any, tail: Any, w: Any, ratio: Callable[[int], Any]) -> Any:
    """`sum_j c_j Q_j` from `Q_0`, `w_0` and the ratios of the `w_j`: terms that rise, then fall."""
    weight = np.exp(-mean)
    term, total = weight * tail, np.zeros_like(tail)
    goes_on: Any = True
    j = 0
    while np.any(goes_on):
        total += term
        j += 1
        tail, w, weight = tail + w, w * ratio(j), weight * (mean / j)
        before, term = term, weight * tail
        goes_on = (term > SMALLEST * total) | (term > before)
    return total


# gamma: m the shape, x the mean, y the argument; w_j = y**(m + j) e**-y / gamma(m + j + 1)


def gamma_density_is_short(m: Any, x: Any, y: Any) -> Any:
    """Where `gamma_mixture_density` is accurate."""
    is_inside = (m >= 0) & (m < _LARGEST) & (x >= 0) & (x < _LARGEST) & (y > TINIEST) & (y < _LARGEST)
    return is_inside & (m * np.log(np.where(is_inside, y, 1.0)) > -500)


def gamma_mixture_density(m: Any, x: Any, y: Any) -> Any:
    """The derivative of `sum_j c_j gammainc(m + j, y)` in `y`, of vectors.

    `c_j w_j (m + j) / y`, of which the first term alone vanishes with the shape.
    """

    def kernel(m: Any, x: Any, y: Any) -> Any:
        square = x * y
        w = np.exp(m * np.log(y) - y - x - gammaln(m + 1))
        return w * m / y + _series(w * x, lambda j: square / ((j + 2) * (m + (j + 1))))

    return _in_chunks(kernel, m, x, y)


def gamma_mixture_density_derivative(m: Any, x: Any, y: Any) -> Any:
    """That of the density in `y`: `c_j w_j (m + j) (m + j - 1 - y) / y**2`."""

    def kernel(m: Any, x: Any, y: Any) -> Any:
        square = x * y
        first = np.exp(m * np.log(y) - y - x - gammaln(m + 1))
        total = first * m / y * ((m - 1 - y) / y)
        term = first * x
        k = 0
        while np.any(term * (m + k + y) > SMALLEST * np.abs(total) * y):
            total += term * ((m + k - y) / y)
            k += 1
            term = term * (square / ((k + 1) * (m + k)))
        return total

    return _in_chunks(kernel, m, x, y)


def gamma_mixture_upper(m: Any, x: Any, y: Any) -> Any:
    """`sum_j c_j gammaincc(m + j, y)`, of vectors."""

    def kernel(m: Any, x: Any, y: Any) -> Any:
        w = np.exp(m * np.log(y) - y - gammaln(m + 1))
        return _upper(x, gammaincc(m, y), w, lambda j: y / (m + j))

    return _in_chunks(kernel, m, x, y)


# beta: the shapes a and b, the mean l, the odds X = x / y; w_j = x**(a + j) y**b / ((a + j) B(a + j, b))


def is_representable(a: Any, b: Any, odds: Any) -> Any:
    """Where `x**a y**b / B(a, b)` is a normal number."""
    both, y = a + b, 1 / (1 + odds)
    with np.errstate(all="ignore"):
        return a * np.log(odds * y * (both / a)) + b * np.log(y * (both / b)) > -500


def logs(odds: Any) -> tuple[Any, Any]:
    """Those of `x` and `y`."""
    log_y = -np.log1p(odds)
    return log_y + np.log(odds), log_y


def beta_weight(a: Any, b: Any, odds: Any) -> Any:
    """`x**a y**b / B(a, b)`."""
    if np.max(a + b) > _SMALL:
        return beta_power(a, b, odds)[0]
    log_x, log_y = logs(odds)
    return np.exp(a * log_x + b * log_y - betaln(a, b))


def beta_density_is_short(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """Where `beta_mixture_density` is accurate: `a + b - 1` has digits."""
    shapes = (a > 1e-6) & (b > 0.01) & (a + b > 1.01) & (np.maximum(a, b) <= LARGEST_SHAPE)
    is_moderate = (odds > 1e-9) & (odds < 1e9) & (l >= 0) & (l < LONGEST_MEAN)
    return shapes & is_moderate & is_representable(a, b, odds)


def beta_mixture_density(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """`sum_j c_j x**(a + j) y**b gamma(a + b + j - 1) / (gamma(a + j) gamma(b))`, of vectors."""

    def kernel(a: Any, b: Any, l: Any, odds: Any) -> Any:
        lx, shapes = l * (odds / (1 + odds)), a + b - 1
        first = beta_weight(a, b, odds) * np.exp(-l) / shapes
        return _series(first, lambda j: lx * (shapes + j) / ((j + 1) * (a + j)))

    return _in_chunks(kernel, a, b, l, odds)


def odds_mixture_is_short(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """Where the next three sums are accurate."""
    shapes = (np.minimum(a, b) > TINIEST) & (np.maximum(a, b) <= LARGEST_SHAPE)
    is_moderate = (odds > TINIEST) & (odds < 1 / TINIEST) & (l >= 0) & (l < LONGEST_MEAN)
    return shapes & is_moderate & is_representable(a, b, odds)


def odds_mixture_density(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """The derivative of `sum_j c_j betainc(a + j, b, x)` in the logarithm of the odds, of vectors."""

    def kernel(a: Any, b: Any, l: Any, odds: Any) -> Any:
        lx, both = l * (odds / (1 + odds)), a + b
        first = beta_weight(a, b, odds) * np.exp(-l)
        return _series(first, lambda j: lx * (both + j) / ((j + 1) * (a + j)))

    return _in_chunks(kernel, a, b, l, odds)


def beta_mixture_weights(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """`sum_j c_j w_j`, of vectors."""

    def kernel(a: Any, b: Any, l: Any, odds: Any) -> Any:
        lx, both = l * (odds / (1 + odds)), a + b
        first = beta_weight(a, b, odds) / a * np.exp(-l)
        return _series(first, lambda j: lx * (both + j) / ((j + 1) * (a + (j + 1))))

    return _in_chunks(kernel, a, b, l, odds)


def beta_mixture_lower(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """`sum_j c_j betainc(a + j, b, x)`, of vectors; for a few, as each term is an incomplete beta function."""
    x, y = odds / (1 + odds), 1 / (1 + odds)
    c, total, j = np.exp(-l), np.zeros_like(odds), 0
    while np.any((c > SMALLEST) | (j <= l)):
        term = np.where(odds < 1, betainc(a + j, b, x), betaincc(b, a + j, y))
        total += c * np.where(a + (b + j) < _POINTS, b / (a + b), term)
        j += 1
        c = c * (l / j)
    return total


def beta_mixture_upper(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """`sum_j c_j betaincc(a + j, b, x)`, of vectors."""

    def kernel(a: Any, b: Any, l: Any, odds: Any) -> Any:
        x, y = odds / (1 + odds), 1 / (1 + odds)
        tail = np.where(odds < 1, betaincc(a, b, x), betainc(b, a, y))
        return _upper(l, tail, beta_weight(a, b, odds) / a, lambda j: x * (a + b + (j - 1)) / (a + j))

    return _in_chunks(kernel, a, b, l, odds)
