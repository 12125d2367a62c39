"""Systems solved by factors: `spsolve`, `splu`, `spilu`, `factorized`, `spsolve_triangular`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np
import scipy.sparse as scipy_sparse
import scipy.sparse.linalg as scipy_linalg

from .....complex_autograd.engine.errors import NotDifferentiableError
from ..construction import tril, triu
from ..structure import is_traced
from ..trees import traced_form
from .factors import Factors, Triangle, in_floating_point, plain_matrix, right_side, solved, square
from .items import one_matrix_by_one


@one_matrix_by_one
def spsolve(A: Any, b: Any, permc_spec: Any = None, use_umfpack: bool = True) -> Any:
    """`scipy.sparse.linalg.spsolve`, the solution of `A x = b`.

    Differentiable in the values of `A` and in `b`: `dx = solve(A, db - dA x)`, with one factorization for the value
    and the derivatives of any order, and cotangents of `A` that have its pattern.

    Parameters
    ----------
    A : sparse array (N, N)
        The matrix.
    b : array_like (N,) or (N, K)
        The right side; of plain arguments it may be sparse, too.
    permc_spec : str, optional
        How columns are ordered, as `splu` takes it.
    use_umfpack : bool
        As in SciPy for plain arguments.  With traced ones SuperLU solves.

    Returns
    -------
    ndarray
        Of the shape of `b`; of a plain column (N, 1) a vector, as SciPy has it.

    Raises
    ------
    RuntimeError
        With traced arguments, if the matrix is singular.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import spsolve
    >>> A = scipy.sparse.diags_array([2.0, 4.0], format="csc")
    >>> print(grad(lambda A: np.sum(spsolve(A, np.array([2.0, 4.0]))))(A).data)
    [-0.5  -0.25]
    """
    if not is_traced([A, b]):
        return scipy_linalg.spsolve(A, b, permc_spec, use_umfpack)
    A = square(A, "spsolve")
    b = right_side(b, A.shape[0], "spsolve")
    factors = Factors(in_floating_point(plain_matrix(A), b), lambda a: scipy_linalg.splu(a, permc_spec))
    return solved(A, b[:, 0] if b.ndim == 2 and b.shape[1] == 1 else b, factors)


@final
class SparseLU:
    """The factors of a sparse matrix, as `splu` returns them, which solve systems with traced values.

    What else SciPy's factors have (`L`, `U`, `perm_c`, `perm_r`, `nnz`, `shape`) is theirs; of a traced matrix the
    factors themselves have no derivative.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import jacobian
    >>> from wirtinger.scipy.sparse.linalg import splu
    >>> lu = splu(scipy.sparse.diags_array([2.0, 4.0], format="csc"))
    >>> jacobian(lu.solve)(np.ones(2))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """

    def __init__(self, A: Any, factors: Factors) -> None:
        self._matrix, self._factors = A, factors
        self._lu = factors.lu  # which raises for a singular matrix, here as in SciPy

    def solve(self, rhs: Any, trans: str = "N") -> Any:
        """The solution of `A x = rhs`, or with the transpose ("T") or the conjugate transpose ("H").

        Examples
        --------
        >>> import numpy as np
        >>> import scipy.sparse
        >>> from wirtinger.scipy.sparse.linalg import splu
        >>> splu(scipy.sparse.csc_array(np.array([[1.0, 1.0], [0.0, 1.0]]))).solve(np.ones(2), "T")
        array([1., 0.])
        """
        if trans not in ("N", "T", "H"):
            raise ValueError("trans must be N, T, or H")
        if not is_traced([self._matrix, rhs]):
            return self._lu.solve(np.asarray(rhs), trans)
        return solved(self._matrix, right_side(rhs, self.shape[0], "splu(A).solve"), self._factors, trans)

    def __getattr__(self, name: str) -> Any:
        if name in ("L", "U") and is_traced(self._matrix):
            raise NotDifferentiableError(
                f"splu(A).{name}", "no rule is known to it. Call solve, or linalg.lu of the dense matrix"
            )
        return getattr(self._lu, name)


@one_matrix_by_one
def splu(A: Any, *args: Any, **kwargs: Any) -> SparseLU:
    """`scipy.sparse.linalg.splu`, whose `solve` is differentiated in the values of `A` and in the right side.

    Parameters
    ----------
    A : sparse array (N, N)
        The matrix.
    *args, **kwargs
        As in SciPy.

    Returns
    -------
    SparseLU
        The factors.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import splu
    >>> A = scipy.sparse.diags_array([2.0, 4.0], format="csc")
    >>> print(grad(lambda A: np.sum(splu(A).solve(np.array([2.0, 4.0]))))(A).data)
    [-0.5  -0.25]
    """
    return _factored(A, "splu", lambda a: scipy_linalg.splu(a, *args, **kwargs))


@one_matrix_by_one
def spilu(A: Any, *args: Any, **kwargs: Any) -> SparseLU:
    """`scipy.sparse.linalg.spilu`, an incomplete factorization, whose `solve` is differentiated in the right side.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import jacobian
    >>> from wirtinger.scipy.sparse.linalg import spilu
    >>> jacobian(spilu(scipy.sparse.diags_array([2.0, 4.0], format="csc")).solve)(np.ones(2))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if is_traced(A):
        raise NotDifferentiableError("spilu", "which entries it drops depends on the values. Call splu")
    return _factored(A, "spilu", lambda a: scipy_linalg.spilu(a, *args, **kwargs))


