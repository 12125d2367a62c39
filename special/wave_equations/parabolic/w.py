"""The parabolic cylinder function W by marching its equation.

`W(a, x)` solves `y'' = (a - x**2 / 4) y`, DLMF 12.2.3.  What grows, or oscillates, is marched in Taylor series from its
value and derivative at 0; where `0 < a` and `0 < x` it decays, and is marched inwards from its asymptotic expansion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import loggamma

from ....complex_autograd.engine.traced import raw
from ...numerics.few_elements import with_numbers
from ...numerics.regions import by_region
from ...ufuncs.parameters import flat
from .march import Pair, from_zero, marched, path_between, shaped

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
    parts = [(inwards, _recessive_w), (~inwards, lambda a, x: from_zero(*_start_of_w(a), a, x, -1.0))]
    return by_region(parts, a, x)


# at 0: DLMF 12.14.2, 12.14.3


def _start_of_w(a: Any) -> Pair:
    ratio = np.exp(np.real(loggamma(0.25 + 0.5j * a) - loggamma(0.75 + 0.5j * a)) / 2)
    return 2**-0.75 * ratio, -(2**-0.25) / ratio


def _recessive_w(a: Any, x: Any) -> Pair:
    value, derivative = _asymptotic_w(a)
    far = np.full_like(raw(x), _FAR)[()]
    return marched(path_between(raw(a), far, raw(x), -1.0), x, value, derivative, a, 0 * far - 1)


def _asymptotic_w(a: Any) -> Pair:
    """`W` and its derivative at `x = 12`: `sqrt(2 k / x) Re(exp(i w) s)`, DLMF 12.14.17 to 12.14.21.

    The integer `x**2 / 4` has its own exponential: added to the rest of the phase `w` it would round that.
    """
    x = _FAR
    growth = np.exp(math.pi * a)
    scale = np.sqrt(2 / (x * (np.sqrt(1 + growth * growth) + growth)))
    phase = -a * math.log(x) + math.pi / 4 + np.imag(loggamma(0.5 + 1j * a)) / 2
    term: Any = 1 + 0j * a
    total, derivative = term, 0.0
    for k in range(1, _ASYMPTOTIC_TERMS + 1):
        term = term * (2 * k - 1.5 + 1j * a) * (2 * k - 0.5 + 1j * a) * (-0.5j / (k * x * x))
        total = total + term
        derivative = derivative - 2 * k / x * term
    wave = scale * (np.exp(0.25j * x * x) * np.exp(1j * phase))
    logarithmic = 1j * (x / 2 - a / x) - 1 / (2 * x)
    return np.real(wave * total), np.real(wave * (logarithmic * total + derivative))
