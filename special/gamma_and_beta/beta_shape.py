"""Derivatives of the incomplete beta function in its shapes, of every order, central and noncentral.

With `I(a, b, l, x) = sum_j e**-l l**j / j! betainc(a + j, b, x)` (`l = 0`: `betainc` itself) and a contour from below
to above that crosses the real axis between `x` and 1,

    I(a, b, l, x) = 1 / (2 pi i) int (x / s)**a (y / (1 - s))**b e**(l (x / s - 1)) / (s - x) ds,    y = 1 - x

(DLMF 8.17.10 with the generating function of the `l**j`).  A derivative in `a` is a factor `log(x / s)`, one in `b` a
factor `log(y / (1 - s))`.  Each cancels the pole at `x`: the integral then holds along every contour between 0 and 1,
and nothing is left of the transition.  All derivatives in all arguments are integrals of this family, `F` with the pole
and `G` without it: `d/dl` of `F` is `-G(a + 1, b) / x`, `G(a, b + 1) b / (x y**2)` is the density in `x`.  The variable
is `X = x / y`, so that no digits are lost near `x = 1`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..numerics.contours import LONG_BLOCK, Pair, in_double, product, quotient, times_power
from ..ufuncs.ufunc_rules import pointwise
from .beta_quadrature import first_derivative, is_moderate
from .beta_tiny import is_tiny, raised
from .poisson_mixtures import beta_density_is_short, beta_is_short, beta_mixture_density, beta_mixture_slope

__all__ = ["beta_integral", "noncentral_beta_integral"]

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_SMALLEST = 1.5
"""The shapes for which the contour is made where the shapes themselves are less."""


class _Grid(NamedTuple):
    """The nodes in `t = width u exp(tail (cosh(bend u) - 1))`, `0 < u < 1`."""

    nodes: int
    bend: float


_ORDINARY = _Grid(26, 4.0)
_NONCENTRAL = _Grid(36, 4.0)
_SLOW = _Grid(72, 6.5)
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
        """The angles of `s` and of `1 - s`."""
        half, turn = np.arctan(t), np.arctan(3 * (self.p - self.q) * t / (3 + 4 * self.p * self.q * square))
        return half - turn, -half - turn

    def reciprocal(self, t: Any, square: Any) -> Pair:
        """`1 / s - 1 / p`."""
        scale = -2 * self.q * t / (self.p * (3 + 2 * self.q * square) * (1 + square))
        return scale * t * (2 + 2 * self.q + square), scale * (3 + 2 * self.p * square)

    def measure(self, t: Any, square: Any, x: Any, y: Any, pole: bool) -> Pair:
        """`ds / dt`, divided by `s - x` where there is a pole."""
        p, q = self.p, self.q
        pq, d = p * q, p - q
        e = 3 + 4 * pq * square, 3 * d * t
        numerator = -12 * pq * d * t * (1 + square), pq * (18 + square * (12 + 8 * pq * square))
        if not pole:
            return quotient(numerator, product(e, e))
        twice = 2 * pq * square
        distance = 3 * (p * y - q * x) + twice * (y - x), t * (3 * (p * y + q * x) + twice)
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


def _end_of(path: _Path, a: Any, b: Any, lx: Any, fall: Any) -> Any:
    """The `log(t)` where the integrand is negligible, by the secant method from the Gaussian's."""

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
    for _ in range(3):
        deeper = depth(log_t)
        slope = (deeper - reached) / (log_t - before)
        before, reached = log_t, deeper
        log_t = log_t + (_DEPTH - deeper) / slope + 1e-6
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


def _integral(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool, grid: _Grid) -> Any:
    """The trapezoidal rule on the path."""
    x, y = odds / (1 + odds), 1 / (1 + odds)
    lx = None if lam is None else lam * x
    path = _path_of(a, b, lx)
    fall = a + b if pole else a + b - 1
    end = _end_of(path, a, b, lx, fall)
    logs = np.log(x / path.p), np.log(y / path.q)
    total: Any = 0.0
    for t, rest, rate in _nodes_to(end, grid):
        square = t * t
        moduli, angles = path.moduli(square), path.angles(t, square)
        decay, phase = a * moduli[0] + b * moduli[1], a * angles[0] + b * angles[1]
        if lx is not None:
            bent = path.reciprocal(t, square)
            decay, phase = decay - lx * bent[0], phase - lx * bent[1]
        weight = path.measure(t, square, x, y, pole)
        weight = times_power(weight, (logs[0] - moduli[0] - rest, -angles[0]), orders[0])
        weight = times_power(weight, (logs[1] - moduli[1] - rest, -angles[1]), orders[1])
        part = np.cos(phase) * weight[1] - np.sin(phase) * weight[0]
        total = total + np.exp(-decay - fall * rest) * rate * part
    exponent = a * logs[0] + b * logs[1]
    if lam is not None:
        exponent = exponent + lam * (x / path.p - 1)
    return np.exp(exponent) * total


