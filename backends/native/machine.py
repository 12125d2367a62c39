"""The machine of compiled programs: a plan of inner loops that the C library runs, one after the other.

NumPy gives its loops by `ufunc._get_strided_loop`, which it calls experimental, and the fields of its arrays are part
of its binary interface.  Both are used with the versions of NumPy on which this has run, and after a check of what is
found there; without them, or without the library, programs run as generated Python.
"""

from __future__ import annotations

import ctypes
import itertools
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from ..threads import get_num_threads, in_pieces
from .library import library

NUMPY: Final = ("2.4.",)
"""How the versions of NumPy begin on which this has run."""

MOST: Final = 6
"""Arguments of a loop; `machine.c` has the same number, and the following ones."""

SHORT: Final = 512
"""Elements: so few are computed at once, and not in blocks, and the interpreter's lock is kept, as NumPy keeps it."""

GIVEN, FIXED, SCRATCH, SUM = range(4)
OWN_ERRORS, FAILED, REFUSED = 16, 32, 128
_NOT_CHECKED = -1
_AXES = 8

_CAPSULE = b"numpy_1.24_ufunc_call_info"
_HEAD = object.__basicsize__
_ALIVE: list[Any] = []
"""What loops point to."""


class Loop(NamedTuple):
    """An inner loop: addresses of the function, and of what it is called with."""

    function: int
    context: int = 0
    auxiliary: int = 0


