"""Which instructions of a program the machine runs, and as which loops.

Elementwise functions of arrays that lie in memory alike, and of numbers, whose results the machine has to the bit: what
loops do may depend on strides, so that others are left to NumPy's own calls.  Guards are decided by sums.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...backends.native.machine import MOST, SHORT, Loop, loop_of, own_loop
from .instructions import Attribute, Guard, Instruction, Method, Program, Value, values_in
from .memory import read_by, roots_of, written_roots
from .operators import EXACT, UFUNC_OF

_ERRORS: Final = {"divide": 1, "over": 2, "under": 4, "invalid": 8}
_OF_REALS: Final = {np.add: "add", np.subtract: "subtract", np.multiply: "multiply", np.divide: "divide"}
_OF_REALS[np.negative] = "negative"  # type: ignore[index]
_OF_NUMBERS: Final = EXACT - {np.positive, np.absolute, np.maximum, np.minimum, np.sqrt}
"""Operators of numbers of NumPy's that do what loops do; of complex ones only the following."""
_OF_COMPLEX_NUMBERS: Final = {np.add, np.subtract, np.negative, np.equal, np.not_equal}
_OF_INTEGERS: Final = {
    *(np.add, np.subtract, np.multiply, np.negative, np.maximum, np.minimum, np.absolute, np.sign),
    *(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal),
    *(np.logical_and, np.logical_or, np.logical_not, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert),
}
_NUMBERS: Final = (bool, int, float, complex)


class Layout(NamedTuple):
    """How an array lies in memory, without gaps: its shape, and its strides in elements; of numbers both are empty."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)


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
    """

    loop: Loop
    args: tuple[Any, ...]
    made: int
    layout: Layout
    dtype: np.dtype[Any]
    is_exact: bool
    reported: int
    guard: tuple[float, float, bool] | None = None


