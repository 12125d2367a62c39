"""`float` as copies see it: the type in all that asks for a type, and of a traced number what keeps its derivative."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..complex_autograd.engine.traced import Traced, raw

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
