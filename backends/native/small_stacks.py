"""Stacks of small matrices in the C library, a part of the stack a thread.

One matrix is a lane of a vector register; of products, whose time is that of memory, a row of one matrix is a register.

The bits of an item depend neither on its index nor on the size of the stack.  Where a function returns `refused`, that
is None, or an array that is True where an item is singular up to rounding or not finite, and its result means nothing:
LAPACK says what becomes of it.
"""

from __future__ import annotations

import ctypes
from array import array
from functools import cache
from typing import Any, Final

import numpy as np

from ...determinism.threads import threads_here
from ..memory import LARGE, keep_freed_memory
from .library import library
from .machine import start_of

MOST: Final = 16
"""Rows and columns; `small_iterations.h` has the same number."""

_PIECE: Final = 40_000
"""Multiplications: 3200 products of 3x3, two pieces, take 61 us by two threads that sleep, 65 by one."""
_SHARES, _LANES = 4, 8
"""Pieces for each thread, so that none waits long for the last one; and how many items the longest vector holds."""


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
    char, stack = first.dtype.char, first.shape[:-2]
    if char not in "fdFD":
        return False
    broadcasts = False
    for a in arrays:
        n, m = a.shape[-2:]
        if a.dtype.char != char or not (0 < n <= MOST and 0 < m <= MOST and a.flags.aligned and a.dtype.isnative):
            return False
        broadcasts = broadcasts or a.shape[:-2] != stack
    if broadcasts:
        try:
            stack = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
        except ValueError:
            return False
    return stack != () and 0 not in stack


def solve(a: Any, b: Any) -> tuple[Any, Any]:
    """The solutions (..., n, m) of `a x = b`, and `refused`."""
    stack, (a, b) = _together(a, b)
    n, m = b.shape[-2:]
    x, refused = np.empty((*stack, n, m), a.dtype), np.zeros(stack, bool)
    _call("solve", a, n**3, n, m, *_memory(a), *_memory(b), start_of(x), start_of(refused))
    return x, _shown(refused)


def triangular(a: Any, b: Any, lower: bool, unit: bool) -> tuple[Any, Any]:
    """The solutions (..., n, m) of `a x = b` with one triangle of `a`, and `refused`: diagonals that are no numbers.

    Upper triangles, reversed, are lower ones.
    """
    stack, (a, b) = _together(a, b)
    n, m = b.shape[-2:]
    x, refused = np.empty((*stack, n, m), a.dtype), np.zeros(stack, bool)
    out = x.reshape(-1, n, m)
    given, right, out = (a, b, out) if lower else (a[:, ::-1, ::-1], b[:, ::-1], out[:, ::-1])
    operands = (*_memory(given), *_memory(right), *_memory(out))
    _call("triangular", a, n**3 / 2, n, m, int(unit), *operands, start_of(refused))
    return x, _shown(refused)


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
    stack, (x,) = _together(a)
    n = a.shape[-1]
    l, refused = np.empty(a.shape, a.dtype), np.zeros(stack, bool)
    out = l.reshape(-1, n, n)
    x, out = (x.mT, out.mT) if upper else (x, out)
    _call("cholesky", x, n**3 / 2, n, *_memory(x), *_memory(out), start_of(refused))
    return l, _shown(refused)


def eigvalsh(a: Any, lower: bool) -> tuple[Any, Any]:
    """The eigenvalues (..., n), ascending, of Hermitian matrices by one triangle, and `refused`.

    An upper triangle, reversed in both axes, is a lower one.
    """
    return _square("eigvalsh", a if lower else a[..., ::-1, ::-1], np.empty(a.shape[:-1], a.real.dtype), cost=16)


def svdvals(a: Any) -> tuple[Any, Any]:
    """The singular values (..., min(m, n)), descending, and `refused`: those with zeros among them too."""
    stack, (x,) = _together(a)
    x = x if x.shape[1] >= x.shape[2] else x.mT
    m, n = x.shape[1:]
    s, refused = np.empty((*stack, n), a.real.dtype), np.zeros(stack, bool)
    _call("svdvals", x, 24 * m * n**2, m, n, *_memory(x), start_of(s), start_of(refused))
    return s, _shown(refused)


def qr(a: Any, complete: bool) -> tuple[Any, Any, Any]:
    """The factors `q` (..., m, k) and `r` (..., k, n), with k = min(m, n), or m if complete; and `refused`."""
    stack, (x,) = _together(a)
    m, n = x.shape[1:]
    k = m if complete else min(m, n)
    q, r, refused = np.empty((*stack, m, k), a.dtype), np.empty((*stack, k, n), a.dtype), np.zeros(stack, bool)
    _call("qr", x, 2 * m * n * k, m, n, k, *_memory(x), start_of(q), start_of(r), start_of(refused))
    return q, r, _shown(refused)


def eigh(a: Any, lower: bool) -> tuple[Any, Any, Any]:
    """The eigenvalues (..., n), ascending, and vectors (..., n, n) of Hermitian matrices by one triangle; `refused`."""
    stack, (x,) = _together(a)
    n = a.shape[-1]
    w, v, refused = np.empty(a.shape[:-1], a.real.dtype), np.empty(a.shape, a.dtype), np.zeros(stack, bool)
    out = v.reshape(-1, n, n)
    given, out = (x, out) if lower else (x[:, ::-1, ::-1], out[:, ::-1])
    _call("eigh", x, 16 * n**3, n, int(not lower), *_memory(given), start_of(w), *_memory(out), start_of(refused))
    return w, v, _shown(refused)


