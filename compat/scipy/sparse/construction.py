"""Sparse arrays made of parts with traced values; of plain ones SciPy's own functions make them."""

from __future__ import annotations

from functools import update_wrapper
from typing import Any

import numpy as np
import scipy.sparse as scipy_sparse

from ....complex_autograd.engine.operands import as_operand
from .array import SparseArray, sparse_array
from .kinds import Kind, WrittenKind, numbered_diagonals, with_places
from .pattern import Pattern
from .structure import canonical, entries_of, is_sparse, is_traced, joined, pattern_of, without_padding


def with_data(pattern: Any, values: Any) -> Any:
    """The sparse array with the pattern of another one and other values, which may be traced.

    Parameters
    ----------
    pattern : sparse array or matrix
        Of any format; of lists and dicts of entries the rows count (`tocsr`).  Its own values have no part in it.
    values : array_like
        In the form of `pattern.data`.

    Returns
    -------
    sparse array
        Of the class of `pattern`, with copies of its indices; of traced values a `SparseArray`.

    Raises
    ------
    ValueError
        If the values have another shape than `pattern.data`.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse import with_data
    >>> A = scipy.sparse.csr_array(np.array([[2.0, 0.0], [1.0, 3.0]]))
    >>> grad(lambda d: np.sum((with_data(A, d) @ np.ones(2)) ** 2))(A.data)
    array([4., 8., 8.])
    """
    found, values = pattern_of(pattern), as_operand(values)
    if values.shape != found.data_shape:
        raise ValueError(f"the pattern has values of shape {found.data_shape}, and these have shape {values.shape}")
    return sparse_array(found, values)


def issparse(x: Any) -> bool:
    """Whether it is a sparse array: one of SciPy's, or one with traced values.

    Examples
    --------
    >>> from wirtinger.scipy import sparse
    >>> sparse.issparse(sparse.eye_array(2)), sparse.issparse(2.0)
    (True, False)
    """
    return bool(is_sparse(x))


def _parts(blocks: Any, found: list[Any], first: list[int]) -> Any:
    """Nested blocks with numbers in the place of the values, which are collected."""
    if issubclass(type(blocks), np.ndarray) and blocks.dtype == object:
        blocks = blocks.tolist()
    if isinstance(blocks, (list, tuple)):
        return [_parts(block, found, first) for block in blocks]
    if blocks is None:
        return None
    if not is_sparse(blocks):
        blocks = Kind.__call__(coo_array, np.atleast_2d(as_operand(blocks))) if is_traced(blocks) else blocks
        blocks = blocks if is_sparse(blocks) else scipy_sparse.coo_array(np.atleast_2d(blocks))
    pattern, d = canonical(*entries_of(blocks))
    numbers = np.arange(first[0], first[0] + pattern.size).reshape(pattern.data_shape)
    first[0] += pattern.size
    found.append(d)
    return pattern.matrix(numbers)


