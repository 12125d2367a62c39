"""Banded and Toeplitz matrices: kernels of `linalg`.

A matrix that is given by its diagonals is written out: digits are wanted here, not speed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from ... import device_named
from ..array import array_of
from .factorizations import assumed_solution
from .matrices import kernel, over_stack
from .pairs import phased
from .spectra import exponent_of, in_doubles


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


def _eigenpairs(band: Any, lower: bool, known: Callable[[Any], Any], values_only: bool, selection: Any) -> Any:
    """Eigenvalues, and vectors with the phases of LAPACK's by `known`, of Hermitian matrices given by their bands."""
    a = _written_out(band, 0 if lower else band.shape[-2] - 1)
    n = a.shape[-1]
    w, v = np.linalg.eigh(a, "L" if lower else "U")
    if not values_only and n:

        def with_phases(v: Any, band: Any) -> Any:
            size = exponent_of(band)
            return phased(v, known(in_doubles(band, size)))

        v = over_stack(with_phases, [(n, n)], [v.dtype], v, band)
    kind, bounds = selection["select"], selection.get("select_range")
    if kind == "i":
        w, v = w[..., bounds[0] : bounds[1] + 1], v[..., bounds[0] : bounds[1] + 1]
    elif kind == "v":  # of one matrix
        inside = (w > bounds[0]) & (w <= bounds[1])
        w, v = w[inside], v[:, inside]
    return w if values_only else (w, v)


@kernel("banded_problem")
def banded_problem(band: Any, *, lower: bool, values_only: bool, selection: Any, max_ev: int) -> Any:
    """`scipy.linalg.eig_banded`."""
    by_scipy = device_named("cpu").kernel("linalg.banded_problem")

    def known(band: Any) -> Any:
        return by_scipy(band, lower=lower, values_only=False, selection={"select": "a"}, max_ev=0)[1]

    return _eigenpairs(array_of(band), lower, known, values_only, selection)


@kernel("tridiagonal_problem")
def tridiagonal_problem(d: Any, e: Any, *, values_only: bool, selection: Any, driver: str, tol: float) -> Any:
    """`scipy.linalg.eigh_tridiagonal`, whatever the driver."""
    d, e = array_of(d), array_of(e)
    if e.shape[-1] != d.shape[-1] - 1:
        raise ValueError(f"d (shape {d.shape}) must have one more element than e (shape {e.shape})")
    stack = np.broadcast_shapes(d.shape[:-1], e.shape[:-1])
    below = np.concatenate([e, np.zeros_like(e, shape=(*e.shape[:-1], 1))], -1)
    band = np.stack([np.broadcast_to(x, stack + d.shape[-1:]) for x in (d, below)], -2)

    def known(band: Any) -> Any:
        return scipy.linalg.eigh_tridiagonal(band[0], band[1, :-1])[1]

    return _eigenpairs(band, True, known, values_only, selection)


@kernel("levinson")
def levinson(c: Any, r: Any, b: Any) -> Any:
    """The solution of Toeplitz systems, by that of systems in general."""
    i, j = np.indices((c.shape[-1],) * 2)
    t = np.where(i >= j, array_of(c)[..., abs(i - j)], array_of(r)[..., abs(i - j)])
    return np.linalg.solve(t, b)
