"""Mathieu functions with their derivatives in `q`.

Their Fourier coefficients are eigenvectors as functions of `q`; the modified functions are series of products of Bessel
functions with the same coefficients, DLMF 28.24.
"""

from __future__ import annotations

import math
from functools import partial
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

from ...complex_autograd.array import raw
from ..bessel.bessel_sequences import bessel_j_sequence, bessel_y_sequence, slopes
from ..numerics.few_elements import are_few, one_by_one
from ..numerics.tridiagonal import counted, rows_at
from ..ufuncs.modes import by_modes
from ..ufuncs.parameters import double, on_finite, parameter_slope
from ..ufuncs.ufunc_rules import INTEGER, Partial, rule
from .mathieu_characteristic import (
    characteristic_slope,
    eigenvector,
    has_wrong_value,
    lowest,
    mathieu_a,
    mathieu_b,
)
from .mathieu_numbers import LITTLE_LOST, angular_change, slope_of_value
from .mathieu_recessive import recessive_mathieu

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
_MOST_LOST = 1e5
"""By how much the terms of a series may exceed its sum: beyond, 10 digits are not right."""


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
    """The kernel of a Mathieu function: NaN where both ways to it cancel; the odd one of order 0 is 0 as SciPy's."""
    lowest_order = 0.0 if even else 1.0

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
        cancels = ~(loss <= LITTLE_LOST)
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
        order = np.maximum(m, lowest_order)
        value, slope = by_modes(1, of_mode, order, q, (mathieu_a if even else mathieu_b)(order, q), x)
        factor = np.where(m == order, 1.0, np.where(m == 0, 0.0, np.nan))
        return factor * value, factor * slope

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


def _angular_equation(characteristic: Any, lowest_order: float) -> Partial:
    def in_argument(w: Any, m: Any, q: Any, x: Any) -> Any:
        a = characteristic(np.maximum(m, lowest_order), q)
        return w[1] * _DEGREE, (2 * q * np.cos(2 * _DEGREE * x) - a) * w[0] * _DEGREE

    return in_argument


def _radial_equation(characteristic: Any) -> Partial:
    def in_argument(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1], (characteristic(m, q) - 2 * q * np.cosh(2 * x)) * w[0]

    return in_argument


def _in_parameter(even: bool, characteristic: Any, name: str) -> Partial:
    """The partial derivative of a Mathieu function in `q`: that of few elements by numbers."""
    slope = parameter_slope(angular_mathieu(even), 1, name, "q")
    change = partial(angular_change, even)

    def in_parameter(w: Any, m: Any, q: Any, x: Any) -> Any:
        if not are_few(m, q, x):
            return slope(w, m, q, x)
        m, q, x = (double(a) for a in (m, q, x))
        few = one_by_one(change, m, q, characteristic(m, q), _DEGREE * x)
        return slope(w, m, q, x) if few is None else few

    return in_parameter


def _of_value(even: bool, characteristic: Any) -> Partial:
    """That of a characteristic value."""
    slope, change = characteristic_slope(even), partial(slope_of_value, even)

    def in_parameter(w: Any, m: Any, q: Any) -> Any:
        m, q = double(m), double(q)
        a = characteristic(m, q)
        few = one_by_one(change, m, q, a)
        return on_finite(slope, m, q, a) if few is None else few

    return in_parameter


for _even, _value, _angular, _radial in (
    (True, mathieu_a, mathieu_cem, (mathieu_modcem1, mathieu_modcem2)),
    (False, mathieu_b, mathieu_sem, (mathieu_modsem1, mathieu_modsem2)),
):
    rule(_value.ufunc, "m q", INTEGER, _of_value(_even, _value))
    _in_angular = _in_parameter(_even, _value, _angular.__name__)
    rule(_angular, "m q x", INTEGER, _in_angular, _angular_equation(_value, 1.0 - _even))
    for _function, _sequence in zip(_radial, (bessel_j_sequence, bessel_y_sequence), strict=True):
        _in_radial = parameter_slope(radial_mathieu(_even, _sequence), 1, _function.__name__, "q")
        rule(_function, "m q x", INTEGER, _in_radial, _radial_equation(_value))
