"""Linear algebra: the functions of `numpy.linalg`, with derivatives of every order.

They mean what NumPy's mean and return what those return.  `numpy.linalg` itself differentiates as well when it is
called on an array under differentiation; these functions take nested lists that hold such values, too.
"""

from numpy import linalg as _numpy_linalg
from numpy.linalg import LinAlgError
from scipy.linalg import find_best_blas_type, get_blas_funcs, get_lapack_funcs

from .balance import matrix_balance
from .banded import cho_solve_banded, cholesky_banded, solve_banded, solveh_banded
from .banded_problems import eig_banded, eigh_tridiagonal, eigvals_banded, eigvalsh_tridiagonal
from .chains import matrix_power, multi_dot
from .checked import inv_ex, solve_ex
from .cho_solve import cho_factor, cho_solve
from .cholesky import cholesky, cholesky_ex
from .companion_matrices import companion, fiedler, fiedler_companion, leslie
from .cossin import cossin
from .determinant import det, slogdet
from .exponential import expm, expm_cond, expm_frechet, matrix_exp
from .general_problems import eig, eigvals
from .hermitian_problems import eigh, eigvalsh
from .hessenberg import hessenberg
from .householder import householder_product
from .ldl import ldl
from .ldl_packed import ldl_factor, ldl_factor_ex, ldl_solve
from .logarithm import fractional_matrix_power, logm
from .lu import lu, lu_factor, lu_factor_ex
from .lu_solve import lu_solve
from .matrix_equations import solve_continuous_lyapunov, solve_discrete_lyapunov, solve_lyapunov, solve_sylvester
from .matrix_functions import coshm, cosm, funm, sinhm, sinm, tanhm, tanm
from .matrix_parts import diagonal, matrix_rank, matrix_transpose, trace
from .norms import cond, matrix_norm, norm, vector_norm
from .pinvh import pinvh
from .polar import orthogonal_procrustes, polar
from .predicates import bandwidth, ishermitian, issymmetric
from .products import cross, khatri_rao, matmul, outer, tensordot, vecdot
from .pseudoinverse import lstsq, pinv
from .qr import qr
from .qr_update import qr_delete, qr_insert, qr_update
from .qz import ordqz, qz
from .real_forms import cdf2rdf, rsf2csf
from .riccati import solve_continuous_are, solve_discrete_are
from .rq import qr_multiply, rq
from .schur import schur
from .singular_problems import svd, svdvals
from .sketching import clarkson_woodruff_transform
from .solve import inv, solve, tensorinv, tensorsolve
from .special_matrices import (
    block_diag,
    dft,
    diagsvd,
    hadamard,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    pascal,
    vander,
)
from .square_root import signm, sqrtm
from .subspaces import null_space, orth, subspace_angles
from .toeplitz_matrices import circulant, convolution_matrix, hankel, toeplitz
from .toeplitz_systems import matmul_toeplitz, solve_circulant, solve_toeplitz
from .triangular import solve_triangular

__all__ = [
    "LinAlgError",
    "bandwidth",
    "block_diag",
    "cdf2rdf",
    "cho_factor",
    "cho_solve",
    "cho_solve_banded",
    "cholesky",
    "cholesky_banded",
    "cholesky_ex",
    "circulant",
    "clarkson_woodruff_transform",
    "companion",
    "cond",
    "convolution_matrix",
    "coshm",
    "cosm",
    "cossin",
    "cross",
    "det",
    "dft",
    "diagonal",
    "diagsvd",
    "eig",
    "eig_banded",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvals_banded",
    "eigvalsh",
    "eigvalsh_tridiagonal",
    "expm",
    "expm_cond",
    "expm_frechet",
    "fiedler",
    "fiedler_companion",
    "find_best_blas_type",
    "fractional_matrix_power",
    "funm",
    "get_blas_funcs",
    "get_lapack_funcs",
    "hadamard",
    "hankel",
    "helmert",
    "hessenberg",
    "hilbert",
    "householder_product",
    "inv",
    "inv_ex",
    "invhilbert",
    "invpascal",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
    "ldl",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "leslie",
    "logm",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matmul_toeplitz",
    "matrix_balance",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "null_space",
    "ordqz",
    "orth",
    "orthogonal_procrustes",
    "outer",
    "pascal",
    "pinv",
    "pinvh",
    "polar",
    "qr",
    "qr_delete",
    "qr_insert",
    "qr_multiply",
    "qr_update",
    "qz",
    "rq",
    "rsf2csf",
    "schur",
    "signm",
    "sinhm",
    "sinm",
    "slogdet",
    "solve",
    "solve_banded",
    "solve_circulant",
    "solve_continuous_are",
    "solve_continuous_lyapunov",
    "solve_discrete_are",
    "solve_discrete_lyapunov",
    "solve_ex",
    "solve_lyapunov",
    "solve_sylvester",
    "solve_toeplitz",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "subspace_angles",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "toeplitz",
    "trace",
    "vander",
    "vecdot",
    "vector_norm",
]


def __getattr__(name: str) -> object:
    """The submodules of `numpy.linalg`."""
    return getattr(_numpy_linalg, name)
