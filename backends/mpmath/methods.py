"""The methods of arrays of mpmath's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..methods import ArrayMethods
from .dispatch import refuse
from .elements import label, numbers


class Methods(ArrayMethods):
    """The methods, all but the operators."""

    def astype(
        self: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """`numpy.ndarray.astype`: to numbers of this precision, after rounding to single precision or less."""
        asked = np.dtype(dtype)
        if asked.kind == "O":
            return self.host.copy()
        if asked.kind not in "fc":
            return self.host.astype(asked)
        target = label(asked)
        if self.dtype.kind == "c" and target.kind == "f":
            return self.real.copy()
        if asked.char in "efF":
            rounded = self.rounded().astype(asked)
            return self.__class__(numbers(rounded, target), target)
        if target is self.dtype and not copy:
            return self
        return self.__class__(numbers(self.host, target), target)

    def copy(self: Any, order: Any = "C") -> Any:
        """`numpy.ndarray.copy`."""
        return self.__class__(self.host.copy(), self.dtype)

    def flatten(self: Any, order: Any = "C") -> Any:
        """`numpy.ndarray.flatten`."""
        return self.__class__(self.host.flatten(order), self.dtype)

    def fill(self: Any, value: Any) -> None:
        """`numpy.ndarray.fill`."""
        self[...] = value

    def view(self: Any, dtype: Any = None, type: Any = None) -> Any:
        """`numpy.ndarray.view`, of the same numbers."""
        if dtype is not None or type is not None:
            refuse("numpy.ndarray.view with another type")
        return self[...]

    def item(self: Any, *index: Any) -> Any:
        """`numpy.ndarray.item`: one of mpmath's numbers."""
        return self.host.item(*index)

    def tolist(self: Any) -> Any:
        """`numpy.ndarray.tolist`: nested lists of mpmath's numbers."""
        return self.host.tolist()

    def partition(self: Any, kth: Any, axis: int = -1, kind: Any = "introselect", order: Any = None) -> None:
        """`numpy.ndarray.partition`, in place."""
        self.sort(axis)
