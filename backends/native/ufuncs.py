"""Ufuncs of SciPy with loops of the C library in the place of some of theirs.

NumPy's table of C functions is reached through `ctypes`: `PyUFunc_FromFuncAndData` makes a ufunc of pointers to loops.
The pointers of the other loops, most of those of complex numbers, are read from SciPy's ufunc, whose fields are part of
NumPy's binary interface.  Where anything is not as expected there is no such ufunc, and SciPy's own serves.

A loop of ours is given SciPy's for the same types beside its own, and calls that where SciPy has an error to report.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy._core import _multiarray_umath

from .library import library

_DTYPES = {"f": "float32", "d": "float64", "D": "complex128", "F": "complex64"}
"""In an order in which real arguments of complex loops are taken in double precision, as by SciPy."""
_PYTHON_OBJECT = object.__basicsize__
_FROM_FUNC_AND_DATA = 1
"""Where the function stands in NumPy's table: numpy/_core/code_generators/numpy_api.py."""
_NO_IDENTITY = -1
_ALIVE: list[object] = []
"""What the ufuncs point to."""
_TYPES: Final[dict[np.ufunc, frozenset[str]]] = {}
"""Of each ufunc the types of which it has loops of the library."""
_OWN: Final[set[np.ufunc]] = set()
"""The ufuncs of `ufunc_of`."""


class _Fields(ctypes.Structure):
    """The first fields of a ufunc after those of every Python object: numpy/ufuncobject.h."""

    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("loops", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.c_void_p),
    )


class _Fallback(ctypes.Structure):
    """SciPy's loop for the same types, as `loops.h` has it."""

    _fields_ = (("loop", ctypes.c_void_p), ("data", ctypes.c_void_p))


@cache
def with_kernels(function: np.ufunc) -> np.ufunc | None:
    """A ufunc with the library's loops of its name, and otherwise those of SciPy's; None where it has none.

    Parameters
    ----------
    function : ufunc
        SciPy's.

    Returns
    -------
    ufunc or None
        The same for all types, with the values of the library for those that it has loops of.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.ufuncs import with_kernels
    >>> with_kernels(numpy.add) is None
    True
    """
    kernels = _loops_of(function)
    fields = _fields_of(function) if kernels else None
    make = maker() if fields else None
    if fields is None or make is None:
        return None
    count, nargs = fields.ntypes, fields.nargs
    types = ctypes.string_at(fields.types, count * nargs)
    loops, data = (ctypes.c_void_p * count)(), (ctypes.c_void_p * count)()
    fallbacks = (_Fallback * count)()
    for k in range(count):
        loops[k], data[k] = fields.loops[k], fields.data[k]
        own = kernels.get(function.types[k])
        if own is not None:
            fallbacks[k] = _Fallback(loops[k], data[k])
            loops[k], data[k] = own, ctypes.addressof(fallbacks[k])
    name = function.__name__.encode()
    _ALIVE.append((types, loops, data, fallbacks, name))
    pointers = ctypes.addressof(loops), ctypes.addressof(data)
    nin, nout = fields.nin, fields.nout
    made = make(*pointers, types, count, nin, nout, fields.identity, name, b"", 0)
    if type(made) is not np.ufunc or made.types != function.types:
        return None
    _TYPES[made] = frozenset(kernels)
    return made


def ufunc_of(symbol: str, name: str, nin: int) -> np.ufunc | None:
    """A ufunc of the library's loops of a symbol and of no others; None where there is no library.

    Parameters
    ----------
    symbol, name : str
        What the loops are called without their dtype, and what the ufunc is.
    nin : int
        How many arguments it takes.

    Examples
    --------
    >>> from wirtinger.backends.native.ufuncs import ufunc_of
    >>> sine = ufunc_of("elementary_sin", "sin", 1)
    >>> sine is None or bool(sine(0.0) == 0)
    True
    """
    found = library()
    make = None if found is None else maker()
    if found is None or make is None:
        return None
    named = {char: getattr(found, f"{symbol}_{dtype}", None) for char, dtype in _DTYPES.items()}
    pointers = [ctypes.cast(loop, ctypes.c_void_p) for loop in named.values() if loop is not None]
    if not pointers:
        raise AttributeError(f"the C library has no loops of {symbol!r}")
    count = len(pointers)
    loops, data = (ctypes.c_void_p * count)(*pointers), (ctypes.c_void_p * count)()
    chars = [char for char, loop in named.items() if loop is not None]
    types, text = b"".join(bytes([np.dtype(char).num] * (nin + 1)) for char in chars), name.encode()
    _ALIVE.append((loops, data, types, text))
    made = make(ctypes.addressof(loops), ctypes.addressof(data), types, count, nin, 1, _NO_IDENTITY, text, b"", 0)
    if type(made) is not np.ufunc:
        return None
    _TYPES[made] = frozenset(made.types)
    _OWN.add(made)
    return made


