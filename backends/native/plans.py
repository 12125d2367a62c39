"""Plans of the machine: loops, where their arguments lie, what objects must be, packed as `machine.c` reads them."""

from __future__ import annotations

import ctypes
import itertools
import struct
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...determinism.threads import get_num_threads, in_pieces
from .machine import Loop, machine

MOST: Final = 6
"""Arguments of a loop; `machine.c` has the same number, and the following ones."""

SHORT: Final = 512
"""Elements: so few are computed at once, and not in blocks, and the interpreter's lock is kept, as NumPy keeps it."""

GIVEN, FIXED, SCRATCH, SUM = range(4)
OWN_ERRORS, FAILED, REFUSED = 16, 32, 128
_NOT_CHECKED = -1
_AXES = 8

_INSTRUCTION = struct.Struct(f"3P3q{MOST}q{MOST}q")
_PIECE: Final = 1 << 18
"""Elements times instructions: a shorter piece is not worth waking a thread for."""
_EXPECTATION = struct.Struct(f"2P2q{_AXES}q{_AXES}q")


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
            b"".join(struct.pack("3q", *slot) for slot in slots),
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


class Move(NamedTuple):
    """What becomes of an argument after each step: so many bytes of it go to an address that moves on."""

    argument: int
    size: int
    step: int
    to: int


def repeat(
    plan: Plan,
    given: Sequence[tuple[int, int]],
    stacked: Sequence[Move],
    carried: Sequence[Move],
    count: int,
    ignored: int,
    staged: int,
) -> int:
    """Run a plan again and again; how many times it did so without an error to report and with all its guards.

    Parameters
    ----------
    plan : Plan
        One that does not run in blocks.
    given : list of tuple
        The addresses of its arguments in the first step, and how far they move on.
    stacked, carried : list of Move
        What is kept of each step, and what the next one reads.
    count : int
        How many times.
    ignored : int
        Floating-point errors, as `machine.c` numbers them.
    staged : int
        The address of memory for all that is carried.
    """
    functions = machine()
    assert functions is not None
    addresses, steps = zip(*given, strict=True)
    tables = [struct.pack(f"{len(given)}P", *addresses), struct.pack(f"{len(given)}q", *steps)]
    tables += [b"".join(struct.pack("3qP", *move) for move in moves) for moves in (stacked, carried)]
    memory = [ctypes.create_string_buffer(table, len(table) + 1) for table in tables]
    counts = len(stacked), len(carried), count, ignored, len(given)
    whole = struct.pack("5P5qP", plan.address, *map(ctypes.addressof, memory), *counts, staged)
    return functions.repeat(whole)
