"""Noncentral gamma and beta distributions where their parameters are moderate, by recurrence along the Poisson mixture.

With the Poisson probabilities `c_j` of the mean `l` both are `F(a) = sum_j c_j I(a + j)`, where `I` is `gammainc` or
`betainc`.  Neighbours differ by `I(a + i) - I(a + i + 1) = w_i` (DLMF 8.8.5, 8.17.20), and the ratio of these is
rational.  Of the logarithmic derivative `L_i` of `w_i` in a parameter follows in two ways, of which the first loses no
digits in the lower tail and the second none in the upper one,

    F' = sum_(i < J) C_i w_i L_i + I'(a + J) = I'(a) - sum_i S_i w_i L_i,
    C_i = c_0 + .. + c_i,    S_i = c_(i + 1) + c_(i + 2) + ..

The derivative in the logarithm of the argument (of the odds) is `sum_i c_i (a + i) w_i`, which may be added in the same
pass, times a share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma, gammaln, xlogy

from .digamma_differences import digamma_difference
from .positive_mixtures import (
    LARGEST_SHAPE,
    SMALLEST,
    TINIEST,
    beta_weight,
    gamma_density_is_short,
    is_representable,
    logs,
)

_CHUNK = 2048
"""So many elements at a time: what is computed of them stays in the cache."""
_MEANS = (1.0, 2.0, 4.0, 10.0, 20.0, 40.0, 80.0)
_LENGTHS = (19, 25, 33, 49, 72, 110, 174)
"""The Poisson probabilities beyond are below 1e-17 for means up to these."""
_SQUARED_LENGTHS = (13, 17, 23, 37, 55, 88, 146)
"""Their squares are."""
_TERMS, _MOST_TERMS = 40.0, 120.0
"""A sum of more terms takes longer than the central derivative."""
_LEAST_SHAPE = 1e-100
_LEAST = 1e-9
"""Of the argument of the gamma distribution."""

Derivative = Callable[..., Any]


class _Terms(NamedTuple):
    """`w_0`, one of the `L_i`, and what gives of an `i` `w_i / w_(i - 1)` and `L_i - L_(i - 1)`."""

    first: Any
    rate: Any
    step: Callable[[int], tuple[Any, Any]]


def _lower(terms: _Terms, mean: Any, length: int, is_integral: bool, share: Any, shape: Any) -> Any:
    """`sum_i C_i w_i L_i`, and a share of `sum_i c_i (a + i) w_i`, forward.

    The complete sum goes on as long as terms count, where `C_i` is 1.
    """
    w, rate, step = terms
    weight = c = np.exp(-mean)
    total = c * w * (rate if share is None else rate + share * shape)
    for i in range(1, length):
        ratio, change = step(i)
        c, w, rate = c * (mean * (1 / i)), w * ratio, rate + change
        weight = weight + c
        total += weight * (w * rate)
        if share is not None:
            total += share * c * ((shape + i) * w)
    i, term = length, total
    while is_integral and np.any(np.abs(term) > SMALLEST * np.abs(total)):
        for _ in range(4):
            ratio, change = step(i)
            w, rate = w * ratio, rate + change
            term = w * rate
            total += term
            i += 1
    return total


def _upper(terms: _Terms, mean: Any, length: int, is_integral: bool, share: Any, shape: Any) -> Any:
    """`-sum_i S_i w_i L_i`, and a share of `sum_i c_i (a + i) w_i`, backward, by Horner's rule.

    `L_i` begins with the last one.  The first `c` is known up to a factor near 1, which follows from
    `S_0 = 1 - e**-mean`.
    """
    w, rate, step = terms
    weight = c = np.exp(xlogy(length, mean) - mean - gammaln(length + 1))
    inverse = 1 / np.maximum(mean, SMALLEST)
    total = weight * rate
    for i in range(length - 1, 0, -1):
        ratio, change = step(i)
        c, rate = c * (inverse * (i + 1)), rate - change
        weight = weight + c
        if share is not None:
            total -= share * c * (shape + i)
        total *= ratio
        total += weight * rate
    total *= np.expm1(-mean) / np.where(weight > 0, weight, 1.0)
    return w * (total if share is None else total + share * shape * np.exp(-mean))


def _mixture(
    is_upper: Any,
    is_integral: Any,
    extent: Any,
    lengths: Any,
    terms: Callable[..., _Terms],
    central: Derivative,
    *args: Any,
    share: Any = None,
) -> Any:
    """`F'` for groups of vectors of similar extent.

    The last one of the arguments is the mean, the first one the shape that the mixture raises; of the others `central`
    is the derivative of `I`, which a complete sum does not need.
    """
    shape, *rest, mean = args
    out, raised = np.zeros_like(extent), np.zeros_like(extent)
    group = sum((extent > mean) * 1 for mean in _MEANS)
    is_integral = is_integral & ~is_upper
    for tail, total, chosen, complete in (
        (0, _lower, is_integral, True),
        (0, _lower, ~is_upper & ~is_integral, False),
        (1, _upper, is_upper, False),
    ):
        for k, length in enumerate(lengths[tail]):
            at = np.flatnonzero(chosen & (group == k))
            at = at[np.argsort(rest[-1][at])] if complete else at
            for start in range(0, len(at), _CHUNK):
                here = at[start : start + _CHUNK]
                of_group = terms(length - 1 if tail else 0, shape[here], *[x[here] for x in rest])
                of_here = None if share is None else share[here]
                out[here] = total(of_group, mean[here], length, complete, of_here, shape[here])
                raised[here] = 0 if tail else length
    at = np.flatnonzero(~is_integral)
    out[at] += central((shape + raised)[at], *[x[at] for x in rest])
    return out


# gamma: m the shape, x the mean, y the argument; w_i = y**(m + i) e**-y / gamma(m + i + 1) and
# L_i = log(y) - psi(m + i + 1)


def _gamma_extent(m: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Where the upper tail is, and the index of the largest terms."""
    is_upper = y > m + x
    return is_upper, np.where(is_upper, np.sqrt(x * y), x)


