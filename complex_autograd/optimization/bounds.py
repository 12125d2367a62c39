"""Minima within bounds: elements held at a bound are constant, and the others solve their own equations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..array.creation import asarray
from ..engine.errors import NotDifferentiableError
from ..engine.traced import depth_of, raw
from ..transforms.grad import jvp
from .implicit import differentiated, without_derivatives

_NEARNESS = 1e-8
"""How near to its bound an element rests on it, relative to its size."""
_ROOT_EPS = float(np.finfo(np.float64).eps) ** 0.5
_NEARBY = 1e-6
"""How near to its bound the minimum without bounds must not be, relative to its size."""


def pairs_of(bounds: Any, n: int) -> tuple[Any, Any]:
    """The lower and upper bounds of `minimize`: pairs with None for none, or `scipy.optimize.Bounds`."""
    if hasattr(bounds, "lb"):
        return _limits_of((bounds.lb, bounds.ub), n)
    lower, upper = zip(*bounds, strict=True)
    return _limits_of(([-np.inf if b is None else b for b in lower], [np.inf if b is None else b for b in upper]), n)


def _limits_of(bounds: Any, n: int) -> tuple[Any, Any]:
    lower, upper = (np.broadcast_to(asarray(b, np.float64), n) for b in bounds)
    return lower, upper


def limits_of(bounds: Any, n: int) -> tuple[Any, Any]:
    """Those of `least_squares`: two arrays, or `scipy.optimize.Bounds`."""
    return pairs_of(bounds, n) if hasattr(bounds, "lb") else _limits_of(bounds, n)


def margin_of_bounded(x: Any, tolerance: float) -> Any:
    """How far from a bound SciPy's bounded search for a minimum of one number ends, with that tolerance of `x`."""
    return 2 * (_ROOT_EPS * np.abs(x) + tolerance)


def differentiated_within(
    name: str, x: Any, gradient: Callable[[Any], Any], limits: tuple[Any, Any], margin: Any
) -> Any:
    """A minimum within bounds, a real vector, with its derivatives; on a bound is what is nearer to it than `margin`.

    Where an element rests on its bound, pressed against it by the gradient, it has the derivative of that bound, and
    the gradient of the others in the others is their equation.

    Raises
    ------
    NotDifferentiableError
        If an element is on its bound and the minimum would be there without it: it leaves to one side only.
    """
    lower, upper = map(raw, limits)
    if margin is None:
        margin = _NEARNESS * np.fmin(np.maximum(np.abs(x), 1.0), upper - lower)
    is_bound = (x <= lower + margin) | (x >= upper - margin)
    if not np.any(is_bound):
        # in the bounds the derivative is 0, if this is a minimum
        still = sum(0.0 * np.where(np.isfinite(raw(b)), b, 0.0) for b in limits if depth_of(b))
        return differentiated(name, x, lambda u: gradient(u) + still, is_symmetric=True)
    with without_derivatives(gradient):
        # how the gradient changes where each of them moves by its own size, to either side
        size = np.maximum(np.abs(x), _NEARNESS) * np.random.default_rng(0).choice((-1, 1), x.size)
        g, dg = jvp(gradient, (x,), (np.where(is_bound, size, 0.0),))
    is_free_too = is_bound & ~(np.abs(g) > _NEARBY * np.abs(dg))
    if np.any(is_free_too):
        raise NotDifferentiableError(
            name,
            f"x[{np.argmax(is_free_too)}] is on its bound, and the minimum without bounds is there as well, so that it "
            "leaves the bound to one side only. Leave the bound out",
        )
    is_lower = (x <= lower + margin) & ((g > 0) | (x < upper - margin))
    bound = np.where(is_lower, *limits)[is_bound]
    fixed, free = bound + (x[is_bound] - raw(bound)), np.flatnonzero(~is_bound)
    order = np.argsort(np.concatenate([free, np.flatnonzero(is_bound)]))

    def embedded(u: Any) -> Any:
        return np.concatenate([u, fixed])[order]

    if not free.size:
        return fixed
    return embedded(differentiated(name, x[free], lambda u: gradient(embedded(u))[free], is_symmetric=True))
