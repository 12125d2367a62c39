"""Sweeps of Jacobi's rotations in the C library, of the bits that `determinism.portable.jacobi` has without it."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

from ...determinism.portable.jacobi import SWEEPS
from ...determinism.threads import in_pieces
from .library import library

_PIECE: Final = 1 << 17
"""Multiplications: a shorter piece is not worth waking a thread for."""


def rows_and_columns(rounds: Any, a: Any, v: Any) -> tuple[Any, Any] | None:
    """A sweep over Hermitian matrices and their eigenvectors; None where there is no library."""
    if library() is None:
        return None
    a, rows = a.copy(), v.mT.copy()
    _call("rows_and_columns", rounds, a, rows)
    return a, rows.mT


def columns(rounds: Any, r: Any, v: Any, rounding: Any, least: Any) -> tuple[Any, Any, Any] | None:
    """A sweep over the columns of square matrices, and whether they were orthogonal; None where there is no library."""
    if library() is None:
        return None
    r, rows, done = r.mT.copy(), v.mT.copy(), np.ones(len(r), bool)
    _call("columns", rounds, r, rows, np.array([rounding, least], r.real.dtype), done)
    return r.mT, rows.mT, done


SWEEPS.update({"rows and columns": rows_and_columns, "columns": columns})


def _call(name: str, rounds: Any, a: Any, rows: Any, *others: Any) -> None:
    count, n = a.shape[:2]
    arrays = (rounds, a, rows, np.empty((count, 4 * n), a.real.dtype), *others)
    addresses = [x.__array_interface__["data"][0] for x in arrays]
    function = _function(name, a.dtype.char, len(addresses) + 4)
    in_pieces(
        lambda piece: function(piece.start, piece.stop, n, len(rounds), *addresses), count, _PIECE // (8 * n**3 + 1) + 1
    )


@cache
def _function(name: str, letter: str, count: int) -> Any:
    found = getattr(library(), f"jacobi_{name}_{letter}")
    found.argtypes, found.restype = (ctypes.c_ssize_t,) * count, None
    return found
