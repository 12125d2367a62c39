"""How the unitary matrices of a generalized Schur form rotate with the pair: two coupled triangular equations.

For quasi-triangular `s` and `t`, and `m` and `n` given, `x` and `y` are zero but below the diagonal blocks with

    x s - s y = m  and  x t - t y = n  there.

With triangles, column after column: with `m'` and `n'` what is left of the right sides, `b = t_jj s - s_jj t` of the
rows below the block of column `j`, and `r = |s_jj|^2 + |t_jj|^2`,

    b y_j = s_jj n' - t_jj m',   x_j = (conj(s_jj) (m' + s y_j) + conj(t_jj) (n' + t y_j)) / r

Pairs of rows of a real form are made triangular by unitary matrices of their own first.  `pencil_rotations(p, q)` is
this map from `q = (m, n)` to `(x, y)`, for `p = (s, t)`, each stacked; `pencil_rotations_back(p, g)` is its adjoint.
With `(x, y) = pencil_rotations(p, q)` and `(k, l) = pencil_rotations_back(p, g)`,

    d pencil_rotations(p, q) = pencil_rotations(p, dq - (x ds - ds y, x dt - dt y))
    d pencil_rotations_back(p, g) = pencil_rotations_back(p, dg - (k H(ds) + l H(dt), -H(ds) k - H(dt) l))
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...complex_autograd.rules.products.matrix_products import H
from ..kernels.partly_linear import PartlyLinear, declare_adjoint_pair
from ..kernels.stacks import kernel
from .quasi_triangles import Blocks


class _Triangles:
    """A pair of quasi-triangular matrices made triangular; `left` and `right` are None where it is triangular."""

    def __init__(self, p: Any) -> None:
        s, t = p
        starts = np.flatnonzero(np.diagonal(s, -1))
        self.left: Any = None
        self.right: Any = None
        if len(starts):
            self.left, self.right = (np.eye(len(s), dtype=np.result_type(s, np.complex64)) for _ in range(2))
            for k in starts:
                rows = slice(k, k + 2)
                *_, self.left[rows, rows], self.right[rows, rows] = scipy.linalg.qz(
                    s[rows, rows], t[rows, rows], "complex"
                )
            s, t = (np.triu(self.left.conj().T @ x @ self.right) for x in (s, t))
        self.s, self.t = s, t


def _below_blocks(block: Any) -> Any:
    """Where the rows below the block of each column start."""
    return np.searchsorted(block, block, side="right")


@kernel(3)
def generalized_values(p: Any) -> Any:
    """The eigenvalues of a pair in homogeneous coordinates, in two rows."""
    triangles = _Triangles(p)
    return np.stack([np.diagonal(triangles.s), np.diagonal(triangles.t)]).astype(np.result_type(p, np.complex64))


@kernel(3, 3, 1)
def rotations_values(p: Any, q: Any, block: Any) -> Any:
    """`(x, y)`, stacked."""
    triangles = _Triangles(p)
    s, t, left, right = triangles.s, triangles.t, triangles.left, triangles.right
    m, n = q if left is None else (left.conj().T @ k @ right for k in q)
    x, y = np.zeros((2, *m.shape), np.result_type(s, m))
    for j, end in enumerate(_below_blocks(block)):
        if end < len(s):
            s_jj, t_jj, below = s[j, j], t[j, j], (slice(end, None), slice(end, None))
            m_j = m[end:, j] - x[end:, :j] @ s[:j, j]
            n_j = n[end:, j] - x[end:, :j] @ t[:j, j]
            y[end:, j] = _solved(t_jj * s[below] - s_jj * t[below], s_jj * n_j - t_jj * m_j)
            total = np.conj(s_jj) * (m_j + s[below] @ y[end:, j]) + np.conj(t_jj) * (n_j + t[below] @ y[end:, j])
            x[end:, j] = total / (np.abs(s_jj) ** 2 + np.abs(t_jj) ** 2)
    if left is not None:
        x, y = left @ x @ left.conj().T, right @ y @ right.conj().T
    return _in_kind(np.stack([x, y]), p, q)


@kernel(3, 3, 1)
def rotations_back_values(p: Any, g: Any, block: Any) -> Any:
    """The adjoint of `rotations_values` in its second argument."""
    triangles = _Triangles(p)
    s, t, left, right = triangles.s, triangles.t, triangles.left, triangles.right
    gx, gy = g if left is None else (left.conj().T @ g[0] @ left, right.conj().T @ g[1] @ right)
    gx = gx.astype(np.result_type(s, gx))
    m, n = np.zeros((2, *gx.shape), gx.dtype)
    ends = _below_blocks(block)
    for j in range(len(s) - 1, -1, -1):
        end = ends[j]
        if end < len(s):
            s_jj, t_jj, below = s[j, j], t[j, j], (slice(end, None), slice(end, None))
            scaled = gx[end:, j] / (np.abs(s_jj) ** 2 + np.abs(t_jj) ** 2)
            s_back, t_back = s[below].conj().T, t[below].conj().T
            known = -gy[end:, j] - s_back @ (s_jj * scaled) - t_back @ (t_jj * scaled)
            z = _solved(t_jj * s[below] - s_jj * t[below], known, trans="C")
            m[end:, j] = s_jj * scaled + np.conj(t_jj) * z
            n[end:, j] = t_jj * scaled - np.conj(s_jj) * z
            gx[end:, :j] -= np.outer(m[end:, j], s[:j, j].conj()) + np.outer(n[end:, j], t[:j, j].conj())
    if left is not None:
        m, n = left @ m @ right.conj().T, left @ n @ right.conj().T
    return _in_kind(np.stack([m, n]), p, g)


def _solved(triangle: Any, right: Any, trans: str = "N") -> Any:
    if np.any(np.diagonal(triangle) == 0):
        raise LinAlgError(
            "generalized eigenvalues in different blocks of the Schur form are equal, where it has no derivative"
        )
    return scipy.linalg.solve_triangular(triangle, right, trans=trans, check_finite=False)


def _in_kind(out: Any, *like: Any) -> Any:
    """The result in the dtype of the arguments."""
    dtype = np.result_type(*like)
    return (out if dtype.kind == "c" else out.real).astype(dtype, copy=False)


@PartlyLinear
def pencil_rotations(p: Any, q: Any, *, blocks: Blocks) -> Any:
    """The skew parts of both unitary matrices below the blocks."""
    return rotations_values(p, q, blocks.number)


@PartlyLinear
def pencil_rotations_back(p: Any, g: Any, *, blocks: Blocks) -> Any:
    """The adjoint of `rotations` in its second argument."""
    return rotations_back_values(p, g, blocks.number)


declare_adjoint_pair(pencil_rotations, pencil_rotations_back)


def halves(p: Any) -> tuple[Any, Any]:
    """The two matrices of a pair."""
    return p[..., 0, :, :], p[..., 1, :, :]


@pencil_rotations.differential
def _(w: Any, p: Any, q: Any, dp: Any, dq: Any, *, blocks: Blocks) -> Any:
    dp = dp * (1 - blocks.below[..., None, :, :])
    x, y = halves(w)
    return pencil_rotations(p, dq - (x[..., None, :, :] @ dp - dp @ y[..., None, :, :]), blocks=blocks)


@pencil_rotations_back.differential
def _(w: Any, p: Any, g: Any, dp: Any, dg: Any, *, blocks: Blocks) -> Any:
    back = H(dp * (1 - blocks.below[..., None, :, :]))
    moved = np.stack([np.sum(w @ back, axis=-3), -np.sum(back @ w, axis=-3)], axis=-3)
    return pencil_rotations_back(p, dg - moved, blocks=blocks)
