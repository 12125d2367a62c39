"""Linear equations for a matrix: Sylvester's and Lyapunov's, continuous and discrete."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..functions.schur_forms import SchurForms, schur_form
from ..kernels.matrix_operands import are_single, floating
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import refuse_nonfinite, some_traced


def sylvester_forms(a: Any, b: Any) -> SchurForms:
    """The forms of `a` and, as SciPy takes them, of the conjugate transpose of `b`."""
    kind = np.result_type(a.dtype, b.dtype)
    return SchurForms(schur_form(a.astype(kind)), schur_form(H(b.astype(kind))), (False, True))


@PartlyLinear
def sylvester_solution(a: Any, b: Any, q: Any, *, forms: SchurForms | None = None) -> Any:
    """The solution of `a x + x b = q`; the Schur forms may be at hand."""
    x = (forms or sylvester_forms(a, b)).solve(q)
    return x if np.result_type(a.dtype, b.dtype, q.dtype).kind == "c" else np.real(x)  # forms may be complex


@sylvester_solution.space_of
def _(a: Any, b: Any, q: Any, *, forms: SchurForms | None = None) -> tuple[tuple[int, ...], np.dtype[Any]]:
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2], q.shape[:-2])
    return stack + q.shape[-2:], np.result_type(a.dtype, b.dtype, q.dtype)


# a x + x b = q  =>  a dx + dx b = dq - da x - x db.  With l the solution of  H(a) l + l H(b) = g:
# <g, dx> = <l, dq - da x - x db> = <l, dq> - <l H(x), da> - <H(x) l, db>  [KH20]
@sylvester_solution.differential
def _(x: Any, a: Any, b: Any, q: Any, da: Any, db: Any, dq: Any, *, forms: SchurForms | None = None) -> Any:
    return sylvester_solution(a, b, dq - da @ x - x @ db, forms=forms)


@sylvester_solution.adjoint(2)
def _(g: Any, a: Any, b: Any, q: Any, *, forms: SchurForms | None = None) -> Any:
    return sylvester_solution(H(a), H(b), g, forms=None if forms is None else forms.H)


lyapunov_values = kernel(2, 2)(scipy.linalg.solve_continuous_lyapunov)
stein_values = kernel(2, 2)(scipy.linalg.solve_discrete_lyapunov)


@PartlyLinear
def stein_solution(a: Any, q: Any, *, method: str | None = None) -> Any:
    """The solution of `a x H(a) - x + q = 0`.

    SciPy takes a real Schur form for a triangular one where the other argument is complex: it gets both of one dtype.
    """
    if not (a.size and q.size):
        return (a @ q).astype(_stein_dtype(a, q))
    dtype = np.result_type(a.dtype, q.dtype)
    return stein_values(a.astype(dtype, copy=False), q.astype(dtype, copy=False), method=method)


@stein_solution.space_of
def _(a: Any, q: Any, *, method: str | None = None) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return np.broadcast_shapes(a.shape, q.shape), _stein_dtype(a, q)


def _stein_dtype(a: Any, q: Any) -> np.dtype[Any]:
    """SciPy's result is in double precision."""
    return np.result_type(a.dtype, q.dtype, np.float64)


# x = a x H(a) + q  =>  dx = a dx H(a) + (dq + da x H(a) + a x H(da)).  The adjoint of  x -> x - a x H(a)  is the same
# with H(a):  l = H(a) l a + g
@stein_solution.differential
def _(x: Any, a: Any, q: Any, da: Any, dq: Any, *, method: str | None = None) -> Any:
    return stein_solution(a, dq + da @ x @ H(a) + a @ x @ H(da), method=method)


@stein_solution.adjoint(1)
def _(g: Any, a: Any, q: Any, *, method: str | None = None) -> Any:
    return stein_solution(H(a), g, method=method)


