"""Jacobi and Legendre functions of real degree, with their derivatives in degree and parameters.

`P_n = (alpha + 1)_n / n! phi_n` with `phi_n = F(-n, n + alpha + beta + 1; alpha + 1; z)`, `z = (1 - x) / 2`, DLMF
15.9.1 and 18.5.7 at real `n`. `phi` does not change when `n` becomes `-n - alpha - beta - 1`, so the degree may be
taken as the larger of both. Then `jacobi_series.py` gives `phi` at the fractional part `f` of the degree, DLMF 18.9.17
leads to `f + 1`, and the recurrence DLMF 18.9.2 up to the degree; `phi` is not the minimal solution, so that is stable,
but next to `x = -1` where `beta` is large. There the recurrence is used at a point on the way, and Taylor series of the
hypergeometric equation lead on.

A degree that is whole, and is not differentiated, needs the recurrence alone, everywhere. Degrees and parameters are
numbers, vectors or jets, and `x` is a vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gamma, loggamma, poch, rgamma

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.errors import NotDifferentiableError
from .jacobi_series import beginning, march
from .jet_vectors import joined, part, plain, replaced, split
from .jets import Jet, choose, exponential, log_gamma_rise, reciprocal_gamma
from .stirling_powers import stirling_series

__all__ = [
    "associated_legendre_function",
    "climb",
    "fraction",
    "gegenbauer_function",
    "jacobi_function",
    "legendre_function",
    "shifted_jacobi_function",
    "value_at_one",
]

_LARGE = 50.0
"""From this degree on by Stirling's series."""
_TERMS = 5
"""Of it, which are enough from `_LARGE / 2` on."""
_LOSS = 4.5
"""Where `(1 - z)**-abs(beta)` is more than the exponential of this the recurrence loses digits, and is not used."""
_CLOSE = 0.25
"""Where `n + alpha + beta + 1` is less, DLMF 18.9.17 loses digits."""


