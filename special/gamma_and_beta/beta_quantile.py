"""Quantiles of the beta distribution by the logarithm of their odds, `l = log(x / y)` with `y = 1 - x`.

Next to 1 the quantile `x` has lost the digits of `y`, and a probability next to 1 those of the other tail, but neither
loses them here: `l` solves the equation of the smaller one of the two tails, by Newton's method for its logarithm.  In
`l` the density is `f = x**a y**b / B(a, b)`, so

    dl/dp = 1 / f,        dl/da = -F_a / f,        dl/db = -F_b / f,        dx = x y dl.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.contours import in_double
from ..numerics.regions import by_region
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import RULES, Partial, pointwise, rule
from .beta_shape import beta_integral
from .beta_small_shapes import TINY, on_its_side
from .densities import odds_density

Shapes = Callable[[Any, Any], tuple[Any, Any]]
"""The shapes, of the first two arguments."""

_LEAST = 1e-290
"""A smaller quantile is the first term of its expansion, DLMF 8.17.8: `p = x**a / (a B(a, b))`."""
_NEXT_TO_1 = 0.9
"""Where the quantile is larger, the digits of `y` are those of `l`."""
_FARTHEST = 690.0
"""Of `l`: beyond, densities may not be numbers."""
_STEPS = 3
_TAIL = 1e-3
"""Where the tail is smaller, SciPy's quantile of the other one is not used."""
_FAR = 1e-20
"""Nor that of the same tail where that is smaller, as its search may end early; of counts where it is below `_TAIL`."""


def _log_tail(a: Any, b: Any, lower: Any) -> Any:
    """`l` where the lower tail is given, and is the smaller one."""
    x, y = special.betaincinv(a, b, lower), special.betainccinv(b, a, lower)
    log = np.where(x < 0.9, np.log(x) - np.log1p(-x), np.log1p(-y) - np.log(y))
    log_size = np.log(a * lower) + special.betaln(a, b)
    is_tiny, log = x < _LEAST, np.where(np.isfinite(log), log, log_size / a)
    for _ in range(_STEPS):
        odds = np.exp(log)
        is_right = log > 0
        inner = np.where(is_right, 1 / (1 + odds), odds / (1 + odds))
        tail = by_region([(is_right, special.betaincc), (~is_right, special.betainc)], *_swapped(is_right, a, b), inner)
        density = odds * odds_density(a, b, odds)
        step = tail * np.log(tail / lower) / density
        log = np.where(np.isfinite(step), log - step, log)
    return np.where(is_tiny, log_size / a, log)


