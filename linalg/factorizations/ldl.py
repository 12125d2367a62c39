"""The factorization `l d H(l)` of symmetric and Hermitian matrices, after Bunch and Kaufman, as SciPy returns it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import identity
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import cancelled, index_of, refuse_nonfinite, refuse_rectangular, some_traced
from ..systems.assume_a import as_read
from ..systems.solve import inverse
from ..systems.triangular import triangular_solution
from .permutations import columns_taken, inverse_permutation, rows_taken


def transposition(hermitian: bool) -> Any:
    """The conjugate transpose, or the transpose."""
    return H if hermitian else np.matrix_transpose


def same_block(block: Any, dtype: Any) -> Any:
    """1 where row and column belong to the same diagonal block, 0 elsewhere; `block` numbers them along the rows."""
    return (block[..., :, None] == block[..., None, :]).astype(dtype.char.lower())


@primitive
def bunch_kaufman(a: Any, *, lower: bool, hermitian: bool, block: Any, factors: Any) -> Any:
    """`l` and `d` of the matrix with its rows and columns in their new order: as given."""
    return factors


# a = l d H(l).  With m = inv(l) da inv(H(l)) and k = inv(l) dl, which is zero in and above the diagonal blocks:
#     m = k d + dd + d H(k)  =>  dd = m in the blocks,  k = (m below them) inv(d),  dl = l k
# and the same with the transpose in place of H, and above in place of below.  The last block of d is never divided by.
@bunch_kaufman.differential
def _(x: Any, a: Any, da: Any, *, lower: bool, hermitian: bool, block: Any, factors: Any) -> Any:
    l, d = x
    transposed = transposition(hermitian)
    if d.shape[-1] == 0:
        return 0 * da, 0 * da
    last = block == (block[..., -1:] if lower else block[..., :1])
    _refuse_zero_pivots(raw(l), raw(d), last)
    half = triangular_solution(l, da, lower=lower, unit=True)
    m = transposed(triangular_solution(l, transposed(half), lower=lower, unit=True))
    kept = (~last).astype(d.dtype.char.lower())[..., None, :]
    divisor = d * kept + identity(d) * (1 - kept)
    rows, columns = block[..., :, None], block[..., None, :]
    outside = (rows > columns if lower else rows < columns).astype(kept.dtype)
    return l @ ((m * outside) @ inverse(divisor)), m * same_block(block, d.dtype)


def _refuse_zero_pivots(l: Any, d: Any, last: Any) -> None:
    """Raise if a block of `d` other than the last is all rounding."""
    terms = np.sum((np.abs(l) @ np.abs(d)) * np.abs(l), axis=-1)
    zero = cancelled(np.max(np.abs(d), axis=-1), terms, d.shape[-1]) & ~last
    if np.any(zero):
        raise NotDifferentiableError(
            "linalg.ldl",
            f"pivot {index_of(zero)} is zero up to rounding, and more is divided by it: the factors are not determined "
            "by the matrix",
            "a",
        )


def differentiable_factors(a: Any, order: Any, block: Any, factors: Any, lower: bool, hermitian: bool) -> Any:
    """The factors as functions of the triangle of `a` that is read."""
    hermitian = hermitian or a.dtype.kind != "c"
    full = as_read(a, "her" if hermitian else "sym", lower)
    ordered = columns_taken(rows_taken(full, rows=order), order)
    return bunch_kaufman(ordered, lower=lower, hermitian=hermitian, block=block, factors=factors)


def _block_numbers(d: Any) -> Any:
    """Which diagonal block each row belongs to: two rows are in one if they are coupled."""
    apart = np.diagonal(d, -1, -2, -1) == 0
    first = np.zeros_like(np.diagonal(d, 0, -2, -1)[..., :1], dtype=int)
    return np.concatenate([first, np.cumsum(apart, axis=-1)], axis=-1)


ldl_values = kernel(2)(scipy.linalg.ldl)


@public(A=2)
def ldl(
    A: Any, lower: bool = True, hermitian: bool = True, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Any, Any, Any]:
    """The factorization `a = l @ d @ H(l)` of Hermitian or symmetric matrices, which may be indefinite.

    With `m = inv(l) da inv(H(l))`: `dd` is `m` in the blocks of `d`, and `dl = l k inv(d)` with `k` what stands below
    them in `m`.  Which blocks there are is locally constant.

    Parameters
    ----------
    A : array_like (..., M, M)
        The matrices; one triangle is read, and the gradient lies in it.
    lower : bool
        Whether to read the lower triangle and return a lower factor; else the upper ones.
    hermitian : bool
        Whether complex matrices are Hermitian; else symmetric, `a = l @ d @ l.T`.

    Returns
    -------
    lu : ndarray (..., M, M)
        The factor, with its rows permuted.
    d : ndarray (..., M, M)
        Block diagonal, with blocks of one or two rows.
    perm : ndarray (..., M) of int
        The rows in the order that makes the factor a triangle: `lu[perm]`; a constant of every derivative.

    Raises
    ------
    ValueError
        If the matrices are not square.
    NotDifferentiableError
        If a derivative is needed where a pivot is zero on which the factors depend; a last one that is zero is none.

    Examples
    --------
    >>> import wirtinger as np
    >>> lu, d, perm = np.linalg.ldl(np.array([[2.0, 1.0], [1.0, 3.0]]))
    >>> lu, d
    (array([[1. , 0. ],
           [0.5, 1. ]]), array([[2. , 0. ],
           [0. , 2.5]]))
    """
    a = as_operand(A)
    if some_traced(a):
        refuse_rectangular(a)
        refuse_nonfinite(check_finite, a)
    lu, d, perm = ldl_values(raw(a), lower=bool(lower), hermitian=hermitian, check_finite=check_finite)
    if not some_traced(a):
        return lu, d, perm
    factors = rows_taken(lu, rows=perm), d
    l, d = differentiable_factors(a, perm, _block_numbers(d), factors, bool(lower), hermitian)
    return rows_taken(l, rows=inverse_permutation(perm)), d, perm
