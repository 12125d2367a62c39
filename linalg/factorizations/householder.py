"""Householder vectors: those that LAPACK's `geqrf` returns for a QR factorization, and products of reflections."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import rectangular_identity
from ..kernels.lapack import routine
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import some_traced
from ..systems.triangular import triangular_solution


def householder_vectors(a: Any) -> tuple[Any, Any]:
    """LAPACK's `h`, transposed as NumPy has it, and `tau`.

    Column by column, with `x` what is left of it from the diagonal down, `beta = -sign(Re x_0) norm(x)` goes to the
    diagonal, `v = x / (x_0 - beta)`, whose first element is 1, below it, `tau = (beta - x_0) / beta`, and the columns
    to the right become `(1 - conj(tau) v H(v)) a`.  Where `x` has one element and that is real, `tau = 0`.
    """
    m, n = a.shape[-2:]
    if min(m, n) == 0:
        return a.mT, np.reshape(a, (*a.shape[:-2], 0))
    original = a
    columns, scales = [], []
    for k in range(min(m, n)):
        above, x, rest = a[..., :k, k], a[..., k:, k], a[..., k + 1 :]
        alpha = x[..., :1]
        if m - k == 1 and a.dtype.kind != "c":
            columns.append(a[..., :, k])
            scales.append(0 * alpha)
            continue
        if _is_finished(x):
            h, scale = jumping_vectors(original, column=k, factors=np.linalg.qr(raw(original), "raw"))
            return h, scale
        beta = -np.copysign(1.0, np.real(alpha)) * np.linalg.norm(x, axis=-1, keepdims=True)
        tau = (beta - alpha) / beta
        below = x[..., 1:] / (alpha - beta)
        columns.append(np.concatenate([above, beta + 0 * alpha, below], axis=-1))
        scales.append(tau)
        v = np.concatenate([np.ones_like(alpha), below], axis=-1)[..., None]
        remaining = rest[..., k:, :]
        reflected = remaining - np.conj(tau)[..., None] * v * np.sum(np.conj(v) * remaining, axis=-2, keepdims=True)
        rest = np.concatenate([rest[..., :k, :], reflected], axis=-2)
        a = np.concatenate([a[..., : k + 1], rest], axis=-1)
    columns += [a[..., :, k] for k in range(min(m, n), n)]
    return np.stack(columns, axis=-2), np.concatenate(scales, axis=-1)


def _is_finished(x: Any) -> bool:
    """Whether LAPACK reflects nothing in some item, because below the diagonal all is zero already."""
    x = raw(x)
    return bool(np.any(np.all(x[..., 1:] == 0, axis=-1) & (np.imag(x[..., 0]) == 0)))


@primitive(family="QR")
def jumping_vectors(a: Any, *, column: int, factors: Any) -> Any:
    """The vectors and scales, as given, where they jump."""
    return factors


@jumping_vectors.differential
def _(x: Any, a: Any, da: Any, *, column: int, factors: Any) -> Any:
    raise NotDifferentiableError(
        "numpy.linalg.qr",
        f"mode='raw' jumps where column {column} is zero below the diagonal before it is reached, and real on it. The "
        "factors themselves have a derivative there: use mode='reduced'",
        "a",
    )


@kernel(2, 1)
def orgqr(a: Any, tau: Any) -> Any:
    """LAPACK's `orgqr`."""
    dtype = np.result_type(a, tau, np.float32)
    if tau.size == 0 or a.size == 0:
        return np.eye(*a.shape, dtype=dtype)
    multiply = routine("orgqr", a, tau)
    work = multiply(a, tau, lwork=-1)[1][0]
    return multiply(a, tau, lwork=int(work.real))[0]


@public(A=2, tau=1)
def householder_product(A: Any, tau: Any) -> Any:
    """The first columns of a product of Householder reflections `1 - tau v H(v)`.

    With the vectors as the columns of `v`, `s` the strictly upper triangle of `H(v) v` and `t = diag(tau)`, the product
    is `1 - v inv(1 + t s) t H(v)`, which is differentiated as it is, in `A` and `tau`.

    Parameters
    ----------
    A : array_like (..., M, N)
        The vectors `v` in columns, M >= N: zero above the diagonal and one on it; only what is below it is read.
    tau : array_like (..., K)
        Their scales, K <= N.

    Returns
    -------
    ndarray (..., M, N)
        The first N columns of the product of the K reflections.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> h, tau = np.linalg.qr(np.array([[3.0], [4.0]]), "raw")
    >>> np.linalg.householder_product(h.T, tau)
    array([[-0.6],
           [-0.8]])
    """
    a, tau = operands(A, tau)
    if a.ndim < 2 or a.shape[-2] < a.shape[-1]:
        raise ValueError(f"the number of vectors must not exceed their length; the shape of A is {a.shape}")
    if tau.ndim < 1 or tau.shape[-1] > a.shape[-1]:
        raise ValueError(f"there are more scale factors than vectors: the shapes are {a.shape} and {tau.shape}")
    if not some_traced(a, tau):
        return orgqr(a, tau)
    m, n = a.shape[-2:]
    v = np.tril(a[..., :, : tau.shape[-1]], -1) + rectangular_identity(a, m, tau.shape[-1])
    t = tau[..., :, None]
    product = H(v) @ v
    middle = triangular_solution(t * product, t * H(v[..., :n, :]), lower=False, unit=True)
    return rectangular_identity(a, m, n) - v @ middle
