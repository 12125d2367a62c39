"""Eigenvalue problems of general matrices, `a v = w v`, and of pairs, `a v = w b v`.

A pair is rotated, `n = cos a - sin b` and `m = sin a + cos b`, by an angle for which `m` is regular.  Then `inv(m) n`
has the same vectors and the eigenvalues `x` with

    (alpha, beta) = k (sin + cos x, cos - sin x),   w = alpha / beta,   k = sin alpha + cos beta,

so that derivatives of every order in `a` and in `b` are those of `eig`, also where `b` is singular and eigenvalues are
infinite.  Where `b` is well conditioned the angle is 0.  The left vectors are the rows of `inv(v) inv(m)`.
"""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np
import scipy.linalg

from ...backends import eps_of
from ...backends.numpy_versions import EIG_IS_COMPLEX
from ...complex_autograd.engine.choices import fixed_phases, plain_phases, recalled
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..kernels import numpy_gufuncs
from ..kernels.numpy_gufuncs import EigResult
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import complex_in_a_stack, kernel
from ..systems.solve import inverse, solution
from .degenerate.eigenpairs import Eigenpairs, phases_of_pairs
from .eig_rule import eigen
from .finite_part import order_of, without_cluster
from .pencil import finite_values, homogeneous_values, projective_values
from .phase_conventions import check_gauge, largest_rows, row_real, with_largest_real

_ANGLES: Final = (0.0, 0.6, -0.9, np.pi / 2, 1.2, -0.3)
"""Those tried, in this order, until the rotated `b` is well conditioned."""

_REGULAR: Final = 1e4
"""Well conditioned is a matrix with a condition number up to this one; else the best of all angles is taken."""


@kernel(2, 2)
def general_problem(a: Any, b: Any, *, left: bool, right: bool = True) -> Any:
    """Eigenvalues in homogeneous coordinates, and the vectors wanted, by SciPy; of one matrix in double, as NumPy's."""
    exact = a.astype(np.result_type(a, np.float64)) if b is None else a
    found = scipy.linalg.eig(exact, b, left, right, homogeneous_eigvals=True, check_finite=False)
    (alpha, beta), *vectors = found if left or right else (found,)
    if exact.dtype != a.dtype and a.dtype.char in "fF":
        alpha, beta, *vectors = (x.astype("F" if x.dtype.kind == "c" else "f") for x in (alpha, beta, *vectors))
    return alpha, beta, *[v.astype(np.result_type(v, np.complex64)) if EIG_IS_COMPLEX else v for v in vectors]


