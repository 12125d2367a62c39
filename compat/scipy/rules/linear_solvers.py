"""Iterative solvers of linear equations: the value is SciPy's, the derivative is that of the equations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy.sparse import linalg

from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.optimization.implicit import differentiated
from .values import is_traced, replaces

__all__ = ["LINEAR_SOLVERS"]


def _solver(name: str) -> Callable[..., Any]:
    theirs = getattr(linalg, name)

    @replaces(theirs)
    def solve(A: Any, b: Any, *args: Any, **options: Any) -> Any:
        if not is_traced((A, b), {}):
            return theirs(A, b, *args, **options)
        x, info = theirs(lowered(A), lowered(b), *lowered(args), **lowered(options))
        return differentiated(f"scipy.sparse.linalg.{name}", x, lambda x: A @ x - b), info

    return solve


LINEAR_SOLVERS = {
    name: _solver(name)
    for name in ("bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr")
}
"""By their names."""
