"""Ufuncs of SciPy with loops of the C library in the place of some of theirs.

NumPy's table of C functions is reached through `ctypes`: `PyUFunc_FromFuncAndData` makes a ufunc of pointers to loops.
The pointers of the other loops, most of those of complex numbers, are read from SciPy's ufunc, whose fields are part of
NumPy's binary interface.  Where anything is not as expected there is no such ufunc, and SciPy's own serves.

A loop of ours is given SciPy's for the same types beside its own, and calls that where SciPy has an error to report.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

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
    return made if type(made) is np.ufunc and made.types == function.types else None


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
    count = len(pointers)
    loops, data = (ctypes.c_void_p * count)(*pointers), (ctypes.c_void_p * count)()
    chars = [char for char, loop in named.items() if loop is not None]
    types, text = b"".join(bytes([np.dtype(char).num] * (nin + 1)) for char in chars), name.encode()
    _ALIVE.append((loops, data, types, text))
    made = make(ctypes.addressof(loops), ctypes.addressof(data), types, count, nin, 1, _NO_IDENTITY, text, b"", 0)
    return made if type(made) is np.ufunc else None


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
