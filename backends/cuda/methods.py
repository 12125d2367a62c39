"""The methods of arrays on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import cupy
import numpy as np

from .. import device_named
from ..methods import ArrayMethods, as_function
from .operands import bare, wrapped
from .refusals import REFUSED, refuse_function


def _as_cupys(name: str) -> Callable[..., Any]:
    method = getattr(cupy.ndarray, name)
    return lambda self, *args, **kwargs: wrapped(method(bare(self), *bare(args), **bare(kwargs)), type(self))


class Methods(ArrayMethods):
    """The methods, all but the operators."""

    copy: Any = _as_cupys("copy")
    flatten: Any = _as_cupys("flatten")
    __copy__: Any = _as_cupys("copy")

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """`numpy.ndarray.astype`."""
        given = self.dtype
        if casting != "unsafe" and not np.can_cast(given, dtype, casting):
            raise TypeError(
                f"Cannot cast array data from {given!r} to {np.dtype(dtype)!r} according to the rule {casting!r}"
            )
        return self._astype_of(dtype, order, copy=copy)

    _astype_of: Any = _as_cupys("astype")

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def to_device(self, device: str, /, *, stream: Any = None) -> Any:
        """`numpy.ndarray.to_device`: an explicit copy onto any device."""
        target = device_named(device)
        return cupy.asnumpy(bare(self)) if target.device == "cpu" else target.namespace.asarray(self)

    argpartition: Any = as_function("argpartition")

    def partition(self: Any, kth: Any, axis: int = -1, kind: Any = "introselect", order: Any = None) -> None:
        """`numpy.ndarray.partition`, in place."""
        self[...] = np.partition(self, kth, axis, kind, order)


def _refused(name: str) -> Any:
    def call(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        refuse_function(f"numpy.ndarray.{name}")

    return call


for _name in REFUSED:
    _owner, _, _name = _name.rpartition(".")
    if _owner == "numpy.ndarray":
        setattr(Methods, _name, _refused(_name))
