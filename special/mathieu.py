"""Mathieu functions with their derivatives in `q`.

Their Fourier coefficients are eigenvectors as functions of `q`; the modified functions are series of products of Bessel
functions with the same coefficients, DLMF 28.24.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import (
    mathieu_cem,
    mathieu_modcem1,
    mathieu_modcem2,
    mathieu_modsem1,
    mathieu_modsem2,
    mathieu_sem,
)

from ..complex_autograd.array import raw
from .bessel_sequences import bessel_j_sequence, bessel_y_sequence, slopes
from .mathieu_characteristic import eigenvector, has_wrong_value, lowest, mathieu_a, mathieu_b
from .mathieu_recessive import recessive_mathieu
from .modes import by_modes
from .parameters import parameter_slope
from .tridiagonal import counted, rows_at
from .ufunc_rules import INTEGER, Partial, rule

__all__ = [
    "angular_mathieu",
    "fourier_coefficients",
    "has_wrong_value",
    "mathieu_a",
    "mathieu_b",
    "mathieu_cem",
    "mathieu_modcem1",
    "mathieu_modcem2",
    "mathieu_modsem1",
    "mathieu_modsem2",
    "mathieu_sem",
    "radial_mathieu",
]

_DEGREE = math.pi / 180
_LITTLE_LOST, _MOST_LOST = 30.0, 1e5
"""By how much the terms of a series may exceed its sum: beyond, another one is tried, or 10 digits are not right."""


def fourier_coefficients(m: Any, q: Any, a: Any, even: bool) -> Any:
    """The coefficients `A` of the even or `B` of the odd Mathieu function of order `m`, DLMF 28.4.1 to 28.4.4.

    `q` and the characteristic value `a` are vectors; the coefficients are the rows of an array.

    Their sign makes the function, or else its slope, positive at 0, DLMF 28.2.29 and below; where `q > 0` that is told
    from the end `pi / 2` of the period, at which the function is large.
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


