"""Bessel functions of the whole orders 0, 1, 2, .. at one argument, by their recurrences.

They are the rows of an array.  The derivatives in the argument are differences of rows, so no recurrence is
differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import y0, y1

from .ufunc_rules import pointwise

__all__ = [
    "Orders",
    "bessel_i_sequence",
    "bessel_j_sequence",
    "bessel_y_sequence",
    "slopes",
    "slopes_of_spherical",
    "spherical_j_sequence",
    "spherical_y_sequence",
]


class Orders:
    """A sequence of functions, of which each element takes its own.

    Parameters
    ----------
    rows : array or sequence of array
        The functions of the orders 0, 1, 2, ..
    """

    def __init__(self, rows: Any) -> None:
        self.rows = rows if hasattr(rows, "shape") else np.stack(rows)

    def at(self, order: Any) -> Any:
        """The function of this order; those of negative order are those of the Bessel functions, DLMF 10.4.1."""
        sign = 1 - 2 * ((order < 0) & (order % 2 != 0))
        index = np.abs(order)
        if np.ndim(index) == 0:
            return sign * self.rows[int(index)]
        index = np.broadcast_to(index, self.rows.shape[1:]).astype(np.int64)
        return sign * np.take_along_axis(self.rows, index[None], axis=0)[0]


def slopes(rows: Any) -> Any:
    """The derivatives of all but the last, DLMF 10.6.2."""
    return np.concatenate([-rows[1:2], (rows[:-2] - rows[2:]) / 2])


def slopes_of_spherical(rows: Any) -> Any:
    """The derivatives of all but the last of spherical Bessel functions, DLMF 10.51.2."""
    inner = [(k * rows[k - 1] - (k + 1) * rows[k + 1]) / (2 * k + 1) for k in range(1, rows.shape[0] - 1)]
    return np.stack([-rows[1], *inner])


def _slopes_of_scaled(rows: Any) -> Any:
    """The derivatives of all but the last of `exp(-x) I_k`, DLMF 10.29.2 and 10.29.1."""
    return np.concatenate([rows[1:2], (rows[:-2] + rows[2:]) / 2]) - rows[:-1]


@pointwise(lambda w, x, *, highest: slopes(bessel_j_sequence(x, highest=highest + 1)))
def bessel_j_sequence(x: Any, *, highest: int) -> Any:
    """`J_0, .., J_highest` at `x > 0`: ratios downwards, DLMF 3.6(iii), and `J_0 + 2 sum J_2k = 1`, DLMF 10.12.4."""
    parts = _relative(x, highest, 0, -1.0)
    total = parts[0] + 2 * sum(parts[2::2])
    return np.stack(parts[: highest + 1]) / total


@pointwise(lambda w, x, *, highest: _slopes_of_scaled(bessel_i_sequence(x, highest=highest + 1)))
def bessel_i_sequence(x: Any, *, highest: int) -> Any:
    """`exp(-x) I_k` of `k = 0, .., highest` at `x >= 0`: the same with `I_0 + 2 sum I_k = exp(x)`, DLMF 10.35.5."""
    parts = _relative(x, highest, 0, 1.0)
    total = parts[0] + 2 * sum(parts[1:])
    return np.stack(parts[: highest + 1]) / total


@pointwise(lambda w, x, *, highest: slopes_of_spherical(spherical_j_sequence(x, highest=highest + 1)))
def spherical_j_sequence(x: Any, *, highest: int) -> Any:
    """`j_0, .., j_highest` at `x > 0`: upwards by DLMF 10.51.1 beyond the orders, else by ratios downwards."""
    is_far = x > highest + 1
    if np.all(is_far):
        return _spherical_upwards(x, highest)
    rows = _spherical_downwards(np.where(is_far, 1.0, x), highest)
    if not np.any(is_far):
        return rows
    return np.where(is_far, _spherical_upwards(np.where(is_far, x, highest + 1.0), highest), rows)


def _spherical_upwards(x: Any, highest: int) -> Any:
    sine, cosine = np.sin(x), np.cos(x)
    return _upwards([sine / x, (sine / x - cosine) / x], x, highest, 1)


def _spherical_downwards(x: Any, highest: int) -> Any:
    """With `sum (2 k + 1) j_k**2 = 1`, DLMF 10.60.12."""
    parts = _relative(x, highest, 1, -1.0)
    total = np.sqrt(sum((2 * k + 1) * part * part for k, part in enumerate(parts)))
    sine, cosine = np.sin(x), np.cos(x)
    sign = np.sign(parts[0] * sine + parts[1] * (sine / x - cosine))
    return np.stack(parts[: highest + 1]) * (sign / total)


def _relative(x: Any, highest: int, odd: int, sign: float) -> list[Any]:
    """`f_k / f_0` of the solutions that decay of `f_(k-1) = (2 k + odd) / x f_k + sign f_(k+1)`."""
    first = max(highest, int(1.2 * float(np.max(x, initial=0.0)))) + 40
    ratio: Any = 0.0 * x
    ratios = []
    for k in range(first, 0, -1):
        ratio = x / (2 * k + odd + sign * x * ratio)
        ratios.append(ratio)
    parts: list[Any] = [1.0 + 0 * x]
    for ratio in reversed(ratios):
        parts.append(parts[-1] * ratio)
    return parts


@pointwise(lambda w, x, *, highest: slopes(bessel_y_sequence(x, highest=highest + 1)))
def bessel_y_sequence(x: Any, *, highest: int) -> Any:
    """`Y_0, .., Y_highest` at `x > 0`, by the recurrence upwards, DLMF 10.6.1."""
    return _upwards([y0(x), y1(x)], x, highest, 0)


@pointwise(lambda w, x, *, highest: slopes_of_spherical(spherical_y_sequence(x, highest=highest + 1)))
def spherical_y_sequence(x: Any, *, highest: int) -> Any:
    """`y_0, .., y_highest` at `x > 0`, by the recurrence upwards, DLMF 10.51.1."""
    return _upwards([-np.cos(x) / x, -(np.cos(x) / x + np.sin(x)) / x], x, highest, 1)


def _upwards(rows: Sequence[Any], x: Any, highest: int, odd: int) -> Any:
    """`f_(k+1) = (2 k + odd) / x f_k - f_(k-1)`."""
    rows = list(rows)
    for k in range(1, highest):
        rows.append((2 * k + odd) / x * rows[k] - rows[k - 1])
    return np.stack(rows[: highest + 1])
