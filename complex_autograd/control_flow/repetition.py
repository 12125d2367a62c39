"""Loops whose steps the machine runs: all of them in one call, with the carry at a fixed place in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from ...backends.native.machine import data_of
from ...backends.native.plans import any_array, expected_array, expected_number
from ...backends.native.repeated_plans import ARGUMENT, CARRIED, STACKED, Move, Repeated, Source
from ...backends.numpy_versions import errors_in_force
from ..compilation.instructions import Guard, Instruction, Program, Space
from ..compilation.lowering.segments import Segment
from ..compilation.python_code import ERRORS, PythonProgram
from ..compilation.values import Value, mapped

TOGETHER: Final = 1 << 14
"""Steps of a loop without a known end: an interrupt from the keyboard waits for so many."""
_LINE = 64


class _Kind(NamedTuple):
    """What a value is."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    nbytes: int

    def expected(self, *stacked: int) -> bytes:
        """What an object must be to be this, or an array of so many of these."""
        shape = (*stacked, *self.shape)
        if shape:
            return expected_array(shape, _strides(shape, self.dtype), self.dtype)
        return expected_number(self.dtype.type)


def _kind(shape: tuple[int, ...], dtype: np.dtype[Any]) -> _Kind:
    return _Kind(shape, dtype, math.prod(shape) * int(dtype.itemsize))


def _strides(shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...]:
    return tuple(dtype.itemsize * math.prod(shape[i + 1 :]) for i in range(len(shape)))


