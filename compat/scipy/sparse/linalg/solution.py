"""Solutions of sparse systems, and their rule: `op(A) x = b` with op nothing, T, H or C, the complex conjugate.

    op(A) dx = db - op(dA) x

so that a derivative of any order is products and solutions with the same factors, and the adjoint in the values is
`sampled(-w, conj x)` with `op(A)^H w = g`: it has the pattern of `A`.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from .....linalg.kernels.partly_linear import PartlyLinear
from ..entries import Rows, product

ADJOINT = {"N": "H", "T": "C", "H": "N", "C": "T"}
"""Of each `op` the one of the conjugate transpose."""


class Solver(Protocol):
    """What solves systems with one matrix: its factors, or iterations."""

    def solve(self, b: Any, op: str) -> Any:
        """The plain solution of `op(A) x = b`."""


def _sparse_solution(d: Any, b: Any, *, rows: Rows, solver: Solver, op: str) -> Any:
    return solver.solve(b, op)


solution = PartlyLinear(_sparse_solution, registered=False, family="sparse solves")
"""`x` with `op(A) x = b`, where `A` has the values `d` and the solver is one of it."""


@solution.space_of
def _(d: Any, b: Any, **params: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return b.shape, np.result_type(d.dtype, b.dtype, np.float32)


@solution.differential
def _(x: Any, d: Any, b: Any, dd: Any, db: Any, *, rows: Rows, solver: Solver, op: str) -> Any:
    return solution(d, db - applied(dd, x, rows=rows, op=op), rows=rows, solver=solver, op=op)


@solution.adjoint(1)
def _(g: Any, d: Any, b: Any, *, rows: Rows, solver: Solver, op: str) -> Any:
    return solution(d, g, rows=rows, solver=solver, op=ADJOINT[op])


def applied(d: Any, x: Any, *, rows: Rows, op: str) -> Any:
    """`op(A) x`."""
    return product(np.conjugate(d) if op in "HC" else d, x, rows=rows, transposed=op in "TH")
