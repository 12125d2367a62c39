"""The parts of a program that the machine runs: consecutive instructions whose operations are loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....backends.native.large_arrays import LARGE
from ....backends.native.machine import machine, state
from ....backends.native.plans import SHORT, Plan
from ..functions import is_foreign_to_numpy
from ..instructions import Guard, Instruction
from ..memory import Values
from .operations import Lowering
from .planning import planned
from .regions import SPECIAL, Operation


class Segment(NamedTuple):
    """Instructions that the machine runs.

    Attributes
    ----------
    steps : list
        As Python would run them.
    reads, made : tuple of int
        The values that it reads, and those that are read behind it.
    plan : Plan
        What the machine runs.
    is_foreign : bool
        Whether there are loops of other packages, which may report errors to Python.
    """

    steps: list[Instruction | Guard]
    reads: tuple[int, ...]
    made: tuple[int, ...]
    plan: Plan
    is_foreign: bool


Step = Instruction | Guard | Segment


def in_segments(values: Values, fewest: int) -> list[Step]:
    """The steps of a program, of which these are the values, in an order in which the machine may run many at once.

    What Python has to do waits until the machine needs it, or until it may be seen: a write, a guard.  Fewer operations
    are left to Python.
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
        found.extend(opened.steps_of_program(fewest))
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
            sizes, sums = opened.sizes_of(operations), [x for x in operations if x.components]
            components = {x.components for x in sums}
            is_behind = delayed and any(type(n) is int and n in delayed for x in operations for n in x.args)
            if is_behind or not opened.takes(sizes, components):
                close()
            opened.add(step, operations, sizes)
            opened.components |= components
            delayed.update([x.made for x in sums])
        elif isinstance(step, Guard) or step.writes:
            close()
            found.append(step)
        else:
            waiting.append(step)
            delayed.update(step.made)
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
        self.sizes, self.components = set[int](), set[int]()

    def sizes_of(self, operations: Sequence[Operation]) -> set[int]:
        """How many elements the arrays of some operations have."""
        sizes, layout_of = {x.layout.size for x in operations}, self.lowering.values.layout
        for x in operations:
            for n in x.args:
                if type(n) is int and n >= 0 and (layout := layout_of(n)) is not None:
                    sizes.add(layout.size)
        return sizes

    def takes(self, sizes: set[int], components: set[int]) -> bool:
        """Whether operations of these can run with the others: all are short, or as long, or of one element.

        Blocks are those that NumPy sums arrays by, of real numbers or of complex ones.
        """
        if components and len(self.components | components) > 1:
            return False
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

    def steps_of_program(self, fewest: int) -> Sequence[Step]:
        """One segment, or the steps themselves where these are few; special functions of large arrays use all cores."""
        if len(self.steps) < fewest and not any(
            x.function.startswith(SPECIAL) and x.layout.size >= LARGE for x in self.operations
        ):
            return self.steps
        made = dict.fromkeys(x.made for x in self.operations if x.guard is None and x.made >= 0)
        totals = {x.made for x in self.operations if x.components}
        outputs = [n for n in made if n in totals or self._is_read_outside(n)]
        known = {n for step in self.steps for n in step.made}
        read = [n for x in self.operations for n in x.args if type(n) is int and n >= 0]
        outside = [n for step in self.steps for n in step.reads if n not in known]
        inputs = list(dict.fromkeys((*outside, *(n for n in read if n not in made))))
        functions = {step.function for step in self.steps if type(step) is Instruction}
        is_foreign = any(map(is_foreign_to_numpy, functions))
        plan = planned(self.lowering.program, self.operations, self.sizes, inputs, outputs)
        return [Segment(self.steps, tuple(inputs), tuple(outputs), plan, is_foreign)]
