"""Derivatives of Wright's generalized Bessel function and of its logarithm in their parameters.

`phi(a, b, x) = sum_k x**k / (k! gamma(a k + b))` (DLMF 10.46.1) of `a, b, x >= 0` has positive terms.  Each is taken
relative to about the largest, so nothing overflows.  Values are summed in this way where SciPy's are wrong: it takes
an expansion for large `x`, which is not one for large `b`, and divides by `gamma(b)`, which overflows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from ..numerics.hypergeometric_series import nan_where_unknown
from ..numerics.jets import Jet, choose, exponential, log_gamma_rise, logarithm, reciprocal_gamma, variables
from ..numerics.warned import warn
from ..ufuncs.parameter_families import ParameterFamily

_TERMS = 20000
"""So many terms are summed at most."""

LARGE_A, LARGE_B, _LARGE_X, _OVERFLOWING_B = 140.0, 5.0, 500.0, 140.0
"""From these `b` and `x` on, and from the last `b` on for any `x`, SciPy's values are wrong, as measured.

From `a = 171` on they are NaN.
"""

_LARGE = 2000.0
"""From this argument on differences of logarithms of gamma functions are had from Stirling's series."""

_AT_ONCE = 64
"""Elements that are summed together, of nearly the same terms."""

_FARTHEST = 3e5
"""The number of the largest term up to which the series is summed."""


class _Peak(NamedTuple):
    """About the largest term: its number, the argument of its gamma function, and the logarithms of that and of it."""

    k: Any
    argument: Any
    log_gamma: Any
    log_term: Any


def _peak(a: Any, b: Any, x: Any) -> _Peak:
    k = np.rint(_largest_term(a, b, x))
    log_gamma = special.gammaln(a * k + b)
    log_gamma = np.where(np.isposinf(log_gamma) & (a * k + b == 0), 0.0, log_gamma)
    return _Peak(k, a * k + b, log_gamma, special.xlogy(k, x) - special.gammaln(k + 1) - log_gamma)


def _relative(a: Jet, b: Jet, x: Any, peak: _Peak, m: int) -> Jet:
    """The jet of `phi(a, b + m a, x)` over a term of `phi(a, b, x)`."""
    total, has_ended = _summed(a, b, x, peak, m)
    return nan_where_unknown("wright_bessel", total, ~has_ended & np.isfinite(peak.log_term))


def _summed(a: Jet, b: Jet, x: Any, peak: _Peak, m: int) -> tuple[Jet, Any]:
    """The same, and where the series has ended."""
    largest = _largest_term(a.value, b.value + m * a.value, x) if m else peak.k
    is_short = largest <= _FARTHEST
    largest = np.where(is_short, largest, 0.0)
    width = 15 * np.sqrt(largest + 1) + 20
    first = np.where(largest > width, largest - width, 0.0)
    start = int(np.min(first[is_short], initial=_FARTHEST)) if np.any(is_short) else 0
    total, has_ended = _term(a, b, x, start, peak, m), x < 0
    for k in range(start + 1, start + _TERMS):
        term = _term(a, b, x, k, peak, m)
        total = total + term
        if k % 8 == 0:
            sizes = sum(np.abs(c) for c in term.coefficients.values())
            has_ended = ((k > 2 * largest + 2) | (k > largest + width)) & (sizes <= 1e-18)
            if bool(np.all(has_ended | ~np.isfinite(sizes) | ~is_short)):
                break
    return total, has_ended & is_short


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
        peak = _peak(a[part], b[part], x[part])
        total, has_ended = _summed(*variables((0, 0), a[part], b[part]), x[part], peak, 0)
        out[part] = np.where(has_ended, np.log(total.value) + peak.log_term, np.nan)
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


def _term(a: Jet, b: Jet, x: Any, k: int, peak: _Peak, m: int) -> Jet:
    """A term over that of the peak, whose large logarithms are not subtracted from each other."""
    steps = k - peak.k
    exponent = special.xlogy(steps, x) - _log_gamma_change(peak.k + 1, steps)
    argument = a * float(k + m) + b
    is_small = argument.value < 0.5
    away = Jet({**argument.coefficients, (0, 0): np.where(is_small, 1.0, argument.value)}, argument.orders)
    change = _log_gamma_change(peak.argument, a.value * (steps + m))
    term = exponential(-log_gamma_rise(away) + (exponent - change))
    if not np.any(is_small):
        return term
    return choose(is_small, reciprocal_gamma(argument) * np.exp(exponent + peak.log_gamma), term)


def _log_gamma_change(z: Any, change: Any) -> Any:
    """`log gamma(z + change) - log gamma(z)`, of large `z` by Stirling's series, DLMF 5.11.1."""
    end = z + change
    is_large = (z > _LARGE) & (np.abs(change) < z / 2)
    start, stop = np.where(is_large, z, 1.0), np.where(is_large, end, 1.0)
    by_series = (stop - 0.5) * np.log1p((np.where(is_large, change, 0.0)) / start) + change * (np.log(start) - 1)
    by_series += _stirling_rest(stop) - _stirling_rest(start)
    return np.where(is_large, by_series, special.gammaln(end) - special.gammaln(z))


def _stirling_rest(z: Any) -> Any:
    """Of arguments of which the next term is 1e-24."""
    return (1 - 1 / (30 * z * z)) / (12 * z)


def _wright(parameters: Sequence[Jet], x: Any, m: int) -> Jet:
    """The derivative of order `m` in `x`: `phi(a, b + m a, x)`."""
    a, b = parameters
    peak = _peak(a.value, b.value + m * a.value, x)
    return _relative(a, a * float(m) + b, x, peak, 0) * np.exp(peak.log_term)


def _log_wright(parameters: Sequence[Jet], x: Any, m: int) -> Jet:
    """The derivatives in `x` by `f' = g`, `f = phi(a, b, x)`: those of a logarithm, as polynomials in `phi` ratios."""
    a, b = parameters
    peak = _peak(a.value, b.value, x)
    base = _relative(a, b, x, peak, 0)
    if m == 0:
        return logarithm(base) + peak.log_term
    ratios = []
    for k in range(1, m + 1):
        ratios.append(_relative(a, b, x, peak, k) / base)
    cumulants: list[Jet] = []
    for order in range(1, m + 1):
        value = ratios[order - 1]
        for k in range(1, order):
            value = value - cumulants[k - 1] * ratios[order - k - 1] * float(math.comb(order - 1, k - 1))
        cumulants.append(value)
    return cumulants[-1]


WRIGHT = ParameterFamily(_wright, 2)
LOG_WRIGHT = ParameterFamily(_log_wright, 2)
