"""Gauss' function `2F1(a, b; c; z)` of parameters that are numbers, of many real `z`: they share the coefficients.

A polynomial is summed as it stands.  Next to 1 and far out the expansions there are taken, DLMF 15.8.4 and 15.8.2, and
elsewhere the series of `mapped.py`.  Values at 100,000 elements take 2 to 7 times less time so, a derivative in a
parameter at 10,000 elements 3 times less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...numerics.horner import horner
from ...numerics.hypergeometric_series import moduli, try_in_turn
from ...numerics.jets import Jet, variables
from ...numerics.regions import is_pole
from ...numerics.shared_series import power_coefficients
from .choice import gap_of
from .expansions import about_infinity, about_one, ends
from .integer_differences import far_with_integer_gap, near_one_with_integer_gap
from .mapped import mapped

FEWEST, FEWEST_VALUES = 1000, 8000
"""So many elements are worth the coefficients; of fewer values SciPy's are had faster."""

_LARGEST = 60.0
"""Parameters up to here are tried."""

_LOSS, _LOSS_OF_POLYNOMIAL = 20.0, 400.0
"""The terms of a sum may be larger than the sum by this factor; SciPy sums a polynomial in the same way."""

_CLOSE, _FAR = 0.1, 10.0
"""The expansions in two terms are taken up to this distance from 1, and from this modulus on."""

_FROM_INTEGER, _TO_INTEGER = 0.02, 1e-15
"""They are taken where two exponents differ from an integer by more than this, those of integer gaps up to this."""

_INTEGER_FROM, _INTEGER_BEYOND = 0.9375, 15.0
_MAPPED_TO, _MAPPED_WITHIN = 80 / 81, 80.0
"""Expansions of integer gaps are taken from the modulus 0.6 of the mapped variable on, its series up to 0.8."""


def shares(parameters: Sequence[Any], z: Any, fewest: int = FEWEST) -> bool:
    """Whether the parameters are numbers, together with enough real arguments."""
    return np.size(z) >= fewest and z.dtype.kind != "c" and not any(map(np.ndim, parameters))


def shared_values(a: float, b: float, c: float, z: Any) -> Any:
    """The function; NaN where none of the expansions is good.

    Parameters
    ----------
    a, b, c : float
        The parameters.
    z : array
        Flat, of double precision.
    """
    return shared_jets(*variables((0, 0, 0), np.float64(a), np.float64(b), np.float64(c)), z, _LOSS)[0]


def shared_jets(a: Jet, b: Jet, c: Jet, z: Any, loss: float) -> list[Any]:
    """The same with its derivatives in jets of numbers: the coefficients in a row; `loss` as `_LOSS`."""

    def with_parameters(method: Any) -> Any:
        return lambda z: method(a, b, c, z, loss)

    def unknown(z: Any) -> Jet:
        return Jet({(0,) * len(a.orders): np.full_like(z, np.nan)}, a.orders)

    is_moderate = max(abs(x.value) for x in (a, b, c)) <= _LARGEST and not is_pole(c.value)
    methods = [(where, with_parameters(method)) for where, method in _methods(a, b, c, z)] if is_moderate else []
    return try_in_turn(methods, unknown, z)


def _methods(a: Jet, b: Jet, c: Jet, z: Any) -> list[Any]:
    gap, gap_at_one = gap_of(b.value - a.value), gap_of(c.value - a.value - b.value)
    is_right, is_left, is_finite = (z >= 0) & (z < 1), z < 0, np.isfinite(z)
    return [
        (is_finite & (ends(a) | ends(b)), _polynomial),
        (is_right & (z >= 1 - _CLOSE) & (gap_at_one > _FROM_INTEGER), about_one),
        (is_left & is_finite & (z <= -_FAR) & (gap > _FROM_INTEGER), about_infinity),
        (is_right & (z >= _INTEGER_FROM) & (gap_at_one <= _TO_INTEGER), near_one_with_integer_gap),
        (is_left & is_finite & (z <= -_INTEGER_BEYOND) & (gap <= _TO_INTEGER), far_with_integer_gap),
        (is_right & (z <= _MAPPED_TO), mapped),
        (is_left & (z >= -_MAPPED_WITHIN), mapped),
    ]


def _polynomial(a: Jet, b: Jet, c: Jet, z: Any, loss: float) -> tuple[Jet, Any]:
    degree = min(int(-x.value) for x in (a, b) if ends(x))
    coefficients = power_coefficients((a, b), (c,), max(degree, 1) + 1)
    modulus = np.abs(z)
    total = coefficients.map(lambda row: horner(row.tolist(), z))
    size = moduli(coefficients.map(lambda row: horner(np.abs(row).tolist(), modulus)))
    return total, size <= _LOSS_OF_POLYNOMIAL * moduli(total)
