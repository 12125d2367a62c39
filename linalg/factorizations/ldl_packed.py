"""The factorization `l d H(l)` in one array, as LAPACK and PyTorch have it, and systems solved with it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.traced import raw
from ..elementary.triangles import hermitian_from, identity
from ..kernels.lapack import routine
from ..kernels.partly_linear import PartlyLinear, solution_space
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import refuse_rectangular, some_traced
from .ldl import differentiable_factors, same_block, transposition
from .permutations import columns_permuted, inverse_permutation, pivots_like, rows_taken


class LDLFactorResult(NamedTuple):
    """What `ldl_factor` returns."""

    LD: Any
    pivots: Any


class LDLFactorExResult(NamedTuple):
    """What `ldl_factor_ex` returns."""

    LD: Any
    pivots: Any
    info: Any


def _routine(name: str, hermitian: bool, a: Any, *others: Any) -> Any:
    kind = "he" if hermitian and np.iscomplexobj(a) else "sy"
    return routine(kind + name, a, *others)


@kernel(2)
def sytrf(a: Any, *, hermitian: bool) -> Any:
    """LAPACK's `sytrf` or `hetrf`: both factors, the signed pivots, and which pivot is zero, from 1 on."""
    n = a.shape[-1]
    if n == 0:
        return np.zeros_like(a, dtype=np.result_type(a, np.float32)), np.zeros(0, np.int32), np.int32(0)
    work = _routine("trf_lwork", hermitian, a)(n, lower=1)[0]
    packed, pivots, info = _routine("trf", hermitian, a)(a, lower=1, lwork=int(work.real))
    return np.tril(packed), pivots, np.int32(info)


@kernel(2, 1, 2)
def sytrs(packed: Any, pivots: Any, b: Any, *, hermitian: bool) -> Any:
    """LAPACK's `sytrs` or `hetrs`, which do not say where a pivot is zero."""
    if b.size == 0:
        return np.zeros(b.shape, np.result_type(packed, b, np.float32))
    if np.any((pivots > 0) & (np.diagonal(packed) == 0)):
        raise LinAlgError("Singular matrix: a pivot is exactly zero")
    if hermitian and np.iscomplexobj(packed):
        packed = packed - 1j * np.diag(np.diagonal(packed).imag)  # LAPACK reads it in blocks of two rows
    refuse_half_blocks(pivots)
    x, info = _routine("trs", hermitian, packed, b)(packed, pivots, b, lower=1)
    if info < 0:
        raise ValueError(f"illegal value in argument {-info} of LAPACK's sytrs")
    return x


def refuse_half_blocks(pivots: Any) -> None:
    """Raise where a negative pivot is not one of two equal ones, as LAPACK marks a block of two rows.

    LAPACK takes the next row for the second of the block; after the last one it would read and write beyond the array.
    """
    rows = np.arange(len(pivots))
    before = np.maximum.accumulate(np.where(pivots > 0, rows, -1))
    opens = (pivots < 0) & ((rows - before) % 2 == 1)
    if np.any(opens & (pivots != np.append(pivots[1:], 0))):
        raise ValueError(
            f"these are not pivots: the negative ones of {pivots.tolist()} must come in consecutive equal pairs, as "
            "ldl_factor returns them for blocks of two rows."
        )


@kernel(1)
def order_of_pivots(pivots: Any) -> Any:
    """What LAPACK's pivots say: which row is taken from where, in `a` and in each column of `l`, and the blocks.

    LAPACK leaves the columns of `l` as they were found: later interchanges of rows are still to be applied to them.
    """
    refuse_half_blocks(pivots)
    n = len(pivots)
    order, block = np.arange(n), np.zeros(n, int)
    rows = np.repeat(order[:, None], n, axis=1)
    k = number = 0
    while k < n:
        size = 1 if pivots[k] > 0 else 2
        i, j = k + size - 1, abs(pivots[k]) - 1
        if i != j:
            order[[i, j]] = order[[j, i]]
            rows[[i, j], :k] = rows[[j, i], :k]
        block[k : k + size] = number
        number += 1
        k += size
    return order, rows, block


def _outer(packed: Any, rows: Any, block: Any) -> Any:
    """`l` without the ones on its diagonal."""
    below = (block[..., :, None] > block[..., None, :]).astype(packed.dtype.char.lower())
    return columns_permuted(packed, indices=rows) * below


def _middle(packed: Any, block: Any, hermitian: bool) -> Any:
    """`d`."""
    low = np.tril(packed) * same_block(block, packed.dtype)
    return hermitian_from(low, lower=True) if hermitian else low + np.tril(low, -1).mT


def _factorized(a: Any, hermitian: bool) -> Any:
    """The factors in one array, differentiable, the pivots and `info`."""
    refuse_rectangular(a)
    packed, pivots, info = sytrf(raw(a), hermitian=hermitian)
    if not some_traced(a):
        return packed, pivots, info
    hermitian = hermitian or a.dtype.kind != "c"
    order, rows, block = order_of_pivots(pivots)
    outer = _outer(packed, rows, block)
    factors = outer + identity(packed), _middle(packed, block, hermitian)
    l, d = differentiable_factors(a, order, block, factors, True, hermitian)
    return columns_permuted(np.tril(l, -1), indices=np.argsort(rows, axis=-2)) + np.tril(d), pivots, info


