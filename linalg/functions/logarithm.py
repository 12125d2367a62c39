"""The logarithm of matrices, and their powers with any real exponent."""

from __future__ import annotations

import math
import warnings
from functools import cache, lru_cache
from types import FunctionType
from typing import Any, Final

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...backends import backend_of, device_named
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
from ..kernels.stacks import complex_in_a_stack, kernel
from ..systems.solve import inverse
from .exponential import exponential_derivative, exponential_of
from .schur_forms import SchurForms, complex_form, is_triangular, power_of_two_near, rounding_of, triangular_root

_NEAR: Final = 0.25
"""The distance from the identity up to which the logarithm is a sum over the nodes, to rounding."""

_ACCURATE: Final = 1000 * np.finfo(np.float64).eps
"""The estimate of the error from which on SciPy warns."""

_IMAGINARY: Final = 1e6 * np.finfo(np.float64).eps
"""Up to which size SciPy takes imaginary parts for rounding errors."""


@cache
def _algorithms() -> dict[str, Any]:
    """SciPy's module of both algorithms, with copies of its functions that see another norm.

    They choose a degree by norms of powers of matrices, which SciPy estimates from unseeded random vectors.  To compute
    them takes no longer, up to 300 rows as measured, and gives the same bits each time.
    """
    from scipy.linalg import _matfuncs_inv_ssq

    names = dict(vars(_matfuncs_inv_ssq))
    names["onenormest"] = lambda a, **settings: scipy.linalg.norm(a.matmat(np.eye(a.shape[1])), 1)
    for name, function in vars(_matfuncs_inv_ssq).items():
        if type(function) is FunctionType and function.__module__ == _matfuncs_inv_ssq.__name__:
            names[name] = FunctionType(function.__code__, names, name, function.__defaults__)
    return names


@kernel(2)
def logarithm_values(a: Any) -> Any:
    """SciPy's function; of `a = s b` with a number `s` it is `log(b) + log(s)`."""
    if not a.size:
        return a
    scale = power_of_two_near(a)
    x, error = _with_error(a if scale == 1 else a / scale)
    if not error < _ACCURATE:
        warnings.warn(f"logm result may be inaccurate, approximate err = {error}", RuntimeWarning, stacklevel=2)
    return x if scale == 1 else x + math.log(scale) * np.eye(len(a))


def _with_error(a: Any) -> tuple[Any, Any]:
    """The logarithm, real where SciPy's is, and SciPy's estimate of its error."""
    x = _algorithms()["_logm"](a)
    if a.dtype.kind != "c" and np.allclose(np.imag(x), 0, atol=_IMAGINARY):
        x = np.real(x)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array(x), np.linalg.norm(scipy.linalg.expm(x) - a, 1) / np.linalg.norm(a, 1)


@primitive
def logarithm(a: Any) -> Any:
    """The principal logarithm."""
    return complex_in_a_stack(logarithm_values(a))


@logarithm.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return logarithm_derivative(a, da, "linalg.logm")


# With a_0 = a, a_(k+1) the square root of a_k, and de_k = da_(k+1) a_(k+1) + a_(k+1) da_(k+1) for its change:
# log(a) = 2**s log(a_s), and with y = a_s - 1 near 0:  log(1 + y) = integral of y inv(1 + t y) over t in (0, 1), whose
# derivative is the integral of  inv(1 + t y) dy inv(1 + t y)  [AHR13], by Gauss and Legendre's nodes
def logarithm_derivative(a: Any, da: Any, function: str) -> Any:
    """The derivative of the logarithm at `a` along `da`, in operations that are differentiated again.

    Matrices that need as many roots go together, so that none depends on the others of its stack.
    """
    if da is ZERO:
        return ZERO
    roots, z, counts = _roots(raw(a), function)
    if len({*counts.flat}) < 2:
        return _by_roots(a, da, roots, z)
    n = a.shape[-1]
    before = da.shape[: da.ndim - a.ndim]
    matrices, tangents = np.reshape(a, (-1, n, n)), np.reshape(da, (*before, -1, n, n))
    roots, z = [np.reshape(t, (-1, n, n)) for t in roots], np.reshape(z, (-1, n, n))
    groups = [np.flatnonzero(counts == count) for count in sorted({*counts.flat})]
    parts = [
        _by_roots(matrices[i], tangents[..., i, :, :], [t[i] for t in roots[: counts.flat[i[0]]]], z[i]) for i in groups
    ]
    order = np.argsort(np.concatenate(groups))
    return np.reshape(np.concatenate(parts, axis=-3)[..., order, :, :], (*before, *a.shape))


