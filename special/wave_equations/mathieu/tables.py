"""Mathieu functions at many parameters: their Fourier coefficients and the derivatives of these, interpolated in `q`.

As functions of complex `q` these have branch points, the nearest at `1.4688 i`, DLMF 28.7.  So polynomials of degree 23
give all digits up to `|q| = 1`, and while it grows by a factor `sqrt(2)` where the order is not large.  The derivative
of such a polynomial would lose two or three, so that the derivatives have polynomials of their own.  Of 200,000
elements values take 1.6 times less time so than one by one, derivatives in `q` 3.1 times.
"""

from __future__ import annotations

import math
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ....complex_autograd.transforms.forward import derivative_along
from ...numerics.products import times_columns
from ...ufuncs.modes import by_modes
from .characteristic_values import characteristic_derivative, lowest, mathieu_a, mathieu_b, refined
from .functions import DEGREE, fourier_coefficients

MANY = 8192
"""Of fewer elements the coefficients are computed one by one."""
LARGEST = 1000.0
"""Of `|q|`, up to where there are tables."""
_DEGREES = np.arange(24)
_NEGLIGIBLE, _ROUNDING = 1e-18, 3e-15
"""Of coefficients or derivatives, which are left out, and of the last terms of their series, or there is no table."""


class _Table(NamedTuple):
    """Of an order and an interval of `q`: its ends, the first order of a term, and two rows a term.

    The rows are the Chebyshev series of its coefficient or the derivative of that, and of the same times the order.
    """

    low: float
    high: float
    first: float
    rows: Any


def _cell(q: Any) -> Any:
    """The number of the interval of `q`: 0 or -1 up to 1, then two an octave."""
    _, exponent = np.frexp(q * q)
    number = np.maximum(exponent, 0)
    return np.where(q < 0, -1 - number, number)


def _ends(cell: int) -> tuple[float, float]:
    if cell < 0:
        low, high = _ends(-1 - cell)
        return -high, -low
    return 2 ** ((cell - 1) / 2) * (cell > 0), 2 ** (cell / 2)


@lru_cache(maxsize=1024)
def _table(even: bool, m: float, cell: int, is_derivative: bool) -> _Table | None:
    low, high = _ends(cell)
    count = len(_DEGREES)
    basis = np.cos(np.outer(2 * _DEGREES + 1, _DEGREES) % (4 * count) * (math.pi / (2 * count)))
    q = (low + high) / 2 + (high - low) / 2 * basis[:, 1]
    orders = np.full_like(q, m)
    a = refined(orders, q, (mathieu_a if even else mathieu_b)(orders, q), even)

    def of_parameter(t: Any) -> Any:
        return fourier_coefficients(orders, t, a + characteristic_derivative(even)(orders, q, a) * (t - q), even)

    coefficients = derivative_along(of_parameter, q, np.ones_like(q)) if is_derivative else of_parameter(q)
    (known,) = np.nonzero(np.max(np.abs(coefficients), axis=1) > _NEGLIGIBLE)
    kept = slice(known[0], known[-1] + 1)
    rows = coefficients[kept] @ basis * (np.where(_DEGREES == 0, 1.0, 2.0) / count)
    if np.max(np.abs(rows[:, -2:])) > _ROUNDING:
        return None
    order = 2.0 * np.arange(kept.start, kept.stop) + lowest(m, even)
    return _Table(low, high, float(order[0]), np.concatenate([rows, order[:, None] * rows]))


def _of_mode(even: bool, is_derivative: bool, m: Any, cell: Any, q: Any, x: Any) -> tuple[Any, Any]:
    table = None if np.ndim(m) else _table(even, m, int(cell), is_derivative)
    if table is None:
        return np.full_like(x, np.nan), np.full_like(x, np.nan)
    low, high, first, rows = table
    t = (2 * q - (low + high)) / (high - low)
    series = np.ones((len(_DEGREES), len(t)))
    series[1] = t
    for k in _DEGREES[2:]:
        np.multiply(2 * t, series[k - 1], out=series[k])
        series[k] -= series[k - 2]
    coefficients, rates = np.split(times_columns(rows, series), 2)
    angle = DEGREE * x
    rotations = np.empty(coefficients.shape, np.complex128)
    rotations[0] = np.cos(first * angle) + 1j * np.sin(first * angle)
    step = np.cos(2 * angle) + 1j * np.sin(2 * angle)
    for k in range(1, len(rotations)):
        np.multiply(rotations[k - 1], step, out=rotations[k])
    one, other = (rotations.real, -rotations.imag) if even else (rotations.imag, rotations.real)
    return np.einsum("ki,ki->i", coefficients, one), np.einsum("ki,ki->i", rates, other)


def tabulated(even: bool, is_derivative: bool, m: Any, q: Any, x: Any) -> tuple[Any, Any]:
    """A Mathieu function and its derivative, of many vectors of orders, parameters up to `LARGEST` and degrees.

    Or the derivatives of both in `q`.  NaN where too few have an order and an interval of parameters in common.
    """
    return by_modes(2, partial(_of_mode, even, is_derivative), m, _cell(q).astype(np.float64), q, x)
