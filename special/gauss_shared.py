"""Gauss' function `2F1(a, b; c; z)` of parameters that are numbers, of many real `z`: they share the coefficients.

Of each series the coefficients are had once and summed by Horner's rule, of as many terms as the moduli in an interval
need.  Near 0 it is the power series, then that of `gauss_mapped`, next to 1 and far out those of DLMF 15.8.4 and
15.8.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from scipy import special

__all__ = ["FEWEST", "shared_values"]

FEWEST = 1000
"""So many elements are worth the coefficients."""

_LARGEST = 60.0
"""Parameters up to here are tried."""

_LOSS = 20.0
"""The terms of a sum may be larger than the sum by this factor."""

_PER_UNIT = 32
"""The moduli of the variable are taken together in intervals of this part of 1."""

_MOST = 400
"""So many coefficients at most."""

_AT_ONCE = 8192
"""Elements that are summed at a time, in the cache."""

_NEAR, _CLOSE, _FAR = 0.5, 0.1, 9.0
"""The power series is taken up to this modulus, the expansions up to this distance from 1, and from this modulus on."""

_FARTHEST_MAPPED = 0.8
"""The series in the mapped variable is taken up to this modulus of it."""

_WHOLE = 0.05
"""The expansions in two terms are taken where two exponents differ by more than this from a whole number."""


def shared_values(a: float, b: float, c: float, z: Any) -> Any:
    """The function; NaN where none of the series is good.

    Parameters
    ----------
    a, b, c : float
        The parameters.
    z : array
        Flat, of double precision.
    """
    w = np.full_like(z, np.nan)
    if max(abs(a), abs(b), abs(c)) > _LARGEST or (c <= 0 and c == round(c)):
        return w
    ways = [(np.abs(z) <= _NEAR, _near)]
    if _gap(c - a - b) > _WHOLE:
        ways.append(((z > 1 - _CLOSE) & (z < 1), _close))
    if _gap(b - a) > _WHOLE:
        ways.append((z < -_FAR, _far))
    for mask, way in (*ways, (z < 1, _mapped)):
        (here,) = np.nonzero(mask & np.isnan(w))
        if here.shape[0]:
            w[here] = way(a, b, c, z[here])
    return w


def _gap(x: float) -> float:
    return abs(x - round(x))


def _near(a: float, b: float, c: float, z: Any) -> Any:
    return _checked(*_series(a, b, c).sums(z))


def _mapped(a: float, b: float, c: float, z: Any) -> Any:
    root = np.sqrt(1 - z)
    below = 1 / (1 + root)
    zeta = z * below * below
    w = np.full_like(z, np.nan)
    needs_euler = a + b > c
    upper = (c - a, c - b) if needs_euler else (a, b)
    for is_side, first, second in ((z >= 0, min(upper), max(upper)), (z < 0, max(upper), min(upper))):
        (here,) = np.nonzero(is_side & (np.abs(zeta) <= _FARTHEST_MAPPED))
        if here.shape[0]:
            total = _checked(*_mapped_series(first, second, c).sums(zeta[here]))
            w[here] = total * (2 * below[here]) ** (2 * first)
    return w * root ** (2 * (c - a - b)) if needs_euler else w


def _close(a: float, b: float, c: float, z: Any) -> Any:
    y, s = 1 - z, c - a - b
    first = _factor((c, s), (c - a, c - b))
    second = _factor((c, -s), (a, b)) * y**s
    return _of_two((first, _series(a, b, 1 - s)), (second, _series(c - a, c - b, 1 + s)), y)


def _far(a: float, b: float, c: float, z: Any) -> Any:
    first = _factor((c, b - a), (b, c - a)) * (-z) ** -a
    second = _factor((c, a - b), (a, c - b)) * (-z) ** -b
    return _of_two((first, _series(a, a - c + 1, a - b + 1)), (second, _series(b, b - c + 1, b - a + 1)), 1 / z)


def _factor(above: tuple[float, float], below: tuple[float, float]) -> float:
    """`gamma(x) gamma(y) / (gamma(u) gamma(v))`."""
    (x, y), (u, v) = above, below
    return float(special.gamma(x) * special.rgamma(u) * (special.gamma(y) * special.rgamma(v)))


def _of_two(first: tuple[Any, _Series], second: tuple[Any, _Series], x: Any) -> Any:
    total, sizes = 0.0, 0.0
    for factor, series in (first, second):
        part, size = series.sums(x)
        total, sizes = total + factor * part, sizes + np.abs(factor) * size
    return _checked(total, sizes)


def _checked(total: Any, sizes: Any) -> Any:
    return np.where(sizes <= _LOSS * np.abs(total), total, np.nan)


class _Series:
    """A power series with these coefficients, of which there are enough for the variables up to its radius."""

    def __init__(self, coefficients: Iterator[float]) -> None:
        self.coefficients = np.array(list(islice(coefficients, _MOST)))
        self.lengths: dict[int, tuple[int, float]] = {}

    def length(self, interval: int) -> tuple[int, float]:
        """How many terms an interval of moduli needs, and the sum of their moduli."""
        if interval not in self.lengths:
            radius = (interval + 1) / _PER_UNIT
            rests = np.cumsum(np.abs(self.coefficients * radius ** np.arange(_MOST))[::-1])[::-1]
            size = float(rests[0])
            count = int(np.count_nonzero(rests > 1e-17 * size))
            self.lengths[interval] = (count, size) if count < _MOST - 20 else (1, math.inf)
        return self.lengths[interval]

    def sums(self, x: Any) -> tuple[Any, Any]:
        """The sums, and bounds of the sums of moduli."""
        intervals = (np.abs(x) * _PER_UNIT).astype(np.uint8)
        order = np.argsort(intervals, kind="stable")
        sorted_x = x[order]
        totals, sizes = np.empty_like(x), np.empty_like(x)
        ends = np.cumsum(np.bincount(intervals))
        for interval, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            if start < end:
                count, size = self.length(interval)
                sizes[start:end] = size
                for i in range(start, end, _AT_ONCE):
                    part = slice(i, min(i + _AT_ONCE, end))
                    _horner(self.coefficients[:count], sorted_x[part], totals[part])
        back = np.empty_like(order)
        back[order] = np.arange(order.shape[0])
        return totals[back], sizes[back]


def _horner(coefficients: Any, x: Any, out: Any) -> None:
    out[:] = coefficients[-1]
    for c in coefficients[-2::-1].tolist():
        np.multiply(out, x, out)
        np.add(out, c, out)


@lru_cache(64)
def _series(a: float, b: float, c: float) -> _Series:
    """`2F1(a, b; c; x)`."""

    def coefficients() -> Iterator[float]:
        term = 1.0
        for k in range(_MOST):
            yield term
            term *= (a + k) * (b + k) / ((c + k) * (k + 1))

    return _Series(coefficients())


@lru_cache(64)
def _mapped_series(a: float, b: float, c: float) -> _Series:
    """That of `gauss_mapped`."""

    def coefficients() -> Iterator[float]:
        before, term = 0.0, 1.0
        for n in range(_MOST):
            yield term
            following = (b - c / 2) * (n + a) * term + (a + (n - 1) / 2) * (a - c / 2 + n / 2) * before
            before, term = term, 4 * following / ((n + 1) * (n + c))

    return _Series(coefficients())
