"""Jacobi and Legendre functions of real degree, with their derivatives in degree and parameters.

`P_n = (alpha + 1)_n / n! phi_n` with `phi_n = F(-n, n + alpha + beta + 1; alpha + 1; z)`, `z = (1 - x) / 2`, DLMF
15.9.1 and 18.5.7 at real `n`. `phi` does not change when `n` becomes `-n - alpha - beta - 1`, so the degree may be
taken as the larger of both. Then `jacobi_series.py` gives `phi` at the fractional part `f` of the degree, DLMF 18.9.17
leads to `f + 1`, and the recurrence DLMF 18.9.2 up to the degree; `phi` is not the minimal solution, so that is stable,
but next to `x = -1` where `beta` is large. There the recurrence is used at a point between -1 and 1, and
Taylor series of the hypergeometric equation lead on, at complex `x` on the path of `jacobi_saddle.py`.

An integer degree that is not differentiated needs the recurrence alone, everywhere. Degrees and parameters are
numbers, vectors or jets, and `x` is a vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import rgamma

from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import Traced, raw
from ...numerics.jets import Jet, choose
from ...numerics.regions import beside_cut, by_region, is_near_pole, part, plain, replaced
from .degree_climb import climb, fraction
from .jacobi_saddle import lower_turning_point, path_around
from .jacobi_series import beginning, keeps_degree_digits, log_of_rest, march
from .values_at_one import value_at_one

_LOSS = 4.5
"""Where `(1 - z)**-abs(beta)` is more than the exponential of this, and left of the turning point of the first degree,
the recurrence loses digits, and is not used."""
_STEEP = 8.0
"""From this `beta` on complex arguments left of the lower turning point are reached through it."""
_LOWEST = -1.5
"""At lower degrees the turning points are not real, and there is no such path."""
_DETOUR = 5.0
"""There the other one, by the size of `1 + x`, loses the exponential of its last rise, which is at most this."""
_NARROW = 1e-6
"""Where `alpha + 1` is less, a derivative in `alpha` is a small difference of large numbers, and NaN."""
_NEAR_POLE = 0.01
"""So near to an integer, not above 0, these are `alpha + 1` and `alpha + beta + 2`."""
_CLOSE = 0.25
"""Where `n + alpha + beta + 1` is less, DLMF 18.9.17 loses digits."""


def jacobi_phi(n: Any, alpha: Any, beta: Any, x: Any, rest: Any = None) -> Any:
    """`F(-n, n + alpha + beta + 1; alpha + 1; (1 - x) / 2)`; `rest` is `(1 + x) / 2`, where that has more digits."""
    rest = (1 + x) / 2 if rest is None else rest
    if isinstance(alpha, Jet) and alpha.nilpotent().coefficients:
        rest = np.where(raw(plain(alpha)) + 1 < _NARROW, np.nan, rest)
    if isinstance(n, Jet) and n.nilpotent().coefficients:
        rest = np.where(keeps_degree_digits(raw(plain(alpha)), raw(plain(beta))), rest, np.nan)
    is_polynomial = (plain(n) >= 0) & (plain(n) == np.floor(plain(n))) & (not isinstance(n, (Jet, Traced)))
    return by_region([(is_polynomial, _polynomial), (True, _function)], n, alpha, beta, x, rest)


def _polynomial(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    """By recurrence, whose derivatives lose all digits where one of its denominators is next to 0: NaN."""
    first = raw(plain(alpha)) + 1
    is_near = is_near_pole(first, _NEAR_POLE) | is_near_pole(first + raw(plain(beta)) + 1, _NEAR_POLE)
    x = np.where(is_near, np.nan, x) if np.any(is_near) else x
    rise = (alpha + beta + 2.0) / (alpha + 1.0) * ((x - 1) / 2)
    return climb(n, _rise, (0.0, alpha, beta, x), rise * 0.0 + 1.0, rise)[0]


def _function(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    s = alpha + beta
    _check_domain(plain(alpha), plain(s), raw(rest), raw(x))
    if x.dtype.kind == "c":
        x, moved = beside_cut(x, -1.0), x
        rest = rest + (x - moved) / 2
    is_low = 2 * plain(n) + plain(s) + 1 < 0
    if np.any(is_low):
        n = _where(is_low, -n - s - 1.0, n)
    is_left = is_steep(plain(n), plain(alpha), plain(beta), raw(x))
    return by_region([(is_left, _by_turning_point), (True, _from_right)], n, alpha, beta, x, rest)


def is_steep(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Whether plain complex arguments are next to -1, or beyond it, and `beta` is large."""
    if x.dtype.kind != "c":
        return np.False_
    is_large = (beta >= _STEEP) & (x == x)
    if not np.any(is_large):
        return is_large
    y = (1 + x) / 2
    is_left = y.real <= lower_turning_point(n, alpha, np.maximum(beta, _STEEP))
    detour = np.maximum(alpha, 0.0) * np.log(np.abs(1 - y) / (1 - np.abs(y)))
    return is_large & is_left & ((n >= _LOWEST) | ~(detour <= _DETOUR))


