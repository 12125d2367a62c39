"""Quotients of gamma functions: beta, binomial coefficients and Pochhammer's symbol."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special
from scipy.special import digamma, gamma, rgamma

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import by_region, in_double
from ..ufuncs.parameters import flat
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import of_arguments, up_to
from ..ufuncs.ufunc_rules import Partial, pointwise, rule
from .beta_values import (
    FARTHEST,
    LEAST_UPPER,
    beta_domain,
    beta_value,
    betaln_value,
    binomial_domain,
    binomial_value,
    is_far,
    may_be_tiny,
)
from .digamma_differences import (
    digamma_by_pole,
    digamma_difference,
    polygamma_of,
    reciprocal_derivative,
    trigamma_difference,
)
from .product_derivatives import binomial_product_derivative, have_few_factors, rising_product_derivative
from .rising_factorials import MOST, NEAREST, rising_domain, rising_value

_WITHIN = 165.0
"""Up to there no gamma function overflows."""
_BESIDE = 0.1
"""Of the distance of the arguments to their poles: nearer to a pole of its own, the sum is next to it."""

# the second derivatives of beta have own forms: B (D**2 - (polygamma(1, a + b) - polygamma(1, a))) with
# D = digamma(a + b) - digamma(a), and across B (D(a, b) D(b, a) - polygamma(1, a + b))


def _across(a: Any, b: Any) -> Any:
    """`D(a, b) D(b, a) - polygamma(1, a + b)`; next to a zero argument by the series of the one `D` that is small."""
    is_second = np.abs(raw(b)) < np.abs(raw(a))
    near, y = np.where(is_second, b, a), a + b
    is_near = np.abs(raw(near)) < 1e-3 * np.minimum(1.0, np.abs(raw(y)))
    plain = digamma_difference(a, b) * digamma_difference(b, a) - polygamma_of(y, n=1)
    if not np.any(is_near):
        return plain
    near, y = np.where(is_near, near, 1e-4), np.where(is_near, y, 1.0)
    rest: Any = 0.0
    for n in (5, 4, 3, 2):
        rest = near * ((-1) ** (n + 1) / math.factorial(n) * polygamma_of(y, n=n) + rest)
    first = near * (polygamma_of(y, n=1) + rest)
    return np.where(is_near, rest + first * (digamma(y) - digamma(1 + near)), plain)


def _beta_along(derivative: Any, a: Any, b: Any, *, value: Any) -> Any:
    difference = digamma_difference(a, b)
    return beta(a, b) * (difference * difference - trigamma_difference(a, b))


@pointwise(_beta_along, lambda derivative, a, b, *, value: beta(a, b) * _across(a, b))
def _beta_derivative(a: Any, b: Any, *, value: Any) -> Any:
    """The derivative of beta in `a`."""
    return -value * digamma_difference(a, b)


rule(special.betaln, "a b", lambda w, a, b: -digamma_difference(a, b), lambda w, a, b: -digamma_difference(b, a))


# next to a pole of a gamma function in the denominator the value is small and its logarithmic derivative large, and in
# the product of the two the higher derivatives cancel; by reflection, DLMF 5.5.3, the small factor is a sine


def _reduced(x: Any, y: Any) -> tuple[Any, Any]:
    """The distance of `x + y` from the nearest integer, without the rounding of the sum, and the sign of that."""
    nearest = np.rint(raw(x)), np.rint(raw(y))
    distance = (x - nearest[0]) + (y - nearest[1])
    rest = np.rint(raw(distance))
    return distance - rest, 1 - 2 * np.abs(np.fmod(np.fmod(nearest[0], 2) + np.fmod(nearest[1], 2) + rest, 2))


def _sine(x: Any, y: Any = 0.0) -> Any:
    """`sin(pi (x + y))`, exactly 0 where the sum is an integer."""
    distance, sign = _reduced(x, y)
    return sign * np.sin(math.pi * distance)


def _cosine(x: Any, y: Any = 0.0) -> Any:
    """`cos(pi (x + y))`, exactly 0 half-way between whole sums."""
    distance, sign = _reduced(x, y)
    side = np.where(raw(distance) < 0, -1.0, 1.0)
    shifted = np.sin(math.pi * (0.5 - side * distance))
    return sign * np.where(np.abs(raw(distance)) > 0.25, shifted, np.cos(math.pi * distance))


def _of_regions(regions: Sequence[tuple[Any, Partial]], others: Partial, *args: Any) -> Any:
    """The formula of the first region that holds an element, or else another; of the value and the arguments."""
    if not any(np.any(mask) for mask, _ in regions):
        return others(*args)
    shape, vectors = flat(*args)
    masks = [(np.reshape(np.broadcast_to(mask, shape), (-1,)), formula) for mask, formula in regions]
    w = np.reshape(by_region([*masks, (True, others)], *vectors), shape)
    return w if w.dtype == args[0].dtype else w.astype(args[0].dtype)


def _binomial_derivative(w: Any, n: Any, k: Any, upper: bool) -> Any:
    """The derivative in `n`, or else in `k`.

    Left of 0 and right of `n`, `n > -1`, it is that of `beta(n + 1, k - n) sin(pi (k - n)) / pi` and of
    `-beta(n + 1, -k) sin(pi k) / pi`, DLMF 5.12.1.  For smaller `n` it is that of
    `sin(pi (n - k)) / sin(pi n) poch(-n, k) / gamma(k + 1)` for `k > -1`, or of the same with `n - k` for `k`; or that
    of a product, where both are negative.  Far out `poch(-n, k) / gamma(k + 1)` is `1 / ((k - n) beta(-n, k + 1))`.
    """

    def beyond(w: Any, n: Any, k: Any) -> Any:
        sine, cosine = _sine(k, -n) / math.pi, _cosine(k, -n)
        if upper:
            apart = raw(k) > 2 * raw(n) + FARTHEST
            near = digamma_difference(k - n, np.where(apart, 1.0, 2 * n - k + 1))
            return beta(n + 1, k - n) * (np.where(apart, digamma(n + 1) - digamma(k - n), near) * sine - cosine)
        return beta(n + 1, k - n) * (cosine - digamma_difference(k - n, n + 1) * sine)

    def below(w: Any, n: Any, k: Any) -> Any:
        sine, cosine = _sine(k) / math.pi, _cosine(k)
        if upper:
            return beta(n + 1, -k) * digamma_difference(n + 1, -k) * sine
        return -beta(n + 1, -k) * (digamma_difference(-k, n + 1) * sine + cosine)

    def of_sines(n: Any, k: Any, upper: bool) -> Any:
        sine, below = _sine(n, -k), _sine(n)
        if upper:
            return (math.pi * _sine(k) / below - sine * digamma_difference(-n, k)) / below
        return (sine * digamma_difference(k + 1, -n - 1) - math.pi * _cosine(n, -k)) / below

    def left(w: Any, n: Any, k: Any, upper: bool = upper) -> Any:
        return rgamma(k + 1) * poch(-n, k) * of_sines(n, k, upper)

    def far_right(w: Any, n: Any, k: Any) -> Any:
        return of_sines(n, k, upper) / ((k - n) * beta(-n, k + 1))

    def far_left(w: Any, n: Any, k: Any) -> Any:
        sine, below = _sine(k), _sine(n)
        if upper:
            derivative = sine * (digamma(-n) - digamma(n - k + 1) - math.pi * _cosine(n) / below)
        else:
            derivative = math.pi * _cosine(k) + sine * digamma_difference(-k, n + 1)
        return derivative / below / (-k * beta(-n, n - k + 1))

    def left_of_both(w: Any, n: Any, k: Any) -> Any:
        return left(w, n, n - k, True) + left(w, n, n - k, False) if upper else -left(w, n, n - k, False)

    def product(w: Any, n: Any, k: Any) -> Any:
        a, b = k + 1, n - k + 1
        first, second = rgamma(a), rgamma(b)
        if upper:
            return gamma(n + 1) * first * (digamma_by_pole(n + 1) * second + reciprocal_derivative(second, b))
        return gamma(n + 1) * (reciprocal_derivative(first, a) * second - first * reciprocal_derivative(second, b))

    def plain(w: Any, n: Any, k: Any) -> Any:
        if upper:
            return -w * digamma_difference(n + 1, -k)
        return w * (digamma_by_pole(n - k + 1) - digamma_by_pole(k + 1))

    m, j = raw(n), raw(k)
    if upper and have_few_factors(n, k) and not np.any((m < 0) & (m == np.rint(m))):
        return in_double(binomial_product_derivative, n, k)
    is_positive = (m > -1) & np.isfinite(j) & np.isfinite(m)
    is_moderate = (np.abs(m) < _WITHIN) & (np.abs(j) < _WITHIN) & (np.abs(m - j) < _WITHIN) & (m != np.rint(m))
    regions = [
        (is_positive & (j - m > 0.5), beyond),
        (is_positive & (j < -0.5), below),
        (~is_positive & is_far(m, j) & (j > 0), far_right),
        (~is_positive & is_far(m, j), far_left),
        (~is_positive & is_moderate & (j > -1), left),
        (~is_positive & is_moderate & (m - j > -1), left_of_both),
        (~is_positive & is_moderate, product),
    ]
    return _of_regions(regions, plain, w, n, k)


def _rising_along(w: Any, z: Any, m: Any) -> Any:
    """`w digamma(z + m)`, on the left with the exact distance from a pole, DLMF 5.5.4."""
    is_left = (raw(z) + raw(m) < 0) & np.isfinite(raw(z)) & np.isfinite(raw(m))
    if not np.any(is_left):
        return w * digamma_by_pole(z + m)

    distance = (z - np.rint(raw(z))) + (m - np.rint(raw(m)))
    is_zero = raw(distance) == np.rint(raw(distance))
    tangent = np.tan(math.pi * np.where(is_zero | ~is_left, 0.25, distance))
    change = np.where(is_left, np.where(is_zero, np.nan, math.pi / tangent), 0.0)
    return w * (digamma_by_pole(np.where(is_left, 1 - z - m, z + m)) - change)


def _rising_derivative(w: Any, z: Any, m: Any) -> Any:
    """`w (digamma(z + m) - digamma(z))`; left of 0 from `sin(pi z) gamma(1 - z) gamma(z + m) / pi`.

    Where `y = z + m` is there, too, from `sin(pi z) / sin(pi y) poch(1 - y, m)`, of which the first factor has the
    derivative `pi sin(pi m) / sin(pi y)**2`, or 0 at an integer `m`.  Of a small one it is that of a product.
    """

    def both(w: Any, z: Any, m: Any) -> Any:
        other = 1 - z - m
        x, derivative = poch(other, m), -digamma_difference(other, m)
        below = _sine(z, m)
        is_zero = raw(below) == 0
        sign = 1 - 2 * np.abs(np.fmod(np.rint(raw(m)), 2))
        below = np.where(is_zero, 1.0, below)
        factor = np.where(is_zero, sign, _sine(z) / below)
        change = np.where(is_zero, 0.0, math.pi * (_sine(m) / below) / below)
        return x * (change + factor * derivative)

    def first(w: Any, z: Any, m: Any) -> Any:
        top = z + m
        small = rgamma(z)
        return gamma(top) * (digamma_by_pole(top) * small + reciprocal_derivative(small, z))

    if have_few_factors(z, m):
        return in_double(rising_product_derivative, z, m)
    x, y = raw(z), raw(z) + raw(m)
    is_left, is_finite = x < 0.5, np.isfinite(y)
    if not np.any(is_left):
        return w * digamma_difference(z, m)
    is_defined = is_finite & ((y != np.rint(y)) | (raw(m) == np.rint(raw(m))))
    is_moderate = (x > -_WITHIN) & (y < _WITHIN)
    regions = [(is_left & (y < 0.5) & is_defined, both), (is_left & (y >= 0.5) & is_moderate, first)]
    return _of_regions(regions, lambda w, z, m: w * digamma_difference(z, m), w, z, m)


def _from_pole(x: Any) -> Any:
    """The distance to the nearest pole of the gamma function."""
    with np.errstate(invalid="ignore"):
        return np.abs(x - np.minimum(np.rint(x), 0.0))


def _beta_partial(w: Any, a: Any, b: Any) -> Any:
    """The derivative of beta in `a`; that of the product next to where `1 / gamma(a + b)` is 0."""
    x, y = raw(a), raw(b)
    distance = _from_pole(x + y)
    others = np.minimum(_from_pole(x), _from_pole(y))
    is_next = (distance <= _BESIDE * np.minimum(0.5, others)) & (others > 0)
    is_next = is_next & (np.abs(x) < _WITHIN) & (np.abs(y) < _WITHIN)

    def product(w: Any, a: Any, b: Any) -> Any:
        small = rgamma(a + b)
        return gamma(a) * gamma(b) * (digamma_by_pole(a) * small + reciprocal_derivative(small, a + b))

    return _of_regions([(is_next, product)], lambda w, a, b: _beta_derivative(a, b, value=raw(w)), w, a, b)


rule(special.beta, "a b", _beta_partial, lambda w, a, b: _beta_partial(w, b, a))
rule(
    special.binom,
    "n k",
    lambda w, n, k: _binomial_derivative(w, n, k, True),
    lambda w, n, k: _binomial_derivative(w, n, k, False),
)
beta = PatchedUfunc(
    special.beta,
    corrections=[(of_arguments(beta_domain), beta_value)],
    bounds=[(0.0, 75.0), (0.0, 75.0)],
)
betaln = PatchedUfunc(
    special.betaln,
    corrections=[(of_arguments(beta_domain), betaln_value)],
    bounds=[(0.0, 75.0), (0.0, 75.0)],
)
binom = PatchedUfunc(
    special.binom,
    corrections=[(of_arguments(binomial_domain), binomial_value)],
    bounds=[(LEAST_UPPER, 140.0), (-FARTHEST, FARTHEST)],
    unless=may_be_tiny,
)
rule(special.poch, "z m", _rising_derivative, _rising_along)
poch = PatchedUfunc(
    special.poch,
    corrections=[(of_arguments(rising_domain), rising_value)],
    bounds=[(0.0, NEAREST), up_to(MOST)],
)
