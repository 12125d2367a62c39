"""Sums of products of vectors in the C library: their bits depend on the vectors alone.

A long vector is summed in blocks of a fixed length, which are shared among threads; the sums of the blocks are added
one after the other.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

from ...determinism import Level
from ...determinism.layouts import canonical, reduction
from ...determinism.table import TABLE
from ...determinism.threads import in_pieces
from .library import library

_BLOCK: Final = 4096
"""`sums.c` has the same number."""

_PIECE: Final = 1 << 19
"""Elements that are worth waking a thread for."""


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
    if library() is None or letter not in "fdFD" or not a.size:
        return None
    a, b, blocks = canonical(a), canonical(b), -(-n // _BLOCK)
    x = np.empty((*a.shape[:-1], blocks), np.float64 if letter in "fd" else np.complex128)
    addresses, function = [y.__array_interface__["data"][0] for y in (a, b, x)], _function(letter)
    in_pieces(lambda piece: function(piece.start, piece.stop, n, *addresses), x.size, _PIECE // min(n, _BLOCK) + 1)
    found = x[..., 0] if blocks == 1 else np.add.accumulate(x, -1)[..., -1]
    if letter in "dD":
        return found
    with np.errstate(over="ignore"):  # as of BLAS
        return found.astype(a.dtype)


def norms(function: Any, x: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Norms at the determinism level `schedule`: without settings, the root of the sum of all squared moduli."""
    found = None
    if not args and not kwargs and type(x) is np.ndarray:
        flat = canonical(x).reshape(-1)
        found = sums_of_products(*[flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat] * 2)
    return reduction(function, x, *args, **kwargs) if found is None else np.sqrt(found)


TABLE.wrappers["linalg.norm", "numpy"] = TABLE.wrappers["linalg.vector_norm", "numpy"] = Level.SCHEDULE, norms


@cache
def _function(letter: str) -> Any:
    found = getattr(library(), f"sums_products_{letter}")
    found.argtypes, found.restype = (ctypes.c_ssize_t,) * 6, None
    return found
