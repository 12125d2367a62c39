"""A program as a Python function: one line per instruction, with buffers for the results of elementwise functions.

If the machine is available, it runs the instructions of a segment in one call.

When nothing can refer to a value any more, its buffer is reused for a later value with the same shape, dtype and
strides: the memory layout determines the order in which NumPy sums, and hence the bits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ...backends.native import plans
from ...backends.numpy_versions import errors_in_force
from ..array.inplace import REPLACING
from ..array.unshared_memory import overwriting
from ..engine.reverse import own
from .functions import EXACT, UFUNC_OF, is_fresh
from .instructions import Guard, Instruction, Program
from .lowering.segments import Segment, Step, executor_of, in_segments
from .memory import Roots, Values, array_of, empty, is_as, stacked_in_place
from .nested import GuardError
from .python_text import Text, direct, target, with_few_names
from .returned import separate, texts_of_returned, unless_new
from .values import Value, numbers_in

ERRORS = (1, 2, 4, 8)
"""How the machine numbers floating-point errors, in the order of `numpy.geterr`."""

_REAL = {np.dtype(char) for char in "?fd"}


class PythonProgram:
    """A program that runs as generated Python.

    Parameters
    ----------
    program : Program
        Simplified.
    may_use_machine : bool
        Whether the machine, where there is one, runs what it can.
    fewest : int
        The operations that the machine runs together, at least: of one alone the call takes longer than Python's.

    Attributes
    ----------
    program : Program
    steps : list of Instruction, Guard or Segment
        As they run.
    """

    def __init__(self, program: Program, may_use_machine: bool = True, fewest: int = 2) -> None:
        self.program, self._values = program, Values(program)
        self.steps = in_segments(self._values, fewest) if may_use_machine else program.steps

    @property
    def executor(self) -> str:
        """What runs how much of it."""
        return executor_of(self.steps)

    @cached_property
    def run(self) -> Callable[[Sequence[Any]], Any]:
        """Of the leaves of the arguments those of the result; it is made when it is needed.

        A guard that does not hold is an error, `GuardError`.
        """
        exec(compile(self.written.source, "<wirtinger.compile>", "exec"), names := self.written.names)
        made: Callable[[Sequence[Any]], Any] = names["run"]
        return made

    @cached_property
    def written(self) -> _Writer:
        """The function as text, and what the names in it stand for."""
        return _Writer(self._values, self.steps)


class _Writer(Text):
    """The source of a program, and what the names in it stand for."""

    def __init__(self, values: Values, steps: Sequence[Step]) -> None:
        super().__init__()
        self.program = program = values.program
        self.names |= {
            "GuardError": GuardError,
            "is_as": is_as,
            "own": own,
            "separate": separate,
            "unless_new": unless_new,
        }
        self.names |= {"array_of": array_of, "empty": np.empty, "errstate": np.errstate}
        self.buffers: list[tuple[tuple[int, ...], tuple[int, ...], np.dtype[Any]]] = []
        self.steps, self.makers = steps, values.makers
        self._write(values.roots, _last_uses(steps, program, values.roots), values.written)
        self.source = "\n".join(with_few_names(self.lines)) + "\n"

    def _write(self, roots: Roots, last: dict[int, int], written: frozenset[int]) -> None:
        program, free, held = self.program, dict[Any, list[int]](), dict[int, int]()
        given = "".join(f"v{x.number}, " for x in program.inputs)
        self.lines += ["def run(leaves):"]
        if given:
            self.lines.append(f"    {given}= leaves")
        self.lines += [f"    v{x.number} = own(v{x.number})" for x in program.inputs if x.number in written]
        errors: tuple[Any, ...] = ()
        for k, step in enumerate(self.steps):
            used = {root for n in (*step.reads, *step.made) for root in roots[n]}
            ending = [root for root in used if last[root] == k]
            if isinstance(step, Segment):
                self._write_segment(step, last, free, held)
                self._free(ending, free, held)
                errors = ()
                continue
            may_overwrite = isinstance(step, Instruction) and self._is_exact(step)
            if may_overwrite:
                self._free(ending, free, held)
            first = len(self.lines)
            if isinstance(step, Guard):
                self._write_guard(step)
            else:
                self._write_instruction(self._in_place(step, ending, held, roots), last, free, held)
                if step.errors and step.errors != errors:
                    self.names[name := f"e{first}"] = dict(zip(np.geterr(), step.errors, strict=True))
                    self.lines.insert(first, f"    with errstate(**{name}):")
                    first += 1
                errors = step.errors
            if errors:
                self.lines[first:] = [f"    {line}" for line in self.lines[first:]]
            if not may_overwrite:
                self._free(ending, free, held)
        returned = texts_of_returned(program, roots, self.text)
        self.lines.append(f"    return {', '.join(returned)},") if returned else self.lines.append("    return ()")
        if self.buffers:
            self._write_buffers()

    def _write_buffers(self) -> None:
        """Take buffers and leave them for the next run: threads that run at once have their own."""
        spare = list[list[Any]]()
        self.names |= {"spare": spare, "new_buffers": lambda: [array_of(*space) for space in self.buffers]}
        self.lines[1:1] = ["    try: buffers = spare.pop()", "    except IndexError: buffers = new_buffers()"]
        self.lines.insert(-1, "    spare.append(buffers)")

    def _free(self, roots: Iterable[int], free: dict[Any, list[int]], held: dict[int, int]) -> None:
        for root in roots:
            if root in held:
                number = held.pop(root)
                free.setdefault(self.buffers[number], []).append(number)

    def _is_exact(self, step: Instruction) -> bool:
        """Whether it may write over an argument: some of NumPy's loops take another way there, with other bits."""
        made = step.outputs
        return type(made) is Value and self.program.spaces[made.number].dtype in _REAL and step.function in EXACT

    def _in_place(self, step: Instruction, ending: Collection[int], held: dict[int, int], roots: Roots) -> Instruction:
        """An instruction that changes a part of an array as one that writes into it, where nothing reads that later."""
        if step.function not in REPLACING or type(step.args[0]) is not Value:
            return step
        n = step.args[0].number
        maker = self.makers.get(n)
        if n not in ending or n in held or maker is None or not is_fresh(maker.function) or roots[n] != {n}:
            return step
        return replace(step, function=overwriting(step.function))

    def _write_guard(self, guard: Guard) -> None:
        x, expected = f"v{guard.value.number}", guard.expected
        if guard.kind is bool:
            self.lines.append(f"    if {'not ' if expected else ''}{x}: raise GuardError")
        else:
            self.names[name := f"g{len(self.names)}"] = guard
            self.lines.append(f"    if not {name}.holds({x}): raise GuardError")

    def _write_instruction(
        self, step: Instruction, last: dict[int, int], free: dict[Any, list[int]], held: dict[int, int]
    ) -> None:
        space = self._buffer_space(step)
        if space is not None and last.get(step.outputs.number, -1) < len(self.steps):
            number = self._buffer(space, free)
            held[step.outputs.number] = number
            self.lines.append(f"    v{step.outputs.number} = {self._into_buffer(step, number)}")
            return
        call = self.call(direct(stacked_in_place(step, self.program), self.program))
        if type(step.outputs) is Value:
            self.lines.append(f"    v{step.outputs.number} = {call}")
        elif not step.made:
            self.lines.append(f"    {call}")
        else:
            self.lines.append(f"    {target(step.outputs)} = {call}")
        if step.is_checked:
            for n in step.made:
                shape, dtype = self.program.spaces[n]
                self.lines.append(f"    if not is_as(v{n}, {shape!r}, {self.constant(dtype)}): raise GuardError")

    def _buffer(self, space: Any, free: dict[Any, list[int]]) -> int:
        """A buffer that no value needs any more, or a new one."""
        if free.get(space):
            return free[space].pop()
        self.buffers.append(space)
        return len(self.buffers) - 1

    def _write_segment(
        self, segment: Segment, last: dict[int, int], free: dict[Any, list[int]], held: dict[int, int]
    ) -> None:
        """Call the machine, and Python where that returns more than 0."""
        k, numbers = len(self.names), []
        for n in segment.made:
            shape, dtype = self.program.spaces[n]
            space = shape, self.program.strides.get(n, ()), dtype
            if n in self.program.strides and last.get(n, len(self.steps)) == len(self.steps):
                self.names[f"s{n}"] = space
                self.lines.append(f"    v{n} = {empty(space, f's{n}')}")
                continue
            held[n] = self._buffer(space, free)
            self.lines.append(f"    v{n} = buffers[{held[n]}]")
            numbers += [] if n in self.program.strides else [n]
        objects = ", ".join(f"v{n}" for n in (*segment.reads, *segment.made))
        plan = segment.plan
        called = plans.unless_reporting(plan) if segment.is_foreign else plan
        self.names[f"m{k}"] = called if plan.is_long else plan.as_function()
        self.names[f"p{k}"] = _InPython(self.program, segment)
        self.lines.append(f"    if state := m{k}({objects}): p{k}(state, {objects})  # {len(segment.steps)} steps")
        self.lines += [f"    v{n} = v{n}[()]" for n in numbers]

    def _buffer_space(self, step: Instruction) -> Any:
        """Shape, strides and dtype of what an elementwise function returns, if a buffer can take it."""
        function: Any = UFUNC_OF.get(step.function, step.function)
        if (
            not issubclass(type(function), np.ufunc)
            or type(step.outputs) is not Value
            or step.kwargs
            or function.signature
        ):
            return None
        number = step.outputs.number
        shape, dtype = self.program.spaces[number]
        strides = self.program.strides.get(number)
        if strides is None or not shape or 0 in shape or dtype.hasobject or 0 in strides:
            return None
        return shape, strides, dtype

    def _into_buffer(self, step: Instruction, number: int) -> str:
        function = UFUNC_OF.get(step.function, step.function)
        out = "out=" if function in (np.maximum, np.minimum) else ""  # which warn of a third argument
        return f"{self.constant(function)}({', '.join(map(self.text, step.args))}, {out}buffers[{number}])"


