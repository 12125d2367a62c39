"""The Cholesky factorization of banded matrices, in `O(n b**2)` for value and derivatives."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.gathering import where_lives
from ..kernels.factors import triangular
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import is_plain, kernel
from ..systems.solve import solution
from .storage import adjoint_band, gathered_band

_BLOCK = 32
"""The fewest rows of a block."""


@lru_cache(maxsize=64)
def _block_indices(n: int, b: int, size: int) -> Any:
    """Where the blocks on and below the diagonal take their entries from, and which rows are there to fill up."""
    count = -(-n // size)
    first = size * np.arange(count)[:, None, None]
    p, q = np.arange(size)[:, None], np.arange(size)

    def entries(rows: Any, columns: Any) -> Any:
        k = rows - columns
        inside = (k >= 0) & (k <= b) & (rows < n)
        return np.where(inside, k, 0), np.where(inside, columns, 0), inside.astype(float)

    filled = np.where((first + p >= n) & (p == q), 1.0, 0.0)
    return entries(first + p, first + q), entries(first[1:] + p, first[:-1] + q), filled


@lru_cache(maxsize=64)
def _indices_in_blocks(n: int, b: int, size: int) -> Any:
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
    on, below, filled = _block_indices(n, b, size)
    first, *others = unstacked(gathered_band(ab, entries=on) + where_lives(ab, filled.astype(ab.dtype)))
    factors, links = [np.linalg.cholesky(first)], []
    for c, d in zip(unstacked(gathered_band(ab, entries=below)) if others else (), others, strict=True):
        l = factors[-1]
        w = H(solution(l, H(c), factors=triangular(l, lower=True)))
        links.append(w)
        factors.append(np.linalg.cholesky(d - w @ H(w)))
    block, row, column, weights = _indices_in_blocks(n, b, size)
    entries = np.stack(factors + links, axis=-3)[..., *(where_lives(ab, index) for index in (block, row, column))]
    return entries * where_lives(ab, weights.astype(ab.dtype.char.lower()))


@public(ab=2)
def cholesky_banded(ab: Any, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True) -> Any:
    """The Cholesky factor of Hermitian positive-definite banded matrices.

    Differentiable to any order in `O(M u**2)`, block by block as `cholesky` is.

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
    half = ab if lower else adjoint_band(ab, (0, b))
    factor = _lower_factor(half)
    return factor if lower else adjoint_band(factor, (b, 0))


@kernel(2, like=0)
def _plain_factor(ab: Any, *, lower: bool, check_finite: bool) -> Any:
    return scipy.linalg.cholesky_banded(ab, lower=lower, check_finite=check_finite)
