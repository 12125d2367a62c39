"""Questions about the entries of matrices."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from .launching import adjoint


def widths(a: Any) -> Any:
    """The kernel of `linalg.bandwidth`."""
    if a.ndim < 2:
        raise ValueError("Input array should be 2D NumPy array")
    m, n = a.shape[-2:]
    apart = cupy.arange(m)[:, None] - cupy.arange(n)
    used = a != 0
    if not a.size:
        none = cupy.zeros(a.shape[:-2], np.int64)
        return none, none
    return (cupy.where(used, apart, 0).max((-2, -1)), cupy.where(used, -apart, 0).max((-2, -1)))


def _is_equal(a: Any, other: Any, atol: Any, rtol: Any) -> Any:
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        return cupy.zeros(a.shape[:-2], bool)
    if atol is None and rtol is None:
        return (a == other).all((-2, -1))
    return cupy.isclose(a, other, rtol=rtol or 0.0, atol=atol or 0.0).all((-2, -1))


def ishermitian(a: Any, *, atol: Any = None, rtol: Any = None) -> Any:
    """The kernel of `linalg.ishermitian`."""
    return _is_equal(a, adjoint(a), atol, rtol)


def issymmetric(a: Any, *, atol: Any = None, rtol: Any = None) -> Any:
    """The kernel of `linalg.issymmetric`."""
    return _is_equal(a, cupy.swapaxes(a, -1, -2), atol, rtol)
