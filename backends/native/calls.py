"""Functions of Python's that are C: what is done for each call of a compiled function besides its operations.

They are made by `PyCFunction_NewEx`, and take what they need of Python's stable interface as pointers, so that calls go
without `ctypes`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CellType, MappingProxyType
from typing import Any, Final

import numpy as np

from ..memory import WRITEABLE
from .inner_loops import ALIVE, address_of
from .library import library
from .machine import machine, objects

MISSING: Final = object()
"""What stands for a value that is not there."""

MOST_LEAVES: Final = 200
"""So many arguments, in trees or not, are looked at in C."""
_MOST_AXES = 8
_CONTIGUOUS = 1

_CELL, _NAME, _ITEM, _ATTRIBUTE, _LENGTH, _LIST, _KEYS, _BITS = range(8)
_TUPLE, _LIST_OF, _DICT, _ARRAY, _OF_TYPE, _SAME = range(6)
_FACT = struct.Struct("q3P")
_PART = struct.Struct(f"2q2Pq{_MOST_AXES}q{_MOST_AXES}q")

_CONSTANTS: Final = (bool, int, float, complex, str, bytes, type(None))
"""What is equal where it is the same object, whatever happened to that."""

_PYTHON: Final = (
    *("PyLong_FromSsize_t", "PyObject_Size", "PyObject_GetAttr", "PyObject_GetItem", "PyDict_GetItemWithError"),
    *("PyList_GetItem", "PyDict_Next", "PyErr_Occurred", "PyErr_Clear", "Py_IncRef", "Py_DecRef", "PyTuple_New"),
    *("PyTuple_SetItem", "PyEval_SaveThread", "PyEval_RestoreThread"),
)
"""In the order of `calls.c`."""
_WITH_OBJECT, _WITH_OBJECTS = 8, 128
"""How such a function is called: METH_O and METH_FASTCALL of Python's."""


class _Definition(ctypes.Structure):
    """PyMethodDef of Python's stable interface."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


@cache
def _definition(name: str, how: int) -> int:
    """The address of the definition of a function of the library."""
    found = library()
    assert found is not None
    python = [address_of(getattr(ctypes.pythonapi, name)) for name in _PYTHON]
    found.machine_prepare(struct.pack("16PqP", *python, id(None), bytes.__basicsize__ - 1, objects()))
    made = _Definition(name.encode(), address_of(found[f"machine_{name}"]), how, None)
    ALIVE.append(made)
    return ctypes.addressof(made)


def _function(name: str, how: int, table: int, *alive: Any) -> Callable[..., Any]:
    """A function of the library as one of Python's, with a table and what that points to as its own object."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[..., Any] = make(_definition(name, how), (struct.pack("P", table), *alive), None)
    return made


def runner(plan: int, *alive: Any) -> Callable[..., int]:
    """What runs the plan at an address, which has no blocks, on the objects that it is called with; errors as bits."""
    return _function("call", _WITH_OBJECTS, plan, *alive)


def stepper(repetition: int, *alive: Any) -> Callable[..., int]:
    """What takes the steps of the loop at an address, of the objects that it is called with: `machine_steps`."""
    return _function("steps", _WITH_OBJECTS, repetition, *alive)


