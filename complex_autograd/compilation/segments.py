"""The parts of a program that the machine runs: instructions one after another whose operations are loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...backends.native.assembly import Argument, loops_of
from ...backends.native.machine import Loop, machine, state
from ...backends.native.plans import (
    FIXED,
    GIVEN,
    SCRATCH,
    SHORT,
    SUM,
    Plan,
    Slot,
    any_array,
    expected_array,
    expected_number,
)
from .functions import is_foreign_to_numpy
from .instructions import Guard, Instruction, Program, values_in
from .lowering import Lowering
from .memory import Values, read_by
from .regions import Operation, Region, in_regions, shared

_FEWEST = 2
"""Operations: fewer are left to Python."""
_CACHE = 1 << 15
"""Bytes that a block of all arrays may take: about what the first level of the cache has."""
_SIDE_BY_SIDE = 2, 4
"""Vectors, of arrays that are computed at once, and in blocks: a step that waits for another leaves time for them."""
_LINE = 64
"""Bytes that vectors begin at."""


class Segment(NamedTuple):
    """Instructions that the machine runs.

    Attributes
    ----------
    steps : list
        As Python would run them.
    inputs, outputs : tuple of int
        The values that it reads, and those that are read behind it.
    plan : Plan
        What the machine runs.
    is_foreign : bool
        Whether there are loops of other packages, which may report errors to Python.
    """

    steps: list[Instruction | Guard]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    plan: Plan
    is_foreign: bool


Step = Instruction | Guard | Segment


def in_segments(values: Values) -> list[Step]:
    """The steps of a program, of which these are the values, in an order in which the machine may run many at once.

    What Python has to do waits until the machine needs it, or until it may be seen: a write, a guard.
    """
    if machine() is None:
        return list(values.program.steps)
    lowering, found = Lowering(values), list[Step]()
    operations_of = [lowering.operations(step) for step in values.program.steps]
    unseen = _unseen(lowering)
    opened, waiting = _Open(lowering, unseen), list[Instruction]()
    delayed: set[int] = set()

    def close() -> None:
        nonlocal opened
        found.extend(opened.steps_of_program())
        found.extend(waiting)
        opened = _Open(lowering, unseen)
        waiting.clear()
        delayed.clear()

    for step, operations in zip(values.program.steps, operations_of, strict=True):
        if id(step) in unseen:
            continue
        if operations is not None:
            if not operations:
                continue
            sizes = opened.sizes_of(operations)
            is_behind = delayed and any(type(n) is int and n in delayed for x in operations for n in x.args)
            if is_behind or not opened.takes(sizes):
                close()
            opened.add(step, operations, sizes)
        elif isinstance(step, Guard) or step.writes:
            close()
            found.append(step)
        else:
            waiting.append(step)
            delayed.update(x.number for x in values_in(step.outputs))
    close()
    return found


def executor_of(steps: Sequence[Step]) -> str:
    """What runs how many steps."""
    if machine() is None:
        return f"generated Python ({state()})"
    segments = [step for step in steps if isinstance(step, Segment)]
    inside = len({id(step) for segment in segments for step in segment.steps})
    whole = inside + len(steps) - len(segments)
    return f"the machine: {inside} of {whole} steps, in {len(segments)} segments; the others generated Python"


def _unseen(lowering: Lowering) -> set[int]:
    """The identities of the steps that make views of which Python needs none: the machine reads what they show."""
    values, unseen = lowering.values, set[int]()
    for number in reversed(values.viewing):
        if values.view(number) is not None and all(
            reader is not None and (id(reader) in unseen or number in lowering.views.get(id(reader), ()))
            for reader in values.uses[number]
        ):
            unseen.add(id(values.makers[number]))
    return unseen


class _Open:
    """A segment that grows."""

    def __init__(self, lowering: Lowering, unseen: set[int]) -> None:
        self.lowering, self._unseen = lowering, unseen
        self.steps: list[Instruction | Guard] = []
        self._inside, self._views = set[int](), set[int]()
        self.operations: list[Operation] = []
        self.sizes: set[int] = set()

    def sizes_of(self, operations: Sequence[Operation]) -> set[int]:
        """How many elements the arrays of some operations have."""
        sizes, layout_of = {x.layout.size for x in operations}, self.lowering.values.layout
        for x in operations:
            for n in x.args:
                if type(n) is int and n >= 0 and (layout := layout_of(n)) is not None:
                    sizes.add(layout.size)
        return sizes

    def takes(self, sizes: set[int]) -> bool:
        """Whether operations of these can run with the others: all are short, or as long, or numbers."""
        if sizes <= self.sizes:
            return True
        sizes = self.sizes | sizes
        return max(sizes) <= SHORT or len(sizes - {1}) == 1

    def add(self, step: Instruction | Guard, operations: Sequence[Operation], sizes: set[int]) -> None:
        done: list[Instruction | Guard] = [step]
        if isinstance(step, Guard):
            done = [*self.lowering.decisions.parts(step), step]
        self._inside.update(map(id, done))
        for number in self.lowering.views.get(id(step), ()):
            view = self.lowering.values.view(number)
            for x in view.steps if view else ():
                if id(x) not in self._views:
                    self._views.add(id(x))
                    self.steps.append(x)
        self.steps += done
        self.operations += operations
        self.sizes |= sizes

    def _is_read_outside(self, number: int) -> bool:
        """Whether a step reads a value that is not in the segment, be it through a view."""
        for reader in self.lowering.values.uses[number]:
            if id(reader) in self._inside:
                continue
            if id(reader) not in self._unseen or not isinstance(reader, Instruction):
                return True
            if self._is_read_outside(reader.outputs.number):
                return True
        return False

    def steps_of_program(self) -> Sequence[Step]:
        """One segment, or the steps themselves where these are few."""
        if len(self.operations) < _FEWEST:
            return self.steps
        made = dict.fromkeys(x.made for x in self.operations if x.guard is None and x.made >= 0)
        outputs = [n for n in made if self._is_read_outside(n)]
        known = {x.number for step in self.steps if isinstance(step, Instruction) for x in values_in(step.outputs)}
        read = [n for x in self.operations for n in x.args if type(n) is int and n >= 0]
        outside = [n for step in self.steps for n in read_by(step) if n not in known]
        inputs = list(dict.fromkeys((*outside, *(n for n in read if n not in made))))
        functions = {step.function for step in self.steps if type(step) is Instruction}
        is_foreign = any(map(is_foreign_to_numpy, functions))
        return [Segment(self.steps, tuple(inputs), tuple(outputs), _planned(self, inputs, outputs), is_foreign)]


class _Place(NamedTuple):
    """What a value of a segment is: its dtype, and whether it has axes."""

    dtype: np.dtype[Any]
    has_axes: bool


def _planned(opened: _Open, inputs: Sequence[int], outputs: Sequence[int], has_regions: bool = True) -> Plan:
    """The plan of a segment: every value has a slot, and what only the segment reads shares scratch memory."""
    program, size = opened.lowering.program, max(opened.sizes)
    is_long, outside = size > SHORT, [*inputs, *outputs]
    kinds = {n: _Place(program.spaces[n].dtype, program.spaces[n].shape != ()) for n in outside}
    kinds |= {n: _Place(dtype, x.layout.shape != ()) for x in opened.operations for n, dtype in x.results}
    operations = in_regions(opened.operations, set(outputs)) if has_regions else opened.operations
    buffer_of, buffers = shared(operations, set(outside))
    block = _block([kinds[n].dtype.itemsize for n in outside] + [itemsize for itemsize, n in buffers if n == size])
    starts, scratch = [], 0
    for itemsize, n in buffers:
        starts.append(scratch)
        scratch += -(-itemsize * (block if n == size and is_long else n) // _LINE) * _LINE

    slots = [Slot(GIVEN, k, _step(kinds[n], is_long)) for k, n in enumerate(outside)]
    places = {n: k for k, n in enumerate(outside)}
    for n, k in buffer_of.items():
        places[n] = len(slots)
        slots.append(Slot(SCRATCH, starts[k]))
    code: list[tuple[Loop, int, int, list[int], list[int]]] = []
    guards, alive = list[tuple[float, float, bool]](), list[Any]()
    regions: dict[int, bytes] = {}

    def argument(arg: Any) -> Argument:
        """Where an argument lies, and whether it is an array."""
        kind = kinds[arg] if type(arg) is int else _Place(arg.dtype, arg.ndim > 0)
        if type(arg) is int:
            return Argument(places[arg], kind.has_axes)
        alive.append(arg)
        slots.append(Slot(FIXED, arg.__array_interface__["data"][0], _step(kind, is_long)))
        return Argument(len(slots) - 1, kind.has_axes)

    for x in operations:
        if isinstance(x, Region):
            lengths = {min(block, size), size % block} - {0} if is_long else {x.layout.size}
            regions[len(code)] = x.code(argument, lengths, _SIDE_BY_SIDE[is_long])
            code.append((Loop(0), 0 if is_long else x.layout.size, x.reported, [], []))
            continue
        arguments, strides = [], []
        for arg in x.args:
            kind = kinds[arg] if type(arg) is int else _Place(arg.dtype, arg.ndim > 0)
            arguments.append(places[arg] if type(arg) is int else argument(arg).slot)
            strides.append(kind.dtype.itemsize if kind.has_axes else 0)
        if x.guard is None:
            arguments.append(places[x.made])
            strides.append(x.dtype.itemsize)
        else:
            arguments.append(len(slots))
            slots.append(Slot(SUM, len(guards)))
            guards.append(x.guard)
            strides.append(0)
        count = x.summed or (0 if is_long and x.layout.size == size else x.layout.size)
        code.append((x.loop, count, x.reported, arguments, strides))
    loops = loops_of([*regions.values()], alive)
    if loops is None:  # the system gives no more memory for code
        return _planned(opened, inputs, outputs, has_regions=False)
    for k, loop in zip(regions, loops, strict=True):
        code[k] = (loop, *code[k][1:])
    expected = [_expected(n, program, alive) for n in inputs] + [any_array() for _ in outputs]
    return Plan(code, slots, expected, guards, scratch, block if is_long else 1, size if is_long else 1, alive)


def _step(kind: _Place, is_long: bool) -> int:
    return kind.dtype.itemsize if is_long and kind.has_axes else 0


def _block(itemsizes: Sequence[int]) -> int:
    """How many elements of all arrays fit into the cache, a multiple of what vectors hold."""
    return min(max(_CACHE // max(sum(itemsizes), 1) // _LINE * _LINE, 2 * _LINE), 16 * _LINE)


def _expected(number: int, program: Program, alive: list[Any]) -> bytes:
    """What an object must be to be this value."""
    shape, dtype = program.spaces[number]
    alive.append(dtype)
    strides = program.strides.get(number)
    return expected_number(dtype.type) if strides is None else expected_array(shape, strides, dtype)
