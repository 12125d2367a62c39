"""Sums of products of vectors in the C library: their bits depend on the vectors alone.

A long vector is summed in blocks of a fixed length, which are shared among threads of the library's own; the sums of
the blocks are added one after the other.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

from ...determinism import Level
from ...determinism.layouts import canonical, reduction
from ...determinism.table import TABLE
from ...determinism.threads import threads_here
from .library import library

_RESULTS: Final = {"f": np.float64, "d": np.float64, "F": np.complex128, "D": np.complex128}


def sums_of_products(a: Any, b: Any) -> Any:
    """The sums over the last axis of `conj(a) b`, of arrays of one shape and type; None where there is no library.

    Sums of single precision are made in double, and rounded once.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.sums import sums_of_products
    >>> x = numpy.arange(6.0).reshape(2, 3)
    >>> found = sums_of_products(x, x)
    >>> found is None or found.tolist() == [5.0, 50.0]
    True
    """
    letter, n = a.dtype.char, a.shape[-1]
    if letter not in _RESULTS or library() is None or not a.size:
        return None
    first = canonical(a)
    second = first if b is a else canonical(b)
    x = np.empty(a.shape[:-1], _RESULTS[letter])
    at = first.__array_interface__["data"][0]
    other = at if second is first else second.__array_interface__["data"][0]
    if _function(letter)(threads_here(), x.size, n, at, other, x.__array_interface__["data"][0]):
        raise MemoryError("there is no memory for the sums of the blocks of long vectors")
    if letter in "dD":
        return x[()]
    with np.errstate(over="ignore"):  # as of BLAS
        return x.astype(a.dtype)[()]


def norms(function: Any, x: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Norms at the determinism level `schedule`: without settings, the root of the sum of all squared moduli."""
    found = None
    if not args and not kwargs and type(x) is np.ndarray:
        flat = canonical(x).reshape(-1)
        flat = flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat
        found = sums_of_products(flat, flat)
    return reduction(function, x, *args, **kwargs) if found is None else np.sqrt(found)


TABLE.wrappers["linalg.norm", "numpy"] = TABLE.wrappers["linalg.vector_norm", "numpy"] = Level.SCHEDULE, norms


@cache
def _function(letter: str) -> Any:
    found = getattr(library(), f"sums_products_{letter}")
    found.argtypes, found.restype = (ctypes.c_ssize_t,) * 6, ctypes.c_int
    return found
