"""The logarithm of matrices, and their powers with any real exponent."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import identity
from ..equations.sylvester import sylvester_solution
from ..kernels.matrix_operands import are_single, square_operand, with_estimate
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import kernel
from ..systems.solve import inverse
from .exponential import exponential_derivative, exponential_of
from .schur_forms import SchurForms, complex_form, is_triangular, rounding_of, scale_beside, triangular_root

_NEAR: Final = 0.25
"""The distance from the identity up to which the logarithm is a sum over `_NODES` nodes, to rounding."""

_NODES: Final = 8


@kernel(2)
def logarithm_values(a: Any) -> Any:
    """SciPy's function; of `a = s b` with a number `s` it is `log(b) + log(s)`."""
    if not a.size:
        return a
    scale = scale_beside(a)
    x = np.array(scipy.linalg.logm(a if scale == 1 else a / scale))
    return x if scale == 1 else x + math.log(scale) * np.eye(len(a))


@primitive(family="randomized norm estimates")
def logarithm(a: Any) -> Any:
    """The principal logarithm."""
    return logarithm_values(a)


@logarithm.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return logarithm_derivative(a, da, "linalg.logm")


# With a_0 = a, a_(k+1) the square root of a_k, and de_k = da_(k+1) a_(k+1) + a_(k+1) da_(k+1) for its change:
# log(a) = 2**s log(a_s), and with y = a_s - 1 near 0:  log(1 + y) = integral of y inv(1 + t y) over t in (0, 1), whose
# derivative is the integral of  inv(1 + t y) dy inv(1 + t y)  [AHR13], by Gauss and Legendre's nodes
def logarithm_derivative(a: Any, da: Any, function: str) -> Any:
    """The derivative of the logarithm at `a` along `da`, in operations that are differentiated again."""
    if da is ZERO:
        return ZERO
    roots = _roots(raw(a), function)
    for value, forms in roots:
        a = known_root(a, value=value, forms=forms)
        da = sylvester_solution(a, a, da, forms=forms)
    one = identity(a)
    total: Any = ZERO
    for node, weight in _nodes():
        factor = inverse(one + node * (a - one))
        total = total + factor @ (weight * 2.0 ** len(roots) * da) @ factor
    return total


@lru_cache(maxsize=1)
def _nodes() -> list[tuple[float, float]]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return [(float(x + 1) / 2, float(w) / 2) for x, w in zip(nodes, weights, strict=True)]


@primitive
def known_root(a: Any, *, value: Any, forms: SchurForms) -> Any:
    """A square root that is at hand, with its Schur forms."""
    return value


@known_root.differential
def _(x: Any, a: Any, da: Any, *, value: Any, forms: SchurForms) -> Any:
    return sylvester_solution(x, x, da, forms=forms)


def _roots(a: Any, function: str) -> list[tuple[Any, SchurForms]]:
    """The repeated square roots, until they are near the identity; all have the Schur vectors of `a`."""
    t, z = complex_form(a)
    moduli = np.abs(np.diagonal(t, axis1=-2, axis2=-1))
    rounding = 0.0 if is_triangular(a) else rounding_of(a)
    if np.any(moduli <= rounding * np.max(moduli, axis=-1, keepdims=True, initial=0.0)):
        raise NotDifferentiableError(function, "the matrix is singular up to rounding", "A")
    roots = []
    while not np.all(np.sum(np.abs(t - identity(t)), axis=-2) <= _NEAR):
        try:
            t = triangular_root(t)
        except LinAlgError as error:
            raise NotDifferentiableError(
                function, "the matrix has a repeated negative eigenvalue, on both sides of the branch cut", "A"
            ) from error
        roots.append((z @ t @ H(z), SchurForms((t, z), (t, z))))
    return roots


@kernel(2, 0)
def power_values(a: Any, t: Any) -> Any:
    """SciPy's function; of `a = s b` with a number `s` it is `s**t b**t`."""
    if not a.size:
        return a
    scale = scale_beside(a)
    x = np.array(scipy.linalg.fractional_matrix_power(a if scale == 1 else a / scale, t))
    return x if scale == 1 else scale**t * x


