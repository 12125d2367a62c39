"""Banded matrices in LAPACK's storage, in `O(n b**2)` for value and derivatives.

With l diagonals below and u above the main one, `ab[u + i - j, j] = a[i, j]`; a Hermitian matrix is given by the half
with `l = 0` or with `u = 0`.  All that is done to the storage is to gather its entries; corners that belong to no entry
of the matrix are never read, and have gradient 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError
from scipy.linalg import lapack

from ...backends import backend_of
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import linear, primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.contractions import conjugate
from ...complex_autograd.rules.products.matrix_products import H
from ..kernels.factors import triangular
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import is_plain, kernel
from ..systems.solve import solution

__all__ = [
    "cho_solve_banded",
    "cholesky_banded",
    "full_band",
    "gathered_band",
    "inside_half",
    "solve_banded",
    "solveh_banded",
    "stored_half",
]

_BLOCK = 32


# --- storage ----------------------------------------------------------------------------------------------------------


@linear
def gathered_band(ab: Any, *, places: Any) -> Any:
    """Entries of the storage times weights: `ab[..., rows, columns] * weights`."""
    rows, columns, weights = places
    return ab[..., rows, columns] * on_device_of(ab, weights)


@gathered_band.adjoint(0)
def _(g: Any, ab: Any, *, places: Any) -> Any:
    return scattered_band(g, places=places, height=ab.shape[-2], width=ab.shape[-1])


@linear
def scattered_band(g: Any, *, places: Any, height: int, width: int) -> Any:
    """Numbers times weights, added up at their places in the storage."""
    rows, columns, weights = places
    stack = g.shape[: g.ndim - rows.ndim]
    index = (*(axis[..., None] for axis in np.indices(stack)), rows.ravel(), columns.ravel())
    numbers = (g * on_device_of(g, weights)).reshape(*stack, rows.size)
    return backend_of(g).scatter_add(numbers, index, (*stack, height, width))


@scattered_band.adjoint(0)
def _(ab: Any, g: Any, *, places: Any, height: int, width: int) -> Any:
    return gathered_band(ab, places=places)


def on_device_of(x: Any, made: Any) -> Any:
    """A constant where a plain array lives, in its precision."""
    return backend_of(x).namespace.asarray(made.astype(x.dtype.char.lower(), copy=False))


@lru_cache(maxsize=64)
def _row_places(n: int, l: int, u: int) -> Any:
    """For each diagonal and each row of the matrix, where the entry stands, and its column; weight 0 if outside."""
    rows = np.arange(n)
    k = np.arange(l + u + 1)[:, None]
    columns = rows + u - k
    inside = (columns >= 0) & (columns < n)
    return np.where(inside, k, u), np.where(inside, columns, rows), inside.astype(float)


@lru_cache(maxsize=64)
def _adjoint_places(n: int, l: int, u: int) -> Any:
    """Where the storage of the conjugate transpose, with its u diagonals below and l above, takes its entries from."""
    columns = np.arange(n)
    k = np.arange(l + u + 1)[:, None]
    rows = columns + k - l
    inside = (rows >= 0) & (rows < n)
    return np.where(inside, l + u - k, u), np.where(inside, rows, columns), inside.astype(float)


@lru_cache(maxsize=64)
def _half_places(n: int, b: int, lower: bool) -> Any:
    """Where the two halves of a Hermitian band take their entries from; each has half of the diagonal."""
    columns = np.arange(n)
    k = np.arange(2 * b + 1)[:, None] - b  # row minus column
    rows = columns + k
    inside = (rows >= 0) & (rows < n)
    weights = np.where(k == 0, 0.5, inside)
    diagonal = 0 if lower else b
    given, mirrored = (k >= 0, k <= 0) if lower else (k <= 0, k >= 0)

    def places(part: Any, source_row: Any, source_column: Any) -> Any:
        used = inside & part
        return np.where(used, source_row, diagonal), np.where(used, source_column, columns), weights * part

    return places(given, diagonal + k, columns), places(mirrored, diagonal - k, rows)


def stored_half(ab: Any, lower: bool) -> Any:
    """A half without the diagonals that its matrix is too small to have."""
    surplus = ab.shape[-2] - max(ab.shape[-1], 1)
    if surplus <= 0:
        return ab
    return ab[..., :-surplus, :] if lower else ab[..., surplus:, :]


@lru_cache(maxsize=64)
def inside_half(height: int, n: int, lower: bool) -> Any:
    """Which places of the storage of a half belong to an entry of the matrix."""
    k, columns = np.arange(height)[:, None], np.arange(n)
    return columns + k < n if lower else columns + k >= height - 1


def full_band(ab: Any, lower: bool) -> Any:
    """The storage of all diagonals of the Hermitian matrix that a half is given of."""
    given, mirrored = _half_places(ab.shape[-1], ab.shape[-2] - 1, lower)
    return gathered_band(ab, places=given) + conjugate(gathered_band(ab, places=mirrored))


def _adjoint_band(ab: Any, counts: tuple[int, int]) -> Any:
    return conjugate(gathered_band(ab, places=_adjoint_places(ab.shape[-1], *counts)))


def _banded_product(ab: Any, x: Any, counts: tuple[int, int]) -> Any:
    """`a @ x`."""
    places = _row_places(ab.shape[-1], *counts)
    return np.sum(gathered_band(ab, places=places)[..., None] * x[..., places[1], :], axis=-3)


# --- systems ----------------------------------------------------------------------------------------------------------


@kernel(2, 2, like=1)
def solution_of_band(ab: Any, b: Any, *, counts: tuple[int, int], definite: bool) -> Any:
    """The solution of one banded system, by the routine that fits."""
    l, u = counts
    if b.size == 0 or l + u == 0 or (l and u):
        if definite:
            return scipy.linalg.solveh_banded(ab[: u + 1], b, check_finite=False)
        return scipy.linalg.solve_banded(counts, ab, b, check_finite=False)
    (solve,) = lapack.get_lapack_funcs(("tbtrs",), (ab, b))
    x, info = solve(ab, b, uplo="L" if l else "U")
    if info > 0:
        raise LinAlgError("singular matrix")
    return x


@PartlyLinear
def banded_solution(ab: Any, b: Any, *, counts: tuple[int, int], definite: bool = False) -> Any:
    """The solution of `a x = b`."""
    return solution_of_band(ab, b, counts=counts, definite=definite)


@banded_solution.space_of
def _(ab: Any, b: Any, **params: Any) -> Any:
    return (*np.broadcast_shapes(ab.shape[:-2], b.shape[:-2]), *b.shape[-2:]), np.result_type(ab.dtype, b.dtype)


# a x = b  =>  da x + a dx = db
@banded_solution.differential
def _(x: Any, ab: Any, b: Any, dab: Any, db: Any, *, counts: tuple[int, int], definite: bool = False) -> Any:
    return banded_solution(ab, db - _banded_product(dab, x, counts), counts=counts, definite=definite)


@banded_solution.adjoint(1)
def _(g: Any, ab: Any, b: Any, *, counts: tuple[int, int], definite: bool = False) -> Any:
    return banded_solution(_adjoint_band(ab, counts), g, counts=counts[::-1], definite=definite)


def _solved(ab: Any, b: Any, counts: tuple[int, int], definite: bool = False) -> Any:
    if ab.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise ValueError("shapes of ab and b are not compatible.")
    if b.ndim == 1:
        return banded_solution(ab, b[:, None], counts=counts, definite=definite)[..., 0]
    return banded_solution(ab, b, counts=counts, definite=definite)


@public(ab=2, b=2)
def solve_banded(
    l_and_u: tuple[int, int],
    ab: Any,
    b: Any,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve `a x = b` for a banded matrix.

    Parameters
    ----------
    l_and_u : (int, int)
        The number of diagonals below and above the main one.
    ab : array_like (..., l + u + 1, M)
        The diagonals: `ab[u + i - j, j] = a[i, j]`.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    LinAlgError
        If the matrix is singular.
    ValueError
        If the shapes do not fit.

    Notes
    -----
    Differentiable in `ab` and `b`, to any order, at the cost of banded solves: `dx = solve(a, db - da x)`.

    Examples
    --------
    >>> import wirtinger as np
    >>> ab = np.array([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    >>> np.linalg.solve_banded((0, 1), ab, np.array([3.0, 3.0, 2.0]))
    array([1., 1., 1.])
    """
    ab, b = operands(ab, b)
    if is_plain(ab, b):
        return scipy.linalg.solve_banded(l_and_u, ab, b, check_finite=check_finite)
    if check_finite:
        refuse_infinite(ab, b)
    l, u = l_and_u
    if ab.shape[-2] != l + u + 1:
        raise ValueError(
            f"invalid values for the number of lower and upper diagonals: l+u+1 ({l + u + 1}) does not equal "
            f"ab.shape[0] ({ab.shape[-2]})"
        )
    return _solved(ab, b, (l, u))


