"""Stacks of small matrices in the C library: one matrix a lane of a vector register, a part of the stack a thread.

The bits of an item depend neither on its index nor on the size of the stack.  Where a function returns `refused`, that
is None, or an array that is True where an item is singular up to rounding or not finite, and its result means nothing:
LAPACK says what becomes of it.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

from ...determinism.threads import in_pieces
from ..memory import LARGE, keep_freed_memory
from .library import library

MOST: Final = 16
"""Rows and columns; `small_iterations.h` has the same number."""

_PIECE: Final = 60_000
"""Multiplications: a shorter piece is not worth waking a thread for."""


def takes(*arrays: Any) -> bool:
    """Whether there is a library, and these are plain stacks of small matrices, of one type, that broadcast.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.small_stacks import takes
    >>> takes(numpy.ones((5, 20, 20))) or takes(numpy.eye(3)) or takes(numpy.ones((5, 3, 3), int))
    False
    """
    are_stacks = False
    for a in arrays:
        if type(a) is not np.ndarray or a.ndim < 2:
            return False
        are_stacks = are_stacks or a.ndim > 2
    if not are_stacks or library() is None:  # single matrices come first: each call of theirs waits for the answer
        return False
    first = arrays[0]
    if first.dtype.char not in "fdFD" or any(a.dtype.char != first.dtype.char for a in arrays):
        return False
    if not all(a.dtype.isnative for a in arrays):
        return False
    if not all(0 < min(a.shape[-2:]) <= max(a.shape[-2:]) <= MOST and a.flags.aligned for a in arrays):
        return False
    stack = first.shape[:-2]
    if any(a.shape[:-2] != stack for a in arrays):
        try:
            stack = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
        except ValueError:
            return False
    return stack != () and 0 not in stack


def solve(a: Any, b: Any) -> tuple[Any, Any]:
    """The solutions (..., n, m) of `a x = b`, and `refused`."""
    stack, (a, b) = _together(a, b)
    n = a.shape[-1]
    x, refused = np.empty((len(a), *b.shape[-2:]), a.dtype), np.zeros(len(a), bool)
    _call("solve", x, n**3, n, b.shape[-1], *_memory(a), *_memory(b), _start(x), _start(refused))
    return x.reshape(*stack, *b.shape[-2:]), _shown(refused, stack)


def triangular(a: Any, b: Any, lower: bool, unit: bool) -> tuple[Any, Any]:
    """The solutions (..., n, m) of `a x = b` with one triangle of `a`, and `refused`: diagonals that are no numbers.

    Upper triangles, reversed, are lower ones.
    """
    stack, (a, b) = _together(a, b)
    n = a.shape[-1]
    x, refused = np.empty((len(a), *b.shape[-2:]), a.dtype), np.zeros(len(a), bool)
    given, right, out = (a, b, x) if lower else (a[:, ::-1, ::-1], b[:, ::-1], x[:, ::-1])
    operands = (*_memory(given), *_memory(right), *_memory(out))
    _call("triangular", x, n**3 / 2, n, b.shape[-1], int(unit), *operands, _start(refused))
    return x.reshape(*stack, *b.shape[-2:]), _shown(refused, stack)


def inv(a: Any) -> tuple[Any, Any]:
    """The inverses, and `refused`."""
    return _square("inv", a, np.empty(a.shape, a.dtype))


def det(a: Any) -> tuple[Any, Any]:
    """The determinants (...), and `refused`."""
    return _square("det", a, np.empty(a.shape[:-2], a.dtype))


def slogdet(a: Any) -> tuple[Any, Any, Any]:
    """The phases of the determinants (...), the logarithms of their moduli (...), and `refused`."""
    return _square("slogdet", a, np.empty(a.shape[:-2], a.dtype), np.empty(a.shape[:-2], a.real.dtype))


def cholesky(a: Any, upper: bool) -> tuple[Any, Any]:
    """The factors `l` of `a = l H(l)`, or with `upper` `u` of `a = H(u) u`, by one triangle; and `refused`.

    The upper triangle, read as a lower one, is that of `conj(a)`, and the factor is `conj(l) = u.mT`.
    """
    (x,), n = _together(a)[1], a.shape[-1]
    l, refused = np.empty(x.shape, a.dtype), np.zeros(len(x), bool)
    x, out = (x.mT, l.mT) if upper else (x, l)
    _call("cholesky", l, n**3 / 2, n, *_memory(x), _start(l), *out.strides[1:], _start(refused))
    return l.reshape(a.shape), _shown(refused, a.shape[:-2])


def eigvalsh(a: Any, lower: bool) -> tuple[Any, Any]:
    """The eigenvalues (..., n), ascending, of Hermitian matrices by one triangle, and `refused`.

    An upper triangle, reversed in both axes, is a lower one.
    """
    return _square("eigvalsh", a if lower else a[..., ::-1, ::-1], np.empty(a.shape[:-1], a.real.dtype), cost=16)


def svdvals(a: Any) -> tuple[Any, Any]:
    """The singular values (..., min(m, n)), descending, and `refused`: those with zeros among them too."""
    stack, (x,) = _together(a)
    x = x if x.shape[1] >= x.shape[2] else x.mT
    count, m, n = x.shape
    s, refused = np.empty((count, n), a.real.dtype), np.zeros(count, bool)
    _call("svdvals", x, 24 * m * n**2, m, n, *_memory(x), _start(s), _start(refused))
    return s.reshape(*stack, n), _shown(refused, stack)


def qr(a: Any, complete: bool) -> tuple[Any, Any, Any]:
    """The factors `q` (..., m, k) and `r` (..., k, n), with k = min(m, n), or m if complete; and `refused`."""
    stack, (x,) = _together(a)
    count, m, n = x.shape
    k = m if complete else min(m, n)
    q, r, refused = np.empty((count, m, k), a.dtype), np.empty((count, k, n), a.dtype), np.zeros(count, bool)
    _call("qr", q, 2 * m * n * k, m, n, k, *_memory(x), _start(q), _start(r), _start(refused))
    return q.reshape(*stack, m, k), r.reshape(*stack, k, n), _shown(refused, stack)


def eigh(a: Any, lower: bool) -> tuple[Any, Any, Any]:
    """The eigenvalues (..., n), ascending, and vectors (..., n, n) of Hermitian matrices by one triangle; `refused`."""
    (x,), n = _together(a)[1], a.shape[-1]
    w, v, refused = np.empty(x.shape[:-1], a.real.dtype), np.empty(x.shape, a.dtype), np.zeros(len(x), bool)
    given, out = (x, v) if lower else (x[:, ::-1, ::-1], v[:, ::-1])
    _call("eigh", v, 16 * n**3, n, int(not lower), *_memory(given), _start(w), *_memory(out), _start(refused))
    return w.reshape(a.shape[:-1]), v.reshape(a.shape), _shown(refused, a.shape[:-2])


def svd(a: Any, full: bool) -> tuple[Any, Any, Any, Any]:
    """Left vectors (..., m, k), singular values, descending, right vectors (..., k, n) in rows; and `refused`."""
    stack, (x,) = _together(a)
    count, m, n = x.shape
    s, refused = np.empty((count, min(m, n)), a.real.dtype), np.zeros(count, bool)
    u = np.empty((count, m, m if full else min(m, n)), a.dtype)
    vh = np.empty((count, n if full else min(m, n), n), a.dtype)
    tall, left, right = (x, u, vh.mT) if m >= n else (x.mT, vh.mT, u)
    arguments = (*tall.shape[1:], left.shape[2], int(m < n), *_memory(tall), _start(s), *_memory(left), *_memory(right))
    _call("svd", u, 24 * m * n * min(m, n), *arguments, _start(refused))
    found = [x.reshape(*stack, *x.shape[1:]) for x in (u, s, vh)]
    return found[0], found[1], found[2], _shown(refused, stack)


def matmul(a: Any, b: Any) -> Any:
    """The products (..., n, m)."""
    stack, (a, b) = _together(a, b)
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    x = np.empty((len(a), n, m), a.dtype)
    _call("matmul", x, n * m * k, n, m, k, *_memory(a), *_memory(b), _start(x))
    return x.reshape(*stack, n, m)


def adjoint(a: Any, *factors: Any) -> Any:
    """The conjugate transposes (..., m, n), times up to two numbers (...) for each matrix, of their type."""
    stack, (x,) = _together(a)
    count, n, m = x.shape
    found = np.empty((count, m, n), a.dtype)
    numbers = [c.reshape(count) for c in factors]
    places = [place for c in numbers for place in (_start(c), *c.strides)]
    _call("adjoint", found, n * m, n, m, *_memory(x), *places, *[0] * (4 - len(places)), _start(found))
    return found.reshape(*stack, m, n)


def _square(name: str, a: Any, *out: Any, cost: int = 1) -> tuple[Any, ...]:
    """What a function of square matrices, of `cost n**3` operations, writes into some arrays, and `refused`."""
    (x,), n = _together(a)[1], a.shape[-1]
    refused = np.zeros(len(x), bool)
    _call(name, x, cost * n**3, n, *_memory(x), *map(_start, out), _start(refused))
    return *out, _shown(refused, a.shape[:-2])


def _together(*arrays: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of the stack, and the arrays broadcast to it, with one axis for it."""
    stack = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
    whole = [a if a.shape[:-2] == stack else np.broadcast_to(a, stack + a.shape[-2:]) for a in arrays]
    return stack, [a if len(stack) == 1 else a.reshape(-1, *a.shape[-2:]) for a in whole]


def _start(a: Any) -> int:
    return int(a.__array_interface__["data"][0])


def _memory(a: Any) -> tuple[int, ...]:
    """The address of a stack, and its strides."""
    return _start(a), *a.strides


def _shown(refused: Any, stack: tuple[int, ...]) -> Any:
    return refused.reshape(stack) if refused.any() else None


def _call(name: str, items: Any, cost: float, *arguments: int) -> None:
    """Call a function of the library on all items of a stack, in threads; each of them costs so many operations."""
    if items.nbytes >= LARGE:
        keep_freed_memory()
    function = _function(name, items.dtype.char, len(arguments) + 2)
    smallest = int(_PIECE / cost) + 1
    in_pieces(lambda piece: function(piece.start, piece.stop, *arguments), len(items), smallest)


@cache
def _function(name: str, letter: str, count: int) -> Any:
    """A function of the library: all its arguments are as long as pointers, and it returns nothing."""
    found = getattr(library(), f"stacks_{name}_{letter}")
    found.argtypes, found.restype = (ctypes.c_ssize_t,) * count, None
    return found
