"""The noncentral beta distribution in extended precision, for what hardly depends on a shape.

With the Poisson probabilities `c_j` of the mean `l` and `w_i = x**(a + i) y**b / ((a + i) B(a + i, b))` it is
`sum_i (c_0 + .. + c_i) w_i` (DLMF 8.17.20), a sum of positive terms.  Where NumPy's `longdouble` is no longer than a
double this is as accurate as other sums are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..numerics.stirling_powers import stirling_series

_SHIFT = 18
_TERMS = 6
"""Of Stirling's series; at 18 the term after these is 3e-19."""
_HALF_LOG = np.log(2 * np.longdouble("3.14159265358979323846264338327950288")) / 2
_SMALLEST = 1e-19
_CHUNK = 256
"""So many elements of similar `x`, and so of a similar number of terms, at a time."""
_LARGEST_X, _LARGEST_MEAN, _LARGEST_SHAPE = 0.8, 25.0, 100.0


def is_summable(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """Where the sum has a moderate number of terms."""
    shapes = (a > 0) & (b > 0) & (a + b < _LARGEST_SHAPE)
    return shapes & (l >= 0) & (l < _LARGEST_MEAN) & (odds > 0) & (odds <= _LARGEST_X / (1 - _LARGEST_X))


def _log_gamma(z: Any) -> Any:
    return (z - 0.5) * np.log(z) - z + _HALF_LOG + stirling_series(z, _TERMS)


def _beta_function(a: Any, b: Any) -> Any:
    """`B(a, b)`, from both shapes raised."""
    ratio = 1
    for k in range(_SHIFT):
        ratio = ratio * ((a + b + 2 * k) * (a + b + (2 * k + 1)) / ((a + k) * (b + k)))
    raised = a + _SHIFT, b + _SHIFT
    return ratio * np.exp(_log_gamma(raised[0]) + _log_gamma(raised[1]) - _log_gamma(raised[0] + raised[1]))


def noncentral_beta(a: Any, b: Any, l: Any, odds: Any) -> Any:
    """The distribution function at `x = X / (1 + X)`, of vectors of extended precision."""
    out, order = np.empty_like(a), np.argsort(odds)
    for start in range(0, len(order), _CHUNK):
        at = order[start : start + _CHUNK]
        out[at] = _sum(a[at], b[at], l[at], odds[at])
    return out


def _sum(a: Any, b: Any, l: Any, odds: Any) -> Any:
    log_y = -np.log1p(odds)
    x = odds / (1 + odds)
    w = np.exp(a * (np.log(odds) + log_y) + b * log_y) / (a * _beta_function(a, b))
    c = np.exp(-l)
    weight, total, i = c, c * w, 0
    above, below = a + b, a
    while np.any((w > _SMALLEST * total) | (i < l)):
        for _ in range(8):
            i += 1
            below = below + 1
            w *= x
            w *= above
            w /= below
            above = above + 1
            c = c * (l / i)
            weight = weight + c
            total += weight * w
    return total
