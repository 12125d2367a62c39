"""Bessel functions of the integer orders 0, 1, 2, .. at one argument, by their recurrences.

They are the rows of an array.  The derivatives in the argument are differences of rows, so no recurrence is
differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import j0, j1, y0, y1

from ...complex_autograd.engine.traced import raw
from ..numerics.tridiagonal import counted
from ..ufuncs.ufunc_rules import pointwise


def derivatives(rows: Any) -> Any:
    """The derivatives of all but the last, DLMF 10.6.2."""
    return np.concatenate([-rows[1:2], (rows[:-2] - rows[2:]) / 2])


def _derivatives_of_spherical(rows: Any, x: Any, *, highest: int) -> Any:
    """The derivatives of spherical Bessel functions of order 0, and 1, .., DLMF 10.51.2; overflows count as 0."""
    rows = np.where(np.isfinite(raw(rows)), rows, 0.0)
    return np.concatenate([-rows[1:2], rows[:-1] - counted(highest + 2, raw(x))[2:] * (1 / x) * rows[1:]])


@pointwise(lambda w, x, *, highest: derivatives(bessel_j_sequence(x, highest=highest + 1)))
def bessel_j_sequence(x: Any, *, highest: int) -> Any:
    """`J_0, .., J_highest` at `x > 0`: upwards by DLMF 10.6.1 beyond the orders, else by ratios downwards."""
    return _beyond_or_not(_bessel_upwards, _bessel_downwards, x, highest)


def _bessel_upwards(x: Any, highest: int) -> Any:
    return _upwards([j0(x), j1(x)], x, highest, 0)


def _bessel_downwards(x: Any, highest: int) -> Any:
    """With `J_0 + 2 sum J_2k = 1`, DLMF 10.12.4."""
    rows = _relative(x, _start(x, highest), 0)
    return rows[: highest + 1] / (rows[0] + 2 * np.sum(rows[2::2], axis=0))


@pointwise(_derivatives_of_spherical)
def spherical_j_sequence(x: Any, *, highest: int) -> Any:
    """`j_0, .., j_highest` at `x > 0`: upwards by DLMF 10.51.1 beyond the orders, else by ratios downwards."""
    return _beyond_or_not(_spherical_upwards, _spherical_downwards, x, highest)


def _spherical_upwards(x: Any, highest: int) -> Any:
    sine, cosine = np.sin(x), np.cos(x)
    return _upwards([sine / x, (sine / x - cosine) / x], x, highest, 1)


def _spherical_downwards(x: Any, highest: int) -> Any:
    """With `sum (2 k + 1) j_k**2 = 1`, DLMF 10.60.12."""
    rows = _relative(x, _start(x, highest), 1)
    total = np.sqrt(np.sum((2 * counted(rows.shape[0], x) + 1) * (rows * rows), axis=0))
    sine, cosine = np.sin(x), np.cos(x)
    sign = np.sign(rows[0] * sine + rows[1] * (sine / x - cosine))
    return rows[: highest + 1] * (sign / total)


def _beyond_or_not(upwards: Any, downwards: Any, x: Any, highest: int) -> Any:
    """The one beyond the orders, where it does not cancel, the other elsewhere."""
    is_far = x > highest + 1
    if np.all(is_far):
        return upwards(x, highest)
    if not np.any(is_far):
        return downwards(x, highest)
    rows = np.empty_like(x, shape=(highest + 1, *x.shape))
    rows[:, is_far], rows[:, ~is_far] = upwards(x[is_far], highest), downwards(x[~is_far], highest)
    return rows


def _start(x: Any, highest: int) -> int:
    """The order `k` to start from: `J_k Y_highest / (J_highest Y_k)` is less than 1e-17, as Ai and Bi show."""
    largest = float(np.max(np.where(np.isfinite(x), x, 0.0), initial=0.0))
    return max(highest, int(largest)) + 10 + int(8 * largest ** (1 / 3))


def _relative(x: Any, first: int, odd: int) -> Any:
    """`f_k / f_0` of the solutions that decay of `f_(k-1) = (2 k + odd) / x f_k - f_(k+1)`."""
    rows = np.empty_like(x, shape=(first + 1, *np.shape(x)))
    rows[0] = 1.0
    ratio: Any = 0.0
    for k in range(first, 0, -1):
        ratio = np.divide(x, (2 * k + odd) - x * ratio, out=rows[k])
    return np.cumprod(rows, axis=0)


@pointwise(lambda w, x, *, highest: derivatives(bessel_y_sequence(x, highest=highest + 1)))
def bessel_y_sequence(x: Any, *, highest: int) -> Any:
    """`Y_0, .., Y_highest` at `x > 0`, by the recurrence upwards, DLMF 10.6.1."""
    return _upwards([y0(x), y1(x)], x, highest, 0)


@pointwise(lambda w, x, *, rows, sequence: _of_equation(x, sequence(x, highest=rows.shape[0] - 1)))
def argument_times_derivatives(x: Any, *, rows: Any, sequence: Any) -> Any:
    """`x` times the derivatives of all but the last of the plain rows; their own do not cancel at small `x`.

    They are `(k**2 / x - x) C_k`, DLMF 10.2.1.
    """
    return x * derivatives(rows)


def _of_equation(x: Any, rows: Any) -> Any:
    order = counted(rows.shape[0] - 1, raw(x))
    return (order * order / x - x) * rows[:-1]


@pointwise(_derivatives_of_spherical)
def spherical_y_sequence(x: Any, *, highest: int) -> Any:
    """`y_0, .., y_highest` at `x > 0`, by the recurrence upwards, DLMF 10.51.1."""
    return _upwards([-np.cos(x) / x, -(np.cos(x) / x + np.sin(x)) / x], x, highest, 1)


def _upwards(first: Sequence[Any], x: Any, highest: int, odd: int) -> Any:
    """`f_(k+1) = (2 k + odd) / x f_k - f_(k-1)`."""
    rows = np.empty_like(x, shape=(max(highest, 1) + 1, *np.shape(x)))
    rows[0], rows[1] = first
    for k in range(1, highest):
        np.divide(2 * k + odd, x, out=rows[k + 1])
        rows[k + 1] *= rows[k]
        rows[k + 1] -= rows[k - 1]
    return rows[: highest + 1]
