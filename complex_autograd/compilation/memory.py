"""The memory layout of the values of a program, which of them may share memory, and which steps read them."""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...backends.native.inner_loops import KINDS
from ...backends.native.plans import MOST, SHORT
from .functions import VIEWING, is_fresh
from .instructions import Guard, Instruction, Program
from .values import Value, numbers_in

Roots = dict[int, frozenset[int]]


class Known(dict[Any, Any]):
    """What a function returns, computed once for each argument."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, x: Any) -> Any:
        self[x] = found = self._function(x)
        return found


def roots_of(program: Program) -> Roots:
    """Of every value the values whose memory it may show, itself where it has memory of its own."""
    roots: Roots = {x.number: frozenset(x) for x in program.inputs}
    strides, fresh = program.strides, Known(is_fresh)
    numbers = {n for n, space in program.spaces.items() if not space.shape and n not in strides}  # without memory
    for step in program.steps:
        if isinstance(step, Guard):
            continue
        for n in step.made:
            if n not in roots:
                shown = n in strides and not fresh[step.function] and [roots[k] for k in step.reads if k not in numbers]
                roots[n] = shown[0].union(*shown[1:]) if shown else frozenset((n,))
    return roots


def written_roots(program: Program, roots: Roots) -> frozenset[int]:
    """The values whose memory some instruction writes into."""
    return frozenset[int]().union(*[roots[n] for step in program.steps for n in step.writes])


def of_constants(program: Program) -> set[int]:
    """The values that may show the memory of constants."""
    found = set[int]()
    for step in program.steps:
        if not isinstance(step, Guard) and not step.reads and not is_fresh(step.function):
            found.update(step.made)
    return found


def owner_of(a: Any) -> Any:
    """What owns the memory that an array shows."""
    while getattr(a, "base", None) is not None:
        a = a.base
    return a


def array_of(shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """An array with the strides that NumPy gave a result, which are those of a permutation of its axes."""
    if all(map(operator.ge, strides, strides[1:])):
        return np.empty(shape, dtype)
    order = sorted(range(len(shape)), key=lambda i: -strides[i])
    dense: Any = np.empty([shape[i] for i in order], dtype)
    return dense.transpose(np.argsort(order))


def empty(space: tuple[tuple[int, ...], tuple[int, ...], np.dtype[Any]], name: str) -> str:
    """What makes an array of a space of this name."""
    strides = space[1]
    return f"empty({name}[0], {name}[2])" if list(strides) == sorted(strides)[::-1] else f"array_of(*{name})"


_DTYPES = {char: np.dtype(char) for char in KINDS}


def with_usual_dtype(x: Any) -> Any:
    """An array with NumPy's own object for an equal dtype, as pickles make: the machine compares objects."""
    dtype = _DTYPES.get(x.dtype.char) if type(x) is np.ndarray else None
    return x if dtype is None or x.dtype is dtype or x.dtype != dtype else x.view(dtype)


def is_as(x: Any, shape: tuple[int, ...], dtype: Any) -> bool:
    """Whether a value has the shape and dtype that the rest of the program was recorded for."""
    return bool(np.shape(x) == shape and getattr(x, "dtype", type(x)) == dtype)


