"""Least squares by iteration: `lsqr` and `lsmr` of matrices of full rank.

The derivative of the pseudoinverse [GP73] applied to `b`, with `x = A^+ b`, `r = b - A x` and `y = A^+H x`:

    dx = A^+ (db - dA x) + A^+ A^+H H(dA) r + (1 - A^+ A) H(dA) y

The second part is 0 where `A` has no more rows than columns, the third where it has no more columns than rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, final

import numpy as np
import scipy.sparse as scipy_sparse
import scipy.sparse.linalg as scipy_linalg

from .....complex_autograd.engine.errors import NotDifferentiableError, PrecisionLossError
from .....complex_autograd.engine.traced import raw
from .....complex_autograd.engine.zero import ZERO
from .....linalg.kernels.partly_linear import PartlyLinear
from ..construction import csr_array, vstack
from ..entries import Rows
from ..structure import entries_of, is_sparse, is_traced, untransposed_rows
from ..trees import traced_form
from .factors import operator_of, plain_matrix, right_side
from .items import one_matrix_by_one
from .iterative import applied_to
from .solution import ADJOINT, applied

_AT_FIRST = ("x0", "show", "calc_var")
_AT_LIMIT = 7
"""What `istop` is where the iterations were too few."""
_LIMIT = {"lsqr": "iter_lim", "lsmr": "maxiter"}
_NORMS = {"lsqr": {3: "r", 4: "r", 8: "x"}, "lsmr": {3: "r", 7: "x"}}
"""Where SciPy's results have the lengths of the residual, with the damping, and of the solution."""


@final
class LeastSquares:
    """`lsqr` or `lsmr` with a matrix and its options; `result` is SciPy's for the value."""

    def __init__(self, name: str, matrix: Any, options: dict[str, Any]) -> None:
        self.name, self.matrix, self.result = name, matrix, ()
        self.first = options
        self.options = {name: option for name, option in options.items() if name not in _AT_FIRST}

    def solve(self, b: Any, op: str) -> Any:
        options, self.first = (self.first or self.options, {}) if op == "N" else (self.options, self.first)
        result = getattr(scipy_linalg, self.name)(applied_to(self.matrix, op), b, **options)
        if result[1] == _AT_LIMIT:
            raise PrecisionLossError(
                f"{self.name} was differentiated and has not converged in {result[2]} iterations. Allow for more, or "
                "scale the columns of the matrix."
            )
        self.result = self.result or result
        return result[0]


def _sparse_least_squares(d: Any, b: Any, *, rows: Rows, solver: LeastSquares, op: str) -> Any:
    return solver.solve(b, op)


least_squares = PartlyLinear(_sparse_least_squares, registered=False, family="sparse times vector")
"""`x` of the least length with the least `|op(A) x - b|`."""


@least_squares.space_of
def _(d: Any, b: Any, *, rows: Rows, solver: LeastSquares, op: str) -> Any:
    return (rows.shape[int(op in "NC")],), np.result_type(d.dtype, b.dtype, np.float64)


@least_squares.differential
def _(x: Any, d: Any, b: Any, dd: Any, db: Any, *, rows: Rows, solver: LeastSquares, op: str) -> Any:
    back = ADJOINT[op]

    def inverted(v: Any, op: str) -> Any:
        return least_squares(d, v, rows=rows, solver=solver, op=op)

    dx = inverted(db - applied(dd, x, rows=rows, op=op), op)
    if dd is ZERO:
        return dx
    m, n = rows.shape if op in "NC" else rows.shape[::-1]
    if m > n:
        r = b - applied(d, x, rows=rows, op=op)
        dx = dx + inverted(inverted(applied(dd, r, rows=rows, op=back), back), op)
    if m < n:
        along = applied(dd, inverted(x, back), rows=rows, op=back)
        dx = dx + along - inverted(applied(d, along, rows=rows, op=op), op)
    return dx


@least_squares.adjoint(1)
def _(g: Any, d: Any, b: Any, *, rows: Rows, solver: LeastSquares, op: str) -> Any:
    return least_squares(d, g, rows=rows, solver=solver, op=ADJOINT[op])


def _by(name: str) -> Callable[..., Any]:
    theirs = getattr(scipy_linalg, name)

    @one_matrix_by_one
    @wraps(theirs)
    def solver(A: Any, b: Any, damp: Any = 0.0, **options: Any) -> Any:
        if not is_traced([A, b, damp]):
            return theirs(A, b, damp, **options)
        if operator_of(A) is not None:
            raise NotDifferentiableError(name, "its matrix is an operator. Make it a csr_array, or call linalg.lstsq")
        A = traced_form(A if is_sparse(A) else csr_array(A))
        b = right_side(b, A.shape[0], name)
        if b.ndim == 2:
            b = np.reshape(b, (A.shape[0],))
        if raw(damp) != 0 or is_traced(damp):  # |A x - b|^2 + damp^2 |x|^2 is that of a taller matrix
            A = traced_form(vstack([A, scipy_sparse.eye_array(A.shape[1]) * damp], format="csr"))
            b = np.concatenate([b, np.zeros(A.shape[1])])
        options.setdefault(_LIMIT[name], 10 * max(A.shape))
        found = LeastSquares(name, scipy_sparse.csr_array(plain_matrix(A)), options)
        rows, d = untransposed_rows(*entries_of(A))
        x = least_squares(d, b, rows=rows, solver=found, op="N")
        lengths = {"r": np.linalg.norm(b - A @ x, 2), "x": np.linalg.norm(x, 2)}
        result = [x, *found.result[1:]]
        for i, of in _NORMS[name].items():
            result[i] = lengths[of]
        return tuple(result)

    return solver


lsqr, lsmr = map(_by, ("lsqr", "lsmr"))