def gamma_is_short(m: Any, x: Any, y: Any) -> Any:
    """Where `gamma_mixture_derivative` is accurate."""
    return gamma_density_is_short(m, x, y) & (m > 0.01) & (y > _LEAST) & (_gamma_extent(m, x, y)[1] <= _MEANS[-1])


def gamma_mixture_derivative(m: Any, x: Any, y: Any, central: Derivative) -> Any:
    """The derivative of `sum_j c_j gammainc(m + j, y)` in `m`, of vectors; `central(m, y)` is that of `gammainc`."""

    def terms(last: int, m: Any, y: Any) -> _Terms:
        def step(i: int) -> tuple[Any, Any]:
            change = -1 / (m + i)
            return change * minus_y, change

        minus_y, log_y = -y, np.log(y)
        return _Terms(np.exp(m * log_y - y - gammaln(m + 1)), log_y - digamma(m + (last + 1)), step)

    is_upper, extent = _gamma_extent(m, x, y)
    return _mixture(is_upper, ~is_upper, extent, (_LENGTHS, _SQUARED_LENGTHS), terms, central, m, y, x)


# beta: the shapes a and b, the mean l, the odds X = x / y; w_i = x**(a + i) y**b / ((a + i) B(a + i, b)), L_i is
# psi(a + b + i) + log(x) - psi(a + i + 1) in a, psi(a + b + i) + log(y) - psi(b) in b


def _beta_extent(a: Any, b: Any, l: Any, odds: Any) -> tuple[Any, Any]:
    """Where the upper tail is, and the index `j` of the largest terms: `j (a + j) = l x (a + b + j)`."""
    is_upper = odds * b > a + l
    lx = l * odds / (1 + odds)
    excess = a - lx
    root = np.sqrt(excess * excess + 4 * lx * (a + b))
    return is_upper, np.where(is_upper, (root - excess) / 2, l)


def beta_is_short(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """Where `beta_mixture_derivative` is accurate."""
    shapes = (np.minimum(a, b) >= _LEAST_SHAPE) & (np.maximum(a, b) <= LARGEST_SHAPE)
    is_moderate = (odds > TINIEST) & (odds < 1 / TINIEST) & (l >= 0) & is_representable(a, b, odds)
    return shapes & is_moderate & (_beta_extent(a, b, l, odds)[1] <= _MEANS[-1])


def beta_mixture_derivative(
    a: Any, b: Any, l: Any, odds: Any, central: Derivative, in_first: bool, share: Any = None
) -> Any:
    """The derivative of `sum_j c_j betainc(a + j, b, x)` in `a` or `b`, of vectors; `central` is that of `betainc`.

    A share of the derivative in the logarithm of the odds is added, if it is given.
    """

    def terms(last: int, a: Any, b: Any, odds: Any) -> _Terms:
        log_x, log_y = logs(odds)
        if in_first:
            rate = digamma(a + b + last) + (log_x - digamma(a + (last + 1)))
        else:
            rate = digamma_difference(b, a + last) + log_y
        x, before = odds / (1 + odds), a + (b - 1)

        def step(i: int) -> tuple[Any, Any]:
            growth, inverse = before + i, 1 / (a + i)
            return growth * inverse * x, 1 / growth - inverse if in_first else 1 / growth

        return _Terms(beta_weight(a, b, odds) / a, rate, step)

    is_upper, extent = _beta_extent(a, b, l, odds)
    is_integral = np.maximum(odds * b - a, 0.0) + (a + b) / 2 + _TERMS * (1 + odds) < _MOST_TERMS
    return _mixture(is_upper, is_integral, extent, (_LENGTHS, _LENGTHS), terms, central, a, b, odds, l, share=share)
