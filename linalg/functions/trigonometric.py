"""Trigonometric and hyperbolic functions of matrices, by their exponential, and the function that is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import Traced, raw
from ..kernels.matrix_operands import native, square_operand
from ..kernels.public import public
from ..kernels.stacks import is_plain
from .exponential import exponential_of
from .funm import function_of

__all__ = ["coshm", "cosm", "funm", "sinhm", "sinm", "tanhm", "tanm"]


def _cosine(a: Any) -> Any:
    if a.dtype.kind != "c":
        return np.real(exponential_of(1j * a))
    return (exponential_of(1j * a) + exponential_of(-1j * a)) / 2


def _sine(a: Any) -> Any:
    if a.dtype.kind != "c":
        return np.imag(exponential_of(1j * a))
    return (exponential_of(1j * a) - exponential_of(-1j * a)) / 2j


def _hyperbolic_cosine(a: Any) -> Any:
    return (exponential_of(a) + exponential_of(-a)) / 2


def _hyperbolic_sine(a: Any) -> Any:
    return (exponential_of(a) - exponential_of(-a)) / 2


def _tangent(a: Any) -> Any:
    return np.linalg.solve(_cosine(a), _sine(a))


def _hyperbolic_tangent(a: Any) -> Any:
    rising, falling = exponential_of(a), exponential_of(-a)
    return np.linalg.solve(rising + falling, rising - falling)


def _called(by_scipy: Callable[[Any], Any], function: Callable[[Any], Any], A: Any) -> Any:
    a = native(as_operand(A))
    return by_scipy(a) if is_plain(a) and a.size else function(square_operand(a))


@public(A=2)
def cosm(A: Any) -> Any:
    """The cosine of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `(expm(1j A) + expm(-1j A)) / 2`.

    Raises
    ------
    ValueError
        If they are not square.

    Notes
    -----
    The derivative is Frechet's: any matrix will do, a defective one too.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.cosm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[1., 0.],
           [0., 1.]])
    """
    return _called(scipy.linalg.cosm, _cosine, A)


@public(A=2)
def sinm(A: Any) -> Any:
    """The sine of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `(expm(1j A) - expm(-1j A)) / 2j`.

    Raises
    ------
    ValueError
        If they are not square.

    Notes
    -----
    The derivative is Frechet's: any matrix will do, a defective one too.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.sinm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1.],
           [0., 0.]])
    """
    return _called(scipy.linalg.sinm, _sine, A)


@public(A=2)
def tanm(A: Any) -> Any:
    """The tangent of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `solve(cosm(A), sinm(A))`.

    Raises
    ------
    ValueError
        If they are not square.
    LinAlgError
        If the cosine is singular.

    Notes
    -----
    The derivative is Frechet's: any matrix will do for which the function is defined, a defective one too.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.tanm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1.],
           [0., 0.]])
    """
    return _called(scipy.linalg.tanm, _tangent, A)


@public(A=2)
def coshm(A: Any) -> Any:
    """The hyperbolic cosine of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `(expm(A) + expm(-A)) / 2`.

    Raises
    ------
    ValueError
        If they are not square.

    Notes
    -----
    The derivative is Frechet's: any matrix will do, a defective one too.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.coshm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[1., 0.],
           [0., 1.]])
    """
    return _called(scipy.linalg.coshm, _hyperbolic_cosine, A)


@public(A=2)
def sinhm(A: Any) -> Any:
    """The hyperbolic sine of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `(expm(A) - expm(-A)) / 2`.

    Raises
    ------
    ValueError
        If they are not square.

    Notes
    -----
    The derivative is Frechet's: any matrix will do, a defective one too.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.sinhm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1.],
           [0., 0.]])
    """
    return _called(scipy.linalg.sinhm, _hyperbolic_sine, A)


@public(A=2)
def tanhm(A: Any) -> Any:
    """The hyperbolic tangent of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `solve(coshm(A), sinhm(A))`.

    Raises
    ------
    ValueError
        If they are not square.
    LinAlgError
        If the hyperbolic cosine is singular.

    Notes
    -----
    The derivative is Frechet's: any matrix will do for which the function is defined, a defective one too.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.tanhm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1.],
           [0., 0.]])
    """
    return _called(scipy.linalg.tanhm, _hyperbolic_tangent, A)


@public(A=2)
def funm(A: Any, func: Callable[[Any], Any], disp: bool = True) -> Any:
    """A function of square matrices, given for numbers.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    func : callable
        The function of numbers, elementwise, of a complex array.
    disp : bool
        If False, an estimate of the error is returned as well; if True, it is printed where it is large.

    Returns
    -------
    ndarray (..., N, N)
        The function of the matrices.
    errest : float
        The estimate, with `disp=False`.

    Raises
    ------
    ValueError
        If the matrices are not square.
    NotDifferentiableError
        If it is differentiated where `func` has no derivative as a function of a complex number.

    Notes
    -----
    Differentiable in `A`, and in whatever is differentiated that `func` uses.  `func` is differentiated at the
    eigenvalues, and integrated along circles around them; those that are close share a Taylor polynomial, so that
    repeated eigenvalues and defective matrices are no exception.  Without derivatives a matrix goes to SciPy, whose
    recurrence is inaccurate where eigenvalues are close, and says so.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.funm(np.array([[1.0, 3.0], [1.0, 4.0]]), lambda z: z**2)
    array([[ 4., 15.],
           [ 5., 19.]])
    >>> grad(lambda p: np.linalg.funm(np.array([[2.0, 1.0], [0.0, 2.0]]), lambda z: z**p)[0, 1])(3.0).round(6)
    np.float64(12.317766)
    """
    a = as_operand(A)
    if is_plain(a) and a.size:
        try:
            return scipy.linalg.funm(a, _watched(func), disp)
        except _UsesTracedError:
            pass
    a = square_operand(a)
    x = np.reshape(_stacked([_function(item, func) for item in _items(a)], a), a.shape)
    return x if disp else (x, scipy.linalg.funm(raw(a), lambda z: raw(func(z)), disp)[1])


class _UsesTracedError(Exception):
    """The function given uses values that are traced."""


def _watched(func: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def watched(z: Any) -> Any:
        w = func(z)
        if isinstance(w, Traced):
            raise _UsesTracedError
        return w

    return watched


def _items(a: Any) -> Any:
    return np.reshape(a, (-1, *a.shape[-2:])) if a.size else []


def _stacked(items: list[Any], a: Any) -> Any:
    return np.stack(items) if items else a


def _function(a: Any, func: Callable[[Any], Any]) -> Any:
    """The function of one matrix; real if the matrix is and the imaginary part is rounding, as SciPy has it."""
    wide = a.astype(np.result_type(a.dtype, np.float64))
    x = function_of(wide, func)
    if a.dtype.kind != "c" and np.all(np.abs(np.imag(raw(x))) <= _IMAGINARY[a.dtype.char]):
        x = np.real(x)
    return x.astype(np.result_type(a.dtype, np.complex64 if x.dtype.kind == "c" else np.float32))


_IMAGINARY: Final = {"d": 1e6 * float(np.finfo(np.float64).eps), "f": 1e3 * float(np.finfo(np.float32).eps)}
"""What imaginary parts of functions of a real matrix are taken for rounding errors, in SciPy too."""
