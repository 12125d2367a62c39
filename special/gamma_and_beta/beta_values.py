"""Values of the beta function and of binomial coefficients where SciPy's lose digits.

SciPy takes differences of large logarithms of gamma functions where `a + b > 171` or an argument is far on the left,
and loses the distance to a pole there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ..numerics.regions import by_region
from ..numerics.stirling_powers import stirling_series

_TERMS = 8
"""So many terms of Stirling's series are enough from 10 on."""
_WITHIN = 165.0
"""Up to there no gamma function overflows."""
LEAST_UPPER = 2e-6
"""From there on a positive `n` of a binomial coefficient is not tiny relative to `k`."""
FARTHEST = 140.0
"""Up to there SciPy's binomial coefficients of moderate `n` keep the digits of `n - k`."""


def _is_large(a: Any, b: Any) -> Any:
    """Where Stirling's formula holds for one argument and the sum, and SciPy's differences cancel."""
    return (a + b > 150) & (np.minimum(a, b) > -50)


def _is_no_pole(x: Any) -> Any:
    return (x > 0) | (x != np.rint(x))


def _is_left(a: Any, b: Any) -> Any:
    return ((a < 0) | (b < 0)) & _is_no_pole(a) & _is_no_pole(b)


def beta_domain(a: Any, b: Any) -> Any:
    """Where SciPy's values of the beta function, and those of its logarithm, are not used."""
    return _is_large(a, b) | _is_left(a, b) if np.any(np.minimum(a, b) < 0) else _is_large(a, b)


def _log_beta(a: Any, b: Any) -> Any:
    """`log(beta(a, b))` of positive arguments, and where they are `_is_large`."""
    return by_region([(_is_large(a, b), _log_of_large), (a == a, special.betaln)], a, b)


def _log_of_large(a: Any, b: Any) -> Any:
    """`log(abs(beta(a, b)))`: `gamma(a) / gamma(a + b)` by Stirling's formula, DLMF 5.11.1."""
    a, b = np.maximum(a, b), np.minimum(a, b)
    return by_region([(b >= 10, _both_large), (b == b, _one_large)], a, b)


def _rest(x: Any) -> Any:
    return stirling_series(x, _TERMS)


def _both_large(a: Any, b: Any) -> Any:
    ratio = b / a
    powers = (a - 0.5) * np.log1p(ratio) + b * np.log1p(1 / ratio)
    return _rest(a) + _rest(b) - _rest(a + b) + 0.5 * math.log(2 * math.pi) - 0.5 * np.log(b) - powers


def _one_large(a: Any, b: Any) -> Any:
    powers = b * np.log(a) - (b - (a + b - 0.5) * np.log1p(b / a))
    return special.gammaln(b) + (_rest(a) - _rest(a + b) - powers)


def sine(x: Any, y: Any = 0.0) -> Any:
    """`sin(pi (x + y))`, without the rounding of the sum."""
    integer = np.rint(x), np.rint(y)
    rest = (x - integer[0]) + (y - integer[1])
    nearest = np.rint(rest)
    is_odd = (np.fmod(integer[0], 2) + np.fmod(integer[1], 2) + nearest) % 2 != 0
    return np.where(is_odd, -1.0, 1.0) * np.sin(math.pi * (rest - nearest))


def _reflected(a: Any, b: Any, total: Any, *sines: Any) -> Any:
    """`log(abs(beta(a, b)))` and the sign, `a` or `b` negative, by the sines of `pi` times all three: DLMF 5.5.3."""

    def second(a: Any, b: Any, total: Any, *sines: Any) -> Any:
        return by_region([(total <= 0, lesser), (a == a, greater)], b, a, total, sines[1], sines[0], sines[2])

    def lesser(a: Any, b: Any, total: Any, *sines: Any) -> Any:
        return _with_sign(sines[2] / sines[0], _log_beta(b, 1 - total))

    def greater(a: Any, b: Any, total: Any, *sines: Any) -> Any:
        return _with_sign(math.pi / sines[0], -np.log(b) - _log_beta(1 - a, total))

    def both(a: Any, b: Any, total: Any, *sines: Any) -> Any:
        ratio = math.pi * sines[2] / (sines[0] * sines[1])
        return _with_sign(ratio, -np.log1p(-total) - _log_beta(1 - a, 1 - b))

    regions = [((a < 0) & (b < 0), both), (a > 0, second), (total <= 0, lesser), (a == a, greater)]
    return by_region(regions, a, b, total, *sines)


