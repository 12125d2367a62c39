"""The spheroidal radial functions by their expansions in spherical Bessel functions, and about infinity."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import rgamma

from ..complex_autograd.array import raw
from .bessel_sequences import spherical_y_sequence
from .linear_recurrence import linear_recurrence
from .modes import by_modes
from .spheroidal_coefficients import MANY, MOST_LOST, Recurrence, products
from .tridiagonal import counted, next_row, row_before, rows_at

__all__ = ["about_infinity", "about_one", "pole_series", "radial_series"]

_FAR_TERMS, _POLE_TERMS = 40, 30
"""Of the expansions about infinity, and about 1 where it is used next to that."""
_NEGLIGIBLE = 1e-13
"""Of the terms of a series, as a part of all: the last one has to be, or the sum is not known."""
_SPLIT = 2.0**27 + 1
"""It halves the digits of a number."""


def radial_series(sequence: Any, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The expansion in spherical Bessel functions, DLMF 30.11.3, and its slope; NaN where the sums cancel too much."""

    def of_mode(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        rows = Recurrence(m, n, c, MANY if sequence is spherical_y_sequence else None)
        p, k = rows.p, rows.k
        d = rows.vector(sign * c * c, value)
        weights = d * products((m + k + 1.0) * (m + k + p + 0.5) / ((k + 1.0) * (k + p + 0.5)))
        signed = weights * (1.0 - 2.0 * ((k + (n - m - p) / 2) % 2))
        order = m + rows.r
        functions = sequence(c * x, highest=int(np.max(order, initial=0)) + 4)
        bessel, below, above = (rows_at(functions, np.abs(order + i)) for i in (0, -1, 1))
        rates = (order * below - (order + 1) * above) / (2 * order + 1)  # DLMF 10.51.2
        is_known = np.isfinite(rows_at(raw(functions), order + 3))
        if not np.all(is_known):
            bessel, rates = np.where(is_known, bessel, 0.0), np.where(is_known, rates, 0.0)
        terms = signed * bessel, signed * rates, weights
        total, slope, divisor = (np.sum(f, axis=0) for f in terms)
        sizes = [np.sum(np.abs(raw(f)), axis=0) for f in terms]
        cancels = [size > MOST_LOST * np.abs(raw(w)) for size, w in zip(sizes, (total, slope, divisor), strict=True)]
        is_last = is_known & (next_row(1.0 * is_known) == 0)
        goes_on = np.sum(np.where(is_last, np.abs(raw(terms[0])), 0.0), axis=0) > _NEGLIGIBLE * sizes[0]
        known = np.where((cancels[0] & cancels[1]) | cancels[2] | goes_on, np.nan, 1.0)
        factor = known * (1 - sign / (x * x)) ** (m / 2) / divisor
        result = factor * total
        return result, factor * c * slope + sign * m * result / (x * (x * x - sign))

    return by_modes(2, of_mode, m, n, c, value, x)


def about_one(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`u = (x**2 - 1)**(-m/2) R1` of prolate functions and its slope, from the power series about 1, for `x` near 1.

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
        k, f = pole_series(_POLE_TERMS, m, p, c, value)
        powers = linear_recurrence(np.where(k == 0, 1.0 + 0 * raw(x), 0.0), (1 - x) * (1 + x) * np.ones_like(k))
        total, slope = np.sum(f * powers, axis=0), np.sum(k * f * row_before(powers), axis=0)
        odd = np.where(p == 1, x, 1.0)
        return a * odd * total, a * (p * total - 2 * x * odd * slope)

    return by_modes(2, of_mode, m, n, c, value, x)


def pole_series(count: int, m: Any, p: Any, c: Any, value: Any) -> tuple[Any, Any]:
    """The numbers of the terms, and the coefficients of `f(1 - x**2)`: `x**p (1 - x**2)**(m/2) f` is a solution.

    By the spheroidal equation, DLMF 30.2.1, `4 (k + 1) (k + m + 1) f_(k+1) = (4 k (k - 1) + (4 m + 4 p + 6) k - L + C)
    f_k - C f_(k-1)`, `C = c**2` and `L = value - (m + p) (m + p + 1)`.
    """
    k = counted(count, raw(c))
    square = c * c
    scale = np.where(k == 0, 0.0, 0.25 / (np.maximum(k, 1) * (k + m + (k == 0))))
    whole = (k - 1) * (4 * (k - 2) + 4 * m + 4 * p + 6) + (m + p) * (m + p + 1)
    start = np.where(k == 0, 1.0 + 0 * raw(c), 0.0)
    return k, linear_recurrence(start, scale * (whole + (square - value)), -scale * square)


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
        terms = linear_recurrence(
            np.where(k == 0, 1.0 + 0j * raw(x), 0.0),
            part * (s * (s - 2 * m - 1) + rest) * step,
            sign * part * (s - 1) * (w * w),
            -sign * part * (s - 2) * (s - 1) * (w * w * step),
        )
        total, slope = np.sum(terms, axis=0), -np.sum((s + 1) * terms, axis=0)
        sizes = np.abs(raw(terms))
        has_ended = sizes[-1] + sizes[-2] <= 1e-17 * np.abs(raw(total))
        known = np.where(has_ended & (np.max(sizes, axis=0) <= 1000 * np.abs(raw(total))), 1.0, np.nan)
        phase = np.exp(1j * (c * x)) * (1 + 1j * _rounding(raw(c), raw(x))) * (-1j) ** (n + 1)
        scale = known * (1 - sign * w * w) ** (m / 2) * w / c * phase
        result = scale * total
        derivative = scale * (1j * c * total + slope * w) + m * x / (x * x - sign) * result
        take = np.real if kind == 1 else np.imag
        return take(result), take(derivative)

    return by_modes(2, of_mode, m, n, c, value, x)


def _rounding(c: Any, x: Any) -> Any:
    """What `c x` loses by rounding, from halves of the digits of both (T. J. Dekker, Numer. Math. 18 (1971) 224)."""
    c_high, x_high = ((_SPLIT * y) - (_SPLIT * y - y) for y in (c, x))
    c_low, x_low = c - c_high, x - x_high
    return ((c_high * x_high - c * x) + c_high * x_low + c_low * x_high) + c_low * x_low
