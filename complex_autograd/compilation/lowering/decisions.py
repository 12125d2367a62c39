"""Guards that the machine evaluates: by the number of false or non-finite values, or by a sum of squares."""

from __future__ import annotations

import math
import operator
from typing import NamedTuple

import numpy as np

from ....backends.native.inner_loops import Loop, own_loop
from ..instructions import Attribute, Guard, Instruction, Method
from ..memory import Known, Layout, Values
from ..values import Value

_ALL = {np.all, Method("all")}
_COMPARING = _ALL | {operator.lt, np.less}
_MEASURING = {np.isfinite, np.vdot, Attribute("real")}


class Decision(NamedTuple):
    """What decides about a guard.

    Attributes
    ----------
    loop : Loop
        It adds to a sum.
    number : int
        The value that it runs over.
    layout : Layout
        Of that.
    bounds : tuple
        Below the first bound the guarded value is true, from the second one on it is false; and what it must be.
    """

    loop: Loop
    number: int
    layout: Layout
    bounds: tuple[float, float, bool]


class Decisions:
    """How the machine decides about the guards of a program, and the instructions in whose place it does."""

    def __init__(self, values: Values) -> None:
        self._values, self._spaces = values, values.program.spaces
        self._is_decided = Known(self._decides).__getitem__

    def of(self, guard: Guard) -> Decision | None:
        """How the machine decides about a guard; None where Python has to."""
        number = guard.value.number
        if guard.kind is not bool or self._spaces[number] != ((), np.dtype(bool)):
            return None
        step, falses = self._values.makers.get(number), own_loop("falses")
        assert falses is not None
        loop, low, high = falses, 0.5, 0.5
        if step is not None and self._is_decided(number):
            bound = self._bound_of_squares(step)
            if bound is None:
                number = step.args[0].number
                loop, number = self._finite(number) or (loop, number)
            else:
                loop, number, low, high = bound
        layout = self._values.layout(number)
        if layout is None:
            return None
        return Decision(loop, number, layout, (low, high, bool(guard.expected)))

    def parts(self, guard: Guard) -> list[Instruction]:
        """The instructions behind a guard for which another loop decides, in order."""
        found: list[Instruction] = []
        step = self._values.makers.get(guard.value.number)
        while step is not None and self.is_part(step):
            found.insert(0, step)
            step = self._values.makers.get(step.args[0].number)
        return found

    def _decides(self, number: int) -> bool:
        """Whether a loop over the argument of `all`, or over that of `vdot`, decides in the place of a truth value."""
        if not all(isinstance(x, Guard) and x.kind is bool for x in self._values.uses[number]):
            return False
        step = self._values.makers[number]
        return self._is_all(step) or self._bound_of_squares(step) is not None

    def _is_all(self, step: Instruction) -> bool:
        """Whether it is `all` of an array of truth values."""
        if step.function not in _ALL or len(step.args) != 1 or type(step.args[0]) is not Value:
            return False
        if any(x not in (None, False) for x in step.kwargs.values()):
            return False
        number = step.args[0].number
        return self._spaces[number].dtype == np.dtype(bool) and self._values.is_still(number)

    def _finite(self, number: int) -> tuple[Loop, int] | None:
        """The loop that looks for what is not finite, and over which value, of truth values that tell it."""
        step = self._values.makers.get(number)
        if step is None or step.function is not np.isfinite or len(step.args) != 1 or step.kwargs:
            return None
        x = step.args[0]
        if type(x) is not Value or not self._values.is_still(x.number) or len(self._values.uses[number]) > 1:
            return None
        loop = own_loop("infinite", self._spaces[x.number].dtype)
        return None if loop is None else (loop, x.number)

    def _bound_of_squares(self, less: Instruction) -> tuple[Loop, int, float, float] | None:
        """Of `vdot(x, x).real < bound`: the order of the sum may be another one where the bound is not near."""
        if less.function not in (operator.lt, np.less) or type(less.args[0]) is not Value:
            return None
        real, bound = self._values.makers.get(less.args[0].number), less.args[1]
        if real is None or real.function != Attribute("real") or type(bound) is not float or not 0 < bound < math.inf:
            return None
        dot = self._values.makers.get(real.args[0].number)
        if dot is None or dot.function is not np.vdot or dot.args[0] != dot.args[1] or type(dot.args[0]) is not Value:
            return None
        number = dot.args[0].number
        dtype, layout = self._spaces[number].dtype, self._values.layout(number)
        if self._values.uses[dot.outputs.number] != [real] or self._values.uses[real.outputs.number] != [less]:
            return None
        if layout is None or layout.size == 1 or not self._values.is_still(number) or dtype.char not in "fdFD":
            return None
        loop, doubt = own_loop("squares", dtype), 4 * (layout.size + 2) * float(np.finfo(dtype).eps)
        return None if loop is None or doubt > 0.5 else (loop, number, bound * (1 - doubt), bound * (1 + doubt))

    def is_part(self, step: Instruction) -> bool:
        """Whether guards alone depend on what it computes, and another loop decides about them."""
        if step.function in _COMPARING:
            return type(step.outputs) is Value and self._is_decided(step.outputs.number)
        if step.function not in _MEASURING:
            return False
        readers = self._values.uses[step.outputs.number] if type(step.outputs) is Value else []
        if step.function is np.isfinite and self._finite(step.outputs.number) is None:
            return False
        return len(readers) == 1 and isinstance(readers[0], Instruction) and self.is_part(readers[0])
