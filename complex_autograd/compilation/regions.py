"""What a segment does: operations, and regions of arithmetic that are one loop, with what lies between in registers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...backends.native.assembly import FUNCTIONS, LONGEST, Argument, Constant, Operand, Step, assembled, can_assemble
from ...backends.native.machine import Loop
from ...backends.native.plans import TINY
from .memory import Layout


class Operation(NamedTuple):
    """A loop of an instruction.

    Attributes
    ----------
    loop : Loop
        What is called.
    args : tuple
        Numbers of values, or arrays that are constant.
    made : int
        The value that it computes; a number that is negative for those that only this operation is for, or one of a
        guard.
    layout : Layout
        Of what it computes, or, of a guard, of what that looks at.
    dtype : dtype
        Of what it computes.
    is_exact : bool
        Whether it may write over an argument.
    reported : int
        The floating-point errors that are reported, as the function itself says; -1 where its caller says.
    guard : tuple or None
        Of what decides about a guard, bounds and what is expected.
    function : str
        The name of what NumPy's loop computes, of real numbers of one type; of others nothing.
    summed : int
        Of how many elements a sum is; 0 of all else.
    """

    loop: Loop
    args: tuple[Any, ...]
    made: int
    layout: Layout
    dtype: np.dtype[Any]
    is_exact: bool
    reported: int
    guard: tuple[float, float, bool] | None = None
    function: str = ""
    summed: int = 0

    @property
    def results(self) -> tuple[tuple[int, np.dtype[Any]], ...]:
        """The values that it computes, and their dtypes."""
        return () if self.guard else ((self.made, self.dtype),)


class Region(NamedTuple):
    """Operations that one loop does.

    Attributes
    ----------
    operations : tuple of Operation
        In order.
    args : tuple
        What they read of others: numbers of values, or arrays that are constant.
    results : tuple
        The values that others read, and their dtypes.
    layout : Layout
        Of all arrays.
    reported : int
        As of each operation.
    is_exact : bool
        Whether it may write over an argument: it may read that again, so no.
    guard : None
        None is decided about.
    """

    operations: tuple[Operation, ...]
    args: tuple[Any, ...]
    results: tuple[tuple[int, np.dtype[Any]], ...]
    layout: Layout
    reported: int
    is_exact: bool = False
    guard: None = None

    def code(self, argument: Callable[[Any], Argument], lengths: Collection[int], vectors: int) -> bytes:
        """The code of its loop, with what is outside as `argument` says; the others are those of `assembled`."""

        def operand(x: Any) -> Operand:
            if type(x) is not int and not x.ndim:
                return Constant(x.tobytes())
            return x if type(x) is int and x in made else argument(x)

        made = {x.made for x in self.operations}
        steps = [Step(x.function, tuple(map(operand, x.args)), x.made) for x in self.operations]
        stored = {number: argument(number).slot for number, _ in self.results}
        return assembled(steps, stored, self.operations[0].dtype.char, lengths, vectors)


def in_regions(operations: Sequence[Operation], kept: set[int]) -> list[Operation | Region]:
    """The operations of a segment, those that can be one loop as one; `kept` are values that are read behind it.

    An operation between two others of a region stands before it, unless it reads what that computes.
    """
    if not can_assemble():
        return list(operations)
    found = list[Operation | Region]()
    reads = Counter(n for x in operations for n in x.args if type(n) is int)
    opened: list[Operation] = []
    made: set[int] = set()

    def close() -> None:
        found.extend(opened if len(opened) < 2 else [_region(opened, reads, kept)])
        opened.clear()
        made.clear()

    for x in operations:
        if x.function in FUNCTIONS and x.layout.size > TINY:
            if opened and (len(opened) == LONGEST or _is_other(x, opened[0])):
                close()
            opened.append(x)
            made.add(x.made)
            continue
        if made and any(type(n) is int and n in made for n in x.args):
            close()
        found.append(x)
    close()
    return found


def _is_other(x: Operation, y: Operation) -> bool:
    """Whether two operations cannot be in one loop."""
    return (x.dtype, x.reported, x.layout) != (y.dtype, y.reported, y.layout)


def _region(inside: Sequence[Operation], reads: Counter[int], kept: set[int]) -> Region:
    """Operations as one; `reads` says how often each value is read by all."""
    made = {x.made for x in inside}
    args = {(n if type(n) is int else id(n)): n for x in inside for n in x.args if type(n) is not int or n not in made}
    own = Counter(n for x in inside for n in x.args if type(n) is int)
    results = tuple(r for x in inside for r in x.results if x.made in kept or reads[x.made] > own[x.made])
    return Region(tuple(inside), tuple(args.values()), results, inside[0].layout, inside[0].reported)
