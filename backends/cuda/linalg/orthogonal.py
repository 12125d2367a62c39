"""Householder's QR factorization, with and without interchanges of columns, and products of reflections."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from . import large, library
from .launching import adjoint, flat, launch, precision, require_matrices, shaped, stack_of

_Result: Any = type(np.linalg.qr(np.ones((1, 1))))


def reflected(a: Any, pivoting: bool = False) -> tuple[Any, Any, Any]:
    """The Householder vectors and r in place of a flat stack, the scales, and the order of the columns."""
    count, m, n = a.shape
    size = min(m, n)
    tau = cupy.zeros((count, size), a.dtype)
    order = cupy.zeros((count, n), np.int32)
    order[...] = cupy.arange(n, dtype=np.int32)
    if pivoting and size > large.LARGEST:
        large.pivoted_qr(a, tau, order)
    elif a.size and (pivoting or size < library.LARGE):
        launch("qr.cu", "householder", a.dtype.char, count, a, tau, order, m, n, pivoting)
    elif a.size:
        status = cupy.zeros(1, np.int32)
        for k in range(count):
            columns = cupy.ascontiguousarray(a[k].T)
            library.qr(columns, tau[k], status)
            a[k] = columns.T
    return a, tau, order


def multiplied(v: Any, tau: Any, columns: int) -> Any:
    """The first columns of the product of reflections, of flat stacks."""
    count, m, n = v.shape
    q = cupy.zeros((count, m, columns), v.dtype)
    used = min(tau.shape[-1], columns)
    if q.size and (min(m, columns) < library.LARGE or n == 0):
        launch("qr.cu", "multiply_reflections", v.dtype.char, count, v, tau, q, m, n, tau.shape[-1], columns)
    elif q.size:
        status = cupy.zeros(1, np.int32)
        for k in range(count):
            rows = cupy.zeros((columns, m), v.dtype)
            rows[:used] = v[k, :, :used].T
            library.reflections(rows, tau[k], status)
            q[k] = rows.T
    return q


def factors(a: Any, complete: bool, pivoting: bool = False) -> tuple[Any, Any, Any]:
    """`q`, `r`, and the order of the columns, of a stack."""
    stack = a.shape[:-2]
    packed, tau, order = reflected(flat(a, 2, stack, precision(a)), pivoting)
    m, n = packed.shape[1:]
    columns = m if complete else min(m, n)
    q, r = multiplied(packed, tau, columns), cupy.triu(packed)[:, :columns]
    return shaped(q, stack), shaped(cupy.ascontiguousarray(r), stack), shaped(order, stack)


def qr(a: Any, mode: str = "reduced") -> Any:
    """`numpy.linalg.qr`."""
    require_matrices(a)
    if mode in ("reduced", "complete"):
        return _Result(*factors(a, mode == "complete")[:2])
    stack = a.shape[:-2]
    packed, tau, _ = reflected(flat(a, 2, stack, precision(a)))
    if mode == "raw":
        return shaped(cupy.ascontiguousarray(cupy.swapaxes(packed, 1, 2)), stack), shaped(tau, stack)
    if mode != "r":
        raise ValueError(f"Unrecognized mode '{mode}'")
    return shaped(cupy.triu(packed)[:, : min(packed.shape[1:])], stack)


def pivoted_qr(a: Any, *, mode: str) -> tuple[Any, Any, Any]:
    """The kernel of `linalg.qr` with `pivoting`."""
    if mode != "raw":
        return factors(a, mode == "full", pivoting=True)
    stack = a.shape[:-2]
    packed, tau, order = reflected(flat(a, 2, stack, precision(a)), True)
    return shaped(cupy.ascontiguousarray(cupy.swapaxes(packed, 1, 2)), stack), shaped(tau, stack), shaped(order, stack)


def orgqr(a: Any, tau: Any) -> Any:
    """The kernel of `linalg.householder_product`."""
    stack, dtype = stack_of([a, tau], [2, 1]), precision(a, tau)
    q = multiplied(flat(a, 2, stack, dtype), flat(tau, 1, stack, dtype), a.shape[-1])
    return shaped(q, stack)


def qr_multiply_values(
    a: Any,
    c: Any,
    *,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> Any:
    """The kernel of `linalg.qr_multiply`: `q @ c` or `c @ q`, with r, and the order of the columns."""
    vector = c.ndim == 1
    c = c[None] if vector and mode == "right" else c[:, None] if vector else c
    m, n = a.shape[-2:]
    short = mode == "left" and c.shape[-2] == min(m, n)
    if mode == "left" and not short and c.shape[-2] != m:
        raise ValueError(f"Array shapes are not compatible for Q @ c operation: {a.shape} vs {c.shape}")
    if mode == "right" and c.shape[-1] != m:
        raise ValueError(f"Array shapes are not compatible for c @ Q operation: {c.shape} vs {a.shape}")
    q, r, order = factors(a, mode == "left" and not short, pivoting)
    if conjugate:
        q = cupy.conj(q)
    product = q @ c if mode == "left" else c @ q
    product = product[..., 0, :] if vector and mode == "right" else product[..., 0] if vector else product
    r = r[..., : min(m, n), :]
    return (product, r, order) if pivoting else (product, r)


def rq_values(
    a: Any, *, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", check_finite: bool = True
) -> Any:
    """The kernel of `linalg.rq`: the factors of the matrix with rows and columns in reverse, turned back.

    With `a = j x j` for the reversal `j`, `H(x) = q r` gives `a = (j H(r) j) (j H(q) j)`; LAPACK's signs make the
    diagonal of `r` real.
    """
    if mode not in ("full", "r", "economic"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic']")
    if check_finite and not bool(cupy.isfinite(a).all()):
        raise ValueError("array must not contain infs or NaNs")
    if a.ndim < 2:
        raise ValueError("expected matrix")
    flipped = adjoint(a)[..., ::-1, ::-1]
    q, r, _ = factors(flipped, complete=mode != "economic")
    r, q = adjoint(r)[..., ::-1, ::-1], adjoint(q)[..., ::-1, ::-1]
    return r if mode == "r" else (r, q)
