"""Banded and Toeplitz systems: kernels of `linalg`.

A matrix that is given by its diagonals is written out: digits are wanted here, not speed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array import array_of
from .factorizations import assumed_solution
from .matrices import kernel


def _written_out(ab: Any, u: int) -> Any:
    """The matrix `a[i, j] = ab[u + i - j, j]`."""
    i, j = np.indices((ab.shape[-1],) * 2)
    rows = u + i - j
    inside = (rows >= 0) & (rows < ab.shape[-2])
    return np.where(inside, ab[..., np.where(inside, rows, 0), j], 0)


@kernel("solution_of_band")
def solution_of_band(ab: Any, b: Any, *, counts: tuple[int, int], definite: bool) -> Any:
    """The solution of one banded system."""
    a = _written_out(array_of(ab), counts[1])
    return assumed_solution(a, b, structure="pos" if definite else "gen")


@kernel("_plain_factor")
def banded_factor(ab: Any, *, lower: bool, check_finite: bool) -> Any:
    """`scipy.linalg.cholesky_banded`; corners that belong to no entry keep what they hold."""
    u = 0 if lower else ab.shape[-2] - 1
    factor = np.linalg.cholesky(_written_out(ab, u), upper=not lower)
    rows, j = np.indices(ab.shape[-2:])
    i = j + rows - u
    inside = (i >= 0) & (i < ab.shape[-1])
    return np.where(inside, factor[..., np.where(inside, i, 0), j], ab)


@kernel("levinson")
def levinson(c: Any, r: Any, b: Any) -> Any:
    """The solution of Toeplitz systems, by that of systems in general."""
    i, j = np.indices((c.shape[-1],) * 2)
    t = np.where(i >= j, array_of(c)[..., abs(i - j)], array_of(r)[..., abs(i - j)])
    return np.linalg.solve(t, b)
