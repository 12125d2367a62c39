"""CPU routes that are a single NumPy call: the same arguments, the same kind of result, a higher level."""

from __future__ import annotations

from typing import Any

import numpy as np

from .levels import Level
from .ways import Route


def stable_sort(
    a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: Any = None, **options: Any
) -> Any:
    """Sort as `numpy.sort` does, but whatever `kind` says, 0.0 and -0.0 keep their order."""
    return np.sort(a, axis, order=order, stable=True, **options)  # NumPy 2.5: descending=


def stable_argsort(
    a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: Any = None, **options: Any
) -> Any:
    """Sort as `numpy.argsort` does, but whatever `kind` says, equal elements keep their order."""
    return np.argsort(a, axis, order=order, stable=True, **options)


NUMPY_ROUTES: dict[str, tuple[Level, Route]] = {
    "empty": (Level.PORTABLE, np.zeros),
    "empty_like": (Level.PORTABLE, np.zeros_like),
    "sort": (Level.PORTABLE, stable_sort),
    "argsort": (Level.PORTABLE, stable_argsort),
}
