"""Everything a function reads besides its arguments: closures, globals, defaults and attributes, as recorded.

A program is valid for the values found when it was recorded.  Before each run they are compared with the current
values: objects by identity, arrays by their bits, so that in-place changes are detected.  A function that reads an
object whose changes cannot be detected is not compiled.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import is_not
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...backends.native import calls
from ...backends.native.calls import MISSING
from ..array.call_sites import is_of_users
from ..engine.traced import Traced
from ..transforms.transformed import TransformedFunction
from .names import DRAWING, OF_ENTROPY, OF_PYTHON, OF_THE_WORLD, is_pure, may_draw, names_in

_MOST = 10_000
"""How many objects are looked at; a function that reads more is not compiled."""

_CONSTANTS: tuple[type, ...] = (
    *(int, float, complex, bool, str, bytes, type(None), range, slice, np.dtype, np.generic, np.ufunc, Traced),
    *(type(Ellipsis), type(NotImplemented), CodeType),
)
"""What never changes, and what has its own way of being noticed."""

_OPEN = OF_THE_WORLD | OF_ENTROPY
"""Names of what is not watched."""


class Environment:
    """What a function reads besides its arguments, and what it was.

    Parameters
    ----------
    roots : sequence
        The function, and objects among its arguments.

    Attributes
    ----------
    is_open : bool
        Whether it reads what cannot be watched.
    may_draw : bool
        Whether it names a global generator of random numbers, or a copy of another package, which may count.
    """

    __slots__ = (
        *("_arrays", "_attributes", "_cells", "_count", "_lengths", "_modules", "_names", "_seen", "_sequences"),
        *("is_open", "may_draw"),
    )

    def __init__(self, roots: Sequence[Any]) -> None:
        self._cells: list[tuple[CellType, Any]] = []
        self._names: list[tuple[Mapping[Any, Any], Any, Any]] = []
        self._attributes: list[tuple[Any, str, Any]] = []
        self._lengths: list[tuple[Mapping[Any, Any], int]] = []
        self._sequences: list[tuple[Collection[Any], tuple[Any, ...]]] = []
        self._arrays: list[tuple[Any, Any]] = []
        self._seen: dict[int, Any] = {}
        self._modules: set[tuple[str, tuple[str, ...]]] = set()
        self._count = 0
        self.is_open = self.may_draw = False
        self._walk_all(roots)
        self._seen.clear()

    def has_changed(self) -> bool:
        """Whether anything is not what it was."""
        for cell, value in self._cells:
            if _contents(cell) is not value:
                return True
        for table, name, value in self._names:
            if table.get(name, MISSING) is not value:
                return True
        for x, name, value in self._attributes:
            if getattr(x, name, MISSING) is not value:
                return True
        for table, length in self._lengths:
            if len(table) != length:
                return True
        for items, before in self._sequences:
            if len(items) != len(before) or any(map(is_not, items, before)):
                return True
        return any(not has_same_bits(a, copy) for a, copy in self._arrays)

    def facts(self) -> list[bytes] | None:
        """That nothing has changed, as `backends/native/calls.py` has it; None where it cannot tell."""
        found = [
            *(calls.of_cell(*x) for x in self._cells),
            *(calls.of_name(*x) for x in self._names),
            *(calls.of_attribute(*x) for x in self._attributes),
            *(calls.of_length(*x) for x in self._lengths),
            *(calls.of_items(*x) for x in self._sequences),
            *(calls.of_bits(*x) for x in self._arrays),
        ]
        known = [fact for fact in found if fact is not None]
        return known if len(known) == len(found) else None

    def _walk(self, x: Any) -> None:
        kind = type(x)
        if issubclass(kind, _CONSTANTS) or id(x) in self._seen or self.is_open:
            return
        self._seen[id(x)] = x
        self._count += 1
        if self._count > _MOST:
            self.is_open = True
        elif kind is np.ndarray:
            self._walk_array(x)
        elif getattr(x, "__name__", "") in _OPEN and not is_of_users(x.__module__):
            self.is_open = True
        elif kind is FunctionType:
            self._walk_function(x)
        elif kind is MethodType:
            self._walk_all((x.__func__, x.__self__))
        elif kind is BuiltinFunctionType and not issubclass(type(x.__self__), (ModuleType, type(None))):
            self._walk(x.__self__)
        elif kind in (BuiltinFunctionType, ModuleType):
            self._walk_library(x.__module__ if kind is BuiltinFunctionType else x.__name__)
        elif type(kind.__module__) is not str:  # functions of Cython's have a module as those of Python's do
            self._walk_library(str(x.__module__))
        elif kind in (staticmethod, classmethod):
            self._walk(x.__func__)
        elif kind is property:
            self._walk_all((x.fget,))
        elif kind in (functools.partial, TransformedFunction):
            self._walk_all((x.func, x.args, x.keywords))
        elif kind is dict:
            self._walk_table(x)
        elif kind is list:
            self._sequences.append((x, tuple(x)))
            self._walk_all(x)
        elif issubclass(kind, (tuple, frozenset)):
            self._walk_all(x)
        elif issubclass(kind, type):
            self._walk_class(x)
        else:
            self._walk_object(x)

    def _walk_all(self, items: Any) -> None:
        for x in items:
            self._walk(x)

    def _walk_array(self, x: Any) -> None:
        if x.dtype.hasobject:
            self.is_open = True
        else:
            self._arrays.append((x, x.copy(order="K")))

    def _walk_object(self, x: Any) -> None:
        kind = type(x)
        if not is_of_users(kind.__module__):
            self.may_draw |= may_draw(kind.__module__)
            watched = getattr(x, "__wrapped__", None)
            if watched is not None and callable(x):
                self._walk(watched)
            elif not (kind.__module__ or "").startswith(__name__.partition(".")[0] + "."):
                self.is_open = True
            return
        if issubclass(kind, (list, dict, set, np.ndarray)):
            self.is_open = True
            return
        if hasattr(x, "__dict__"):
            self._walk_table(vars(x))
        for name in {name for owner in kind.__mro__ for name in _slots(owner)}:
            value = getattr(x, name, MISSING)
            self._attributes.append((x, name, value))
            self._walk(value)
        self._walk(kind)

    def _walk_class(self, kind: Any) -> None:
        if not is_of_users(kind.__module__):  # as `datetime`, which reads a clock
            self._walk_library(str(kind.__module__))
        for owner in kind.__mro__ + type(kind).__mro__:
            if is_of_users(owner.__module__):
                self._lengths.append((vars(owner), len(vars(owner))))
                public = [name for name, x in vars(owner).items() if not _is_of_python(name, x)]
                self._walk_names(vars(owner), public)

    def _walk_table(self, table: Mapping[Any, Any]) -> None:
        """All of a dict: what is added to it is noticed, too, and another order."""
        self._sequences.append((table, tuple(table)))
        self._walk_names(table, table)

    def _walk_names(self, table: Mapping[Any, Any], names: Iterable[Any]) -> None:
        for name in names:
            self._names.append((table, name, table.get(name, MISSING)))
            if name in table:
                self._walk(table[name])

    def _walk_function(self, f: FunctionType) -> None:
        names = names_in(f.__code__)
        for cell in f.__closure__ or ():
            value = _contents(cell)
            self._cells.append((cell, value))
            if type(value) is ModuleType:
                self._walk_module(value, names.all)
            elif value is not MISSING:
                self._walk(value)
        if not is_of_users(f.__globals__.get("__name__")):
            self._walk_library(str(f.__globals__.get("__name__")))
            return
        for name in ("__defaults__", "__kwdefaults__", "__code__"):
            self._attributes.append((f, name, getattr(f, name)))
        self._walk_all((f.__defaults__, f.__kwdefaults__))
        if vars(f):
            self._lengths.append((vars(f), len(vars(f))))
            self._walk_names(vars(f), [name for name in vars(f) if name != "__wrapped__"])
        if not (_OPEN.isdisjoint(names.all) and OF_PYTHON.isdisjoint(names.globals)):
            self.is_open = True
        for name in names.globals:
            self._walk_module(f.__globals__.get(name), names.all)
        self._walk_names(f.__globals__, names.globals)
        for name in names.imports:
            package = f.__globals__.get("__package__")
            module = sys.modules.get(name) or sys.modules.get(f"{package}.{name}")
            if module is None:
                self.is_open = True  # the first call imports it
            for part in (module, sys.modules.get(name.partition(".")[0])):
                self._walk_module(part, names.all)

    def _walk_module(self, module: Any, names: tuple[str, ...]) -> None:
        """The names of a module of the user's that a function may read."""
        if type(module) is not ModuleType or (module.__name__, names) in self._modules:
            return
        self._modules.add((module.__name__, names))
        self._seen[id(module)] = module
        if not is_of_users(module.__name__):
            self._walk_library(module.__name__)
            self.may_draw |= not DRAWING.isdisjoint(names)
            return
        if "__getattr__" in vars(module):
            self.is_open = True
        for name in names:
            self._walk_module(vars(module).get(name), names)
        self._walk_names(vars(module), names)

    def _walk_library(self, name: str) -> None:
        """What is installed is taken for unchanging where it reads nothing of the world."""
        self.may_draw |= may_draw(name)
        if not is_pure(name):
            self.is_open = True


def _is_of_python(name: str, x: Any) -> bool:
    """Whether an attribute of a class is what Python, or a decorator of its library, put there."""
    is_field = type(x).__name__ in ("_tuplegetter", "member_descriptor", "getset_descriptor")
    is_written = "<" in getattr(getattr(x, "__code__", None), "co_filename", "")
    is_other = name.startswith("__") and type(x) is not FunctionType
    return is_field or is_written or is_other or name in ("_abc_impl", "__annotate_func__", "__repr__")


def _slots(owner: type) -> Sequence[str]:
    slots: Any = vars(owner).get("__slots__", ()) if is_of_users(owner.__module__) else ()
    return [slots] if issubclass(type(slots), str) else [name for name in slots if name != "__dict__"]


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def has_same_bits(a: Any, copy: Any) -> bool:
    """Whether an array is what it was, the signs of zeros included."""
    return bool(a.shape == copy.shape and a.dtype == copy.dtype and a.tobytes() == copy.tobytes())
