"""Plans that are run again and again, each time on what the last run left: loops, packed as `machine.c` reads them."""

from __future__ import annotations

import ctypes
import itertools
import struct
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from .calls import stepper
from .machine import machine
from .plans import Plan

ARGUMENT, CARRIED, STACKED = range(3)
"""The kinds of sources."""


class Move(NamedTuple):
    """What becomes of an argument after each step: so many bytes of it go to an address that moves on."""

    argument: int
    size: int
    step: int
    to: int


class Source(NamedTuple):
    """What an object is to a loop, as `machine.c` has it: of a kind, which of these, where it begins and goes."""

    kind: int
    place: int
    offset: int
    size: int = 0
    to: int = 0


class Repeated:
    """A plan that does not run in blocks, to be run again and again.

    Parameters
    ----------
    plan : Plan
    expected : list of bytes
        What the objects that it is called with must be.
    sources : list of Source
        What they are to it.
    steps : list of int
        How far each argument of the plan moves on after a step.
    given : list of int
        The addresses of arguments, 0 where an object is one.
    stacked, carried : list of Move
        What is kept of each step, and what the next one reads.
    staged, saved : int
        The addresses of memory for all that is carried.
    count : int
        The number of steps.

    Attributes
    ----------
    run : function
        Takes steps, of the objects that it is called with, and returns how many: all, or those before one that has an
        error to report or whose guards do not all hold.  It returns -1 where the objects are not as expected.
    """

    def __init__(
        self,
        plan: Plan,
        expected: Sequence[bytes],
        sources: Sequence[Source],
        steps: Sequence[int],
        given: Sequence[int],
        stacked: Sequence[Move],
        carried: Sequence[Move],
        staged: int,
        saved: int,
        count: int,
    ) -> None:
        functions = machine()
        assert functions is not None
        moves = [array("q", itertools.chain.from_iterable(table)) for table in (stacked, carried, sources)]
        tables = array("q", given), array("q", steps), *moves[:2], array("B", b"".join(expected)), moves[2]
        self._repeat, self._count, self._keeps_errors = functions.repeat, count, plan.keeps_errors
        self._fixed = struct.pack("9P4q", plan.translated, *(table.buffer_info()[0] for table in tables), staged, saved,
                                  len(stacked), len(carried), len(given), len(sources))  # fmt: skip
        whole = ctypes.create_string_buffer(self._from(0, 0))
        self.run = stepper(ctypes.addressof(whole), whole, tables, plan)

    def _from(self, first: int, ignored: int) -> bytes:
        return self._fixed + struct.pack("4q", first, self._count, ignored, self._keeps_errors)

    def resumed(self, first: int, ignored: int) -> int:
        """The same from a step on, with errors ignored that `ignored` names, as `machine.c` numbers them."""
        return self._repeat(self._from(first, ignored))
