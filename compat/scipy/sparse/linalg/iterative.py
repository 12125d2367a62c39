"""Systems solved by iteration: SciPy's solvers, differentiated by the equation that their result satisfies.

Each derivative is a solution by the same solver with the same options, so it is as accurate as these ask for.
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
from ..structure import is_traced
from .factors import operator_of, plain_matrix, right_side, solved, square
from .items import one_matrix_by_one
from .solution import solution

_AT_FIRST = ("x0", "callback", "callback_type", "show", "check", "outer_v", "CU")
"""The options that concern the value alone."""
_HERMITIAN = {"cg", "minres"}


@final
class Iterations:
    """One of SciPy's iterative solvers with a matrix, or an operator, and its options.

    Attributes
    ----------
    info : int
        What the solver said when it computed the value.
    """

    def __init__(self, name: str, matrix: Any, options: dict[str, Any]) -> None:
        self.name, self.matrix, self.info = name, matrix, 0
        self.first = options
        self.options = {name: option for name, option in options.items() if name not in _AT_FIRST}

    def solve(self, b: Any, op: str) -> Any:
        function, options = getattr(scipy_linalg, self.name), self.first or self.options
        self.first = {}
        if op != "N":
            options = self._adjoint_options(op)
        try:
            x, self.info = function(applied_to(self.matrix, op), b, **options)
        except (NotImplementedError, TypeError) as error:
            if op == "N":
                raise
            raise NotDifferentiableError(
                self.name,
                "its operator or preconditioner has no adjoint. Give the LinearOperator rmatvec, too",
            ) from error
        if self.info:
            raise PrecisionLossError(
                f"{self.name} was differentiated and has not converged (info={self.info}). Likely causes: maxiter is "
                "small, or the matrix ill-conditioned. Give it more iterations, a preconditioner, or call spsolve."
            )
        return x.reshape(b.shape)

    def _adjoint_options(self, op: str) -> dict[str, Any]:
        options = dict(self.options)
        is_reversed = op in "TH" and "M1" in options  # (M1 A M2)^H = M2^H A^H M1^H
        for name in {"M", "M1", "M2"} & set(options):
            source = {"M1": "M2", "M2": "M1"}[name] if is_reversed else name
            M = self.options.get(source)
            kept = self.name in _HERMITIAN and op == "H"
            options[name] = M if M is None or kept else applied_to(M, op)
        return options


def applied_to(matrix: Any, op: str) -> Any:
    """`op(A)` of a matrix, or of a linear operator."""
    if op == "N":
        return matrix
    operator = operator_of(matrix)
    if operator is None:
        transposed = matrix.T if op in "TH" else matrix
        return transposed if op == "T" else transposed.conj()
    return operator.H if op == "H" else operator.T if op == "T" else operator.T.H


def _iterative(name: str) -> Callable[..., Any]:
    theirs = getattr(scipy_linalg, name)

    @one_matrix_by_one
    @wraps(theirs)
    def solver(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:
        if not is_traced([A, b, x0]):
            return theirs(A, b, x0, **options)
        if is_traced(list(options.values())):
            raise NotDifferentiableError(name, "an option holds a traced value. Pass wirtinger.stop_gradient of it")
        options = {"x0": raw(x0), **options}
        operator = operator_of(A)
        if operator is not None:
            iterations = Iterations(name, operator, options)
            b = right_side(b, A.shape[0], name)
            x = solution(np.zeros(0, operator.dtype), b, rows=None, solver=iterations, op="N")
        else:
            A = square(A, name)
            iterations = Iterations(name, scipy_sparse.csr_array(plain_matrix(A)), options)
            x = solved(A, right_side(b, A.shape[0], name), iterations)
        return x, iterations.info

    return solver


bicg, bicgstab, cg, cgs, gcrotmk, gmres, lgmres, minres, qmr, tfqmr = map(
    _iterative, ("bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr")
)
