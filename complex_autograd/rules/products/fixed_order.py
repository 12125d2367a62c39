"""Products of arrays in a fixed order, left to right: the routes of the levels `schedule` and `portable`.

Every matrix product is one of `backends.tiles`, or at `portable` one with exact sums.  A sum of products of vectors
is one of the C library, or without it the sum of the products, which NumPy adds as a tree if they are contiguous; at
`portable` it is an exact sum.  Values under differentiation are passed on to NumPy's functions, whose rules check the
level again when they reach the numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from math import prod
from operator import index
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ....backends import tiles
from ....backends.native.sums import sums_of_products
from ....determinism.flag import is_portable
from ....determinism.layouts import are_plain, canonical
from ....determinism.levels import Level
from ....determinism.portable.arithmetic import multiply
from ....determinism.portable.exact_products import exact_matmul
from ....determinism.portable.reductions import sum as tree_sum
from ....determinism.table import TABLE
from ....determinism.ways import NUMBERS, only_for
from .einsum import as_string, letters_of

Function = Callable[..., Any]


def _in_fixed_order(*operations: str, by: Function) -> Callable[[Function], Function]:
    """Declare the route of operations; `by` computes what is not made of plain arrays, which asks again."""

    def declare(route: Function) -> Function:
        @wraps(route)
        def call(*args: Any, out: Any = None, **settings: Any) -> Any:
            if not are_plain(args):
                return by(*args, **settings) if out is None else by(*args, out=out, **settings)
            x = route(*args, **settings)
            if out is None:
                return x
            target = out[0] if type(out) is tuple else out
            np.copyto(target, x, casting="same_kind")
            return target

        for operation in operations:
            routes = TABLE.routes.setdefault((operation, "numpy"), {})
            routes[Level.SCHEDULE], routes[Level.PORTABLE] = only_for(NUMBERS, call), only_for(NUMBERS, call)
        return call

    return declare


def product_of_stacks(a: Any, b: Any) -> Any:
    """The product of stacks of matrices."""
    return exact_matmul(a, b) if is_portable() else tiles.matmul(a, b)


def _total(a: Any) -> Any:
    """The sums over the last axis, of what lies side by side in memory."""
    return tree_sum(a, -1) if is_portable() else np.add.reduce(a, axis=-1)


@_in_fixed_order("matmul", "linalg.matmul", by=np.matmul)
def matmul(a: Any, b: Any, /, *, dtype: Any = None, **settings: Any) -> Any:
    """`numpy.matmul`."""
    a, b = np.asarray(a, dtype), np.asarray(b, dtype)
    if not a.ndim or not b.ndim or "axes" in settings or (a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]):
        return _moved(np.matmul, matmul, a, b, **settings)
    if a.ndim == b.ndim == 1:
        return _inner_products(a.conj(), b)
    x = product_of_stacks(a if a.ndim > 1 else a[None], b if b.ndim > 1 else b[:, None])
    return x[..., 0, :] if a.ndim == 1 else x[..., 0] if b.ndim == 1 else x


def _moved(function: Any, route: Function, a: Any, b: Any, axes: Any = None, **settings: Any) -> Any:
    """A product whose axes are given; NumPy's error where operands do not fit."""
    if axes is None or [np.size(pair) for pair in axes] != [2, 2, 2]:
        return function(a, b, **settings) if axes is None else function(a, b, axes=axes, **settings)
    a, b = (np.moveaxis(x, pair, (-2, -1)) for x, pair in zip((a, b), axes, strict=False))
    return np.moveaxis(route(a, b), (-2, -1), axes[2])


def _inner_products(a: Any, b: Any) -> Any:
    """The sums of `conj(a) b` over the last axis, side by side in memory."""
    if is_portable():
        return exact_matmul(a.conj()[..., None, :], b[..., :, None])[..., 0, 0]
    if a.dtype is not b.dtype:
        dtype = np.result_type(a, b)
        a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
    if a.shape != b.shape:
        a, b = np.broadcast_arrays(a, b)
    found = sums_of_products(a, b)
    if found is not None:
        return found
    a, b = canonical(a), canonical(b)
    if a.dtype == np.float64 and a.shape[-1] > 1:
        return np.einsum("...i,...i->...", a, b)  # in one sweep, in half the time
    return np.add.reduce(np.multiply(a.conj(), b), axis=-1)