@final
class _Problem:
    """One call: the matrices, and how the pair is rotated."""

    def __init__(self, a: Any, b: Any, check: bool) -> None:
        self.a, self.b = [as_operand(a), None] if b is None else operands(a, b)
        if check:
            refuse_infinite(*[x for x in (self.a, self.b) if x is not None])

    @property
    def is_plain(self) -> bool:
        return not (isinstance(self.a, Traced) or isinstance(self.b, Traced))

    def plain(self, left: bool, homogeneous: bool) -> tuple[Any, ...]:
        """Eigenvalues, left vectors if wanted, and right vectors."""
        a, b = raw(self.a), raw(self.b)
        if b is None and not left:
            w, v = recalled(numpy_gufuncs.eig, a)
            if v.dtype.kind == "c" and plain_phases(v) is not None:
                v = v * phases_of_pairs(a, w, v)
            return homogeneous_values(w, np.ones_like(w)) if homogeneous else w, v
        alpha, beta, vectors = self._homogeneous(left)
        return self._values(alpha, beta, homogeneous), *vectors

    def _homogeneous(self, left: bool) -> tuple[Any, Any, list[Any]]:
        """Eigenvalues in homogeneous coordinates, and the vectors."""
        alpha, beta, *vectors = general_problem(raw(self.a), raw(self.b), left=left)
        return alpha, beta, list(map(complex_in_a_stack, vectors))

    def plain_values(self, homogeneous: bool) -> Any:
        """Eigenvalues alone."""
        if self.b is None:
            w = numpy_gufuncs.eigvals(self.a)
            return homogeneous_values(w, np.ones_like(w)) if homogeneous else w
        alpha, beta = general_problem(self.a, self.b, left=False, right=False)
        return self._values(alpha, beta, homogeneous)

    def _values(self, alpha: Any, beta: Any, homogeneous: bool) -> Any:
        """The eigenvalues, real where NumPy's are; infinite where `beta` is zero."""
        if self.a.dtype.kind != "c" and not EIG_IS_COMPLEX and np.all(np.imag(alpha) == 0):
            alpha, beta = [complex_in_a_stack(np.real(x), 1) for x in (alpha, beta)]
        if homogeneous:
            return homogeneous_values(alpha, beta)
        zero = (beta == 0).astype(beta.real.dtype)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(beta == 0, np.where(alpha == 0, np.nan, np.inf), alpha / (beta + zero)).astype(alpha.dtype)

    def traced(self, left: bool, homogeneous: bool, gauge: str | None) -> tuple[Any, ...]:
        """The same under differentiation."""
        if self.b is None:
            return self._traced_single(left, homogeneous, gauge)
        alpha, beta, vectors = self._homogeneous(left)
        cos, sin = self._angle()
        n, m = cos * self.a - sin * self.b, sin * self.a + cos * self.b
        scale = sin * alpha + cos * beta
        x = (cos * alpha - sin * beta) / scale
        if raw(vectors[-1]).dtype.kind != "c":
            x = np.real(x)
        c = solution(m, n)
        x, v = eigen(c, pairs=Eigenpairs(c, known=(x, vectors[-1]), vectors=True))
        if homogeneous:
            w = projective_values(x, sin=sin, cos=cos, scale=scale)
        elif sin == 0:
            w = x
        else:
            w = finite_values(x, sin=sin, cos=cos, infinite=(raw(beta) == 0).astype(raw(v).real.dtype))
        if gauge == "max-real":
            v = v * with_largest_real(v)
        return (w, _left(inverse(v) @ inverse(m), vectors[0]), v) if left else (w, v)

    def traced_values(self, homogeneous: bool) -> Any:
        """Eigenvalues alone of a pair; finite ones also next to several infinite ones."""
        if not homogeneous and self.a.ndim == 2 and type(raw(self.a)) is type(raw(self.b)) is np.ndarray:
            alpha, beta = general_problem(raw(self.a), raw(self.b), left=False, right=False)
            infinite = beta == 0
            if np.count_nonzero(infinite) > 1:
                w = self._finite_values(self._values(alpha, beta, False), infinite)
                if w is not None:
                    return w
        return self.traced(False, homogeneous, None)[0]

    def _finite_values(self, values: Any, infinite: Any) -> Any:
        """Eigenvalues without derivatives where they are infinite; None where the others are too near."""
        cos, sin = self._angle()
        c = solution(sin * self.a + cos * self.b, cos * self.a - sin * self.b)
        x, finite = c[0] * 0, values[~infinite]
        if len(finite):
            part = without_cluster(c, cos / sin, int(np.count_nonzero(infinite)))
            if part is None:
                return None
            known = np.linalg.eigvals(part)
            known = known[order_of((sin + cos * raw(known)) / (cos - sin * raw(known)), finite)]
            order = np.concatenate([np.flatnonzero(~infinite), np.flatnonzero(infinite)])
            x = np.concatenate([known, x[len(finite) :]])[np.argsort(order)]
        x = x if values.dtype.kind == "c" else np.real(x)
        return finite_values(x, sin=sin, cos=cos, infinite=infinite.astype(raw(x).real.dtype))

    def _traced_single(self, left: bool, homogeneous: bool, gauge: str | None) -> tuple[Any, ...]:
        with fixed_phases(gauge == "lapack"):
            w, v = np.linalg.eig(self.a)
        if gauge is not None:
            v = v * (with_largest_real(v) if gauge == "max-real" else row_real(v, largest_rows(v)))
        vectors = (_left(inverse(v), self._left_vectors(w)), v) if left else (v,)
        return homogeneous_values(w, np.ones_like(raw(w))) if homogeneous else w, *vectors

    def _left_vectors(self, w: Any) -> Any:
        """The plain left vectors, which have phases of their own."""
        known = self.plain(True, False)[1]
        phases = phases_of_pairs(raw(self.a), raw(w), known)
        return known if phases is None else known * phases

    def _angle(self) -> tuple[float, float]:
        """Cosine and sine of the angle."""
        a, b = raw(self.a), raw(self.b)
        best = (np.inf, 1.0, 0.0)
        for angle in _ANGLES:
            cos, sin = float(np.cos(angle)), float(np.sin(angle))
            m = sin * a + cos * b
            largest = float(np.max(np.linalg.cond(m))) if m.size else 0.0
            best = min(best, (largest, cos, sin))
            if largest < _REGULAR:
                break
        if not best[0] < 1 / eps_of(a.dtype):
            raise NotDifferentiableError(
                "linalg.eig", "a and b together are singular to working precision, so that any number is an eigenvalue"
            )
        return best[1:]


