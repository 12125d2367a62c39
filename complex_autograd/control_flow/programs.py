"""Steps and branches as programs, and the instructions that run them: `Loop`, `While`, `Choice`.

A step is recorded once, on its own symbols.  A value of the enclosing function that it reads, which may be a symbol,
becomes an additional argument when it is encountered, and is passed to the loop once for all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ..array.tracing import DEPTH
from ..compilation.nested import Nested
from ..compilation.parts import example_of
from ..compilation.python_code import PythonProgram
from ..compilation.recorder import Recorder
from ..compilation.returned import separate
from ..compilation.second_run import OtherwiseError, Repeater
from ..compilation.simplification import simplified
from ..compilation.symbols import Symbol
from ..engine.errors import TraceError
from ..engine.reverse import own
from ..engine.traced import Traced, peel
from .closures import ClosesOverTracedError
from .repetition import TOGETHER, Repetition, while_it_holds
from .steps import too_many_steps


class _Inner(Recorder):
    """The recorder of a step or a branch.

    Attributes
    ----------
    captured : dict
        Symbols of the function around by their identity, with those that stand for them.
    """

    captured: dict[int, tuple[Symbol, Symbol]]

    def adopted(self, x: Any) -> Any:
        if type(x) is not Symbol or x._recorder is self:
            return x
        assert self.outer is not None
        x = self.outer.adopted(x)
        if x._recorder is not self.outer:
            return x
        known = self.captured.get(id(x))
        if known is None:
            known = self.captured[id(x)] = x, self._standing_for(x)
        return known[1]

    def _standing_for(self, x: Symbol) -> Symbol:
        """A further input, which stands for a symbol of the function around."""
        raise NotImplementedError

    def run(self, f: Callable[[list[Any]], Sequence[Any]], symbols: list[Symbol]) -> list[Any]:
        """What a step or a branch returns."""
        assert self.outer is not None
        self.outer.inner, keep, DEPTH.keep = self, DEPTH.keep, self.made
        try:
            return [self.adopted(peel(x)) for x in f(symbols)]
        finally:
            self.outer.inner, DEPTH.keep = None, keep
            self.outer.has_failed |= self.has_failed


class _First(_Inner):
    """The recorder of the first run."""

    def __init__(self, outer: Recorder) -> None:
        super().__init__(outer)
        self.captured = {}

    def _standing_for(self, x: Symbol) -> Symbol:
        found = self.symbol(own(x._example))
        self.program.inputs.append(found._place)
        return found


class _Second(_Inner, Repeater):
    """What compares the second run with the first one."""

    def __init__(self, first: _First, outer: Recorder) -> None:
        Repeater.__init__(self, first, outer)
        self.captured = {}
        self._expected = iter([(x._place, y._place) for x, y in first.captured.values()])

    def _standing_for(self, x: Symbol) -> Symbol:
        place, own_place = next(self._expected, (None, None))
        if place != x._place:
            raise self.otherwise()
        return self.shown(own_place)  # type: ignore[no-any-return]

    def is_as_before(self, f: Callable[[list[Any]], Sequence[Any]], count: int) -> bool:
        """Whether a step of so many arguments does again what it did."""
        try:
            outputs = self.run(f, self.inputs()[:count])
        except OtherwiseError:
            return False
        return self.ends_with(outputs) and next(self._expected, None) is None


class Part:
    """A step or a branch that was recorded.

    Attributes
    ----------
    program : Program
        Of its arguments, and then of what it captured.
    captured : list of Symbol
        What it reads of the function around.
    spaces : list
        Shape and dtype of each output.
    """

    def __init__(self, outer: Recorder, f: Callable[[list[Any]], Sequence[Any]], examples: Sequence[Any]) -> None:
        self.recorder, self._count = _First(outer), len(examples)
        recorder = self.recorder
        symbols = [recorder.symbol(own(example_of(x))) for x in examples]
        recorder.program.inputs = [x._place for x in symbols]
        outputs = recorder.run(f, symbols)
        self.captured = [symbol for symbol, _ in recorder.captured.values()]
        if any(type(x._example) is np.ndarray for x in self.captured) or any(type(x) is Traced for x in outputs):
            raise ClosesOverTracedError
        recorder.program.outputs = [x._place if type(x) is Symbol else recorder.kept(x) for x in outputs]
        self.spaces = [(x.shape, x.dtype) for x in outputs]
        program = recorder.end()
        if any(map(recorder.has_written, [*symbols, *(x for _, x in recorder.captured.values())])):
            raise TraceError(
                "a step of a loop, or a branch, writes into an array that it closes over, which a compiled program "
                "cannot repeat for each step. Make the array a part of the carry, or of the operands, or write into a "
                "copy."
            )
        self.program = simplified(program)

    @cached_property
    def code(self) -> PythonProgram:
        """What runs the program; the machine repeats steps of one operation, too."""
        return PythonProgram(self.program, fewest=1)

    def again(self, outer: Recorder, f: Callable[[list[Any]], Sequence[Any]]) -> Part:
        """The same in the second run of the function around."""
        second, found = _Second(self.recorder, outer), copy(self)
        if not second.is_as_before(f, self._count):
            outer.is_repeatable = False
            raise TraceError(
                "a step of a loop, or a branch, did not do the same in two runs with the same arguments, so a program "
                "of it would be wrong. Likely causes: it draws random numbers, counts, or changes what it closes over. "
                "Make what changes a part of the carry, or of xs."
            )
        found.captured = [symbol for symbol, _ in second.captured.values()]
        return found


def part_of(outer: Recorder, f: Callable[[list[Any]], Sequence[Any]], examples: Sequence[Any]) -> Part:
    """A step or a branch of the function that is being recorded, which is itself recorded in the first run of that."""
    if isinstance(outer, Repeater):
        return outer.next_part().again(outer, f)  # type: ignore[no-any-return]
    outer.is_repeatable, is_repeatable = False, outer.is_repeatable
    part = Part(outer, f, examples)
    outer.is_repeatable = is_repeatable and part.recorder.is_repeatable
    outer.parts.append(part)
    return part


class Loop(Nested):
    """Steps of a known number, one after another: of the carry, of arrays along whose first axis it runs, and the rest.

    Parameters
    ----------
    title : str
        How it is called in a program.
    part : Part
        A step: of the index, the carry, the elements, and the rest; returns the next carry, and what is stacked.
    order : range
        The indices in their order.
    first : int
        The index of the first element of the arrays.
    counts : tuple of int
        The number of leaves of the carry, and of the arrays.
    """

    def __init__(self, title: str, part: Part, order: range, first: int, counts: tuple[int, int]) -> None:
        super().__init__(title, {"step": part.program}, (order, first, counts))
        self._part, self._order, self._first, self._counts = part, order, first, counts
        self._results = [(shape, np.result_type(dtype)) for shape, dtype in part.spaces[counts[0] :]]

    @cached_property
    def _repetition(self) -> Repetition:
        return Repetition(self._part.code, self._order, *self._counts)

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        carried, count = self._counts
        carry: Sequence[Any] = args[:carried]
        xs, rest = args[carried : carried + count], args[carried + count :]
        n, first, done = len(self._order), self._first, 0
        stacked: list[Any] = [np.empty((n, *shape), dtype) for shape, dtype in self._results]
        if self._repetition.is_possible:
            done, carry = self._repetition(carry, xs, rest, stacked)
        for i in self._order[done:]:
            found = self._part.code.run((i, *carry, *[x[i - first] for x in xs], *rest))
            carry = found[:carried]
            for array, y in zip(stacked, found[carried:], strict=True):
                array[i - first] = y
        return (*carry, *stacked)


class While(Nested):
    """Steps while a condition holds: of the carry, what both parts close over, and what each captured.

    Parameters
    ----------
    condition, part : Part
        Of the carry and what both close over; return one truth value, and the next carry.
    carried, given : int
        The number of leaves of the carry, and with what both close over.
    bound : int or None
        The largest number of steps.
    """

    def __init__(self, condition: Part, part: Part, carried: int, given: int, bound: int | None) -> None:
        programs = {"condition": condition.program, "step": part.program}
        super().__init__("while_loop", programs, (carried, given, bound))
        self._condition, self._part = condition, part
        self._carried, self._given, self._bound = carried, given, bound
        self._end = given + len(condition.captured)
        self._together = TOGETHER if bound is None else min(bound, TOGETHER)

    @cached_property
    def _repetition(self) -> Repetition | None:
        programs, order = (self._condition.program, self._part.program), range(self._together)
        return while_it_holds(*programs, self._carried, self._given, order) if order else None

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        carry: Sequence[Any] = args[: self._carried]
        captured, rest = args[self._carried :], args[self._carried : self._given]
        of_condition, of_step = (*rest, *args[self._given : self._end]), (*rest, *args[self._end :])
        steps, taken = 0, self._together
        if self._repetition is not None and self._repetition.is_possible:
            while taken == self._together and (self._bound is None or steps + taken <= self._bound):
                taken, carry = self._repetition(carry, (), captured, ())
                steps += taken
        while self._condition.code.run((*carry, *of_condition))[0]:
            if steps == self._bound:
                raise too_many_steps(steps)
            carry = self._part.code.run((*carry, *of_step))
            steps += 1
        return tuple(carry if steps else map(separate, carry))


class Choice(Nested):
    """One of several programs: of its number, the operands, and the rest of each.

    Parameters
    ----------
    parts : sequence of Part
        Of the operands.
    number_of : callable
        Makes a number of the first argument.
    operands : int
        How many there are.
    """

    def __init__(self, parts: Sequence[Part], number_of: Callable[[Any], int], operands: int) -> None:
        programs = {f"branch_{k}": part.program for k, part in enumerate(parts)}
        super().__init__("switch", programs, (operands,))
        self._parts = parts
        self._number_of, self._operands = number_of, operands
        ends = np.cumsum([operands + 1, *(len(part.captured) for part in parts)])
        self._captured = [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def __call__(self, index: Any, *args: Any) -> tuple[Any, ...]:
        number = self._number_of(index)
        rest = args[self._captured[number].start - 1 : self._captured[number].stop - 1]
        return tuple(self._parts[number].code.run((*args[: self._operands], *rest)))
