"""The methods of arrays of mpmath's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..methods import ArrayMethods
from .dispatch import refuse
from .elements import label, numbers


class Methods(ArrayMethods):
    """The methods, all but the operators."""

    host: Any

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """`numpy.ndarray.astype`: to numbers of this precision, after rounding to single precision or less."""
        asked = np.dtype(dtype)
        if asked.kind == "O":
            return self.host.copy()
        if asked.kind not in "fc":
            return self.host.astype(asked)
        target = label(asked)
        if self.dtype.kind == "c" and target.kind == "f":
            return self.real.copy()  # type: ignore[attr-defined]
        if asked.char in "efF":
            rounded = self.rounded().astype(asked)  # type: ignore[attr-defined]
            return self.__class__(numbers(rounded, target), target)  # type: ignore[call-arg]
        if target is self.dtype and not copy:
            return self
        made: Any = self.__class__
        return made(numbers(self.host, target), target)

    def copy(self, order: Any = "C") -> Any:
        """`numpy.ndarray.copy`."""
        made: Any = self.__class__
        return made(self.host.copy(), self.dtype)

    def flatten(self, order: Any = "C") -> Any:
        """`numpy.ndarray.flatten`."""
        made: Any = self.__class__
        return made(self.host.flatten(order), self.dtype)

    def fill(self, value: Any) -> None:
        """`numpy.ndarray.fill`."""
        self[...] = value  # type: ignore[index]

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """`numpy.ndarray.view`, of the same numbers."""
        if dtype is not None or type is not None:
            refuse("numpy.ndarray.view with another type")
        return self[...]  # type: ignore[index]

    def item(self, *index: Any) -> Any:
        """`numpy.ndarray.item`: one of mpmath's numbers."""
        return self.host.item(*index)

    def tolist(self) -> Any:
        """`numpy.ndarray.tolist`: nested lists of mpmath's numbers."""
        return self.host.tolist()

    def partition(self, kth: Any, axis: int = -1, kind: Any = "introselect", order: Any = None) -> None:
        """`numpy.ndarray.partition`, in place."""
        self.sort(axis)