class Lowering:
    """What becomes of the instructions of a program.

    Parameters
    ----------
    program : Program
        Simplified.

    Attributes
    ----------
    uses : dict
        Of every value the steps that read it; None stands for the result of the program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses: dict[int, list[Instruction | Guard | None]] = defaultdict(list)
        for step in program.steps:
            for n in read_by(step):
                self.uses[n].append(step)
        for x in values_in(program.outputs):
            self.uses[x.number].append(None)
        self._makers = {
            step.outputs.number: step
            for step in program.steps
            if isinstance(step, Instruction) and type(step.outputs) is Value
        }
        self._roots = roots_of(program)
        self._written = written_roots(program, self._roots)
        self._layouts: dict[int, Layout | None] = {}
        self._last = 0

    def operations(self, step: Instruction | Guard) -> list[Operation] | None:
        """The loops that do what a step does, none where another one does it; None where Python has to do it."""
        if isinstance(step, Guard):
            return self._of_guard(step)
        if type(step.outputs) is not Value or step.writes:
            return None
        if self._is_part_of_guards(step):
            return []
        if step.kwargs or step.is_checked:
            return None
        function: Any = UFUNC_OF.get(step.function, step.function)
        if step.function is operator.pow and self._is_square(step):
            function = np.square
        is_ufunc = issubclass(type(function), np.ufunc)
        if not is_ufunc and function is not np.where:
            return None
        number = step.outputs.number
        space, layout = self.program.spaces[number], self.layout(number)
        if layout is None or isinstance(space.dtype, type) or len(step.args) >= MOST:
            return None
        if not all(self._fits(x, layout) for x in step.args):
            return None
        if function is not step.function and not layout.shape and not self._is_operator_of_numbers(function, step):
            return None
        found = self._of_ufunc(function, step, layout) if is_ufunc else self._of_where(step, layout)
        return found if found and found[-1].dtype == space.dtype else None

    def layout(self, number: int) -> Layout | None:
        """How a value lies in memory; None where that has gaps, or is not known."""
        if number not in self._layouts:
            self._layouts[number] = self._layout_of(number)
        return self._layouts[number]

    def _layout_of(self, number: int) -> Layout | None:
        shape, dtype = self.program.spaces[number]
        if isinstance(dtype, type) or not dtype.isnative or dtype.char not in "?bhilqBHILQefdFD" or len(shape) > 8:
            return None
        return dense(shape, self.program.strides.get(number, ()), dtype.itemsize)

    def _fits(self, x: Any, layout: Layout) -> bool:
        """Whether an argument is a number, or lies in memory as the result does."""
        kind = type(x)
        if kind is Value:
            own = self.layout(x.number)
            return own is not None and (own == layout or not own.shape)
        if kind is np.ndarray and x.ndim:
            return dense(x.shape, x.strides, x.itemsize) == layout
        return kind in _NUMBERS or issubclass(kind, (np.generic, np.ndarray))

    def _is_square(self, step: Instruction) -> bool:
        """Whether it is the square of an array, as which NumPy computes this power."""
        a, n = step.args
        is_array = type(a) is Value and a.number in self.program.strides and self.program.spaces[a.number].shape != ()
        return is_array and type(n) in (int, float) and n == 2 and self.program.spaces[a.number].dtype.char in "fdFD"

    def _is_operator_of_numbers(self, function: Any, step: Instruction) -> bool:
        """Whether a loop has the bits, and the warnings, of Python's operator for numbers of NumPy's."""
        dtypes = [self.program.spaces[x.number].dtype if type(x) is Value else getattr(x, "dtype", None)
                  for x in step.args]  # fmt: skip
        known = {x.char for x in dtypes if x is not None}
        if len(known) != 1 or not known <= set("fdFD"):
            return False
        return function in (_OF_NUMBERS if known <= {"f", "d"} else _OF_COMPLEX_NUMBERS)

    def _of_ufunc(self, ufunc: Any, step: Instruction, layout: Layout) -> list[Operation] | None:
        if ufunc.nout != 1 or ufunc.signature or len(step.args) != ufunc.nin:
            return None
        strides = tuple(int(self._has_axes(x)) for x in step.args)
        try:
            found = loop_of(ufunc, tuple(map(self._dtype_of, step.args)), strides)
        except TypeError:
            return None
        if found is None:
            return None
        (*dtypes, dtype), loop = found
        if any(x.kind in "iu" for x in dtypes) and ufunc not in _OF_INTEGERS:
            return None  # which may raise errors
        if ufunc is np.square and not layout.shape and dtype.kind == "c":
            return None  # as NumPy computes it for a number, the bits depend on where in memory that lies
        if layout.size > SHORT and getattr(np, ufunc.__name__, None) is not ufunc:
            return None  # SciPy's report errors to Python
        name = _OF_REALS.get(ufunc)
        if name is not None and dtype.char in "fd" and all(x == dtype for x in dtypes):
            loop = own_loop(f"{name}_{dtype.name}") or loop
        is_exact = ufunc in EXACT and dtype.char in "?fd"
        return self._called(loop, step, dtypes, dtype, layout, is_exact)

    def _of_where(self, step: Instruction, layout: Layout) -> list[Operation] | None:
        if len(step.args) != 3 or not layout.shape:
            return None
        dtypes = tuple(map(self._dtype_of, step.args))
        if dtypes[0] != np.dtype(bool):
            return None
        dtype = self.program.spaces[step.outputs.number].dtype
        if any(np.result_type(dtype, x) != dtype for x in dtypes[1:] if isinstance(x, np.dtype)):
            return None
        loop = own_loop(f"where_{8 * dtype.itemsize}")
        if loop is None:
            return None
        return self._called(loop, step, [dtypes[0], dtype, dtype], dtype, layout, False, reported=0)

    def _called(
        self,
        loop: Loop,
        step: Instruction,
        dtypes: Sequence[Any],
        dtype: np.dtype[Any],
        layout: Layout,
        is_exact: bool,
        reported: int | None = None,
    ) -> list[Operation] | None:
        """A call of a loop, behind those that convert its arguments."""
        found: list[Operation] = []
        args: list[Any] = []
        for x, wanted in zip(step.args, dtypes, strict=True):
            if type(x) is not Value:
                with np.errstate(all="ignore"):
                    constant = np.asarray(x).astype(wanted) if type(x) is np.ndarray else np.array(x, wanted)
                if not np.array_equal(np.isfinite(x), np.isfinite(constant)):
                    return None  # of which NumPy warns
                args.append(constant)
                continue
            own = self.program.spaces[x.number].dtype
            if own == wanted:
                args.append(x.number)
                continue
            convert = own_loop(f"convert_{own.char.replace('?', 'o')}_{wanted.char}")
            own_layout = self.layout(x.number)
            if convert is None or own_layout is None:
                return None
            self._last -= 1
            args.append(self._last)
            found.append(Operation(convert, (x.number,), self._last, own_layout, wanted, False, 0))
        mask = _reported_by(step) if reported is None else reported
        found.append(Operation(loop, tuple(args), step.outputs.number, layout, dtype, is_exact, mask))
        return found

    def _dtype_of(self, x: Any) -> Any:
        """What NumPy finds the loop by."""
        if type(x) is Value:
            return self.program.spaces[x.number].dtype
        return type(x) if type(x) in (int, float, complex) else np.asarray(x).dtype

    def _has_axes(self, x: Any) -> bool:
        return (self.program.spaces[x.number].shape if type(x) is Value else np.shape(x)) != ()

    # guards

    def _of_guard(self, guard: Guard) -> list[Operation] | None:
        number = guard.value.number
        if guard.kind is not bool or self.program.spaces[number] != ((), np.dtype(bool)):
            return None
        step, falses = self._makers.get(number), own_loop("falses")
        assert falses is not None
        loop, low, high = falses, 0.5, 0.5
        if step is not None and self._decides(step):
            bound = self._bound_of_squares(step)
            if bound is None:
                number = step.args[0].number
            else:
                loop, number, low, high = bound
        layout = self.layout(number)
        if layout is None:
            return None
        decision = (low, high, bool(guard.expected))
        return [Operation(loop, (number,), number, layout, np.dtype(float), False, 0, decision)]

    def parts(self, guard: Guard) -> list[Instruction]:
        """The instructions behind a guard for which another loop decides, in order."""
        found: list[Instruction] = []
        step = self._makers.get(guard.value.number)
        while step is not None and self._is_part_of_guards(step):
            found.insert(0, step)
            step = self._makers.get(step.args[0].number)
        return found

    def _decides(self, step: Instruction) -> bool:
        """Whether a loop over the argument of `all`, or over that of `vdot`, decides in the place of a truth value."""
        if not all(isinstance(x, Guard) and x.kind is bool for x in self.uses[step.outputs.number]):
            return False
        return self._is_all(step) or self._bound_of_squares(step) is not None

    def _is_all(self, step: Instruction) -> bool:
        """Whether it is `all` of an array of truth values."""
        if step.function not in (np.all, Method("all")) or len(step.args) != 1 or type(step.args[0]) is not Value:
            return False
        if any(x not in (None, False) for x in step.kwargs.values()):
            return False
        number = step.args[0].number
        return self.program.spaces[number].dtype == np.dtype(bool) and self._is_still(number)

    def _is_still(self, number: int) -> bool:
        """Whether an array lies in memory without gaps, and nothing writes there."""
        return self.layout(number) is not None and not self._roots[number] & self._written

    def _bound_of_squares(self, less: Instruction) -> tuple[Loop, int, float, float] | None:
        """Of `vdot(x, x).real < bound`: the order of the sum may be another one where the bound is not near."""
        if less.function not in (operator.lt, np.less) or type(less.args[0]) is not Value:
            return None
        real, bound = self._makers.get(less.args[0].number), less.args[1]
        if real is None or real.function != Attribute("real") or type(bound) is not float or not 0 < bound < math.inf:
            return None
        dot = self._makers.get(real.args[0].number)
        if dot is None or dot.function is not np.vdot or dot.args[0] != dot.args[1] or type(dot.args[0]) is not Value:
            return None
        number = dot.args[0].number
        dtype, layout = self.program.spaces[number].dtype, self.layout(number)
        if self.uses[dot.outputs.number] != [real] or self.uses[real.outputs.number] != [less]:
            return None
        if layout is None or not layout.shape or not self._is_still(number) or dtype.char not in "fdFD":
            return None
        loop, doubt = own_loop(f"squares_{dtype.name}"), 4 * (layout.size + 2) * float(np.finfo(dtype).eps)
        return None if loop is None or doubt > 0.5 else (loop, number, bound * (1 - doubt), bound * (1 + doubt))

    def _is_part_of_guards(self, step: Instruction) -> bool:
        """Whether guards alone depend on what it computes, and another loop decides about them."""
        if step.function in (operator.lt, np.less, np.all, Method("all")):
            return type(step.outputs) is Value and self._decides(step)
        if step.function is not np.vdot and step.function != Attribute("real"):
            return False
        readers = self.uses[step.outputs.number] if type(step.outputs) is Value else []
        return len(readers) == 1 and isinstance(readers[0], Instruction) and self._is_part_of_guards(readers[0])


def dense(shape: tuple[int, ...], strides: Sequence[int], itemsize: int) -> Layout | None:
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
    return Layout(shape, tuple(0 if n == 1 else step // itemsize for n, step in zip(shape, strides, strict=True)))


def _reported_by(step: Instruction) -> int:
    """The floating-point errors that an instruction reports, where the function says so itself."""
    if not step.errors:
        return -1
    names = np.geterr()
    return sum(_ERRORS[name] for name, how in zip(names, step.errors, strict=True) if how != "ignore")
