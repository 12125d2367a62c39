"""SciPy's tests for the exact type of an array: a traced array answers as the plain one would."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from scipy._lib._array_api import is_array_api_obj

from ....complex_autograd.engine.traced import Traced
from .linear_algebra import solve_as_numpy
from .values import either

__all__ = ["ARRAY_NAMESPACES"]


def _is_writeable(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Numbers are not, and are copied into an array."""

    @wraps(theirs)
    def call(x: Any) -> bool:
        return issubclass(x.__class__, np.ndarray) if isinstance(x, Traced) else theirs(x)

    return call


def _is_numpy(theirs: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(theirs)
    def call(x: Any) -> bool:
        return isinstance(x, Traced) or theirs(x)

    return call


_HELPERS = is_array_api_obj.__module__
"""In `scipy._lib.array_api_compat`, from SciPy 1.18 on in `scipy._external`."""

ARRAY_NAMESPACES = {
    _HELPERS: {"is_numpy_array": _is_numpy, "is_writeable_array": _is_writeable},
    _HELPERS.replace("common._helpers", "numpy.linalg"): {"solve": lambda theirs: either(theirs, solve_as_numpy)},
}
"""By module and name, what makes the replacement."""
