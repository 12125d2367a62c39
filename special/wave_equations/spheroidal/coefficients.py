"""The coefficients of the spheroidal wave functions, and the characteristic value as a function of `c`.

The coefficients `d_r` of the expansion in Legendre functions solve a three-term recurrence, DLMF 30.8.4, whose matrix
is `T = D + C M` with `C = c**2` for prolate and `-c**2` for oblate functions. Its eigenvalue is the characteristic
value, so `d(lambda) / dC = l @ M @ d / (l @ d)` with the left eigenvector `l`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.tridiagonal import counted, next_row, null_vector, row_before
from ...ufuncs.modes import by_modes

MOST_CANCELLED = 1e5
"""By how much the terms of a sum may exceed it: 11 digits are right then."""
_LOW_ORDER, SMALL, _FEW, MANY_ROWS = 8, 10.0, 9, 30
"""Up to this `m` and `c`, so few coefficients are needed beyond `n / 2 + c`, and else so many."""
OFF = 1e3
"""How much larger, squared, the largest coefficient of the symmetric matrix may be."""
UNKNOWN = 2e-14
"""Of a characteristic value, relative: a pivot that is less is 0 for all we know, as where `c` is tiny."""
_LARGEST = 200.0
"""Of `c`: beyond, there is no characteristic value, see `scipy_repairs/hazards.py`."""
_SOON_FORGOTTEN, _FORGOTTEN = 8, 20
"""So many steps of a recurrence, where its terms decrease, forget its start: for small `c`, and else."""


def products(factors: Any) -> Any:
    """1 and the running products of all but the last of the rows."""
    return np.cumprod(np.concatenate([np.ones_like(factors[:1]), factors[:-1]]), axis=0)


class Recurrence:
    """The rows of `D + C M`: `C a[k] d[k+1] + (D[k] + C b[k]) d[k] + C g[k] d[k-1]`; `d[k] = d_r`, `r = 2 k + p`.

    `m` and `n` are numbers or vectors, `c` is a vector; the attributes have one column, or one an element.
    """

    def __init__(self, m: Any, n: Any, c: Any, spare: int | None = None) -> None:
        self.m, self.n, self.p = m, n, (n - m) % 2
        sizes = np.abs(raw(c))
        largest = float(np.max(sizes, initial=0.0, where=sizes <= _LARGEST))
        if spare is None:
            spare = _FEW if np.max(m, initial=0) <= _LOW_ORDER and largest <= SMALL else MANY_ROWS
        self.k = counted(spare + int(np.max(n, initial=0) / 2) + int(largest), raw(c))
        r = self.r = 2 * self.k + self.p
        self.diagonal = (m + r) * (m + r + 1)
        self.a = (2 * m + r + 2) * (2 * m + r + 1) / ((2 * m + 2 * r + 3) * (2 * m + 2 * r + 5))
        self.b = (2 * self.diagonal - 2 * m * m - 1) / ((2 * m + 2 * r - 1) * (2 * m + 2 * r + 3))
        self.g = r * (r - 1) / ((2 * m + 2 * r - 3) * (2 * m + 2 * r - 1))

    def vector(self, square: Any, value: Any, is_given: bool = False) -> Any:
        """The coefficients up to a factor, for `C = square`.

        The row that is left out is the first from the end where they stop growing, as in SciPy: a value that is given,
        as it may be no characteristic value, has the same dependence on it.  At characteristic values for large `c` it
        is that of the largest component in the symmetric matrix, if the other one is far from it.
        """
        diagonal = square * self.b + (self.diagonal - value)
        middle = self._middle(raw(square), raw(diagonal), raw(value))
        d = null_vector(square * self.g, diagonal, square * self.a, middle=middle)
        if is_given or not np.any(np.abs(raw(square)) > SMALL**2):
            return d
        weights = self.left * raw(d) ** 2
        at_middle = np.sum(np.where(self.k == middle, weights, 0.0), axis=0)
        is_off = (np.abs(raw(square)) > SMALL**2) & (np.max(weights, axis=0) > OFF * at_middle)
        if not np.any(is_off):
            return d
        middle = np.where(is_off, np.argmax(weights, axis=0), middle)
        return null_vector(square * self.g, diagonal, square * self.a, middle=middle)

    @property
    def left(self) -> Any:
        """What makes the left eigenvector of the coefficients: `s[k]` with `s[k+1] / s[k] = a[k] / g[k+1]`."""
        return products(self.a / np.concatenate([self.g[1:], self.a[-1:]]))

    def _middle(self, square: Any, diagonal: Any, value: Any) -> Any:
        """Where the coefficients stop growing: not where the diagonal exceeds what stands next to it."""
        unknown = UNKNOWN * np.abs(value)
        size, highest = float(np.max(np.abs(square), initial=0.0)), float(np.max(value + unknown, initial=-np.inf))
        free = self.diagonal - size * (self.a + np.abs(self.b) + self.g)
        last = int(np.max(np.where(np.min(free, axis=1) > highest, 0.0, self.k[:, 0])))
        start = min(last + (_SOON_FORGOTTEN if size <= SMALL**2 else _FORGOTTEN), self.k.shape[0] - 1)
        lower, upper = -self.g[: start + 1] * square, self.a[: start + 1] * square
        pivots = np.zeros_like(diagonal[: start + 1])
        ratio: Any = 0.0
        with np.errstate(all="ignore"):
            for k in range(start, 0, -1):
                np.add(diagonal[k], upper[k] * ratio, out=pivots[k])
                ratio = lower[k] / pivots[k]
        grows = ~(np.abs(lower[1 : last + 1]) + unknown < np.abs(pivots[1 : last + 1]))
        return np.max(np.where(grows, self.k[1 : last + 1], 0.0), axis=0, initial=0.0)

    def quotients(self, d: Any) -> tuple[Any, Any]:
        """`l @ D @ d` and `l @ M @ d` over `l @ d`, with the left eigenvector `l`."""
        image = self.b * d + self.g * row_before(d) + self.a * next_row(d)
        left = self.left * d
        product = left * d
        total = np.sum(product, axis=0)
        return np.sum(self.diagonal * product, axis=0) / total, np.sum(left * image, axis=0) / total

    @property
    def weights_at_zero(self) -> Any:
        """`t_k` of the normalisation."""
        return products(-(self.k + self.m + self.p + 0.5) / (self.k + 1))

    @property
    def radial_weights(self) -> Any:
        """`(r + 2 m)! / r!` of the expansion in spherical Bessel functions, DLMF 30.11.3, over that of the first."""
        m, k, p = self.m, self.k, self.p
        return products((m + k + 1.0) * (m + k + p + 0.5) / ((k + 1.0) * (k + p + 0.5)))

    def normalised(self, d: Any, most_cancelled: float = MOST_CANCELLED) -> Any:
        """Flammer's: the function or its derivative at 0 is that of the Legendre function of degree `n`.

        `sum_k t_k d_r = t_j` with `t_k = (-1)**k (r + 2 m + p)! / (2**r ((r - p)/2)! ((r + p)/2 + m)!)`, all of them
        divided by `t_0`, and `j = (n - m - p) / 2`.  NaN where the sum cancels too much.
        """
        parts = self.weights_at_zero
        terms = parts * d
        total, size = np.sum(terms, axis=0), np.sum(np.abs(raw(terms)), axis=0)
        at_j = np.sum(np.where(self.r == self.n - self.m, parts, 0.0), axis=0)
        return d * np.where(size > most_cancelled * np.abs(raw(total)), np.nan, at_j / total)


def characteristic_derivative(sign: int) -> Any:
    """The derivative of the characteristic value in `c`; `sign` is 1 for prolate and -1 for oblate functions."""

    def of_mode(m: Any, n: Any, c: Any, value: Any) -> Any:
        rows = Recurrence(m, n, c)
        return 2 * sign * c * rows.quotients(rows.vector(sign * c * c, value))[1]

    def derivative(value: Any, m: Any, n: Any, c: Any) -> Any:
        return by_modes(2, of_mode, m, n, c, value)

    return derivative
