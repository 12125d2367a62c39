"""Linear programs and linear least squares within bounds: what rests on a bound stays there, the rest is linear."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from .... import linalg
from ....complex_autograd.array.creation import asarray
from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import raw
from ....complex_autograd.optimization.bounds import pairs_of
from .minimizers import moves
from .values import is_traced, moved_to, replaces

__all__ = ["LINEAR_PROGRAMS"]


def _free(a: Any, b: Any, x: Any, is_free: Any) -> Any:
    """The least squares solution in some of its elements, with the others where they are."""
    if not np.any(is_free):
        return x
    found = linalg.lstsq(a[:, is_free], b - a[:, ~is_free] @ x[~is_free], rcond=None)[0]
    order = np.argsort(np.concatenate([np.flatnonzero(is_free), np.flatnonzero(~is_free)]))
    return moved_to(x, np.concatenate([found, x[~is_free]])[order])


@replaces(optimize.nnls)
def nnls(A: Any, b: Any, **options: Any) -> Any:
    """Elements that are 0 stay there."""
    if not is_traced((A, b), {}):
        return optimize.nnls(A, b, **options)
    x, norm = optimize.nnls(lowered(A), lowered(b), **options)
    x = _free(A, b, x, x > 0)
    return x, moved_to(norm, linalg.norm(A @ x - b, axis=0))


@replaces(optimize.lsq_linear)
def lsq_linear(A: Any, b: Any, bounds: Any = (-np.inf, np.inf), **options: Any) -> Any:
    """Elements on a bound stay there."""
    if not is_traced((A, b), {}):
        return optimize.lsq_linear(A, b, bounds, **options)
    result = optimize.lsq_linear(lowered(A), lowered(b), bounds, **options)
    result.x = _free(A, b, result.x, result.active_mask == 0)
    result.fun = moved_to(result.fun, A @ result.x - b)
    result.cost = moved_to(result.cost, np.sum(result.fun**2) / 2)
    return result


@replaces(optimize.linprog)
def linprog(c: Any, A_ub: Any = None, b_ub: Any = None, A_eq: Any = None, b_eq: Any = None, bounds: Any = (0, None),
            *positional: Any, **options: Any) -> Any:  # fmt: skip
    """A vertex, which solves the equations of the constraints that hold with equality there."""
    given = (c, A_ub, b_ub, A_eq, b_eq, bounds)
    result = optimize.linprog(*lowered(list(given)), *positional, **options)
    if result.x is None or not moves(given):
        return result
    n = result.x.size
    pairs = bounds if np.ndim(lowered(list(bounds))[0]) else [bounds] * n
    lower, upper = pairs_of(pairs, n)
    rows: list[Any] = []
    values: list[Any] = []
    prices: list[float] = []
    for found, a, b, sign in (
        (result.eqlin, A_eq, b_eq, 0), (result.ineqlin, A_ub, b_ub, 1),
        (result.lower, -np.eye(n), -lower, 1), (result.upper, np.eye(n), upper, 1),
    ):  # fmt: skip
        if a is not None:
            a, b = asarray(a, float), asarray(b, float)
            near = 1e-9 * (1 + np.abs(raw(b)))
            holds = np.isfinite(near) & (np.abs(found.residual) <= (near if sign else np.inf))
            rows, values = [*rows, a[holds]], [*values, b[holds]]
            prices = [*prices, *(np.abs(found.marginals[holds]) if sign else np.ones(len(near)))]
    A, b = np.concatenate(rows), np.concatenate(values)
    if len(prices) != n or np.min(prices) <= 1e-9 or np.linalg.matrix_rank(raw(A)) < n:
        raise NotDifferentiableError(
            "scipy.optimize.linprog",
            f"{len(prices)} constraints hold with equality where it ends, of {n} unknowns, or one of them has no price "
            "(result.ineqlin.marginals): the solution is not unique, or it jumps or bends there",
        )
    result.x = moved_to(result.x, linalg.solve(A, b))
    result.fun = moved_to(result.fun, np.sum(asarray(c, float) * result.x))
    return result


LINEAR_PROGRAMS = {"linprog": linprog, "lsq_linear": lsq_linear, "nnls": nnls}
"""By their names."""
