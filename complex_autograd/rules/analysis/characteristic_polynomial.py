"""The characteristic polynomial `det(s - a)`, which is smooth at equal and defective eigenvalues, as these are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.errors import NotDifferentiableError
from ...engine.primitive import linear, primitive
from ...engine.traced import raw

_SEPARATE = 1e-3
"""Relative distance of eigenvalues, and inverse condition of the eigenvectors, from which they have derivatives that
are accurate to the second order."""

_ACCURATE = 1e-6
"""Relative error of the recursion of Faddeev and LeVerrier up to which second derivatives are taken from it."""


def has_separate_eigenvalues(a: Any) -> bool:
    """Whether the derivative of each eigenvalue by itself exists and is accurate."""
    if not np.all(np.isfinite(a)):
        return True
    w, v = np.linalg.eig(a)
    distances = np.abs(w[:, None] - w) + np.diag(np.full(len(w), np.inf))
    is_apart = np.all(distances > _SEPARATE * np.abs(w))
    return bool(is_apart and np.linalg.cond(v) * _SEPARATE < 1)


_ROUNDING = 1e-6
"""Relative size up to which imaginary parts are rounding errors."""


@linear(family="data movement")
def real_coefficients(p: Any) -> Any:
    """The coefficients of a polynomial whose roots are real or conjugate pairs: real where the roots stay so."""
    if np.any(np.abs(np.imag(p)) > _ROUNDING * np.max(np.abs(p), initial=0.0)):
        raise NotDifferentiableError(
            "numpy.poly",
            "its roots are real or conjugate pairs, so that the result is real, and in this direction they do not stay "
            "so, and the result would be complex. Multiply the factors, with numpy.convolve, for a complex result",
            "seq_of_zeros",
        )
    return np.real(p)


@real_coefficients.adjoint(0)
def _(g: Any, p: Any) -> Any:
    return g.astype(p.dtype)


@primitive(family="eigenvalues")
def characteristic_polynomial(a: Any) -> Any:
    """`numpy.poly` of a matrix: the coefficients of `det(s - a)`, highest power first."""
    return np.poly(a)


@characteristic_polynomial.space_of
def _(a: Any) -> Any:
    return (len(a) + 1,), np.poly(raw(a)).dtype


# p(s) = det(s - a)  =>  dp(s) = -tr(adj(s - a) da)
@characteristic_polynomial.differential
def _(p: Any, a: Any, da: Any) -> Any:
    dp = -np.sum(adjugate_polynomial(a).transpose(0, 2, 1) * da, axis=(1, 2))
    dp = dp if p.dtype.kind == dp.dtype.kind else real_coefficients(dp)
    return np.concatenate([np.zeros_like(raw(dp)[:1]), dp])


@primitive(family="eigenvalues")
def adjugate_polynomial(a: Any) -> Any:
    """The coefficients `b` of `adj(s - a) = b[0] s^(n-1) + ... + b[n-1]`, by the Schur form of `a`.

    Of a triangular matrix with the first row `t, r` and the rest `u`, the adjugate has that of `u` times `s - t`, above
    it `r adj(s - u)`, and `det(s - u)` in the corner: nothing is divided, and nothing cancels that need not.
    """
    from scipy.linalg import schur

    n = len(a)
    u, q = schur(a, output="complex")
    b, rest = np.zeros((n, n, n), u.dtype), np.ones(1, u.dtype)  # b by power of s, the lowest first
    for i in reversed(range(n)):
        below = b[:, i + 1 :, i + 1 :]
        b[:, i, i + 1 :] = u[i, i + 1 :] @ below
        b[: n - i, i, i] = rest
        below[1:], below[0] = below[:-1] - u[i, i] * below[1:], -u[i, i] * below[0]
        rest = np.convolve(rest, [-u[i, i], 1])
    b = q @ b[::-1] @ q.conj().T
    return b if np.iscomplexobj(a) else np.ascontiguousarray(b.real)


@adjugate_polynomial.space_of
def _(a: Any) -> Any:
    return (len(a), *a.shape), a.dtype


# b[k] = a b[k-1] + p[k] with the characteristic polynomial p (Faddeev, LeVerrier), p[k] = -tr(a b[k-1]) / k
@adjugate_polynomial.differential
def _(b: Any, a: Any, da: Any) -> Any:
    one = np.eye(len(a))
    found, dp = np.eye(len(a), dtype=a.dtype), characteristic_polynomial(a)
    db, parts = da * 0, [da * 0]
    for k in range(1, len(a)):
        found = raw(a) @ found + raw(dp)[k] * one
        db = a @ db + da @ b[k - 1] - np.sum(b[k - 1].T * da) * one
        parts.append(db)
        if np.max(np.abs(found - raw(b[k]))) > _ACCURATE * np.max(np.abs(raw(b[k]))):
            raise NotDifferentiableError(
                "numpy.poly",
                "its eigenvalues are of such different sizes that its second derivative would be lost in rounding",
                "the matrix",
            )
    return np.stack(parts)
