"""Linear algebra: the functions of `numpy.linalg`, with derivatives of every order.

They have NumPy's arguments and return what NumPy returns.  The functions of `numpy.linalg` itself also differentiate
when called on an array under differentiation; those here also accept nested lists that contain such values.
"""

from numpy import __all__ as _numpy_names
from numpy import linalg as _numpy_linalg
from numpy.linalg import LinAlgError
from scipy.linalg import find_best_blas_type, get_blas_funcs, get_lapack_funcs

from .banded.cholesky import cholesky_banded
from .banded.eigenvalues import eig_banded, eigh_tridiagonal, eigvals_banded, eigvalsh_tridiagonal
from .banded.solve import cho_solve_banded, solve_banded, solveh_banded
from .elementary.companion import companion, fiedler, fiedler_companion, leslie
from .elementary.determinant import det, slogdet
from .elementary.matrix_power import matrix_power, multi_dot
from .elementary.norms import cond, matrix_norm, norm, vector_norm
from .elementary.parts import diagonal, matrix_rank, matrix_transpose, trace
from .elementary.predicates import bandwidth, ishermitian, issymmetric
from .elementary.products import cross, khatri_rao, matmul, outer, tensordot, vecdot
from .elementary.sketching import clarkson_woodruff_transform
from .elementary.special_matrices import (
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
from .equations.riccati import solve_continuous_are, solve_discrete_are
from .equations.sylvester import solve_continuous_lyapunov, solve_discrete_lyapunov, solve_lyapunov, solve_sylvester
from .factorizations.balance import matrix_balance
from .factorizations.cholesky import cholesky, cholesky_ex
from .factorizations.cossin import cossin
from .factorizations.hessenberg import hessenberg
from .factorizations.householder import householder_product
from .factorizations.ldl import ldl
from .factorizations.ldl_packed import ldl_factor, ldl_factor_ex, ldl_solve
from .factorizations.lu import lu, lu_factor, lu_factor_ex
from .factorizations.polar import orthogonal_procrustes, polar
from .factorizations.qr import qr
from .factorizations.qr_update import qr_delete, qr_insert, qr_update
from .factorizations.qz import ordqz, qz
from .factorizations.real_forms import cdf2rdf, rsf2csf
from .factorizations.rq import qr_multiply, rq
from .factorizations.schur import schur
from .functions.exponential import expm, expm_cond, expm_frechet, matrix_exp
from .functions.funm import funm
from .functions.logarithm import fractional_matrix_power, logm
from .functions.square_root import signm, sqrtm
from .functions.trigonometric import coshm, cosm, sinhm, sinm, tanhm, tanm
from .spectral.eig import eig, eigvals
from .spectral.eigh import eigh, eigvalsh
from .spectral.subspaces import null_space, orth, subspace_angles
from .spectral.svd import svd, svdvals
from .systems.cho_solve import cho_factor, cho_solve
from .systems.lstsq import lstsq
from .systems.lu_solve import lu_solve
from .systems.pinv import pinv
from .systems.pinvh import pinvh
from .systems.solve import inv, solve
from .systems.solve_ex import inv_ex, solve_ex
from .systems.tensors import tensorinv, tensorsolve
from .systems.triangular import solve_triangular
from .toeplitz.matrices import circulant, convolution_matrix, hankel, toeplitz
from .toeplitz.solve import matmul_toeplitz, solve_circulant, solve_toeplitz

__all__ = ["LinAlgError", "find_best_blas_type", "get_blas_funcs", "get_lapack_funcs"]
__all__ += ["cho_solve_banded", "cholesky_banded", "eig_banded", "eigh_tridiagonal", "eigvals_banded"]
__all__ += ["eigvalsh_tridiagonal", "solve_banded", "solveh_banded"]
__all__ += ["bandwidth", "block_diag", "clarkson_woodruff_transform", "companion", "cond", "cross", "det", "dft"]
__all__ += ["diagonal", "diagsvd", "fiedler", "fiedler_companion", "hadamard", "helmert", "hilbert", "invhilbert"]
__all__ += ["invpascal", "ishermitian", "issymmetric", "khatri_rao", "leslie", "matmul", "matrix_norm", "matrix_power"]
__all__ += ["matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pascal", "slogdet", "tensordot", "trace"]
__all__ += ["vander", "vecdot", "vector_norm"]
__all__ += ["solve_continuous_are", "solve_continuous_lyapunov", "solve_discrete_are", "solve_discrete_lyapunov"]
__all__ += ["solve_lyapunov", "solve_sylvester"]
__all__ += ["cdf2rdf", "cholesky", "cholesky_ex", "cossin", "hessenberg", "householder_product", "ldl", "ldl_factor"]
__all__ += ["ldl_factor_ex", "ldl_solve", "lu", "lu_factor", "lu_factor_ex", "matrix_balance", "ordqz"]
__all__ += ["orthogonal_procrustes", "polar", "qr", "qr_delete", "qr_insert", "qr_multiply", "qr_update", "qz", "rq"]
__all__ += ["rsf2csf", "schur"]
__all__ += ["coshm", "cosm", "expm", "expm_cond", "expm_frechet", "fractional_matrix_power", "funm", "logm"]
__all__ += ["matrix_exp", "signm", "sinhm", "sinm", "sqrtm", "tanhm", "tanm"]
__all__ += ["eig", "eigh", "eigvals", "eigvalsh", "null_space", "orth", "subspace_angles", "svd", "svdvals"]
__all__ += ["cho_factor", "cho_solve", "inv", "inv_ex", "lstsq", "lu_solve", "pinv", "pinvh", "solve", "solve_ex"]
__all__ += ["solve_triangular", "tensorinv", "tensorsolve"]
__all__ += ["circulant", "convolution_matrix", "hankel", "matmul_toeplitz", "solve_circulant", "solve_toeplitz"]
__all__ += ["toeplitz"]


def __getattr__(name: str) -> object:
    """The submodules of `numpy.linalg`."""
    try:
        return getattr(_numpy_linalg, name)
    except AttributeError:
        remedy = f". Call wirtinger.{name}." if name in _numpy_names else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{remedy}", name=name) from None