def _swapped(is_right: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return np.where(is_right, b, a), np.where(is_right, a, b)


def _derivative_in_shape(orders: tuple[int, int]) -> Partial:
    def partial(w: Any, a: Any, b: Any, p: Any, *, is_upper: bool) -> Any:
        odds = np.exp(_within(w))
        return -beta_integral(a, b, odds, orders=orders, pole=True) / (odds * odds_density(a, b, odds))

    return partial


def _within(log: Any) -> Any:
    is_far = np.abs(raw(log)) > _FARTHEST
    return np.where(is_far, np.copysign(_FARTHEST, raw(log)), log) if np.any(is_far) else log


def _derivative_in_probability(w: Any, a: Any, b: Any, p: Any, *, is_upper: bool) -> Any:
    odds = np.exp(_within(w))
    return (1 - 2 * is_upper) / (odds * odds_density(a, b, odds))


@pointwise(_derivative_in_shape((1, 0)), _derivative_in_shape((0, 1)), _derivative_in_probability)
@in_double
def log_odds(a: Any, b: Any, p: Any, *, is_upper: bool) -> Any:
    """`l` where the lower tail, or the upper one, is `p`."""
    a, b, p = np.broadcast_arrays(a, b, p)
    is_lower = (p <= 0.5) != is_upper
    tail = np.where(p <= 0.5, p, 1 - p)
    with np.errstate(all="ignore"):
        log = _log_tail(*_swapped(~is_lower, a, b), tail)
    return np.where(is_lower, log, -log)


def _is_inside(a: Any, b: Any, p: Any) -> Any:
    """Where the equation has a solution inside of the support."""
    return (a > 0) & (b > 0) & (p > 0) & (p < 1) & (a < np.inf) & (b < np.inf)


def _derivative(i: int, is_upper: bool, a: Any, b: Any, p: Any) -> Any:
    """The derivative of the quantile in one of its arguments, inside."""
    log = log_odds(a, b, p, is_upper=is_upper)
    odds = np.exp(_within(log))
    if i < 2:
        smaller = np.exp(-np.abs(log))
        return smaller / np.square(1 + smaller) * _IN_SHAPES[i](log, a, b, p, is_upper=is_upper)
    sign = 1 - 2 * is_upper
    derivative = sign / (np.square(1 + odds) * odds_density(a, b, odds))
    is_far = np.abs(raw(log)) > _FARTHEST
    if not np.any(is_far):
        return derivative
    shape = np.where(raw(log) < 0, a, b)
    return np.where(is_far, sign * np.exp((shape - 1) * np.abs(log) + special.betaln(a, b)), derivative)


_IN_SHAPES = _derivative_in_shape((1, 0)), _derivative_in_shape((0, 1))


def _is_far_off(w: Any, p: Any) -> Any:
    """Where the quantile next to an end, or the probability far in a tail, has not the digits that derivatives need."""
    return (p < _TAIL) | (p > 1 - _TAIL) | (w > _NEXT_TO_1) | (w < _LEAST)


def _themselves(a: Any, b: Any) -> tuple[Any, Any]:
    return a, b


def _with_ends(i: int, is_upper: bool, shapes: Shapes, at_ends: Partial) -> Partial:
    def partial(w: Any, first: Any, second: Any, p: Any) -> Any:
        a, b = shapes(first, second)
        inside = _is_inside(raw(a), raw(b), raw(p)) & _is_far_off(raw(w), raw(p))
        if np.all(inside):
            return _derivative(i, is_upper, a, b, p)
        if not np.any(inside):
            return at_ends(w, first, second, p)
        harmless = [np.where(inside, x, y) for x, y in zip((a, b, p), (1.0, 1.0, 0.5), strict=True)]
        return np.where(inside, _derivative(i, is_upper, *harmless), at_ends(w, first, second, p))

    return partial


def beta_quantile(ufunc: np.ufunc, is_upper: bool, shapes: Shapes | None = None) -> PatchedUfunc:
    """The quantile of the lower or the upper tail, with better values, and derivatives next to 1 and far in the tails.

    The values are ours where SciPy solves the equation of the larger tail; the rule of its ufunc, which is replaced,
    still gives the derivatives elsewhere, and at the ends of the support.  Where `shapes` makes them of two counts, the
    derivatives in these stay as they are.
    """
    names, partials = RULES[ufunc]
    improved, of_counts = ([2], shapes) if shapes else ([0, 1, 2], _themselves)
    far = _TAIL if shapes else _FAR
    ended = [_with_ends(i, is_upper, of_counts, cast(Partial, partials[i])) for i in improved]
    rule(ufunc, " ".join(names), *partials[: improved[0]], *ended)

    def better(w: Any, first: Any, second: Any, p: Any) -> Any:
        a, b = of_counts(first, second)
        w = on_its_side(w, a, b, p, is_upper) if shapes is None else w
        tail, other = (p, 1 - p) if is_upper else (1 - p, p)
        here = np.broadcast_to(((tail < _TAIL) | (other < far)) & _is_inside(a, b, p), np.shape(w))
        if not np.any(here):
            return w
        out = np.copy(w)
        log = log_odds(*[np.broadcast_to(x, out.shape)[here] * np.float64(1) for x in (a, b, p)], is_upper=is_upper)
        out[here] = 1 / (1 + np.exp(-log))
        return out

    def quick(first: float, second: float, p: float) -> Any:
        is_ordinary = _TAIL <= p <= 1 - _TAIL and (shapes is not None or min(first, second) > TINY)
        return ufunc(first, second, p) if is_ordinary else None

    return PatchedUfunc(ufunc, better=better, quick=quick, substitutes=True)
