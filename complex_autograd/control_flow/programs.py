"""Steps and branches as programs, and the instructions that run them: `Loop`, `While`, `Choice`.

A step is recorded once, of symbols of its own.  What it reads of the function around, symbols too, becomes a further
argument when it is met, and is given to the loop once for all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..array.tracing import DEPTH
from ..compilation.instructions import Program
from ..compilation.memory import roots_of, written_roots
from ..compilation.nested import GuardError, Nested
from ..compilation.parts import example_of
from ..compilation.python_code import FAILED, PythonProgram
from ..compilation.recorder import Recorder
from ..compilation.second_run import are_alike
from ..compilation.simplification import simplified
from ..compilation.symbols import Symbol
from ..engine.errors import TraceError
from ..engine.reverse import own
from ..engine.traced import Traced, peel
from .closures import ClosesOverTracedError
from .repetition import Repetition
from .steps import too_many_steps


class _InnerRecorder(Recorder):
    """The recorder of a step or a branch.

    Attributes
    ----------
    captured : dict
        Symbols of the function around by their identity, with those that stand for them.
    """

    def __init__(self, outer: Recorder) -> None:
        super().__init__(outer)
        self.captured: dict[int, tuple[Symbol, Symbol]] = {}

    def adopted(self, x: Any) -> Any:
        if type(x) is not Symbol or x._recorder is self:
            return x
        assert self.outer is not None
        x = self.outer.adopted(x)
        if x._recorder is not self.outer:
            return x
        known = self.captured.get(id(x))
        if known is None:
            known = self.captured[id(x)] = x, self.symbol(own(x._example))
            self.program.inputs.append(known[1]._place)
        return known[1]


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
        self.program, self.captured, self.spaces = _recorded(outer, f, examples)
        again, _, _ = _recorded(outer, f, examples)
        if not are_alike(self.program, again):
            raise TraceError(
                "a step of a loop, or a branch, did not do the same in two runs with the same arguments, so a program "
                "of it would be wrong. Likely causes: it draws random numbers, counts, or changes what it closes over. "
                "Make what changes a part of the carry, or of xs."
            )
        self.program = simplified(self.program)


def _recorded(
    outer: Recorder, f: Callable[[list[Any]], Sequence[Any]], examples: Sequence[Any]
) -> tuple[Program, list[Symbol], list[Any]]:
    recorder = _InnerRecorder(outer)
    symbols = [recorder.symbol(own(example_of(x))) for x in examples]
    recorder.program.inputs = [x._place for x in symbols]
    outer.is_repeatable = False
    outer.inner, keep, DEPTH.keep = recorder, DEPTH.keep, recorder.made
    try:
        outputs = [recorder.adopted(peel(x)) for x in f(symbols)]
    finally:
        outer.inner, DEPTH.keep = None, keep
        outer.has_failed |= recorder.has_failed
    hidden = [x for x, _ in recorder.captured.values() if type(x._example) is np.ndarray]
    if hidden or any(type(x) is Traced for x in outputs):
        raise ClosesOverTracedError
    recorder.program.outputs = [x._place if type(x) is Symbol else recorder.kept(x) for x in outputs]
    program, captured = recorder.end(), [symbol for symbol, _ in recorder.captured.values()]
    if {x.number for x in program.inputs} & written_roots(program, roots_of(program)):
        raise TraceError(
            "a step of a loop, or a branch, writes into an array that it closes over, which a program cannot do for "
            "each step anew. Make the array a part of the carry, or of the operands, or write into a copy."
        )
    return program, captured, [(x.shape, x.dtype) for x in outputs]


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
        self._run = PythonProgram(part.program)
        self._order, self._first, self._counts = order, first, counts
        self._results = part.spaces[counts[0] :]
        self._repetition = Repetition(self._run, order, *counts)

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        carried, count = self._counts
        carry: Sequence[Any] = args[:carried]
        xs, rest = args[carried : carried + count], args[carried + count :]
        n, first, run, done = len(self._order), self._first, self._run, 0
        stacked: list[Any] = [np.empty((n, *shape), dtype) for shape, dtype in self._results]
        if self._repetition.is_possible:
            done, carry = self._repetition(first, carry, xs, rest, stacked)
        for i in self._order[done:]:
            found = _checked(run((i, *carry, *[x[i - first] for x in xs], *rest)))
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
        self._holds, self._run = PythonProgram(condition.program), PythonProgram(part.program)
        self._carried, self._given, self._bound = carried, given, bound
        self._end = given + len(condition.captured)

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        carry, rest = args[: self._carried], args[self._carried : self._given]
        of_condition, of_step = (*rest, *args[self._given : self._end]), (*rest, *args[self._end :])
        steps = 0
        while _checked(self._holds((*carry, *of_condition)))[0]:
            if steps == self._bound:
                raise too_many_steps(steps)
            carry = tuple(_checked(self._run((*carry, *of_step))))
            steps += 1
        return carry


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
        self._runs = [PythonProgram(part.program) for part in parts]
        self._number_of, self._operands = number_of, operands
        ends = np.cumsum([operands + 1, *(len(part.captured) for part in parts)])
        self._captured = [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def __call__(self, index: Any, *args: Any) -> tuple[Any, ...]:
        number = self._number_of(index)
        rest = args[self._captured[number].start - 1 : self._captured[number].stop - 1]
        return tuple(_checked(self._runs[number]((*args[: self._operands], *rest))))


def _checked(found: Any) -> Any:
    """What a program returned, if its guards held."""
    if found is FAILED:
        raise GuardError
    return found
