"""Derivatives where the function has a value, and NaN where it has none."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from ..ufuncs.ufunc_rules import Partial


def where_known(derivative: Partial) -> Partial:
    """A partial derivative `(w, *args)` that is NaN where `w` is NaN."""

    @wraps(derivative)
    def partial(w: Any, *args: Any) -> Any:
        is_nan = np.isnan(raw(w[0] if isinstance(w, tuple) else w))
        if np.size(is_nan) and np.all(is_nan):
            return tuple(np.nan * x for x in w) if isinstance(w, tuple) else np.nan * w  # and so are its own
        found = derivative(w, *args)
        if not np.any(is_nan):
            return found
        known = np.where(is_nan, np.nan, 1.0)
        return tuple(known * x for x in found) if isinstance(found, tuple) else known * found

    return partial
