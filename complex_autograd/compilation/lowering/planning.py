"""The plan of a segment: where its values are stored, and which loops run in which blocks."""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from ....backends.native import plans
from ....backends.native.assembly import Argument, loops_of
from ....backends.native.inner_loops import Loop
from ....backends.native.machine import data_of
from ....backends.native.plans import SHORT, Plan
from ..instructions import Program
from .regions import Operation, Region, in_regions, shared, with_derivatives

_CACHE, _SECOND_CACHE = 1 << 15, 1 << 18
"""Bytes that a block of all arrays may take: about what the first level of the cache has, and where nothing is stored
between two loops a part of the second: `exp` of 400,000 numbers takes 0.7 of the time on two threads, 0.93 on one."""
_SIDE_BY_SIDE = 2, 4
"""Vectors, of arrays that are computed at once, and in blocks: a step that waits for another leaves time for them."""
_LINE = 64
"""Bytes that vectors begin at."""


def planned(
    program: Program,
    operations: Sequence[Operation],
    sizes: Collection[int],
    inputs: Sequence[int],
    outputs: Sequence[int],
) -> Plan:
    """The plan of a segment: every value has a slot, and what only the segment reads shares scratch memory.

    Parameters
    ----------
    program : Program
    operations : sequence of Operation
        In order.
    sizes : collection of int
        How many elements its arrays have.
    inputs, outputs : sequence of int
        The values that it reads, and those that are read behind it.
    """
    joined = with_derivatives(operations)
    plan = _Planner(program, in_regions(joined, set(outputs)), max(sizes), inputs, outputs).plan()
    if plan is None:  # the system gives no more memory for code
        plan = _Planner(program, joined, max(sizes), inputs, outputs).plan()
    assert plan is not None
    return plan


