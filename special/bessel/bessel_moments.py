"""Derivatives of `besselpoly(a, lmb, nu) = int_0^1 t**lmb J_nu(2 a t) dt` in its exponent and its order.

Near 0 it is its power series; further out, at orders that are not negative, a series of Bessel functions.  Other orders
are, above the argument, integrated as they stand; and elsewhere, with `z = 2 a`,
`z**(lmb + 1) y = int_0^inf t**lmb J_nu(t) dt - Re int_z^inf t**lmb H1_nu(t) dt`: the first integral is a quotient of
gamma functions (DLMF 10.22.43), the second falls exponentially upwards from `z`, where Gauss and Laguerre's rule sums
it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from ..numerics.few_elements import with_numbers
from ..numerics.hypergeometric_series import dense, sparse
from ..numerics.jets import Jet, choose, exponential, log_gamma, power, reciprocal_gamma, sine_of_pi, variables
from ..numerics.regions import by_region
from ..numerics.warned import warn
from ..ufuncs.parameter_families import ParameterFamily
from .bessel_order import bessel_jet

_FAR = 128.0
_LOWEST = -1000.0
"""The lowest order: the power series begins with as many terms."""
_LARGE = 100.0
"""From this order on powers and gamma functions are exponentials of one sum: each alone may underflow."""
_EDGES = [2.0**e for e in range(11)]
"""Between two of these the series of Bessel functions has the same number of terms; beyond it has too many.

