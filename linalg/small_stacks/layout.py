"""Stacks of many small matrices, copied so that the stack is the last axis in memory.

For a 4x4 matrix LAPACK takes most of its time to be called, and NumPy's `matmul` too.  Where all items have their
first element side by side, then all their second one, ..., an operation on an element, a row or a column is one NumPy
call for all items and costs what its arithmetic does.  Such an array comes in two forms: *interleaved*, (m, n, count)
and contiguous, for what works on its elements; *stack last*, the same memory with the shape (..., m, n) that rules
are written for.  Elementwise functions keep that order of memory, and so do `H`, `product` and `triangular_solution`.

The C library does the same in registers: where there is one, no stacks come here for factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from threading import Lock
from typing import Any, Final

import numpy as np

from ...backends import get_num_threads, in_pieces
from ...backends.blas import sum_of_squares
from ...backends.memory import keep_freed_memory
from ...backends.native import small_stacks
from ...complex_autograd.engine.errors import NO_DERIVATIVE
from ...complex_autograd.rules.products import matrix_products
from ...complex_autograd.rules.products.matrix_products import is_stack_last
from ...determinism.flag import is_fixed

SMALL: Final = 6
"""Up to this many rows and columns; from 8 on LAPACK is as fast."""

MANY: Final = 1024
"""From this many items on."""

_BYTES: Final = 1 << 21
"""A block of items has no more in one array.  NumPy's calls take less for an item the more of them there are."""

_PIECE: Final = 1 << 20
"""For the sake of more threads a block has no less: those of short calls spend their time to wake each other."""


def are_many(a: Any, *others: Any) -> bool:
    """Whether these are NumPy's stacks, of one shape, of many small matrices, or vectors, in double precision.

    None are where bits must not depend on the size of a stack.
    """
    stack = a.shape[:-2]
    return (
        prod(stack) >= MANY
        and not is_fixed()
        and all(
            type(x) is np.ndarray
            and x.dtype.char in "dD"
            and x.shape[: len(stack)] == stack
            and 0 < min(x.shape[len(stack) :]) <= max(x.shape[len(stack) :]) <= SMALL
            for x in (a, *others)
        )
    )


def blocks(count: int, size: int) -> list[slice]:
    """Slices that make up `range(count)`, for items of so many bytes: at least one for each thread if they are many."""
    keep_freed_memory()
    pieces = max(-(-count * size // _BYTES), min(get_num_threads(), count * size // _PIECE), 1)
    bounds = [count * k // pieces for k in range(pieces + 1)]
    return [slice(low, high) for low, high in pairwise(bounds)]


def for_each(call: Callable[[Any], object], items: Sequence[Any]) -> None:
    """Call a function with each item, in the worker threads."""

    def run(piece: slice) -> None:
        for item in items[piece]:
            call(item)

    in_pieces(run, len(items), 1)


def of_blocks(make: Callable[[slice], Any], flat: Any) -> list[Any] | None:
    """What a function makes of each block of the items of a stack; None if it makes None of one."""
    every = blocks(len(flat), flat[0].nbytes)
    parts: dict[int, Any] = {}

    def run(block: slice) -> None:
        with np.errstate(all="ignore"):
            part = make(block)
        if part is not None:
            parts[block.start] = part

    for_each(run, every)
    return [parts[block.start] for block in every] if len(parts) == len(every) else None


def in_blocks(rule: Callable[..., Any], *arrays: Any) -> Any:
    """What a rule makes of some arrays, from many small matrices block by block.

    The first are matrices; others may be None, or have an axis less: one vector for each matrix.  Where the C library
    multiplies them, all are taken at once.  Where the rule raises it is called with the entire stack, so that the
    message names the item.
    """
    first, *others = arrays
    if first.ndim < 3 or small_stacks.takes(first) or not are_many(first, *[a for a in others if a is not None]):
        return rule(*arrays)
    depth = first.ndim - 2
    flat: list[Any] = [a if a is None else a.reshape(-1, *a.shape[depth:]) for a in arrays]
    out: Any = None
    lock = Lock()

    def fill(block: slice) -> None:
        nonlocal out
        x = rule(*[a if a is None else stack_last(a[block]) for a in flat])
        with lock:
            out = np.empty((len(flat[0]), *x.shape[1:]), x.dtype) if out is None else out
        out[block] = x

    try:
        for_each(fill, blocks(len(flat[0]), flat[0][0].nbytes))
    except NO_DERIVATIVE:
        return rule(*arrays)
    return _shaped(out, first.shape[:-2])


def stack_last(a: Any) -> Any:
    """A copy of some matrices (count, m, n) or vectors (count, n), with the stack last in memory."""
    return np.asfortranarray(a) if a.ndim == 2 else shown(interleaved(a))


def interleaved(a: Any, dtype: Any = None) -> Any:
    """A stack (..., m, n) as a new contiguous array (m, n, count)."""
    return np.array(elements(a), dtype, order="C")


def elements(a: Any) -> Any:
    """A stack (..., m, n) in the same memory as an array (m, n, count)."""
    return a.reshape(-1, *a.shape[-2:]).transpose(1, 2, 0)


def shown(x: Any) -> Any:
    """An array (m, n, count) as one (count, m, n), in the same memory."""
    return x.transpose(2, 0, 1)


def deinterleaved(x: Any, stack: tuple[int, ...]) -> Any:
    """An array (m, n, count) as a stack (..., m, n), contiguous as NumPy's are."""
    return _shaped(np.array(shown(x), order="C"), stack)


def _shaped(a: Any, stack: tuple[int, ...]) -> Any:
    """A stack (count, m, n) as one of another shape; itself where it has it, so that it owns its memory."""
    return a if len(stack) == 1 else a.reshape(*stack, *a.shape[1:])


def product(a: Any, b: Any) -> Any:
    """`a @ b`."""
    is_interleaved = (
        type(a) is type(b) is np.ndarray and a.ndim == b.ndim == 3 and is_stack_last(a) and is_stack_last(b)
    )
    if not is_interleaved or small_stacks.takes(a, b):
        return matrix_products.product(a, b)
    x, y = elements(a), elements(b)
    out = np.empty((len(x), *y.shape[1:]), np.result_type(x, y))
    if out.dtype.kind != "c" and len(y) > 1:
        return shown(np.einsum("ikc,knc->inc", x, y, out=out))
    np.multiply(x[:, 0, None], y[0], out=out)  # NumPy has no fast sum of products of complex numbers
    term = np.empty_like(out) if len(y) > 1 else out
    for k in range(1, len(y)):
        np.add(out, np.multiply(x[:, k, None], y[k], out=term), out=out)
    return shown(out)


def subtract_products(x: Any, column: Any, row: Any, term: Any) -> None:
    """`x -= column row` of interleaved matrices (m, n, count), columns (m, count) and rows (n, count).

    `term` is memory of the size of `x`.
    """
    np.subtract(x, np.multiply(column[:, None], row, out=term), out=x)


def length(x: Any) -> float:
    """The norm of all elements of an array together; NaN if there is one."""
    return float(np.sqrt(sum_of_squares(x)))


def squared_lengths(x: Any) -> Any:
    """The sum of the squared moduli of the elements of each item, from a contiguous array (m, n, count)."""
    parts = x.view(x.real.dtype)
    squares = np.einsum("ijc,ijc->c", parts, parts)
    return squares if x.dtype.kind != "c" else squares[::2] + squares[1::2]
