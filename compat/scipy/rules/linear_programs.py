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

_FREE = 1e-9
"""A constraint with a smaller price holds with equality by chance."""


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
    """A vertex, which solves `A x = b`, the constraints that hold with equality; their prices solve `A^T y = c`."""
    given = (c, A_ub, b_ub, A_eq, b_eq, bounds)
    result = optimize.linprog(*lowered(list(given)), *positional, **options)
    if result.x is None or not moves(given):
        return result
    if np.any(options.get("integrality", 0)):
        raise NotDifferentiableError("scipy.optimize.linprog", "with integrality= its solution jumps")
    c, n = asarray(c, float), result.x.size
    lower, upper = pairs_of(bounds if np.ndim(lowered(list(bounds))[0]) else [bounds] * n, n)
    parts = [
        (found, asarray(a, float), asarray(b, float), sign)
        for found, a, b, sign in (
            (result.eqlin, A_eq, b_eq, 1), (result.ineqlin, A_ub, b_ub, 1),
            (result.lower, -np.eye(n), -lower, -1), (result.upper, np.eye(n), upper, 1),
        )
        if a is not None
    ]  # fmt: skip
    held = [_holds(found, b) for found, _, b, _ in parts]
    A = np.concatenate([a[holds] for (_, a, _, _), holds in zip(parts, held, strict=True)])
    b = np.concatenate([b[holds] for (_, _, b, _), holds in zip(parts, held, strict=True)])
    is_free = [np.abs(found.marginals[holds]) <= _FREE for (found, *_), holds in zip(parts, held, strict=True)]
    if A_eq is not None:
        is_free = is_free[1:]  # an equation holds whatever its price is
    if len(b) != n or np.any(np.concatenate(is_free)) or np.linalg.matrix_rank(raw(A)) < n:
        raise NotDifferentiableError(
            "scipy.optimize.linprog",
            f"{len(b)} constraints hold with equality where it ends, of {n} unknowns, or one of them has no price "
            "(result.ineqlin.marginals): the solution is not unique, or it jumps or bends there",
        )
    result.x = moved_to(result.x, linalg.solve(A, b))
    result.fun = moved_to(result.fun, np.sum(c * result.x))
    prices, first = np.append(linalg.solve(A.T, c), 0.0), 0
    for (found, a, b, sign), holds in zip(parts, held, strict=True):
        found.residual = moved_to(found.residual, b - a @ result.x)
        found.marginals = moved_to(found.marginals, sign * prices[np.where(holds, first + np.cumsum(holds) - 1, n)])
        first += np.sum(holds)
    result.slack, result.con = result.ineqlin.residual, result.eqlin.residual
    return result


@replaces(optimize.milp)
def milp(c: Any, *, integrality: Any = None, bounds: Any = None, constraints: Any = None, options: Any = None) -> Any:
    """Without derivatives."""
    given = [c, bounds, *(constraints if isinstance(constraints, (list, tuple)) else [constraints])]
    parts = [vars(part) if hasattr(part, "__dict__") else {"": part} for part in given]
    if moves([part for each in parts for part in each.values()]):
        raise NotDifferentiableError(
            "scipy.optimize.milp",
            "its solution jumps. Where the whole numbers stay as they are, the others solve a linear program: call "
            "linprog with bounds that hold them there",
        )
    return optimize.milp(c, integrality=integrality, bounds=bounds, constraints=constraints, options=options)


def _holds(found: Any, b: Any) -> Any:
    """Which constraints hold with equality."""
    near = 1e-9 * (1 + np.abs(raw(b)))
    return np.isfinite(near) & (np.abs(found.residual) <= near)


LINEAR_PROGRAMS = {"linprog": linprog, "lsq_linear": lsq_linear, "milp": milp, "nnls": nnls}
"""By their names."""
