"""The plan of a segment: where its values lie, and which loops run in which blocks."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....backends.native import plans
from ....backends.native.assembly import Argument, loops_of
from ....backends.native.inner_loops import Loop
from ....backends.native.plans import SHORT, Plan
from ..instructions import Program
from .regions import Operation, Region, in_regions, shared, with_derivatives

_CACHE = 1 << 15
"""Bytes that a block of all arrays may take: about what the first level of the cache has."""
_SIDE_BY_SIDE = 2, 4
"""Vectors, of arrays that are computed at once, and in blocks: a step that waits for another leaves time for them."""
_LINE = 64
"""Bytes that vectors begin at."""


class _Place(NamedTuple):
    """What a value of a segment is: its dtype, and whether it has elements for all steps of a loop, or one number."""

    dtype: np.dtype[Any]
    is_whole: bool


def planned(
    program: Program,
    operations: Sequence[Operation],
    sizes: Collection[int],
    inputs: Sequence[int],
    outputs: Sequence[int],
    has_regions: bool = True,
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
    has_regions : bool
        Whether arithmetic may be machine code.
    """
    size, components = max(sizes), {x.components for x in operations if x.components}
    is_long, outside = size > SHORT, [*inputs, *outputs]

    def place(dtype: np.dtype[Any], shape: tuple[int, ...]) -> _Place:
        return _Place(dtype, math.prod(shape) == size if is_long else shape != ())

    kinds = {n: place(program.spaces[n].dtype, program.spaces[n].shape) for n in outside}
    kinds |= {n: place(dtype, x.layout.shape) for x in operations for n, dtype in x.results}
    joined = with_derivatives(operations)
    steps = in_regions(joined, set(outputs)) if has_regions else joined
    buffer_of, buffers = shared(steps, set(outside))
    arrays = [kinds[n].dtype.itemsize for n in outside if kinds[n].is_whole]
    block = _block(arrays + [itemsize for itemsize, n in buffers if n == size])
    starts = plans.halved(size, block, *components) if components else None
    places_of_buffers, scratch = [], 0
    for itemsize, n in buffers:
        places_of_buffers.append(scratch)
        scratch += -(-itemsize * (block if n == size and is_long else n) // _LINE) * _LINE

    slots = [plans.Slot(plans.GIVEN, k, _step(kinds[n], is_long)) for k, n in enumerate(outside)]
    places = {n: k for k, n in enumerate(outside)}
    for n, k in buffer_of.items():
        places[n] = len(slots)
        slots.append(plans.Slot(plans.SCRATCH, places_of_buffers[k]))
    lengths_of_blocks = {*map(operator.sub, starts[1:], starts)} if starts else {min(block, size), size % block} - {0}
    code: list[tuple[Loop, int, int, list[int], list[int]]] = []
    guards, totals, alive = list[tuple[float, float, bool]](), list[plans.Total](), list[Any]()
    room = 0
    regions: dict[int, bytes] = {}

    def argument(arg: Any) -> Argument:
        """Where an argument lies, and whether it is an array."""
        kind = kinds[arg] if type(arg) is int else place(arg.dtype, arg.shape)
        if type(arg) is int:
            return Argument(places[arg], kind.is_whole)
        alive.append(arg)
        slots.append(plans.Slot(plans.FIXED, arg.__array_interface__["data"][0], _step(kind, is_long)))
        return Argument(len(slots) - 1, kind.is_whole)

    for x in steps:
        if isinstance(x, Region):
            lengths = lengths_of_blocks if is_long else {x.layout.size}
            regions[len(code)] = x.code(argument, lengths, _SIDE_BY_SIDE[is_long])
            code.append((Loop(0), 0 if is_long else x.layout.size, x.reported, [], []))
            continue
        arguments, strides = [], []
        for arg in x.args:
            kind = kinds[arg] if type(arg) is int else place(arg.dtype, arg.shape)
            arguments.append(places[arg] if type(arg) is int else argument(arg).slot)
            strides.append(kind.dtype.itemsize if kind.is_whole else 0)
        if x.components and starts:
            arguments.append(len(slots))
            slots.append(plans.Slot(plans.PART, room, each=x.dtype.itemsize))
            totals.append(plans.Total(x.dtype, room, places[x.made], x.reported))
            room += -(-x.dtype.itemsize * (len(starts) - 1) // _LINE) * _LINE
            strides.append(0)
        elif x.guard is None:
            arguments += [places[n] for n, _ in x.results]
            strides += [dtype.itemsize for _, dtype in x.results]
        else:
            arguments.append(len(slots))
            slots.append(plans.Slot(plans.SUM, len(guards)))
            guards.append(x.guard)
            strides.append(0)
        count = 0 if x.components else x.summed or (0 if is_long and x.layout.size == size else x.layout.size)
        code.append((x.loop, count, x.reported, arguments, strides))
    loops = loops_of([*regions.values()], alive)
    if loops is None:  # the system gives no more memory for code
        return planned(program, operations, sizes, inputs, outputs, has_regions=False)
    for k, loop in zip(regions, loops, strict=True):
        code[k] = (loop, *code[k][1:])
    expected = [_expected(n, program, alive) for n in inputs] + [plans.any_array() for _ in outputs]
    block, size = (block, size) if is_long else (1, 1)
    return Plan(code, slots, expected, guards, totals, starts, scratch, block, size, alive)


def _step(kind: _Place, is_long: bool) -> int:
    return kind.dtype.itemsize if is_long and kind.is_whole else 0


def _block(itemsizes: Sequence[int]) -> int:
    """How many elements of all arrays fit into the cache, a multiple of what vectors hold."""
    return min(max(_CACHE // max(sum(itemsizes), 1) // _LINE * _LINE, 2 * _LINE), 16 * _LINE)


def _expected(number: int, program: Program, alive: list[Any]) -> bytes:
    """What an object must be to be this value."""
    shape, dtype = program.spaces[number]
    alive.append(dtype)
    strides = program.strides.get(number)
    return plans.expected_number(dtype.type) if strides is None else plans.expected_array(shape, strides, dtype)
