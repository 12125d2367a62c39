"""Functions computed in different ways in different regions of their arguments, in double precision, piece by piece.

Vectors, differentiated vectors and jets of vectors go the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...backends.asking import AskingArray
from ...complex_autograd.engine.traced import Traced, raw
from .jets import Jet

_CHUNK = 8192
"""Elements at a time, so that what a kernel works on stays in the cache; from twice as many complex numbers on, NumPy
takes the memory of a factor for a product, with other last bits: see `pullbacks.py`."""
_BESIDE = 1e-200
"""An imaginary part that keeps its sign in sums, and changes no digit."""

Kernel = Callable[..., Any]
Regions = Iterable[tuple[Any, Kernel]]
"""Masks and kernels, as of `by_region`."""


def with_dtypes(*args: Any) -> list[Any]:
    """The arguments, Python's numbers among them as NumPy's scalars, of single precision where all are."""
    known = [a.dtype.char for a in args if hasattr(a, "dtype")]
    single = bool(known) and all(char in "efF" for char in known)
    real, both = (np.float32, np.complex64) if single else (np.float64, np.complex128)
    return [x if hasattr(x, "dtype") else both(x) if issubclass(type(x), complex) else real(x) for x in args]


def in_double(kernel: Kernel, *args: Any, at_once: int = _CHUNK) -> Any:
    """Apply a kernel of one-dimensional arrays of double precision to arrays of any shape and floating type.

    The result has the precision of the arguments; `at_once` elements at a time are computed.
    """
    arrays = np.broadcast_arrays(*[a[()] for a in args])
    is_single = all(a.dtype.char in "efF" for a in arrays)
    flat = [np.reshape(a, (-1,)).astype("D" if a.dtype.kind == "c" else "d") for a in arrays]
    size = flat[0].shape[0]
    if size == 0:
        flat = [np.ones_like(a, shape=(1,)) for a in flat]
    with np.errstate(all="ignore"):
        pieces = [kernel(*[a[i : i + at_once] for a in flat]) for i in range(0, max(size, 1), at_once)]
    out = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
    out = out[:size]
    if is_single:
        out = out.astype("F" if out.dtype.kind == "c" else "f")
    return np.reshape(out, arrays[0].shape)[()]


def beside_cut(x: Any, edge: float) -> Any:
    """Complex arguments, those on a cut to the left of the edge moved to the side that the sign of their 0 names."""
    z = raw(x)
    if z.dtype.kind != "c":
        return x
    is_on_cut = (np.real(z) < edge) & (np.imag(z) == 0)
    return x + np.where(is_on_cut, np.copysign(_BESIDE, np.imag(z)), 0.0) * 1j if np.any(is_on_cut) else x


def is_pole(x: Any) -> Any:
    """Where a real number is a pole of the gamma function: 0, -1, -2, ...; series with it above are polynomials."""
    return (x <= 0) & (x == np.rint(x))


def is_near_pole(x: Any, distance: float) -> Any:
    """Where a real number is so near to such a pole, or is one."""
    return (x < 0.5) & (np.abs(x - np.rint(x)) <= distance)


def by_region(regions: Regions, *args: Any) -> Any:
    """Apply to each element the kernel of the first region that holds it.

    Parameters
    ----------
    regions : iterable of (mask, kernel)
        The mask says which elements are in the region, one answer may stand for all; the kernel maps them to a vector
        or jet, to rows of vectors, or to several of them.
    *args : array or Jet
        Vectors, differentiated ones and jets among them, one element of each an element of the result; and numbers,
        which go to the kernels as they are.

    Returns
    -------
    array, Jet, or tuple of them
        Zero where no region holds the element.
    """
    rest: Any = True
    indices: list[Any] = []
    results: list[Any] = []
    for mask, kernel in regions:
        here = mask & rest
        if not np.ndim(here):
            if here:
                return kernel(*args)
            continue
        (index,) = np.nonzero(here)
        if len(index) == len(here) > 0:
            return kernel(*args)
        if len(index):
            rest = rest & ~here
            indices.append(index)
            results.append(kernel(*[part(x, index) for x in args]))
    if not results:
        return np.zeros_like(args[0])
    (index,) = np.nonzero(rest)
    several = isinstance(results[0], (tuple, list))
    columns = [list(column) for column in zip(*results, strict=True)] if several else [results]
    if len(index):
        indices.append(index)
        columns = [[*column, np.zeros_like(index, dtype=bool)] for column in columns]
    order = np.concatenate(indices)
    found = [joined([_like(i, x) for x, i in zip(column, indices, strict=True)], order) for column in columns]
    return tuple(found) if several else found[0]


def within(mask: Any, kernel: Kernel, *args: Any) -> Any:
    """Apply a kernel where the mask says so; elsewhere the result is NaN."""
    return by_region([(mask, kernel), (True, _unknown)], *args)


def _unknown(*args: Any) -> Any:
    total = sum(args)
    return total * np.nan if isinstance(total, Traced) else np.full_like(total, np.nan)


def _like(vector: Any, x: Any) -> Any:
    """A vector, jet or rows as they are; of a number as many as of the vector."""
    if isinstance(x, Jet):
        return x.map(lambda c: _like(vector, c))
    return x if getattr(x, "ndim", 0) else 0.0 * vector + x


def part(x: Any, index: Any) -> Any:
    """Some elements of a vector or of a jet of vectors; a number stays."""
    if isinstance(x, Jet):
        return x.map(lambda c: part(c, index))
    return x[index] if getattr(x, "ndim", 0) else x


def joined(pieces: Sequence[Any], order: Any) -> Any:
    """The vector, jet or rows `x` with `x[order]` the pieces one behind the other."""
    if any(isinstance(x, Jet) for x in pieces):
        (orders,) = {x.orders for x in pieces if isinstance(x, Jet)}
        jets = [x if isinstance(x, Jet) else Jet({(0,) * len(orders): x}, orders) for x in pieces]
        keys = {k for jet in jets for k in jet.coefficients}
        columns = {k: [_like(jet.value, jet.coefficients.get(k, 0.0)) for jet in jets] for k in keys}
        return Jet({k: joined(column, order) for k, column in columns.items()}, orders)
    if any(isinstance(x, (Traced, AskingArray)) for x in pieces):
        rank = np.empty_like(order)
        rank[order] = np.cumsum(np.ones_like(order)) - 1
        return np.concatenate(pieces)[rank]
    out = np.empty_like(order, shape=(*pieces[0].shape[:-1], len(order)), dtype=np.result_type(*pieces))
    start = 0
    for piece in pieces:
        end = start + piece.shape[-1]
        out[(..., order[start:end]) if piece.ndim > 1 else order[start:end]] = piece
        start = end
    return out


def plain(x: Any) -> Any:
    """The value of a jet without derivatives, below all levels."""
    return raw(x.value if isinstance(x, Jet) else x)


def replaced(x: Any, index: Any, piece: Any) -> Any:
    """A vector or jet with some of its elements exchanged."""
    if isinstance(x, Jet):
        zero = 0.0 * x.value
        return Jet(
            {k: replaced(x.coefficients.get(k, zero), index, c) for k, c in piece.coefficients.items()}, x.orders
        )
    order = np.cumsum(np.ones_like(raw(x), dtype=np.int64)) - 1
    order[index] = len(order) - 1 + np.cumsum(np.ones_like(index))
    return np.concatenate([x, piece])[order]