def jacobi_phi(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """`F(-n, n + alpha + beta + 1; alpha + 1; (1 - x) / 2)`."""
    is_polynomial = (plain(n) >= 0) & (plain(n) == np.floor(plain(n))) & (not isinstance(n, (Jet, Traced)))
    return split(is_polynomial, _polynomial, _function, n, alpha, beta, x)


def _polynomial(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    rise = (alpha + beta + 2.0) / (alpha + 1.0) * ((x - 1) / 2)
    return climb(n, _rise, (0.0, alpha, beta, x), rise * 0.0 + 1.0, rise)[0]


def _function(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    s = alpha + beta
    _check_domain(plain(alpha), plain(s), raw(x))
    is_low = 2 * plain(n) + plain(s) + 1 < 0
    if np.any(is_low):
        n = _where(is_low, -n - s - 1.0, n)
    whole = np.maximum(np.floor(plain(n)), 0.0)
    if not np.any(whole):
        return beginning(-n, n + (s + 1.0), alpha + 1.0, (1 - x) / 2, (1 + x) / 2)[0]
    rest = (1 + x) / 2
    way = np.log(np.maximum(np.abs(raw(rest)), 1e-300))
    way = np.abs(plain(beta)) * way
    too_far = (way < -_LOSS) & (whole > 0)
    if not np.any(too_far):
        return _upwards(n, whole, alpha, beta, x, rest)[0]
    (far,) = np.nonzero(too_far)
    share = np.where(too_far, -_LOSS / np.where(too_far, way, 1.0), 1.0)
    stop = np.where(too_far, np.exp(share * np.log(raw(rest))), rest)
    value, lower = _upwards(n, whole, alpha, beta, 2 * stop - 1, stop)
    n, alpha, beta, first, below, y = (part(p, far) for p in (n, alpha, beta, value, lower, raw(stop)))
    s, twice = alpha + beta, 2.0 * n + (alpha + beta)
    slope = ((alpha - beta) * first + twice * ((1 - 2 * y) * first) + 2.0 * (n + beta) * below) * n
    slope = slope / (twice * (-2 * y * (1 - y)))  # DLMF 18.9.17
    return replaced(value, far, march(-n, n + (s + 1.0), alpha + 1.0, first, slope, y, rest[far])[0])


def _upwards(n: Any, whole: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    """`phi_n` and `phi_(n-1)`."""
    f, s = fraction(n, whole), alpha + beta
    z, b = (1 - x) / 2, f + (s + 1.0)
    if isinstance(f, Jet) and f.orders == (1,) and type(f.value) is type(beta) is float and f.value == beta == 0:
        value, slope = f * np.log(rest) + 1.0, f * (-z / rest)  # (1 - z)**f
    else:
        value, slope = beginning(-f, b, alpha + 1.0, z, rest)
    own = (f, alpha, beta, x, rest, value, slope)
    above = split(plain(b) < _CLOSE, _next_by_series, _next_by_slope, *own)
    return climb(whole, _rise, (f, alpha, beta, x), value, above - value)


def _next_by_series(f: Any, alpha: Any, beta: Any, x: Any, rest: Any, value: Any, slope: Any) -> Any:
    return beginning(-f - 1.0, f + (alpha + beta + 2.0), alpha + 1.0, (1 - x) / 2, rest)[0]


def _next_by_slope(f: Any, alpha: Any, beta: Any, x: Any, rest: Any, value: Any, slope: Any) -> Any:
    """DLMF 18.9.17."""
    s = alpha + beta
    twice = 2.0 * f + (s + 2.0)
    above = ((alpha - beta) + twice * x) * value * 0.5 + twice * (slope / (f + (s + 1.0))) * rest
    return above / (f + (alpha + 1.0))


def _check_domain(alpha: Any, s: Any, x: Any) -> None:
    if np.any((np.imag(x) == 0) & (np.real(x) <= -1)):
        raise NotDifferentiableError(
            "a Jacobi function",
            "at x <= -1 it is on its branch cut, unless the degree is a constant whole number. Pass complex x to "
            "choose a side of the cut",
            "n",
        )
    if np.any((alpha <= -1) | (s <= -2)):
        raise NotDifferentiableError(
            "a Jacobi function", "of real degree it is computed for alpha > -1 and alpha + beta > -2 only", "n"
        )


def _where(mask: Any, first: Any, second: Any) -> Any:
    if not isinstance(first, Jet) and not isinstance(second, Jet):
        return np.where(mask, first, second)
    orders = (first if isinstance(first, Jet) else second).orders
    jets = [x if isinstance(x, Jet) else Jet({(0,) * len(orders): x}, orders) for x in (first, second)]
    return choose(mask, *jets)


def fraction(n: Any, whole: Any) -> Any:
    """The fractional part; where it is 0 everywhere, its value is a number, which makes coefficients numbers."""
    f = n - whole
    if isinstance(f, Jet) and not isinstance(f.value, Traced) and not np.any(f.value):
        return Jet({**f.coefficients, (0,) * len(f.orders): 0.0}, f.orders)
    return f


def _rise(k: int, parameters: Any, value: Any, before: Any) -> Any:
    """From the degree `f + k`: DLMF 18.9.2 for the differences."""
    f, alpha, beta, x = parameters
    m = f + float(k)
    twice = 2.0 * m + (alpha + beta)
    ratio = (twice + 2.0) / ((m + (alpha + 1.0)) * (m + (alpha + beta + 1.0)))
    return ratio * (twice + 1.0) * ((x - 1) / 2 * value) + ratio * (m * (m + beta) / twice) * before


def climb(whole: Any, next_rise: Any, parameters: Any, value: Any, rise: Any) -> tuple[Any, Any]:
    """The members `whole` steps above the first one of a sequence, and those one below.

    Parameters
    ----------
    whole : float or array
        Whole numbers.  Vectors are sorted by them, so that the elements that go on stand first.
    next_rise : callable
        `(k, parameters, value, before)`: from the member `k` the rise to the next one; `before` is the rise to it.
    parameters : tuple
        Numbers, vectors or jets.
    value, rise : array or Jet
        The first member, and the rise to the next one.
    """
    if np.ndim(whole) == 0:
        return _climb(int(whole), None, next_rise, parameters, (value, 0.0 * value, rise))[0]
    steps = whole.astype(np.int16)
    order = np.argsort(-steps, kind="stable")
    above = len(steps) - np.cumsum(np.bincount(steps))
    state = tuple(part(p, order) for p in (value, 0.0 * value, rise))
    pieces = _climb(int(steps.max()), above, next_rise, tuple(part(p, order) for p in parameters), state)
    values, lower = zip(*pieces, strict=True)
    return joined(values, order), joined(lower, order)


def _climb(top: int, above: Any, next_rise: Any, parameters: Any, state: Any) -> list[tuple[Any, Any]]:
    """All that arrive, those which went farthest first; `above[k]` elements go beyond `k`."""
    value, lower, rise = state
    arrived: list[tuple[Any, Any]] = []
    size = None if above is None else len(plain(value))
    for k in range(top):
        if size is not None and above[k] < size:
            size = above[k]
            arrived.append((part(value, slice(size, None)), part(lower, slice(size, None))))
            value, lower, rise = (part(p, slice(size)) for p in (value, lower, rise))
            parameters = tuple(part(p, slice(size)) for p in parameters)
        rise = next_rise(k, parameters, value, rise) if k else rise
        value, lower = value + rise, value
    return [(value, lower), *reversed(arrived)]


def value_at_one(n: Any, alpha: Any) -> Any:
    """`gamma(n + alpha + 1) / (gamma(alpha + 1) gamma(n + 1))`, DLMF 18.6.1."""
    if not isinstance(n, Jet) and not isinstance(alpha, Jet):
        return _plain_value_at_one(n, alpha)
    if not isinstance(n, (Jet, Traced)):
        return split(_is_short(n), _by_product, _by_gamma, n, alpha)
    if not isinstance(alpha, (Jet, Traced)):
        is_left = _is_short(alpha) & (plain(n) < 0)
        return split(is_left, lambda n, alpha: _by_product(alpha, n), _by_gamma, n, alpha)
    return _by_gamma(n, alpha)


def _is_short(n: Any) -> Any:
    return (n >= 0) & (n == np.floor(n)) & (n <= _LARGE)


def _by_product(n: Any, alpha: Any) -> Any:
    """The product of `1 + alpha / k` up to the degree."""

    def rise(k: int, parameters: Any, value: Any, before: Any) -> Any:
        return parameters[0] * value * (1 / (k + 1))

    return climb(n, rise, (alpha,), 0.0 * alpha + 1.0, alpha)[0]


def _by_gamma(n: Any, alpha: Any) -> Any:
    is_right = (plain(n) > -1) & (plain(alpha) > -1) & (plain(n) + plain(alpha) > -1)
    return split(is_right & (plain(n) + 0 * plain(alpha) > -1), _by_logarithm, _by_reciprocals, n, alpha)


def _by_logarithm(n: Any, alpha: Any) -> Any:
    """The value, and its logarithmic derivatives by those of the gamma function."""
    value = _plain_value_at_one(_value(n), _value(alpha))
    exponent = log_gamma_rise(n + (alpha + 1.0))
    for x in (n, alpha):
        if isinstance(x, Jet):
            exponent = exponent - log_gamma_rise(x + 1.0)
    return exponential(exponent) * value


def _by_reciprocals(n: Any, alpha: Any) -> Any:
    inverses = [reciprocal_gamma(x + 1.0) if isinstance(x, Jet) else rgamma(x + 1.0) for x in (n, alpha)]
    return inverses[0] * inverses[1] / reciprocal_gamma(n + (alpha + 1.0))


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Jet) else x


def _plain_value_at_one(n: Any, alpha: Any) -> Any:
    is_moderate = (np.abs(raw(n)) < _LARGE) & (np.abs(raw(alpha)) < _LARGE) & (raw(n) + raw(alpha) > -0.5)
    return split(is_moderate, _of_moderate, _of_any, n, alpha)


def _of_moderate(n: Any, alpha: Any) -> Any:
    return gamma(n + (alpha + 1)) * (rgamma(alpha + 1) * rgamma(n + 1))


def _of_any(n: Any, alpha: Any) -> Any:
    """At a large degree by the difference of two of Stirling's series, DLMF 5.11.3, without the parts that cancel."""
    swapped = raw(alpha).real > raw(n).real
    top, low = np.where(swapped, alpha, n), np.where(swapped, n, alpha)
    is_large = (raw(top).real > _LARGE) & (raw(low).real > -_LARGE / 2)
    z, a = np.where(is_large, top + 1, 2 * _LARGE), np.where(is_large, low, 0.0)
    difference = stirling_series(z + a, _TERMS) - stirling_series(z, _TERMS)
    exponent = (z - 0.5) * np.log1p(a / z) + a * (np.log(z + a) - 1) + difference
    is_huge = raw(a).real > 2 * _LARGE
    by_two = np.exp(exponent - loggamma(np.where(is_huge, a + 1, 1.0))) * rgamma(np.where(is_huge, 1.0, a + 1))
    m, b = np.where(is_large, 0.0, n), np.where(is_large, 0.0, alpha)
    by_one = _rising(b + 1, m) * rgamma(m + 1)
    by_one = np.where(np.isnan(by_one), poch(m + 1, b) * rgamma(b + 1), by_one)  # where both are negative integers
    return np.where(is_large, by_two, by_one)


def _rising(z: Any, n: Any) -> Any:
    """`gamma(z + n) / gamma(z)`, also where both are infinite."""
    is_small = raw(z + 0 * n) < 1
    small = gamma(np.where(is_small, z + n, 1.0)) * rgamma(np.where(is_small, z, 1.0))
    return np.where(is_small, small, poch(np.where(is_small, 1.0, z), n))


def legendre_function(n: Any, x: Any) -> Any:
    """Legendre's function of the first kind, DLMF 14.3.1."""
    return jacobi_phi(n, 0.0, 0.0, x)


def jacobi_function(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Jacobi's function of real degree."""
    return jacobi_phi(n, alpha, beta, x) * value_at_one(n, alpha)


def gegenbauer_function(n: Any, alpha: Any, x: Any) -> Any:
    """Gegenbauer's function of real degree, DLMF 15.9.2."""
    is_small = (np.abs(plain(alpha)) < 0.5) & (plain(n) != 0)
    at_one = split(is_small, _at_one_of_small, lambda n, alpha: value_at_one(n, 2.0 * alpha - 1.0), n, alpha)
    return jacobi_phi(n, alpha - 0.5, alpha - 0.5, x) * at_one


def _at_one_of_small(n: Any, alpha: Any) -> Any:
    """`(2 alpha)_n / n!`, where `2 alpha - 1` has lost digits of `alpha`."""
    return value_at_one(n, 2.0 * alpha) * (2.0 * alpha) / (n + 2.0 * alpha)


def shifted_jacobi_function(n: Any, p: Any, q: Any, x: Any) -> Any:
    """`n! gamma(n + p) / gamma(2 n + p)` times Jacobi's function of `n, p - q, q - 1, 2 x - 1`."""
    factor = value_at_one(n, p - q) / value_at_one(n, n + p - 1.0)
    return jacobi_phi(n, p - q, q - 1.0, 2 * x - 1) * factor


def associated_legendre_function(m: Any, v: Any, x: Any) -> Any:
    """Ferrers' function of the first kind, of whole order and real degree; DLMF 14.3.1 and 14.9.3."""
    order = np.abs(m)
    is_low = plain(v) < -0.5
    v = _where(is_low, -1.0 - v, v) if np.any(is_low) else v
    value = jacobi_phi(v, order, -order, x) * (((1 - x) / (1 + x)) ** (order / 2) * rgamma(order + 1))
    for k in range(1, int(np.max(m, initial=0)) + 1):
        factor = -(v + float(k)) * (v + (1.0 - k))
        value = value * _where(m >= k, factor, 1.0)
    return value
