"""Linear systems with the Jacobian of a residual at a solution: by LU factors, or by products with it alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends import backend_of, device_named
from ...determinism.refusals import refuse_at_portable
from ..engine.errors import NotDifferentiableError, PrecisionLossError
from ..engine.primitive import Primitive
from .residual import Residual

METHODS = ("lu", "gmres", "cg")
_LARGEST_DENSE = 1000
"""How many unknowns a Jacobian is dense for by default: 8 MB."""
_TOLERANCE = 1e-12
"""Of the residual of an iterative solver, relative to the right-hand side."""


class System:
    """The system `J v = r` at a point, and `J^T v = r`.

    Parameters
    ----------
    name : str
        The function whose derivative needs it, for errors.
    residual : Residual
        Whose Jacobian `J` is, which is square.
    vector : ndarray
        Where.
    method : {"lu", "gmres", "cg"}, optional
        How; by default "lu" up to 1,000 unknowns, and above "cg" for a Jacobian that is symmetric, "gmres" for another.
    is_symmetric : bool
        Whether the Jacobian is the Hessian of a function.
    """

    def __init__(self, name: str, residual: Residual, vector: Any, method: str | None, is_symmetric: bool) -> None:
        refuse_at_portable(
            f"the derivative of {name}",
            "its linear system is solved by LAPACK",
            "write the steps of the solver with this package",
        )
        self.name = name
        if method is None:
            method = "lu" if vector.size <= _LARGEST_DENSE else "cg" if is_symmetric else "gmres"
        self._solve = (
            self._by_factors(residual.jacobian(vector))
            if method == "lu"
            else self._by_products(residual, vector, method, is_symmetric)
        )

    def solve(self, v: Any, transposed: bool = False) -> Any:
        """Of one vector, or of several as rows."""
        rows = np.reshape(v, (-1, v.shape[-1]))
        return np.stack([self._solve(row, transposed) for row in rows]).reshape(v.shape) if rows.size else v

    def singular(self) -> NotDifferentiableError:
        return NotDifferentiableError(
            self.name,
            "the Jacobian of its equations is singular at the solution, which then does not depend smoothly on what it "
            "is computed from. Likely causes: a multiple root, a minimum that is flat in some direction, two "
            "solutions that meet, an equation that repeats another one. Add the equation, or the small quadratic "
            "penalty, that tells the solutions apart",
        )

    def _by_factors(self, jacobian: Any) -> Callable[[Any, bool], Any]:
        """Solve by LU factors of the Jacobian with rows and columns scaled to 1: its units do not decide."""
        from scipy.linalg import lapack, lu_solve

        if not np.all(np.isfinite(jacobian)):
            raise NotDifferentiableError(self.name, "the Jacobian of its equations is not finite at the solution")
        rows = np.max(np.abs(jacobian), axis=1, keepdims=True, initial=0.0)
        if not np.all(rows):
            raise self.singular()
        columns = np.max(np.abs(jacobian / rows), axis=0, initial=0.0)
        if not np.all(columns):
            raise self.singular()
        scaled = jacobian / rows / columns
        rows = rows[:, 0]
        lu, pivots, info = lapack.dgetrf(scaled)
        reciprocal_condition = 0.0 if info > 0 else lapack.dgecon(lu, np.max(np.sum(np.abs(scaled), axis=0)))[0]
        if not reciprocal_condition > np.finfo(float).eps:
            raise self.singular()

        def solve(v: Any, transposed: bool) -> Any:
            # J = R S C with the diagonal R, C: J^-1 = C^-1 S^-1 R^-1
            before, after = (columns, rows) if transposed else (rows, columns)
            return lu_solve((lu, pivots), v / before, trans=int(transposed), check_finite=False) / after

        return solve

    def _by_products(
        self, residual: Residual, vector: Any, method: str, is_symmetric: bool
    ) -> Callable[[Any, bool], Any]:
        from scipy.sparse.linalg import LinearOperator, cg, gmres

        n = vector.size
        product = residual.differential(vector)
        transposed_product = product if is_symmetric else residual.adjoint(vector)
        solver: Any = cg if method == "cg" else gmres
        options = {} if method == "cg" else {"restart": min(n, 100)}

        def solve(v: Any, transposed: bool) -> Any:
            operator = LinearOperator((n, n), matvec=transposed_product if transposed else product, dtype=float)
            found, info = solver(operator, v, rtol=_TOLERANCE, atol=0.0, maxiter=10 * n, **options)
            if info:
                raise PrecisionLossError(
                    f"the derivative of {self.name} needs the solution of a linear system with {n} unknowns, which "
                    f"{method} has not found to {_TOLERANCE:g}. Likely cause: a Jacobian that is singular or "
                    'ill-conditioned. Ask for factors of the dense one instead: linear_solver="lu".'
                )
            return found

        return solve


def _solved(r: Any, *, system: System, transposed: bool) -> Any:
    backend = backend_of(r)
    found = system.solve(backend.to_host(r), transposed)
    return device_named(backend.device_of(r)).namespace.asarray(found)


solved = Primitive(_solved, "jointly", registered=False, family="LU")
"""`J^-1 r`, linear in `r`; the system is on the host."""


@solved.adjoint(0, takes_batches=True)
def _(g: Any, r: Any, *, system: System, transposed: bool) -> Any:
    return solved(g, system=system, transposed=not transposed)
