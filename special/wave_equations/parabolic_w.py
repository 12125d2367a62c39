"""The parabolic cylinder function W with its derivatives in order and argument.

`W(a, x)` solves `y'' = (a - x**2 / 4) y`, DLMF 12.2.3.  What grows, or oscillates, is marched in Taylor series from its
value and slope at 0; where `0 < a` and `0 < x` it decays, and is marched inwards from its asymptotic expansion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import loggamma, pbwa

from ...complex_autograd.array import raw
from ..numerics.few_elements import with_numbers
from ..ufuncs.parameters import flat, parameter_slope
from ..ufuncs.regions import by_region
from ..ufuncs.ufunc_rules import rule
from .parabolic_march import Pair, from_zero, marched, of_parts, path_between, shaped

__all__ = ["parabolic_w", "pbwa"]

_ASYMPTOTIC_TERMS = 30
_FAR = 12.0
"""From here on the asymptotic expansion with `|a| <= 5` is right to rounding."""


def parabolic_w(a: Any, x: Any) -> Pair:
    """`W(a, x)` and its derivative in `x`, for `|a| <= 5`."""
    shape, (a, x) = flat(a, x)
    return shaped(_w, shape, a, x)


@with_numbers
def _w(a: Any, x: Any) -> Pair:
    inwards = (raw(a) > 0.5) & (raw(x) > 0.5)
    parts = [
        (inwards, _recessive_w),
        (~inwards, lambda a, x: from_zero(*_start_of_w(a), a, x, -1.0)),
    ]
    return of_parts(parts, a, x)


# at 0: DLMF 12.14.2, 12.14.3


def _start_of_w(a: Any) -> Pair:
    ratio = np.exp(np.real(loggamma(0.25 + 0.5j * a) - loggamma(0.75 + 0.5j * a)) / 2)
    return 2**-0.75 * ratio, -(2**-0.25) / ratio


def _recessive_w(a: Any, x: Any) -> Pair:
    value, slope = _asymptotic_w(a)
    far = np.full_like(raw(x), _FAR)[()]
    return marched(path_between(raw(a), far, raw(x), -1.0), x, value, slope, a, 0 * far - 1)


def _asymptotic_w(a: Any) -> Pair:
    """`W` and its slope at `x = 12`: `sqrt(2 k / x) Re(exp(i w) s)`, DLMF 12.14.17 to 12.14.21.

    The integer `x**2 / 4` has its own exponential: added to the rest of the phase `w` it would round that.
    """
    x = _FAR
    growth = np.exp(math.pi * a)
    scale = np.sqrt(2 / (x * (np.sqrt(1 + growth * growth) + growth)))
    phase = -a * math.log(x) + math.pi / 4 + np.imag(loggamma(0.5 + 1j * a)) / 2
    term: Any = 1 + 0j * a
    total, slope = term, 0.0
    for k in range(1, _ASYMPTOTIC_TERMS + 1):
        term = term * (2 * k - 1.5 + 1j * a) * (2 * k - 0.5 + 1j * a) * (-0.5j / (k * x * x))
        total = total + term
        slope = slope - 2 * k / x * term
    wave = scale * (np.exp(0.25j * x * x) * np.exp(1j * phase))
    logarithmic = 1j * (x / 2 - a / x) - 1 / (2 * x)
    return np.real(wave * total), np.real(wave * (logarithmic * total + slope))


# the rule; the second output is the derivative of the first, and its own follows by the equation


_slope_by_marching = parameter_slope(parabolic_w, 0, "pbwa", "a")


def _marched_slope_of_w(w: Any, a: Any, x: Any) -> Any:
    """Where there is a value: outside of SciPy's domain the way is long, and ends nowhere."""
    lost = np.isnan(raw(w[0]))
    if not np.any(lost):
        return _slope_by_marching(w, a, x)
    slopes = _slope_by_marching(w, np.where(lost, 0.0, a), np.where(lost, 0.0, x))
    return tuple(y + np.where(lost, np.nan, 0.0) * a for y in slopes)


def _slope_of_w(w: Any, a: Any, x: Any) -> Any:
    """By the table where it holds, unless it is to be differentiated again."""
    from .parabolic_w_table import parabolic_w_slopes, within_table

    if not all(issubclass(type(y), (np.ndarray, np.generic)) for y in (a, x)):
        return _marched_slope_of_w(w, a, x)
    shape, (a, x, *w) = flat(a, x, *w)
    regions = [
        (within_table(a, x), lambda a, x, *w: parabolic_w_slopes(a, x)),
        (True, lambda a, x, *w: _marched_slope_of_w(w, a, x)),
    ]
    slopes = by_region(regions, a, x, *w) if len(a) else (a, a)
    return tuple(np.reshape(y, shape) for y in slopes)


rule(pbwa, "a x", _slope_of_w, lambda w, a, x: (w[1], (a - x * x / 4) * w[0]))
