"""Which instructions of a program the machine runs, and as which loops.

These are elementwise functions of numbers, and of arrays with the same memory layout, whose results the machine
reproduces bit for bit.  The bits of some loops depend on strides; these are left to NumPy's own calls.  Guards are
evaluated by sums.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ....backends.native.inner_loops import own_loop, sum_of
from ....backends.native.operators import is_loop_of_operator, loop_of_operator
from ....backends.native.plans import MOST, SHORT
from ....backends.native.ufuncs import has_kernel
from ...array.inplace import sum_at
from ..functions import EXACT, SCATTER_ADD, UFUNC_OF, is_foreign_to_numpy
from ..instructions import Attribute, Guard, Instruction, Method
from ..memory import Layout, Values, dense
from ..values import Value
from .arranging import NUMBER, Arranging
from .decisions import Decisions
from .regions import Operation, deciding, is_square, loop_for, reported_by

_OF_COMPLEX: Final = {np.add, np.subtract, np.negative, np.conjugate, np.equal, np.not_equal, np.where}
_OF_ANY_STRIDES: Final = {"F": _OF_COMPLEX, "D": _OF_COMPLEX | {np.multiply, np.divide}}
"""Functions of complex numbers whose bits do not depend on strides, as those of `EXACT` do not."""
_OF_REAL: Final = EXACT | {np.where, np.conjugate}
"""The same of real numbers."""


class Lowering(Arranging):
    """What becomes of the instructions of a program.

    Parameters
    ----------
    values : Values
        Of the program.

    Attributes
    ----------
    program : Program
    values : Values
    decisions : Decisions
        About its guards.
    views : dict
        By the identity of a step the values that its loops read where these views show them.
    """

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.decisions = Decisions(values)
        self.views: dict[int, tuple[int, ...]] = {}

    def operations(self, step: Instruction | Guard) -> list[Operation] | None:
        """The loops that do what a step does, none where another one does it; None where Python has to do it."""
        self._seen = []
        found = self._operations(step)
        if found and self._seen:
            self.views[id(step)] = tuple(self._seen)
        return found

    def _operations(self, step: Instruction | Guard) -> list[Operation] | None:
        if isinstance(step, Guard):
            decision = self.decisions.of(step)
            return None if decision is None else [deciding(*decision)]
        if type(step.outputs) is not Value or step.writes:
            return None
        if self.decisions.is_part(step):
            return []
        way = _WAYS.get(step.function)
        if way is not None:
            return way(self, step)
        return None if step.kwargs or step.is_checked else self._of_elementwise(step)

    def _of_elementwise(self, step: Instruction) -> list[Operation] | None:
        """A ufunc, an operator that is one, or `np.where`."""
        function, args, is_operator = self._as_ufunc(step)
        is_ufunc = issubclass(type(function), np.ufunc)
        if (not is_ufunc and function is not np.where) or len(args) >= MOST:
            return None
        space, layout = self.program.spaces[step.outputs.number], self.values.layout(step.outputs.number)
        if layout is None or isinstance(space.dtype, type):
            return None
        given = [self._given(x, layout, function) for x in args]
        if None in given or (is_operator and not self._is_of_numbers(function, args)):
            return None
        strides, types = zip(*given, strict=True) if given else ((), ())
        if not is_ufunc:
            found = self._of_where(step, layout, types)
        elif function.nout != 1 or function.signature or len(args) != function.nin:
            found = None
        else:
            found = self._of_ufunc(function, args, step, layout, types, (*strides, 1), is_operator)
        return found if found and found[-1].dtype == space.dtype else None

    def _as_ufunc(self, step: Instruction) -> tuple[Any, tuple[Any, ...], bool]:
        """What computes an elementwise result, of which arguments, and whether that stands for an operator of numbers.

        An operator of arrays is the ufunc.
        """
        function, args = step.function, step.args
        if function is operator.pow:
            return (np.square, args[:1], False) if is_square(step, self.program) else (np.power, args, True)
        ufunc = UFUNC_OF.get(function, function)
        return ufunc, args, ufunc is not function and not any(map(self._is_array, args))

    def _given(self, x: Any, layout: Layout, function: Any) -> tuple[int, Any] | None:
        """Whether an argument has axes, and the type that NumPy finds the loop by.

        None where it is no number, does not lie in memory as the result does, and may not be laid out so.
        """
        kind = type(x)
        if kind is Value:
            own = self.values.layout(x.number)
            shape, dtype = self.program.spaces[x.number]
            if own is not None and (own is layout or not own.shape or own == layout):
                return int(shape != ()), dtype
            if isinstance(dtype, type) or not (0 < layout.size <= SHORT and self.values.shown(x.number)):
                return None
            return (1, dtype) if function in _OF_ANY_STRIDES.get(dtype.char, _OF_REAL) else None
        if kind is np.ndarray and x.ndim:
            return (1, x.dtype) if dense(x.shape, x.strides, x.itemsize) == layout else None
        if kind in (int, float, complex):
            return 0, kind
        return (0, np.asarray(x).dtype) if kind in (bool, np.ndarray) or issubclass(kind, np.generic) else None

    def _is_array(self, x: Any) -> bool:
        """Whether it is one, be it without axes, so that an operator is the ufunc."""
        return x.number in self.program.strides if type(x) is Value else type(x) is np.ndarray

    def _is_of_numbers(self, function: Any, args: Sequence[Any]) -> bool:
        """Whether a loop has the bits, and the warnings, of Python's operator for numbers of NumPy's."""
        if any(map(self._is_array, args)):
            return False
        dtypes = [self.program.spaces[x.number].dtype if type(x) is Value else getattr(x, "dtype", None) for x in args]
        constants = [x for x in args if type(x) is not Value]
        return is_loop_of_operator(function, {x.char for x in dtypes if x is not None}, constants)

    def _of_ufunc(
        self,
        ufunc: Any,
        args: Sequence[Any],
        step: Instruction,
        layout: Layout,
        types: tuple[Any, ...],
        strides: tuple[int, ...],
        is_operator: bool,
    ) -> list[Operation] | None:
        found = loop_for(ufunc, types, strides)
        if found is None:
            return None
        loop, (*dtypes, dtype), is_exact, name = found
        if ufunc is np.square and not layout.shape and dtype.kind == "c":
            return None  # as NumPy computes it for a number, the bits depend on where in memory that lies
        if layout.size > SHORT and is_foreign_to_numpy(ufunc) and not has_kernel(ufunc, found[1]):
            return None  # SciPy's report errors to Python
        if not layout.shape and is_operator:
            loop = loop_of_operator(ufunc, dtype) or loop
        converted = self._converted(args, dtypes, layout, is_exact)
        if converted is None:
            return None
        before, given = converted
        reported = reported_by(step)
        return [*before, Operation(loop, given, step.outputs.number, layout, dtype, is_exact, reported, None, name)]

    def _of_where(self, step: Instruction, layout: Layout, dtypes: tuple[Any, ...]) -> list[Operation] | None:
        if len(step.args) != 3 or dtypes[0] != np.dtype(bool):
            return None
        dtype = self.program.spaces[step.outputs.number].dtype
        if any(np.result_type(dtype, x) != dtype for x in dtypes[1:] if isinstance(x, np.dtype)):
            return None
        loop = own_loop(f"where_{8 * dtype.itemsize}")
        if loop is None:
            return None
        converted = self._converted(step.args, [dtypes[0], dtype, dtype], layout, False)
        if converted is None:
            return None
        before, given = converted
        return [*before, Operation(loop, given, step.outputs.number, layout, dtype, False, 0)]

    def _of_sum(self, step: Instruction) -> list[Operation] | None:
        """The sum of an array, which NumPy computes by one call of its loop; a long one by a call for each block."""
        x, made = step.args[0], step.outputs.number
        layout = self.values.layout(x.number) if type(x) is Value and len(step.args) == 1 else None
        if layout is None or not layout.shape:
            return None
        dtype, axes = self.program.spaces[x.number].dtype, tuple(range(len(layout.shape)))
        allowed = {"axis": (None, axes, *([0, -1] if len(axes) == 1 else [])), "keepdims": (False,)}
        if self.program.spaces[made] != ((), dtype) or any(v not in allowed.get(k, ()) for k, v in step.kwargs.items()):
            return None
        if (loop := sum_of(dtype) if dtype.char in "fdFD" else None) is None:
            return None
        laid_out = self._laid_out(x.number, layout) if layout.size <= SHORT else None
        number, before = (x.number, []) if laid_out is None else (laid_out.made, [laid_out])
        components = (1 + (dtype.kind == "c")) * (layout.size > SHORT)
        reported, size = reported_by(step), layout.size
        summed = Operation(loop, (number,), made, NUMBER, dtype, False, reported, summed=size, components=components)
        return [*before, summed]

    def _are_cast(self, args: Sequence[Any], dtypes: Sequence[Any]) -> bool:
        """Whether NumPy converts some of the arguments of a loop of these types."""
        of = [self.program.spaces[x.number].dtype if type(x) is Value else np.asarray(x).dtype for x in args]
        return any(own != wanted for own, wanted in zip(of, dtypes, strict=True))

    def _converted(
        self, given: Sequence[Any], dtypes: Sequence[Any], layout: Layout, is_exact: bool
    ) -> tuple[list[Operation], tuple[Any, ...]] | None:
        """What lays arguments out as a result and converts them to the types of its loop, and the arguments then."""
        found: list[Operation] = []
        args: list[Any] = []
        if layout.size == 1 < len(layout.shape) and not is_exact and self._are_cast(given, dtypes):
            return None  # NumPy calls the loop as for numbers
        for x, wanted in zip(given, dtypes, strict=True):
            if type(x) in (float, np.float64) and wanted.char in "dD":
                args.append(np.array(x, wanted))
                continue
            if type(x) is not Value:
                with np.errstate(all="ignore"):
                    constant = np.asarray(x).astype(wanted) if type(x) is np.ndarray else np.array(x, wanted)
                if not np.array_equal(np.isfinite(x), np.isfinite(constant)):
                    return None  # of which NumPy warns
                args.append(constant)
                continue
            own, number, own_layout = self.program.spaces[x.number].dtype, x.number, self.values.layout(x.number)
            is_as = own_layout is layout and number not in self.values.viewing
            laid_out = None if is_as else self._laid_out(number, layout)
            if laid_out is not None:
                found.append(laid_out)
                number, own_layout = laid_out.made, layout
            if own == wanted:
                args.append(number)
                continue
            convert = own_loop(f"convert_{own.char.replace('?', 'o')}_{wanted.char}")
            if convert is None or own_layout is None:
                return None
            self._last -= 1
            args.append(self._last)
            found.append(Operation(convert, (number,), self._last, own_layout, wanted, False, 0))
        return found, tuple(args)


_WAYS: Final[dict[Any, Callable[[Lowering, Instruction], list[Operation] | None]]] = {
    **dict.fromkeys((np.sum, Method("sum")), Lowering._of_sum),
    **dict.fromkeys((np.real, np.imag, Attribute("real"), Attribute("imag")), Lowering._of_part),
    np.stack: Lowering._of_parts,
    operator.getitem: Lowering._of_element,
    SCATTER_ADD: Lowering._of_scattered,
    sum_at: Lowering._of_sum_at,
}
"""How instructions are lowered that are not elementwise."""
