"""Banded matrices: solved in their storage; for their eigenvalues they are made full."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from . import library, schur, spectra
from .factored import refuse_infinite
from .launching import adjoint, flat, identities, launch, precision, refuse_failures, shaped, stack_of


def full(ab: Any, lower: int, upper: int) -> Any:
    """The matrices of which `ab[upper + i - j, j] = a[i, j]` is stored."""
    n = ab.shape[-1]
    rows = cupy.arange(n)[:, None] - cupy.arange(n)
    inside = (rows <= lower) & (rows >= -upper)
    entries = cupy.where(inside, upper + rows, 0)
    columns = cupy.broadcast_to(cupy.arange(n), (n, n))
    return cupy.where(inside, ab[..., entries, columns], 0)


def _lower_half(ab: Any) -> Any:
    """The storage of lower halves, from flat stacks of that of upper ones: `low[k, j] = conj(ab[u - k, j + k])`."""
    low = cupy.zeros_like(ab)
    width, n = ab.shape[1] - 1, ab.shape[2]
    for k in range(min(width + 1, n)):
        low[:, k, : n - k] = cupy.conj(ab[:, width - k, k:])
    return low


def _in_upper_half(low: Any, ab: Any) -> Any:
    """The way back, into the storage of `ab`, whose corners stay."""
    out, (width, n) = cupy.array(ab), (ab.shape[1] - 1, ab.shape[2])
    for k in range(min(width + 1, n)):
        out[:, width - k, k:] = cupy.conj(low[:, k, : n - k])
    return out


def _factorized(low: Any, stack: tuple[int, ...], message: str) -> Any:
    """Cholesky's factors in place of lower halves of bands."""
    info = cupy.zeros(len(low), np.int32)
    width, n = low.shape[1] - 1, low.shape[2]
    launch("band_solve.cu", "factorize_band", low.dtype.char, len(low), low, info, n, width)
    refuse_failures(info, stack, message)
    return low


def solution_of_band(ab: Any, b: Any, *, counts: tuple[int, int], definite: bool) -> Any:
    """The kernel of the banded solves, which works in the storage of the bands."""
    lower, upper = counts
    stack, dtype = stack_of([ab, b], [2, 2]), precision(ab, b)
    bands, x = flat(ab, 2, stack, dtype), flat(b, 2, stack, dtype)
    count, n, columns = x.shape
    if not x.size:
        return shaped(x, stack)
    if definite:
        low = _factorized(_lower_half(bands[:, : upper + 1]), stack, "{}th leading minor not positive definite")
        launch("band_solve.cu", "solve_factorized_band", dtype.char, count, low, x, n, upper, columns)
        return shaped(x, stack)
    pivoting = bool(lower and upper)
    work = cupy.zeros((count, 2 * lower + upper + 1, n), dtype)
    work[:, lower:] = bands
    info = cupy.zeros(count, np.int32)
    launch("band_solve.cu", "solve_band", dtype.char, count, work, x, info, n, lower, upper, columns, pivoting)
    refuse_failures(info, stack, "singular matrix")
    return shaped(x, stack)


def cholesky_banded(ab: Any, *, lower: bool, check_finite: bool) -> Any:
    """The kernel of `linalg.cholesky_banded`."""
    refuse_infinite(check_finite, ab)
    stack = ab.shape[:-2]
    bands = flat(ab, 2, stack, precision(ab))
    if not bands.size:
        return shaped(bands, stack)
    message = "{}-th leading minor not positive definite"
    if lower:
        return shaped(_factorized(bands, stack, message), stack)
    return shaped(_in_upper_half(_factorized(_lower_half(bands), stack, message), bands), stack)


def _chosen(found: Any, selection: Any) -> tuple[Any, Any]:
    w, v = found
    kind, bounds = selection["select"], selection.get("select_range")
    if kind == "i":
        part = slice(bounds[0], bounds[1] + 1)
        return w[..., part], v[..., part]
    if kind == "v":
        low, high = (int((w <= x).sum()) for x in bounds)  # of one matrix: this waits for the GPU
        return w[low:high], v[:, low:high]
    return w, v


def banded_problem(band: Any, *, lower: bool, values_only: bool, selection: Any, max_ev: int) -> Any:
    """The kernel of `linalg.eig_banded`."""
    width = band.shape[-2] - 1
    a = full(band, width, 0) if lower else full(band, 0, width)
    found = _eigen(a if lower else adjoint(a), width, selection["select"] != "a")
    w, v = _chosen(found, selection)
    return w if values_only else (w, v)


def _eigen(a: Any, width: int, selected: bool) -> tuple[Any, Any]:
    """The eigenvalues and vectors by the lower halves of banded matrices, with LAPACK's signs up to 32 rows.

    LAPACK makes complex subdiagonals positive, which determines the tridiagonal matrices.
    """
    stack, n = a.shape[:-2], a.shape[-1]
    if not a.size or n >= library.LARGE:
        return tuple(spectra.eigh(a))
    dtype = precision(a)
    h = spectra.full_hermitian(flat(a, 2, stack, dtype), True)
    scale = spectra.scales(h)
    h = cupy.ascontiguousarray(h / scale)
    if h.dtype.kind == "c":
        h, q = schur.hessenberg_form(h)
        e = cupy.diagonal(h, -1, 1, 2).real
        signs = cupy.cumprod(cupy.where(e < 0, -1, 1), -1)
        q[:, :, 1:] *= signs[:, None, :].astype(e.dtype)
        e = cupy.abs(e)
    else:
        q = identities(len(h), n, h.dtype)
        if width > 1:
            launch("band.cu", "tridiagonalize_band", h.dtype.char, len(h), h, q, n, width)
        e = cupy.diagonal(h, -1, 1, 2)
    w, v, info = spectra.tridiagonal_eigen(cupy.diagonal(h, 0, 1, 2).real, e, q, selected)
    refuse_failures(info, stack, "eig algorithm did not converge")
    return shaped(w * scale[:, :, 0], stack), shaped(v, stack)


def tridiagonal_problem(d: Any, e: Any, *, values_only: bool, selection: Any, driver: str, tol: float) -> Any:
    """The kernel of `linalg.eigh_tridiagonal`."""
    n = d.shape[-1]
    dtype = precision(d, e)
    if e.shape[-1] != n - 1:
        raise ValueError(f"d (shape {d.shape}) must have one more element than e (shape {e.shape})")
    stack = np.broadcast_shapes(d.shape[:-1], e.shape[:-1])
    a = cupy.zeros((*stack, n, n), dtype)
    cupy.einsum("...ii->...i", a)[...] = d
    if n > 1:
        cupy.einsum("...ii->...i", a[..., 1:, :-1])[...] = e
    found = _eigen(a, 1, selection["select"] != "a" or (driver in ("stemr", "stebz") and n > 2))
    w, v = _chosen(found, selection)
    return w if values_only else (w, v)