def _by_roots(a: Any, da: Any, roots: list[Any], z: Any) -> Any:
    """The derivative, by triangles that are similar to the repeated square roots, and the Schur vectors."""
    for t in roots:
        forms = SchurForms((t, z), (t, z))
        a = known_root(a, value=z @ t @ H(z), forms=forms)
        da = sylvester_solution(a, a, da, forms=forms)
    one = identity(a)
    total: Any = ZERO
    for node, weight in _nodes(backend_of(raw(a)).bits(a.dtype)):
        factor = inverse(one + node * (a - one))
        total = total + factor @ (weight * 2.0 ** len(roots) * da) @ factor
    return total


@lru_cache(maxsize=8)
def _nodes(bits: int) -> list[tuple[Any, Any]]:
    """Those whose sum has so many digits within `_NEAR`: each adds 8 bits; with more than doubles have, by mpmath."""
    nodes, weights = np.polynomial.legendre.leggauss(bits // 8 + 2)
    if bits > np.finfo(np.float64).nmant:
        nodes, weights = device_named("mpmath").kernel("linalg.legendre_nodes")(nodes)
    return [((x + 1) / 2, w / 2) for x, w in zip(nodes.tolist(), weights.tolist(), strict=True)]


@primitive
def known_root(a: Any, *, value: Any, forms: SchurForms) -> Any:
    """A square root that is at hand, with its Schur forms."""
    return value


@known_root.differential
def _(x: Any, a: Any, da: Any, *, value: Any, forms: SchurForms) -> Any:
    return sylvester_solution(x, x, da, forms=forms)


def _roots(a: Any, function: str) -> tuple[list[Any], Any, Any]:
    """The Schur forms of the repeated square roots, their vectors, and how many bring each matrix near the identity."""
    t, z = complex_form(a)
    moduli = np.abs(np.diagonal(t, axis1=-2, axis2=-1))
    rounding = 0.0 if is_triangular(a) else rounding_of(a)
    if np.any(moduli <= rounding * np.max(moduli, axis=-1, keepdims=True, initial=0.0)):
        raise NotDifferentiableError(function, "the matrix is singular up to rounding", "A")
    roots: list[Any] = []
    counts = np.zeros(a.shape[:-2], int)
    while np.any(is_far := ~np.all(np.sum(np.abs(t - identity(t)), axis=-2) <= _NEAR, axis=-1)):
        try:
            t = triangular_root(t)
        except LinAlgError as error:
            raise NotDifferentiableError(
                function, "the matrix has a repeated negative eigenvalue, on both sides of the branch cut", "A"
            ) from error
        roots.append(t)
        counts += backend_of(a).to_host(is_far)
    return roots, z, counts


@kernel(2, 0)
def power_values(a: Any, t: Any) -> Any:
    """SciPy's function; of `a = s b` with a number `s` it is `s**t b**t`."""
    if not a.size:
        return a
    scale = power_of_two_near(a)
    x = np.array(_algorithms()["_fractional_matrix_power"](a if scale == 1 else a / scale, t))
    return x if scale == 1 else scale**t * x


@primitive
def fractional_power(a: Any, t: Any) -> Any:
    """The principal power with an exponent that is not an integer."""
    return complex_in_a_stack(power_values(a, t.astype(np.float64)[()]))


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
    if disp:
        warnings.warn("`disp` is deprecated: SciPy 1.18 has removed it", DeprecationWarning, stacklevel=3)
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
    if are_single(a) and not isinstance(t, Traced) and t == integer:
        return np.linalg.matrix_power(a, integer)
    a, t = operands(square_operand(a), t)
    if raw(t) != integer:
        return fractional_power(a, t)
    power = np.linalg.matrix_power(a, integer)
    return power @ exponential_of((t - integer) * logarithm(a)) if isinstance(t, Traced) else power


def _in_double_precision(A: Any) -> Any:
    """SciPy's results are in double precision, but it judges its errors by that even if it computes in single."""
    a = as_operand(A)
    return a.astype(np.result_type(a.dtype, np.float64)) if a.dtype.char in "fF" else a