class _CallInfo(ctypes.Structure):
    """What NumPy's capsule holds: the documentation of `ufunc._get_strided_loop`."""

    _fields_ = (
        ("loop", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("auxiliary", ctypes.c_void_p),
        ("requires_python", ctypes.c_bool),
        ("no_errors", ctypes.c_bool),
    )


class Functions(NamedTuple):
    """Functions of the library, as `machine.c` has them; the second holds the interpreter's lock meanwhile."""

    run: Callable[..., int]
    call: Callable[..., int]
    decide: Callable[..., int]
    layout: Any


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
        Whether arguments are contiguous, 1, or one number, 0.
    """
    resolved, capsule = ufunc._resolve_dtypes_and_context((*dtypes, None))  # type: ignore[attr-defined]
    if any(x.char not in "?bhilqBHILQefdFD" for x in resolved):
        return None
    steps = tuple(step * x.itemsize for step, x in zip((*strides, 1), resolved, strict=True))
    ufunc._get_strided_loop(capsule, fixed_strides=steps)  # type: ignore[attr-defined]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    info = _CallInfo.from_address(pointer_of(capsule, _CAPSULE))
    if info.requires_python or not info.loop:
        return None
    _ALIVE.append(capsule)
    return resolved, Loop(info.loop, info.context or 0, info.auxiliary or 0)


@cache
def own_loop(name: str) -> Loop | None:
    """A loop of ours; None where there is none of that name.

    Examples
    --------
    >>> from wirtinger.backends.native.machine import own_loop
    >>> own_loop("sine") is None
    True
    """
    found = getattr(library(), f"machine_{name}", None)
    return None if found is None else Loop(ctypes.cast(found, ctypes.c_void_p).value or 0)


class Slot(NamedTuple):
    """Where an argument lies: in an object of the tuple, at an address, or at an offset of the scratch memory.

    Attributes
    ----------
    kind, at : int
        As `machine.c` has it.
    step : int
        The bytes from one element to the next in a plan that runs in blocks; 0 for numbers, and for scratch memory.
    """

    kind: int
    at: int
    step: int = 0


class Plan:
    """A plan, packed as `machine.c` reads it.

    Parameters
    ----------
    code : list of tuple
        Loop, number of elements (0: those of a block), reported errors (-1: the caller's), slots, strides in bytes.
    slots : list of Slot
        What arguments are.
    expected : list of bytes
        What the objects of the tuple must be: by `expected_array`, `expected_number` and `any_array`.
    guards : list of tuple
        Two bounds and an expected truth value each.
    scratch, block, size : int
        Bytes, elements of a block, and elements in all.
    alive : list
        What it points to.
    """

    def __init__(
        self,
        code: Sequence[tuple[Loop, int, int, Sequence[int], Sequence[int]]],
        slots: Sequence[Slot],
        expected: Sequence[bytes],
        guards: Sequence[tuple[float, float, bool]],
        scratch: int,
        block: int,
        size: int,
        alive: list[Any],
    ) -> None:
        functions = machine()
        assert functions is not None
        padding = (0,) * MOST
        packed = b"".join(
            _INSTRUCTION.pack(*loop, count, len(places), reported, *(*places, *padding)[:MOST],
                              *(*strides, *padding)[:MOST])
            for loop, count, reported, places, strides in code
        )  # fmt: skip
        tables = (
            packed,
            b"".join(struct.pack("4q", slot.kind, slot.at, 0, slot.step) for slot in slots),
            b"".join(expected),
            b"".join(struct.pack("2dq", *guard) for guard in guards),
        )
        memory = [ctypes.create_string_buffer(table, len(table) + 1) for table in tables]
        addresses = [functions.layout, *map(ctypes.addressof, memory)]
        counts = len(code), len(slots), len(expected), len(guards), scratch, block
        self._whole = ctypes.create_string_buffer(struct.pack("5P6q", *addresses, *counts))
        self._alive = memory, alive
        self.address = ctypes.addressof(self._whole)
        self.size, self._block, self._guards = size, block, len(guards)
        self.call, self._run, self._decide = functions.call, functions.run, functions.decide
        self.is_long = size > SHORT
        self._cost = max(len(code), 1)

    def __call__(self, objects: tuple[Any, ...]) -> int:
        """Run it in blocks, on several threads where that pays; what `machine_run` returns."""
        found, pieces = [], itertools.count()
        blocks = -(-self.size // self._block)
        sums = (ctypes.c_double * (self._guards * get_num_threads() + 1))()

        def run(piece: slice) -> None:
            own = ctypes.addressof(sums) + 8 * self._guards * next(pieces)
            start, stop = piece.start * self._block, min(piece.stop * self._block, self.size)
            found.append(self._run(self.address, objects, start, stop, own))

        in_pieces(run, blocks, max(_PIECE // (self._cost * self._block), 1))
        result = 0
        for part in found:
            result |= part
        if self._guards and not result & REFUSED:
            result |= self._decide(self.address, ctypes.addressof(sums), next(pieces))
        return result


_INSTRUCTION = struct.Struct(f"3P3q{MOST}q{MOST}q")
_PIECE: Final = 1 << 18
"""Elements times instructions: a shorter piece is not worth waking a thread for."""


def expected_array(shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """That an object is such an array, aligned."""
    padding = (0,) * (_AXES - len(shape))
    kind = id(np.ndarray), id(dtype)
    return _EXPECTATION.pack(*kind, len(shape), dtype.alignment, *shape, *padding, *strides, *padding)


def expected_number(kind: type) -> bytes:
    """That an object is a number of NumPy's, of this type."""
    return _EXPECTATION.pack(id(kind), 0, 0, 1, *(0,) * (2 * _AXES))


def any_array() -> bytes:
    """That an object is an array of the caller's making."""
    return _EXPECTATION.pack(id(np.ndarray), 1, _NOT_CHECKED, 1, *(0,) * (2 * _AXES))


_EXPECTATION = struct.Struct(f"2P2q{_AXES}q{_AXES}q")


@cache
def machine() -> Functions | None:
    """The functions of the library that run plans; None where they cannot be used.

    Examples
    --------
    >>> from wirtinger.backends.native.library import library
    >>> from wirtinger.backends.native.machine import machine
    >>> library() is not None or machine() is None
    True
    """
    found = library()
    if found is None or not hasattr(found, "machine_call") or not _is_known():
        return None
    objects = struct.pack("7q", _HEAD - 8, tuple.__basicsize__, *(_HEAD + at for at in (0, 8, 16, 24, 40)))
    memory = ctypes.create_string_buffer(objects)
    _ALIVE.append(memory)
    size, pointer = ctypes.c_ssize_t, ctypes.c_void_p
    run, decide = found.machine_run, found.machine_decide
    run.argtypes, run.restype = [pointer, ctypes.py_object, size, size, pointer], size
    decide.argtypes, decide.restype = [pointer, pointer, size], size
    address = ctypes.cast(found.machine_call, pointer).value or 0
    call = ctypes.PYFUNCTYPE(size, pointer, ctypes.py_object, size)(address)
    return Functions(run, call, decide, ctypes.addressof(memory))


def _is_known() -> bool:
    """Whether NumPy and Python are versions, and have objects, as they were when this was written."""
    if sys.implementation.name != "cpython" or not np.__version__.startswith(NUMPY):
        return False
    if not all(hasattr(np.ufunc, name) for name in ("_resolve_dtypes_and_context", "_get_strided_loop")):
        return False
    a, number = np.arange(24.0).reshape(2, 3, 4)[:, ::2], np.float64(0.3)
    pointer_at = ctypes.c_void_p.from_address
    fields = [pointer_at(id(a) + _HEAD + at).value for at in (0, 40)]
    if fields != [a.__array_interface__["data"][0], id(a.dtype)] or pointer_at(id(a) + _HEAD - 8).value != id(type(a)):
        return False
    if ctypes.c_int.from_address(id(a) + _HEAD + 8).value != a.ndim:
        return False
    for at, known in ((16, a.shape), (24, a.strides)):
        if tuple((ctypes.c_ssize_t * a.ndim).from_address(pointer_at(id(a) + _HEAD + at).value or 0)) != known:
            return False
    pair = a, number
    if pointer_at(id(pair) + tuple.__basicsize__).value != id(a):
        return False
    return ctypes.c_double.from_address(id(number) + _HEAD).value == number and _adds()


def _adds() -> bool:
    """Whether a loop that NumPy gives adds."""
    try:
        found = loop_of(np.add, (np.dtype("d"), float), (1, 0))
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
