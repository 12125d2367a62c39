"""Linear algebra."""

from .cholesky import cholesky
from .determinant import det, slogdet
from .eigen_hermitian import eigh, eigvalsh
from .svd import svd, svdvals
from .solve import inv, solve, tensorinv, tensorsolve
