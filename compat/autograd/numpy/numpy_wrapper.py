"""What autograd has in its namespace besides NumPy's functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw

__all__ = ["make_diagonal", "metadata"]


def make_diagonal(D: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Arrays with given diagonals: what `diagonal` with the same axes takes out of them.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> np.make_diagonal(np.array([1.0, 2.0]), axis1=-1, axis2=-2)
    array([[1., 0.],
           [0., 2.]])
    """
    size = D.shape[-1] + abs(offset)
    rows = np.arange(D.shape[-1]) + max(-offset, 0)
    columns = np.arange(D.shape[-1]) + max(offset, 0)
    units = np.zeros((D.shape[-1], size, size))
    units[np.arange(D.shape[-1]), rows, columns] = 1
    return np.moveaxis(np.tensordot(D, units, axes=1), (-2, -1), (axis1, axis2))


def metadata(A: Any) -> Any:
    """Shape, number of axes, dtype, and whether an array is complex.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> np.metadata(1j)
    ((), 0, dtype('complex128'), True)
    """
    A = raw(A)
    return np.shape(A), np.ndim(A), np.result_type(A), np.iscomplexobj(A)
