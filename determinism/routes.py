"""The routes on the CPU that are one call of NumPy: the same arguments, the same kind of result, a higher level."""

from __future__ import annotations

from typing import Any

import numpy as np

from .levels import Level
from .policy import Route

_MAX_AXIS = -1


def stable_sort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None) -> Any:
    """Sort as `numpy.sort` does, equal elements (0.0 and -0.0) staying in their order."""
    return np.sort(a, axis, order=order, stable=True)


def stable_argsort(
    a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None
) -> Any:
    """Sort indices as `numpy.argsort` does, equal elements staying in their order."""
    return np.argsort(a, axis, order=order, stable=True)


def sorted_partition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Any:
    """Sort: a sorted array is a partition at every `kth`."""
    return np.sort(a, axis, order=order, stable=True)