def svd(a: Any, full: bool) -> tuple[Any, Any, Any, Any]:
    """Left vectors (..., m, k), singular values, descending, right vectors (..., k, n) in rows; and `refused`."""
    stack, (x,) = _together(a)
    count, m, n = x.shape
    k = min(m, n)
    s, refused = np.empty((*stack, k), a.real.dtype), np.zeros(stack, bool)
    u, vh = np.empty((*stack, m, m if full else k), a.dtype), np.empty((*stack, n if full else k, n), a.dtype)
    left, right = u.reshape(count, *u.shape[-2:]), vh.reshape(count, *vh.shape[-2:])
    tall, left, right = (x, left, right.mT) if m >= n else (x.mT, right.mT, left)
    arguments = (
        *tall.shape[1:],
        left.shape[2],
        int(m < n),
        *_memory(tall),
        start_of(s),
        *_memory(left),
        *_memory(right),
    )
    _call("svd", x, 24 * m * n * k, *arguments, start_of(refused))
    return u, s, vh, _shown(refused)


def expm(a: Any) -> tuple[Any, Any]:
    """The exponentials, and `refused`."""
    stack, (x,) = _together(a)
    found, refused = np.empty(a.shape, a.dtype), np.zeros(stack, bool)
    _exponentials(x, None, found, refused, is_adjoint=False)
    return found, _shown(refused)


def expm_derivative(a: Any, e: Any, is_adjoint: bool = False) -> tuple[Any, Any]:
    """The derivatives (..., n, n) of the exponentials along `e`, or the adjoint of that map; and `refused`.

    The adjoint is `H(L(a, H(e)))`, so that it reads transposes, and writes them.
    """
    stack, (x, y) = _together(a, e)
    found, refused = np.empty((*stack, *a.shape[-2:]), a.dtype), np.zeros(stack, bool)
    _exponentials(x, y, found, refused, is_adjoint)
    return found, _shown(refused)


def _exponentials(x: Any, e: Any, found: Any, refused: Any, is_adjoint: bool) -> None:
    n, has_direction, out = x.shape[-1], e is not None, found.reshape(x.shape)
    e = e if has_direction else x
    e, out = (e.mT, out.mT) if is_adjoint else (e, out)
    operands = (*_memory(x), *_memory(e), *_memory(out), start_of(refused))
    _call("expm", x, (30 if has_direction else 10) * n**3, n, int(has_direction), int(is_adjoint), *operands)


def matmul(a: Any, b: Any, conjugated: tuple[bool, bool] = (False, False)) -> Any:
    """The products (..., n, m), of the conjugates of which factors are to be."""
    stack, (a, b) = _together(a, b)
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    x = np.empty((*stack, n, m), a.dtype)
    _call("matmul", a, n * m * k, n, m, k, *_memory(a), *_memory(b), *map(int, conjugated), start_of(x))
    return x


def cofactors(a: Any, g: Any) -> tuple[Any, Any]:
    """The conjugates of the cofactors (..., n, n), n = 2 or 3, times `g` (...), of their type; and `refused`."""
    g = g.reshape(-1)
    return _square("cofactors", a, np.empty(a.shape, a.dtype), given=(start_of(g), *g.strides))


def adjoint(a: Any, *factors: Any) -> Any:
    """The conjugate transposes (..., m, n), times up to two numbers (...) for each matrix, of their type."""
    stack, (x,) = _together(a)
    n, m = x.shape[1:]
    found = np.empty((*stack, m, n), a.dtype)
    numbers = [c.reshape(-1) for c in factors]
    places = [place for c in numbers for place in (start_of(c), *c.strides)]
    _call("adjoint", x, n * m, n, m, *_memory(x), *places, *[0] * (4 - len(places)), start_of(found))
    return found


def _square(name: str, a: Any, *out: Any, cost: int = 1, given: tuple[int, ...] = ()) -> tuple[Any, ...]:
    """What a function of square matrices, of `cost n**3` operations, writes into some arrays, and `refused`."""
    stack, (x,) = _together(a)
    n, refused = a.shape[-1], np.zeros(stack, bool)
    _call(name, x, cost * n**3, n, *_memory(x), *given, *map(start_of, out), start_of(refused))
    return *out, _shown(refused)


def _together(*arrays: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of the stack, and the arrays broadcast to it, with one axis for it."""
    stack, whole = arrays[0].shape[:-2], list(arrays)
    if any(a.shape[:-2] != stack for a in arrays):
        stack = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
        whole = [np.broadcast_to(a, stack + a.shape[-2:]) for a in arrays]
    return stack, whole if len(stack) == 1 else [a.reshape(-1, *a.shape[-2:]) for a in whole]


def _memory(a: Any) -> tuple[int, ...]:
    """The address of a stack, and its strides."""
    return start_of(a), *a.strides


def _shown(refused: Any) -> Any:
    return refused if refused.any() else None


def _call(name: str, items: Any, cost: float, *arguments: int) -> None:
    """Call a function of the library on all items of a stack, in threads; each of them costs so many operations."""
    if items.nbytes >= LARGE:
        keep_freed_memory()
    count, threads = len(items), threads_here()
    share = max(_PIECE / cost, count / (_SHARES * threads))
    piece = -(-int(share + 1) // _LANES) * _LANES
    given = array("q", arguments)  # an array type of ctypes is made anew, and is a cycle
    _run()(_address(name, items.dtype.char), count, piece, threads, given.buffer_info()[0])


@cache
def _run() -> Any:
    """The function of the library that runs another one on all items."""
    run = library().stacks_run  # type: ignore[union-attr]
    size, pointer = ctypes.c_ssize_t, ctypes.c_void_p
    run.argtypes, run.restype = (pointer, size, size, size, pointer), None
    return run


@cache
def _address(name: str, letter: str) -> int | None:
    return ctypes.cast(getattr(library(), f"stacks_{name}_{letter}"), ctypes.c_void_p).value
