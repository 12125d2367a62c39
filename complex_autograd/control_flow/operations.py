"""Loops and branches as operations in programs, in forward mode and in reverse mode.

While a function is recorded, a loop is a single operation on the leaves of its carry, on its arrays, and on the values
under differentiation that its step closes over.  Its derivatives are loops again, over the derivatives of a step, so
they have any order, and each is recorded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..batching.items import active_axes
from ..compilation.nested import GuardError, UnrollError
from ..compilation.recorder import Recorder
from ..compilation.recording import current_recorder
from ..engine.choices import CHOICES
from ..engine.forward import CONSTANT, ForwardTrace, constant
from ..engine.kinks import KINKS
from ..engine.reverse import ReverseTrace
from ..engine.structural_zeros import CARE
from ..engine.traced import Traced, peel, top_trace
from ..transforms.forward import push_forward
from ..transforms.recording import Recording

Leaves = list[Any]
Function = Callable[[Leaves], Leaves]


class Operation:
    """An operation of leaves; every method takes and returns sequences of them."""

    name = ""
    linearity = ""
    chooses = is_elementwise = False

    def __call__(self, *leaves: Any) -> tuple[Any, ...]:
        top = top_trace(leaves)
        if top is None:
            return tuple(self._of_arrays(list(leaves)))
        if top is CONSTANT:
            return tuple(map(constant, self(*map(peel, leaves))))
        if type(top) is ReverseTrace:
            operation, extra = self.for_reverse_mode()
            found = top.apply(operation, leaves, {})
            return tuple(found[: len(found) - extra])
        if type(top) is ForwardTrace:
            return tuple(self._pushed(top, leaves))
        return tuple(self.by_python(list(leaves)))

    def _of_arrays(self, leaves: Leaves) -> Leaves:
        if current_recorder() is not None:
            try:
                return self.recorded(leaves)
            except GuardError:
                pass  # what a step decides by numbers is not the same in all steps: one after another they are right
        return self.by_python(leaves)

    def _pushed(self, trace: ForwardTrace, leaves: Sequence[Any]) -> Leaves:
        active = [i for i, x in enumerate(leaves) if type(x) is Traced and x._tracer is trace]
        values = [x._value if i in active else peel(x) for i, x in enumerate(leaves)]
        values_and_tangents = self.pushed(values, active, [leaves[i]._tangent for i in active])
        return [x if dx is None else trace._pair(x, dx) for x, dx in values_and_tangents]

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Any], params: Any
    ) -> Callable[[Any], Any]:
        """The adjoint at a point, as `Primitive` has it."""

        def adjoint(g: Any) -> Leaves:
            return self.pulled(list(active), list(out), list(values), list(g))

        adjoint.refuse_care = _unroll  # type: ignore[attr-defined]
        return adjoint

    # what each operation has of its own

    def by_python(self, leaves: Leaves) -> Leaves:
        """As Python does it, with whatever is traced."""
        raise NotImplementedError

    def recorded(self, leaves: Leaves) -> Leaves:
        """As one instruction of the program that is being recorded."""
        raise NotImplementedError

    def for_reverse_mode(self) -> tuple[Operation, int]:
        """The same with further outputs that its adjoint reads, and their number."""
        return self, 0

    def pushed(self, values: Leaves, active: list[int], tangents: Leaves) -> list[tuple[Any, Any]]:
        """Each output with its tangent, None where it is not continuous."""
        raise NotImplementedError

    def pulled(self, active: list[int], out: Leaves, values: Leaves, g: Leaves) -> Leaves:
        """The cotangents of the active leaves from those of the outputs, which are None where they are 0."""
        raise NotImplementedError


def is_continuous(x: Any) -> bool:
    """Whether an array can have a derivative."""
    return x.dtype.kind in "fc"


def with_tangents(f: Function, values: Leaves, active: Sequence[int], tangents: Leaves) -> tuple[Leaves, Leaves]:
    """The outputs of a function, and the tangents of those that are continuous."""
    of_active = _of_some(f, values, active)

    def continuous(*moving: Any) -> tuple[Leaves, Leaves]:
        out = of_active(*moving)
        return [x for x in out if is_continuous(x)], [None if is_continuous(x) else x for x in out]

    moved, dout, out = push_forward(continuous, [values[i] for i in active], tangents, has_aux=True)
    remaining = iter(moved)
    return [next(remaining) if x is None else x for x in out], dout


def cotangents(f: Function, values: Leaves, active: Sequence[int], chosen: Sequence[int], g: Leaves) -> Leaves:
    """The cotangents of some values, from those of some outputs of a function."""

    def of_chosen(*moving: Any) -> Leaves:
        out = _of_some(f, values, active)(*moving)
        return [out[k] for k in chosen]

    recording = Recording(of_chosen, [values[i] for i in active], has_aux=False)
    found = recording.pull_directly(g)
    if found is None:
        raise UnrollError
    return found


def _of_some(f: Function, values: Leaves, active: Sequence[int]) -> Callable[..., Leaves]:
    def of_active(*moving: Any) -> Leaves:
        filled = list(values)
        for i, x in zip(active, moving, strict=True):
            filled[i] = x
        return f(filled)

    return of_active


def recorder_of_loops() -> Recorder | None:
    """What records loops and branches now, as single operations; None where they are run by Python.

    In a mapped function they are recorded step after step.
    """
    recorder = None if active_axes() else current_recorder()
    if recorder is not None and (CARE.asked or CARE.series or KINKS.asked or CHOICES.others):
        _unroll()
    return recorder


def _unroll() -> None:
    raise UnrollError


def given_or_zeros(g: Any, x: Any) -> Any:
    """A cotangent, zeros where there is none."""
    return np.zeros_like(x) if g is None else g
