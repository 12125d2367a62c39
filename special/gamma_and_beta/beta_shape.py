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

from functools import cache, partial
from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from ..numerics.contours import LONG_BLOCK, in_double
from ..ufuncs.ufunc_rules import pointwise
from .beta_contour import NONCENTRAL, ORDINARY, SLOW, contour_integral
from .beta_quadrature import first_derivative, is_moderate
from .beta_tiny import is_tiny, raised
from .densities import odds_density, odds_density_in_shapes
from .poisson_mixtures import beta_is_short, beta_mixture_derivative
from .positive_mixtures import beta_density_is_short, beta_mixture_density


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
    grid = ORDINARY if is_central else NONCENTRAL
    out = contour_integral(np.where(is_slow, 2.0, a), np.where(is_slow, 2.0, b), given, odds, orders, pole, grid)
    if np.any(is_slow):
        given = None if is_central else lam[is_slow]
        out[is_slow] = contour_integral(a[is_slow], b[is_slow], given, odds[is_slow], orders, pole, SLOW)
    return np.where(inside, out, np.where(allowed, 0.0, np.nan))


# derivatives


def _more(orders: tuple[int, int], first: int, second: int) -> tuple[int, int]:
    return orders[0] + first, orders[1] + second


def _odds_derivative(integral: Any, w: Any, a: Any, b: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    """`d/dX`; each order in `a` or `b` acts on the factors `a` and `b`, too.

    With the pole `b G(a, b + 1) / (X y)`, the density; without it `y ((a / X - b) G + l / X G(a + 1, b))`, of which the
    term with `l` is left to the caller.
    """
    n, m = orders
    if pole:
        first_derivative = b * integral(a, b + 1, orders)
        if m:
            first_derivative = first_derivative + m * integral(a, b + 1, (n, m - 1))
        return first_derivative * (1 + odds) / odds
    first_derivative = (a / odds - b) * w
    if n:
        first_derivative = first_derivative + n / odds * integral(a, b, (n - 1, m))
    if m:
        first_derivative = first_derivative - m * integral(a, b, (n, m - 1))
    return first_derivative / (1 + odds)


def _central_odds_derivative(w: Any, a: Any, b: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    """That of a derivative in the shapes is the density's in them: integrals of small shapes would cancel."""

    def by_integrals(odds: Any) -> Any:
        def integral(a: Any, b: Any, orders: tuple[int, int]) -> Any:
            return beta_integral(a, b, odds, orders=orders, pole=False)

        return _odds_derivative(integral, w, a, b, odds, orders, pole)

    if not pole or orders == (0, 0):
        return by_integrals(odds)
    inside = (raw(odds) > 0) & (raw(odds) < np.inf)
    inner = np.where(inside, odds, 1.0)
    found = odds_density_in_shapes(odds_density(a, b, inner), a, b, inner, orders)
    return found if np.all(inside) else np.where(inside, found, by_integrals(np.where(inside, 1.0, odds)))


@pointwise(
    lambda w, a, b, odds, *, orders, pole: beta_integral(a, b, odds, orders=_more(orders, 1, 0), pole=pole),
    lambda w, a, b, odds, *, orders, pole: beta_integral(a, b, odds, orders=_more(orders, 0, 1), pole=pole),
    _central_odds_derivative,
)
@in_double(block=LONG_BLOCK)
def beta_integral(a: Any, b: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    """`F(a, b, 0, X)`, the derivative of orders `(n, m)` of `betainc(a, b, x)` in `a` and `b`, or `G` without pole."""
    a, b, odds = np.broadcast_arrays(a, b, odds)
    is_quick = is_moderate(a, b, odds) if pole and sum(orders) == 1 else np.zeros_like(a, dtype=bool)
    out = np.empty_like(a)
    for chosen, derivative in ((is_quick, _by_quadrature), (~is_quick, _on_contour)):
        if np.any(chosen):
            out[chosen] = derivative(a[chosen], b[chosen], odds[chosen], orders, pole)
    return out


def _by_quadrature(a: Any, b: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    return first_derivative(a, b, odds, in_first=orders[0] == 1)


def _on_contour(a: Any, b: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    out = _beside_zero(a, b, odds, orders) if pole else _on_grids(a, b, None, odds, orders, False)
    at: Any = np.flatnonzero(is_tiny(a, b, odds)) if pole else []
    if len(at):
        out[at] = raised(_beside_zero, a[at], b[at], odds[at], orders)
    return out


def _beside_zero(a: Any, b: Any, odds: Any, orders: tuple[int, int]) -> Any:
    """The derivative with the pole where not both shapes are tiny."""
    out = _on_grids(a, b, None, odds, orders, True)
    if min(orders) == 0:
        shape = b if orders[0] else a
        small = np.flatnonzero((shape >= 0) & (shape < _SMALL))
        if len(small):
            out[small] = _from_zero(a[small], b[small], odds[small], orders)
    return out


_SMALL = 1e-3
"""The shape beneath which a derivative in the other one alone, which is 0 where it is 0, would cancel."""


@cache
def _nodes() -> list[tuple[float, float]]:
    """Gauss' points between 0 and 1, and their weights."""
    points, weights = np.polynomial.legendre.leggauss(6)
    return list(zip((1 + points) / 2, weights / 2, strict=True))


def _from_zero(a: Any, b: Any, odds: Any, orders: tuple[int, int]) -> Any:
    """The integral of its derivative in the small shape from 0, of vectors."""
    step = (0, 1) if orders[0] else (1, 0)
    total: Any = 0.0
    for point, weight in _nodes():
        shapes = (a, b * point) if orders[0] else (a * point, b)
        total = total + weight * _on_grids(*shapes, None, odds, _more(orders, *step), True)
    return (b if orders[0] else a) * total


def _noncentral_odds_derivative(
    w: Any, a: Any, b: Any, lam: Any, odds: Any, *, orders: tuple[int, int], pole: bool
) -> Any:
    def integral(a: Any, b: Any, orders: tuple[int, int]) -> Any:
        return noncentral_beta_integral(a, b, lam, odds, orders=orders, pole=False)

    first_derivative = _odds_derivative(integral, w, a, b, odds, orders, pole)
    return first_derivative if pole else first_derivative + lam * integral(a + 1, b, orders) / (odds * (1 + odds))


def _noncentrality_derivative(
    w: Any, a: Any, b: Any, lam: Any, odds: Any, *, orders: tuple[int, int], pole: bool
) -> Any:
    """`-G(a + 1, b) / x` with the pole, `G(a + 1, b) - G(a, b)` without it."""
    next_one = noncentral_beta_integral(a + 1, b, lam, odds, orders=orders, pole=False)
    return -next_one * (1 + odds) / odds if pole else next_one - w


@pointwise(
    lambda w, *args, orders, pole: noncentral_beta_integral(*args, orders=_more(orders, 1, 0), pole=pole),
    lambda w, *args, orders, pole: noncentral_beta_integral(*args, orders=_more(orders, 0, 1), pole=pole),
    _noncentrality_derivative,
    _noncentral_odds_derivative,
)
@in_double(block=LONG_BLOCK)
def noncentral_beta_integral(a: Any, b: Any, lam: Any, odds: Any, *, orders: tuple[int, int], pole: bool) -> Any:
    """`F(a, b, lam, X)`, the derivative of orders `(n, m)` of `I` in `a` and `b`, or `G` without pole."""
    a, b, lam, odds = np.broadcast_arrays(a, b, lam, odds)
    if pole and sum(orders) == 1:
        is_short = beta_is_short(a, b, lam, odds)
    elif not pole and sum(orders) == 0:
        is_short = beta_density_is_short(a, b, lam, odds)
    else:
        is_short = np.zeros_like(a, dtype=bool)
    out = np.empty_like(a)
    for chosen, integral in ((is_short, _by_mixture), (~is_short, _noncentral_on_contour)):
        if np.any(chosen):
            out[chosen] = integral(a[chosen], b[chosen], lam[chosen], odds[chosen], orders, pole)
    return out


def _noncentral_on_contour(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    """NaN where both shapes are tiny."""
    out = _on_grids(a, b, lam, odds, orders, pole)
    return np.where(is_tiny(a, b, odds), np.nan, out) if pole else out


def _by_mixture(a: Any, b: Any, lam: Any, odds: Any, orders: tuple[int, int], pole: bool) -> Any:
    if not pole:
        return beta_mixture_density(a, b, lam, odds)
    in_first = orders == (1, 0)
    return beta_mixture_derivative(a, b, lam, odds, partial(first_derivative, in_first=in_first), in_first)


def short_beta_derivative(a: Any, b: Any, lam: Any, odds: Any, *, in_first: bool) -> Any:
    """The derivative of `F` in a shape where the quotient `X b / a` does not change, of vectors where `beta_is_short`.

    That is the derivative at a fixed `X`, and `dF / dlog(X)` times `1 / a`, or `-1 / b`.
    """
    share = 1 / a if in_first else -1 / b
    return beta_mixture_derivative(a, b, lam, odds, partial(first_derivative, in_first=in_first), in_first, share)
