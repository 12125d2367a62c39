"""Python's and other libraries' queries of a traced value: its class, length, hash and namespace.

Callers branch on the answers, so these are the answers of the plain value.  Queries that would lose the derivative
raise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dis import opmap
from functools import partial
from typing import Any

import numpy as np

from .memory import plain

_PACKAGE = __name__.partition(".")[0]
_OUTSIDE = frozenset({"__instancecheck__", "isscalar"})
_ASKING = _OUTSIDE | {"_matmul_dispatch", "isdense"}
"""Functions by which SciPy's sparse arrays look whether an operand is a plain array: of others, and their own."""

_OPERATORS = frozenset(
    ("__add__", "__matmul__", "__mul__", "__radd__", "__rmatmul__", "__rmul__", "__rsub__", "__sub__", "__truediv__")
)


def asks_whose_operator(frame: Any) -> bool:
    """Whether a function of SciPy's sparse arrays, called by one of their operators, looks what the other operand is.

    What is no array there makes the operator `NotImplemented`, and then Python asks the operand.  An operator in an
    algorithm of SciPy's does not count: it may end as soon as the values, and not the derivatives, have converged.
    """
    is_operator = False
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("scipy.sparse._") and frame.f_code.co_name not in _OUTSIDE:
            return is_operator and not module.startswith("scipy.")
        is_operator |= frame.f_code.co_name in _OPERATORS
        frame = frame.f_back
    return is_operator


_LEAVES: dict[type, bool] = {}


def leaves_operator_to(x: Any) -> bool:
    """Whether the operators of NumPy's arrays leave an operand to its own, as `__array_ufunc__ = None` asks.

    Without that attribute a priority above that of arrays asks the same; tables and tensors hold arrays.
    """
    kind = type(x)
    if kind not in _LEAVES:
        priority = getattr(kind, "__array_priority__", 0)
        is_above = issubclass(type(priority), (int, float)) and priority > 0 and not hasattr(kind, "__array__")
        _LEAVES[kind] = kind.__array_ufunc__ is None if hasattr(kind, "__array_ufunc__") else is_above
    return _LEAVES[kind]


SHOWN = [False]
"""Whether code outside of this package sees the class of traced values, as code that is built on autograd expects."""

_BINARY, _COMPARING = opmap["BINARY_OP"], opmap["COMPARE_OP"]
_REMAINDERS = (6, 19)
"""What stands behind that instruction for `%` and `%=`."""


def is_formatting(frame: Any) -> bool:
    """Whether a frame is at the operator `%`, which asks for a number of Python's only to write text."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return at >= 0 and code[at] == _BINARY and code[at + 1] in _REMAINDERS


def is_at_operator(frame: Any) -> bool:
    """Whether a frame is at an operator of two arguments, and not at a call."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return at >= 0 and code[at] in (_BINARY, _COMPARING)


class AbsentError(AttributeError, TypeError):
    """What `hasattr` takes for no, and what a call of `len` is to raise."""


class AsPlain(type):
    """The class of a class that stands for others: `isinstance(x, Iterable)` asks only those, by `x.__class__`."""

    @property
    def __mro__(cls) -> tuple[type, ...]:
        """The bases; none for what looks in them for the methods of a protocol, which a number has not."""
        frame = sys._getframe(1)
        is_asked = frame.f_code.co_name == "_check_methods" and frame.f_globals.get("__name__") == "collections.abc"
        return () if is_asked else type.__dict__["__mro__"].__get__(cls)


class AsOfPlain:
    """A method that not every value has: `hasattr` answers as for the plain one.

    Parameters
    ----------
    method : callable
        The method.
    name : str
        Its name.
    """

    def __init__(self, method: Callable[[Any], Any], name: str) -> None:
        self.method, self.name = method, name

    def __get__(self, x: Any, owner: type | None = None) -> Any:
        if x is None:
            return self.method
        kind = x.__class__
        if not hasattr(kind, self.name):
            called = "len() of a single number: " if self.name == "__len__" else ""
            raise AbsentError(f"{called}'{kind.__module__}.{kind.__name__}' object has no attribute '{self.name}'")
        return partial(self.method, x)


class Iterated(AsOfPlain):
    """The method `__iter__`: a number has it for a loop, which it tells what it is, but not for `hasattr`."""

    def __get__(self, x: Any, owner: type | None = None) -> Any:
        if x is None or "__iter__" not in sys._getframe(1).f_code.co_consts:
            return self.method if x is None else partial(self.method, x)
        return super().__get__(x, owner)


class Protocols(metaclass=AsPlain):
    """The protocols that are not operators."""

    __slots__ = ()

    _value: Any
    _tangent: Any
    _tracer: Any
    shape: Any

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of the plain value: `isinstance` takes the branch that it takes for that."""
        frame = sys._getframe(1)
        if frame.f_code.co_name in _ASKING and asks_whose_operator(frame):
            return type(self)
        if SHOWN[0] and frame.f_globals.get("__name__", "").partition(".")[0] != _PACKAGE:
            return type(self)
        return self._value.__class__  # type: ignore[no-any-return]

    def __hash__(self) -> int:
        if self._tangent is None:
            return hash(plain(self, "__hash__")[()])
        if not issubclass(self.__class__, np.generic):
            raise TypeError(f"unhashable type: '{self.__class__.__module__}.{self.__class__.__name__}'")
        self._tracer.refuse("hash")
        raise TypeError(
            "unhashable type: a traced number. Equal numbers can have different derivatives, but would share one entry "
            "of a dict or a cache. Use their indices as keys; call the function below functools.lru_cache, "
            "f.__wrapped__(x); or drop the derivative on purpose: wirtinger.stop_gradient(x)."
        )

    def __array_namespace__(self, *, api_version: Any = None) -> Any:
        np.empty(0).__array_namespace__(api_version=api_version)  # which raises for a version that NumPy has not
        return sys.modules[__package__.split(".")[0]]

    def __dlpack__(self, **options: Any) -> Any:
        return plain(self, "__dlpack__").__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._value.__dlpack_device__()

    def _length(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]  # type: ignore[no-any-return]

    def _is_integer(self) -> bool:
        return bool(self == np.floor(self))  # type: ignore[call-overload]

    __len__: Any = AsOfPlain(_length, "__len__")
    is_integer: Any = AsOfPlain(_is_integer, "is_integer")