class Repetition:
    """The steps of a loop as the machine runs them: each reads the carry, and what it leaves is carried over.

    Parameters
    ----------
    run : PythonProgram
        A step: of the index, the carry, the elements, and the rest.
    order : range
        The indices in their order.
    carried, arrays : int
        The number of leaves of the carry, and of the arrays.

    Attributes
    ----------
    is_possible : bool
        Whether one segment of the machine is all that a step does, and all arrays lie in memory in C's order.
    """

    def __init__(self, run: PythonProgram, order: range, carried: int, arrays: int) -> None:
        program, segment = run.program, run.steps[0] if run.steps else None
        self.is_possible = isinstance(segment, Segment) and len(run.steps) == 1 and _is_simple(program, carried)
        if not isinstance(segment, Segment) or not self.is_possible:
            return
        index, *inputs = [x.number for x in program.inputs]
        outputs = [x.number for x in program.outputs]
        self._carry, self._next, self._results = inputs[:carried], outputs[:carried], outputs[carried:]
        self._arrays, self._rest = inputs[carried : carried + arrays], inputs[carried + arrays :]
        read = [*segment.reads, *segment.made]
        self._arguments = [*read, *dict.fromkeys(n for n in outputs if n not in read)]
        self.is_possible = index not in self._arguments and not segment.plan.is_long and not segment.is_foreign
        self._plan, self._outputs, self._order = segment.plan, segment.made, order
        self._kinds = {n: _kind(*program.spaces[n]) for n in (*inputs, *self._arguments)}
        self._spare: list[tuple[list[Any], Repeated, Any]] = []

    def __call__(
        self, carry: Sequence[Any], xs: Sequence[Any], rest: Sequence[Any], stacked: Sequence[Any]
    ) -> tuple[int, Sequence[Any]]:
        """How many steps were taken, and the carry after them; the others are Python's, as the first may be."""
        try:
            memory = self._spare.pop()
        except IndexError:
            memory = self._memory()
        shown, repeated, _ = memory
        done = repeated.run(*carry, *xs, *rest, *stacked)
        if 0 <= done < len(self._order):
            ignored = sum(bit for bit, how in zip(ERRORS, errors_in_force(), strict=True) if how == "ignore")
            done = repeated.resumed(done, ignored)
        if done > 0:
            carry = [view.copy() if view.ndim else view[()] for view in shown]
        self._spare.append(memory)
        return max(done, 0), carry

    def _memory(self) -> tuple[list[Any], Repeated, Any]:
        """The arrays of the carry, the loop over them, and all bytes; threads that run at once have their own."""
        offsets, end = dict[int, int](), 0
        for n in dict.fromkeys([*self._carry, *self._outputs]):
            offsets[n] = end
            end += -(-self._kinds[n].nbytes // _LINE) * _LINE
        size = sum(self._kinds[n].nbytes for n in self._carry)
        memory = np.empty(end + 2 * size, np.uint8)
        start, kinds, count, direction = data_of(memory), self._kinds, len(self._order), self._order.step
        place = {n: k for k, n in enumerate(self._arguments)}
        begins = 0 if direction > 0 else count - 1
        sources = [
            *(Source(CARRIED, k, 0, kinds[n].nbytes, start + offsets[n]) for k, n in enumerate(self._carry)),
            *(Source(ARGUMENT, place.get(n, -1), begins * kinds[n].nbytes) for n in self._arrays),
            *(Source(ARGUMENT, place.get(n, -1), 0) for n in self._rest),
            *(Source(STACKED, k, begins * kinds[n].nbytes) for k, n in enumerate(self._results)),
        ]
        expected = [
            *(kinds[n].expected() for n in self._carry),
            *(kinds[n].expected(count) for n in self._arrays),
            *(kinds[n].expected() for n in self._rest),
            *(any_array() for _ in self._results),
        ]
        carried = [
            Move(place[n], kinds[n].nbytes, 0, start + offsets[to])
            for n, to in zip(self._next, self._carry, strict=True)
            if n != to
        ]
        stacked = [Move(place[n], kinds[n].nbytes, direction * kinds[n].nbytes, 0) for n in self._results]
        steps = [direction * kinds[n].nbytes if n in self._arrays else 0 for n in self._arguments]
        given = [start + offsets[n] if n in offsets else 0 for n in self._arguments]
        ends = start + end, start + end + size
        repeated = Repeated(self._plan, expected, sources, steps, given, stacked, carried, *ends, count)
        shown = [
            memory[offsets[n] :][: kinds[n].nbytes].view(kinds[n].dtype).reshape(kinds[n].shape) for n in self._carry
        ]
        return shown, repeated, memory


def while_it_holds(condition: Program, step: Program, carried: int, given: int, order: range) -> Repetition | None:
    """The steps of a loop that ends when a condition does not hold: it is a guard of each step.

    Parameters
    ----------
    condition, step : Program
        Of the carry, what both close over, and what each captured.
    carried, given : int
        The number of leaves of the carry, and with what both close over.
    order : range
        Of so many steps, at the most.

    Returns
    -------
    Repetition or None
        Of the carry, and the rest: what both close over, and what each captured.
    """
    (holds,) = condition.outputs
    if type(holds) is not Value:
        return None
    behind = max(step.spaces) + 1
    names = dict(zip(condition.inputs[:given], step.inputs, strict=False))
    names |= {x: Value(behind + x.number) for x in map(Value, condition.spaces) if x not in names}
    index = Value(behind + max(condition.spaces) + 1)

    def named(tree: Any) -> Any:
        return mapped(tree, lambda x: names[x] if type(x) is Value else x)

    def of_condition(x: Instruction | Guard) -> Instruction | Guard:
        if isinstance(x, Guard):
            return replace(x, value=names[x.value])
        writes = tuple(names[Value(n)].number for n in x.writes)
        args, kwargs, outputs = map(named, (x.args, x.kwargs, x.outputs))
        return replace(x, args=args, kwargs=kwargs, outputs=outputs, writes=writes)

    captured = [names[x] for x in condition.inputs[given:]]
    inputs = [index, *step.inputs[:given], *captured, *step.inputs[given:]]
    steps = [*map(of_condition, condition.steps), Guard(names[holds], bool, True, "the condition"), *step.steps]
    spaces = {names[Value(n)].number: space for n, space in condition.spaces.items()} | step.spaces
    strides = {names[Value(n)].number: found for n, found in condition.strides.items()} | step.strides
    spaces[index.number] = Space((), int)
    program = PythonProgram(Program(inputs, steps, step.outputs, spaces, strides), fewest=1)
    return Repetition(program, order, carried, 0)


def _is_simple(program: Program, carried: int) -> bool:
    """Whether arrays lie in memory in C's order, numbers are NumPy's, and nothing that is returned is constant."""
    inputs, spaces = [x.number for x in program.inputs[1:]], program.spaces
    if not all(type(x) is Value for x in program.outputs):
        return False
    outputs = [x.number for x in program.outputs]
    if any(spaces[a] != spaces[b] for a, b in zip(inputs[:carried], outputs[:carried], strict=True)):
        return False
    for n in (*inputs, *outputs):
        shape, dtype = spaces[n]
        if isinstance(dtype, type) or dtype.hasobject or 0 in shape:
            return False
        if program.strides.get(n) != (_strides(shape, dtype) if shape else None):
            return False
    return True
