"""Plans of the machine: loops, where their arguments lie, what objects must be, packed as `machine.c` reads them."""

from __future__ import annotations

import ctypes
import itertools
import struct
import weakref
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from ...determinism.threads import threads_here
from ..scipy_errors import is_quiet
from .calls import runner
from .inner_loops import Loop
from .machine import kind_of, machine, objects

MOST: Final = 6
"""Arguments of a loop; `machine.c` has the same number, and the following ones."""

SHORT: Final = 512
"""Elements: so few are computed at once, and not in blocks, and the interpreter's lock is kept, as NumPy keeps it."""

TINY: Final = 8
"""Elements: arithmetic on so few is translated number by number; `translation.c` has the same number."""

GIVEN, FIXED, SCRATCH, SUM, PART = range(5)
OWN_ERRORS, FAILED, REFUSED = 16, 32, 128
_NOT_CHECKED = -1
_AXES = 8

_INSTRUCTION = struct.Struct(f"3P4q{MOST}q{MOST}q")
_PADDING: Final = (0,) * MOST
_PIECE: Final = 1 << 16
"""Elements times instructions: a shorter piece is not worth waking a thread for."""
_PIECES: Final = 4
"""Pieces of a long plan for each thread: others may hold the cores."""
_EXPECTATION = struct.Struct(f"2P2q{_AXES}q{_AXES}q")


class Slot(NamedTuple):
    """Where an argument lies: in an object of the tuple, at an address, or at an offset of the scratch memory.

    Attributes
    ----------
    kind, at : int
        As `machine.c` has it.
    step : int
        The bytes from one element to the next in a plan that runs in blocks; 0 for numbers, and for scratch memory.
    each : int
        Those from the sum of one block to that of the next; 0 of all else.
    """

    kind: int
    at: int
    step: int = 0
    each: int = 0


class Total(NamedTuple):
    """The sum of an array: its dtype, where those of its blocks lie, its place in the tuple, the reported errors."""

    dtype: np.dtype[Any]
    at: int
    place: int
    reported: int


Call = tuple[Loop, int, int, Sequence[int], Sequence[int]]
"""Loop, number of elements (0: those of a block), reported errors (-1: the caller's), slots, strides in bytes."""


class Plan:
    """A plan, packed as `machine.c` reads it.

    Parameters
    ----------
    code : list of tuple
        Each a `Call`.
    slots : list of Slot
        What arguments are.
    expected : list of bytes
        What the objects of the tuple must be: by `expected_array`, `expected_number` and `any_array`.
    guards : list of tuple
        Two bounds and an expected truth value each.
    totals : list of Total
        Sums of arrays.
    starts : array of int or None
        Where blocks begin, and the end, where they are not all as long.
    scratch, block, size : int
        Bytes, the most elements of a block, and elements in all.
    alive : list
        What it points to.
    """

    def __init__(
        self,
        code: Sequence[Call],
        slots: Sequence[Slot],
        expected: Sequence[bytes],
        guards: Sequence[tuple[float, float, bool]],
        totals: Sequence[Total],
        starts: array[int] | None,
        scratch: int,
        block: int,
        size: int,
        alive: list[Any],
    ) -> None:
        functions = machine()
        assert functions is not None
        packed = [
            _INSTRUCTION.pack(*loop[:3], kind_of(loop, count), count, len(places), reported,
                              *places, *_PADDING[len(places) :], *strides, *_PADDING[len(places) :])
            for loop, count, reported, places, strides in code
        ]  # fmt: skip
        tables = (
            b"".join(packed),
            array("q", itertools.chain.from_iterable(slots)).tobytes(),
            b"".join(expected),
            b"".join(struct.pack("2dq", *guard) for guard in guards),
            b"".join(struct.pack("4q", "fdFD".index(x.dtype.char), *x[1:]) for x in totals),
        )
        memory = ctypes.create_string_buffer(b"".join(tables))
        places = itertools.accumulate(map(len, tables[:-1]), initial=ctypes.addressof(memory))
        addresses = [objects(), *places, starts.buffer_info()[0] if starts else 0]
        blocks = len(starts) - 1 if starts else -(-size // block)
        room = max((x.at + x.dtype.itemsize * blocks for x in totals), default=0)
        counts = len(code), len(slots), len(expected), len(guards), len(totals), scratch, block, size, blocks, room
        self._whole = ctypes.create_string_buffer(struct.pack("7P10q", *addresses, *counts))
        self._alive = memory, alive, starts
        self.address = ctypes.addressof(self._whole)
        self._share = functions.share
        self.is_long = size > SHORT
        self._blocks, self._smallest = blocks, max(_PIECE // (max(len(code), 1) * block), 1)
        self.keeps_errors = all(step[0].keeps_errors for step in code)

    @cached_property
    def translated(self) -> int:
        """The address of this plan with machine code in it, or of itself where the machine translates nothing."""
        functions = machine()
        assert functions is not None
        found = functions.translated(self.address)
        if found is None:
            return self.address
        weakref.finalize(self, functions.forget, found)
        return found

    def as_function(self) -> Callable[..., int]:
        """What runs it at once, on the objects that it is called with, and returns what a call does."""
        return runner(self.translated, self)

    def __call__(self, *given: Any) -> int:
        """Run it in blocks, on several threads where that pays; errors, and which guards do not hold, as bits."""
        threads = threads_here()
        pieces = min(_PIECES * threads, -(-self._blocks // self._smallest))
        pieces = -(-pieces // threads) * threads if pieces > 1 else 1
        return self._share(self.address, given, -(-self._blocks // pieces), threads)


def unless_reporting(plan: Plan) -> Callable[..., int]:
    """A plan that is run in threads, unless SciPy's functions report errors in this one."""

    def call(*given: Any) -> int:
        return plan(*given) if is_quiet() else REFUSED

    return call


@lru_cache(maxsize=256)
def halved(n: int, most: int, components: int) -> array[int]:
    """Where halves of halves of n elements begin that NumPy sums each by itself, of `most` at the most; and the end.

    An element has so many components: a complex number two.

    Examples
    --------
    >>> from wirtinger.backends.native.plans import halved
    >>> list(halved(1001, 300, components=1))
    [0, 248, 496, 744, 1001]
    """
    starts, waiting = array("q"), [(0, n)]
    while waiting:
        first, count = waiting.pop()
        if count <= most:
            starts.append(first)
            continue
        half = (count * components // 2 & -8) // components
        waiting += [(first + half, count - half), (first, half)]
    starts.append(n)
    return starts


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


class Part(NamedTuple):
    """Where the elements of an array lie, and where they go in another one: the first, sizes and strides, in bytes."""

    start: int
    to: int
    shape: tuple[int, ...]
    read: tuple[int, ...]
    written: tuple[int, ...]


@lru_cache(maxsize=4096)
def arrangement(parts: tuple[Part, ...], itemsize: int, zeros: int = 0) -> np.ndarray[Any, Any]:
    """The table of the loop `arranged`, as `machine_loops.c` reads it.

    Parameters
    ----------
    parts : tuple of Part
        One an array.
    itemsize : int
        The bytes of an element, a power of 2 up to 16.
    zeros : int
        So many bytes are made zeros before.
    """
    found = [itemsize.bit_length() - 1, zeros]
    for x in parts:
        axes = [axis for axis in zip(x.shape, x.read, x.written, strict=True) if axis[0] != 1]
        tables = [[*column, *(0,) * (_AXES - len(axes))] for column in zip(*axes, strict=True)] or [[0] * _AXES] * 3
        found += [len(axes), x.start, x.to, *itertools.chain(*tables)]
    return np.array(found)
