"""Bounds and constraints on trees, converted to those on the packed vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..transforms.arguments import leaves_in, unflatten
from .packing import Packing
from .residual import Residual


def vector_limits(bounds: Any, packing: Packing) -> tuple[Any, Any]:
    """The lower and the upper bound of each element of the packed vector.

    Parameters
    ----------
    bounds : (lower, upper)
        Each a tree with the structure of the unknowns, whose leaves are broadcast to theirs, or one number for all, or
        None for none.
    packing : Packing
        Of the unknowns.

    Raises
    ------
    TypeError
        If an unknown is complex, or the bounds are no two trees.
    """
    if packing.has_complex:
        raise TypeError(
            "bounds are defined for a real vector x0, or a tree of real arrays, only: complex numbers have no order. "
            "Reparametrize by real and imaginary parts"
        )
    if hasattr(bounds, "lb"):
        bounds = (np.squeeze(bounds.lb), np.squeeze(bounds.ub))  # which has made arrays of numbers
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
        raise TypeError("the bounds of a tree are two: (lower, upper), each a tree of its structure, a number or None")
    lower, upper = (_vector(tree, packing, filling) for tree, filling in zip(bounds, (-np.inf, np.inf), strict=True))
    return lower, upper


def _vector(tree: Any, packing: Packing, filling: float) -> Any:
    if tree is None or (np.ndim(tree) == 0 and not isinstance(tree, dict)):
        number = filling if tree is None else float(tree)
        return np.full(packing.size, number)
    leaves = leaves_in(packing.structure, tree, "bound")
    if len(leaves) != len(packing.spaces):
        raise ValueError(
            f"the bound has {len(leaves)} leaves, x0 has {len(packing.spaces)}: give it the same structure"
        )
    same = [np.broadcast_to(np.asarray(x, float), shape) for x, (shape, _) in zip(leaves, packing.spaces, strict=True)]
    return packing.pack(unflatten(packing.structure, same))


def vector_constraints(constraints: Any, x0: Any) -> list[Any]:
    """Constraints on a tree as ones on the packed vector, with exact Jacobians.

    Parameters
    ----------
    constraints
        One or several: dicts as SciPy takes them, or `scipy.optimize.NonlinearConstraint`, with functions of the tree
        that return trees of real arrays.
    x0 : tree
        The unknowns.

    Raises
    ------
    TypeError
        For what is neither, as `LinearConstraint`, whose matrix is one of vectors.
    """
    from scipy.optimize import NonlinearConstraint

    found: list[Any] = []
    for constraint in constraints if isinstance(constraints, (list, tuple)) else [constraints]:
        if isinstance(constraint, dict):
            residual = _real(constraint["fun"], constraint.get("args", ()), x0)
            found.append({"type": constraint["type"], "fun": residual.value, "jac": residual.jacobian})
        elif isinstance(constraint, NonlinearConstraint):
            residual = _real(constraint.fun, (), x0)
            found.append(NonlinearConstraint(residual.value, constraint.lb, constraint.ub, jac=residual.jacobian))
        else:
            raise TypeError(
                f"a {type(constraint).__name__} is defined for a real vector x0 only. Give a NonlinearConstraint, or a "
                "dict with type and fun, whose function takes the tree"
            )
    return found


def _real(fun: Callable[..., Any], args: tuple[Any, ...], x0: Any) -> Residual:
    residual = Residual(lambda x: fun(x, *args), x0)
    if residual.out.has_complex:
        raise TypeError("a constraint is complex: complex numbers have no order. Return real and imaginary parts")
    return residual
