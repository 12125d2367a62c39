"""Instructions that move elements: single elements, parts of arrays, stacks, sums at an index."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ....backends.native.inner_loops import own_loop
from ....backends.native.plans import SHORT
from ..instructions import Attribute, Instruction
from ..memory import Layout, Values, View, dense, laid_out_as, parts_of_result
from ..values import Value
from .regions import Operation, arranged, loop_for

NUMBER: Final = Layout((), (), 1)
"""The layout of a number."""


class Arranging:
    """What becomes of such instructions of a program."""

    def __init__(self, values: Values) -> None:
        self.program, self.values = values.program, values
        self._last, self._seen = 0, list[int]()

    def _laid_out(self, number: int, layout: Layout) -> Operation | None:
        """What lays an array out as another one lies; None where it lies so, and is no view, and of numbers."""
        if not layout.shape or (self.values.layout(number) in (layout, NUMBER) and not self.values.view(number)):
            return None
        self._last -= 1
        return self._arranged([number], laid_out_as(layout, self.program.spaces[number].dtype), self._last, layout)

    def _of_parts(self, step: Instruction) -> list[Operation] | None:
        """Arrays that are stacked, or one that is a part of zeros."""
        made, is_filled = step.outputs.number, step.function is not np.stack
        found, layout = parts_of_result(step, self.program), self.values.layout(made)
        if found is None or layout is None or layout.size > SHORT:
            return None
        arranged = self._arranged(*found, made, layout, is_filled)
        return None if arranged is None else [arranged]

    def _arranged(
        self, numbers: Sequence[int], place: tuple[list[Any], Any], made: int, layout: Layout, is_filled: bool = False
    ) -> Operation | None:
        """What puts arrays, or numbers, into parts of another array, or of zeros."""
        found = arranged([*map(self.values.shown, numbers)], *place, is_filled)
        if found is None:
            return None
        self._seen += [n for n in numbers if self.values.view(n)]
        return Operation(*found, made, layout, place[1].dtype, False, 0)

    def _of_element(self, step: Instruction) -> list[Operation] | None:
        """One element of an array; or zeros but for one element."""
        is_read = step.function is operator.getitem
        x, index, made = step.args[0], step.args[1], step.outputs.number
        if type(x) is not Value:
            return None
        number, array = x.number, x.number if is_read else made
        space, layout = self.program.spaces[made], self.values.layout(array)
        at = None if layout is None else place_of(index, layout)
        if layout is None or at is None:
            return None
        own = self.program.spaces[number]
        if not 0 < layout.size <= SHORT or own.dtype != space.dtype or (own.shape and not is_read):
            return None
        dtype = space.dtype
        loop = own_loop(f"element_{8 * dtype.itemsize}") if is_read else own_loop("placed", dtype)
        if loop is None or self.values.layout(number) is None:
            return None
        made_layout = NUMBER if is_read else layout
        return [Operation(loop.of(at), (number,), made, made_layout, dtype, False, -1)]

    def _of_scattered(self, step: Instruction) -> list[Operation] | None:
        """Zeros but for one element, or for a part."""
        return None if step.kwargs else self._of_element(step) or self._of_parts(step)

    def _of_sum_at(self, step: Instruction) -> list[Operation] | None:
        """A few numbers, with others added to a part of them."""
        (a, x), made = step.args, step.outputs.number
        (shape, dtype), layout = self.program.spaces[made], self.values.layout(made)
        if type(a) is not Value or type(x) is not Value or step.reads != [a.number, x.number]:
            return None
        if layout is None or not 0 < layout.size <= SHORT or self.program.spaces[a.number] != (shape, dtype):
            return None
        if dtype.char not in "fdFD" or self.program.spaces[x.number].dtype != dtype:
            return None
        at = place_of(step.kwargs["index"], layout)
        if at is None:
            return self._of_sums_at(a.number, x.number, step.kwargs["index"], made, layout)
        loop, laid_out = own_loop("sum_at", dtype), self._laid_out(a.number, layout)
        if loop is None or self.program.spaces[x.number].shape:
            return None
        number, before = (a.number, []) if laid_out is None else (laid_out.made, [laid_out])
        return [*before, Operation(loop.of(at), (number, x.number), made, layout, dtype, False, -1)]

    def _of_sums_at(self, a: int, x: int, index: Any, made: int, layout: Layout) -> list[Operation] | None:
        """A part of an array is read, added to, and put into a copy of all of it."""
        whole, added, target = self.values.shown(a), self.values.shown(x), laid_out_as(layout, self._dtype(a))[1]
        part = target[index]
        inner = np.empty(part.shape, part.dtype)
        inside, sums = (
            dense(inner.shape, inner.strides, inner.itemsize),
            loop_for(np.add, (inner.dtype,) * 2, (1, 1, 1)),
        )
        if whole is None or added is None or inside is None or sums is None or added.part.shape != part.shape:
            return None
        if not np.may_share_memory(part, target):
            return None
        self._last -= 3
        read, given, total = range(self._last, self._last + 3)
        moves = [
            (arranged([View(whole.root, whole.whole, whole.part[index])], [inner], inner, False), read, inside),
            (arranged([added], [inner], inner, False), given, inside),
            (arranged([whole, View(total, inner, inner)], [target, part], target, False), made, layout),
        ]
        first, second, last = (
            None if found is None else Operation(*found, number, space, inner.dtype, False, 0)
            for found, number, space in moves
        )
        if first is None or second is None or last is None:
            return None
        self._seen += [n for n in (a, x) if self.values.view(n)]
        return [first, second, Operation(sums[0], (read, given), total, inside, inner.dtype, False, -1), last]

    def _dtype(self, number: int) -> np.dtype[Any]:
        return self.program.spaces[number].dtype  # type: ignore[no-any-return]

    def _of_part(self, step: Instruction) -> list[Operation] | None:
        """The real or the imaginary part of a complex number."""
        if len(step.args) != 1 or type(step.args[0]) is not Value:
            return None
        x, made = step.args[0], step.outputs.number
        if self.values.layout(x.number) != NUMBER or self._dtype(x.number).char not in "FD":
            return None
        dtype = self._dtype(made)
        loop = own_loop(f"element_{8 * dtype.itemsize}")
        if loop is None or self.program.strides.keys() & {x.number, made}:
            return None
        part = loop.of(int(step.function in (np.imag, Attribute("imag"))))
        return [Operation(part, (x.number,), made, NUMBER, dtype, False, -1)]


def place_of(index: Any, layout: Layout) -> int | None:
    """Where the element at an index lies among those of an array; None where it is not one element."""
    index = index if type(index) is tuple else (index,)
    if len(index) != len(layout.shape) or any(type(i) is not int for i in index):
        return None
    places: list[int] = [(i % n) * stride for i, n, stride in zip(index, layout.shape, layout.strides, strict=True)]
    return sum(places)
