"""The operators, products and sums of a sparse array with traced values."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as scipy_sparse

from ....complex_autograd.engine.operands import as_operand, plain_operand
from ....complex_autograd.engine.traced import raw
from .entries import Move, moved, product, sparse_product
from .pattern import Pattern
from .structure import (
    entries_of,
    intersection,
    is_sparse,
    rearranged,
    rows_of,
    two_of,
    union,
    untransposed_rows,
    without_padding,
)


class Operations:
    """What a class with a `pattern` and `data` computes; it is called with these two."""

    __slots__ = ()

    pattern: Pattern
    data: Any

    def __init__(self, pattern: Pattern, data: Any) -> None: ...

    def _of(self, pattern: Pattern, data: Any) -> Any:
        return type(self)(pattern, data)

    def _made(self, pattern: Pattern, d: Any) -> Any:
        return self._of(pattern, np.reshape(d, pattern.data_shape))

    # sums

    def __add__(self, other: Any) -> Any:
        if is_sparse(other):
            _check_same_shape(self, other)
            pattern, (c, d) = union([entries_of(self), entries_of(other)])
            return self._made(pattern, c + d)
        if np.ndim(other) == 0:
            if raw(other) == 0:
                return self
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        return self.toarray() + as_operand(other)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._of(self.pattern, -self.data)

    def __sub__(self, other: Any) -> Any:
        return self + (-as_operand(other) if np.ndim(other) and not is_sparse(other) else -other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    # products by elements

    def multiply(self, other: Any) -> Any:
        if is_sparse(other) and other.shape == self.pattern.shape:
            pattern, c, d = intersection(entries_of(self), entries_of(other))
            return self._made(pattern, c * d)
        other = other.toarray() if is_sparse(other) else other if np.ndim(other) == 0 else as_operand(other)
        if np.ndim(other) == 0:
            return self._of(self.pattern, self.data * other)
        pattern, d = without_padding(*entries_of(self))
        return self._made(pattern, d * _at_places(pattern, other))

    def __truediv__(self, other: Any) -> Any:
        if is_sparse(other):
            raise NotImplementedError("a quotient of sparse arrays is dense and mostly NaN: divide by other.toarray()")
        if np.ndim(other) == 0:
            return self._of(self.pattern, self.data / other)
        pattern, d = without_padding(*entries_of(self))
        return self._made(pattern, d / _at_places(pattern, as_operand(other)))

    def __mul__(self, other: Any) -> Any:
        return self @ other if self.pattern.is_matrix and np.ndim(other) else self.multiply(other)

    def __rmul__(self, other: Any) -> Any:
        return self.__rmatmul__(other) if self.pattern.is_matrix and np.ndim(other) else self.multiply(other)

    # products of matrices

    def __matmul__(self, other: Any) -> Any:
        if is_sparse(other):
            return self._times_sparse(entries_of(self), entries_of(other))
        x = _factor(other)
        if len(self.pattern.shape) == 1:
            return (self.reshape(1, -1) @ x)[0]
        rows, d, is_transposed = rows_of(*entries_of(self))
        _check_inner(self.pattern.shape[1], x.shape[0])
        return product(d, x, rows=rows, transposed=is_transposed)

    def __rmatmul__(self, other: Any) -> Any:
        if is_sparse(other):
            return self._times_sparse(entries_of(other), entries_of(self))
        x = _factor(other)
        rows, d, is_transposed = rows_of(*entries_of(self))
        _check_inner(x.shape[-1], self.pattern.shape[0])
        return product(d, x.T, rows=rows, transposed=not is_transposed).T

    def dot(self, other: Any) -> Any:
        return self @ other if np.ndim(other) else self.multiply(other)

    def _times_sparse(self, a: tuple[Pattern, Any], b: tuple[Pattern, Any]) -> Any:
        form = "csc" if a[0].format == "csc" else "csr"
        is_matrix = a[0].is_matrix and b[0].is_matrix
        (left, c), (right, d) = untransposed_rows(*a), untransposed_rows(*b)
        _check_inner(left.shape[1], right.shape[0])
        kind = scipy_sparse.csr_matrix if is_matrix else scipy_sparse.csr_array
        places = kind(left.matrix(np.ones(len(left.indices))) @ right.matrix(np.ones(len(right.indices))))
        pattern = Pattern(places)
        rows, _ = untransposed_rows(pattern, places.data)
        e = sparse_product(c, d, left=left, right=right, places=rows)
        return self._made(*(rearranged([(pattern, e)], lambda a: a.tocsc()) if form == "csc" else (pattern, e)))

    def __pow__(self, n: Any) -> Any:
        if not self.pattern.is_matrix:
            return self.power(n)
        if n != int(n) or n < 1:
            raise NotImplementedError("powers of sparse matrices with traced values have whole exponents above 0")
        result = self
        for _ in range(int(n) - 1):
            result = result @ self
        return result

    def power(self, n: Any, dtype: Any = None) -> Any:
        if np.ndim(n) or not raw(n) > 0:
            raise NotImplementedError("powers of sparse arrays with traced values have one exponent, above 0")
        a = self._canonical()
        return self._of(a.pattern, (a.data if dtype is None else a.data.astype(dtype)) ** n)

    # sums over axes, and parts

    def sum(self, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        pattern, d = without_padding(*entries_of(self))
        d = d if dtype is None else d.astype(dtype)
        axes = [i % len(pattern.shape) for i in np.atleast_1d(np.arange(len(pattern.shape)) if axis is None else axis)]
        left = [i for i in range(len(pattern.shape)) if i not in axes]
        if not left:
            return np.sum(d)
        size = pattern.shape[left[0]]
        sums = moved(d, move=Move(None, pattern.coordinates[left[0]], pattern.size, size))
        return np.expand_dims(sums, tuple(axes)) if pattern.is_matrix else sums

    def mean(self, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        shape = self.pattern.shape
        return self.sum(axis, dtype) / np.prod([shape[i] for i in np.atleast_1d(axis)] if axis is not None else shape)

    def diagonal(self, k: int = 0) -> Any:
        m, n = two_of(self.pattern.shape)
        pattern, d = without_padding(*entries_of(self))
        rows, columns = pattern.coordinates
        source = np.flatnonzero(columns - rows == k)
        size = max(0, min(m + min(k, 0), n - max(k, 0)))
        return moved(d, move=Move(source, rows[source] + min(k, 0), pattern.size, size))

    def trace(self, offset: int = 0) -> Any:
        return np.sum(self.diagonal(offset))

    def toarray(self, order: Any = None, out: None = None) -> Any:
        pattern, d = without_padding(*entries_of(self))
        size = int(np.prod(pattern.shape))
        return np.reshape(moved(d, move=Move(None, pattern.positions, pattern.size, size)), pattern.shape)

    todense = toarray

    def _canonical(self) -> Any:
        raise NotImplementedError

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        raise NotImplementedError


def _factor(x: Any) -> Any:
    """A dense factor of a matrix product."""
    x = plain_operand(x)
    if x.ndim == 0:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    if x.ndim > 2:
        raise ValueError(f"a sparse array is multiplied by vectors and matrices, not by an array of shape {x.shape}")
    return x


def _check_inner(n: int, other: int) -> None:
    if n != other:
        raise ValueError(f"matmul: dimension mismatch: {n} columns meet {other} rows")


def _check_same_shape(a: Any, b: Any) -> None:
    if a.pattern.shape != b.shape:
        raise ValueError(f"inconsistent shapes: {a.pattern.shape} and {b.shape}")


def _at_places(pattern: Pattern, x: Any) -> Any:
    """The elements of a dense array, broadcast to the shape of a pattern, in its places; never broadcast itself."""
    if x.ndim > len(pattern.shape) or np.broadcast_shapes(x.shape, pattern.shape) != pattern.shape:
        raise ValueError(
            f"inconsistent shapes: a sparse array of shape {pattern.shape} keeps its shape, and {x.shape} is not "
            "broadcast to it. Make it dense first: A.toarray()."
        )
    coordinates = pattern.coordinates[len(pattern.shape) - x.ndim :]
    return x[tuple(0 if n == 1 else index for n, index in zip(x.shape, coordinates, strict=True))]