def _left(rows: Any, known: Any) -> Any:
    """Left vectors of length one from some rows, with the phases of the known ones."""
    v = H(rows)
    v = v / np.sqrt(np.sum(np.real(np.conj(v) * v), axis=-2, keepdims=True))
    overlap = np.sum(np.conj(raw(v)) * raw(known), axis=-2, keepdims=True)
    return v * (overlap / np.abs(overlap))


@public(a=2, b=2)
def eig(
    a: Any,
    b: Any = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = False,
    homogeneous_eigvals: bool = False,
    *,
    gauge: str | None = None,
) -> Any:
    """Eigenvalues and eigenvectors of square matrices, or of pairs of them.

    With `c = inv(v) da v`: `dw = diag c`, and `dv = v (f o c)`, `f_ij = 1/(w_j - w_i)`, less what changes the lengths.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    b : array_like (..., M, M), optional
        The right sides of `a v = w b v`; they may be singular.
    left, right : bool
        Whether the left vectors, with `H(u) a = w H(u) b`, and the right ones are wanted.
    homogeneous_eigvals : bool
        Whether the eigenvalues are returned as `alpha` and `beta` (..., 2, M) with `w = alpha / beta`.
    gauge : {"lapack", "max-real"}, optional
        The convention for the phases of the right vectors, for losses that depend on them: what LAPACK returns (the
        element of largest modulus real; not for pairs), or the element of largest modulus real and positive.

    Returns
    -------
    EigResult or tuple or ndarray
        `eigenvalues` (..., M) and `eigenvectors` (..., M, M), in columns of length one; with `left` the left vectors
        come between them, and vectors that are not wanted are left out.  Before NumPy 2.5 real if the matrices and all
        eigenvalues are.

    Raises
    ------
    LinAlgError
        If the computation does not converge.
    NotDifferentiableError
        If a derivative is needed and a matrix is defective, or a pair singular, to working precision, or in an infinite
        eigenvalue.
    GaugeError
        If a derivative is needed of a loss that depends on the phases of the vectors, or on their choice where
        eigenvalues are equal, or on the common factor of `alpha` and `beta`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(lambda a: np.real(np.linalg.eig(a)[0][0]))(np.array([[1.0, 1.0], [0.0, 3.0]]))
    array([[ 1. ,  0. ],
           [-0.5,  0. ]])
    >>> np.linalg.eig(np.diag([2.0, 3.0]), np.diag([1.0, 0.0])).eigenvalues.real
    array([ 2., inf])
    """
    problem = _Problem(a, b, check_finite)
    if not (left or right):
        return _values(problem, homogeneous_eigvals)
    if check_gauge(gauge) == "lapack" and problem.b is not None:
        raise ValueError("gauge='lapack' is not available for pairs: LAPACK does not fix their phases. Use 'max-real'")
    if problem.is_plain:
        w, *vectors = problem.plain(left, homogeneous_eigvals)
        if gauge == "max-real":
            vectors[-1] = vectors[-1] * with_largest_real(vectors[-1])
    else:
        w, *vectors = problem.traced(left, homogeneous_eigvals, gauge)
    if left:
        return (w, *vectors) if right else (w, vectors[0])
    return EigResult(w, vectors[0])


def _values(problem: _Problem, homogeneous: bool) -> Any:
    if problem.is_plain:
        return problem.plain_values(homogeneous)
    if problem.b is None:
        w = np.linalg.eigvals(problem.a)
        return homogeneous_values(w, np.ones_like(raw(w))) if homogeneous else w
    return problem.traced_values(homogeneous)


@public(a=2, b=2)
def eigvals(
    a: Any, b: Any = None, overwrite_a: bool = False, check_finite: bool = False, homogeneous_eigvals: bool = False
) -> Any:
    """Eigenvalues of square matrices, or of pairs of them.

    Parameters and errors are those of `eig`.

    The gradient is `H(inv(v)) diag(g) H(v)` with the vectors `v` of `eig`, and the mean of `g` over equal eigenvalues.

    Returns
    -------
    ndarray (..., M) or (..., 2, M)
        The eigenvalues; before NumPy 2.5 real if the matrices and all of them are.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.eigvals(np.array([[0.0, 1.0], [-1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    if b is None and not (check_finite or homogeneous_eigvals):
        a = as_operand(a)
        return np.linalg.eigvals(a) if isinstance(a, Traced) else numpy_gufuncs.eigvals(a)
    return _values(_Problem(a, b, check_finite), homogeneous_eigvals)
