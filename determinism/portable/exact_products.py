"""Products of matrices whose sums are exact, and so have the same bits in any order: by slices, after Ozaki.

With the exponents `e[i]` and `f[j]` of the largest elements of row `i` of `a` and of column `j` of `b`,

    a[i] = 2**e[i] sum_p 2**(1 - w (p + 1)) A_p[i],    b[:, j] = 2**f[j] sum_q 2**(1 - w (q + 1)) B_q[:, j],

where the slices `A_p`, `B_q` are integers of at most `w - 1` bits and a sign.  The sums of their products

    G_t[i, j] = sum_(p + q = t) sum_k A_p[i, k] B_q[k, j]

are below 2**53, so that any BLAS computes them without rounding, in any order and with any number of threads.  What is
rounded is their sum over `t`, elementwise, from the smallest to the largest [OOR12]; section 3.

How many slices count is decided for each element, by exact numbers of its own row and column: so its bits do not depend
on what else is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from ..threads import in_pieces

Real = Any
"""An array of double precision."""

_COVERED = 62
"""Bits of a row, from its largest element on, that the first slices hold."""
_FEW = 512
"""Where more than one in so many elements needs further slices, all are computed with them."""
_FIRST_TERMS = 64
"""Of a sum of moduli."""
_PIECE = 1 << 21
"""Multiplications that are worth waking a thread for."""
_ROWS = 64
"""And rows."""
_SLICED = 1 << 17
"""Elements that are."""
_TILE = 256
"""Rows that are computed at once, so that the memory of the first serves for the others."""


def exact_matmul(a: Any, b: Any) -> Any:
    """`a @ b`, with sums that no order of additions changes.

    Parameters
    ----------
    a, b : array_like
        As `numpy.matmul` takes them; real or complex.

    Returns
    -------
    array
        Its errors are not above the bound that a sum of rounded products has, element by element.
    """
    a, b = np.asarray(a), np.asarray(b)
    dtype = np.result_type(a, b)
    is_product = a.ndim and b.ndim and a.shape[-1] == b.shape[-2 if b.ndim > 1 else 0]
    if dtype.char not in "efdFD" or not is_product:
        return np.matmul(a, b)  # exact, or it raises
    rows, columns = a[None, :] if a.ndim == 1 else a, b[:, None] if b.ndim == 1 else b
    x = _complex_product(rows, columns) if dtype.kind == "c" else _product(_double(rows), _double(columns))
    shape = (*x.shape[:-2], *x.shape[-2:-1][: a.ndim > 1], *x.shape[-1:][: b.ndim > 1])
    return np.reshape(x, shape).astype(dtype)[()]


def _double(a: Any) -> Real:
    return np.asarray(a, np.float64)


def _complex_product(a: Any, b: Any) -> Any:
    """Each of the two parts is one sum: no product of complex numbers is made, which some CPUs fuse."""
    ar, ai, br, bi = _double(a.real), _double(a.imag), _double(b.real), _double(b.imag)
    both = np.concatenate([br, bi], axis=-2)
    real = _product(np.concatenate([ar, -ai], axis=-1), both)
    x = np.empty(real.shape, np.complex128)
    x.real, x.imag = real, _product(np.concatenate([ai, ar], axis=-1), both)
    return x


def _product(a: Real, b: Real) -> Real:
    shape = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
    if not a.shape[-1] or 0 in shape:
        return np.zeros(shape)
    of_rows, of_columns = _largest(a, -1), _largest(b, -2)
    rows, columns = np.isfinite(of_rows), np.isfinite(of_columns)
    if rows.all() and columns.all():
        return _finite_product(a, b, of_rows, of_columns, shape)
    finite = np.where(rows, a, 0.0), np.where(columns, b, 0.0)
    x = _finite_product(*finite, np.where(rows, of_rows, 0.0), np.where(columns, of_columns, 0.0), shape)
    return np.where(rows & columns, x, _infinite_product(a, b))


def _largest(x: Real, axis: int) -> Real:
    """The largest modulus along an axis; NaN where there is one."""
    return np.maximum(np.max(x, axis, keepdims=True), -np.min(x, axis, keepdims=True))


def _infinite_product(a: Real, b: Real) -> Real:
    """Elements of rows or columns that are not finite, by the numbers of their infinite and undefined terms."""
    undefined = (
        _pairs(np.isnan(a), np.ones_like(b))
        + _pairs(np.ones_like(a), np.isnan(b))
        + _pairs(np.isinf(a), b == 0)
        + _pairs(a == 0, np.isinf(b))
    )
    above = _infinite_pairs(a, b)
    below = _infinite_pairs(a, -b)
    found = np.where(above > 0, np.inf, -np.inf)
    return np.where((undefined > 0) | ((above > 0) & (below > 0)), np.nan, found)


def _pairs(a: Any, b: Any) -> Real:
    """How many terms have both properties."""
    return np.asarray(a, np.float64) @ np.asarray(b, np.float64)


def _infinite_pairs(a: Real, b: Real) -> Real:
    """How many terms are plus infinity."""
    of_a = _pairs(a == np.inf, b > 0) + _pairs(a == -np.inf, b < 0)
    return of_a + _pairs(a > 0, b == np.inf) + _pairs(a < 0, b == -np.inf)


def _finite_product(a: Real, b: Real, of_rows: Real, of_columns: Real, shape: tuple[int, ...]) -> Real:
    """The product by the largest moduli of the rows and the columns; worker threads share the rows."""
    e, f = np.frexp(of_rows)[1], np.frexp(of_columns)[1]
    count, width = _layout(a.shape[-1])
    right = _Slices(b, -f, width, -2, count)
    x = np.empty(shape)

    def run(piece: slice) -> None:
        for start in range(piece.start, piece.stop, _TILE):
            fill(slice(start, min(start + _TILE, piece.stop)))

    def fill(rows: slice) -> None:
        left = _Slices(a[..., rows, :], -e[..., rows, :], width, -1, count)
        part = x[..., rows, :]
        _folded(left, right, count, count, out=part)
        # What is left out is below K (count + 1) 2**(-count w), in sums of K terms.  The bound of a sum of rounded
        # products is K 2**-53 D, with D = |a| @ |b|.  So a D of at least `enough` will do, and |x| <= D,
        # |A_0| @ |B_0| <= 4 D
        enough = (count + 1) * 2.0 ** (53 - count * width)
        doubtful = np.abs(part) < enough
        if doubtful.any():
            _complete(part, left, right, count, doubtful, 4 * enough)
        np.ldexp(part, e[..., rows, :] + f, out=part)

    in_pieces(run, a.shape[-2], max(_ROWS, _PIECE * a.shape[-2] // (x.size * a.shape[-1])))
    return x


def _layout(inner: int) -> tuple[int, int]:
    """How many slices, and of how many bits: `inner count 2**(2 w - 2) <= 2**53`."""
    count = 1
    while True:
        width = min((53 - math.ceil(math.log2(inner * count))) // 2 + 1, 26)
        if count * width >= _COVERED:
            return count, width
        count += 1


class _Slices:
    """The slices of the rows or columns of `2**e x`, whose elements are below 1.

    The first lie in one array, those of rows side by side, those of columns one below the other, the last first.  More
    are made as they are asked for.
    """

    def __init__(self, x: Real, e: Any, width: int, axis: int, count: int) -> None:
        half, shape = e // 2, list(x.shape)
        shape[axis] *= count
        self.axis, self.count, self.width, self.room = axis, count, width, np.empty(shape)
        self.inner = x.shape[axis]
        self.made = [self._room(p, p + 1) for p in range(count)]
        # `numpy.ldexp` of all takes several times as long
        self.scaled = (*np.broadcast_arrays(x, np.ldexp(0.5, half), np.ldexp(1.0, e - half)),)
        in_pieces(self._split, x.shape[-2], max(_ROWS, _SLICED * x.shape[-2] // x.size))

    def _split(self, piece: slice) -> None:
        for start in range(piece.start, piece.stop, _ROWS):
            some = (..., slice(start, min(start + _ROWS, piece.stop)), slice(None))
            self._take(self._start(some), [x[some] for x in self.made])

    def _start(self, some: Any) -> Real:
        x, first, second = self.scaled
        rest = x[some] * first[some]
        rest *= second[some]
        return rest

    def _take(self, rest: Real, slices: list[Real]) -> None:
        """Take the next slices from what remains."""
        for x in slices:
            rest *= 2.0**self.width
            np.rint(rest, out=x)
            rest -= x

    @cached_property
    def remainder(self) -> Real:
        """What remains after the slices that there are."""
        rest = self._start(...)
        for x in self.made:
            rest *= 2.0**self.width
            rest -= x
        return rest

    def __getitem__(self, p: int) -> Real:
        while len(self.made) <= p:
            found = np.empty_like(self.remainder)
            self._take(self.remainder, [found])
            self.made.append(found)
        return self.made[p]

    def _room(self, first: int, last: int) -> Real:
        k = self.inner
        if self.axis == -1:
            return self.room[..., first * k : last * k]
        return self.room[..., (self.count - last) * k : (self.count - first) * k, :]

    def joined(self, first: int, last: int) -> Real:
        """The slices `first, .., last - 1` as they lie in the array of the first."""
        self[last - 1]
        if last <= self.count:
            return self._room(first, last)
        return np.concatenate(self.made[first:last][:: -1 if self.axis == -2 else 1], self.axis)

    def ends(self, count: int, axis: int) -> Any:
        """How many slices a row or a column has, if not more than `count`; otherwise many."""
        found = np.max(self.remainder != 0, axis, keepdims=True) * (2 * count)
        for p in range(count):
            found = np.maximum(found, (p + 1) * np.max(self[p] != 0, axis, keepdims=True))
        return found

    def all(self) -> int:
        """How many there are until nothing remains."""
        while np.any(self.remainder):
            self[len(self.made)]
        return len(self.made)

    def taken(self, take: Callable[[Real], Real]) -> _Slices:
        """The slices of what is taken of the array, with memory of their own."""
        found = copy(self)
        vars(found).update(made=[take(x) for x in self.made], remainder=take(self.remainder), count=0)
        return found


def _folded(left: _Slices, right: _Slices, groups: int, count: int, out: Real | None = None) -> Real:
    """`sum_t 2**(2 - w (t + 2)) G_t`, from the smallest; `G_t` in parts of `count` pairs, each of which is exact."""
    stack = np.broadcast_shapes(left[0].shape[:-2], right[0].shape[:-2])
    x = np.empty((*stack, left[0].shape[-2], right[0].shape[-1])) if out is None else out
    x[...] = 0.0
    group = np.empty_like(x)
    for t in range(groups - 1, -1, -1):
        x *= 2.0**-left.width
        for first in range(0, t + 1, count):
            last = min(first + count, t + 1)
            x += np.matmul(left.joined(first, last), right.joined(t + 1 - last, t + 1 - first), out=group)
    x *= 2.0 ** (2 - 2 * left.width)
    return x


def _complete(x: Real, left: _Slices, right: _Slices, count: int, doubtful: Any, enough: float) -> None:
    """With all slices, where `|a| @ |b|` is so small that those left out would be seen.

    The elements of `|A_0| @ |B_0|` are exact, and so is what decides.
    """
    if np.count_nonzero(doubtful) * _FEW <= doubtful.size:
        _complete_few(x, left, right, count, doubtful, enough)
        return
    doubtful &= left.ends(count, -1) + right.ends(count, -2) > count + 1
    if doubtful.any():
        doubtful &= np.abs(left[0]) @ np.abs(right[0]) * 2.0 ** (2 - 2 * left.width) < enough
    if doubtful.any():
        left, right = left.taken(np.copy), right.taken(np.copy)
        np.copyto(x, _folded(left, right, left.all() + right.all() - 1, count), where=doubtful)


def _complete_few(x: Real, left: _Slices, right: _Slices, count: int, doubtful: Any, enough: float) -> None:
    """Row by row and column by column; for most, the first terms of the sum are enough."""
    *stack, i, j = np.nonzero(doubtful)

    def rows(a: Real) -> Real:
        return np.broadcast_to(a, (*x.shape[:-2], *a.shape[-2:]))[(*stack, i)][:, None, :]

    def columns(b: Real) -> Real:
        return np.broadcast_to(b, (*x.shape[:-2], *b.shape[-2:])).swapaxes(-1, -2)[(*stack, j)][:, :, None]

    for terms in (_FIRST_TERMS, None):
        magnitude = np.abs(rows(left[0][..., :terms])) @ np.abs(columns(right[0][..., :terms, :]))
        is_small = magnitude[:, 0, 0] * 2.0 ** (2 - 2 * left.width) < enough
        *stack, i, j = (index[is_small] for index in (*stack, i, j))
    if i.size:
        left, right = left.taken(rows), right.taken(columns)
        x[(*stack, i, j)] = _folded(left, right, left.all() + right.all() - 1, count)[:, 0, 0]