def _on_grids(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    """The integral inside the domain; 0 where `x` is 0 or 1, or a parameter infinite; NaN elsewhere."""
    is_central = lam is None
    allowed = (a >= 0) & (b >= 0) & (a + b > 0) & (odds >= 0)
    inside = allowed & (odds > 0) & (a < np.inf) & (b < np.inf) & (odds < np.inf)
    if not is_central:
        inside, allowed = inside & (lam >= 0) & (lam < np.inf), allowed & (lam >= 0)
        lam = np.where(inside, lam, 0.0)
    lam = 0.0 if lam is None else lam
    a, b, odds, lam = np.broadcast_arrays(*[np.where(inside, v, 1.0) for v in (a, b, odds)], lam)
    is_slow = a + b < (1.5 if pole else 2.5)
    given = None if is_central else lam
    grid = _ORDINARY if is_central else _NONCENTRAL
    out = _integral(np.where(is_slow, 2.0, a), np.where(is_slow, 2.0, b), given, odds, orders, pole, grid)
    if np.any(is_slow):
        given = None if is_central else lam[is_slow]
        out[is_slow] = _integral(a[is_slow], b[is_slow], given, odds[is_slow], orders, pole, _SLOW)
    return np.where(inside, out, np.where(allowed, 0.0, np.nan))


# derivatives


def _more(orders: tuple[int, int], first: int, second: int) -> tuple[int, int]:
    return orders[0] + first, orders[1] + second


def _odds_slope(integral: Any, w: Any, a: Any, b: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    """`d/dX`; each order in `a` or `b` acts on the factors `a` and `b`, too.

    With the pole `b G(a, b + 1) / (X y)`, the density; without it `y ((a / X - b) G + l / X G(a + 1, b))`, of which the
    term with `l` is left to the caller.
    """
    n, m = orders
    if pole:
        slope = b * integral(a, b + 1, orders)
        if m:
            slope = slope + m * integral(a, b + 1, (n, m - 1))
        return slope * (1 + odds) / odds
    slope = (a / odds - b) * w
    if n:
        slope = slope + n / odds * integral(a, b, (n - 1, m))
    if m:
        slope = slope - m * integral(a, b, (n, m - 1))
    return slope / (1 + odds)


def _central_odds_slope(w: Any, a: Any, b: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    def integral(a: Any, b: Any, orders: tuple[int, int]) -> Any:
        return beta_integral(a, b, odds, orders=orders, pole=False)

    return _odds_slope(integral, w, a, b, odds, orders, pole)


@pointwise(
    lambda w, a, b, odds, *, orders, pole: beta_integral(a, b, odds, orders=_more(orders, 1, 0), pole=pole),
    lambda w, a, b, odds, *, orders, pole: beta_integral(a, b, odds, orders=_more(orders, 0, 1), pole=pole),
    _central_odds_slope,
)
@in_double(block=LONG_BLOCK)
def beta_integral(a: Any, b: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    """`F(a, b, 0, X)`, the derivative of orders `(n, m)` of `betainc(a, b, x)` in `a` and `b`, or `G` without pole."""
    a, b, odds = np.broadcast_arrays(a, b, odds)
    is_quick = is_moderate(a, b, odds) if pole and sum(orders) == 1 else np.zeros_like(a, dtype=bool)
    out = np.empty_like(a)
    for places, derivative in ((is_quick, _by_quadrature), (~is_quick, _on_contour)):
        if np.any(places):
            out[places] = derivative(a[places], b[places], odds[places], orders, pole)
    return out


def _by_quadrature(a: Any, b: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    return first_derivative(a, b, odds, in_first=orders[0] == 1)


def _on_contour(a: Any, b: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    out = _on_grids(a, b, None, odds, orders, pole)
    at = np.flatnonzero(is_tiny(a, b, odds)) if pole else []
    if len(at):
        out[at] = raised(lambda *args: _on_grids(*args[:2], None, *args[2:], True), a[at], b[at], odds[at], orders)
    return out


def _noncentral_odds_slope(w: Any, a: Any, b: Any, lam: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    def integral(a: Any, b: Any, orders: tuple[int, int]) -> Any:
        return noncentral_beta_integral(a, b, lam, odds, orders=orders, pole=False)

    slope = _odds_slope(integral, w, a, b, odds, orders, pole)
    return slope if pole else slope + lam * integral(a + 1, b, orders) / (odds * (1 + odds))


def _noncentrality_slope(w: Any, a: Any, b: Any, lam: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    """`-G(a + 1, b) / x` with the pole, `G(a + 1, b) - G(a, b)` without it."""
    next_one = noncentral_beta_integral(a + 1, b, lam, odds, orders=orders, pole=False)
    return -next_one * (1 + odds) / odds if pole else next_one - w


@pointwise(
    lambda w, *args, orders, pole: noncentral_beta_integral(*args, orders=_more(orders, 1, 0), pole=pole),
    lambda w, *args, orders, pole: noncentral_beta_integral(*args, orders=_more(orders, 0, 1), pole=pole),
    _noncentrality_slope,
    _noncentral_odds_slope,
)
@in_double(block=LONG_BLOCK)
def noncentral_beta_integral(a: Any, b: Any, lam: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    """`F(a, b, lam, X)`, the derivative of orders `(n, m)` of `I` in `a` and `b`, or `G` without pole."""
    args = np.broadcast_arrays(a, b, lam, odds)
    if pole and sum(orders) == 1:
        is_short = beta_is_short(*args)
    elif not pole and sum(orders) == 0:
        is_short = beta_density_is_short(*args)
    else:
        is_short = np.zeros_like(args[0], dtype=bool)
    out = np.empty_like(args[0])
    for places, integral in ((is_short, _by_mixture), (~is_short, _noncentral_on_contour)):
        if np.any(places):
            out[places] = integral(*[x[places] for x in args], orders, pole)
    return out


def _noncentral_on_contour(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    """NaN where both shapes are tiny."""
    out = _on_grids(a, b, lam, odds, orders, pole)
    return np.where(is_tiny(a, b, odds), np.nan, out) if pole else out


def _by_mixture(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    if not pole:
        return beta_mixture_density(a, b, lam, odds)
    return beta_mixture_slope(a, b, lam, odds, lambda *args: _by_quadrature(*args, orders, pole), orders == (1, 0))
