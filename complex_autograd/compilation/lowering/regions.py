"""The operations of a segment, and its regions: arithmetic fused into one loop, with intermediates in registers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from ....backends.native.assembly import FUNCTIONS, LONGEST, Argument, Constant, Operand, Step, assembled, can_assemble
from ....backends.native.inner_loops import Loop, fastest_loop, own_loop, with_derivative
from ....backends.native.machine import data_of
from ....backends.native.plans import TINY, Part, arrangement
from ....backends.native.ufuncs import has_kernel
from ..functions import EXACT
from ..instructions import Instruction, Program
from ..memory import Layout, View
from ..values import Value

_ERRORS: Final = {"divide": 1, "over": 2, "under": 4, "invalid": 8}
_SQUARED: Final = {int: "fdFD", float: "fd"}
"""The types of what NumPy squares by exponents of types of Python's."""
SPECIAL: Final = "special."
"""What names of special functions begin with."""


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
        The name of what NumPy's loop computes, of real numbers of one type, or the library's of a special function or
        its derivative; of others nothing.
    summed : int
        Of how many elements a sum is; 0 of all else.  What is of more than `SHORT` is read behind the segment alone.
    derivative : int or None
        The value that is the derivative, where the loop computes it with the function.
    components : int
        The numbers that an element is of an array that is summed in blocks; 0 of all else.
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
    derivative: int | None = None
    components: int = 0

    @property
    def results(self) -> tuple[tuple[int, np.dtype[Any]], ...]:
        """The values that it computes, and their dtypes."""
        if self.derivative is not None:
            return (self.made, self.dtype), (self.derivative, self.dtype)
        return () if self.guard else ((self.made, self.dtype),)


@lru_cache(maxsize=4096)
def loop_for(
    ufunc: Any, dtypes: tuple[Any, ...], strides: tuple[int, ...]
) -> tuple[Loop, tuple[Any, ...], bool, str] | None:
    """The loop of a ufunc, the dtypes that it takes and makes, whether it is exact, and the name of an `Operation`."""
    try:
        found = fastest_loop(ufunc, dtypes, strides)
    except TypeError:
        return None
    if found is None:
        return None
    resolved, loop = found
    *own, dtype = resolved
    is_uniform, is_kernel = all(x == dtype for x in own), has_kernel(ufunc, resolved)
    return (
        loop,
        resolved,
        ufunc in EXACT and dtype.char in "?fd",
        SPECIAL * is_kernel + ufunc.__name__ if dtype.char in "fd" and is_uniform else "",
    )


def is_square(step: Instruction, program: Program) -> bool:
    """Whether a power is the square of an array, as which NumPy computes it: of complex numbers where 2 is no float."""
    a, n = step.args
    is_array = type(a) is Value and a.number in program.strides
    return is_array and type(n) in (int, float) and n == 2 and program.spaces[a.number].dtype.char in _SQUARED[type(n)]


def arranged(
    shown: Sequence[View | None], targets: Sequence[Any], whole: Any, is_filled: bool
) -> tuple[Loop, tuple[Any, ...]] | None:
    """The loop that puts arrays, or numbers, into parts of another array, filled with zeros or not; its arguments."""
    loop = own_loop("arranged")
    parts: list[Part] = []
    if loop is None:
        return None
    for x, target in zip(shown, targets, strict=True):
        if x is None:
            return None
        part = x.part if x.part.shape == target.shape else np.broadcast_to(x.part, target.shape)
        places = data_of(part) - data_of(x.whole), data_of(target) - data_of(whole)
        parts.append(Part(*places, target.shape, part.strides, target.strides))
    table = arrangement(tuple(parts), whole.itemsize, whole.nbytes if is_filled else 0)
    return loop.of(len(parts)), (*[x.root for x in shown if x], table)


def deciding(loop: Loop, number: int, layout: Layout, bounds: tuple[float, float, bool]) -> Operation:
    """What adds to the sum that decides about a guard."""
    return Operation(loop, (number,), number, layout, np.dtype(float), False, 0, bounds)


def reported_by(step: Instruction) -> int:
    """The floating-point errors that an instruction reports, where the function says so itself."""
    if not step.errors:
        return -1
    names = np.geterr()
    return sum(_ERRORS[name] for name, how in zip(names, step.errors, strict=True) if how != "ignore")


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


def with_derivatives(operations: Sequence[Operation]) -> list[Operation]:
    """The operations of a segment, a special function and its derivative at the same argument as one, where they can.

    It stands in the place of the first of both, for they read nothing else.
    """
    places = {
        (x.function, x.args[0], x.reported): k
        for k, x in enumerate(operations)
        if x.function.startswith(SPECIAL) and len(x.args) == 1 and type(x.args[0]) is int
    }
    found = dict(enumerate(operations))
    for (function, argument, reported), k in places.items():
        name = function.removeprefix(f"{SPECIAL}derivative_")
        value = None if name == function else places.get((SPECIAL + name, argument, reported))
        loop = None if value is None else with_derivative(name, operations[k].dtype.char)
        if value is not None and loop is not None:
            found[min(value, k)] = operations[value]._replace(loop=loop, derivative=operations[k].made)
            del found[max(value, k)]
    return list(found.values())


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


def shared(operations: Sequence[Operation | Region], outside: set[int]) -> tuple[dict[int, int], list[tuple[int, int]]]:
    """The buffers of the values that only a segment reads, and the bytes of an element and the size of each.

    A value whose last use this is leaves its buffer to the next of that kind; to the result of an operation only where
    that may write over an argument.
    """
    last = {n: k for k, x in enumerate(operations) for n in x.args if type(n) is int}
    buffer_of: dict[int, int] = {}
    buffers: list[tuple[int, int]] = []
    free: dict[tuple[int, int], list[int]] = {}
    for k, x in enumerate(operations):
        left = {buffer_of[n] for n in x.args if type(n) is int and last[n] == k and n in buffer_of}
        if x.is_exact:
            _leave(left, buffers, free)
        for made, dtype in x.results:
            if made in outside:
                continue
            kind = dtype.itemsize, x.layout.size
            if free.get(kind):
                buffer_of[made] = free[kind].pop()
            else:
                buffer_of[made] = len(buffers)
                buffers.append(kind)
            if made not in last:
                left.add(buffer_of[made])
        if not x.is_exact:
            _leave(left, buffers, free)
    return buffer_of, buffers


def _leave(left: Collection[int], buffers: Sequence[tuple[int, int]], free: dict[tuple[int, int], list[int]]) -> None:
    for number in left:
        free.setdefault(buffers[number], []).append(number)
