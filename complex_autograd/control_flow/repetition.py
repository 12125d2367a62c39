"""Loops whose steps the machine runs: all of them in one call, with the carry in memory that stays where it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...backends.native.machine import data_of
from ...backends.native.plans import Move, Repeated
from ...backends.numpy_versions import errors_in_force
from ..compilation.instructions import Program, Value
from ..compilation.python_code import ERRORS, PythonProgram
from ..compilation.segments import Segment

_LINE = 64


class _Memory(NamedTuple):
    """What the steps of one run read and write: the arrays of the carry, the tables of addresses, all of the bytes."""

    carry: list[Any]
    repeated: Repeated
    whole: Any


class _Kind(NamedTuple):
    """What a value is."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    nbytes: int

    def is_of(self, x: Any) -> bool:
        """Whether a leaf of the carry is of this kind."""
        if type(x) is self.dtype.type:
            return not self.shape
        is_number = issubclass(type(x), np.generic)
        return getattr(x, "dtype", None) == self.dtype and x.shape == self.shape and is_number is (self.shape == ())

    def is_of_elements(self, x: Any) -> bool:
        """Whether the elements of an array are of this kind, and lie in memory in C's order."""
        if x.dtype != self.dtype or x.shape[1:] != self.shape or not x.flags.aligned:
            return False
        return x.strides[1:] == self.strides or bool(x[:1].flags.c_contiguous)


def _kind(shape: tuple[int, ...], dtype: np.dtype[Any]) -> _Kind:
    strides = _strides(shape, dtype)
    return _Kind(shape, dtype, strides, math.prod(shape) * int(dtype.itemsize))


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
        read = [*segment.inputs, *segment.outputs]
        arguments = [*read, *dict.fromkeys(n for n in outputs if n not in read)]
        self.is_possible = index not in arguments and not segment.plan.is_long and not segment.is_foreign
        self._argument = {n: k for k, n in enumerate(arguments)}
        self._plan, self._outputs, self._order = segment.plan, segment.outputs, order
        self._kinds = {n: _kind(*program.spaces[n]) for n in (*inputs, *arguments)}
        self._arrays = [(self._argument.get(n), self._kinds[n]) for n in inputs[carried : carried + arrays]]
        self._rest = [(self._argument.get(n), self._kinds[n]) for n in inputs[carried + arrays :]]
        self._spare: list[_Memory] = []

    def __call__(
        self, first: int, carry: Sequence[Any], xs: Sequence[Any], rest: Sequence[Any], stacked: list[Any]
    ) -> tuple[int, Sequence[Any]]:
        """How many steps were taken, and the carry behind them; the others are Python's, as the first may be."""
        order, alive = self._order, []
        if not all(self._kinds[n].is_of(x) for n, x in zip(self._carry, carry, strict=True)):
            return 0, carry
        given = []
        for (argument, kind), x in zip(self._arrays, xs, strict=True):
            if not kind.is_of_elements(x):
                return 0, carry
            step = x.strides[0]
            given.append((argument, data_of(x) + (order[0] - first) * step, order.step * step))
        for (argument, kind), x in zip(self._rest, rest, strict=True):
            x = x if type(x) is np.ndarray else np.asarray(x)
            if x.dtype != kind.dtype or x.shape != kind.shape or not x.flags.carray:
                return 0, carry
            alive.append(x)
            given.append((argument, data_of(x), 0))
        try:
            shown, repeated, _ = memory = self._spare.pop()
        except IndexError:
            shown, repeated, _ = memory = self._memory()
        for view, x in zip(shown, carry, strict=True):
            view[()] = x
        for argument, address, step in given:
            if argument is not None:
                repeated.given[argument], repeated.steps[argument] = address, step
        for k, y in enumerate(stacked):
            repeated.stacked[4 * k + 3] = data_of(y) + (order[0] - first) * repeated.stacked[4 * k + 1]
        done, n = repeated(0, len(order), 0), len(order)
        if done < n:
            ignored = sum(bit for bit, how in zip(ERRORS, errors_in_force(), strict=True) if how == "ignore")
            done = repeated(done, n, ignored)
        found = [view.copy() if view.ndim else view[()] for view in shown] if done else carry
        self._spare.append(memory)
        return done, found

    def _memory(self) -> _Memory:
        """What the steps of one run read and write; threads that run at once have memory of their own."""
        offsets, end = dict[int, int](), 0
        for n in dict.fromkeys([*self._carry, *self._outputs]):
            offsets[n] = end
            end += -(-self._kinds[n].nbytes // _LINE) * _LINE
        size = sum(self._kinds[n].nbytes for n in self._carry)
        memory = np.empty(end + 2 * size, np.uint8)
        start, argument, kinds = data_of(memory), self._argument, self._kinds
        carried = [
            Move(argument[n], kinds[n].nbytes, 0, start + offsets[to])
            for n, to in zip(self._next, self._carry, strict=True)
            if n != to
        ]
        stacked = [Move(argument[n], kinds[n].nbytes, self._order.step * kinds[n].nbytes, 0) for n in self._results]
        repeated = Repeated(self._plan, len(argument), stacked, carried, start + end, start + end + size)
        for n, offset in offsets.items():
            if n in argument:
                repeated.given[argument[n]] = start + offset
        shown = [
            memory[offsets[n] :][: kinds[n].nbytes].view(kinds[n].dtype).reshape(kinds[n].shape) for n in self._carry
        ]
        return _Memory(shown, repeated, memory)


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
