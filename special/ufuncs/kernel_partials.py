"""Derivatives that the C library computes in one pass; formulas of NumPy's functions otherwise.

Where the value is being differentiated again, or more digits are asked for, the formula serves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ...backends.native.elementary import derivative

_PLAIN = (np.ndarray, np.float64, np.float32, np.complex128, np.complex64)


def by_kernel(name: str, formula: Callable[..., Any], *, is_positive: bool = False) -> Callable[..., Any]:
    """A partial derivative `(w, z)` of a function of one argument.

    Parameters
    ----------
    name : str
        The function, as `backends.native.elementary.derivative` calls it.
    formula : callable
        The same at all arguments.
    is_positive : bool
        Whether the kernel is for positive arguments alone.
    """

    @wraps(formula)
    def partial(w: Any, z: Any) -> Any:
        if type(z) in _PLAIN and z.dtype.char in "fdFD":
            kernel = derivative(name)
            has_loop = kernel is not None and (z.dtype.kind == "f" or "D->D" in kernel.types)
            if kernel is not None and has_loop and not (is_positive and np.any(z <= 0)):
                return kernel(z)
        return formula(w, z)

    return partial
