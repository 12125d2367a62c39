"""The exponential of matrices, its derivative, and its condition number."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...backends import backend_of
from ...backends.native import small_stacks
from ...complex_autograd.engine.opaque import RECORDING, is_on_host, is_symbolic
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ...determinism.flag import IN_FORCE
from ..elementary.triangles import like
from ..kernels.matrix_operands import are_single, floating, square_operand
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import refuse_nonfinite
from .block_derivative import second_derivative, size_of, upper_right, with_derivative
from .exponential_taylor import Exponential

_METHODS: Final = (None, "SPS", "blockEnlarge")


@final
class _ExponentialOfBlocks:
    """The same as `Exponential` where the backend has a kernel: the derivative is a block of the exponential."""

    __slots__ = ("_matrix", "_values", "value")

    def __init__(self, a: Any, values: Any) -> None:
        self._matrix, self._values, self.value = a, values, values(a)

    def derivative(self, e: Any) -> Any:
        """The derivative along `e`, which may be a stack of directions."""
        size = size_of(e)
        return upper_right(self._values(with_derivative(self._matrix, e / size))) * size


def _parts_of(a: Any) -> Any:
    """The exponential of plain matrices, and its derivatives."""
    backend = backend_of(a)
    if backend.has_kernel(_VALUES):
        return _ExponentialOfBlocks(a, backend.kernel(_VALUES))
    parts = Exponential(a)
    if a.ndim == 2 and parts.squarings > _MOST_SQUARINGS and is_on_host(a):
        parts.value = _values_by_scipy(a)
    return parts


def _kept_parts(a: Any) -> Any:
    """The parts that derivatives take up; None of stacks that the C library may have, which computes them again."""
    return None if _is_small(a) or (RECORDING[0] and a.ndim > 2 and is_symbolic(a)) else _parts_of(a)


def _is_small(a: Any, *directions: Any) -> bool:
    """Whether the C library has the exponentials of a stack, and their derivatives."""
    return a.ndim > 2 and not IN_FORCE[0] and small_stacks.takes(a, *directions) and a.shape[-1] == a.shape[-2]


def _small_derivative(a: Any, e: Any, is_adjoint: bool = False) -> Any:
    """The derivative of exponentials of a stack along `e`, or its adjoint, by the C library."""
    x, refused = small_stacks.expm_derivative(a, e, is_adjoint)
    if refused is not None:
        a, e = (np.broadcast_to(y, x.shape)[refused] for y in (a, e))
        exact = Exponential(a)
        x[refused] = H(exact.derivative(H(e))) if is_adjoint else exact.derivative(e)
    return x


_values_by_scipy = kernel(2)(scipy.linalg.expm)


_VALUES: Final = "linalg.exponential_values"

_MOST_SQUARINGS: Final = 5
"""From more on a single matrix has SciPy's value, as without a derivative: rounding errors grow, and parts overflow."""


@primitive
def exponential(a: Any, *, parts: Any = None) -> Any:
    """The exponential; the parts of its computation may be at hand."""
    if parts is None and _is_small(a):
        x, refused = small_stacks.expm(a)
        if refused is not None:
            x[refused] = Exponential(a[refused]).value
        return x
    return (parts or _parts_of(a)).value


@exponential.differential
def _(x: Any, a: Any, da: Any, *, parts: Any = None) -> Any:
    return exponential_derivative(a, da, parts=parts)


@PartlyLinear
def exponential_derivative(a: Any, e: Any, *, parts: Any = None) -> Any:
    """The derivative of the exponential at `a` along `e`."""
    if parts is None and _is_small(a, e):
        return _small_derivative(a, e)
    return (parts or _parts_of(a)).derivative(e)


@exponential_derivative.space_of
def _(a: Any, e: Any, *, parts: Any = None) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return np.broadcast_shapes(a.shape, e.shape), np.result_type(a.dtype, e.dtype)


# L(a, e) = integral of expm(s a) e expm((1 - s) a) over s in (0, 1), so that  <g, L(a, e)> = <L(H(a), g), e>,  and
# L(H(a), g) = H(L(a, H(g)))  [H08, section 3.2]: the same powers serve
@exponential_derivative.adjoint(1)
def _(g: Any, a: Any, e: Any, *, parts: Any = None) -> Any:
    if parts is None and _is_small(a, g):
        return _small_derivative(a, g, is_adjoint=True)
    return H(exponential_derivative(a, H(g), parts=parts))


@exponential_derivative.differential
def _(x: Any, a: Any, e: Any, da: Any, de: Any, *, parts: Any = None) -> Any:
    return second_derivative(exponential_derivative, a, e, da, de)


def exponential_of(a: Any) -> Any:
    """The exponential of matrices, traced or not; a computation that will be differentiated keeps its parts."""
    if a.shape[-1] == 1:
        return np.exp(a)
    return exponential(a, parts=_kept_parts(raw(a)) if isinstance(a, Traced) else None)


