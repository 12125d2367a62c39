"""Ufuncs of SciPy that are called at once while all arguments lie between bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .large_arrays import threaded
from .replaced import Replaced

__all__ = ["ANY", "Bounded", "Bounds", "up_to"]

Bounds = tuple[float, float]
ANY = (-np.inf, np.inf)


def up_to(high: float) -> Bounds:
    """The bounds of what is not greater."""
    return -np.inf, high


class Bounded(Replaced):
    """A ufunc whose values in a domain are those of a kernel, and between bounds of all its arguments SciPy's.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    kernel, domain : callable
        As of `Replaced`.
    bounds : sequence of (float, float)
        Of each argument; without any, they are never asked.
    is_inaccurate : callable, optional
        As of `Replaced`.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        domain: Callable[..., Any],
        bounds: Sequence[Bounds],
        is_inaccurate: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(ufunc, kernel, domain, is_inaccurate=is_inaccurate)
        self.bounds = bounds
        self.plain = threaded(ufunc)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if not keywords and len(args) == len(self.bounds) and all(map(_is_between, args, self.bounds)):
            return self.plain(*args)
        return super().__call__(*args, **keywords)


def _is_between(x: Any, bounds: Bounds) -> bool:
    """Whether a plain number or array is between bounds; what is not a number may be anywhere in an array."""
    low, high = bounds
    kind = type(x)
    if kind is float or kind is int or kind is np.float64:
        return bool(low <= x <= high)
    if kind is not np.ndarray or x.dtype.kind not in "fiu":
        return False
    return not (high < np.inf and np.count_nonzero(x > high)) and not (low > -np.inf and np.count_nonzero(x < low))
