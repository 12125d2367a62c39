"""Square roots and signs of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ..equations.sylvester import sylvester_solution
from ..kernels.matrix_operands import are_single, square_operand, with_estimate
from ..kernels.public import public
from ..kernels.stacks import complex_in_a_stack, kernel
from ..kernels.tolerances import precision_of
from .schur_forms import SchurForms, eigenvalues_of_form, is_triangular, power_of_two_near, rounding_of, schur_form


@kernel(0)
def root_values(a: Any) -> Any:
    """SciPy's function, which takes stacks itself, and whose result does not own its memory."""
    return np.array(scipy.linalg.sqrtm(a))


@primitive
def square_root(a: Any) -> Any:
    """The principal square root."""
    return complex_in_a_stack(root_values(a))


# x x = a  =>  x dx + dx x = da  [H08, section 6.1]
@square_root.differential
def _(x: Any, a: Any, da: Any) -> Any:
    rounding = precision_of(x) if is_triangular(raw(a)) else np.sqrt(rounding_of(x))
    forms = twice_the_same(raw(x), rounding, "linalg.sqrtm", _NO_ROOT)
    return sylvester_solution(x, x, da, forms=forms)


_NO_ROOT = (
    "eigenvalues of the square root sum to zero up to rounding: either the matrix is singular, where the root grows as "
    "that of a number at 0, or it has negative eigenvalues on both sides of the branch cut"
)


@kernel(2)
def sign_values(a: Any) -> Any:
    """The matrix sign, by SciPy."""
    return np.array(scipy.linalg.signm(a / power_of_two_near(a))) if a.size else a


@primitive
def matrix_sign(a: Any) -> Any:
    """The matrix sign: 1 and -1 in place of the eigenvalues to the right and to the left of the imaginary axis."""
    return sign_values(a)


# s s = 1  =>  ds s = -s ds,  and  s a = a s  =>  a ds - ds a = s da - da s.  With  n = a s = s a:
# n ds + ds n = s a ds + ds s a = s (a ds - ds a) = da - s da s  [H08, section 5.1]
@matrix_sign.differential
def _(s: Any, a: Any, da: Any) -> Any:
    n = a @ s
    forms = twice_the_same(raw(n), rounding_of(n), "linalg.signm", _NO_SIGN)
    return sylvester_solution(n, n, da - s @ da @ s, forms=forms)


_NO_SIGN = "an eigenvalue is on the imaginary axis up to rounding, where the sign jumps"


def twice_the_same(a: Any, rounding: float, function: str, reason: str) -> SchurForms:
    """The forms for `a x + x a = q`; raises where eigenvalues of `a` sum to zero, up to this part of the largest."""
    if not np.all(np.isfinite(a)):
        raise NotDifferentiableError(function, "the value is not finite")
    r, u = schur_form(a)
    w = eigenvalues_of_form(r)
    sums = np.abs(w[..., :, None] + w[..., None, :])
    largest = np.max(np.abs(w), axis=-1, initial=0.0)[..., None, None]
    if np.any(sums <= rounding * largest):
        raise NotDifferentiableError(function, reason)
    return SchurForms((r, u), (r, u))


@public(A=2)
def sqrtm(A: Any, disp: bool | None = None, blocksize: int | None = None) -> Any:
    """The principal square root of square matrices.

    The differential solves `X dX + dX X = dA`, by one Schur form of `X`.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    disp : bool, optional
        If False, an estimate of the error is returned as well; SciPy has deprecated it.
    blocksize : int, optional
        Accepted; it has no effect, and SciPy has deprecated it.

    Returns
    -------
    ndarray (..., N, N)
        The matrices `X` with `X @ X = A` whose eigenvalues are not in the left half-plane; complex where `A` has
        negative eigenvalues.
    errest : float
        The estimate, with `disp=False`.

    Raises
    ------
    LinAlgError
        If the matrices are not square.
    NotDifferentiableError
        If it is differentiated where two eigenvalues of `X` sum to zero: where `A` is singular, or has a repeated
        negative eigenvalue on both sides of the branch cut.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.sqrtm(np.array([[4.0, 5.0], [0.0, 9.0]]))
    array([[2., 1.],
           [0., 3.]])
    >>> grad(lambda t: np.linalg.sqrtm(t * np.eye(2))[0, 0])(4.0).round(12)
    np.float64(0.25)
    """
    a = as_operand(A)
    if are_single(a):
        asked = {"disp": disp, "blocksize": blocksize}
        return scipy.linalg.sqrtm(a, **{key: value for key, value in asked.items() if value is not None})
    a = square_operand(a)
    return with_estimate(square_root(a), scipy.linalg.sqrtm, a, disp)


@public(A=2)
def signm(A: Any, disp: bool | None = None) -> Any:
    """The sign of square matrices.

    With `N = A S`, the differential of `S` solves `N dS + dS N = dA - S dA S`.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    disp : bool, optional
        If False, an estimate of the error is returned as well; SciPy has deprecated it.

    Returns
    -------
    ndarray (..., N, N)
        The matrices with the eigenvectors of `A`, and the eigenvalues 1 and -1 for those of `A` to the right and to the
        left of the imaginary axis.
    errest : float
        The estimate, with `disp=False`.

    Raises
    ------
    ValueError
        If the matrices are not square.
    NotDifferentiableError
        If it is differentiated where an eigenvalue is on the imaginary axis.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.signm(np.array([[2.0, 3.0], [0.0, -1.0]]))
    array([[ 1.,  2.],
           [ 0., -1.]])
    """
    a = as_operand(A)
    if are_single(a) and power_of_two_near(a) == 1:
        return scipy.linalg.signm(a) if disp is None else scipy.linalg.signm(a, disp=disp)
    a = square_operand(a)
    return with_estimate(matrix_sign(a), scipy.linalg.signm, a, disp)