@public(a=2, b=2, q=2)
def solve_sylvester(a: Any, b: Any, q: Any) -> Any:
    """Solve Sylvester's equation `a x + x b = q`.

    By the Schur forms of `a` and `b`, which serve all derivatives: `a dx + dx b = dq - da x - x db`.

    Parameters
    ----------
    a : array_like (..., M, M)
        The coefficients on the left.
    b : array_like (..., N, N)
        Those on the right.
    q : array_like (..., M, N)
        The right side.

    Returns
    -------
    ndarray (..., M, N)
        The solution.

    Raises
    ------
    LinAlgError
        If the equation is singular: an eigenvalue of `a` is minus an eigenvalue of `b`.
    ValueError
        If the shapes do not fit, or an argument holds an infinity or NaN.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solve_sylvester(np.diag([1.0, 2.0]), np.array([[3.0]]), np.array([[4.0], [5.0]]))
    array([[1.],
           [1.]])
    """
    a, b, q = (floating(x) for x in operands(a, b, q))
    for name, x in (("a", a), ("b", b)):
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError(f"matrix {name} should be square; its shape is {x.shape}")
    if q.ndim < 2 or q.shape[-2:] != (a.shape[-1], b.shape[-1]):
        raise ValueError(f"matrix q should have the shape {(a.shape[-1], b.shape[-1])}; it has {q.shape}")
    return sylvester_solution(a, b, q, forms=sylvester_forms(raw(a), raw(b)))


@public(a=2, q=2)
def solve_continuous_lyapunov(a: Any, q: Any) -> Any:
    """Solve Lyapunov's continuous equation `a x + x H(a) = q`, with the conjugate transpose `H(a)`.

    `a dx + dx H(a) = dq - da x - x H(da)`, solved with the same Schur form.

    Parameters
    ----------
    a : array_like (..., M, M)
        The coefficients.
    q : array_like (..., M, M)
        The right side.

    Returns
    -------
    ndarray (..., M, M)
        The solution.

    Raises
    ------
    ValueError
        If the matrices are not square or not of the same size, or hold an infinity or NaN.
    LinAlgError
        If it is differentiated where two eigenvalues of `a` are `w` and `-conj(w)`; without derivatives SciPy warns
        there, and solves a nearby equation.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solve_continuous_lyapunov(np.diag([1.0, 2.0]), np.eye(2))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    a, q = _square_pair(a, q)
    if not some_traced(a, q) and a.dtype.kind == q.dtype.kind:
        return lyapunov_values(a, q)
    refuse_nonfinite(True, a, q)
    form = schur_form(raw(a))
    return sylvester_solution(a, H(a), q, forms=SchurForms(form, form, (False, True)))


solve_lyapunov = solve_continuous_lyapunov


@public(a=2, q=2)
def solve_discrete_lyapunov(a: Any, q: Any, method: str | None = None) -> Any:
    """Solve Lyapunov's discrete equation `a x H(a) - x + q = 0`, with the conjugate transpose `H(a)`.

    `dx = a dx H(a) + dq + da x H(a) + a x H(da)`, solved by the same method.

    Parameters
    ----------
    a : array_like (..., M, M)
        The coefficients.
    q : array_like (..., M, M)
        The constant.
    method : {"direct", "bilinear"}, optional
        As one system of M² equations, or by the continuous equation; by default the former up to M = 9.

    Returns
    -------
    ndarray (..., M, M)
        The solution.

    Raises
    ------
    LinAlgError
        If the equation is singular: the product of an eigenvalue of `a` and the conjugate of one is 1.
    ValueError
        If `method` is not one of these.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solve_discrete_lyapunov(np.array([[0.5]]), np.array([[3.0]]))
    array([[4.]])
    """
    a, q = operands(a, q)
    if not are_single(a, q):
        a, q = _square_pair(a, q)
    return stein_solution(a, q, method=method)


def _square_pair(a: Any, q: Any) -> tuple[Any, Any]:
    """Two stacks of square matrices of the same size."""
    a, q = (np.atleast_2d(floating(x)) for x in operands(a, q))
    for name, x in (("a", a), ("q", q)):
        if x.shape[-1] != x.shape[-2]:
            raise ValueError(f"Matrix {name} should be square.")
    if a.shape[-1] != q.shape[-1]:
        raise ValueError("Matrix a and q should have the same shape.")
    return a, q
