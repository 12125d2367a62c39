"""Derivatives that the C library computes in one pass, of real arguments; formulas of NumPy's functions otherwise.

Where the value is being differentiated again, or more digits are asked for, the formula serves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ...backends.native.elementary import derivative
from ...backends.native.large_arrays import LARGE, over_threads

_REAL = (np.dtype(np.float64), np.dtype(np.float32))
_PLAIN = (np.ndarray, np.float64, np.float32)


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

    Returns
    -------
    callable
        Its attribute `of_large` is the same at large arrays `[z]`, times a factor where one is given, in one pass over
        the memory; None where the kernel does not serve.
    """

    @wraps(formula)
    def partial(w: Any, z: Any) -> Any:
        if type(z) in _PLAIN and z.dtype in _REAL:
            kernel = derivative(name)
            if kernel is not None and not (is_positive and np.any(z <= 0)):
                return kernel(z)
        return formula(w, z)

    def of_large(args: Sequence[Any], factor: Any = None) -> Any:
        (z,) = args
        kernel = derivative(name) if type(z) is np.ndarray and z.size >= LARGE else None
        if kernel is None or (is_positive and np.any(z <= 0)):
            return None
        return over_threads(kernel, args, factor)

    vars(partial)["of_large"] = of_large
    return partial