class Layout(NamedTuple):
    """How an array lies in memory, without gaps: shape, strides in elements, their number; of numbers (), (), 1."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    size: int


class View(NamedTuple):
    """An array that shows the memory of another one, with gaps or not.

    Attributes
    ----------
    root : int
        The value that it shows.
    whole, part : array
        Some arrays in the place of both.
    steps : tuple of Instruction
        What makes it.
    """

    root: int
    whole: Any
    part: Any
    steps: tuple[Instruction, ...] = ()


class Values:
    """The values of a program: their layouts, what makes them, and what reads them.

    Attributes
    ----------
    uses : dict
        Of every value the steps that read it; None stands for the result of the program.
    makers : dict
        Of every value that an instruction returns alone that instruction.
    viewing : dict
        The arrays that functions return which may show the memory of others, in order.
    roots, written
        As `roots_of` and `written_roots` have them.
    layout : callable
        How a value lies in memory; None where that has gaps, or is not known.
    view : callable
        What a value shows, where that is an array of a few elements without gaps, which nothing writes into.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses: dict[int, list[Instruction | Guard | None]] = defaultdict(list)
        for step in program.steps:
            for n in step.reads:
                self.uses[n].append(step)
        for n in numbers_in(program.outputs):
            self.uses[n].append(None)
        self.makers = {step.outputs.number: step for step in program.steps if type(step.outputs) is Value}
        self.roots = roots_of(program)
        self.written = written_roots(program, self.roots)
        self.viewing = dict.fromkeys(
            n for n, step in self.makers.items() if step.function in VIEWING and program.strides.get(n)
        )
        self.layout: Callable[[int], Layout | None] = Known(self._layout_of).__getitem__
        self.view: Callable[[int], View | None] = Known(self._view_of).__getitem__

    def _layout_of(self, number: int) -> Layout | None:
        shape, dtype = self.program.spaces[number]
        if isinstance(dtype, type) or not dtype.isnative or dtype.char not in KINDS or len(shape) > 8:
            return None
        return dense(shape, self.program.strides.get(number, ()), dtype.itemsize)

    def _view_of(self, number: int) -> View | None:
        step = self.makers[number] if number in self.viewing else None
        if step is None or type(step.args[0]) is not Value:
            return None
        x, strides = step.args[0].number, self.program.strides[number]
        if step.reads != [x] or x >= number or self.roots[number] & self.written:
            return None  # a function that returns its argument makes no value
        base = self.shown(x)
        if base is None:
            return None
        part = step.function(base.part, *step.args[1:], **step.kwargs)
        if not np.may_share_memory(part, base.whole) or part.strides != strides:
            return None
        return View(base.root, base.whole, part, (*base.steps, step))

    def shown(self, number: int) -> View | None:
        """Where a number, or a few elements, lie in memory."""
        return self.view(number) or self.whole(number)

    def whole(self, number: int) -> View | None:
        """A number, or an array of a few elements without gaps, as a view of its own; None of others."""
        layout, (shape, dtype) = self.layout(number), self.program.spaces[number]
        if layout is None or not 0 < layout.size <= SHORT or (shape and number not in self.program.strides):
            return None
        found = array_of(shape, self.program.strides.get(number, ()), dtype)
        return View(number, found, found)

    def is_still(self, number: int) -> bool:
        """Whether an array lies in memory without gaps, and nothing writes there."""
        return self.layout(number) is not None and not self.roots[number] & self.written


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


def stacking_axis(step: Instruction, program: Program) -> int | None:
    """The axis of a `np.stack` of arrays of the dtype of the result, which is in C's order; None of all else."""
    arrays: Any = step.args[0] if step.args else None
    if step.function is not np.stack or type(arrays) not in (tuple, list) or type(step.outputs) is not Value:
        return None
    kinds = [program.spaces[x.number] if type(x) is Value else None for x in arrays]
    (shape, dtype), axis = program.spaces[step.outputs.number], step.kwargs.get("axis", (*step.args, 0)[1])
    is_plain = type(axis) is int and len(step.args) < 3 and step.kwargs.keys() <= {"axis"} and None not in kinds
    if not is_plain or any(isinstance(x.dtype, type) or x != kinds[0] or x.dtype != dtype for x in kinds if x):
        return None
    return axis % len(shape) if program.strides.get(step.outputs.number) == np.empty(shape, dtype).strides else None


def stacked_in_place(step: Instruction, program: Program) -> Instruction:
    """`np.stack` as copies into a new array, where that is what it does; others as they are."""
    axis = stacking_axis(step, program)
    if axis is None:
        return step
    shape, dtype = program.spaces[step.outputs.number]
    places = [(slice(None),) * axis + (i,) for i in range(shape[axis])]

    def stacked(arrays: Sequence[Any]) -> Any:
        out = np.empty(shape, dtype)
        for place, x in zip(places, arrays, strict=True):
            out[place] = x
        return out

    function = stacked if len(shape) > 1 else partial(np.array, dtype=dtype)
    return Instruction(function, step.args[:1], {}, step.outputs)


@lru_cache(maxsize=4096)
def laid_out_as(layout: Layout, dtype: np.dtype[Any]) -> tuple[list[Any], Any]:
    """All of an array of this layout, as a part of it, and the array."""
    whole = array_of(layout.shape, tuple(n * dtype.itemsize for n in layout.strides), dtype)
    return [whole], whole


def parts_of_result(step: Instruction, program: Program) -> tuple[list[int], tuple[list[Any], Any]] | None:
    """The values whose elements `np.stack`, or a sum with zeros, puts into a result; its parts; and the result."""
    shape, dtype = program.spaces[step.outputs.number]
    if isinstance(dtype, type) or program.strides.get(step.outputs.number) != np.empty(shape, dtype).strides:
        return None
    whole = np.empty(shape, dtype)
    if step.function is np.stack:
        axis, arrays = stacking_axis(step, program), step.args[0]
        if axis is None or len(arrays) > MOST - 2:
            return None
        moved = np.moveaxis(whole, axis, 0)
        return [x.number for x in arrays], ([moved[k, ...] for k in range(len(arrays))], whole)
    x, index, _ = step.args
    if type(x) is not Value or step.reads != [x.number] or program.spaces[x.number].dtype != dtype:
        return None
    target = whole[index]
    is_part = type(target) is np.ndarray and np.may_share_memory(target, whole) and dtype.char in "fdFD"
    return ([x.number], ([target], whole)) if is_part else None
