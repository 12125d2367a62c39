"""The machine of compiled programs: a plan of inner loops that the C library runs, one after the other.

NumPy gives its loops by `ufunc._get_strided_loop`, which it calls experimental, and the fields of its arrays are part
of its binary interface.  Both are used with the versions of NumPy on which this has run, and after a check of what is
found there; without them, or without the library, programs run as generated Python.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from functools import cache
from types import CellType
from typing import Any, Final, NamedTuple

import numpy as np

from .inner_loops import ALIVE, Loop, loop_of, own_loop
from .library import library

NUMPY: Final = ("2.4.", "2.5.")
"""How the versions of NumPy begin on which this has run."""

_HEAD = object.__basicsize__


class Functions(NamedTuple):
    """Functions of the library, as `machine.c` has them, without the interpreter's lock."""

    share: Callable[..., int]
    repeat: Callable[..., int]
    translated: Callable[..., int | None]
    forget: Callable[..., None]


@cache
def are_products_plain() -> bool:
    """Whether NumPy multiplies its complex numbers without fused operations, and divides them as it divides arrays.

    Examples
    --------
    >>> from wirtinger.backends.native.machine import are_products_plain
    >>> are_products_plain() in (True, False)
    True
    """
    parts = np.sin(np.arange(1.0, 129.0)).reshape(2, 2, 32)
    for dtype in (np.complex64, np.complex128):
        a, b = (parts[:, 0] + 1j * parts[:, 1]).astype(dtype)
        for k, (x, y) in enumerate(zip(a, b, strict=True)):
            real, imag = x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real
            if x * y != real + 1j * imag or x / y != (a / b)[k]:
                return False
    return True


@cache
def objects() -> int:
    """The address of the offsets of what the library reads of objects, as `machine.h` has them.

    Examples
    --------
    >>> from wirtinger.backends.native.machine import objects
    >>> objects() > 0
    True
    """
    of_arrays = [_HEAD + at for at in (0, 8, 16, 24, 32, 40, 48)]
    memory = ctypes.create_string_buffer(struct.pack("10q", _HEAD - 8, tuple.__basicsize__, _HEAD, *of_arrays))
    ALIVE.append(memory)
    return ctypes.addressof(memory)


def data_of(x: np.ndarray[Any, Any]) -> int:
    """The address of the first element of an array, where there is a machine."""
    return ctypes.c_ssize_t.from_address(id(x) + _HEAD).value


def start_of(x: Any) -> int:
    """The address of the first element of an array, whether there is a machine (0.4 us) or not (1.7 us).

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.machine import start_of
    >>> x = numpy.zeros(3)
    >>> start_of(x[1:]) - start_of(x)
    8
    """
    return data_of(x) if machine() else int(x.__array_interface__["data"][0])


@cache
def _arithmetic() -> dict[int, int]:
    """The kinds of instructions, by the addresses of the loops that they stand for."""
    names = "add_float64", "subtract_float64", "multiply_float64", "divide_float64", "negative_float64", "element_64"
    loops = map(own_loop, names)
    return {loop.function: kind for kind, loop in enumerate(loops, 1) if loop is not None}


def kind_of(loop: Loop, count: int) -> int:
    """What `machine.c` does in place of a call of a loop on so many elements; 0 where it calls it.

    Examples
    --------
    >>> from wirtinger.backends.native.inner_loops import Loop
    >>> from wirtinger.backends.native.machine import kind_of
    >>> kind_of(Loop(1), 1)
    0
    """
    return _arithmetic().get(loop.function, 0) if count == 1 else 0


@cache
def machine() -> Functions | None:
    """The functions of the library that run plans; None where they cannot be used.

    Examples
    --------
    >>> from wirtinger.backends.native.machine import machine, state
    >>> (machine() is None) == state().startswith("none")
    True
    """
    found = library()
    if found is None or _what_is_unknown():
        return None
    size, pointer = ctypes.c_ssize_t, ctypes.c_void_p
    share, repeat = found.machine_share, found.machine_repeat
    share.argtypes, share.restype = [pointer, ctypes.py_object, size, size], size
    repeat.argtypes, repeat.restype = [pointer], size
    translated, forget = found.machine_translated, found.machine_forget
    translated.argtypes, translated.restype = [pointer], pointer
    forget.argtypes, forget.restype = [pointer], None
    return Functions(share, repeat, translated, forget)


def state() -> str:
    """Whether compiled programs run in C, or why they do not.

    Examples
    --------
    >>> from wirtinger.backends.native.machine import state
    >>> print(state())  # doctest: +SKIP
    in C, over the loops of NumPy 2.4.6
    """
    if library() is None:
        return "none: there is no C library"
    unknown = _what_is_unknown()
    return f"none: {unknown}" if unknown else f"in C, over the loops of NumPy {np.__version__}"


def _what_is_unknown() -> str:
    """What of Python and NumPy is not as it was when this was written; nothing where all is."""
    if sys.implementation.name != "cpython":
        return f"Python is {sys.implementation.name}"
    if not np.__version__.startswith(NUMPY):
        return f"this has not run with NumPy {np.__version__}"
    if not all(hasattr(np.ufunc, name) for name in ("_resolve_dtypes_and_context", "_get_strided_loop")):
        return "NumPy does not give its loops"
    return "" if _has_known_fields() and _adds() else "objects of NumPy have other fields"


def _has_known_fields() -> bool:
    """Whether arrays, numbers, tuples, cells and bytes hold what they show where `objects` says."""
    a, number = np.arange(24.0).reshape(2, 3, 4)[:, ::2], np.float64(0.3)
    pointer_at, number_at = ctypes.c_void_p.from_address, ctypes.c_int.from_address
    fields = [pointer_at(id(a) + _HEAD + at).value for at in (-8, 0, 32, 40)]
    if fields != [id(type(a)), a.__array_interface__["data"][0], id(a.base), id(a.dtype)]:
        return False
    if number_at(id(a) + _HEAD + 8).value != a.ndim or number_at(id(a) + _HEAD + 48).value != a.flags.num:
        return False
    for at, known in ((16, a.shape), (24, a.strides)):
        if tuple((ctypes.c_ssize_t * a.ndim).from_address(pointer_at(id(a) + _HEAD + at).value or 0)) != known:
            return False
    pair = a, number
    if pointer_at(id(pair) + tuple.__basicsize__).value != id(a):
        return False
    cell = CellType(a)
    if pointer_at(id(cell) + _HEAD).value != id(a) or ctypes.string_at(id(b"ab") + bytes.__basicsize__ - 1) != b"ab":
        return False
    return bool(ctypes.c_double.from_address(id(number) + _HEAD).value == number)


def _adds() -> bool:
    """Whether a loop that NumPy gives adds."""
    try:
        found = loop_of(np.add, (np.dtype("d"), float), (1, 0, 1))
    except (TypeError, ValueError):
        return False
    if found is None:
        return False
    size, pointer = ctypes.c_ssize_t, ctypes.c_void_p
    kind = ctypes.PYFUNCTYPE(ctypes.c_int, pointer, pointer, pointer, pointer, pointer)
    a, b, w = (ctypes.c_double * 2)(1, 2), ctypes.c_double(3), (ctypes.c_double * 2)()
    data = (pointer * 3)(*map(ctypes.addressof, (a, b, w)))
    loop = found[1]
    kind(loop.function)(loop.context, data, ctypes.byref(size(2)), (size * 3)(8, 0, 8), loop.auxiliary)
    return tuple(w) == (4.0, 5.0)