@public(A=2)
def expm(A: Any) -> Any:
    """The exponential of square matrices.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `1 + A + A @ A / 2 + ...`.

    Raises
    ------
    LinAlgError
        If they are not square.

    Notes
    -----
    A single matrix goes to SciPy; a stack, and a matrix that is differentiated, are computed by scaling, a Taylor
    polynomial, and squaring, in matrix products only.  The derivative repeats each of these products twice, with the
    factors that were kept [A. Al-Mohy, N. Higham, SIMAX 30 (2009) 1639]; the gradient costs twice the value.  Values
    with and without a derivative agree to rounding errors; where many squarings amplify these, and in stacks, bit for
    bit.  The C library does the same to stacks of matrices with at most 16 columns, in double precision, and computes
    the factors again.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.expm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[1., 1.],
           [0., 1.]])
    >>> grad(lambda t: np.linalg.expm(t * np.eye(2))[0, 0])(0.0).round(12)
    np.float64(1.0)
    """
    a = as_operand(A)
    if are_single(a):
        return scipy.linalg.expm(a)
    if a.size == 1 and a.ndim < 2:
        return np.exp(np.reshape(a, (1, 1)))
    if a.ndim < 2:
        raise LinAlgError("The input array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return exponential_of(floating(a))


matrix_exp = expm


@public(A=2, E=2)
def expm_frechet(
    A: Any, E: Any, method: str | None = None, compute_expm: bool = True, check_finite: bool = True
) -> Any:
    """The derivative of the exponential of matrices along other ones (its Fréchet derivative).

    Linear in `E`, with the adjoint `expm_frechet(H(A), g)`.  Its differential in `A` is the second derivative of the
    exponential: the upper right block of the derivative at `[[A, E], [0, A]]`.

    Parameters
    ----------
    A : array_like (..., N, N)
        Where.
    E : array_like (..., N, N)
        Along which matrices.
    method : {"SPS", "blockEnlarge"}, optional
        Accepted; both mean the same here.
    compute_expm : bool
        Whether to return the exponential as well.

    Returns
    -------
    expm_A : ndarray (..., N, N)
        The exponential of `A`, if asked for.
    expm_frechet_AE : ndarray (..., N, N)
        The limit of `(expm(A + h E) - expm(A)) / h`.

    Raises
    ------
    ValueError
        If the matrices are not square or not of the same size, or hold what `check_finite` forbids.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.expm_frechet(np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 4.0]]), compute_expm=False)
    array([[1., 2.],
           [3., 4.]])
    """
    a, e = operands(A, E)
    for name, x in (("A", a), ("E", e)):
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError(f"expected {name} to be a square matrix; its shape is {x.shape}")
    if a.shape[-1] != e.shape[-1]:
        raise ValueError("expected A and E to be the same shape")
    if method not in _METHODS:
        raise ValueError(f"Unknown implementation {method}")
    refuse_nonfinite(check_finite, a, e)
    a, e = floating(a), floating(e)
    parts = _kept_parts(raw(a))
    first_derivative = exponential_derivative(a, e, parts=parts)
    return (
        (np.broadcast_to(exponential(a, parts=parts), first_derivative.shape), first_derivative)
        if compute_expm
        else first_derivative
    )


@public(A=2)
def expm_cond(A: Any, check_finite: bool = True) -> Any:
    """The relative condition number of the exponential of matrices in the Frobenius norm.

    Differentiable where the largest singular value of `K` is simple; where it repeats, the derivative is the mean.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    float or ndarray (...)
        `norm(K, 2) norm(A) / norm(expm(A))`, with the matrix `K` (N², N²) of the derivative of the exponential.

    Raises
    ------
    ValueError
        If the matrices are not square, or empty.

    Examples
    --------
    >>> import wirtinger as np
    >>> round(float(np.linalg.expm_cond(np.array([[-0.3, 0.2, 0.6], [0.6, 0.3, -0.1], [-0.7, 1.2, 0.9]]))), 12)
    1.778780586447
    """
    a = square_operand(A)
    refuse_nonfinite(check_finite, a)
    n = a.shape[-1]
    if n == 0:
        raise LinAlgError("expm_cond is not defined on empty matrices")
    derivatives = exponential_derivative(a[..., None, :, :], like(a, _directions, n))
    derivatives = np.reshape(derivatives, (*a.shape[:-2], n * n, n * n))
    largest = np.linalg.norm(derivatives, 2, axis=(-2, -1))
    return largest * _size(a) / _size(exponential_of(a))


def _size(a: Any) -> Any:
    return np.linalg.norm(a, axis=(-2, -1))


def _directions(dtype: str, n: int) -> Any:
    """The matrices (n², n, n) with a single element 1."""
    return np.eye(n * n, dtype=dtype).reshape(n * n, n, n)