def angular_mathieu(even: bool) -> Any:
    """The kernel of a Mathieu function: NaN where both ways to it cancel."""

    def of_mode(m: Any, q: Any, a: Any, x: Any) -> tuple[Any, Any]:
        p = lowest(m, even)
        angle = _DEGREE * x
        coefficients = fourier_coefficients(m, q, a, even)
        order = 2 * counted(coefficients.shape[0], raw(angle)) + p
        cosine, sine = np.cos(order * angle), np.sin(order * angle)
        terms, rates = (coefficients * cosine, -order * sine) if even else (coefficients * sine, order * cosine)
        value, slope = np.sum(terms, axis=0), np.sum(coefficients * rates, axis=0)
        size = np.sum(np.abs(raw(terms)), axis=0)
        loss = size / (np.abs(raw(value)) + np.abs(raw(slope)) / (1 + m + np.sqrt(2 * np.abs(raw(q)))))
        cancels = ~(loss <= _LITTLE_LOST)
        if not np.any(cancels):
            return value, slope
        (here,), (others,) = np.nonzero(cancels), np.nonzero(~cancels)
        m = m if np.ndim(m) == 0 else m[here]
        better, better_slope, its_loss = recessive_mathieu(even, m, q[here], angle[here], coefficients[:, here])
        is_better = its_loss < loss[here]
        known = np.where(np.minimum(its_loss, loss[here]) <= _MOST_LOST, 1.0, np.nan)
        place = np.argsort(np.concatenate([here, others]))

        def joined(fourier: Any, bessel: Any) -> Any:
            return np.concatenate([known * np.where(is_better, bessel, fourier[here]), fourier[others]])[place]

        return joined(value, better), joined(slope, better_slope)

    def kernel(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        return by_modes(1, of_mode, m, q, (mathieu_a if even else mathieu_b)(m, q), x)

    return kernel


def radial_mathieu(even: bool, sequence: Any) -> Any:
    """The kernel of a modified Mathieu function, DLMF 28.24.2 to 28.24.5 with `C` the Bessel function of the sequence.

    The free index `s` is that of the largest coefficient, by which the series is divided.
    """
    side = 1.0 if even else -1.0

    def of_mode(m: Any, q: Any, a: Any, x: Any) -> tuple[Any, Any]:
        coefficients = fourier_coefficients(m, q, a, even)
        s = np.argmax(np.abs(raw(coefficients)), axis=0)

        def of_index(s: Any, places: Any) -> tuple[Any, Any]:
            here = places.astype(np.int64)
            return series(m if np.ndim(m) == 0 else m[here], s, q[here], x[here], coefficients[:, here])

        if np.all(s == s[:1]):
            return series(m, s[:1], q, x, coefficients)
        return by_modes(1, of_index, s, np.cumsum(np.ones_like(s)) - 1)

    def series(m: Any, s: Any, q: Any, x: Any, coefficients: Any) -> tuple[Any, Any]:
        p = lowest(m, even)
        k = counted(coefficients.shape[0], raw(q))
        root = np.sqrt(q)
        small, large = root * np.exp(-x), root * np.exp(x)
        highest = coefficients.shape[0] + int(np.max(s, initial=0)) + 3
        inner, outer = bessel_j_sequence(small, highest=highest + 1), sequence(large, highest=highest + 1)
        low, high = k - s, k + s + p
        reflected = np.where((low < 0) & (low % 2 == 1), -1.0, 1.0)  # DLMF 10.4.1

        def pair(rows: Any) -> tuple[Any, Any]:
            return reflected * rows_at(rows, np.abs(low)), rows_at(rows, high)

        (one, two), (other, far) = pair(inner), pair(outer)
        (one_slope, two_slope), (other_slope, far_slope) = pair(slopes(inner)), pair(slopes(outer))
        factor = coefficients * _alternating(k)
        value = np.sum(factor * (one * far + side * (two * other)), axis=0)
        inner_slope = np.sum(factor * (one_slope * far + side * (two_slope * other)), axis=0)
        outer_slope = np.sum(factor * (one * far_slope + side * (two * other_slope)), axis=0)
        largest = rows_at(coefficients, np.reshape(s, (1, -1)))[0] * (1 + ((p == 0) & (s == 0)))
        scale = _alternating((m - p) // 2) / largest
        return scale * value, scale * (large * outer_slope - small * inner_slope)

    def kernel(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        return by_modes(1, of_mode, m, q, (mathieu_a if even else mathieu_b)(m, q), x)

    return kernel


# the rules; in the argument by Mathieu's equation, DLMF 28.2.1, with x in degrees, and the modified one, DLMF 28.20.1


def _angular_equation(characteristic: Any) -> Partial:
    def partial(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1] * _DEGREE, (2 * q * np.cos(2 * _DEGREE * x) - characteristic(m, q)) * w[0] * _DEGREE

    return partial


def _radial_equation(characteristic: Any) -> Partial:
    def partial(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1], (characteristic(m, q) - 2 * q * np.cosh(2 * x)) * w[0]

    return partial


for _function, _kernel, _equation in (
    (mathieu_cem, angular_mathieu(True), _angular_equation(mathieu_a)),
    (mathieu_sem, angular_mathieu(False), _angular_equation(mathieu_b)),
    (mathieu_modcem1, radial_mathieu(True, bessel_j_sequence), _radial_equation(mathieu_a)),
    (mathieu_modcem2, radial_mathieu(True, bessel_y_sequence), _radial_equation(mathieu_a)),
    (mathieu_modsem1, radial_mathieu(False, bessel_j_sequence), _radial_equation(mathieu_b)),
    (mathieu_modsem2, radial_mathieu(False, bessel_y_sequence), _radial_equation(mathieu_b)),
):
    rule(_function, "m q x", INTEGER, parameter_slope(_kernel, 1, _function.__name__, "q"), _equation)
