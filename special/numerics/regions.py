"""Functions computed in different ways in different regions of their arguments, in double precision, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

__all__ = ["by_region", "except_where", "in_double", "is_beside_pole", "is_pole", "with_dtypes"]

_CHUNK = 16384
"""Elements at a time, so that what a kernel works on stays in the cache."""

Kernel = Callable[..., Any]


def with_dtypes(*args: Any) -> list[Any]:
    """The arguments, Python's numbers among them as NumPy's scalars, of single precision beside single precision."""
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


def is_pole(x: Any) -> Any:
    """Where a real number is a pole of the gamma function: 0, -1, -2, ...; series with it above are polynomials."""
    return (x <= 0) & (x == np.rint(x))


def is_beside_pole(x: Any, distance: float) -> Any:
    """Where a real number is so near to such a pole, or is one."""
    return (x < 0.5) & (np.abs(x - np.rint(x)) <= distance)


def by_region(regions: Iterable[tuple[Any, Kernel]], *args: Any) -> Any:
    """Apply to each element the kernel of the first region that holds it.

    Parameters
    ----------
    regions : iterable of (mask, kernel)
        The mask says which elements are in the region; the kernel maps arrays of them to one array, or to several.
    *args : array
        One-dimensional arrays, one element of each an element of the result.

    Returns
    -------
    array or list of array
        Zero where no region holds the element.
    """
    size = args[0].shape[0]
    rest = np.ones_like(args[0], dtype=bool)
    outs: list[Any] | None = None
    several = False
    for mask, kernel in regions:
        here = rest & mask
        (places,) = np.nonzero(here)
        if not len(places):
            continue
        if outs is None and len(places) == size:
            results = kernel(*args)
            return list(results) if isinstance(results, (list, tuple)) else results
        rest = rest & ~here
        results = kernel(*[a[places] for a in args])
        several = isinstance(results, (list, tuple))
        parts = list(results) if several else [results]
        if outs is None:
            outs = [np.zeros_like(args[0], shape=(size,), dtype=p.dtype) for p in parts]
        # one region may be real, another complex
        outs = [out.astype(np.result_type(out, p), copy=False) for out, p in zip(outs, parts, strict=True)]
        for out, part in zip(outs, parts, strict=True):
            out[places] = part
    if outs is None:
        return np.zeros_like(args[0])
    return outs if several else outs[0]


def except_where(exceptions: Iterable[tuple[Any, Kernel]], kernel: Kernel, *args: Any) -> Any:
    """Apply a kernel to all elements, and then others to the few of them for which it is not made.

    Parameters
    ----------
    exceptions : iterable of (mask, kernel)
        Where to correct, and by which kernel; the last one that holds an element counts.
    kernel : callable
        Maps one-dimensional arrays to one.
    *args : array
        One-dimensional arrays.

    Returns
    -------
    array
        Of the length of the arrays.
    """
    out = kernel(*args)
    for mask, other in exceptions:
        (places,) = np.nonzero(mask)
        if len(places):
            out[places] = other(*[a[places] for a in args])
    return out