def _of_blocks(name: str) -> Any:
    theirs = getattr(scipy_sparse, name)

    def stack(blocks: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if not is_traced(blocks):
            return theirs(blocks, *args, dtype=dtype, **kwargs)
        found: list[Any] = []
        numbered = theirs(_parts(blocks, found, [1]), *args, **kwargs)
        stacked = with_places(joined(found), numbered)
        return stacked if dtype is None else stacked.astype(dtype)

    return update_wrapper(stack, theirs)


def _of_diagonals(name: str) -> Any:
    theirs = getattr(scipy_sparse, name)

    def diagonal(diagonals: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if not is_traced(diagonals):
            return theirs(diagonals, *args, **({} if dtype is None else {"dtype": dtype}), **kwargs)
        offsets = kwargs.get("offsets", args[0] if args else 0)
        is_one = np.ndim(offsets) == 0 and np.ndim(diagonals[0]) == 0
        values, numbers = numbered_diagonals([diagonals] if is_one else list(diagonals))
        made = with_places(values, theirs(numbers[0] if is_one else numbers, *args, **kwargs))
        return made if dtype is None else made.astype(dtype)

    return update_wrapper(diagonal, theirs)


def _of_one(name: str) -> Any:
    theirs = getattr(scipy_sparse, name)

    def part(A: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_traced(A):
            return theirs(A, *args, **kwargs)
        return SparseArray._rearranged(A, lambda a: theirs(a, *args, **kwargs))

    return update_wrapper(part, theirs)


def kron(A: Any, B: Any, format: Any = None) -> Any:
    """`scipy.sparse.kron`, the Kronecker product, with traced values in either factor.

    Examples
    --------
    >>> import numpy as np
    >>> from wirtinger import grad
    >>> from wirtinger.scipy import sparse
    >>> float(grad(lambda s: sparse.kron(s * sparse.eye_array(2), np.ones((1, 2))).sum())(1.0))
    4.0
    """
    if not is_traced([A, B]):
        return scipy_sparse.kron(A, B, format)
    (p, c), (q, d) = (canonical(*without_padding(*entries_of(_sparse(a)))) for a in (A, B))
    (m, n), (i, j), (k, l) = q.shape, p.coordinates, q.coordinates
    shape = (p.shape[0] * m, p.shape[1] * n)
    rows = (i[:, None].astype(np.int64) * m + k).ravel()
    columns = (j[:, None].astype(np.int64) * n + l).ravel()
    kind = scipy_sparse.coo_matrix if p.is_matrix and q.is_matrix else scipy_sparse.coo_array
    product = np.reshape(c[:, None] * d[None, :], (-1,))
    made = SparseArray(Pattern(kind((np.ones(product.shape[0]), (rows, columns)), shape=shape)), product)
    return made.asformat(format)


def kronsum(A: Any, B: Any, format: Any = None) -> Any:
    """`scipy.sparse.kronsum`, `kron(I, A) + kron(B, I)`, with traced values in either.

    Examples
    --------
    >>> import numpy as np
    >>> from wirtinger import grad
    >>> from wirtinger.scipy import sparse
    >>> float(grad(lambda s: sparse.kronsum(s * sparse.eye_array(2), sparse.eye_array(3)).trace())(1.0))
    6.0
    """
    if not is_traced([A, B]):
        return scipy_sparse.kronsum(A, B, format)
    A, B = _sparse(A), _sparse(B)
    total = kron(scipy_sparse.eye_array(B.shape[0]), A) + kron(B, scipy_sparse.eye_array(A.shape[0]))
    return total.asformat(format)


def _sparse(a: Any) -> Any:
    return a if is_sparse(a) else coo_array(a)


def _kind(name: str, meta: type[Kind] = Kind) -> Any:
    doc = f"`scipy.sparse.{name}`, of traced values too: entries at one place are added, of a dense array all count."
    return meta(name, (), {"theirs": getattr(scipy_sparse, name), "__doc__": doc, "__module__": __name__})


csr_array, csc_array, coo_array, bsr_array, dia_array = map(
    _kind, ("csr_array", "csc_array", "coo_array", "bsr_array", "dia_array")
)
csr_matrix, csc_matrix, coo_matrix, bsr_matrix, dia_matrix = map(
    _kind, ("csr_matrix", "csc_matrix", "coo_matrix", "bsr_matrix", "dia_matrix")
)
lil_array, lil_matrix, dok_array, dok_matrix = (
    _kind(name, WrittenKind) for name in ("lil_array", "lil_matrix", "dok_array", "dok_matrix")
)
sparray, spmatrix = map(_kind, ("sparray", "spmatrix"))
hstack, vstack, block_array, bmat, block_diag = map(
    _of_blocks, ("hstack", "vstack", "block_array", "bmat", "block_diag")
)
diags_array, diags, spdiags = map(_of_diagonals, ("diags_array", "diags", "spdiags"))
tril, triu = map(_of_one, ("tril", "triu"))

__all__ = [
    "block_array", "block_diag", "bmat", "bsr_array", "bsr_matrix", "coo_array", "coo_matrix", "csc_array",
    "csc_matrix", "csr_array", "csr_matrix", "dia_array", "dia_matrix", "diags", "diags_array",
    "dok_array", "dok_matrix", "hstack", "issparse", "kron", "kronsum", "lil_array", "lil_matrix",
    "sparray", "spdiags", "spmatrix", "tril", "triu", "vstack", "with_data",
]  # fmt: skip