@PartlyLinear
def ldl_solution(packed: Any, b: Any, *, pivots: Any, hermitian: bool) -> Any:
    """The solution of `a x = b`, where `a` is given by its factors."""
    return sytrs(packed, pivots, b, hermitian=hermitian)


ldl_solution.space_of(solution_space)


# a x = b  =>  a dx = db - da x  with  a = l d H(l), da = dl d H(l) + l dd H(l) + l d H(dl), in the order of the pivots
@ldl_solution.differential
def _(x: Any, packed: Any, b: Any, dpacked: Any, db: Any, *, pivots: Any, hermitian: bool) -> Any:
    order, rows, block = order_of_pivots(pivots)
    transposed = transposition(hermitian)
    l = _outer(packed, rows, block) + identity(packed)
    d, dl, dd = _middle(packed, block, hermitian), _outer(dpacked, rows, block), _middle(dpacked, block, hermitian)
    y = transposed(l) @ rows_taken(x, rows=order)
    moved = dl @ (d @ y) + l @ (dd @ y + d @ (transposed(dl) @ rows_taken(x, rows=order)))
    back = rows_taken(moved, rows=inverse_permutation(order))
    return ldl_solution(packed, db - back, pivots=pivots, hermitian=hermitian)


@ldl_solution.adjoint(1)
def _(g: Any, packed: Any, b: Any, *, pivots: Any, hermitian: bool) -> Any:
    matrix = packed if hermitian else np.conjugate(packed)
    return ldl_solution(matrix, g, pivots=pivots, hermitian=hermitian)


@public(A=2)
def ldl_factor(A: Any, *, hermitian: bool = False) -> LDLFactorResult:
    """The factorization `a = l @ d @ l.T`, or `l @ d @ H(l)`, in one array: what `ldl_solve` takes.

    Differentiable as `ldl` is.

    Parameters
    ----------
    A : array_like (..., M, M)
        Symmetric matrices, or Hermitian ones; the lower triangle is read, and the gradient lies in it.
    hermitian : bool
        Whether complex matrices are Hermitian; else symmetric.

    Returns
    -------
    LDLFactorResult
        `LD` (..., M, M) and `pivots` (..., M), as LAPACK's `sytrf` and `hetrf` return them: rows counted from 1, and
        negative where a block of `d` has two rows.

    Raises
    ------
    LinAlgError
        If a pivot is zero.
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.ldl_factor(np.array([[2.0, 1.0], [1.0, 3.0]])).LD
    array([[2. , 0. ],
           [0.5, 2.5]])
    """
    packed, pivots, info = _factorized(as_operand(A), hermitian)
    if np.any(info):
        raise LinAlgError(f"Singular matrix: pivot {int(np.max(info))} is exactly zero")
    return LDLFactorResult(packed, pivots)


@public(A=2)
def ldl_factor_ex(A: Any, *, hermitian: bool = False, check_errors: bool = False) -> LDLFactorExResult:
    """The factorization of `ldl_factor`, which says in an integer where a matrix is singular.

    Differentiable as `ldl_factor` is.

    Parameters
    ----------
    A, hermitian
        As in `ldl_factor`.
    check_errors : bool
        Whether to raise where a pivot is zero.

    Returns
    -------
    LDLFactorExResult
        `LD` (..., M, M) and `pivots` (..., M) as `ldl_factor` returns them; and `info` (...), 0 or which pivot is zero,
        from 1 on.

    Raises
    ------
    LinAlgError
        With `check_errors`, if a pivot is zero.
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.ldl_factor_ex(np.ones((2, 2))).info
    np.int32(2)
    """
    packed, pivots, info = _factorized(as_operand(A), hermitian)
    if check_errors and np.any(info):
        raise LinAlgError(f"Singular matrix: pivot {int(np.max(info))} is exactly zero")
    return LDLFactorExResult(packed, pivots, info)


@public(LD=2, pivots=1, B=2)
def ldl_solve(LD: Any, pivots: Any, B: Any, *, hermitian: bool = False) -> Any:
    """Solve `a x = b` with the factors that `ldl_factor` returns.

    Differentiable in the factors and in `B`.

    Parameters
    ----------
    LD : array_like (..., M, M)
        The factors.
    pivots : array_like (..., M) of int
        The pivots.
    B : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    hermitian : bool
        As for the factorization.

    Returns
    -------
    ndarray
        The solution, of the shape of `B`, broadcast over the stack.

    Raises
    ------
    LinAlgError
        If a pivot is zero.
    ValueError
        If shapes do not fit, or a pivot is no row.

    Examples
    --------
    >>> import wirtinger as np
    >>> factors = np.linalg.ldl_factor(np.array([[2.0, 1.0], [1.0, 3.0]]))
    >>> np.linalg.ldl_solve(*factors, np.array([3.0, 4.0])).round(12)
    array([1., 1.])
    """
    packed, b = operands(LD, B)
    refuse_rectangular(packed)
    if packed.shape[-1] != b.shape[max(b.ndim - 2, 0)]:
        raise ValueError(f"shapes of LD {packed.shape} and B {b.shape} are incompatible")
    settings = {"pivots": pivots_like(pivots, packed, first=1), "hermitian": hermitian or packed.dtype.kind != "c"}
    if b.ndim == 1:
        return ldl_solution(packed, b[:, None], **settings)[..., 0]
    return ldl_solution(packed, b, **settings)