class _Planner:
    """What becomes of the operations of a segment.

    Parameters
    ----------
    program : Program
    steps : sequence of Operation or Region
        In order.
    size : int
        The most elements of an array.
    inputs, outputs : sequence of int
        As of `planned`.
    """

    def __init__(
        self,
        program: Program,
        steps: Sequence[Operation | Region],
        size: int,
        inputs: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        self._program, self._steps, self._size, self._is_long = program, steps, size, size > SHORT
        self._inputs, self._outputs, outside = inputs, outputs, [*inputs, *outputs]
        self._strides = {n: self._stride(*program.spaces[n]) for n in outside}
        self._strides |= {n: self._stride(x.layout.shape, dtype) for x in steps for n, dtype in x.results}
        self._slots, self._alive, self._code = list[plans.Slot](), list[Any](), list[plans.Call]()
        self._places = {n: self._slot(plans.GIVEN, k, self._step(self._strides[n])) for k, n in enumerate(outside)}
        self._guards, self._totals, self._room = list[tuple[float, float, bool]](), list[plans.Total](), 0
        self._place_the_others(set(outside))

    def plan(self) -> Plan | None:
        """The plan; None where the system gives no more memory for code."""
        regions: dict[int, bytes] = {}
        for x in self._steps:
            if isinstance(x, Region):
                regions[len(self._code)] = x.code(self._operand, self._lengths(x), _SIDE_BY_SIDE[self._is_long])
                self._code.append((Loop(0), 0 if self._is_long else x.layout.size, x.reported, [], []))
            else:
                self._code.append(self._call(x))
        loops = loops_of([*regions.values()], self._alive)
        if loops is None:
            return None
        for k, loop in zip(regions, loops, strict=True):
            self._code[k] = (loop, *self._code[k][1:])
        expected = [*map(self._expected, self._inputs), *(plans.any_array() for _ in self._outputs)]
        block, size = (self._block, self._size) if self._is_long else (1, 1)
        found, starts = (self._code, self._slots, expected, self._guards, self._totals), self._starts
        return Plan(*found, starts, self._scratch, block, size, self._alive)

    def _place_the_others(self, outside: set[int]) -> None:
        """Blocks, and scratch memory for what only the segment reads."""
        size, (buffer_of, buffers) = self._size, shared(self._steps, outside)
        components = {x.components for x in self._steps if isinstance(x, Operation) and x.components}
        arrays = [self._strides[n] for n in outside]
        between = [itemsize for itemsize, n in buffers if n == size]
        self._block = _block(size, arrays + between, _CACHE if between else _SECOND_CACHE)
        self._starts: array[int] | None = plans.halved(size, self._block, *components) if components else None
        starts, self._scratch = list[int](), 0
        for itemsize, n in buffers:
            starts.append(self._scratch)
            self._scratch += _in_lines(itemsize * (self._block if n == size and self._is_long else n))
        self._places |= {n: self._slot(plans.SCRATCH, starts[k]) for n, k in buffer_of.items()}

    def _lengths(self, region: Region) -> set[int]:
        """How many elements a region may be given at once."""
        if not self._is_long:
            return {region.layout.size}
        if self._starts:
            return {*map(operator.sub, self._starts[1:], self._starts)}
        return {min(self._block, self._size), self._size % self._block} - {0}

    def _call(self, x: Operation) -> plans.Call:
        """The call of a loop: how often it goes round, what it reports, where its arguments lie, and their strides."""
        arguments: list[int] = []
        strides: list[int] = []
        for arg in x.args:
            slot, stride = self._argument(arg)
            arguments.append(slot)
            strides.append(stride)
        if x.guard is not None:
            arguments.append(self._slot(plans.SUM, len(self._guards)))
            strides.append(0)
            self._guards.append(x.guard)
        elif x.components and self._starts:
            arguments.append(self._slot(plans.PART, self._room, each=x.dtype.itemsize))
            strides.append(0)
            self._totals.append(plans.Total(x.dtype, self._room, self._places[x.made], x.reported))
            self._room += _in_lines(x.dtype.itemsize * (len(self._starts) - 1))
        else:
            for n, dtype in x.results:
                arguments.append(self._places[n])
                strides.append(dtype.itemsize)
        is_in_blocks = x.components or (not x.summed and self._is_long and x.layout.size == self._size)
        return x.loop, 0 if is_in_blocks else x.summed or x.layout.size, x.reported, arguments, strides

    def _argument(self, x: Any) -> tuple[int, int]:
        """Where an argument lies, and the bytes from one element to the next; 0 of a number."""
        if type(x) is int:
            return self._places[x], self._strides[x]
        self._alive.append(x)
        stride = self._stride(x.shape, x.dtype)
        return self._slot(plans.FIXED, data_of(x), self._step(stride)), stride

    def _operand(self, x: Any) -> Argument:
        """The same of an operation of a region."""
        slot, stride = self._argument(x)
        return Argument(slot, stride > 0)

    def _stride(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
        """The bytes from one element of an array to the next; 0 where it is one number for all steps of a loop."""
        is_whole = math.prod(shape) == self._size if self._is_long else shape != ()
        return dtype.itemsize if is_whole else 0

    def _step(self, stride: int) -> int:
        """The bytes from one element to the next in a plan that runs in blocks."""
        return stride if self._is_long else 0

    def _slot(self, kind: int, at: int, step: int = 0, each: int = 0) -> int:
        """The number of a new slot."""
        self._slots.append(plans.Slot(kind, at, step, each))
        return len(self._slots) - 1

    def _expected(self, number: int) -> bytes:
        """What an object must be to be this value."""
        shape, dtype = self._program.spaces[number]
        self._alive.append(dtype)
        strides = self._program.strides.get(number)
        return plans.expected_number(dtype.type) if strides is None else plans.expected_array(shape, strides, dtype)


def _block(size: int, itemsizes: Sequence[int], cache: int) -> int:
    """How many elements of all arrays fit into a cache, in lines; of few blocks 8 are as long as one another."""
    most = min(max(cache // max(sum(itemsizes), 1) // _LINE * _LINE, 2 * _LINE), 16 * _LINE * (cache // _CACHE))
    count = -(-size // most)
    return most if count < 8 or count > 64 else _in_lines(-(-size // (-(-count // 8) * 8)))


def _in_lines(count: int) -> int:
    """The bytes of the lines of the cache that so many bytes take."""
    return -(-count // _LINE) * _LINE