@primitive(family="randomized norm estimates")
def fractional_power(a: Any, t: Any) -> Any:
    """The principal power with an exponent that is not an integer."""
    return power_values(a, np.float64(t))


# a**t = expm(t log a), and so is its derivative
@fractional_power.differential
def _(x: Any, a: Any, t: Any, da: Any, dt: Any) -> Any:
    g = logarithm(a)
    return exponential_derivative(t * g, dt * g + t * logarithm_derivative(a, da, "linalg.fractional_matrix_power"))


@public(A=2)
def logm(A: Any, disp: bool | None = None) -> Any:
    """The principal logarithm of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    disp : bool, optional
        If False, an estimate of the error is returned as well; SciPy has deprecated it.

    Returns
    -------
    ndarray (..., N, N)
        The matrices `X` with `expm(X) = A` whose eigenvalues have imaginary parts in (-pi, pi]; complex where `A` has
        negative eigenvalues.
    errest : float
        The estimate, with `disp=False`.

    Raises
    ------
    ValueError
        If the matrices are not square, or not finite.
    NotDifferentiableError
        If it is differentiated where `A` is singular, or has a repeated negative eigenvalue on both sides of the
        branch cut.

    Notes
    -----
    The derivative takes square roots until they are near the identity, with the change of each from Sylvester's
    equation, and integrates `inv(1 + t y) dy inv(1 + t y)` [A. Al-Mohy, N. Higham, S. Relton, SISC 35 (2013) C394].  At
    negative eigenvalues it is that of the branch taken.  As SciPy's, the result is in double precision.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.logm(np.array([[1.0, 3.0], [0.0, 1.0]]))
    array([[0., 3.],
           [0., 0.]])
    >>> grad(lambda t: np.linalg.logm(t * np.eye(2))[0, 0])(4.0).round(12)
    np.float64(0.25)
    """
    a = _in_double_precision(A)
    refuse_infinite(a)
    if are_single(a) and scale_beside(a) == 1:
        return scipy.linalg.logm(a) if disp is None else scipy.linalg.logm(a, disp=disp)
    a = square_operand(a)
    return with_estimate(logarithm(a), scipy.linalg.logm, a, disp)


@public(A=2)
def fractional_matrix_power(A: Any, t: Any) -> Any:
    """A real power of square matrices.

    Differentiable in `A`, as `expm(t logm(A))` is, and in `t`: `logm(A) @ X`.  As SciPy's, the result is in double
    precision, unless `t` is an integer.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    t : float
        The exponent.

    Returns
    -------
    ndarray (..., N, N)
        `expm(t logm(A))`; for an integer `t` the product of as many factors, which may be singular.

    Raises
    ------
    ValueError
        If the matrices are not square.
    NotDifferentiableError
        If it is differentiated where `A` is singular: in `A` if `t` is not an integer, and in `t`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.fractional_matrix_power(np.diag([4.0, 9.0]), 0.5)
    array([[2., 0.],
           [0., 3.]])
    >>> grad(lambda t: np.linalg.fractional_matrix_power(np.diag([1.0, np.e]), t)[1, 1])(0.0).round(12)
    np.float64(1.0)
    """
    integer = int(raw(t))
    a = as_operand(A) if raw(t) == integer else _in_double_precision(A)
    if are_single(a) and not isinstance(t, Traced) and scale_beside(a) == 1:
        return scipy.linalg.fractional_matrix_power(a, t)
    a, t = operands(square_operand(a), t)
    if raw(t) != integer:
        return fractional_power(a, t)
    power = np.linalg.matrix_power(a, integer)
    return power @ exponential_of((t - integer) * logarithm(a)) if isinstance(t, Traced) else power


def _in_double_precision(A: Any) -> Any:
    """SciPy's results are in double precision, but it judges its errors by that even if it computes in single."""
    a = as_operand(A)
    return a.astype(np.result_type(a.dtype, np.float64)) if a.dtype.char in "fF" else a
