"""The coefficients of the spheroidal wave functions, and the characteristic value as a function of `c`.

The coefficients `d_r` of the expansion in Legendre functions solve a three-term recurrence, DLMF 30.8.4, whose matrix
is `T = D + C M` with `C = c**2` for prolate and `-c**2` for oblate functions. Its eigenvalue is the characteristic
value, so `d(lambda) / dC = l @ M @ d / (l @ d)` with the left eigenvector `l`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from .modes import by_modes
from .tridiagonal import Rows, null_vector

__all__ = ["MANY", "MOST_LOST", "Recurrence", "characteristic_slope", "polished"]

MOST_LOST = 1e5
"""By how much the terms of a sum may exceed it: 11 digits are right then."""
_LOW_ORDER, _SMALL, _FEW, MANY = 8, 10.0, 12, 30
"""Up to this `m` and `c`, so few coefficients are needed beyond `n / 2 + c`, and else so many."""
_SOON_FORGOTTEN, _FORGOTTEN = 8, 20
"""So many steps of a recurrence, where its terms decrease, forget its start: for small `c`, and else."""


class Recurrence:
    """The rows of `D + C M`: `C a[k] d[k+1] + (D[k] + C b[k]) d[k] + C g[k] d[k-1]`; `d[k] = d_r`, `r = 2 k + p`."""

    def __init__(self, m: Any, n: Any, c: Any, spare: int | None = None) -> None:
        self.m, self.n = raw(m), raw(n)
        self.p = (self.n - self.m) % 2
        largest = float(np.max(np.abs(raw(c)), initial=0.0))
        if spare is None:
            spare = _FEW if np.max(self.m, initial=0) <= _LOW_ORDER and largest <= _SMALL else MANY
        count = spare + int(np.max(self.n, initial=0) / 2) + int(largest)
        self.orders = [2.0 * k + self.p for k in range(count)]
        m = self.m
        self.diagonal = [(m + r) * (m + r + 1) for r in self.orders]
        self.a = [(2 * m + r + 2) * (2 * m + r + 1) / ((2 * m + 2 * r + 3) * (2 * m + 2 * r + 5)) for r in self.orders]
        self.b = [
            (2 * (m + r) * (m + r + 1) - 2 * m * m - 1) / ((2 * m + 2 * r - 1) * (2 * m + 2 * r + 3))
            for r in self.orders
        ]
        self.g = [r * (r - 1) / ((2 * m + 2 * r - 3) * (2 * m + 2 * r - 1)) for r in self.orders]

    def vector(self, square: Any, value: Any) -> list[Any]:
        """The coefficients up to a factor, for `C = square`.

        The row that is left out is the first from the end where they stop growing, as in SciPy, so that off the
        characteristic value the dependence on it is the same.
        """
        count = len(self.orders)
        middle = self._middle(raw(square), raw(value))
        diagonal = Rows(count, lambda k: square * self.b[k] + self.diagonal[k] - value)
        upper, lower = Rows(count, lambda k: square * self.a[k]), Rows(count - 1, lambda k: square * self.g[k + 1])
        return null_vector(diagonal, upper, lower, middle)

    def _middle(self, square: Any, value: Any) -> Any:
        """Where the coefficients stop growing: not where the diagonal exceeds what stands beside it."""
        size, highest = float(np.max(np.abs(square), initial=0.0)), float(np.max(value, initial=-np.inf))
        last = start = len(self.orders) - 1
        beside = [size * (a + np.abs(b) + g) for a, b, g in zip(self.a, self.b, self.g, strict=True)]
        while last and np.min(self.diagonal[last] - beside[last]) > highest:
            last -= 1
        middle: Any = np.zeros_like(square + value, dtype=np.int64)
        ratio: Any = 0.0
        for k in range(min(last + (_SOON_FORGOTTEN if size <= _SMALL**2 else _FORGOTTEN), start), 0, -1):
            ratio = (-self.g[k] * square) / (square * (self.b[k] + self.a[k] * ratio) + (self.diagonal[k] - value))
            if k <= last:
                middle = np.where((middle == 0) & ~(np.abs(ratio) < 1), k, middle)
        return middle

    def quotients(self, d: list[Any]) -> tuple[Any, Any]:
        """`l @ D @ d` and `l @ M @ d` over `l @ d`, where `l[k] = s[k] d[k]` with `s[k+1] / s[k] = a[k] / g[k+1]`."""
        weight: Any = 1.0
        of_diagonal, of_matrix, total = 0.0, 0.0, 0.0
        last = len(d) - 1
        for k, x in enumerate(d):
            image = self.b[k] * x
            image = image + self.g[k] * d[k - 1] if k else image
            image = image + self.a[k] * d[k + 1] if k < last else image
            left = weight * x
            of_matrix, product = of_matrix + left * image, left * x
            of_diagonal, total = of_diagonal + self.diagonal[k] * product, total + product
            weight = weight * self.a[k] / self.g[k + 1] if k < last else weight
        return of_diagonal / total, of_matrix / total

    def normalised(self, d: list[Any]) -> list[Any]:
        """Flammer's: the function or its slope at 0 is that of the Legendre function of degree `n`.

        `sum_k t_k d_r = t_j` with `t_k = (-1)**k (r + 2 m + p)! / (2**r ((r - p)/2)! ((r + p)/2 + m)!)`, all of them
        divided by `t_0`, and `j = (n - m - p) / 2`.  NaN where the sum cancels too much.
        """
        m, p = self.m, self.p
        j = (self.n - m - p) // 2
        part: Any = 1.0
        total, size, at_j = 0.0, 0.0, 0.0
        for k, x in enumerate(d):
            term = part * x
            total, size = total + term, size + np.abs(raw(term))
            at_j = at_j + part * (j == k)
            part = -part * (k + m + p + 0.5) / (k + 1)
        scale = np.where(size > MOST_LOST * np.abs(raw(total)), np.nan, at_j / total)
        return [x * scale for x in d]


def characteristic_slope(sign: int) -> Any:
    """The derivative of the characteristic value in `c`; `sign` is 1 for prolate and -1 for oblate functions."""

    def of_mode(m: Any, n: Any, c: Any, value: Any) -> Any:
        rows = Recurrence(m, n, c)
        return 2 * sign * c * rows.quotients(rows.vector(sign * c * c, value))[1]

    def slope(value: Any, m: Any, n: Any, c: Any) -> Any:
        return by_modes(2, of_mode, raw(m), raw(n), c, value)

    return slope


def polished(sign: int, m: Any, n: Any, c: Any, value: Any) -> Any:
    """A characteristic value with its last digits put right by a Rayleigh quotient."""

    def of_mode(m: Any, n: Any, c: Any, value: Any) -> Any:
        square = sign * c * c
        rows = Recurrence(m, n, c)
        of_diagonal, of_matrix = rows.quotients(rows.vector(square, value))
        return of_diagonal + square * of_matrix

    return value + (by_modes(2, of_mode, raw(m), raw(n), raw(c), raw(value)) - raw(value))
