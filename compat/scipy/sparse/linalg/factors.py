"""What solves systems with a plain sparse matrix, and the arguments of the functions that take one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import scipy.sparse as scipy_sparse
import scipy.sparse.linalg as scipy_linalg

from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import plain_operand
from .....complex_autograd.engine.traced import raw
from ..array import SparseArray
from ..structure import entries_of, is_sparse, is_traced, rows_of
from .solution import Solver, solution


@final
class Factors:
    """The LU factors of a matrix of SciPy's, made when the first system is solved.

    Parameters
    ----------
    matrix : sparse array
        Square.
    factorize : callable
        What makes them: it returns a `SuperLU`.
    """

    def __init__(self, matrix: Any, factorize: Callable[[Any], Any]) -> None:
        self.matrix, self.factorize = matrix, factorize

    @cached_property
    def lu(self) -> Any:
        return self.factorize(self.matrix)

    def solve(self, b: Any, op: str) -> Any:
        if op == "C":
            return np.conjugate(self.solve(np.conjugate(b), "N"))
        is_complex = self.matrix.dtype.kind == "c"
        if np.iscomplexobj(b) and not is_complex:
            return self.solve(np.ascontiguousarray(b.real), op) + 1j * self.solve(np.ascontiguousarray(b.imag), op)
        x = self.lu.solve(np.asarray(b, self.matrix.dtype), "T" if op == "H" and not is_complex else op)
        return x.astype(np.result_type(x.dtype, b.dtype), copy=False)


@final
class Triangle:
    """A triangular matrix of SciPy's, whose systems are solved by substitution."""

    def __init__(self, matrix: Any, lower: bool) -> None:
        self.matrix, self.lower = matrix, lower

    def solve(self, b: Any, op: str) -> Any:
        if op in "HC":
            return np.conjugate(self.solve(np.conjugate(b), "T" if op == "H" else "N"))
        matrix = self.matrix.T if op == "T" else self.matrix
        return scipy_linalg.spsolve_triangular(matrix.tocsr(), b, lower=self.lower != (op == "T"))


@final
class _OfTranspose:
    """What solves systems with the transpose of a matrix, by what does with the matrix."""

    OF: Final = {"N": "T", "T": "N", "H": "C", "C": "H"}

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def solve(self, b: Any, op: str) -> Any:
        return self.solver.solve(b, self.OF[op])


def operator_of(A: Any) -> Any:
    """The linear operator that SciPy's solvers take an object for; None for a matrix."""
    is_operator = isinstance(A, scipy_linalg.LinearOperator) or (hasattr(A, "matvec") and hasattr(A, "shape"))
    return scipy_linalg.aslinearoperator(A) if is_operator else None


def square(A: Any, name: str) -> Any:
    """The square sparse matrix of a system; `NotDifferentiableError` for a dense traced one."""
    A = A if is_sparse(A) else scipy_sparse.csc_array(raw(A)) if not is_traced(A) else None
    if A is None:
        raise NotDifferentiableError(
            name, "its matrix is a dense traced array. Call linalg.solve, or make it sparse by csc_array(A)"
        )
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"matrix must be square, not of shape {A.shape}")
    return A


def plain_matrix(A: Any) -> Any:
    """The matrix of SciPy's with the plain values."""
    return A.plain() if isinstance(A, SparseArray) else A


def right_side(b: Any, n: int, name: str) -> Any:
    """The dense right side of a system with `n` rows."""
    if is_sparse(b):
        raise NotDifferentiableError(
            name, "its right side is sparse, and the solution would mostly be dense. Pass b.toarray()"
        )
    b = plain_operand(b)
    if not 0 < b.ndim < 3 or b.shape[0] != n:
        raise ValueError(f"the right side has shape {b.shape}, and the matrix {n} rows")
    return b


def in_floating_point(matrix: Any, *others: Any) -> Any:
    """A matrix in the common precision with others, which SuperLU has in single and double alone."""
    dtype = np.result_type(matrix.dtype, *[b.dtype for b in others], np.float32)
    return scipy_sparse.csc_array(matrix.astype(dtype))


def solved(A: Any, b: Any, solver: Any, op: str = "N") -> Any:
    """The solution of `op(A) x = b` by what solves systems with `A`."""
    rows, d, is_transposed = rows_of(*entries_of(A))
    if is_transposed:
        return solution(d, b, rows=rows, solver=_OfTranspose(solver), op=_OfTranspose.OF[op])
    return solution(d, b, rows=rows, solver=solver, op=op)