@cache
def with_derivative(name: str, char: str) -> tuple[int, int | None] | None:
    """The addresses of a loop of a special function and its derivative, two results, and of its data.

    Parameters
    ----------
    name : str
        A function of `scipy.special`, of one argument.
    char : str
        The letter of the type of the argument.

    Returns
    -------
    tuple or None
        None where the library has no such loop.

    Examples
    --------
    >>> from wirtinger.backends.native.ufuncs import with_derivative
    >>> with_derivative("gamma", "d") is None
    True
    """
    both = getattr(library(), f"both_{name}_{_DTYPES.get(char)}", None)
    address = None if both is None else ctypes.cast(both, ctypes.c_void_p).value
    served = None if address is None else with_kernels(getattr(import_module("scipy.special"), name))
    value = None if served is None else loop_of(served, char)
    return None if address is None or value is None else (address, value[1])


def is_own(function: np.ufunc) -> bool:
    """Whether a ufunc has loops of the library's alone, which report no errors to Python.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.ufuncs import is_own
    >>> is_own(numpy.sin)
    False
    """
    return function in _OWN


def has_kernel(function: np.ufunc, dtypes: Sequence[np.dtype[Any]]) -> bool:
    """Whether a ufunc has a loop of the library for arguments and results of these types.

    It reports errors only as `scipy.special.errstate` asks in the calling thread.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.ufuncs import has_kernel
    >>> has_kernel(numpy.sin, [numpy.dtype(float)] * 2)
    False
    """
    chars = "".join(x.char for x in dtypes)
    return f"{chars[: function.nin]}->{chars[function.nin :]}" in _TYPES.get(function, ())


@cache
def loop_of(function: np.ufunc, char: str) -> tuple[int, int | None] | None:
    """The addresses of the loop of a ufunc of real arguments of one type, and of its data; None where it has none.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.ufuncs import loop_of
    >>> loop_of(numpy.sin, "O") is None
    True
    """
    types = f"{char * function.nin}->{char * function.nout}"
    fields = _fields_of(function) if char in _DTYPES and types in function.types else None
    if fields is None:
        return None
    k = function.types.index(types)
    loop = fields.loops[k]
    return None if loop is None else (loop, fields.data[k])


def _loops_of(function: np.ufunc) -> dict[str, int]:
    """The addresses of the library's loops by the types of a ufunc: `erf_float64` is that of `d->d`."""
    found: dict[str, int] = {}
    for char, dtype in _DTYPES.items():
        loop = getattr(library(), f"{function.__name__}_{dtype}", None)
        address = None if loop is None else ctypes.cast(loop, ctypes.c_void_p).value
        if address is not None:
            found[f"{char * function.nin}->{char * function.nout}"] = address
    return found


def _fields_of(function: np.ufunc) -> _Fields | None:
    """The fields of a ufunc; None where they are not those that Python shows."""
    if sys.implementation.name != "cpython":
        return None
    fields = _Fields.from_address(id(function) + _PYTHON_OBJECT)
    shown = (function.nin, function.nout, function.nargs, function.ntypes)
    if (fields.nin, fields.nout, fields.nargs, fields.ntypes) != shown or len(function.types) != fields.ntypes:
        return None
    return fields if fields.name == function.__name__.encode() else None


@cache
def maker() -> Callable[..., Any] | None:
    """`PyUFunc_FromFuncAndData`; None where NumPy does not have it in the known place.

    Examples
    --------
    >>> from wirtinger.backends.native.ufuncs import maker
    >>> maker() is None or callable(maker())
    True
    """
    if np.lib.NumpyVersion(np.__version__) >= "3.0.0" or not hasattr(_multiarray_umath, "_UFUNC_API"):
        return None
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer_of(_multiarray_umath._UFUNC_API, None), ctypes.POINTER(ctypes.c_void_p))
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    signature = ctypes.PYFUNCTYPE(
        ctypes.py_object, pointer, pointer, text, number, number, number, number, text, text, number
    )
    return signature(table[_FROM_FUNC_AND_DATA] or 0)
