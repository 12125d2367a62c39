"""The rules of Mathieu functions and of their characteristic values.

In the argument the derivatives come from Mathieu's equation, DLMF 28.2.1, with `x` in degrees, and from the modified
one, DLMF 28.20.1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.traced import raw
from ...bessel.bessel_sequences import bessel_j_sequence, bessel_y_sequence
from ...numerics.few_elements import are_plain
from ...ufuncs.large_arrays import block_size
from ...ufuncs.modes import AT_ONCE
from ...ufuncs.parameters import double, flat, on_finite, parameter_derivative
from ...ufuncs.ufunc_rules import INTEGER, Partial, rule
from .characteristic_values import characteristic_derivative, is_sure, mathieu_a, mathieu_b
from .functions import DEGREE, angular_mathieu, radial_mathieu
from .tables import LARGEST, MANY, tabulated

_SMALL = 0.02
"""Of a Mathieu function, whose largest values are about 1: beneath, a Fourier series loses two digits or more."""


def is_small(value: Any, derivative: Any, m: Any, q: Any) -> Any:
    """Where a Mathieu function is small by its value and its derivative, of vectors."""
    out = np.abs(value) < _SMALL
    (indices,) = np.nonzero(out)
    m, q, value, derivative = (x[indices] for x in (m, q, value, derivative))
    out[indices] = np.abs(value) + np.abs(derivative) / (1 + m + np.sqrt(2 * np.abs(q))) < _SMALL
    return out


def is_small_number(value: float, derivative: float, m: float, size: float) -> bool:
    """The same of numbers; `size` is `|q|`."""
    return abs(value) < _SMALL and abs(value) + abs(derivative) / (1 + m + math.sqrt(2 * size)) < _SMALL


def _angular_equation(characteristic: Any, lowest_order: float) -> Partial:
    def in_argument(w: Any, m: Any, q: Any, x: Any) -> Any:
        a = characteristic(np.maximum(m, lowest_order), q)
        return w[1] * DEGREE, (2 * q * np.cos(2 * DEGREE * x) - a) * w[0] * DEGREE

    return in_argument


def _radial_equation(characteristic: Any) -> Partial:
    def in_argument(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1], (characteristic(m, q) - 2 * q * np.cosh(2 * x)) * w[0]

    return in_argument


def _in_parameter(even: bool, name: str) -> Partial:
    """The partial derivative of a Mathieu function in `q`: that of many elements by tables."""
    derivative = parameter_derivative(angular_mathieu(even), 1, name, "q")

    @block_size(AT_ONCE)
    def in_parameter(w: Any, m: Any, q: Any, x: Any) -> Any:
        if type(w[0]) is np.ndarray and w[0].size >= MANY and are_plain(w[1], m, q, x):
            return by_tables(w, m, q, x)
        return derivative(w, m, q, x)

    def by_tables(w: Any, m: Any, q: Any, x: Any) -> Any:
        shape, (value, rate, m, q, x) = flat(*map(double, (*w, m, q, x)))
        with np.errstate(all="ignore"):
            is_order = (m == np.floor(m)) & (m >= 1 - even)
            is_tabulated = is_order & (np.abs(q) <= LARGEST) & np.isfinite(x) & ~is_small(value, rate, m, q)
        outputs = np.full_like(value, np.nan), np.full_like(value, np.nan)
        (indices,) = np.nonzero(is_tabulated)
        for i in range(0, len(indices), AT_ONCE):
            here = indices[i : i + AT_ONCE]
            outputs[0][here], outputs[1][here] = tabulated(even, True, m[here], q[here], x[here])
        (rest,) = np.nonzero(np.isnan(outputs[0]))
        if len(rest):
            found = derivative((value[rest], rate[rest]), m[rest], q[rest], x[rest])
            outputs[0][rest], outputs[1][rest] = found
        return tuple(np.reshape(y, shape) for y in outputs)

    return in_parameter


def _of_value(even: bool, characteristic: Any) -> Partial:
    """That of a characteristic value."""
    derivative = characteristic_derivative(even)

    def in_parameter(w: Any, m: Any, q: Any) -> Any:
        m, q = double(m), double(q)
        a = w if raw(w).dtype == np.float64 and is_sure(raw(q)) else characteristic(m, q)
        return on_finite(derivative, m, q, a)

    return in_parameter


for _even, _value, _angular, _radial in (
    (True, mathieu_a, special.mathieu_cem, (special.mathieu_modcem1, special.mathieu_modcem2)),
    (False, mathieu_b, special.mathieu_sem, (special.mathieu_modsem1, special.mathieu_modsem2)),
):
    rule(_value.ufunc, "m q", INTEGER, _of_value(_even, _value))
    _in_angular = _in_parameter(_even, _angular.__name__)
    _in_argument = _angular_equation(_value, 1.0 - _even)
    rule(_angular, "m q x", INTEGER, _in_angular, _in_argument)
    for _function, _sequence in zip(_radial, (bessel_j_sequence, bessel_y_sequence), strict=True):
        _in_radial = parameter_derivative(radial_mathieu(_even, _sequence), 1, _function.__name__, "q")
        rule(_function, "m q x", INTEGER, _in_radial, _radial_equation(_value))
