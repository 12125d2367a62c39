"""How the values of a program lie in memory, and which steps read them."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from ...backends.native.machine import KINDS
from .instructions import Guard, Instruction, Program, Value, values_in
from .memory import read_by, roots_of, written_roots


class Layout(NamedTuple):
    """How an array lies in memory, without gaps: shape, strides in elements, their number; of numbers (), (), 1."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    size: int


class Values:
    """The values of a program: their layouts, what makes them, and what reads them.

    Attributes
    ----------
    uses : dict
        Of every value the steps that read it; None stands for the result of the program.
    makers : dict
        Of every value that an instruction returns alone that instruction.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses: dict[int, list[Instruction | Guard | None]] = defaultdict(list)
        for step in program.steps:
            for n in read_by(step):
                self.uses[n].append(step)
        for x in values_in(program.outputs):
            self.uses[x.number].append(None)
        self.makers = {
            step.outputs.number: step
            for step in program.steps
            if isinstance(step, Instruction) and type(step.outputs) is Value
        }
        self._roots = roots_of(program)
        self._written = written_roots(program, self._roots)
        self._layouts: dict[int, Layout | None] = {}

    def layout(self, number: int) -> Layout | None:
        """How a value lies in memory; None where that has gaps, or is not known."""
        if number not in self._layouts:
            self._layouts[number] = self._layout_of(number)
        return self._layouts[number]

    def _layout_of(self, number: int) -> Layout | None:
        shape, dtype = self.program.spaces[number]
        if isinstance(dtype, type) or not dtype.isnative or dtype.char not in KINDS or len(shape) > 8:
            return None
        return dense(shape, self.program.strides.get(number, ()), dtype.itemsize)

    def is_still(self, number: int) -> bool:
        """Whether an array lies in memory without gaps, and nothing writes there."""
        return self.layout(number) is not None and not self._roots[number] & self._written


@lru_cache(maxsize=4096)
def dense(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> Layout | None:
    """The layout of an array without gaps; None of others, and of those without elements.

    Of a single element in one axis, too, NumPy gives loops the stride.
    """
    if len(shape) == 1 and strides[0] != itemsize:
        return None
    axes = sorted((step, n) for n, step in zip(shape, strides, strict=True) if n > 1)
    expected = itemsize
    for step, n in axes:
        if step != expected:
            return None
        expected *= n
    if 0 in shape:
        return None
    steps = tuple(0 if n == 1 else step // itemsize for n, step in zip(shape, strides, strict=True))
    return Layout(shape, steps, math.prod(shape))