def _factored(A: Any, name: str, factorize: Callable[[Any], Any]) -> SparseLU:
    if not is_traced(A):
        lu = factorize(A)
        return SparseLU(traced_form(square(A, name)), Factors(in_floating_point(square(A, name)), lambda _: lu))
    A = square(A, name)
    return SparseLU(A, Factors(in_floating_point(plain_matrix(A)), factorize))


@one_matrix_by_one
def factorized(A: Any) -> Callable[[Any], Any]:
    """`scipy.sparse.linalg.factorized`: a function that solves `A x = b`, differentiated in `A` and `b`.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import jacobian
    >>> from wirtinger.scipy.sparse.linalg import factorized
    >>> jacobian(factorized(scipy.sparse.diags_array([2.0, 4.0], format="csc")))(np.ones(2))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return splu(A if is_traced(A) else scipy_sparse.csc_array(A)).solve


@one_matrix_by_one
def spsolve_triangular(
    A: Any,
    b: Any,
    lower: bool = True,
    overwrite_A: bool = False,
    overwrite_b: bool = False,
    unit_diagonal: bool = False,
) -> Any:
    """`scipy.sparse.linalg.spsolve_triangular`, differentiated in the values of `A` and in `b`.

    Parameters
    ----------
    A : sparse array (N, N)
        Triangular.
    b : array_like (N,) or (N, K)
        The right side.
    lower : bool
        Whether `A` is lower triangular.
    overwrite_A, overwrite_b : bool
        As in SciPy for plain arguments; nothing traced is overwritten.
    unit_diagonal : bool
        Whether the diagonal is taken for ones; then it has the derivative 0.

    Returns
    -------
    ndarray
        Of the shape of `b`.

    Raises
    ------
    LinAlgError
        If `A` is singular or not triangular.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import spsolve_triangular
    >>> A = scipy.sparse.csr_array(np.array([[2.0, 0.0], [1.0, 1.0]]))
    >>> print(grad(lambda A: spsolve_triangular(A, np.array([2.0, 3.0]))[1])(A).data)
    [ 0.5 -1.  -2. ]
    """
    if not is_traced([A, b]):
        return scipy_linalg.spsolve_triangular(A, b, lower, overwrite_A, overwrite_b, unit_diagonal)
    A = traced_form(square(A, "spsolve_triangular"))
    b = right_side(b, A.shape[0], "spsolve_triangular")
    if unit_diagonal:
        A = (tril(A, -1) if lower else triu(A, 1)) + scipy_sparse.eye_array(A.shape[0], format="csr")
    return solved(A, b, Triangle(in_floating_point(plain_matrix(A), b), lower))
