"""Hermitian eigenvalue problems: `a x = w x`, and with a positive-definite `b` `a x = w b x` and its two relatives.

With `b = l H(l)` the problem of a pair is one of a single Hermitian matrix `c`, with the vectors `y`:

    type 1:  a x = w b x,   c = inv(l) a inv(H(l)),   x = inv(H(l)) y
    type 2:  a b x = w x,   c = H(l) a l,             x = inv(H(l)) y
    type 3:  b a x = w x,   c = H(l) a l,             x = l y

so that derivatives of every order, in `a` and in `b`, and what holds where eigenvalues are equal, are those of `eigh`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.choices import fixed_phases, perturbed_matrix, recalled
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from
from ..kernels import numpy_gufuncs
from ..kernels.factors import triangular
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import kernel
from ..systems.solve import solution
from .eigh_rule import Eigenbasis, eigenvalues, eigenvectors, hermitian_eigen, hermitian_eigenvalues, reads_lower
from .phase_conventions import check_gauge, row_real, with_largest_real, with_other_phases
from .subset import Subset


@kernel(2, 2)
def hermitian_problem(a: Any, b: Any, *, vectors: bool, subset: Subset, **settings: Any) -> Any:
    """Eigenvalues, and vectors if wanted, by SciPy."""
    wanted = {"subset_by_index": subset.by_index, "subset_by_value": subset.by_value}
    return scipy.linalg.eigh(a, b, eigvals_only=not vectors, check_finite=False, **wanted, **settings)


class _Problem:
    """One call: the matrices, and what is asked for."""

    def __init__(
        self, a: Any, b: Any, uplo: Any, lower: bool | None, kind: int, driver: Any, subset: Subset, check: bool
    ) -> None:
        if isinstance(b, str) or (issubclass(type(b), np.ndarray) and b.dtype.kind == "U"):
            b, uplo = None, str(b)
        self.a, self.b = (*operands(a), None) if b is None else operands(a, b)
        if check:
            refuse_infinite(*[x for x in (self.a, self.b) if x is not None])
        self.lower = reads_lower(uplo) if lower is None else bool(lower)
        self.kind, self.driver, self.subset = kind, driver, subset
        if self.a.ndim > 1:
            subset.check_size(self.a.shape[-1])

    @property
    def is_plain(self) -> bool:
        return not (isinstance(self.a, Traced) or isinstance(self.b, Traced))

    def computed(self, subset: Subset, vectors: bool = True) -> Any:
        """Eigenvalues, and vectors if wanted, of the plain matrices."""
        a, b = raw(self.a), raw(self.b)
        if b is None and self.driver is None and subset.is_all:
            uplo = "L" if self.lower else "U"
            return recalled(numpy_gufuncs.eigh, a, uplo) if vectors else numpy_gufuncs.eigvalsh(a, uplo)
        of_stack = subset.by_value is not None and max(a.ndim, 0 if b is None else b.ndim) > 2
        solved = Subset() if of_stack else subset
        driver = None if solved.is_all and not self.subset.is_all else self.driver
        params = {"lower": self.lower, "type": self.kind, "driver": driver}
        found = hermitian_problem(a, b, vectors=vectors, subset=solved, **params)
        if not of_stack:
            return found
        return subset.of(*found) if vectors else subset.of_values(found)

    def plain_vectors(self, gauge: str | None) -> Any:
        """Eigenvalues and vectors of the plain matrices."""
        found = self.computed(self.subset)
        return found if gauge == "lapack" else with_other_phases(numpy_gufuncs.EighResult(*found))

    def all_vectors(self) -> Any:
        """All eigenvalues and vectors; the wanted ones with the phases that they have without a derivative."""
        w, v = self.computed(Subset())
        if self.subset.is_all:
            return w, v
        return w, self.subset.with_phases(w, v, self.computed(self.subset)[1])

    def reduced(self) -> tuple[Any, Any]:
        """The single Hermitian matrix `c`, and the factor `l`."""
        l = np.linalg.cholesky(self.b) if self.lower else H(np.linalg.cholesky(self.b, upper=True))
        h = hermitian_from(self.a, lower=self.lower)
        if self.kind != 1:
            return H(l) @ h @ l, l
        factors = triangular(l, lower=True)
        return solution(l, H(solution(l, h, factors=factors)), factors=factors), l

    def vectors(self, gauge: str | None) -> tuple[Any, Any]:
        """Eigenvalues and vectors under differentiation."""
        self.a = perturbed_matrix(self.a)
        with fixed_phases(gauge == "lapack"):
            return self._with_phases(gauge)

    def _with_phases(self, gauge: str | None) -> tuple[Any, Any]:
        """The same of these matrices, where phases are fixed or are not."""
        if self.b is None:
            basis = Eigenbasis.of(self.a, self.a, self.lower, known=self.all_vectors())
            w, v = hermitian_eigen(self.a, lower=self.lower, basis=basis)
            return w, v * row_real(v, 0 if self.lower else -1) if gauge == "lapack" else v
        w, x = self.all_vectors()
        c, l = self.reduced()
        plain = raw(l)
        y = numpy_gufuncs.solve(plain, x) if self.kind == 3 else H(plain) @ x
        w, y = hermitian_eigen(c, lower=True, basis=Eigenbasis.of(c, c, True, known=(w, y)))
        if gauge == "lapack":
            y = y * row_real(y, 0 if self.lower else -1)
        if self.kind == 3:
            return w, l @ y
        factors = triangular(l, lower=True)
        return w, solution(H(l), y, factors=None if factors is None else factors.H)

    def values(self) -> Any:
        """Eigenvalues alone under differentiation."""
        matrix, lower = (self.a, self.lower) if self.b is None else (self.reduced()[0], True)
        return hermitian_eigenvalues(matrix, lower=lower, basis=Eigenbasis.of(matrix, matrix, lower, vectors=False))


@public(a=2, b=2)
def eigh(
    a: Any,
    b: Any = None,
    UPLO: str = "L",
    *,
    lower: bool | None = None,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = False,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
    gauge: str | None = None,
) -> Any:
    """Eigenvalues and eigenvectors of Hermitian matrices, or of pairs of a Hermitian and a positive-definite one.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices; one triangle is read, and the gradient lies in it: the exact derivative of the function as
        computed, where PyTorch and JAX return its symmetric part, `(g + H(g)) / 2`.
    b : array_like (..., M, M), optional
        Positive-definite matrices.  A string in its place is `UPLO`, as NumPy has it.
    UPLO : {"L", "U"}
        Which triangle is read.
    lower : bool, optional
        SciPy's way to say it.
    eigvals_only : bool
        Whether to return the eigenvalues alone.
    type : {1, 2, 3}
        The problem: `a x = w b x`, `a b x = w x` or `b a x = w x`.
    subset_by_index : pair of int, optional
        The first and the last of the ascending eigenvalues that are wanted.
    subset_by_value : pair of float, optional
        The eigenvalues above the first number, up to and including the second; as many in every item of a stack.
    driver : {"ev", "evd", "evr", "evx", "gv", "gvd", "gvx"}, optional
        The routine of LAPACK.  By default NumPy's, `evd`, which is the fastest one for all vectors; SciPy's choice for
        subsets (`evr`, `gvx`) and pairs (`gvd`).
    gauge : {"lapack", "max-real"}, optional
        The convention for the phases of the vectors, for losses that depend on them: what LAPACK returns (the first
        element of every vector real if the lower triangle is read, the last one if the upper; of a pair, that of the
        vector `y` of the single matrix), or the element of largest modulus real and positive.

    Returns
    -------
    EighResult or ndarray
        `eigenvalues` (..., K), real and ascending, and `eigenvectors` (..., M, K), in columns: orthonormal, or with
        `H(x) b x = 1` (types 1 and 2) or `H(x) inv(b) x = 1` (type 3).  The values alone with `eigvals_only`.

    Raises
    ------
    LinAlgError
        If the computation does not converge, or `b` is not positive-definite.
    ValueError
        If an option is none, or a subset does not exist.
    GaugeError
        If a derivative is needed of a loss that depends on the phases of the vectors, or on their choice where
        eigenvalues are equal.
    PrecisionLossError
        If rounding errors would dominate a derivative.

    Notes
    -----
    With `p = H(v) da v`: `dw = Re diag p`, `dv = v (f o p)`, `f_ij = 1/(w_j - w_i)`. Where eigenvalues are equal, or
    so close that rounding errors would dominate, they are separated by a parameter whose limit is zero. Derivatives
    of every order and mode are then right for all losses that have one: those that do not depend on the choice of
    the vectors of equal values, such as `v @ diag(f(w)) @ H(v)` and projectors onto subspaces. This takes several
    times as long, for each decomposition in a chain; if a matrix depends on the choice of the vectors of another one,
    and both have such values, its decomposition is refused. For a loss of the eigenvalues alone that is not symmetric
    in equal ones, the cotangent is averaged over them; in forward mode each eigenvalue has its one-sided derivative.
    Under differentiation the vectors of equal values differ from those of a plain call: in forward mode they are those
    along which the values move apart, in reverse mode a generic basis. The derivative of a subset needs all vectors.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> w, v = np.linalg.eigh(np.array([[2.0, 0.0], [0.0, 3.0]]))
    >>> w
    array([2., 3.])
    >>> grad(lambda a: np.sum(np.linalg.eigh(a)[0] ** 2))(np.eye(2)).round(12) + 0.0
    array([[2., 0.],
           [0., 2.]])
    >>> grad(lambda b: np.linalg.eigh(np.eye(2), b)[0][0])(np.diag([2.0, 4.0])) + 0.0
    array([[ 0.    ,  0.    ],
           [ 0.    , -0.0625]])
    """
    if lower is b is driver is subset_by_index is subset_by_value is gauge is None and not eigvals_only:
        a = a if isinstance(a, Traced) else as_operand(a)
        kind = a.dtype.kind
        if kind == "O":
            raise ValueError("expected an array of numbers; object arrays and sparse matrices have no decomposition")
        if not check_finite:
            if isinstance(a, Traced):
                return eigenvectors(a, UPLO)
            if kind == "c":
                return with_other_phases(recalled(numpy_gufuncs.eigh, a, UPLO))
            return numpy_gufuncs.eigh(a, UPLO)
    problem = _Problem(a, b, UPLO, lower, type, driver, Subset(subset_by_index, subset_by_value), check_finite)
    if eigvals_only:
        return _values(problem)
    check_gauge(gauge)
    w, v = problem.plain_vectors(gauge) if problem.is_plain else problem.subset.of(*problem.vectors(gauge))
    return numpy_gufuncs.EighResult(w, v * with_largest_real(v) if gauge == "max-real" else v)


def _values(problem: _Problem) -> Any:
    if problem.is_plain:
        return problem.computed(problem.subset, vectors=False)
    return problem.subset.of_values(problem.values())


@public(a=2, b=2)
def eigvalsh(
    a: Any,
    b: Any = None,
    UPLO: str = "L",
    *,
    lower: bool | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = False,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
) -> Any:
    """Eigenvalues of Hermitian matrices, or of pairs of a Hermitian and a positive-definite one.

    Parameters and errors are those of `eigh`.

    Returns
    -------
    ndarray (..., K)
        The eigenvalues, real and ascending.

    Notes
    -----
    The gradient is `v diag(g) H(v)`, with the mean of `g` over equal eigenvalues, taken into the triangle that is read:
    twice its entries off the diagonal there, and zero in the other triangle; PyTorch and JAX return both.  Second
    derivatives of a loss that is symmetric in equal eigenvalues are right.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import hvp
    >>> def f(a):
    ...     return np.sum(np.linalg.eigvalsh(a) ** 3)
    >>> hvp(f, (np.eye(2),), (np.array([[1.0, 0.0], [1.0, 0.0]]),)).round(12) + 0.0
    array([[ 6.,  0.],
           [12.,  0.]])
    """
    if lower is b is driver is subset_by_index is subset_by_value is None and not check_finite:
        a = as_operand(a)
        return (eigenvalues if isinstance(a, Traced) else numpy_gufuncs.eigvalsh)(a, UPLO)
    return _values(_Problem(a, b, UPLO, lower, type, driver, Subset(subset_by_index, subset_by_value), check_finite))
