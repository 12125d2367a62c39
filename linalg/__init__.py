"""Linear algebra: the functions of `numpy.linalg`, with derivatives of every order.

They mean what NumPy's mean and return what those return.  `numpy.linalg` itself differentiates as well when it is
called on an array under differentiation; these functions take nested lists that hold such values, too.
"""

from numpy import linalg as _numpy_linalg
from numpy.linalg import LinAlgError

from .chains import matrix_power, multi_dot
from .cholesky import cholesky
from .determinant import det, slogdet
from .eigen import eig, eigvals
from .eigen_hermitian import eigh, eigvalsh
from .norms import cond, matrix_norm, norm, vector_norm
from .products import (
    cross,
    diagonal,
    matmul,
    matrix_rank,
    matrix_transpose,
    outer,
    tensordot,
    trace,
    vecdot,
)
from .pseudoinverse import lstsq, pinv
from .qr import qr
from .solve import inv, solve, tensorinv, tensorsolve
from .svd import svd, svdvals

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]


def __getattr__(name: str) -> object:
    """The submodules of `numpy.linalg`."""
    return getattr(_numpy_linalg, name)
