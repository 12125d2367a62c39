"""SciPy's spheroidal functions where they do not write beyond their arrays.

In SciPy 1.17.1 these have fixed sizes: `pro_rad2(1, 3, 100.0, 2.0)` and `pro_cv(1, 3, numpy.nan)` end the process.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.special import SpecialFunctionWarning

from ..complex_autograd.dispatch import holds_traced

__all__ = ["Guarded", "is_harmless", "overruns"]

_FAMILIES = ("obl_", "pro_")


def overruns(function: np.ufunc) -> bool:
    """Whether a ufunc of SciPy is not to be called with all arguments."""
    return function.__name__.startswith(_FAMILIES)


def is_harmless(name: str, m: Any, n: Any, c: Any) -> Any:
    """Whether SciPy's arrays suffice, of 200 to 300 elements."""
    if "rad" in name:
        return 50 + n + 2 * np.abs(c) <= 240
    return (40 if "ang" in name else 10) + (n - m) / 2 + np.abs(c) <= 190


class Guarded:
    """A spheroidal ufunc of SciPy that is NaN, with a warning, where it would write beyond its arrays.

    Parameters
    ----------
    function : ufunc
        SciPy's own, or what is called in its place.
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if len(args) < self.function.nin or holds_traced(list(args)):
            return self.function(*args, **keywords)
        m, n, c = (np.asarray(x) for x in args[:3])
        with np.errstate(all="ignore"):
            harmful = ~is_harmless(self.function.__name__, m, n, c)
        if not np.any(harmful):
            return self.function(*args, **keywords)
        if np.any(np.isfinite(c) & harmful):
            warnings.warn(
                f"{self.function.__name__} is NaN where c, m and n are so large that SciPy's function would write "
                "beyond its arrays",
                SpecialFunctionWarning,
                stacklevel=3,
            )
        w = self.function(*args[:2], np.where(harmful, np.ones_like(c), c), *args[3:], **keywords)
        return tuple(_without(x, harmful) for x in w) if isinstance(w, tuple) else _without(w, harmful)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def _without(w: Any, harmful: Any) -> Any:
    """NaN in some places."""
    if not isinstance(w, np.ndarray):
        return w.dtype.type(np.nan) if harmful else w
    w[np.broadcast_to(harmful, w.shape)] = np.nan
    return w
