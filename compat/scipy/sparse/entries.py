"""The operations on stored values that all others are made of, and their rules, which are these operations again.

With `A` the matrix whose stored values are `d`, the entry `e` in row `r_e` and column `c_e`,

    product(d, x) = A x              <g, A(dd) x> = sum_e conj(dd_e) sum_k g[r_e, k] conj(x[c_e, k])
    sampled(u, v)_e = sum_k u[r_e, k] v[c_e, k]

so that the adjoint of `product` in `d` is `sampled(g, conj x)`, and those of `sampled` are products: no dense matrix.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as scipy_sparse

from ....complex_autograd.engine.primitive import Primitive

_BLOCK = 1 << 18
"""How many products of elements `sampled` holds at once."""


@final
class Move:
    """A map of vectors: element `source[k]` is added to element `target[k]`; None stands for all of them in order."""

    def __init__(self, source: Any, target: Any, size_in: int, size_out: int) -> None:
        self.source, self.target, self.size_in, self.size_out = source, target, size_in, size_out

    @cached_property
    def is_injective(self) -> bool:
        """Whether no two elements are added."""
        if self.target is None:
            return True
        is_met = np.zeros(self.size_out, bool)
        is_met[self.target] = True
        return int(np.count_nonzero(is_met)) == len(self.target)

    @cached_property
    def transposed(self) -> Move:
        return Move(self.target, self.source, self.size_out, self.size_in)

    def __call__(self, v: Any) -> Any:
        """The vector that a plain one is mapped to."""
        chosen = v if self.source is None else v[self.source]
        if self.target is None:
            return chosen if self.source is not None else chosen.copy()
        if self.is_injective:
            out = np.zeros(self.size_out, v.dtype)
            out[self.target] = chosen
            return out
        if v.dtype.char not in "fdFD":
            out = np.zeros(self.size_out, v.dtype)
            np.add.at(out, self.target, chosen)
            return out
        if v.dtype.kind == "c":
            return (self._added(chosen.real) + 1j * self._added(chosen.imag)).astype(v.dtype, copy=False)
        return self._added(chosen).astype(v.dtype, copy=False)

    def _added(self, chosen: Any) -> Any:
        return np.bincount(self.target, chosen, self.size_out)


def _sparse_moved(v: Any, *, move: Move) -> Any:
    return move(v)


moved = Primitive(_sparse_moved, "jointly", registered=False, family="other sparse operations")
"""The vector that a `Move` maps `v` to."""


@moved.adjoint(0)
def _(g: Any, v: Any, *, move: Move) -> Any:
    return moved(g, move=move.transposed)


@moved.space_of
def _(v: Any, *, move: Move) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return (move.size_out,), v.dtype


@final
class Rows:
    """The pattern of a matrix by rows: the columns `indices[indptr[i]:indptr[i + 1]]` have values in row `i`.

    They may be in any order, and repeat.
    """

    def __init__(self, indices: Any, indptr: Any, shape: tuple[int, int]) -> None:
        self.indices, self.indptr, self.shape = indices, indptr, shape

    @cached_property
    def rows(self) -> Any:
        """The row of each stored value."""
        return np.repeat(np.arange(self.shape[0], dtype=self.indices.dtype), np.diff(self.indptr))

    def matrix(self, d: Any) -> Any:
        """The matrix of SciPy's with these values, which is only read."""
        return scipy_sparse.csr_array((d, self.indices, self.indptr), shape=self.shape)


def _sparse_times_dense(d: Any, x: Any, *, rows: Rows, transposed: bool) -> Any:
    matrix = rows.matrix(d)
    return (matrix.T if transposed else matrix) @ x


product = Primitive(_sparse_times_dense, "each", registered=False, family="sparse times dense")
"""`A x`, or `A.T x`, with the matrix of these rows and values `d`."""


@product.space_of
def _(d: Any, x: Any, *, rows: Rows, transposed: bool) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return (rows.shape[int(transposed)], *x.shape[1:]), np.result_type(d.dtype, x.dtype)


@product.adjoint(0)
def _(g: Any, d: Any, x: Any, *, rows: Rows, transposed: bool) -> Any:
    x = np.conjugate(x)
    return sampled(x, g, rows=rows) if transposed else sampled(g, x, rows=rows)


@product.adjoint(1)
def _(g: Any, d: Any, x: Any, *, rows: Rows, transposed: bool) -> Any:
    return product(np.conjugate(d), g, rows=rows, transposed=not transposed)


def _sampled_product(u: Any, v: Any, *, rows: Rows) -> Any:
    if u.ndim == 1:
        return u[rows.rows] * v[rows.indices]
    found = np.empty(len(rows.indices), np.result_type(u, v))
    step = max(1, _BLOCK // max(1, u.shape[1]))
    for start in range(0, len(found), step):
        block = slice(start, start + step)
        np.einsum("ek,ek->e", u[rows.rows[block]], v[rows.indices[block]], out=found[block])
    return found


sampled = Primitive(_sampled_product, "each", registered=False, family="sparse times dense")
"""The entries of `u v.T` in the places of a pattern."""


@sampled.space_of
def _(u: Any, v: Any, *, rows: Rows) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return (len(rows.indices),), np.result_type(u.dtype, v.dtype)


@sampled.adjoint(0)
def _(g: Any, u: Any, v: Any, *, rows: Rows) -> Any:
    return product(g, np.conjugate(v), rows=rows, transposed=False)


@sampled.adjoint(1)
def _(g: Any, u: Any, v: Any, *, rows: Rows) -> Any:
    return product(g, np.conjugate(u), rows=rows, transposed=True)


def _sparse_times_sparse(c: Any, d: Any, *, left: Rows, right: Rows, places: Rows) -> Any:
    found = (left.matrix(c) @ right.matrix(d)).tocsr()
    found.sort_indices()
    keys = _keys(Rows(found.indices, found.indptr, found.shape))
    wanted = _keys(places)
    if not len(keys):
        return np.zeros(len(wanted), found.dtype)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, found.data[at], found.dtype.type(0))


def _keys(rows: Rows) -> Any:
    return rows.rows.astype(np.int64) * rows.shape[1] + rows.indices


sparse_product = Primitive(_sparse_times_sparse, "each", registered=False, family="other sparse operations")
"""The entries of the product of two sparse matrices in the places of a pattern without repetitions."""


@sparse_product.space_of
def _(c: Any, d: Any, *, left: Rows, right: Rows, places: Rows) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return (len(places.indices),), np.result_type(c.dtype, d.dtype)


# <g, C D> = <g H(D), C> = <H(C) g, D>, each looked at where the matrix has entries
@sparse_product.adjoint(0)
def _(g: Any, c: Any, d: Any, *, left: Rows, right: Rows, places: Rows) -> Any:
    back, order = transpose(right)
    h = moved(np.conjugate(d), move=order)
    return sparse_product(g, h, left=places, right=back, places=left)


@sparse_product.adjoint(1)
def _(g: Any, c: Any, d: Any, *, left: Rows, right: Rows, places: Rows) -> Any:
    back, order = transpose(left)
    h = moved(np.conjugate(c), move=order)
    return sparse_product(h, g, left=back, right=places, places=right)


def transpose(rows: Rows) -> tuple[Rows, Move]:
    """The pattern of the transposed matrix, and how its values are found."""
    numbers = np.arange(len(rows.indices), dtype=np.int64)
    columns = scipy_sparse.csr_array((numbers, rows.indices, rows.indptr), shape=rows.shape).tocsc()
    size = len(numbers)
    return Rows(columns.indices, columns.indptr, (rows.shape[1], rows.shape[0])), Move(columns.data, None, size, size)
