"""Loops whose steps the machine runs: all of them in one call, with the carry in memory that stays where it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...backends.native.plans import Move, repeat
from ..compilation.instructions import Program, Value
from ..compilation.python_code import ERRORS, PythonProgram
from ..compilation.segments import Segment

_LINE = 64


class Repetition:
    """The steps of a loop as the machine runs them: each reads the carry, and what it leaves is carried over.

    Parameters
    ----------
    run : PythonProgram
        A step: of the index, the carry, the elements, and the rest.
    carried, arrays : int
        The number of leaves of the carry, and of the arrays.

    Attributes
    ----------
    is_possible : bool
        Whether one segment of the machine is all that a step does, and all arrays lie in memory in C's order.
    """

    def __init__(self, run: PythonProgram, carried: int, arrays: int) -> None:
        self._program, segment = run.program, run.steps[0] if run.steps else None
        self.is_possible = isinstance(segment, Segment) and len(run.steps) == 1 and _is_simple(run.program, carried)
        if not isinstance(segment, Segment) or not self.is_possible:
            return
        index, *inputs = [x.number for x in run.program.inputs]
        outputs = [x.number for x in run.program.outputs]
        self._carry, self._arrays = inputs[:carried], inputs[carried : carried + arrays]
        self._rest, self._next, self._results = inputs[carried + arrays :], outputs[:carried], outputs[carried:]
        read = [*segment.inputs, *segment.outputs]
        self._arguments = [*read, *dict.fromkeys(n for n in outputs if n not in read)]
        self.is_possible = index not in self._arguments and not segment.plan.is_long and not segment.is_foreign
        self._plan = segment.plan
        self._offsets: dict[int, int] = {}
        self._end = 0
        for n in dict.fromkeys([*self._carry, *segment.outputs]):
            self._offsets[n] = self._end
            self._end += -(-self._bytes(n) // _LINE) * _LINE
        self._size = self._end + sum(map(self._bytes, self._carry))

    def __call__(
        self, order: range, first: int, carry: Sequence[Any], xs: Sequence[Any], rest: Sequence[Any], stacked: list[Any]
    ) -> tuple[int, Sequence[Any]]:
        """How many steps were taken, and the carry behind them; the others are Python's, as the first may be."""
        if not all(map(self._is_as_expected, self._carry, carry)):
            return 0, carry
        alive = [*rest]
        given: dict[int, tuple[int, int]] = {}
        for n, x in zip(self._arrays, xs, strict=True):
            shape, dtype = self._program.spaces[n]
            if x.dtype != dtype or x.shape[1:] != shape or not (x[:1].flags.c_contiguous and x.flags.aligned):
                return 0, carry
            given[n] = _address(x) + (order[0] - first) * x.strides[0], order.step * x.strides[0]
        for k, n in enumerate(self._rest):
            shape, dtype = self._program.spaces[n]
            alive[k] = x = np.asarray(rest[k])
            if x.dtype != dtype or x.shape != shape or not x.flags.carray:
                return 0, carry
            given[n] = _address(x), 0
        memory = np.empty(self._size, np.uint8)
        start = _address(memory)
        shown = [memory[self._offsets[n] :][: self._bytes(n)].view(self._program.spaces[n].dtype) for n in self._carry]
        for n, view, x in zip(self._carry, shown, carry, strict=True):
            view.reshape(self._program.spaces[n].shape)[...] = x
        given |= {n: (start + offset, 0) for n, offset in self._offsets.items()}
        places = {n: k for k, n in enumerate(self._arguments)}
        carried = [
            Move(places[n], self._bytes(n), 0, given[to][0]) for n, to in zip(self._next, self._carry, strict=True)
        ]
        kept = [
            Move(places[n], y[0].nbytes, order.step * y[0].nbytes, _address(y) + (order[0] - first) * y[0].nbytes)
            for n, y in zip(self._results, stacked, strict=True)
        ]
        ignored = sum(bit for bit, how in zip(ERRORS, np.geterr().values(), strict=True) if how == "ignore")
        arguments = [given[n] for n in self._arguments]
        done = repeat(self._plan, arguments, kept, carried, len(order), ignored, start + self._end)
        if not done:
            return 0, carry
        return done, [
            view.reshape(self._program.spaces[n].shape).copy()[()] for n, view in zip(self._carry, shown, strict=True)
        ]

    def _bytes(self, number: int) -> int:
        shape, dtype = self._program.spaces[number]
        return math.prod(shape) * int(dtype.itemsize)

    def _is_as_expected(self, number: int, x: Any) -> bool:
        shape, dtype = self._program.spaces[number]
        is_number = issubclass(type(x), np.generic)
        return getattr(x, "dtype", None) == dtype and x.shape == shape and is_number is (shape == ())


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
        strides = [dtype.itemsize * math.prod(shape[i + 1 :]) for i in range(len(shape))]
        if program.strides.get(n) != (tuple(strides) if shape else None):
            return False
    return True


def _address(x: Any) -> int:
    return int(x.__array_interface__["data"][0])
