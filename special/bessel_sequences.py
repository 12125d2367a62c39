"""Bessel functions of the whole orders 0, 1, 2, .. at one argument, by their recurrences.

They are sums, products and quotients of arrays, so they differentiate in the argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import y0, y1

from ..complex_autograd.array import raw

__all__ = ["Orders", "bessel_j_sequence", "bessel_y_sequence", "slopes", "spherical_j_sequence", "spherical_y_sequence"]


class Orders:
    """A sequence of functions, of which each element takes its own.

    Parameters
    ----------
    sequence : sequence of array
        The functions of the orders 0, 1, 2, ..
    """

    def __init__(self, sequence: Sequence[Any]) -> None:
        self.sequence = sequence
        self.stack: Any = None

    def at(self, order: Any) -> Any:
        """The function of this order; those of negative order are those of the Bessel functions, DLMF 10.4.1."""
        sign = 1 - 2 * ((order < 0) & (order % 2 != 0))
        index = np.abs(order)
        if np.ndim(index) == 0:
            return sign * self.sequence[int(index)]
        if self.stack is None:
            self.stack = np.stack(self.sequence)
        index = np.broadcast_to(index, self.stack.shape[1:]).astype(np.int64)
        return sign * np.take_along_axis(self.stack, index[None], axis=0)[0]


def bessel_j_sequence(x: Any, highest: int) -> list[Any]:
    """`J_0, .., J_highest` at `x > 0`: ratios downwards, DLMF 3.6(iii), and `J_0 + 2 sum J_2k = 1`, DLMF 10.12.4."""
    parts = _relative(x, highest, 0)
    total = parts[0] + 2 * sum(parts[2::2])
    return [part / total for part in parts[: highest + 1]]


def spherical_j_sequence(x: Any, highest: int) -> list[Any]:
    """`j_0, .., j_highest` at `x > 0`: the ratios downwards, and `sum (2 k + 1) j_k**2 = 1`, DLMF 10.60.12."""
    parts = _relative(x, highest, 1)
    total = np.sqrt(sum((2 * k + 1) * part * part for k, part in enumerate(parts)))
    sine, cosine = np.sin(raw(x)), np.cos(raw(x))
    sign = np.sign(raw(parts[0]) * sine + raw(parts[1]) * (sine / raw(x) - cosine))
    return [sign * part / total for part in parts[: highest + 1]]


def _relative(x: Any, highest: int, odd: int) -> list[Any]:
    """`f_k / f_0` of the solutions that decay of `f_(k-1) + f_(k+1) = (2 k + odd) / x f_k`."""
    first = max(highest, int(1.2 * float(np.max(raw(x), initial=0.0)))) + 40
    ratio: Any = 0.0 * x
    ratios = []
    for k in range(first, 0, -1):
        ratio = x / (2 * k + odd - x * ratio)
        ratios.append(ratio)
    parts: list[Any] = [1.0 + 0 * x]
    for ratio in reversed(ratios):
        parts.append(parts[-1] * ratio)
    return parts


def bessel_y_sequence(x: Any, highest: int) -> list[Any]:
    """`Y_0, .., Y_highest` at `x > 0`, by the recurrence upwards, DLMF 10.6.1."""
    sequence = [y0(x), y1(x)]
    for k in range(1, highest):
        sequence.append(2 * k / x * sequence[k] - sequence[k - 1])
    return sequence


def spherical_y_sequence(x: Any, highest: int) -> list[Any]:
    """`y_0, .., y_highest` at `x > 0`, by the recurrence upwards, DLMF 10.51.1."""
    sequence = [-np.cos(x) / x, -(np.cos(x) / x + np.sin(x)) / x]
    for k in range(1, highest):
        sequence.append((2 * k + 1) / x * sequence[k] - sequence[k - 1])
    return sequence


def slopes(sequence: Sequence[Any]) -> list[Any]:
    """The derivatives of all but the last, DLMF 10.6.2."""
    return [-sequence[1], *[(a - b) / 2 for a, b in zip(sequence, sequence[2:], strict=False)]]
