"""Derivatives of Wright's generalized Bessel function and of its logarithm in their parameters.

`phi(a, b, x) = sum_k x**k / (k! gamma(a k + b))` (DLMF 10.46.1) of `a, b, x >= 0` has positive terms.  Each is taken
relative to about the largest, so nothing overflows.  Values are summed in this way where SciPy's are wrong: it takes
an expansion for large `x`, which is not one for large `b`, and divides by `gamma(b)`, which overflows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from ..numerics.hypergeometric_series import without_lost
from ..numerics.jets import Jet, choose, exponential, log_gamma, logarithm, reciprocal_gamma, variables
from ..numerics.warned import warn
from ..ufuncs.parameter_families import ParameterFamily

_TERMS = 20000
"""So many terms are summed at most."""

LARGE_A, LARGE_B, _LARGE_X, _OVERFLOWING_B = 140.0, 5.0, 500.0, 140.0
"""From these `b` and `x` on, and from the last `b` on for any `x`, SciPy's values are wrong, as measured.

From `a = 171` on they are NaN.
"""

_AT_ONCE = 64
"""Elements that are summed together, of nearly the same terms."""

_FARTHEST = 3e5
"""The number of the largest term up to which the series is summed."""


def _relative(a: Jet, b: Jet, x: Any) -> tuple[Jet, Any]:
    """The jet of `phi` over about its largest term, and the logarithm of that; where it is 0, `phi` and 0."""
    total, scale, has_ended = _summed(a, b, x)
    return without_lost("wright_bessel", total, ~has_ended & np.isfinite(scale)), scale


def _summed(a: Jet, b: Jet, x: Any) -> tuple[Jet, Any, Any]:
    """The same, and where the series has ended."""
    largest = _largest_term(a.value, b.value, x)
    k = np.rint(largest)
    scale = special.xlogy(k, x) - special.gammaln(k + 1) - special.gammaln(a.value * k + b.value)
    scale = np.where(scale == -np.inf, 0.0, scale)
    width = 15 * np.sqrt(largest + 1) + 20
    start = int(np.min(np.where(largest > width, largest - width, 0.0)))
    total, has_ended = _term(a, b, x, start, scale), x < 0
    for k in range(start + 1, start + _TERMS):
        term = _term(a, b, x, k, scale)
        total = total + term
        if k % 8 == 0:
            sizes = sum(np.abs(c) for c in term.coefficients.values())
            has_ended = ((k > 2 * largest + 2) | (k > largest + width)) & (sizes <= 1e-18)
            if bool(np.all(has_ended | ~np.isfinite(sizes))):
                break
    return total, scale, has_ended


def is_inaccurate_wright(a: Any, b: Any, x: Any) -> Any:
    """Where SciPy's values are wrong, and the series is summed."""
    is_inaccurate = (a >= 0) & (x >= 0) & (((b > LARGE_B) & (x > _LARGE_X)) | (b > _OVERFLOWING_B) | (a > LARGE_A))
    if not np.any(is_inaccurate):
        return is_inaccurate
    return is_inaccurate & (_largest_term(a, b, x) <= _FARTHEST)


def log_wright_value(a: Any, b: Any, x: Any) -> Any:
    """The logarithm of the function; NaN, with a warning, where its series is too long."""
    order = np.argsort(_largest_term(a, b, x))
    out = np.empty_like(x)
    for i in range(0, order.shape[0], _AT_ONCE):
        part = order[i : i + _AT_ONCE]
        total, scale, has_ended = _summed(*variables((0, 0), a[part], b[part]), x[part])
        out[part] = np.where(has_ended, np.log(total.value) + scale, np.nan)
    if np.any(np.isnan(out)):
        warn("wright_bessel: the series is too long at some points, and the value is NaN. Take smaller arguments.")
    return out


def wright_value(a: Any, b: Any, x: Any) -> Any:
    """The function, in the same way."""
    return np.exp(log_wright_value(a, b, x))


def _largest_term(a: Any, b: Any, x: Any) -> Any:
    """About the `k` where the terms are largest: `k (a k + b)**a = x`, by bisection of its logarithm."""
    low, high = 0.0 * x, np.log1p(np.minimum(x, 1e300)) + 1.0
    for _ in range(50):
        middle = (low + high) / 2
        k = np.expm1(middle)
        is_below = k * np.maximum(a * k + b, 1.0) ** a < x
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return np.expm1(low)


def _term(a: Jet, b: Jet, x: Any, k: int, scale: Any) -> Jet:
    exponent = special.xlogy(float(k), x) - math.lgamma(k + 1.0) - scale
    shifted = a * float(k) + b
    is_small = shifted.value < 0.5
    away = Jet({**shifted.coefficients, (0, 0): np.where(is_small, 1.0, shifted.value)}, shifted.orders)
    term = exponential(-log_gamma(away) + exponent)
    if not np.any(is_small):
        return term
    return choose(is_small, reciprocal_gamma(shifted) * np.exp(exponent), term)


def _shifted(parameters: Sequence[Jet], m: int) -> tuple[Jet, Jet]:
    a, b = parameters
    return a, a * float(m) + b


def _wright(parameters: Sequence[Jet], x: Any, m: int) -> Jet:
    """The derivative of order `m` in `x`: `phi(a, b + m a, x)`."""
    total, scale = _relative(*_shifted(parameters, m), x)
    return total * np.exp(scale)


def _log_wright(parameters: Sequence[Jet], x: Any, m: int) -> Jet:
    """The derivatives in `x` by `f' = g`, `f = phi(a, b, x)`: those of a logarithm, as polynomials in `phi` ratios."""
    a, b = parameters
    base, scale = _relative(a, b, x)
    if m == 0:
        return logarithm(base) + scale
    ratios = []
    for k in range(1, m + 1):
        total, other = _relative(*_shifted(parameters, k), x)
        ratios.append(total / base * np.exp(other - scale))
    cumulants: list[Jet] = []
    for order in range(1, m + 1):
        value = ratios[order - 1]
        for k in range(1, order):
            value = value - cumulants[k - 1] * ratios[order - k - 1] * float(math.comb(order - 1, k - 1))
        cumulants.append(value)
    return cumulants[-1]


WRIGHT = ParameterFamily(_wright, 2)
LOG_WRIGHT = ParameterFamily(_log_wright, 2)
