"""Digamma left of 0, its derivatives, their differences without cancellation, and the derivative of `1 / gamma`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import gamma

from ...complex_autograd.engine.traced import raw
from ..numerics.polygamma_values import BERNOULLI, polygamma_value
from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.large_arrays import threaded
from ..ufuncs.ufunc_rules import pointwise
from .beta_values import sine


@pointwise(lambda w, z, *, n: polygamma_of(z, n=n + 1))
def polygamma_of(z: Any, *, n: int) -> Any:
    """The derivative of order `n` of the digamma function."""
    return polygamma_value(z, n)


@pointwise(lambda w, a, b: polygamma_of(a + b, n=2) - polygamma_of(a, n=2), lambda w, a, b: polygamma_of(a + b, n=2))
def trigamma_difference(a: Any, b: Any) -> Any:
    """`polygamma(1, a + b) - polygamma(1, a)`; on one side of 0 without cancellation."""
    return _without_cancellation(_positive_trigamma_difference, 1, a, b)


@pointwise(lambda w, a, b: trigamma_difference(a, b), lambda w, a, b: polygamma_of(a + b, n=1))
def digamma_difference(a: Any, b: Any) -> Any:
    """`digamma(a + b) - digamma(a)`; on one side of 0 without cancellation."""
    return _without_cancellation(_positive_difference, 0, a, b)


def _without_cancellation(positive: Any, n: int, a: Any, b: Any) -> Any:
    """The difference of the derivatives of order `n` of digamma at `a + b` and `a`."""
    of_order: Callable[[Any], Any] = (lambda z: polygamma_value(z, n)) if n else digamma_by_pole

    def on_the_right(a: Any, b: Any) -> Any:
        return by_region([(b > 0, positive), (b <= 0, lambda a, b: -positive(a + b, -b))], a, b)

    def on_the_left(a: Any, b: Any) -> Any:
        """DLMF 5.5.4: the cotangents differ by `sin(pi b) / (sin(pi (a + b)) sin(pi a))`; if `b` is an integer by 0."""
        sines = sine(a, b) * sine(a)
        change = math.pi * sine(b) / sines
        if n:
            change = -math.pi * change * sine(2 * a, b) / sines
        change = np.where(b == np.rint(b), 0.0, change)
        return change + (1 - 2 * n) * on_the_right(1 - a, -b)

    def across(a: Any, b: Any) -> Any:
        """DLMF 5.5.4 with the exact distance of `a + b` from a pole."""
        angle = math.pi * _distance(a, b)
        change = (math.pi / np.sin(angle)) ** 2 if n else -math.pi / np.tan(angle)
        return change + (1 - 2 * n) * of_order(1 - a - b) - of_order(a)

    def kernel(a: Any, b: Any) -> Any:
        total, is_finite = a + b, np.abs(b) < np.inf
        is_right = (a > 0) & (total > 0) & is_finite
        if np.all(is_right):
            return on_the_right(a, b)
        are_no_poles = (a != np.rint(a)) & (total != np.rint(total)) | (b == np.rint(b))
        is_left = (a <= 0) & (total <= 0) & are_no_poles & is_finite
        is_across = (a > 0) & (total < 0) & (_distance(a, b) != 0) & is_finite
        others = ~is_right, lambda a, b: of_order(a + b) - of_order(a)
        return by_region([(is_right, on_the_right), (is_left, on_the_left), (is_across, across), others], a, b)

    return in_double(kernel, *with_dtypes(a, b))


def _distance(x: Any, y: Any) -> Any:
    """That of `x + y` from the nearest integer, without the rounding of the sum."""
    rest = (x - np.rint(x)) + (y - np.rint(y))
    return rest - np.rint(rest)


def _positive_difference(a: Any, b: Any) -> Any:
    """The recurrence DLMF 5.5.2 moves both to the right by 10; there the expansion 5.11.2 gives the difference.

    With `q = a / (a + b)` it is `-log(q) + (1 - q) / (2 a) + sum_k B_2k / (2 k) a**(-2 k) (1 - q**(2 k))`, where
    `1 - q**(2 k) = (1 - q**2) (1 + q**2 + .. + q**(2 k - 2))`.
    """
    steps: Any = 0.0
    for k in range(1, 10):
        steps = 1 / ((a + k) * (a + b + k)) + steps
    shifted = a + 10
    quotient = b / shifted
    q = 1 / (1 + quotient)
    rest = quotient * q
    square, ratio = 1 / (shifted * shifted), q * q
    tail, power, geometric = 0.0, square, 1.0
    for k, number in enumerate(BERNOULLI[:8], 1):
        tail = power * geometric * (number / (2 * k)) + tail
        power, geometric = power * square, geometric * ratio + 1
    return b / (a + b) / a + b * steps + np.log1p(quotient) + rest / (2 * shifted) + rest * (1 + q) * tail


def _positive_trigamma_difference(a: Any, b: Any) -> Any:
    """In the same way, of `1 / z + 1 / (2 z**2) + sum_k B_2k z**(-2 k - 1)`, DLMF 5.15.8, and `1 / (z + k)**2`."""
    steps: Any = 0.0
    for k in range(1, 10):
        first, second = 1 / (a + k), 1 / (a + b + k)
        steps = first * second * (first + second) + steps
    shifted = a + 10
    q = 1 / (1 + b / shifted)
    ratio, inverse = q * q, 1 / shifted
    square = inverse * inverse
    tail, power, geometric = 0.5 * (1 + q) * inverse, square, 1 + q + ratio
    for number in BERNOULLI[:8]:
        tail = power * geometric * number + tail
        power, geometric = power * square, geometric * ratio + 1 + q
    first, second = 1 / a, 1 / (a + b)
    return -b * second * first * (first + second) - b * steps - b / shifted * q * inverse * (1 + tail)


@pointwise(lambda w, z: polygamma_of(z, n=1))
def digamma_by_pole(z: Any) -> Any:
    """`digamma`, on the left `digamma(1 - z) - pi cot(pi d)`, DLMF 5.5.4, `d` the exact distance from a pole."""
    is_left = np.real(z) < 0
    if not np.any(is_left):
        return _digamma_on_the_right(z)
    distance = z - np.rint(np.real(z))
    is_pole = is_left & (distance == 0)
    cotangent = 1 / np.tan(math.pi * np.where(is_left & ~is_pole, distance, 0.25))
    out = _digamma_on_the_right(np.where(is_left, 1 - z, z))
    return np.where(is_pole, np.nan, np.where(is_left, out - math.pi * cotangent, out))


_digamma = threaded(special.digamma).values


def _digamma_on_the_right(z: Any) -> Any:
    """Of complex arguments many times as fast as SciPy's: by the recurrence DLMF 5.5.2 and the expansion 5.11.2.

    Two terms of the recurrence at a time: `1 / (z + k) + 1 / (z + 7 - k) = (2 z + 7) / (z (z + 7) + k (7 - k))`.
    """
    if z.dtype.kind != "c":
        return _digamma(z)

    def kernel(z: Any) -> Any:
        last = z + 7
        product = z * last
        steps = sum(1 / (product + k * (7 - k)) for k in range(4))
        inverse = 1 / (z + 8)
        square = inverse * inverse
        tail = np.zeros_like(z)
        for k, number in reversed([*enumerate(BERNOULLI, 1)]):
            tail += number / (2 * k)
            tail *= square
        return np.log(z + 8) - 0.5 * inverse - tail - (2 * z + 7) * steps

    return in_double(kernel, z)


def gamma_derivative(w: Any, z: Any) -> Any:
    """`gamma(z) digamma(z)`, DLMF 5.2.2."""
    logarithmic = digamma_by_pole(z)
    return w * logarithmic


def reciprocal_derivative(w: Any, z: Any) -> Any:
    """`-digamma(z) / gamma(z)`, on the left from `1 / gamma(z) = gamma(1 - z) sin(pi z) / pi`, DLMF 5.5.3."""
    if np.any(is_end := np.isinf(raw(z))):
        z = np.where(is_end, 1.0, z)
    is_left = np.real(z) < 0.5
    if not np.any(is_left):
        return -gamma_derivative(w, z)
    derivative = digamma_by_pole(np.where(is_left, 1 - z, z))
    left = np.where(is_left, z, 0.0)
    angle = math.pi * (left - 2 * np.rint(np.real(raw(left)) / 2))
    sine_of_angle = np.sin(angle)
    reflected = np.cos(angle) - derivative * sine_of_angle / math.pi
    return np.where(is_left, gamma(1 - left) * reflected, -w * derivative)
