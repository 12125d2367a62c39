"""The methods of arrays on a GPU: each is NumPy's function of its name, with the keywords of NumPy's method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import cupy
import numpy as np

from .. import device_named
from .operands import bare, wrapped
from .refusals import REFUSED, refuse_function

_AS_FUNCTIONS = """
    all any argmax argmin argpartition argsort choose clip compress cumprod cumsum diagonal dot max mean min nonzero
    prod put repeat searchsorted squeeze std sum swapaxes take trace var
""".split()  # noqa: SIM905
"""Methods whose arguments are those of the function, after the array."""


def _as_function(function: Any) -> Callable[..., Any]:
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


def _as_cupys(name: str) -> Callable[..., Any]:
    method = getattr(cupy.ndarray, name)
    return lambda self, *args, **kwargs: wrapped(method(bare(self), *bare(args), **bare(kwargs)), type(self))


class Methods:
    """The methods, all but the operators."""

    copy: Any = _as_cupys("copy")
    flatten: Any = _as_cupys("flatten")
    __copy__: Any = _as_cupys("copy")

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """`numpy.ndarray.astype`."""
        given = self.dtype  # type: ignore[attr-defined]
        if casting != "unsafe" and not np.can_cast(given, dtype, casting):
            raise TypeError(
                f"Cannot cast array data from {given!r} to {np.dtype(dtype)!r} according to the rule {casting!r}"
            )
        return self._astype_of(dtype, order, copy=copy)

    _astype_of: Any = _as_cupys("astype")

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def conj(self) -> Any:
        """`numpy.ndarray.conj`."""
        return np.conjugate(self) if self.dtype.kind == "c" else self  # type: ignore[attr-defined, call-overload]

    conjugate = conj

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """`numpy.ndarray.round`."""
        return np.round(self, decimals, out)  # type: ignore[call-overload]

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

    def to_device(self, device: str, /, *, stream: Any = None) -> Any:
        """`numpy.ndarray.to_device`: an explicit copy onto any device."""
        target = device_named(device)
        return cupy.asnumpy(bare(self)) if target.device == "cpu" else target.namespace.asarray(self)

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        """`numpy.ndarray.sort`, in place."""
        self[...] = np.sort(self, axis, kind, order, stable=stable)  # type: ignore[call-overload, index]

    def partition(self, kth: Any, axis: int = -1, kind: Any = "introselect", order: Any = None) -> None:
        """`numpy.ndarray.partition`, in place."""
        self[...] = np.partition(self, kth, axis, kind, order)  # type: ignore[call-overload, index]


def _refused(name: str) -> Any:
    def call(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        refuse_function(f"numpy.ndarray.{name}")

    return call


for _name in REFUSED:
    _owner, _, _name = _name.rpartition(".")
    if _owner == "numpy.ndarray":
        setattr(Methods, _name, _refused(_name))
for _name in _AS_FUNCTIONS:
    setattr(Methods, _name, _as_function(getattr(np, _name)))
