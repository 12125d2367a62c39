"""Mathieu functions with their derivatives in `q`.

Their Fourier coefficients are eigenvectors as functions of `q`; the modified functions are series of products of Bessel
functions with the same coefficients, DLMF 28.24.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...bessel.bessel_sequences import argument_times_derivatives, bessel_j_sequence
from ...numerics.regions import by_region
from ...numerics.tridiagonal import counted, rows_at
from ...ufuncs.modes import by_modes
from ...ufuncs.parameters import flat
from .characteristic_values import GREATEST, HIGHEST, eigenvector, lowest, mathieu_a, mathieu_b
from .recessive import marched_mathieu

__all__ = ["mathieu_a", "mathieu_b"]

DEGREE = math.pi / 180
_LITTLE_CANCELLED = 30.0
"""By how much the terms of a series may exceed its sum: beyond, the equation is solved."""
_NEAR = 1e-4
"""Of `x` times the wave number: nearer to 0, what is 0 there follows from what is not."""
_SPARE, _HUGE = 1e-100, 1e200
"""Coefficients so much smaller than the largest, which other elements of the array need, add nothing; their Bessel
functions of the second kind overflow, or derivatives of these do from such a size on."""
_HIGHEST_RADIAL = 200
"""Of orders: Bessel functions of the second kind of higher ones overflow."""


def fourier_coefficients(m: Any, q: Any, a: Any, even: bool) -> Any:
    """The coefficients `A` of the even or `B` of the odd Mathieu function of order `m`, DLMF 28.4.1 to 28.4.4.

    `q` and the characteristic value `a` are vectors; the coefficients are the rows of an array.

    Their sign makes the function, or else its derivative, positive at 0, DLMF 28.2.29 and below; where `q > 0` that is
    told from the end `pi / 2` of the period, at which the function is large.
    """
    p = lowest(m, even)
    v, square = eigenvector(m, q, a, even)
    k = counted(v.shape[0], square)
    is_far = raw(q) > 0
    is_weighted = np.where(is_far, ((p == 1) == even) & (p > 0), not even)
    at_end = raw(v) * np.where(is_weighted, 2 * k + p, 1.0) * np.where(is_far, _alternating(k), 1.0)
    sign = np.sign(np.sum(at_end, axis=0)) * np.where(is_far, _alternating((m - p) // 2), 1.0)
    return v * (sign / np.sqrt(square)) * np.where((k == 0) & (p == 0), math.sqrt(0.5), 1.0)


def _alternating(k: Any) -> Any:
    """`(-1)**k`."""
    return 1.0 - 2.0 * (k % 2)


def _within(m: Any, q: Any, first: float, last: float) -> tuple[Any, Any, Any]:
    """The orders and parameters with others where there is no function, and NaN there, else 1."""
    is_known = (m >= first) & (m <= last) & (np.abs(raw(q)) <= GREATEST)
    if np.all(is_known):
        return m, 1.0, q
    return np.where(is_known, m, 1.0), np.where(is_known, 1.0, np.nan), np.where(is_known, q, 1.0)


def angular_mathieu(even: bool) -> Any:
    """The kernel of a Mathieu function: NaN where all ways to it are lost; the odd one of order 0 is 0 as SciPy's."""
    lowest_order = 0.0 if even else 1.0

    def of_mode(m: Any, q: Any, a: Any, x: Any) -> tuple[Any, Any]:
        p = lowest(m, even)
        angle = DEGREE * x
        coefficients = fourier_coefficients(m, q, a, even)
        order = 2 * counted(coefficients.shape[0], raw(angle)) + p
        cosine, sine = np.cos(order * angle), np.sin(order * angle)
        terms, rates = (coefficients * cosine, -order * sine) if even else (coefficients * sine, order * cosine)
        value, derivative = np.sum(terms, axis=0), np.sum(coefficients * rates, axis=0)
        wave_number = 1 + m + np.sqrt(2 * np.abs(raw(q)))
        # next to a zero of all terms the value cancels as the derivative does
        size = np.sum(np.abs(raw(terms)) + np.abs(raw(coefficients) * raw(rates)) / wave_number, axis=0)
        loss = size / (np.abs(raw(value)) + np.abs(raw(derivative)) / wave_number)
        cancels = ~(loss <= _LITTLE_CANCELLED)
        if not np.any(cancels):
            return value, derivative
        (here,), (others,) = np.nonzero(cancels), np.nonzero(~cancels)
        m = m if np.ndim(m) == 0 else m[here]
        found = marched_mathieu(even, m, q[here], angle[here], coefficients[:, here], a[here])
        order = np.argsort(np.concatenate([here, others]))
        value, derivative = (
            np.concatenate([march, series[others]])[order]
            for march, series in zip(found, (value, derivative), strict=True)
        )
        return value, derivative

    def kernel(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        order, factor, q = _within(m, q, lowest_order, HIGHEST)
        factor = np.where((m == 0) & (lowest_order == 1), 0.0, factor)
        value, derivative = by_modes(1, of_mode, order, q, (mathieu_a if even else mathieu_b)(order, q), x)
        return factor * value, factor * derivative

    return kernel


def radial_mathieu(even: bool, sequence: Any) -> Any:
    """The kernel of a modified Mathieu function, DLMF 28.24.2 to 28.24.5 with `C` the Bessel function of the sequence.

    The free index `s` is that of the largest coefficient, by which the series is divided.  At `x < 0` the one of the
    second kind does not converge: the function is then had from both kinds at `-x`, as the first one is even or odd.
    """
    side = 1.0 if even else -1.0

    def of_mode(m: Any, q: Any, a: Any, x: Any) -> tuple[Any, Any]:
        coefficients = fourier_coefficients(m, q, a, even)
        s = np.argmax(np.abs(raw(coefficients)), axis=0)

        def of_index(s: Any, indices: Any) -> tuple[Any, Any]:
            here = indices.astype(np.int64)
            return series(m if np.ndim(m) == 0 else m[here], s, q[here], a[here], x[here], coefficients[:, here])

        if np.all(s == s[:1]):
            return series(m, s[:1], q, a, x, coefficients)
        return by_modes(1, of_index, s, np.cumsum(np.ones_like(s)) - 1)

    def series(m: Any, s: Any, q: Any, a: Any, x: Any, coefficients: Any) -> tuple[Any, Any]:
        p = lowest(m, even)
        k = counted(coefficients.shape[0], raw(q))
        alternating = _alternating(k)
        root = np.sqrt(q)
        small, large = root * np.exp(-x), root * np.exp(x)
        highest = coefficients.shape[0] + int(np.max(s, initial=0)) + 3
        inner, outer = bessel_j_sequence(small, highest=highest + 1), sequence(large, highest=highest + 1)
        inner_rates = argument_times_derivatives(small, rows=raw(inner), sequence=bessel_j_sequence)
        outer_rates = argument_times_derivatives(large, rows=raw(outer), sequence=sequence)
        if not np.all(np.abs(raw(outer)) < _HUGE):
            size = np.abs(raw(coefficients))
            k = np.where(size <= _SPARE * np.max(size, axis=0), s, k)
        low, high = k - s, k + s + p
        reflected = np.where((low < 0) & (low % 2 == 1), -1.0, 1.0)  # DLMF 10.4.1

        def pair(rows: Any) -> tuple[Any, Any]:
            return reflected * rows_at(rows, np.abs(low)), rows_at(rows, high)

        (one, two), (other, far) = pair(inner), pair(outer)
        (one_rate, two_rate), (other_rate, far_rate) = pair(inner_rates), pair(outer_rates)
        factor = coefficients * alternating
        value = np.sum(factor * (one * far + side * (two * other)), axis=0)
        inner_rate = np.sum(factor * (one_rate * far + side * (two_rate * other)), axis=0)
        outer_rate = np.sum(factor * (one * far_rate + side * (two * other_rate)), axis=0)
        largest = rows_at(coefficients, np.reshape(s, (1, -1)))[0] * (1 + ((p == 0) & (s == 0)))
        scale = _alternating((m - p) // 2) / largest
        value, derivative = scale * value, scale * (outer_rate - inner_rate)
        return from_the_other(q, a, x, value, derivative) if sequence is bessel_j_sequence else (value, derivative)

    def from_the_other(q: Any, a: Any, x: Any, value: Any, derivative: Any) -> tuple[Any, Any]:
        """Next to 0 the odd value or the even function's derivative, in which terms cancel.

        As `y'' = (a - 2 q cosh(2 x)) y`, with `k = a - 2 q` the odd `y` is `x y' (1 - k x**2 / 3)`, and the derivative
        of the even one `x y (k - (k**2 + 4 q) x**2 / 3)`; what follows is less by `x**4`.
        """
        bend = a - 2 * q
        near = np.abs(raw(x)) * np.sqrt(1 + np.abs(raw(bend)) + 8 * np.abs(raw(q))) < _NEAR
        if not np.any(near):
            return value, derivative
        if even:
            return value, np.where(near, x * value * (bend - (bend * bend + 4 * q) * x * x / 3), derivative)
        return np.where(near, x * derivative * (1 - bend * x * x / 3), value), derivative

    def kernel(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        order, factor, q = _within(m, q, 1.0 - even, _HIGHEST_RADIAL)
        value, derivative = by_modes(1, of_mode, order, q, (mathieu_a if even else mathieu_b)(order, q), x)
        return factor * value, factor * derivative

    def behind(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        value, derivative = kernel(m, q, -x)
        if sequence is bessel_j_sequence:
            return side * value, -side * derivative
        first, first_derivative = first_kind(m, q, -x)
        at_zero, first_at_zero = (f(m, q, 0 * x)[0 if even else 1] for f in (kernel, first_kind))
        ratio = 2 * at_zero / first_at_zero
        return side * (ratio * first - value), side * (derivative - ratio * first_derivative)

    def on_both_sides(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        is_behind = raw(x) < 0
        if not np.any(is_behind):
            return kernel(m, q, x)
        shape, vectors = flat(raw(m), q, x)
        is_behind = raw(vectors[2]) < 0
        value, derivative = by_region([(is_behind, behind), (~is_behind, kernel)], *vectors)
        return np.reshape(value, shape), np.reshape(derivative, shape)

    first_kind = kernel if sequence is bessel_j_sequence else radial_mathieu(even, bessel_j_sequence)
    return on_both_sides
