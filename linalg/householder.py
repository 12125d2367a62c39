"""The Householder vectors of a QR factorization, as LAPACK's `geqrf` returns them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["householder_vectors"]


def householder_vectors(a: Any) -> tuple[Any, Any]:
    """LAPACK's `h`, transposed as NumPy has it, and `tau`.

    Column by column, with `x` what is left of it from the diagonal down, `beta = -sign(Re x_0) norm(x)` goes to the
    diagonal, `v = x / (x_0 - beta)`, whose first element is 1, below it, `tau = (beta - x_0) / beta`, and the columns
    to the right become `(1 - conj(tau) v H(v)) a`.  Where `x` has one element and that is real, `tau = 0`.
    """
    m, n = a.shape[-2:]
    columns, scales = [], []
    for k in range(min(m, n)):
        above, x, rest = a[..., :k, k], a[..., k:, k], a[..., k + 1 :]
        alpha = x[..., :1]
        if m - k == 1 and a.dtype.kind != "c":
            columns.append(a[..., :, k])
            scales.append(0 * alpha)
            continue
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
