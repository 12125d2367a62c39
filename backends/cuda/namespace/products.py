"""The products and parts of matrices that `numpy.linalg` has besides those of the main namespace."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..tables import FUNCTIONS, implements
from .borrowed import borrowed
from .generalized import vecdot

FUNCTIONS[np.linalg.multi_dot] = borrowed(np.linalg.multi_dot)


@implements(np.linalg.trace)
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """`numpy.linalg.trace`, of the last two axes."""
    return cupy.trace(cupy.asarray(x), offset, -2, -1, dtype)


@implements(np.linalg.diagonal)
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """`numpy.linalg.diagonal`, of the last two axes."""
    return cupy.diagonal(cupy.asarray(x), offset, -2, -1)


@implements(np.linalg.outer)
def outer(x1: Any, x2: Any, /) -> Any:
    """`numpy.linalg.outer`, of vectors only."""
    x1, x2 = cupy.asarray(x1), cupy.asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.ndim=} and {x2.ndim=}.")
    return cupy.outer(x1, x2)


@implements(np.linalg.tensordot)
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """`numpy.linalg.tensordot`."""
    return cupy.tensordot(cupy.asarray(x1), cupy.asarray(x2), axes)


@implements(np.linalg.vecdot)
def linalg_vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """`numpy.linalg.vecdot`."""
    return vecdot(x1, x2, axis=axis)
