"""Stacks of many small matrices, turned so that the stack is the last axis in memory.

For a 4x4 matrix LAPACK takes most of its time to be called, and NumPy's `matmul` too.  Where all items have their
first element side by side, then all their second one, ..., an operation on an element, a row or a column is one NumPy
call for all items and costs what its arithmetic does.  Such an array comes in two forms: *interleaved*, (m, n, count)
and contiguous, for what works on its elements; *turned*, the same memory with the shape (..., m, n) that rules are
written for.  Elementwise functions keep a turned array turned, and so do `H`, `product` and `triangular_solution`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np

from ..complex_autograd.errors import GaugeError, NotDifferentiableError
from ..complex_autograd.gufuncs import H, is_turned

__all__ = [
    "are_many",
    "blocks",
    "combine",
    "deinterleaved",
    "elements",
    "in_blocks",
    "interleaved",
    "largest",
    "product",
    "shown",
    "times_adjoint",
    "turned",
]

SMALL: Final = 6
"""Up to this many rows and columns; from 8 on LAPACK is as fast."""

MANY: Final = 1024
"""From this many items on."""

_BYTES: Final = 1 << 21
"""A block of items has no more in one array.  NumPy's calls take less for an item the more of them there are."""

np.empty(1 << 24, np.uint8)
"""The C library gives memory that is freed back to the system, which takes a page fault for every 4 kB of the next
array, more than the arithmetic on it.  Once so large an array has been freed, glibc keeps up to twice as much."""


def are_many(a: Any, *others: Any) -> bool:
    """Whether these are NumPy's stacks, of one shape, of many small matrices, or vectors, in double precision."""
    stack = a.shape[:-2]
    return prod(stack) >= MANY and all(
        type(x) is np.ndarray
        and x.dtype.char in "dD"
        and x.shape[: len(stack)] == stack
        and 0 < min(x.shape[len(stack) :]) <= max(x.shape[len(stack) :]) <= SMALL
        for x in (a, *others)
    )


def blocks(count: int, size: int) -> list[slice]:
    """Slices that make up `range(count)`, for items of so many bytes."""
    pieces = -(-count * size // _BYTES)
    bounds = [count * k // pieces for k in range(pieces + 1)]
    return [slice(low, high) for low, high in pairwise(bounds)]


def in_blocks(rule: Callable[..., Any], *arrays: Any) -> Any:
    """What a rule makes of some arrays, from many small matrices block by block.

    The first are matrices; others may be None, or have an axis less: one vector for each matrix.  Where the rule
    raises it is called with the whole stack, so that the message names the item.
    """
    first, *others = arrays
    if first.ndim < 3 or not are_many(first, *[a for a in others if a is not None]):
        return rule(*arrays)
    depth = first.ndim - 2
    flat = [a if a is None else a.reshape(-1, *a.shape[depth:]) for a in arrays]
    out = None
    try:
        for block in blocks(len(flat[0]), flat[0][0].nbytes):
            x = rule(*[a if a is None else turned(a[block]) for a in flat])
            out = np.empty((len(flat[0]), *x.shape[1:]), x.dtype) if out is None else out
            out[block] = x
    except (GaugeError, NotDifferentiableError):
        return rule(*arrays)
    return _shaped(out, first.shape[:-2])


def turned(a: Any) -> Any:
    """A copy of some matrices (count, m, n) or vectors (count, n), turned."""
    return np.asfortranarray(a) if a.ndim == 2 else shown(interleaved(a))


def interleaved(a: Any, dtype: Any = None) -> Any:
    """A stack (..., m, n) as a new contiguous array (m, n, count)."""
    return np.array(elements(a), dtype, order="C")


def elements(a: Any) -> Any:
    """A stack (..., m, n) in the same memory as an array (m, n, count)."""
    return a.reshape(-1, *a.shape[-2:]).transpose(1, 2, 0)


def shown(x: Any) -> Any:
    """An array (m, n, count) as a turned one (count, m, n), in the same memory."""
    return x.transpose(2, 0, 1)


def deinterleaved(x: Any, stack: tuple[int, ...]) -> Any:
    """An array (m, n, count) as a stack (..., m, n), contiguous as NumPy's are."""
    return _shaped(np.array(shown(x), order="C"), stack)


def _shaped(a: Any, stack: tuple[int, ...]) -> Any:
    """A stack (count, m, n) as one of another shape; itself where it has it, so that it owns its memory."""
    return a if len(stack) == 1 else a.reshape(*stack, *a.shape[1:])


def product(a: Any, b: Any) -> Any:
    """`a @ b`."""
    if not (type(a) is type(b) is np.ndarray and a.ndim == b.ndim == 3 and is_turned(a) and is_turned(b)):
        return a @ b
    x, y = elements(a), elements(b)
    out = np.empty((len(x), *y.shape[1:]), np.result_type(x, y))
    for row, target in zip(x, out, strict=True):
        combine(row, y, target)
    return shown(out)


def combine(row: Any, y: Any, out: Any) -> Any:
    """`row @ y` of interleaved rows (k, count) and matrices (k, n, count), in `out`."""
    if out.dtype.kind != "c":
        return np.einsum("kc,knc->nc", row, y, out=out)
    np.multiply(row[0], y[0], out=out)  # NumPy has no fast sum of products of complex numbers
    for k in range(1, len(row)):
        out += row[k] * y[k]
    return out


def largest(x: Any) -> float:
    """The largest modulus of a real or imaginary part, or of an element; NaN if there is one."""
    parts = x.view(x.real.dtype) if x.flags.c_contiguous else np.abs(x)
    return max(float(np.max(parts)), -float(np.min(parts)))


def times_adjoint(a: Any, b: Any) -> Any:
    """`a @ H(b)`."""
    if type(a) is not np.ndarray or a.shape[-1] > 1 or a.ndim < 3 or not are_many(a, b):
        return a @ H(b)
    x, y = interleaved(a), interleaved(b)[:, 0].conj()
    out = np.empty((x.shape[-1], len(x), len(y)), np.result_type(x, y))
    np.multiply(x, y, out=out.transpose(1, 2, 0))
    return _shaped(out, a.shape[:-2])
