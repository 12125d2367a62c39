"""The contour integrals of the incomplete beta function, along a path through the saddle point.

With `x = 1 - y` the integrand is `(x / s)**a (y / (1 - s))**b e**(l (x / s - 1))`, times powers of `log(x / s)` and
`log(y / (1 - s))`, and divided by `s - x` where there is a pole.  The shapes may be huge: what they multiply is
computed relative to `p`, where the path crosses the real axis, and without cancellation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..numerics.contours import Pair, product, quotient, times_power
from ..numerics.stirling_powers import log_of_ratio

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_SMALLEST = 1.5
"""The shapes for which the contour is made where the shapes themselves are less."""


class _Grid(NamedTuple):
    """The nodes in `t = width u exp(tail (cosh(bend u) - 1))`, `0 < u < 1`."""

    nodes: int
    bend: float


ORDINARY = _Grid(26, 4.0)
NONCENTRAL = _Grid(36, 4.0)
SLOW = _Grid(72, 6.5)
"""Where `a + b < 1.5`, so that the integrand falls slowly."""
_LAST = 40.0
"""The `log(t)` beyond which only the modulus of `s` still changes, in proportion to `t`."""


class _Path(NamedTuple):
    """The contour `s = p (3 + 2 q t**2) (1 + i t) / e`, `1 - s = q (3 + 2 p t**2) (1 - i t) / e`, `q = 1 - p`.

    Here `e = 3 + 4 p q t**2 + 3 i (p - q) t`.  To third order in `t = tan(theta / 2)` it is the path of steepest
    descent of `s**-a (1 - s)**-b` with `p = a / (a + b)`, which is `s = sin(p theta) / sin(theta) e**(i q theta)`.
    """

    p: Any
    q: Any

    def moduli(self, square: Any) -> tuple[Any, Any]:
        """`log|s / p|` and `log|(1 - s) / q|`, without cancellation."""
        pq = self.p * self.q
        common = 0.5 * np.log1p(pq * (16 / 9 * pq * square - 4 / 3) * (square / (1 + square)))
        return np.log1p(2 / 3 * self.q * square) - common, np.log1p(2 / 3 * self.p * square) - common

    def angles(self, t: Any, square: Any) -> tuple[Any, Any]:
        """The angles of `s` and of `1 - s`, whose difference is `2 arctan(t)`, first the one that may be small."""
        less, larger, pq = np.minimum(self.p, self.q), np.maximum(self.p, self.q), 4 * self.p * self.q
        small = np.arctan(t * (6 * less + pq * square) / (3 + (pq + 3 * (larger - less)) * square))
        other, is_left = 2 * np.arctan(t) - small, self.p < self.q
        return np.where(is_left, other, small), np.where(is_left, -small, -other)

    def reciprocal(self, t: Any, square: Any) -> Pair:
        """`1 / s - 1 / p`."""
        scale = -2 * self.q * t / (self.p * (3 + 2 * self.q * square) * (1 + square))
        return scale * t * (2 + 2 * self.q + square), scale * (3 + 2 * self.p * square)

    def measure(self, t: Any, square: Any, x: Any, y: Any, shift: Any, pole: bool) -> Pair:
        """`ds / dt`, divided by `s - x` where there is a pole; `shift` is `p - x`."""
        p, q = self.p, self.q
        pq, d = p * q, p - q
        e = 3 + 4 * pq * square, 3 * d * t
        numerator = -12 * pq * d * t * (1 + square), pq * (18 + square * (12 + 8 * pq * square))
        if not pole:
            return quotient(numerator, product(e, e))
        twice = 2 * pq * square
        distance = 3 * shift + twice * (y - x), t * (3 * (p * y + q * x) + twice)
        return quotient(numerator, product(e, distance))


def _path_of(a: Any, b: Any, lx: Any) -> _Path:
    """Through the saddle point: `(a + b) p**2 - (a - l x) p - l x = 0`, each root in the form that does not cancel."""
    a, b = np.maximum(a, _SMALLEST), np.maximum(b, _SMALLEST)
    if lx is None:
        return _Path(a / (a + b), b / (a + b))
    root = np.sqrt(a * a + lx * (2 * a + 4 * b + lx))
    is_small = lx < a
    p = np.where(is_small, (a - lx + root) / (2 * (a + b)), 2 * lx / np.where(is_small, 1.0, lx - a + root))
    return _Path(p, 2 * b / (a + 2 * b + lx + root))


def _shift(a: Any, b: Any, odds: Any) -> Any:
    """`p - x` where the path is central, which loses no digits when shapes are large."""
    a, b = np.maximum(a, _SMALLEST), np.maximum(b, _SMALLEST)
    return (a - b * odds) / ((a + b) * (1 + odds))


def _end_of(path: _Path, a: Any, b: Any, lx: Any, fall: Any) -> Any:
    """The `log(t)` where the integrand is negligible, by the secant method from the Gaussian's.

    Each step goes further beyond than the last one, so that no two points are the same.
    """

    def depth(log_t: Any) -> Any:
        t = np.exp(np.minimum(log_t, _LAST))
        square = t * t
        moduli = path.moduli(square)
        total = a * moduli[0] + b * moduli[1] - (a + b - fall) / 2 * np.log1p(square)
        if lx is not None:
            total = total - lx * path.reciprocal(t, square)[0]
        return total + fall * np.maximum(log_t - _LAST, 0.0)

    width = (np.maximum(a, _SMALLEST) + np.maximum(b, _SMALLEST)) * path.p * path.q
    before = 0.5 * np.log(_DEPTH / (2 * width if lx is None else 2 * width + 4 * lx * path.q / path.p))
    reached = depth(before)
    log_t = before + (_DEPTH - reached) / (2 * reached) + 1e-6
    for further in (2e-6, 4e-6, 8e-6):
        deeper = depth(log_t)
        derivative = (deeper - reached) / (log_t - before)
        before, reached = log_t, deeper
        log_t = log_t + (_DEPTH - deeper) / derivative + further
    return log_t


def _nodes_to(end: Any, grid: _Grid) -> Iterator[tuple[Any, Any, Any]]:
    """Of each node `t`, how far `log(t)` goes beyond the last, and the weight."""
    log_width = -0.5 * np.log(np.exp(-2 * np.minimum(end, _LAST)) + 1 / 12.25)
    tail = (end - log_width) / (math.cosh(grid.bend) - 1)
    scale = 1 / (grid.nodes * math.pi)
    for k in range(grid.nodes):
        u = (k + 0.5) / grid.nodes
        log_t = tail * (math.cosh(grid.bend * u) - 1) + (log_width + math.log(u))
        t = np.exp(np.minimum(log_t, _LAST))
        yield t, np.maximum(log_t - _LAST, 0.0), t * (scale / u + tail * (scale * grid.bend * math.sinh(grid.bend * u)))


def contour_integral(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool, grid: _Grid) -> Any:
    """The trapezoidal rule on the path."""
    x, y = odds / (1 + odds), 1 / (1 + odds)
    lx = None if lam is None else lam * x
    path = _path_of(a, b, lx)
    fall = a + b if pole else a + b - 1
    end = _end_of(path, a, b, lx, fall)
    shift = _shift(a, b, odds) if lam is None else path.p * y - path.q * x
    logs = log_of_ratio(x / path.p, -shift / path.p), log_of_ratio(y / path.q, shift / path.q)
    total: Any = 0.0
    for t, rest, rate in _nodes_to(end, grid):
        square = t * t
        moduli, angles = path.moduli(square), path.angles(t, square)
        decay, phase = a * moduli[0] + b * moduli[1], a * angles[0] + b * angles[1]
        if lx is not None:
            bent = path.reciprocal(t, square)
            decay, phase = decay - lx * bent[0], phase - lx * bent[1]
        weight = path.measure(t, square, x, y, shift, pole)
        weight = times_power(weight, (logs[0] - moduli[0] - rest, -angles[0]), orders[0])
        weight = times_power(weight, (logs[1] - moduli[1] - rest, -angles[1]), orders[1])
        part = np.cos(phase) * weight[1] - np.sin(phase) * weight[0]
        total = total + np.exp(-decay - fall * rest) * rate * part
    exponent = a * logs[0] + b * logs[1]
    if lam is not None:
        exponent = exponent - lam * (shift / path.p)
    return np.exp(exponent) * total