def _with_sign(factor: Any, log: Any) -> tuple[Any, Any]:
    return np.log(np.abs(factor)) + log, np.sign(factor)


def _is_near(a: Any, b: Any) -> Any:
    """Where no gamma function overflows."""
    return (np.abs(a) < _WITHIN) & (np.abs(b) < _WITHIN) & (np.abs(a + b) < _WITHIN)


def reciprocal_gamma(x: Any, y: Any) -> Any:
    """`1 / gamma(x + y)` without the rounding of the sum next to a pole, DLMF 5.5.3; `_is_near`."""
    total = x + y
    is_left = total < 0
    if not np.any(is_left):
        return special.rgamma(total)
    return np.where(is_left, sine(x, y) / math.pi * special.gamma(1 - total), special.rgamma(total))


def _product(a: Any, b: Any) -> Any:
    return special.gamma(a) * (special.gamma(b) * reciprocal_gamma(a, b))


def _far(a: Any, b: Any) -> Any:
    return _reflected(a, b, a + b, sine(a), sine(b), sine(a, b))


def beta_value(a: Any, b: Any) -> Any:
    """`gamma(a) gamma(b) / gamma(a + b)` in `beta_domain`."""

    def by_logarithm(a: Any, b: Any) -> Any:
        log, sign = _far(a, b)
        return sign * np.exp(log)

    large = _is_large(a, b), lambda a, b: special.gammasgn(np.minimum(a, b)) * np.exp(_log_of_large(a, b))
    return by_region([large, (_is_near(a, b), _product), (a == a, by_logarithm)], a, b)


def betaln_value(a: Any, b: Any) -> Any:
    """`log(abs(beta(a, b)))` there."""
    near = _is_near(a, b), lambda a, b: np.log(np.abs(_product(a, b)))
    return by_region([(_is_large(a, b), _log_of_large), near, (a == a, lambda a, b: _far(a, b)[0])], a, b)


def _has_few_factors(n: Any, k: Any) -> Any:
    """Where SciPy's binomial coefficients are products."""
    return (k == np.rint(k)) & ((k < 20) | ((n - k < 20) & (n > 0)))


def _is_binomial_left(n: Any, k: Any) -> Any:
    a, b = n - k + 1, k + 1
    return (n < 0) & (n != np.rint(n)) & _is_left(a, b) & ~_has_few_factors(n, k)


def _is_tiny(n: Any, k: Any) -> Any:
    """Where SciPy takes an expansion for `k` without end, which leaves 4e-9."""
    return (np.abs(n) < 1e-8 * k) & (k < _WITHIN) & (n != 0)


_NUMBERS = {float, int, np.float64}
_PLAIN = {*_NUMBERS, np.ndarray}
_INTEGER_DISTANCE = 1e-3
"""Of `k - n` from an integer: where it is less, SciPy's rounding of `n - k + 1` costs three digits of the sine."""


def _is_next_to_integer_distance(n: Any, k: Any) -> Any:
    """Where the coefficient has the factor `sin(pi (k - n))`, and that is small, but not 0."""
    distance = (k - np.rint(k)) - (n - np.rint(n))
    distance = abs(distance - np.rint(distance))
    return (n > -1) & (n < k - 0.5) & (distance < _INTEGER_DISTANCE) & (distance > 0)


