"""The adjoint of the singular value decomposition of one small square matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elementary.triangles import infinite_diagonal
from .eigh import adjoint, is_clear_matrix

__all__ = ["svd_gradient"]


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