@_in_fixed_order("matvec", by=np.matvec)
def matvec(a: Any, b: Any, /, **settings: Any) -> Any:
    """`numpy.matvec`."""
    a, b = np.asarray(a), np.asarray(b)
    if settings or a.ndim < 2 or not b.ndim or a.shape[-1] != b.shape[-1]:
        return np.matvec(a, b, **settings) if not settings else _refused("matvec", settings)
    return product_of_stacks(a, b[..., None])[..., 0]


@_in_fixed_order("vecmat", by=np.vecmat)
def vecmat(a: Any, b: Any, /, **settings: Any) -> Any:
    """`numpy.vecmat`."""
    a, b = np.asarray(a), np.asarray(b)
    if settings or not a.ndim or b.ndim < 2 or a.shape[-1] != b.shape[-2]:
        return np.vecmat(a, b, **settings) if not settings else _refused("vecmat", settings)
    return product_of_stacks(np.conjugate(a)[..., None, :], b)[..., 0, :]


def _refused(name: str, settings: dict[str, Any]) -> Any:
    raise TypeError(
        f"{name} at a determinism level above 'run' takes no {', '.join(settings)}. Move the axes first, and convert "
        "the operands: numpy.moveaxis(a, axis, -1), a.astype(dtype)."
    )


@_in_fixed_order("vecdot", "linalg.vecdot", by=np.vecdot)
def vecdot(a: Any, b: Any, /, axis: int = -1, **settings: Any) -> Any:
    """`numpy.vecdot`."""
    if settings:
        return _refused("vecdot", settings)
    a, b = np.moveaxis(np.asarray(a), axis, -1), np.moveaxis(np.asarray(b), axis, -1)
    return _inner_products(a, b)


@_in_fixed_order("dot", by=np.dot)
def dot(a: Any, b: Any) -> Any:
    """`numpy.dot`."""
    a, b = np.asarray(a), np.asarray(b)
    if not a.ndim or not b.ndim:
        return multiply(a, b) if is_portable() else np.multiply(a, b)
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        return np.dot(a, b)  # which says so
    if a.ndim == b.ndim == 1:
        return _inner_products(a.conj(), b)
    return tensordot(a, b, ((a.ndim - 1,), (max(b.ndim - 2, 0),)))


@_in_fixed_order("inner", by=np.inner)
def inner(a: Any, b: Any, /) -> Any:
    """`numpy.inner`."""
    a, b = np.asarray(a), np.asarray(b)
    if not a.ndim or not b.ndim:
        return multiply(a, b) if is_portable() else np.multiply(a, b)
    return tensordot(a, b, ((a.ndim - 1,), (b.ndim - 1,)))


@_in_fixed_order("vdot", by=np.vdot)
def vdot(a: Any, b: Any, /) -> Any:
    """`numpy.vdot`."""
    a, b = np.ravel(a), np.ravel(b)
    return np.vdot(a, b) if a.size != b.size else _inner_products(a, b)


@_in_fixed_order("tensordot", "linalg.tensordot", "contract", by=np.tensordot)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """`numpy.tensordot`."""
    a, b = np.asarray(a), np.asarray(b)
    if not np.iterable(axes):
        axes = range(-index(axes), 0), range(index(axes))
    first, second = (axis if np.iterable(axis) else (axis,) for axis in axes)
    met_a, met_b = normalize_axis_tuple(tuple(first), a.ndim), normalize_axis_tuple(tuple(second), b.ndim)
    if [a.shape[i] for i in met_a] != [b.shape[i] for i in met_b]:
        return np.tensordot(a, b, axes)  # which says so
    free_a, free_b = ([i for i in range(x.ndim) if i not in met] for x, met in ((a, met_a), (b, met_b)))
    shape = [a.shape[i] for i in free_a] + [b.shape[i] for i in free_b]
    length = prod(a.shape[i] for i in met_a)
    left = a.transpose(*free_a, *met_a).reshape(prod(shape[: len(free_a)]), length)
    right = b.transpose(*met_b, *free_b).reshape(length, prod(shape[len(free_a) :]))
    if not shape:
        return _inner_products(left[0].conj(), right[:, 0])
    return product_of_stacks(left, right).reshape(shape)


