"""Values of SciPy's ufuncs that are corrected in a few places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .bounded import Bounded, Bounds
from .large_arrays import threaded

__all__ = ["Corrected"]


class Corrected(Bounded):
    """A ufunc of one output whose values are SciPy's, computed at once, and at few elements those of a kernel.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    kernel : callable
        Of vectors of double precision: the better values.
    where : callable
        The mask of the elements to correct, of the same arguments; or False.
    *bounds : (float, float)
        Of each argument: between them there is nothing to correct.
    """

    def __init__(self, ufunc: np.ufunc, kernel: Callable[..., Any], where: Callable[..., Any], *bounds: Bounds) -> None:
        better = _where_finite(kernel, ufunc)
        super().__init__(ufunc, better, _nowhere, bounds, is_inaccurate=lambda w, *args: where(*args))
        self.where = where

    def called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        if keywords or len(args) != self.ufunc.nin or not _are_plain(args):
            return super().called(args, keywords)
        w = threaded(self.ufunc)(*args)
        with np.errstate(all="ignore"):
            mask = self.where(*args)
            if np.any(mask):
                here = np.broadcast_to(mask & np.isfinite(sum(args)), w.shape)
                w[here] = self.kernel(*[np.broadcast_to(x, w.shape)[here] for x in args])
        return w

    def of_numbers(self, args: Sequence[Any]) -> Any:
        numbers = [np.float64(x) for x in args]
        with np.errstate(all="ignore"):
            is_ours = np.isfinite(sum(numbers)) and self.where(*numbers)
        return None if is_ours else self.ufunc(*args)


def _where_finite(kernel: Callable[..., Any], ufunc: np.ufunc) -> Callable[..., Any]:
    """The kernel, but SciPy's values where it overflows on its way."""

    def value(*args: Any) -> Any:
        w = kernel(*args)
        return np.where(np.isfinite(w), w, ufunc(*args))

    return value


def _are_plain(args: Any) -> bool:
    """Whether they are arrays of double precision, and numbers."""
    arrays = [x for x in args if type(x) is np.ndarray]
    is_double = all(x.dtype == np.float64 and x.ndim for x in arrays)
    return bool(arrays) and is_double and all(type(x) in (float, int, np.ndarray) for x in args)


def _nowhere(*args: Any) -> Any:
    return np.zeros_like(args[0], dtype=bool)
