"""Symbols: arrays that record the operations applied to them.

A symbol holds example values, and so the shapes, dtypes and strides that NumPy gives to results; every operation on a
symbol is applied to the example and recorded.  If this package's own code asks for a concrete value, it continues with
the example's, and the program gets a guard.  If the user's code asks for one, an error is raised.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..engine.forward import CONSTANT
from ..engine.hooks import HOOKS
from ..engine.protocols import AsOfPlain, AsPlain, Iterated
from ..engine.trace import MAPPING
from ..engine.traced import Traced, peel
from .flat import Flat
from .frames import operator_at
from .instructions import Attribute, Method
from .values import LEAVES


def _asked(question: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The method by which Python asks a symbol for a number."""
    return lambda self: self._recorder.looked_at(self, question)


class Symbol(metaclass=AsPlain):
    """An array, or a number, of a program that is being recorded.

    Attributes
    ----------
    _example : array or number
        What it is while the program is recorded.
    _recorder
        What records its operations.
    _place : Value
        Its place in the program.
    """

    __slots__ = ("__weakref__", "_example", "_place", "_recorder")
    __array_priority__ = 100.0

    _example: Any
    _recorder: Any
    _place: Any

    def __init__(self, example: Any, recorder: Any, place: Any) -> None:
        self._example = example
        self._recorder = recorder
        self._place = place

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        inputs = tuple(map(peel, inputs))
        if not all(map(_is_compatible, inputs)) or any(type(x) is Traced for x in kwargs.get("out", ())):
            return NotImplemented
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        if issubclass(type(inputs[0]), np.generic) and not self.shape and not kwargs:
            function = operator_at(sys._getframe(1), function)
        return self._recorder.record(function, inputs, kwargs)

    def __array_function__(self, function: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        if any(kind.__name__ in ("Traced", "Zero") for kind in kinds):
            return NotImplemented
        return self._recorder.record(function, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        if MAPPING[0] and HOOKS.holds_batches((index,)):
            return Traced(self, CONSTANT, None)[index]
        return self._recorder.record(operator.getitem, (self, index), {})

    def __setitem__(self, index: Any, value: Any) -> None:
        self._recorder.record(operator.setitem, (self, index, value), {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._example, name)
        if callable(found):
            return _Bound(self, Method(name))
        if name in _OF_SPACES:
            known = self._recorder.flags
            return known.setdefault(self._place.number, found) if name == "flags" else found
        if name in ("T", "mT"):
            return self._recorder.record(Attribute(name), (self,), {})
        raise self._recorder.refused_attribute(name)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(x, numpy.ndarray)` holds."""
        return type(self._example)

    @property
    def flat(self) -> Any:
        return Flat(self)

    def __hash__(self) -> int:
        return hash(self._constant("__hash__"))

    def __str__(self) -> str:
        return str(self._constant("__str__"))

    def __format__(self, spec: str) -> str:
        return format(self._constant("__format__"), spec)

    def _constant(self, asked: str) -> Any:
        """The numbers, where these follow from nothing that the program is given."""
        if self._recorder.is_constant(self):
            return self._example
        raise self._recorder.refused_attribute(asked)

    def __round__(self, ndigits: int | None = None) -> Any:
        if type(self._example) is np.ndarray or self.dtype.kind == "c":
            return round(self._example)  # raises
        return int(np.rint(self)) if ndigits is None else np.round(self, ndigits)

    def __array_namespace__(self, *, api_version: Any = None) -> Any:
        return self._example.__array_namespace__(api_version=api_version)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    # what is known without computing

    @property
    def shape(self) -> tuple[int, ...]:
        return getattr(self._example, "shape", ())

    @property
    def dtype(self) -> np.dtype[Any]:
        example = self._example
        return example.dtype if hasattr(example, "dtype") else np.asarray(example).dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def real(self) -> Any:
        return self._recorder.record(Attribute("real"), (self,), {})

    @real.setter
    def real(self, value: Any) -> None:
        self.real[...] = value

    @property
    def imag(self) -> Any:
        return self._recorder.record(Attribute("imag"), (self,), {})

    @imag.setter
    def imag(self, value: Any) -> None:
        self.imag[...] = value

    def _length(self) -> int:
        return len(self._example)

    def _elements(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    __len__, __iter__ = AsOfPlain(_length, "__len__"), Iterated(_elements, "__iter__")

    def copy(self, order: str = "C") -> Any:
        is_number = type(self._example) is not np.ndarray
        return self if is_number else self._recorder.record(Method("copy"), (self,), {"order": order})

    # what would make a concrete value of it

    __bool__, __int__, __float__ = _asked(bool), _asked(int), _asked(float)
    __complex__, __index__ = _asked(complex), _asked(operator.index)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        found = np.array(self._recorder.looked_at(self, np.array), dtype)
        if copy is None and self._recorder.is_constant(self):
            found.flags.writeable = False  # what is written there would be written nowhere
        return found

    def item(self, *args: Any) -> Any:
        chosen = self if not args else self[args if len(args) > 1 else args[0]]
        kind = {"c": complex, "f": float, "b": bool}.get(self.dtype.kind, int)
        return chosen._recorder.looked_at(chosen, kind)

    def tolist(self) -> Any:
        return self._recorder.looked_at(self, np.array).tolist()

    def __repr__(self) -> str:
        return f"Symbol({self.dtype.name}, shape={self.shape})"


LEAVES.add(Symbol)


class _Bound:
    """A method of a symbol."""

    __slots__ = ("function", "symbol")

    def __init__(self, symbol: Symbol, function: Method) -> None:
        self.symbol = symbol
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.symbol._recorder.record(self.function, (self.symbol, *args), kwargs)


_OF_SPACES = ("device", "flags", "itemsize", "nbytes", "size", "strides")
"""Attributes that follow from shape, dtype and memory order."""

_PLAIN = (Symbol, np.ndarray, np.generic, bool, int, float, complex, list, tuple, type(None), str)


def _is_compatible(x: Any) -> bool:
    return issubclass(type(x), _PLAIN)


def are_among(x: Any, symbols: Iterable[Symbol]) -> bool:
    """Whether a call returned arguments: the real part of a real array is the array."""
    if type(x) is tuple:
        return all(are_among(part, symbols) for part in x)
    return any(x is symbol for symbol in symbols)


def _operator(ufunc: Any, reflected: bool = False) -> Callable[[Symbol, Any], Any]:
    def operate(self: Symbol, other: Any) -> Any:
        other = peel(other)
        if not _is_compatible(other):
            return NotImplemented
        return self._recorder.record(ufunc, (other, self) if reflected else (self, other), {})

    return operate


def _in_place(ufunc: Any) -> Callable[[Symbol, Any], Any]:
    def operate(self: Symbol, other: Any) -> Any:
        other, is_number = peel(other), type(self._example) is not np.ndarray
        if not _is_compatible(other):
            if type(other) is Traced and not is_number:
                self[...] = other  # which is refused: without this, Python would give the name to another array
            return NotImplemented
        if is_number or ufunc is operator.ipow:
            return self._recorder.record(ufunc, (self, other), {})
        self._recorder.record(ufunc, (self, other), {"out": (self,)})
        return self

    return operate


def _unary(ufunc: Any) -> Callable[[Symbol], Any]:
    def operate(self: Symbol) -> Any:
        return self._recorder.record(ufunc, (self,), {})

    return operate


_function: Any
for _name, _function in {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "pow": operator.pow,
    "matmul": operator.matmul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}.items():
    setattr(Symbol, f"__{_name}__", _operator(_function))
    setattr(Symbol, f"__r{_name}__", _operator(_function, reflected=True))
for _name, _function in {
    "iadd": np.add,
    "isub": np.subtract,
    "imul": np.multiply,
    "itruediv": np.true_divide,
    "ifloordiv": np.floor_divide,
    "imod": np.remainder,
    "iand": np.bitwise_and,
    "ior": np.bitwise_or,
    "ixor": np.bitwise_xor,
    "ilshift": np.left_shift,
    "irshift": np.right_shift,
    "imatmul": np.matmul,
    "ipow": operator.ipow,  # which squares where the exponent is 2
}.items():
    setattr(Symbol, f"__{_name}__", _in_place(_function))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Symbol, f"__{_name}__", _operator(getattr(operator, _name)))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Symbol, f"__{_name}__", _unary(getattr(operator, _name)))
