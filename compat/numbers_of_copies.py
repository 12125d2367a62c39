"""Conversions of traced values in copies, which keep derivatives: `float(x)`, `complex(x)`, `x.item()`, `x.tolist()`.

`float` and `complex` are the types wherever a type is expected.  `int(x)` is an integer, which has no derivative.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..complex_autograd.engine.dispatch import are_mapped
from ..complex_autograd.engine.hooks import HOOKS
from ..complex_autograd.engine.space import dummy
from ..complex_autograd.engine.traced import Traced, raw
from .equality import is_copied

__all__ = ["Complex", "Float"]


class _NumberType(type):
    """Makes a class that is `float` or `complex` to who compares, converts to it or asks for instances.

    Classes below it are those that they would be below `float` or `complex`.
    """

    kind: type
    dtype: Any

    def __call__(cls, *args: Any, **options: Any) -> Any:
        if "kind" not in vars(cls):
            return super().__call__(*args, **options)
        moving = [x for x in args if isinstance(x, Traced) and x._tangent is not None and x.dtype.kind in "fciub"]
        if moving:
            cls.kind(*map(_shown, args))  # which raises and warns as it does of an array
            if cls.kind is complex or moving[0].dtype.kind != "c":
                total = args[0] if len(args) == 1 else args[0] + 1j * args[1]
                return np.reshape(total, ()).astype(cls.dtype)
        return cls.kind(*args, **options)

    def __instancecheck__(cls, instance: Any) -> bool:
        return cls.__subclasscheck__(instance.__class__)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.kind) if "kind" in vars(cls) else super().__subclasscheck__(subclass)

    def __eq__(cls, other: object) -> bool:
        return other is cls or ("kind" in vars(cls) and other is cls.kind)

    def __hash__(cls) -> int:
        return hash(cls.kind) if "kind" in vars(cls) else super().__hash__()


def _shown(x: Any) -> Any:
    """The plain value; of one that is mapped an array of the shape that it shows."""
    return dummy(x.shape, x.dtype) if are_mapped((x,)) else raw(x)


class Float(float, metaclass=_NumberType):
    """`float(x)` of a traced number is that number in double precision."""

    kind, dtype = float, np.dtype(float)


class Complex(complex, metaclass=_NumberType):
    """`complex(x)`, as `float(x)`."""

    kind, dtype = complex, np.dtype(complex)


def _method(kind: type, name: str) -> Any:
    """What `float.__mul__` is to code that calls it on a number itself."""
    theirs = getattr(kind, name)

    @wraps(theirs)
    def call(x: Any, *args: Any) -> Any:
        own = getattr(Traced, name, None) if type(x) is Traced else None
        return (own or theirs)(x, *args)

    return call


for _kind in (Float, Complex):
    _kind.__name__ = _kind.kind.__name__

_OPERATORS = (
    *("abs", "add", "eq", "ge", "gt", "le", "lt", "mul", "ne", "neg", "pos", "pow", "radd", "rmul", "rpow", "rsub"),
    *("rtruediv", "sub", "truediv"),
)
for _name in map("__{}__".format, _OPERATORS):
    setattr(Float, _name, _method(float, _name))
    if hasattr(complex, _name):
        setattr(Complex, _name, _method(complex, _name))


def _kept(convert: Callable[..., Any], keep: Callable[..., Any]) -> Callable[..., Any]:
    """What a method that leads to plain numbers does, with the derivative where a copy calls it."""

    def call(a: Any, *args: Any) -> Any:
        if a._tangent is None or not is_copied(sys._getframe(2).f_globals.get("__name__", "")):
            return convert(a, *args)
        if args:
            _shown(a).item(*args)  # which raises as it does of an array
        return keep(a.astype(np.complex128 if a.dtype.kind == "c" else np.float64), *args)

    return call


def _item(a: Any, *args: Any) -> Any:
    if not args:
        return np.reshape(a, ())[()]
    index = args[0] if len(args) == 1 else args
    return a[index] if isinstance(index, tuple) else np.reshape(a, -1)[index]


def _listed(a: Any) -> Any:
    return [_listed(row) for row in a] if a.ndim else a[()]


def _is_constant(kind: str, caller: Any) -> bool:
    return kind == "int" and is_copied(caller.f_globals.get("__name__", ""))


HOOKS.is_constant = _is_constant
HOOKS.item = _kept(HOOKS.item, _item)
HOOKS.tolist = _kept(HOOKS.tolist, _listed)