@_in_fixed_order("linalg.multi_dot", by=np.linalg.multi_dot)
def multi_dot(arrays: Any) -> Any:
    """`numpy.linalg.multi_dot`, from left to right: the order by cost changes with the number of rows."""
    return reduce(dot, arrays)


@_in_fixed_order("einsum", "einstein_sum", by=np.einsum)
def einsum(
    *operands: Any, specification: str | None = None, optimize: Any = False, dtype: Any = None, **rest: Any
) -> Any:
    """`numpy.einsum`, from left to right whatever `optimize` says."""
    if specification is None:
        named = issubclass(type(operands[0]), str)
        specification, operands = (operands[0], operands[1:]) if named else as_string(operands)
    arrays = [np.asarray(a, dtype) for a in operands]
    terms, output = letters_of(specification, tuple(a.ndim for a in arrays))
    sizes: dict[str, int] = {}
    for term, a in zip(terms, arrays, strict=True):
        for letter, n in zip(term, a.shape, strict=True):
            sizes[letter] = n if sizes.get(letter, 1) == 1 else sizes[letter]
            if n not in (1, sizes[letter]):
                return np.einsum(specification, *arrays)  # which says so
    letters, x = _diagonal(terms[0], arrays[0], sizes)
    for i in range(1, len(arrays)):
        needed = {*output, *"".join(terms[i + 1 :])}
        letters, x = _contracted(letters, x, *_diagonal(terms[i], arrays[i], sizes), needed)
    letters, x = _summed(letters, x, {*output})
    missing = [letter for letter in output if letter not in letters]
    x = np.transpose(x.reshape(x.shape + (1,) * len(missing)), [(letters + "".join(missing)).index(q) for q in output])
    return np.broadcast_to(x, [sizes[q] for q in output]).copy() if missing or not output else x + 0


def _diagonal(term: str, a: Any, sizes: dict[str, int]) -> tuple[str, Any]:
    """An operand with each letter once, and no axis of length one where another operand is longer."""
    once = "".join(dict.fromkeys(term))
    x = np.einsum(f"{term}->{once}", a) if once != term else a
    stretched = tuple(i for i, letter in enumerate(once) if x.shape[i] == 1 < sizes[letter])
    return "".join(q for i, q in enumerate(once) if i not in stretched), np.squeeze(x, stretched)


def _summed(letters: str, a: Any, needed: set[str]) -> tuple[str, Any]:
    """The sum over what is not needed any more."""
    kept, gone = [q for q in letters if q in needed], [q for q in letters if q not in needed]
    if not gone:
        return letters, a
    ordered = canonical(np.transpose(a, [letters.index(q) for q in (*kept, *gone)]))
    shape = ordered.shape
    flat = ordered.reshape(*shape[: len(kept)], prod(shape[len(kept) :]))
    return "".join(kept), _total(flat)


def _contracted(first: str, a: Any, second: str, b: Any, needed: set[str]) -> tuple[str, Any]:
    """The product of two operands, summed over what is not needed any more."""
    first, a = _summed(first, a, needed | {*second})
    second, b = _summed(second, b, needed | {*first})
    both = [q for q in first if q in second]
    stack, met = [q for q in both if q in needed], [q for q in both if q not in needed]
    rows, columns = [q for q in first if q not in both], [q for q in second if q not in both]
    sizes = dict(zip(first + second, a.shape + b.shape, strict=True))

    def shaped(letters: str, x: Any, *groups: list[str]) -> Any:
        ordered = np.transpose(x, [letters.index(q) for group in groups for q in group])
        last = [prod(sizes[q] for q in group) for group in groups[1:]]
        return ordered.reshape(*[sizes[q] for q in groups[0]], *last)

    x = product_of_stacks(shaped(first, a, stack, rows, met), shaped(second, b, stack, met, columns))
    letters = [*stack, *rows, *columns]
    return "".join(letters), x.reshape([sizes[q] for q in letters])
