"""Numbers of traced values as copies see them, which keep their derivatives: `float(x)`, `x.item()` and `x.tolist()`.

`float` is the type in all that asks for a type.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..complex_autograd.engine.trace import FUNCTIONS
from ..complex_autograd.engine.traced import Traced, raw
from .equality import is_copied

__all__ = ["Float"]


class _FloatType(type):
    """Makes a class that is `float` to who compares, converts to it or asks for instances."""

    def __call__(cls, *args: Any) -> Any:
        if args and isinstance(args[0], Traced) and args[0]._tangent is not None and args[0].dtype.kind in "fiub":
            builtins.float(raw(args[0]))  # which raises and warns as it does of an array
            return np.reshape(args[0], ()).astype(np.float64)
        return builtins.float(*args)

    def __instancecheck__(cls, instance: Any) -> bool:
        return issubclass(instance.__class__, builtins.float)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, builtins.float)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is builtins.float

    def __hash__(cls) -> int:
        return hash(builtins.float)


class Float(builtins.float, metaclass=_FloatType):
    """`float(x)` of a traced number is that number in double precision."""

    dtype = np.dtype(builtins.float)


def _kept(convert: Callable[..., Any], keep: Callable[..., Any]) -> Callable[..., Any]:
    """What a method that leads to plain numbers does, with the derivative where a copy calls it."""

    def call(a: Any, *args: Any) -> Any:
        if a._tangent is None or not is_copied(sys._getframe(2).f_globals.get("__name__", "")):
            return convert(a, *args)
        raw(a).item(*args) if args else None  # which raises as it does of an array
        return keep(a.astype(np.complex128 if a.dtype.kind == "c" else np.float64), *args)

    return call


def _item(a: Any, *args: Any) -> Any:
    if not args:
        return np.reshape(a, ())[()]
    index = args[0] if len(args) == 1 else args
    return a[index] if isinstance(index, tuple) else np.reshape(a, -1)[index]


def _listed(a: Any) -> Any:
    return [_listed(row) for row in a] if a.ndim else a[()]


FUNCTIONS["item"] = _kept(FUNCTIONS["item"], _item)
FUNCTIONS["tolist"] = _kept(FUNCTIONS["tolist"], _listed)
