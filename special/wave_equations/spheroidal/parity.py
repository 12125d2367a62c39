"""Kernels of spheroidal functions at negative `c`, by their parity; see `reflected`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...scipy_repairs.hazards import changes_sign

Kernel = Callable[..., tuple[Any, Any]]


def of_parity(kind: str) -> Callable[[Kernel], Kernel]:
    """What makes a kernel of `(sign, m, n, c, value, x)` for positive `c` one for all.

    Parameters
    ----------
    kind : str
        "ang1", "rad1" or "rad2".
    """

    def extended(kernel: Kernel) -> Kernel:
        @wraps(kernel)
        def call(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any, **keywords: Any) -> tuple[Any, Any]:
            plain = raw(c)
            if not np.any(plain < 0):
                return kernel(sign, m, n, c, value, x, **keywords)
            w, derivative = kernel(sign, m, n, np.where(plain < 0, -1.0, 1.0) * c, value, x, **keywords)
            factor = np.where(changes_sign(kind, raw(n), plain), -1.0, 1.0)
            return factor * w, factor * derivative

        return call

    return extended