@public(ab=2, b=2)
def solveh_banded(
    ab: Any,
    b: Any,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    lower: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve `a x = b` for a Hermitian positive-definite banded matrix.

    Parameters
    ----------
    ab : array_like (..., u + 1, M)
        The diagonals of the upper half, `ab[u + i - j, j] = a[i, j]`, or of the lower one, `ab[i - j, j] = a[i, j]`.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    lower : bool
        Which half is given.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    LinAlgError
        If the matrix is not positive-definite.
    ValueError
        If the shapes do not fit.

    Notes
    -----
    Differentiable in `ab` and `b`, to any order.  An entry off the diagonal stands for two: its gradient is that of
    both.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solveh_banded(np.array([[0.0, 1.0], [2.0, 2.0]]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    ab, b = operands(ab, b)
    ab = stored_half(ab, lower) if ab.ndim > 1 else ab
    if is_plain(ab, b):
        return scipy.linalg.solveh_banded(ab, b, lower=lower, check_finite=check_finite)
    if check_finite:
        refuse_infinite(ab, b)
    width = ab.shape[-2] - 1
    return _solved(full_band(ab, lower), b, (width, width), definite=True)


# --- Cholesky ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _lower_from_upper(n: int, b: int) -> Any:
    """Where the storage of the lower half takes the conjugates of its entries from, in that of the upper one."""
    k, columns = np.arange(b + 1)[:, None], np.arange(n)
    inside = columns + k < n
    return np.where(inside, b - k, b), np.where(inside, columns + k, columns), inside.astype(float)


@lru_cache(maxsize=64)
def _upper_from_lower(n: int, b: int) -> Any:
    k, columns = b - np.arange(b + 1)[:, None], np.arange(n)
    inside = columns - k >= 0
    return np.where(inside, k, 0), np.where(inside, columns - k, columns), inside.astype(float)


@lru_cache(maxsize=64)
def _block_places(n: int, b: int, size: int) -> Any:
    """Where the blocks on and below the diagonal take their entries from, and which rows are there to fill up."""
    count = -(-n // size)
    first = size * np.arange(count)[:, None, None]
    p, q = np.arange(size)[:, None], np.arange(size)

    def places(rows: Any, columns: Any) -> Any:
        k = rows - columns
        inside = (k >= 0) & (k <= b) & (rows < n)
        return np.where(inside, k, 0), np.where(inside, columns, 0), inside.astype(float)

    filled = np.where((first + p >= n) & (p == q), 1.0, 0.0)
    return places(first + p, first + q), places(first[1:] + p, first[:-1] + q), filled


@lru_cache(maxsize=64)
def _places_in_blocks(n: int, b: int, size: int) -> Any:
    """Where the storage of the factor takes its entries from: which block, row and column; and which are none."""
    count = -(-n // size)
    k, columns = np.arange(b + 1)[:, None], np.arange(n)
    rows = columns + k
    inside = rows < n
    rows, columns = np.where(inside, rows, columns), np.broadcast_to(columns, rows.shape)
    block = columns // size
    below = rows // size > block
    return np.where(below, count + block, block), rows % size, columns % size, inside.astype(float)


@primitive
def unstacked(a: Any) -> Any:
    """The matrices of a stack along its last axis but two, one by one."""
    return tuple(np.moveaxis(a, -3, 0))


@unstacked.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return unstacked(da)


@unstacked.adjoint_by_hand
def _(g: Any, x: Any, a: Any) -> Any:
    zero = 0 * next(part for part in g if part is not None)
    return (np.stack([zero if part is None else part for part in g], axis=-3),)


# With the matrix in blocks of at least b rows, d_i on the diagonal and c_i below it, the factor has blocks l_i and w_i:
#     l_i H(l_i) = d_i - w_(i-1) H(w_(i-1)),   w_i H(l_i) = c_i
# and is differentiated as the composition that it is.
def _lower_factor(ab: Any) -> Any:
    n, b = ab.shape[-1], ab.shape[-2] - 1
    size = max(b, min(_BLOCK, n))
    on, below, filled = _block_places(n, b, size)
    first, *others = unstacked(
        gathered_band(ab, places=on) + backend_of(raw(ab)).namespace.asarray(filled.astype(ab.dtype))
    )
    factors, links = [np.linalg.cholesky(first)], []
    for c, d in zip(unstacked(gathered_band(ab, places=below)) if others else (), others, strict=True):
        l = factors[-1]
        w = H(solution(l, H(c), factors=triangular(l, lower=True)))
        links.append(w)
        factors.append(np.linalg.cholesky(d - w @ H(w)))
    block, row, column, weights = _places_in_blocks(n, b, size)
    entries = np.stack(factors + links, axis=-3)[..., block, row, column]
    return entries * backend_of(raw(ab)).namespace.asarray(weights.astype(ab.dtype.char.lower()))


@public(ab=2)
def cholesky_banded(ab: Any, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True) -> Any:
    """The Cholesky factor of Hermitian positive-definite banded matrices.

    Parameters
    ----------
    ab : array_like (..., u + 1, M)
        The diagonals of the upper half, `ab[u + i - j, j] = a[i, j]`, or of the lower one, `ab[i - j, j] = a[i, j]`.
    lower : bool
        Which half is given; the factor is lower or upper likewise.

    Returns
    -------
    ndarray (..., u + 1, M)
        The factor, in the same storage; corners that belong to no entry hold what LAPACK leaves there.

    Raises
    ------
    LinAlgError
        If a matrix is not positive-definite.

    Notes
    -----
    Differentiable to any order in `O(M u**2)`, block by block as `cholesky` is.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.cholesky_banded(np.array([[4.0, 5.0], [2.0, 0.0]]), lower=True)
    array([[2., 2.],
           [1., 0.]])
    """
    (ab,) = operands(ab)
    if is_plain(ab):
        return _plain_factor(ab, lower=lower, check_finite=check_finite)
    if check_finite:
        refuse_infinite(ab)
    if not isinstance(ab, Traced):
        return _plain_factor(ab, lower=lower, check_finite=False)
    n, b = ab.shape[-1], ab.shape[-2] - 1
    if n == 0:
        return ab
    half = ab if lower else conjugate(gathered_band(ab, places=_lower_from_upper(n, b)))
    factor = _lower_factor(half)
    return factor if lower else conjugate(gathered_band(factor, places=_upper_from_lower(n, b)))


@kernel(2, like=0)
def _plain_factor(ab: Any, *, lower: bool, check_finite: bool) -> Any:
    return scipy.linalg.cholesky_banded(ab, lower=lower, check_finite=check_finite)


@public(b=2)
def cho_solve_banded(
    cb_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """Solve `a x = b` by the Cholesky factor of a banded matrix.

    Parameters
    ----------
    cb_and_lower : (array_like (..., u + 1, M), bool)
        What `cholesky_banded` returned, and whether it is the lower factor.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Notes
    -----
    Differentiable in the factor and in `b`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> c = np.linalg.cholesky_banded(np.array([[0.0, 1.0], [2.0, 2.0]]))
    >>> np.linalg.cho_solve_banded((c, False), np.array([3.0, 3.0])).round(12)
    array([1., 1.])
    """
    cb, lower = cb_and_lower
    cb, b = operands(cb, b)
    if is_plain(cb, b):
        return scipy.linalg.cho_solve_banded((cb, lower), b, check_finite=check_finite)
    if check_finite:
        refuse_infinite(cb, b)
    width = cb.shape[-2] - 1
    counts = (width, 0) if lower else (0, width)
    other = _adjoint_band(cb, counts)
    first, second = ((cb, counts), (other, counts[::-1])) if lower else ((other, counts[::-1]), (cb, counts))
    half = _solved(first[0], b[:, None] if b.ndim == 1 else b, first[1])
    x = _solved(second[0], half, second[1])
    return x[..., 0] if b.ndim == 1 else x