def _by_turning_point(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    return by_region([(plain(n) < _LOWEST, _unknown), (True, _around)], n, alpha, beta, x, rest)


def _unknown(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    return (n + (alpha + beta)) * (x * np.nan)


def _around(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    return by_region([(plain(n) < 1, _around_from_series), (True, _around_from_recurrence)], n, alpha, beta, x, rest)


def _around_from_series(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    y, parameters = _real_start(n, alpha, beta, x)
    numbers = -n, n + (alpha + beta + 1.0), alpha + 1.0
    value, rise = beginning(*numbers, 1 - y, y)
    return path_around(numbers, value, rise / (1 - y), parameters, y, rest)


def _around_from_recurrence(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    y, parameters = _real_start(n, alpha, beta, x)
    numbers = -n, n + (alpha + beta + 1.0), alpha + 1.0
    value, lower = _upwards(n, np.floor(plain(n)), alpha, beta, 2 * y - 1, y)
    return path_around(numbers, value, _derivative(n, alpha, beta, value, lower, y), parameters, y, rest)


def _real_start(n: Any, alpha: Any, beta: Any, x: Any) -> tuple[Any, Any]:
    """Where the recurrence keeps its digits, and not left of the turning point; and the plain parameters."""
    parameters = plain(n), plain(alpha), plain(beta)
    y = np.maximum(np.exp(-_LOSS / parameters[2]), lower_turning_point(*parameters))
    return y + 0.0 * np.real(raw(x)), parameters


def _from_right(n: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    s = alpha + beta
    integer = np.maximum(np.floor(plain(n)), 0.0)
    if not np.any(integer):
        return beginning(-n, n + (s + 1.0), alpha + 1.0, (1 - x) / 2, rest)[0]
    size = np.maximum(np.abs(raw(rest)), 1e-300)
    log_size = np.abs(plain(beta)) * np.log(size)
    too_far = (log_size < -_LOSS) & (integer > 0)
    if np.any(too_far):
        turning_point = _turning_point(n, integer, alpha, beta)
        too_far = too_far & (size < turning_point)
    if not np.any(too_far):
        return _upwards(n, integer, alpha, beta, x, rest)[0]
    (far,) = np.nonzero(too_far)
    share = np.where(too_far, -_LOSS / np.where(too_far, log_size, 1.0), 1.0)
    stop = np.where(too_far, np.minimum(size**share, turning_point), rest)
    value, lower = _upwards(n, integer, alpha, beta, 2 * stop - 1, stop)
    return replaced(value, far, _onwards(*(part(p, far) for p in (n, alpha, beta, value, lower, raw(stop), rest))))


def _turning_point(n: Any, integer: Any, alpha: Any, beta: Any) -> Any:
    """The lower one of the first degree of the recurrence: to its right no function of either end outgrows the other.

    That is for positive `beta`.
    """
    first = lower_turning_point(plain(n) - integer, plain(alpha), np.maximum(plain(beta), _CLOSE))
    return np.where(plain(beta) > _CLOSE, first, 1.0)


def _onwards(n: Any, alpha: Any, beta: Any, value: Any, lower: Any, y: Any, rest: Any) -> Any:
    """From `y` between 0 and 1 to `rest`, through its modulus: around 0 solutions may grow, but do not fall."""
    derivative = _derivative(n, alpha, beta, value, lower, y)
    numbers = -n, n + (alpha + beta + 1.0), alpha + 1.0
    if rest.dtype.kind == "c":
        size = np.abs(raw(rest)) + 0j
        value, derivative = march(*numbers, value, derivative, y, size)
        y = size
    return march(*numbers, value, derivative, y, rest)[0]


def _derivative(n: Any, alpha: Any, beta: Any, value: Any, lower: Any, y: Any) -> Any:
    """The derivative in `1 - y`, from `phi_n` and `phi_(n-1)`: DLMF 18.9.17."""
    twice = 2.0 * n + (alpha + beta)
    derivative = ((alpha - beta) * value + twice * ((1 - 2 * y) * value) + 2.0 * (n + beta) * lower) * n
    return derivative / (twice * (-2 * y * (1 - y)))


def _upwards(n: Any, integer: Any, alpha: Any, beta: Any, x: Any, rest: Any) -> Any:
    """`phi_n` and `phi_(n-1)`."""
    f, s = fraction(n, integer), alpha + beta
    z, b = (1 - x) / 2, f + (s + 1.0)
    if isinstance(f, Jet) and f.orders == (1,) and type(f.value) is type(beta) is float and f.value == beta == 0:
        value, derivative = f * log_of_rest(z, rest) + 1.0, f * (-z / rest)  # (1 - z)**f
    else:
        value, derivative = beginning(-f, b, alpha + 1.0, z, rest)
    own = (f, alpha, beta, x, rest, value, derivative)
    rise = by_region([(plain(b) < _CLOSE, _first_rise_by_series), (True, _first_rise)], *own)
    return climb(integer, _rise, (f, alpha, beta, x), value, rise)


def _first_rise_by_series(f: Any, alpha: Any, beta: Any, x: Any, rest: Any, value: Any, derivative: Any) -> Any:
    return beginning(-f - 1.0, f + (alpha + beta + 2.0), alpha + 1.0, (1 - x) / 2, rest)[0] - value


def _first_rise(f: Any, alpha: Any, beta: Any, x: Any, rest: Any, value: Any, derivative: Any) -> Any:
    """`phi_(f + 1) - phi_f`, DLMF 18.9.17 for the difference, which has all its digits next to `x = 1`."""
    s = alpha + beta
    change = derivative / (f + (s + 1.0)) * rest - (1 - x) / 2 * value
    return (2.0 * f + (s + 2.0)) * change / (f + (alpha + 1.0))


def _check_domain(alpha: Any, s: Any, rest: Any, x: Any) -> None:
    if np.any((rest == 0) if x.dtype.kind == "c" else rest <= 0):
        raise NotDifferentiableError(
            "a Jacobi function",
            "at x <= -1 it is on its branch cut, unless the degree is a constant integer. Pass x < -1 as a complex "
            "number: the sign of its imaginary part, of 0 too, chooses a side of the cut",
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


def _rise(k: int, parameters: Any, value: Any, before: Any) -> Any:
    """From the degree `f + k`: DLMF 18.9.2 for the differences."""
    f, alpha, beta, x = parameters
    m = f + float(k)
    twice = 2.0 * m + (alpha + beta)
    ratio = (twice + 2.0) / ((m + (alpha + 1.0)) * (m + (alpha + beta + 1.0)))
    return ratio * (twice + 1.0) * ((x - 1) / 2 * value) + ratio * (m * (m + beta) / twice) * before


def legendre_function(n: Any, x: Any) -> Any:
    """Legendre's function of the first kind, DLMF 14.3.1."""
    return jacobi_phi(n, 0.0, 0.0, x)


def shifted_legendre_function(n: Any, x: Any) -> Any:
    """Legendre's of `2 x - 1`."""
    return jacobi_phi(n, 0.0, 0.0, 2 * x - 1, x)


def jacobi_function(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Jacobi's function of real degree."""
    return jacobi_phi(n, alpha, beta, x) * value_at_one(n, alpha)


def gegenbauer_function(n: Any, alpha: Any, x: Any) -> Any:
    """Gegenbauer's function of real degree, DLMF 15.9.2."""
    is_small = (np.abs(plain(alpha)) < 0.5) & (plain(n) != 0)
    at_one = by_region(
        [(is_small, _at_one_of_small), (True, lambda n, alpha: value_at_one(n, 2.0 * alpha - 1.0))], n, alpha
    )
    return jacobi_phi(n, alpha - 0.5, alpha - 0.5, x) * at_one


def _at_one_of_small(n: Any, alpha: Any) -> Any:
    """`(2 alpha)_n / n!`, where `2 alpha - 1` has lost digits of `alpha`."""
    return value_at_one(n, 2.0 * alpha) * (2.0 * alpha) / (n + 2.0 * alpha)


def associated_legendre_function(m: Any, v: Any, x: Any) -> Any:
    """Ferrers' function of the first kind, of integer order and real degree; DLMF 14.3.1 and 14.9.3."""
    order = np.abs(m)
    is_low = plain(v) < -0.5
    v = _where(is_low, -1.0 - v, v) if np.any(is_low) else v
    value = jacobi_phi(v, order, -order, x) * (((1 - x) / (1 + x)) ** (order / 2) * rgamma(order + 1))
    for k in range(1, int(np.max(m, initial=0)) + 1):
        factor = -(v + float(k)) * (v + (1.0 - k))
        value = value * _where(m >= k, factor, 1.0)
    return value
