"""The methods of arrays of mpmath's numbers: each is NumPy's function of its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .dispatch import refuse
from .elements import label, numbers

_AS_FUNCTIONS = """
    all any argmax argmin argsort choose clip cumprod cumsum diagonal dot max mean min nonzero prod put repeat
    round searchsorted squeeze std sum swapaxes take trace var
""".split()  # noqa: SIM905
"""Methods whose arguments are those of the function, after the array."""


class Methods:
    """The methods, all but the operators."""

    host: Any
    dtype: Any

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """`numpy.ndarray.astype`: to floating-point numbers of any kind, those of this precision."""
        asked = np.dtype(dtype)
        if asked.kind == "O":
            return self.host.copy()
        if asked.kind not in "fc":
            return self.host.astype(asked)
        target = label(asked)
        if self.dtype.kind == "c" and target.kind == "f":
            return self.real.copy()  # type: ignore[attr-defined]
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

    def conj(self) -> Any:
        """`numpy.ndarray.conj`."""
        return np.conjugate(self) if self.dtype.kind == "c" else self  # type: ignore[call-overload]

    conjugate = conj

    def fill(self, value: Any) -> None:
        """`numpy.ndarray.fill`."""
        self[...] = value  # type: ignore[index]

    def compress(self, condition: Any, axis: Any = None, out: Any = None) -> Any:
        """`numpy.ndarray.compress`."""
        return np.compress(condition, self, axis, out)  # type: ignore[call-overload]

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

    def ravel(self, order: Any = "C") -> Any:
        """`numpy.ndarray.ravel`."""
        return np.ravel(self, order)  # type: ignore[call-overload]

    def reshape(self, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
        """`numpy.ndarray.reshape`."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, order=order, copy=copy)  # type: ignore[call-overload]

    def transpose(self, *axes: Any) -> Any:
        """`numpy.ndarray.transpose`."""
        order = axes[0] if len(axes) == 1 else axes or None
        return np.transpose(self, order)  # type: ignore[call-overload]

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        """`numpy.ndarray.sort`, in place."""
        self[...] = np.sort(self, axis, kind, order, stable=stable)  # type: ignore[call-overload, index]

    def partition(self, kth: Any, axis: int = -1, kind: Any = "introselect", order: Any = None) -> None:
        """`numpy.ndarray.partition`, in place."""
        self.sort(axis)


def _as_function(function: Any) -> Callable[..., Any]:
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


for _name in _AS_FUNCTIONS:
    setattr(Methods, _name, _as_function(getattr(np, _name)))
