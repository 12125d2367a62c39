"""`scipy.sparse.linalg` with derivatives in the stored values and in right sides; all else of it is SciPy's own."""

from typing import Any as _Any

import scipy.sparse.linalg as _scipy_linalg

from .direct import SparseLU, factorized, spilu, splu, spsolve, spsolve_triangular
from .eigen import eigs, eigsh, lobpcg, svds
from .functions import expm, expm_multiply, funm_multiply_krylov, inv, matrix_power, norm, onenormest
from .iterative import bicg, bicgstab, cg, cgs, gcrotmk, gmres, lgmres, minres, qmr, tfqmr
from .least_squares import lsmr, lsqr

__all__ = [
    "SparseLU", "bicg", "bicgstab", "cg", "cgs", "eigs", "eigsh", "expm", "expm_multiply", "factorized",
    "funm_multiply_krylov", "gcrotmk", "gmres", "inv", "lgmres", "lobpcg", "lsmr", "lsqr", "matrix_power", "minres",
    "norm", "onenormest", "qmr", "spilu", "splu", "spsolve", "spsolve_triangular", "svds", "tfqmr",
]  # fmt: skip


def __getattr__(name: str) -> _Any:
    return getattr(_scipy_linalg, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_scipy_linalg)})
