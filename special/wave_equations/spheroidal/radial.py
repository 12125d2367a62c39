"""The spheroidal radial functions by their expansions in spherical Bessel functions, and about infinity."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import rgamma

from ....complex_autograd.engine.traced import raw
from ...bessel.bessel_sequences import spherical_j_sequence, spherical_y_sequence
from ...numerics.linear_recurrence import linear_recurrence
from ...numerics.tridiagonal import counted, next_row, row_before, rows_at
from ...ufuncs.modes import by_modes
from ...ufuncs.ufunc_rules import pointwise
from .coefficients import MANY_ROWS, MOST_CANCELLED, Recurrence

_FAR_TERMS, _POLE_TERMS = 40, 30
"""Of the expansions about infinity, and about 1 where it is used next to that."""
NEGLIGIBLE = 1e-13
"""Of the terms of a series, as a part of all: the last one has to be, or the sum is not known."""
OVERFLOWING = 1e250
"""Bessel functions that are greater take no part, so that no derivative of those that do overflows."""
_NEAREST, _NEAREST_OF_HIGH, _HIGH = 1e-10, 1e-7, 20
"""Of `x`, and what is added for orders beyond the last number, whose Bessel functions underflow sooner: nearer to 0,
functions and derivatives are constant or linear."""
_SPLIT = 2.0**27 + 1
"""It halves the digits of a number."""


def _derivatives_of_j(rows: Any, x: Any, *, highest: int) -> Any:
    """DLMF 10.51.2: nothing is divided by `x`."""
    rows = spherical_j(x, highest=highest + 1)
    k = counted(highest + 2, raw(x))
    return ((k * row_before(rows) - (k + 1) * next_row(rows)) / (2 * k + 1))[:-1]


@pointwise(_derivatives_of_j)
def spherical_j(x: Any, *, highest: int) -> Any:
    """`j_0, .., j_highest` at `x >= 0`."""
    is_zero = x == 0
    if not np.any(is_zero):
        return spherical_j_sequence(x, highest=highest)
    rows = spherical_j_sequence(np.where(is_zero, 1.0, x), highest=highest)
    return np.where(is_zero, counted(highest + 1, x) == 0, rows)


def radial_series(
    sequence: Any, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any, *, is_given: bool
) -> tuple[Any, Any]:
    """The expansion in spherical Bessel functions, DLMF 30.11.3, and its derivative; NaN where the sums cancel.

    The value is given by the user, or a characteristic value.
    """

    def of_mode(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        rows = Recurrence(m, n, c, MANY_ROWS if sequence is spherical_y_sequence else None)
        p, k = rows.p, rows.k
        nearest = _NEAREST + _NEAREST_OF_HIGH * (m > _HIGH)
        may_be_near = sign == -1 and sequence is not spherical_y_sequence
        is_near = may_be_near and bool(np.any(raw(x) < nearest))
        given, x = x, np.maximum(x, nearest) if is_near else x
        z = c * x
        d = rows.vector(sign * c * c, value, is_given)
        weights = d * rows.radial_weights
        order = m + rows.r
        functions = sequence(z, highest=int(np.max(order, initial=0)) + 1 + is_near)
        signed = weights * (1.0 - 2.0 * (k % 2))
        here, next_one = rows_at(functions, order), rows_at(functions, order + 1)
        terms, above = signed * here, signed * next_one
        is_known = np.abs(raw(next_one)) < OVERFLOWING
        is_last = is_known[-1:]
        if not np.all(is_last):
            is_last = is_known & (next_row(1.0 * is_known) == 0)
            terms, above = np.where(is_known, terms, 0.0), np.where(is_known, above, 0.0)
        total, growth, rest, divisor = (np.sum(f, axis=0) for f in (terms, rows.r * terms, above, weights))
        first_derivative = growth - z * rest  # of `x**-m total` in the logarithm of `x`, DLMF 10.51.2
        sizes = np.abs(raw(terms))
        size, size_of_weights = np.sum(sizes, axis=0), np.sum(np.abs(raw(weights)), axis=0)
        derivative_size = np.abs(raw(first_derivative)) / (1 + np.abs(raw(z)) + m)
        cancels = size > MOST_CANCELLED * (np.abs(raw(total)) + derivative_size)
        cancels = cancels | (size_of_weights > MOST_CANCELLED * np.abs(raw(divisor)))
        goes_on = np.sum(np.where(is_last, sizes[-len(is_last) :], 0.0), axis=0) > NEGLIGIBLE * size
        known = np.where(cancels | goes_on, np.nan, 1.0) * (1.0 - 2.0 * ((n - m - p) / 2 % 2))
        rest = (x - 1) * (x + 1) if sign == 1 else x * x + 1
        factor = known * (rest / (x * x)) ** (m / 2) / divisor
        result = factor * total
        derivative = factor * first_derivative / x + m * x / rest * result
        if not is_near:
            return result, derivative
        # `x**2` times the second derivative of `x**-m total`, in which nothing cancels, and from it that of the result
        following = np.where(is_known, signed * rows_at(functions, order + 2), 0.0)
        second = np.sum(rows.r * (rows.r - 1) * terms + z * (z * following - (2 * rows.r + 1) * above), axis=0)
        second = factor * second / (x * x) + m / rest * (2 * x * derivative + (1 - (m + 2) * x * x / rest) * result)
        near, change = given / x, (given * given - x * x) / 2
        return (
            np.where(p == 1, near * result, result + change * second),
            np.where(p == 1, derivative + change * (second / x), near * derivative),
        )

    return by_modes(2, of_mode, m, n, c, value, x)


def about_one(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`u = (x**2 - 1)**(-m/2) R1` of prolate functions and its derivative, by its power series, for `x` near 1.

    `u = a x**p f(1 - x**2)` with `f` of `pole_series`; as `x` goes to 0, the expansion in Bessel functions says that
    `a = (-1)**j d_p c**(m + p) / ((2 m + 2 p + 1)!! sum_k t_k d_r)`, with `t_k` and `j` of `Recurrence.normalised`.
    """

    def of_mode(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        rows = Recurrence(m, n, c)
        d = rows.normalised(rows.vector(c * c, value))
        t_j = np.sum(np.where(rows.r == n - m, rows.weights_at_zero, 0.0), axis=0)
        p = rows.p
        double_factorial = 2 ** (m + p + 1) * rgamma(0.5) / rgamma(m + p + 1.5)
        a = (1.0 - 2.0 * ((n - m - p) / 2 % 2)) * d[0] / t_j * c ** (m + p) / double_factorial
        k, f = pole_series(_POLE_TERMS, m, p, c * c, value)
        powers = powers_of((1 - x) * (1 + x), _POLE_TERMS)
        total, first_derivative = np.sum(f * powers, axis=0), np.sum(k * f * row_before(powers), axis=0)
        odd = np.where(p == 1, x, 1.0)
        return a * odd * total, a * (p * total - 2 * x * odd * first_derivative)

    return by_modes(2, of_mode, m, n, c, value, x)


def powers_of(u: Any, count: int) -> Any:
    """The powers of a vector, from that of exponent 0 on."""
    start = np.ones_like(raw(u), shape=(1, *np.shape(u)))
    return linear_recurrence(start, u, columns=((np.ones_like(start, shape=(count, 1)),),))


def pole_series(count: int, m: Any, p: Any, square: Any, value: Any) -> tuple[Any, Any]:
    """The numbers of the terms, and the coefficients of `f(1 - x**2)`: `x**p (1 - x**2)**(m/2) f` is a solution.

    By the spheroidal equation, DLMF 30.2.1, `4 (k + 1) (k + m + 1) f_(k+1) = (4 k (k - 1) + (4 m + 4 p + 6) k - L + C)
    f_k - C f_(k-1)`, `C` the square of `c` and `L = value - (m + p) (m + p + 1)`.
    """
    k = counted(count, raw(square))
    scale = np.where(k == 0, 0.0, 0.25 / (np.maximum(k, 1) * (k + m + (k == 0))))
    diagonal = (k - 1) * (4 * (k - 2) + 4 * m + 4 * p + 6) + (m + p) * (m + p + 1)
    columns = (scale * diagonal, scale), (-scale,)
    start = np.ones_like(raw(square), shape=(1, *np.shape(square)))
    return k, linear_recurrence(start, 1.0, square - value, square, columns=columns)


def about_infinity(sign: int, kind: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`R1 + i R2 = (1 - sign / x**2)**(m/2) exp(i (c x - (n + 1) pi / 2)) / (c x) sum_k b_k x**-k`, or NaN.

    By the spheroidal equation, with `s_k = k + m + 1` and `b_0 = 1`, `2 i c (k + 1) b_(k+1) = (s_k (s_k - 2 m - 1) +
    sign c**2 - value + m (m + 1)) b_k + sign (2 i c s_(k-1) b_(k-1) - s_(k-2) (s_(k-2) + 1) b_(k-2))`.
    """

    def of_mode(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        w = 1 / x
        step = w / (2j * c)
        rest = sign * c * c - value + m * (m + 1)
        k = counted(_FAR_TERMS + 1, raw(x))
        s = k + m  # of the term before
        part = np.where(k == 0, 0.0, 1 / np.maximum(k, 1))
        columns = (part * s * (s - 2 * m - 1), part), (sign * part * (s - 1),), (-sign * part * (s - 2) * (s - 1),)
        start = np.ones_like(raw(x), shape=(1, *np.shape(x)), dtype=np.complex128)
        terms = linear_recurrence(start, step, rest * step, w * w, w * w * step, columns=columns)
        total, first_derivative = np.sum(terms, axis=0), -np.sum((s + 1) * terms, axis=0)
        sizes = np.abs(raw(terms))
        has_ended = sizes[-1] + sizes[-2] <= 1e-17 * np.abs(raw(total))
        known = np.where(has_ended & (np.max(sizes, axis=0) <= 1000 * np.abs(raw(total))), 1.0, np.nan)
        phase = np.exp(1j * (c * x)) * (1 + 1j * _rounding(raw(c), raw(x))) * (-1j) ** (n + 1)
        scale = known * (1 - sign * w * w) ** (m / 2) * w / c * phase
        result = scale * total
        derivative = scale * (1j * c * total + first_derivative * w) + m * x / (x * x - sign) * result
        take = np.real if kind == 1 else np.imag
        return take(result), take(derivative)

    return by_modes(2, of_mode, m, n, c, value, x)


def _rounding(c: Any, x: Any) -> Any:
    """What `c x` loses by rounding, from halves of the digits of both (T. J. Dekker, Numer. Math. 18 (1971) 224)."""
    c_high, x_high = ((_SPLIT * y) - (_SPLIT * y - y) for y in (c, x))
    c_low, x_low = c - c_high, x - x_high
    return ((c_high * x_high - c * x) + c_high * x_low + c_low * x_high) + c_low * x_low