def may_be_tiny(n: Any, k: Any) -> bool:
    """Whether it is of numbers, or may be of arrays; of others nobody asks."""
    kinds = {type(n), type(k)}
    if kinds <= _NUMBERS:
        if not -1 < n < k - 0.5 < _WITHIN:
            return False
        distance = math.remainder(math.remainder(k, 1.0) - math.remainder(n, 1.0), 1.0)
        return 0 < abs(distance) < _INTEGER_DISTANCE
    return kinds <= _PLAIN and bool((n < k - 0.5).any())


def is_far(n: Any, k: Any) -> Any:
    """Where `k` is so far beyond `n`, on either side, that `n - k` and its sine may lose the digits of `n`."""
    return (np.abs(k) > 2 * np.abs(n) + FARTHEST) & ((n > -1) | (n != np.rint(n)))


def binomial_domain(n: Any, k: Any) -> Any:
    """Where SciPy's binomial coefficients are not used; with few integer factors they are exact."""
    is_ours = is_far(n, k)
    if np.any(n < k - 0.5):
        is_ours = is_ours | _is_next_to_integer_distance(n, k)
    if np.any(n > 140):
        is_ours = is_ours | _is_large(n - k + 1, k + 1) & ~_has_few_factors(n, k)
    return is_ours | _is_binomial_left(n, k) | _is_tiny(n, k) if np.any(n < LEAST_UPPER) else is_ours


def _binomial_beyond(n: Any, k: Any) -> Any:
    """By the reflection DLMF 5.5.3 of the gamma functions at negative arguments.

    Right of `n > -1` it is `beta(n + 1, k - n) sin(pi (k - n)) / pi`, left of 0 `-beta(n + 1, -k) sin(pi k) / pi`; for
    other `n` it is `sin(pi (n - k)) / (sin(pi n) (k - n) beta(-n, k + 1))`, or the same with `n - k` for `k`.
    """

    def right(n: Any, k: Any) -> Any:
        return np.exp(_log_beta(n + 1, k - n)) * sine(k, -n) / math.pi

    def left(n: Any, k: Any) -> Any:
        return -np.exp(_log_beta(n + 1, -k)) * sine(k) / math.pi

    def negative_right(n: Any, k: Any) -> Any:
        return sine(n, -k) / sine(n) * np.exp(-_log_beta(-n, k + 1)) / (k - n)

    def negative_left(n: Any, k: Any) -> Any:
        return sine(k) / sine(n) * np.exp(-_log_beta(-n, n - k + 1)) / -k

    is_positive, is_right = n > -1, k > 0
    regions = [
        (is_positive & is_right, right),
        (is_positive, left),
        (is_right, negative_right),
        (~is_right, negative_left),
    ]
    return by_region(regions, n, k)


def binomial_value(n: Any, k: Any) -> Any:
    """`1 / ((n + 1) beta(n - k + 1, k + 1))`, DLMF 5.12.1, without the rounding of `n` next to a pole."""

    def large(n: Any, k: Any) -> Any:
        a, b = n - k + 1, k + 1
        return special.gammasgn(np.minimum(a, b)) * np.exp(-_log_of_large(a, b)) / (n + 1)

    def product(n: Any, k: Any) -> Any:
        return special.gamma(n + 1) * reciprocal_gamma(n + 1, -k) * special.rgamma(k + 1)

    def near_zero(n: Any, k: Any) -> Any:
        large = _is_large(n + 1, k - n), lambda a, b: np.exp(_log_of_large(a, b))
        return by_region([large, (k == k, special.beta)], n + 1, k - n) * sine(k, -n) / math.pi

    def far(n: Any, k: Any) -> Any:
        log, sign = _reflected(n - k + 1, k + 1, n + 2, -sine(n, -k), -sine(k), sine(n))
        return sign * np.exp(-log) / (n + 1)

    a, b = n - k + 1, k + 1
    beyond = _is_tiny(n, k) | is_far(n, k), _binomial_beyond
    near = _is_next_to_integer_distance(n, k), near_zero
    return by_region([beyond, near, (_is_large(a, b), large), (_is_near(a, b), product), (a == a, far)], n, k)
