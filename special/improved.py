"""Ufuncs of SciPy whose values are improved here: called as the ufunc is, with its keywords.

`scipy.special` keeps its own objects; those of `wirtinger.special` are made here where SciPy's values are too coarse.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.operands import operands
from ..complex_autograd.primitive import primitive

__all__ = ["Improved"]


@primitive
def improved_value(w: Any, *, value: Any) -> Any:
    """A better value in the place of another, with its derivatives."""
    return value


@improved_value.differential
def _(x: Any, w: Any, dw: Any, *, value: Any) -> Any:
    return dw


@improved_value.adjoint_by_hand
def _(g: Any, x: Any, w: Any, *, value: Any) -> Any:
    return (g,)


class Improved:
    """A ufunc with better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives and whose other attributes (`nin`, `types`, ...) are shown.
    better : callable
        `(w, *args)` of plain arrays: the better value, from SciPy's `w`.
    example : str
        What to add to the documentation.
    """

    def __init__(self, ufunc: np.ufunc, better: Callable[..., Any], example: str = "") -> None:
        self.ufunc = ufunc
        self.better = better
        self.__name__ = ufunc.__name__
        self.__doc__ = (ufunc.__doc__ or "") + example
        self.__signature__ = inspect.signature(ufunc)

    def __call__(self, *args: Any, out: Any = None, where: Any = True, **keywords: Any) -> Any:
        nin = self.ufunc.nin
        args, out = args[:nin], args[nin] if len(args) > nin else out
        w = self.ufunc(*args, out=out, where=where, **keywords)
        if holds_traced(list(args)):
            plain = [raw(a) for a in operands(*args)]
            return improved_value(w, value=self._improved(raw(w), plain, where))
        improved = self._improved(w, operands(*args), where)
        if out is None:
            return improved
        target = out[0] if isinstance(out, tuple) else out
        target[...] = improved
        return target

    def _improved(self, w: Any, args: Any, where: Any) -> Any:
        with np.errstate(all="ignore"):
            better = self.better(w, *args).astype(w.dtype)
        return (better if where is True else np.where(where, better, w))[()]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(f, numpy.ufunc)` holds."""
        return np.ufunc

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)

    def __repr__(self) -> str:
        return repr(self.ufunc)