def _last_uses(steps: Sequence[Step], program: Program, roots: Roots) -> dict[int, int]:
    """Of every root the last step that may read its memory; of outputs, one behind the last step."""
    last: dict[int, int] = {}
    for k, step in enumerate(steps):
        for n in (*step.reads, *step.made):
            last.update(dict.fromkeys(roots[n], k))
    for n in numbers_in(program.outputs):
        last.update(dict.fromkeys(roots[n], len(steps)))
    return last


class _InPython:
    """The instructions of a segment as Python runs them, where something is to be reported or is not as expected."""

    def __init__(self, program: Program, segment: Segment) -> None:
        self._program, self._segment = program, segment
        self._run: PythonProgram | None = None

    def __call__(self, state: int, *objects: Any) -> None:
        """Put what the instructions compute into the outputs, unless the machine's results stand."""
        if state & plans.FAILED and not state & plans.REFUSED:
            raise GuardError
        if state < plans.OWN_ERRORS and not any(
            state & bit and how != "ignore" for bit, how in zip(ERRORS, errors_in_force(), strict=True)
        ):
            return
        if self._run is None:
            segment, of_program = self._segment, self._program
            given, made = [Value(n) for n in segment.reads], [Value(n) for n in segment.made]
            program = Program(given, segment.steps, list(made), of_program.spaces, of_program.strides)
            self._run = PythonProgram(program, may_use_machine=False)
        count = len(self._segment.reads)
        for out, x in zip(objects[count:], self._run.run(objects[:count]), strict=True):
            out[...] = x
