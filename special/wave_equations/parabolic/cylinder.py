"""Parabolic cylinder functions U and V with their derivatives in order and argument.

`D_v = U(a, x)` and `V(a, x)` with `a = -v - 1/2` solve `y'' = (x**2 / 4 + a) y`, DLMF 12.2.2.  What grows is had from
its value and derivative at 0, by power series of positive terms or by marching in Taylor series.  What decays, `U(a,
x)` at `x > 0`, is had with `0 <= a < 1` by the ratio `U(a + 1, x) / U(a, x)`, a continued fraction of positive terms,
and the Wronskian with the growing `U(a, -x)`; from there in both directions of `a` by the recurrence DLMF 12.8.1.

At `x < 0` both are the sums of a growing and a decaying part, DLMF 12.2.15 and 12.2.16, in which nothing cancels but at
their zeros.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.traced import raw
from ...numerics.few_elements import with_numbers
from ...numerics.regions import by_region
from ...numerics.warned import warn
from ...ufuncs.parameters import flat, parameter_derivative
from ...ufuncs.patched_ufunc import PatchedUfunc
from ...ufuncs.ufunc_rules import rule
from .march import Pair, from_zero, shaped
from .ratios import ratios

__all__ = ["pbdv", "pbvv"]

_SMALL = 1.5
"""Below it `U` is the difference of its even and its odd part; that loses little."""
_LARGE = 10.0
"""From here on the asymptotic expansion of `U` with `0 <= a < 1` is right to rounding."""
_ASYMPTOTIC_TERMS = 30
_LARGEST_EXPONENT = 700.0
_SMALLEST_EXPONENT = 600.0
_OVERFLOW = 750.0
"""An exponent of which the exponential is infinite, and stays so when it is divided by gamma functions of orders."""
_MOST_TERMS = 5000
_HIGHEST = 1000.0
"""Of orders: long before it the functions overflow."""


def parabolic_d(v: Any, x: Any) -> Pair:
    """`D_v(x)` and its derivative in `x`."""
    shape, (v, x) = flat(v, x)
    return shaped(_u, shape, v, x)


def parabolic_v(v: Any, x: Any) -> Pair:
    """`V(-v - 1/2, x)` and its derivative in `x`."""
    shape, (v, x) = flat(v, x)
    return shaped(_v, shape, v, x)


@with_numbers
def _u(v: Any, x: Any) -> Pair:
    known, is_right, by_series = _is_known(v, x), raw(x) > 0, (raw(v) < 0) | (raw(x) == 0)
    is_finite = _is_finite(v, x)
    parts = [
        (known & is_right, lambda v, x: _recessive(-v - 0.5, x)),
        (known & is_finite & ~is_right & by_series, lambda v, x: _by_series(*_start_of_u(v), v, x)),
        (known & is_finite & ~is_right & ~by_series, _reflected_u),
        (True, _unknown),
    ]
    return by_region(parts, v, x)


@with_numbers
def _v(v: Any, x: Any) -> Pair:
    known, is_left = _is_known(v, x) & _is_finite(v, x), raw(x) < 0
    return by_region([(known & ~is_left, _dominant), (known & is_left, _reflected_v), (~known, _unknown)], v, x)


def _is_known(v: Any, x: Any) -> Any:
    return (np.abs(raw(v)) <= _HIGHEST) & (np.abs(raw(x)) < np.inf)


def _is_finite(v: Any, x: Any) -> Any:
    """Where what grows does not overflow for certain: it is about `exp(x**2 / 4) |x|**(-v - 1)`, DLMF 12.9.2."""
    size = np.abs(raw(x))
    return size * size / 4 - (np.abs(raw(v)) + 1) * np.log1p(size) < _OVERFLOW


def _unknown(v: Any, x: Any) -> Pair:
    return v * np.nan, v * np.nan


# at 0: DLMF 12.2.6 to 12.2.9, with DLMF 5.5.3 for the quotients of gamma functions in V; the sum `a = -v - 1/2` would
# lose the digits of a small `v`


def _start_of_u(v: Any) -> Pair:
    scale = math.sqrt(math.pi) * 2 ** (v / 2)
    return scale * special.rgamma(0.5 - v / 2), -scale * math.sqrt(2) * special.rgamma(-v / 2)


def _start_of_v(v: Any) -> Pair:
    scale = 2 ** (-v / 2)
    value = -scale * special.rgamma(1 + v / 2) * _sine_of_pi(v / 2)
    return value, scale * math.sqrt(2) * special.rgamma(0.5 + v / 2) * _sine_of_pi(v / 2 + 0.5)


# solutions that do not decay


def _by_series(value: Any, derivative: Any, v: Any, x: Any) -> Pair:
    """The solution with this value and derivative at 0, by its even and its odd part, DLMF 12.4.1; `v < 0`."""
    even, even_derivative = _kummer(-v / 2, 0.5, x)
    odd, odd_derivative = _kummer(0.5 - v / 2, 1.5, x)
    return value * even + derivative * x * odd, value * even_derivative + derivative * (odd + x * odd_derivative)


def _kummer(a: Any, b: float, x: Any) -> Pair:
    """`exp(-x**2 / 4) M(a, b, x**2 / 2)` and its derivative in `x`."""
    z = x * x / 2
    begun = np.minimum(z / 2, _LARGEST_EXPONENT)
    term: Any = np.exp(-begun) * (1 + 0 * a)
    total, derivative = term, 0.0
    for k in range(_kummer_terms(float(np.max(np.abs(raw(a)))), b, float(np.max(raw(z))))):
        factor = (a + k) * (1 / ((b + k) * (k + 1)))
        derivative = derivative + (k + 1) * factor * term
        term = term * factor * z
        total = total + term
    scale = np.exp(begun - z / 2)
    return scale * total, scale * x * (derivative - total / 2)


def _kummer_terms(a: float, b: float, z: float) -> int:
    term, largest, k = 1.0, 1.0, 0
    while term > 1e-18 * largest and k < _MOST_TERMS:
        term *= (a + 1 + k) / ((b + k) * (k + 1)) * z
        largest = max(largest, term)
        if largest > 1e200:
            term, largest = term / 1e200, largest / 1e200
        k += 1
    return k


# V(a, x) for x >= 0, and both for x < 0


def _dominant(v: Any, x: Any) -> Pair:
    is_negative = raw(v) < 0
    parts = [
        (is_negative, lambda v, x: _by_series(*_start_of_v(v), v, x)),
        (~is_negative, lambda v, x: from_zero(*_start_of_v(v), -v - 0.5, x, 1.0)),
    ]
    return by_region(parts, v, x)


def _reflected_u(v: Any, x: Any) -> Pair:
    """`U(a, -y) = pi / gamma(-v) V(a, y) + cos(pi v) U(a, y)`."""
    return _reflected(math.pi * special.rgamma(-v), _sine_of_pi(v + 0.5), v, x)


def _reflected_v(v: Any, x: Any) -> Pair:
    """`V(a, -y) = -cos(pi v) V(a, y) - sin(pi v) / gamma(1 + v) U(a, y)`, the same with DLMF 5.5.3."""
    return _reflected(-_sine_of_pi(v + 0.5), -_sine_of_pi(v) * special.rgamma(1 + v), v, x)


def _reflected(p: Any, q: Any, v: Any, x: Any) -> Pair:
    """Half-integer orders of V have `p = 0`, and what grows does so to +inf."""
    growing, growing_derivative = (
        np.where((raw(p) == 0) & ~np.isfinite(raw(w)), sys.float_info.max, w) for w in _dominant(v, -x)
    )
    decaying, decaying_derivative, rest = _scaled_recessive(-v - 0.5, -x, np.where(raw(v) < 0, 0.0, _SMALLEST_EXPONENT))
    return p * growing + q * decaying * rest, -(p * growing_derivative + q * decaying_derivative * rest)


def _sine_of_pi(a: Any) -> Any:
    """`sin(pi a)`, 0 at integers."""
    nearest = np.round(raw(a))
    return (1 - 2 * (nearest % 2)) * np.sin(math.pi * (a - nearest))


# U(a, x) for x > 0


def _recessive(a: Any, x: Any) -> Pair:
    """`U(a, x)` and its derivative."""
    value, derivative, rest = _scaled_recessive(a, x, _SMALLEST_EXPONENT)
    return rest * value, rest * derivative


def _scaled_recessive(a: Any, x: Any, kept: Any) -> tuple[Any, Any, Any]:
    """`U(a, x)` and its derivative over a factor, and this: both from `U(b, x)` and `U(b + 1, x)` where `0 <= b < 1`.

    The factor is a power of e that may be taken at once.  From `x = 10` on so much of the exponent `x**2 / 4` as is
    said remains in what it multiplies: all of 600, or nothing where a large factor is to come.
    """
    shift = np.floor(raw(a))
    b = a - shift
    r = ratios(b, x, max(0, int(np.max(shift))) + 1)
    beyond = np.where(raw(x) < _LARGE, 0.0, np.maximum(raw(x) * raw(x) / 4 - kept, 0.0))
    parts = [
        (raw(x) < _SMALL, lambda b, r, x, beyond: (_by_series(*_start_of_u(-b - 0.5), -b - 0.5, x)[0],)),
        ((raw(x) >= _SMALL) & (raw(x) < _LARGE), _by_wronskian),
        (raw(x) >= _LARGE, _asymptotic),
    ]
    (value,) = by_region(parts, b, r[0], x, beyond)
    lower, value = value, value * r[0]  # U(c - 1) and U(c) with c = b + 1
    for k in range(1, int(np.max(shift)) + 1):
        goes_on = shift >= k
        lower, value = _if(goes_on, value, lower), _if(goes_on, value * r[k], value)
    for k in range(int(-np.min(shift))):
        goes_on = -shift > k
        below = x * lower + (b - k + 0.5) * value  # DLMF 12.8.1
        lower, value = _if(goes_on, below, lower), _if(goes_on, lower, value)
    return lower, -x / 2 * lower - (a + 0.5) * value, np.exp(-beyond)  # DLMF 12.8.2


def _if(mask: Any, x: Any, y: Any) -> Any:
    return x if mask.all() else np.where(mask, x, y)


def _by_wronskian(b: Any, ratio: Any, x: Any, beyond: Any) -> tuple[Any]:
    """DLMF 12.2.11 with `U'(b, x) = -(x / 2 + (b + 1/2) ratio) U(b, x)`."""
    value, derivative = _start_of_u(-b - 0.5)
    other, other_derivative = _by_series(value, -derivative, -b - 0.5, x)
    return (
        math.sqrt(2 * math.pi) * special.rgamma(0.5 + b) / (other_derivative + (x / 2 + (b + 0.5) * ratio) * other),
    )


def _asymptotic(b: Any, ratio: Any, x: Any, beyond: Any) -> tuple[Any]:
    """DLMF 12.9.1."""
    term: Any = np.exp(beyond - x * x / 4 - (b + 0.5) * np.log(x))
    total = term
    for k in range(_ASYMPTOTIC_TERMS):
        term = term * (b + 2 * k + 0.5) * (b + 2 * k + 1.5) / (-2 * (k + 1) * x * x)
        total = total + term
    return (total,)


# the rules; the second output is the derivative of the first, and its own follows by the equation


def _weber(w: Any, v: Any, x: Any) -> Any:
    return w[1], (x * x / 4 - v - 0.5) * w[0]


rule(special.pbdv, "v x", parameter_derivative(parabolic_d, 0, "pbdv", "v"), _weber)
rule(special.pbvv, "v x", parameter_derivative(parabolic_v, 0, "pbvv", "v"), _weber)


_HIGHEST = 170.0
"""Of the orders of parabolic cylinder functions: beyond, the gamma functions in them overflow."""
_NEAR, _FARTHEST = 40.0, 75.0
"""Up to the first no function overflows or vanishes; beyond the second one all do."""


def _parabolic_domain(name: str) -> Callable[[Any, Any], Any]:
    """At 0 SciPy's closed form is exact at integer orders, and next to these has no right digit."""

    def domain(v: Any, x: Any) -> Any:
        size = np.abs(v)
        if np.any((size > _HIGHEST) & (size < np.inf)):
            warn(
                f"{name}: beyond |v| = {_HIGHEST:.0f} the values are SciPy's, some of which have no right digit, as "
                "gamma functions overflow there. Compute them with mpmath's pcfd, pcfu or pcfv."
            )
        is_right = x > 0 if name == "pbdv" else False
        is_near = (np.abs(x) <= _NEAR) | ((np.abs(x) <= _FARTHEST) & (_is_finite(v, x) | is_right))
        return (size <= _HIGHEST) & is_near & ((x != 0) | (v != np.rint(v)))

    return domain


pbdv = PatchedUfunc(special.pbdv, [(_parabolic_domain("pbdv"), parabolic_d)])
pbvv = PatchedUfunc(special.pbvv, [(_parabolic_domain("pbvv"), parabolic_v)])
