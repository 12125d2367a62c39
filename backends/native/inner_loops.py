"""The inner loops that compiled programs consist of: NumPy's, SciPy's and the library's own.

NumPy gives its own by `ufunc._get_strided_loop`, which it calls experimental: `machine` says where that is used.
"""

from __future__ import annotations

import ctypes
import struct
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from . import ufuncs
from .library import library

KINDS: Final = "?bhilqBHILQefdFD"
"""The types of numbers that it computes with."""

_CAPSULE = b"numpy_1.24_ufunc_call_info"
ALIVE: Final[list[Any]] = []
"""What loops and tables point to."""

KEEPING: Final = (
    *(np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.arcsinh, np.arccosh, np.arctanh),
    *(np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.power, np.hypot, np.arctan2),
)
"""Ufuncs whose loops of double precision clear no floating-point errors that were raised before; nor do our own."""


class Loop(NamedTuple):
    """An inner loop: addresses of the function and of what it is called with; whether it keeps earlier errors."""

    function: int
    context: int = 0
    auxiliary: int = 0
    keeps_errors: bool = True

    def of(self, auxiliary: int) -> Loop:
        """The same function with this number."""
        return Loop(self.function, self.context, auxiliary, self.keeps_errors)


COMPARISONS: Final = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal}
_OF_TRUTH: Final[dict[np.ufunc, str]] = {
    **dict.fromkeys((np.logical_and, np.bitwise_and), "logical_and"),
    **dict.fromkeys((np.logical_or, np.bitwise_or), "logical_or"),
    **dict.fromkeys((np.logical_not, np.invert), "logical_not"),
}
_ARITHMETIC: Final = {
    *(np.add, np.subtract, np.multiply, np.divide),
    *(np.negative, np.conjugate, np.square, np.reciprocal, np.sqrt, np.absolute),
}
_OF_INTEGERS: Final = COMPARISONS | {
    *(np.add, np.subtract, np.multiply, np.negative, np.maximum, np.minimum, np.absolute, np.sign),
    *(np.logical_and, np.logical_or, np.logical_not, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert),
}
"""Ufuncs that raise no error at integers."""


class _CallInfo(ctypes.Structure):
    """What NumPy's capsule holds: the documentation of `ufunc._get_strided_loop`."""

    _fields_ = (
        ("loop", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("auxiliary", ctypes.c_void_p),
        ("requires_python", ctypes.c_bool),
        ("no_errors", ctypes.c_bool),
    )


@cache
def loop_of(ufunc: np.ufunc, dtypes: tuple[Any, ...], strides: tuple[int, ...]) -> tuple[tuple[Any, ...], Loop] | None:
    """The loop of a ufunc, and the dtypes of its arguments and its result; None where NumPy has none without Python.

    Parameters
    ----------
    ufunc : ufunc
        Of one result.
    dtypes : tuple
        Of its arguments; of numbers of Python's their types.
    strides : tuple of int
        Whether arguments, and the result, are contiguous, 1, or one number, 0.
    """
    resolved, capsule = ufunc._resolve_dtypes_and_context((*dtypes, None))  # type: ignore[attr-defined]
    if any(x.char not in KINDS for x in resolved):
        return None
    steps = tuple(step * x.itemsize for step, x in zip(strides, resolved, strict=True))
    ufunc._get_strided_loop(capsule, fixed_strides=steps)  # type: ignore[attr-defined]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    info = _CallInfo.from_address(pointer_of(capsule, _CAPSULE))
    if info.requires_python or not info.loop:
        return None
    ALIVE.append(capsule)
    keeps = (ufunc in KEEPING and all(x.char == "d" for x in resolved)) or ufuncs.is_own(ufunc)
    return resolved, Loop(info.loop, info.context or 0, info.auxiliary or 0, keeps)


@cache
def own_loop(name: str, dtype: np.dtype[Any] | None = None) -> Loop | None:
    """A loop of ours, of this name and the dtype's; None where there is none.

    Examples
    --------
    >>> from wirtinger.backends.native.inner_loops import own_loop
    >>> own_loop("sine") is None
    True
    """
    found = getattr(library(), f"machine_{name}" if dtype is None else f"machine_{name}_{dtype.name}", None)
    return None if found is None else Loop(address_of(found))


def fastest_loop(
    ufunc: np.ufunc, dtypes: tuple[Any, ...], strides: tuple[int, ...]
) -> tuple[tuple[Any, ...], Loop] | None:
    """What `loop_of` returns, with a loop of ours where one has the same bits; None of integers at which it may fail.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.inner_loops import fastest_loop
    >>> fastest_loop(numpy.floor_divide, (numpy.dtype(int),) * 2, (1, 1, 1)) is None
    True
    """
    found = loop_of(ufunc, dtypes, strides)
    if found is None:
        return None
    resolved, loop = found
    *own, dtype = resolved
    if any(x.kind in "iu" for x in own) and ufunc not in _OF_INTEGERS:
        return None
    name = ""
    if ufunc in _ARITHMETIC and dtype.char in "fdFD":
        name = ufunc.__name__
    elif not any(strides[:-1]):  # numbers, for which NumPy's loops take longer
        name = ufunc.__name__ if ufunc in COMPARISONS else _OF_TRUTH.get(ufunc, "")
    is_uniform = all(x == own[0] for x in own) and (own[0] == dtype or dtype.char == "?")
    return resolved, (own_loop(name, own[0]) if name and is_uniform else None) or loop


def address_of(function: Any) -> int:
    """The address of a function in C."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def with_derivative(name: str, char: str) -> Loop | None:
    """The loop of a special function and its derivative, two results; None where there is none.

    Examples
    --------
    >>> from wirtinger.backends.native.inner_loops import with_derivative
    >>> with_derivative("gamma", "d") is None
    True
    """
    found, own = ufuncs.with_derivative(name, char), own_loop("of_ufunc")
    if found is None or own is None:
        return None
    pair = ctypes.create_string_buffer(struct.pack("2P", found[0], found[1] or 0))
    ALIVE.append(pair)
    return Loop(own.function, 0, ctypes.addressof(pair))


@cache
def sum_of(dtype: np.dtype[Any]) -> Loop | None:
    """The loop that NumPy sums an array by, from 0 on, as one of two arguments; None where it does not.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.inner_loops import sum_of
    >>> sum_of(numpy.dtype(int)) is None
    True
    """
    found, own = loop_of(np.add, (dtype, dtype), (0, 1, 0)), own_loop("sum", dtype)
    if found is None or own is None:
        return None
    inner = ctypes.create_string_buffer(struct.pack("3P", *found[1][:3]))
    ALIVE.append(inner)
    return Loop(own.function, 0, ctypes.addressof(inner))