From `_FAR` on it is used for large exponents alone, where the integral to infinity is far larger.
"""


def _bessel_moments(parameters: Sequence[Jet], a: Any, m: int) -> Jet:
    """The derivative of order `m` in `a`, by `a y' = J_nu(2 a) - (lmb + 1) y` and its derivatives.

    At orders that are negative integers and not differentiated it is had from `J_(-n) = (-1)**n J_n`.
    """
    lmb, nu = parameters
    orders = lmb.orders
    is_reflected = (nu.value < 0) & (nu.value == np.round(nu.value)) & (orders[1] == 0)
    if np.any(is_reflected):
        positive = np.where(is_reflected, -nu.value, nu.value)
        sign = np.where(is_reflected & (positive % 2 == 1), -1.0, 1.0)
        return _bessel_moments(variables(orders, lmb.value, positive), a, m) * sign

    def kernel(method: Any) -> Any:
        return lambda lmb, nu, a: dense(method(*variables(orders, lmb, nu), a))

    def by_parts(lmb: Any, nu: Any, a: Any) -> Any:
        parameters = variables(orders, lmb, nu)
        lower = _bessel_moments(parameters, a, m - 1)
        return dense((_derivative_of_bessel(parameters[1], a, m - 1) - lower * (parameters[0] + float(m))) / a)

    order = nu.value
    size = np.abs(a)
    is_near = (size <= 3) | (a * a <= 3 * (np.abs(order) + 1))
    has_series_of_bessel = (
        (order >= 0) & (lmb.value + order > -1) & ((a <= _FAR) | (lmb.value > _LARGE) & (a <= _EDGES[-1]))
    )
    is_near &= ~has_series_of_bessel | (a <= 0.5) | (4 * a * a <= order)
    is_continued = (order >= 2 * a) & (lmb.value + order <= -1)
    is_near |= is_continued & (a * a <= 6 * (order + 1))
    regions = [
        (~((a >= 0) & (order >= _LOWEST)), _not_known(orders)),
        (is_near, lambda lmb, nu, a: _series(*variables(orders, lmb, nu), a, m)),
        ((a > 0) & (m > 0), by_parts),
        *[(has_series_of_bessel & (a <= edge), kernel(_by_bessel_functions)) for edge in _EDGES],
        (is_continued, lambda *args: _warned(_not_known(orders)(*args))),
        (order >= 2 * a, kernel(_finite_integral)),
        ((lmb.value + order < -_LARGE) & (order - lmb.value > 0), kernel(_by_steep_tail)),
        (a >= 0, kernel(_by_tail)),
    ]
    return sparse(by_region(regions, lmb.value, order, a), orders)


def _warned(w: Any) -> Any:
    """It, with a warning."""
    warn(
        "besselpoly: the result may have lost digits, or is NaN: lmb + nu <= -1 and nu and a are large, or a > 1000 "
        "and lmb is large. Use mpmath there."
    )
    return w


def _not_known(orders: Sequence[int]) -> Any:
    return lambda lmb, nu, a: [a * np.nan] * math.prod(n + 1 for n in orders)


def _power(nu: Jet, a: Any, m: int = 0) -> Jet:
    """`a**(nu - m)`, of large orders over `gamma(nu + 1)`."""
    is_large = nu.value > _LARGE
    if not np.any(is_large):
        return power(a, nu - float(m))
    large = choose(is_large, nu, nu * 0.0 + _LARGE)
    found = exponential((large - float(m)) * np.log(a) - log_gamma(large + 1.0))
    return choose(is_large, found, power(a, choose(is_large, nu * 0.0, nu) - float(m)))


def _reciprocal(nu: Jet, k: int = 0, before: Jet | None = None) -> Jet:
    """`1 / gamma(nu + k + 1)`, of large orders times `gamma(nu + 1)`."""
    is_large = nu.value > _LARGE
    if not np.any(is_large):
        return reciprocal_gamma(nu + (k + 1.0))
    large = nu * 0.0 + 1.0 if before is None else before / (nu + float(k))
    return choose(is_large, large, reciprocal_gamma(choose(is_large, nu * 0.0, nu) + (k + 1.0)))


def _derivative_of_bessel(nu: Jet, a: Any, k: int) -> Jet:
    """The derivative of order `k` of `J_nu(2 a)`: `sum_j (-1)**j C(k, j) J_(nu - k + 2 j)(2 a)`, DLMF 10.6.7."""
    terms = [
        _bessel(nu, nu.value - k + 2 * j, 2 * a, "j", False) * ((-1.0) ** j * math.comb(k, j)) for j in range(k + 1)
    ]
    return sum(terms[1:], terms[0])


def _bessel(nu: Jet, order: Any, z: Any, kind: str, scaled: bool) -> Jet:
    coefficients = bessel_jet(order, z, kind, scaled, nu.orders[1])
    return Jet({(0, k): c for k, c in enumerate(coefficients)}, nu.orders)


def _series(lmb: Jet, nu: Jet, a: Any, m: int) -> list[Any]:
    """`sum_k (-1)**k a**(nu + 2 k) / (k! gamma(nu + k + 1) (lmb + nu + 2 k + 1))`, DLMF 10.2.2 integrated.

    It is differentiated `m` times in `a`, term by term.
    """
    is_zero = a == 0
    base = np.where(is_zero, 1.0, a)
    both = lmb + nu + 1.0
    lowest = int(np.max(np.maximum(np.ceil(-nu.value), 0.0), initial=0.0))
    weight: Any = 1.0
    total: Any = 0.0
    at_zero: Any = 0.0
    reciprocal: Any = None
    for k in range(max(40, lowest + 2)):
        reciprocal = _reciprocal(nu, k, reciprocal) if k <= lowest else reciprocal / (nu + float(k))
        term = reciprocal * weight / (both + 2.0 * k)
        for j in range(m):
            term = (nu + (2.0 * k - j)) * term
        total = term + total
        if k <= lowest + m:
            at_zero = term.map(lambda c, k=k: np.where(c == 0, 0.0, c * 0.0 ** (nu.value + (2 * k - m)))) + at_zero
        weight = weight * (-base * base / (k + 1))
    coefficients = dense(total * _power(nu, base, m))
    if not np.any(is_zero):
        return coefficients
    beyond = np.where(nu.value > m, 0.0, np.nan)
    limits = [at_zero.coefficients[i] if i[1] == 0 else beyond for i in np.ndindex(*(n + 1 for n in nu.orders))]
    return [np.where(is_zero, limit, c) for limit, c in zip(limits, coefficients, strict=True)]


def _by_bessel_functions(lmb: Jet, nu: Jet, a: Any) -> Jet:
    """`1 / (s z) sum_k (nu + 2 k + 1) (q)_k / (s + 1)_k J_(nu + 2 k + 1)(z)`, `s, q = (nu +- lmb + 1) / 2`.

    That is Abramowitz and Stegun 11.1.1.  The functions come from Miller's recurrence downwards (DLMF 10.74(iv)), with
    `(z / 2)**nu / gamma(nu + 1) = J_nu + sum_k (nu + 2 k) (nu + 1)_(k-1) / k! J_(nu + 2 k)` (DLMF 10.23.15); both sums
    are nested, so they go downwards with it.
    """
    z = 2 * a
    s, q = (nu + lmb + 1.0) * 0.5, (nu - lmb + 1.0) * 0.5
    pairs = _pairs(z)
    double = 2 / z
    above = nu * 0.0 + 0.0 * z
    current = above + 1e-150
    moment, norm = above, above
    for k in reversed(range(pairs)):
        order = nu + (2.0 * k + 1.0)
        scaled = order * current
        moment = scaled + (q + float(k)) / (s + (k + 1.0)) * moment
        current, above = scaled * double - above, current
        order = nu + 2.0 * k
        scaled = order * current
        if k:
            norm = scaled + (nu + float(k)) * norm * (1 / (k + 1))
            current, above = scaled * double - above, current
    return moment / (norm + current) / (s * z) * _power(nu, a) * _reciprocal(nu)


@with_numbers
def _by_plain_bessel_functions(a: Any, lmb: Any, nu: Any) -> Any:
    """The same sum of plain arrays, in place, or of numbers."""
    z = 2 * a
    s, q = (nu + lmb + 1) / 2, (nu - lmb + 1) / 2
    pairs = _pairs(z)
    double = 2 / z
    above, current, moment, norm = 0 * z, 0 * z + 1e-150, 0 * z, 0 * z
    order, rising = nu + (2 * pairs - 1), nu + (pairs - 1)
    q += pairs - 1
    s_after = s + pairs
    for k in reversed(range(pairs)):
        scaled = order * current
        moment *= q / s_after
        moment += scaled
        scaled *= double
        scaled -= above
        current, above = scaled, current
        order -= 1
        if k:
            scaled = order * current
            norm *= rising * (1 / (k + 1))
            norm += scaled
            scaled *= double
            scaled -= above
            current, above = scaled, current
            order -= 1
            rising -= 1
            q -= 1
            s_after -= 1
        found = moment / (norm + current) / (s * z)
    if np.max(nu) <= _LARGE:
        return found * (a**nu * special.rgamma(nu + 1))
    return found * np.exp(nu * np.log(a) - special.gammaln(nu + 1))


def _pairs(z: Any) -> int:
    """From how many pairs of orders the recurrence starts."""
    highest = float(np.max(z, initial=0.0))
    return math.ceil(highest / 2 + 4 * highest ** (1 / 3) + 9)


@cache
def _legendre() -> list[tuple[float, float]]:
    nodes, weights = np.polynomial.legendre.leggauss(40)
    return [((1 + float(t)) / 2, float(w) / 2) for t, w in zip(nodes, weights, strict=True)]


def _finite_integral(lmb: Jet, nu: Jet, a: Any) -> Jet:
    """`int_0^1 t**lmb J_nu(2 a t) dt`, the order so large that nearly nothing oscillates."""
    total: Any = 0.0
    for t, weight in _legendre():
        total = power(t, lmb) * weight * _bessel(nu, nu.value, 2 * a * t, "j", False) + total
    return total


@cache
def _laguerre() -> list[tuple[float, float]]:
    nodes, weights = np.polynomial.laguerre.laggauss(40)
    return [(float(u), float(w)) for u, w in zip(nodes, weights, strict=True)]


def _tail(lmb: Jet, nu: Jet, z: Any) -> Jet:
    """`Re int_z^inf t**lmb H1(t) dt / z**(lmb + 1)`, on `t = z + i c u` where `exp(i t) t**lmb` begins as `exp(-u)`.

    At `lmb >= 0` that line goes upwards, and the farther to the right the less `lmb` is.
    """
    direction = 1 / (1 - 1j * np.minimum(lmb.value, 0.0) / z)
    total: Any = 0.0
    for u, weight in _laguerre():
        step = 1j * direction * u
        scale = weight * np.exp(u + 1j * step)
        total = power(1 + step / z, lmb) * scale * _bessel(nu, nu.value, z + step, "h1", True) + total
    return (total * (1j * direction * np.exp(1j * z) / z)).map(np.real)


def _by_tail(lmb: Jet, nu: Jet, a: Any) -> Jet:
    quotient = reciprocal_gamma((nu + lmb + 1.0) * 0.5).reciprocal() * reciprocal_gamma((nu - lmb + 1.0) * 0.5)
    complete = quotient * exponential(lmb * math.log(2)) * power(2 * a, -lmb - 1.0)
    return complete - _tail(lmb, nu, 2 * a)


def _by_steep_tail(lmb: Jet, nu: Jet, a: Any) -> Jet:
    """The same at very negative exponents, the first gamma function reflected, DLMF 5.5.3."""
    above, below = (nu + lmb + 1.0) * 0.5, (nu - lmb + 1.0) * 0.5
    size = exponential(-lmb * np.log(a) - log_gamma(1.0 - above) - log_gamma(below))
    return size * sine_of_pi(above).reciprocal() * (math.pi / (2 * a)) - _tail(lmb, nu, 2 * a)


BESSEL_MOMENTS = ParameterFamily(_bessel_moments, 2, at_once=1 << 16)


def moment(a: Any, lmb: Any, nu: Any) -> Any:
    """`besselpoly` of vectors with `a > 2`; where there is no other value SciPy's, if its series does not cancel."""
    has_series = (nu >= 0) & (nu < 4 * a * a) & (lmb + nu > -1)
    regions = [(has_series & (a <= edge), _by_plain_bessel_functions) for edge in _EDGES[2:8]]
    return by_region([*regions, (a > 0, _other_moment)], a, lmb, nu)


def _other_moment(a: Any, lmb: Any, nu: Any) -> Any:
    value = BESSEL_MOMENTS.value(lmb, nu, a)
    is_unknown = ~np.isfinite(value)
    if not np.any(is_unknown):
        return value
    is_near = a * a <= nu
    if np.any(is_unknown & ~is_near):
        value = _warned(value)
    return np.where(is_unknown & is_near, special.besselpoly(a, lmb, nu), value)
