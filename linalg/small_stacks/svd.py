"""The adjoint of the singular value decomposition of square matrices: of a small one, or of a stack of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import infinite_diagonal
from .eigh import adjoint, is_clear, is_clear_matrix
from .layout import are_many, blocks, elements, for_each, product, shown, squared_lengths, turned

__all__ = ["stack_svd_gradient", "svd_gradient"]


def svd_gradient(x: tuple[Any, Any, Any], g: tuple[Any, Any, Any], gap: float) -> Any:
    """The cotangent of a single square matrix, whose singular values lie as far apart as `gap` says.

    None if it is not that, or not clear.
    """
    (u, s, vh), (gu, gs, gvh) = x, g
    n = len(s)
    given = [y for y in (u, vh, gu, gvh) if y is not None]
    if any(type(y) is not np.ndarray or y.dtype is not u.dtype or y.shape != (n, n) for y in given):
        return None
    uh = adjoint(u)
    m = 0.0 if gu is None else uh @ gu
    l = 0.0 if gvh is None else vh @ adjoint(gvh)
    together, apart = m + l, m - l
    if not is_clear_matrix(gap, together):
        return None
    sums = s + s[:, None]
    p = apart - adjoint(apart)
    p /= 2 * sums
    together = together - adjoint(together)
    together /= 2 * (s - s[:, None]) + infinite_diagonal(s)
    p += together
    if gs is not None:
        p.ravel()[:: n + 1] += gs
    return u @ p @ vh


def stack_svd_gradient(x: tuple[Any, Any, Any], g: tuple[Any, Any, Any]) -> Any:
    """The cotangent of many small square matrices `u diag(s) vh`, from those of `u`, `s` and `vh`.

    None where they are not that, or where the common way has to see whether the cotangents are of a loss that depends
    on the phases of the vectors, or spoilt by rounding errors.
    """
    u, s, vh = x
    gu, gs, gvh = g
    n = u.shape[-1]
    if vh.shape != u.shape or u.shape[-2] != n or not are_many(u, vh, *[y for y in (gu, gvh) if y is not None]):
        return None
    out = np.empty(u.shape, u.dtype)
    flat = [y if y is None else y.reshape(-1, n, n) for y in (out, u, vh, gu, gvh)]
    values = [y if y is None else y.reshape(-1, n) for y in (s, gs)]
    every = blocks(len(flat[0]), flat[0][0].nbytes)
    done = set()

    def fill(block: slice) -> None:
        matrices = [y if y is None else turned(y[block]) for y in flat[1:]]
        diagonals = [y if y is None else turned(y[block]).T for y in values]
        found = _gradient(*matrices, *diagonals)
        if found is not None:
            flat[0][block] = found
            done.add(block.start)

    for_each(fill, every)
    return out if len(done) == len(every) else None


# ga = u p vh  with  p = diag gs + f o sk(m + l) + e o sk(m - l), as in `svd`.  With the two terms t_ij and d_ij for
# i > j, p_ij = t_ij + d_ij and p_ji = conj(t_ij - d_ij)
def _gradient(u: Any, vh: Any, gu: Any, gvh: Any, s: Any, gs: Any) -> Any:
    """The turned cotangent; None if it is not clear."""
    m = 0.0 if gu is None else elements(product(H(u), gu))
    l = 0.0 if gvh is None else elements(product(vh, H(gvh)))
    together, apart = np.add(m, l, order="C"), np.subtract(m, l, order="C")
    if not is_clear(s[::-1], together, squared_lengths(together)):
        return None
    p = np.empty_like(together)
    for j in range(len(s)):
        p[j, j] = 0 if gs is None else gs[j]
        if p.dtype.kind == "c":
            p[j, j] += 1j * (apart[j, j].imag / (2 * s[j]))
        t = together[j + 1 :, j] - np.conj(together[j, j + 1 :])
        t *= 0.5 / (s[j] - s[j + 1 :])
        d = apart[j + 1 :, j] - np.conj(apart[j, j + 1 :])
        d *= 0.5 / (s[j] + s[j + 1 :])
        np.add(t, d, out=p[j + 1 :, j])
        np.conjugate(np.subtract(t, d, out=t), out=p[j, j + 1 :])
    return product(product(u, shown(p)), vh)