def recognizer(args: tuple[Any, ...], facts: Sequence[bytes], *alive: Any) -> Callable[[Any], Any] | None:
    """What returns, of a tuple of arguments, the arrays and numbers of NumPy's in it; None where it does not know.

    It knows where they have the types, shapes, dtypes, strides and trees of `args`, share no memory, the other leaves
    are the same, and the facts hold, as `facts_of` has them.

    Returns
    -------
    function or None
        None where it would never know.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.calls import recognizer
    >>> known = recognizer((numpy.zeros(3), {"a": numpy.ones(2)}), [])
    >>> known is None or (len(known((numpy.ones(3), {"a": numpy.ones(2)}))), known((numpy.ones(3), {}))) == (2, None)
    True
    """
    if machine() is None:
        return None
    parts: list[bytes] = []
    kept: list[Any] = []
    if not _add_parts(parts, kept, args):
        return None
    leaves = sum(part[:8] in (struct.pack("q", _ARRAY), struct.pack("q", _OF_TYPE)) for part in parts)
    if leaves > MOST_LEAVES:
        return None
    parts.append(_part(_SAME, 0, np.ndarray))
    tables = [ctypes.create_string_buffer(b"".join(table), sum(map(len, table)) + 1) for table in (facts, parts)]
    whole = ctypes.create_string_buffer(
        struct.pack("2P3q", *map(ctypes.addressof, tables), len(facts), leaves, leaves == len(args) == len(parts) - 2)
    )
    return _function("recognized", _WITH_OBJECT, ctypes.addressof(whole), whole, tables, kept, *alive)


def _part(
    kind: int,
    count: int,
    of: Any,
    kind_of: Any = None,
    flags: int = 0,
    sizes: tuple[int, ...] = (),
    strides: tuple[int, ...] = (),
) -> bytes:
    """A part, as `calls.c` has it."""
    padding = (0,) * (_MOST_AXES - len(sizes))
    address = 0 if kind_of is None else id(kind_of)
    return _PART.pack(kind, count, id(of), address, flags, *sizes, *padding, *strides, *padding)


def _add_parts(parts: list[bytes], kept: list[Any], x: Any) -> bool:
    """Add what an object is and what is in it; whether that can be told."""
    kind = type(x)
    kept.append(kind)
    if kind in (tuple, list, dict):
        keys = tuple(x) if kind is dict else ()
        kept.append(keys)
        parts.append(_part((tuple, list, dict).index(kind), len(x), kind, keys))
        return all(_add_parts(parts, kept, item) for item in (x.values() if kind is dict else x))
    if kind is np.ndarray and x.ndim <= _MOST_AXES:
        kept.append(x.dtype)
        flags = x.flags.num & (_CONTIGUOUS | WRITEABLE)
        parts.append(_part(_ARRAY, x.ndim, kind, x.dtype, flags, x.shape, x.strides))
        return True
    if issubclass(kind, np.generic):
        parts.append(_part(_OF_TYPE, 0, kind))
        return True
    kept.append(x)
    parts.append(_part(_SAME, 0, x))
    return kind in _CONSTANTS


def of_cell(cell: CellType, value: Any) -> bytes:
    """That a cell holds this."""
    return _FACT.pack(_CELL, id(cell), 0, 0 if value is MISSING else id(value))


def of_name(table: Mapping[Any, Any], name: Any, value: Any) -> bytes | None:
    """That this stands in a table under a name; None where that cannot be told."""
    if type(table) is dict:
        return _FACT.pack(_NAME, id(table), id(name), 0 if value is MISSING else id(value))
    return None if type(table) is not MappingProxyType else _FACT.pack(_ITEM, id(table), id(name), id(value))


def of_attribute(x: Any, name: str, value: Any) -> bytes:
    """That an attribute is this."""
    return _FACT.pack(_ATTRIBUTE, id(x), id(name), id(value))


def of_length(table: Any, length: int) -> bytes:
    """That a table has so many items."""
    return _FACT.pack(_LENGTH, id(table), 0, length)


def of_items(items: Any, before: tuple[Any, ...]) -> bytes | None:
    """That the items of a list, or the keys of a dict, are these; None where that cannot be told."""
    if type(items) not in (list, dict):
        return None
    return _FACT.pack(_LIST if type(items) is list else _KEYS, id(items), 0, id(before))


def of_bits(a: Any, copy: Any) -> bytes | None:
    """That an array has the bits of a copy; None where these do not lie in memory as its own."""
    return _FACT.pack(_BITS, id(a), copy.nbytes, id(copy)) if a.strides == copy.strides else None
