"""Linear and quadratic equations for a matrix."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.linalg import LinAlgError

from . import schur
from .elimination import inv, solved
from .factored import refuse_infinite
from .launching import adjoint as H
from .launching import fail, precision, stack_of

_STEPS = 60
"""Doublings after which an iteration that converges quadratically has failed."""


def lyapunov(a: Any, q: Any) -> Any:
    """The kernel of `linalg.solve_continuous_lyapunov`: `a x + x H(a) = q`."""
    refuse_infinite(True, a, q)
    dtype = precision(a, q)
    r, u = schur.schur_form(a.astype(dtype))
    y = schur.triangular_sylvester(r, r, H(u) @ q.astype(dtype) @ u, adjoint=(False, True))
    return u @ y @ H(u)


def sylvester(a: Any, b: Any, q: Any) -> Any:
    """The solution of `a x + x b = q`."""
    dtype = precision(a, b, q)
    (r, u), (s, v) = schur.schur_form(a.astype(dtype)), schur.schur_form(H(b.astype(dtype)))
    return u @ schur.triangular_sylvester(r, s, H(u) @ q @ v, adjoint=(False, True)) @ H(v)


def stein(a: Any, q: Any, *, method: str | None = None) -> Any:
    """The kernel of `linalg.solve_discrete_lyapunov`: `a x H(a) - x + q = 0`."""
    method = ("direct" if a.shape[-1] < 10 else "bilinear") if method is None else method.lower()
    if method not in ("direct", "bilinear"):
        raise ValueError(f"Unknown solver {method}")
    dtype = np.result_type(precision(a, q), np.float64)
    a, q, n = a.astype(dtype), q.astype(dtype), a.shape[-1]
    if method == "direct":
        stack = stack_of([a, q], [2, 2])
        products = cupy.einsum("...ij,...kl->...ikjl", a, cupy.conj(a)).reshape(*a.shape[:-2], n * n, n * n)
        right = cupy.broadcast_to(q, (*stack, n, n)).reshape(*stack, n * n, 1)
        return solved(cupy.eye(n * n, dtype=dtype) - products, right).reshape(*stack, n, n)
    eye = cupy.eye(n, dtype=dtype)
    back = inv(H(a) - eye)
    b = (H(a) + eye) @ back
    c = 2 * inv(a - eye) @ q @ back
    return lyapunov(H(b), -c)


def _largest(x: Any) -> Any:
    return cupy.abs(x).max((-2, -1), keepdims=True)


# With r0 = s inv(r) H(s): h = q - s inv(r) H(s), a -> a - b inv(r) H(s), g = b inv(r) H(b), and y = H(e) x e in place
# of x where there is an e, for which a becomes inv(e) a and b inv(e) b.
def _reduced(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> tuple[Any, Any, Any]:
    if e is not None:
        a, b = solved(e, a), solved(e, b)
    if s is not None:
        a, q = a - b @ solved(r, H(s)), q - s @ solved(r, H(s))
    return a, b @ solved(r, H(b)), (q + H(q)) / 2


def _undone(y: Any, e: Any) -> Any:
    """`x = inv(H(e)) y inv(e)`, Hermitian."""
    x = y if e is None else H(solved(H(e), H(solved(H(e), y))))
    return (x + H(x)) / 2


def _checked(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
    for x in (a, b, q, r, e, s):
        if x is not None:
            refuse_infinite(True, x)
    if a.shape[-1] != a.shape[-2]:
        raise ValueError("Matrix a should be square.")
    for x in (q, r):
        if bool((_largest(x - H(x)) > 100 * np.finfo(precision(x)).eps * _largest(x)).any()):
            raise ValueError("Matrix q and r should be symmetric/hermitian.")
    kinds = [x for x in (a, b, q, r, e, s) if x is not None]
    dtype = np.result_type(precision(*kinds), np.float64)
    return [None if x is None else x.astype(dtype) for x in (a, b, q, r, e, s)]


# The structure-preserving doubling algorithm: [E. Chu, H. Fan, W. Lin, LAA 396 (2005) 55], for the continuous equation
# after Cayley's transformation, and a step of Newton's at the end.
def _doubled(a: Any, g: Any, h: Any) -> Any:
    eye = cupy.eye(a.shape[-1], dtype=a.dtype)
    for _ in range(_STEPS):
        w = eye + g @ h
        wa, wg = solved(w, a), solved(w, g)
        change = H(a) @ h @ wa
        g = g + a @ wg @ H(a)
        h = h + change
        a = a @ wa
        g, h = (g + H(g)) / 2, (h + H(h)) / 2
        small = _largest(change) <= 4 * np.finfo(a.dtype).eps * _largest(h)
        if bool(small.all()):
            return h
        if not bool(cupy.isfinite(h).all()):
            break
    bad = ~(cupy.isfinite(h).all((-2, -1)) & small[..., 0, 0])
    fail(bad.astype(np.int32), h.shape[:-2], "Failed to find a finite solution.")


def discrete_riccati(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, *, balanced: bool) -> Any:
    """The kernel of `linalg.solve_discrete_are`.

    `h = H(a) x a - H(e) x e - (H(a) x b + s) inv(r + H(b) x b) (H(b) x a + H(s)) + q` is 0.
    """
    if a.shape[-1] == 0:
        return a.astype(np.result_type(a, np.float64))
    a, b, q, r, e, s = _checked(a, b, q, r, e, s)
    reduced, g, h = _reduced(a, b, q, r, e, s)
    y = _doubled(*_stacked(reduced, g, h))
    eye = cupy.eye(y.shape[-1], dtype=y.dtype)
    closed = solved(eye + g @ y, reduced)
    rest = H(reduced) @ y @ closed - y + h
    return _undone(y + stein(H(closed), (rest + H(rest)) / 2), e)


def continuous_riccati(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, *, balanced: bool) -> Any:
    """The kernel of `linalg.solve_continuous_are`."""
    if a.shape[-1] == 0:
        return a.astype(np.result_type(a, np.float64))
    a, b, q, r, e, s = _checked(a, b, q, r, e, s)
    a, g, h = _stacked(*_reduced(a, b, q, r, e, s))
    n = a.shape[-1]
    eye = cupy.eye(n, dtype=a.dtype)
    shift = cupy.sqrt((cupy.abs(a) ** 2).sum((-2, -1), keepdims=True)) + cupy.sqrt(_largest(g) * _largest(h)) * n
    shift = cupy.where(shift == 0, 1, shift)
    moved = a - shift * eye
    by_g = solved(moved, g)
    w = H(moved) + h @ by_g
    middle = solved(w, h)
    start = eye + 2 * shift * H(solved(w, eye))
    g0 = 2 * shift * by_g @ solved(w, eye)
    h0 = 2 * shift * H(solved(H(moved), H(middle)))
    y = _doubled(start, (g0 + H(g0)) / 2, (h0 + H(h0)) / 2)
    closed = a - g @ y
    rest = H(a) @ y + y @ a - y @ g @ y + h
    return _undone(y + lyapunov(H(closed), -(rest + H(rest)) / 2), e)


def _stacked(*arrays: Any) -> list[Any]:
    stack = stack_of(arrays, [2] * len(arrays))
    return [cupy.broadcast_to(x, stack + x.shape[-2:]) for x in arrays]


def levinson(c: Any, r: Any, b: Any) -> Any:
    """The kernel of `linalg.solve_toeplitz`: by elimination of the whole matrix."""
    n = c.shape[-1]
    dtype = np.result_type(c, r, b)
    apart = cupy.arange(n)[:, None] - cupy.arange(n)
    t = cupy.where(apart >= 0, c[..., cupy.maximum(apart, 0)], r[..., cupy.maximum(-apart, 0)])
    try:
        return solved(t, b).astype(dtype, copy=False)
    except LinAlgError as error:
        renamed = LinAlgError(str(error).replace("Singular matrix", "Singular principal minor"))
        if hasattr(error, "batch_index"):
            renamed.batch_index = error.batch_index  # type: ignore[attr-defined]
        raise renamed from error
