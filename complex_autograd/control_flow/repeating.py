"""`While`: the operation behind `while_loop`.

Its tangents follow the loop, with the condition evaluated on the values.  Its cotangents would need all carries of a
loop whose length is only known afterwards.  With a bound, reverse mode treats it as a loop of that many steps, each of
which is taken only while the condition holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compilation.recording import current_recorder
from ..engine.errors import TraceError
from ..engine.reverse import ReverseTrace
from ..engine.traced import raw, top_trace
from .choosing import Switch
from .operations import Function, Leaves, Operation, given_or_zeros, is_continuous, with_tangents
from .programs import While, part_of
from .scanning import Scan
from .steps import too_many_steps
from .trees import plain_leaves


class Repetition(Operation):
    """A loop as an operation of the leaves of the carry, and of what condition and step close over.

    Parameters
    ----------
    holds : callable
        Of the list of the leaves; returns one truth value.
    step : callable
        Of the list of the leaves; returns the list of the leaves of the next carry.
    carried : int
        The number of leaves of the carry.
    bound : int or None
        The largest number of steps.
    """

    name = "while_loop"

    def __init__(self, holds: Callable[[Leaves], Any], step: Function, carried: int, bound: int | None) -> None:
        self._holds, self._step, self._carried, self._bound = holds, step, carried, bound

    def __call__(self, *leaves: Any) -> tuple[Any, ...]:
        if type(top_trace(leaves)) is ReverseTrace:
            return self._in_reverse_mode(list(leaves))
        return super().__call__(*leaves)

    def by_python(self, leaves: Leaves) -> Leaves:
        carry, rest, steps = leaves[: self._carried], leaves[self._carried :], 0
        while bool(raw(self._holds([*carry, *rest]))):
            if steps == self._bound:
                raise too_many_steps(steps)
            carry = self._step([*carry, *rest])
            steps += 1
        return carry

    def recorded(self, leaves: Leaves) -> Leaves:
        recorder = current_recorder()
        assert recorder is not None
        leaves = plain_leaves(leaves)
        condition = part_of(recorder, lambda given: [self._holds(given)], leaves)
        part = part_of(recorder, self._step, leaves)
        loop = While(condition, part, self._carried, len(leaves), self._bound)
        return list(recorder.record(loop, (*leaves, *condition.captured, *part.captured), {}))

    def pushed(self, values: Leaves, active: list[int], tangents: Leaves) -> list[tuple[Any, Any]]:
        carried = self._carried
        carry, rest = values[:carried], values[carried:]
        moving = [i for i, x in enumerate(carry) if is_continuous(x)]
        others = [i for i in active if i >= carried]
        given = dict(zip(active, tangents, strict=True))
        a = len(moving)

        def parts(leaves: Leaves) -> tuple[Leaves, Leaves]:
            """The values, and the tangents."""
            c, dc, k = leaves[:carried], leaves[carried : carried + a], leaves[carried + a : carried + a + len(rest)]
            return [*c, *k], [*dc, *leaves[carried + a + len(rest) :]]

        def step(leaves: Leaves) -> Leaves:
            values, tangents = parts(leaves)
            out, dout = with_tangents(self._step, values, [*moving, *others], tangents)
            return plain_leaves([*out, *dout])

        pushing = Repetition(lambda leaves: self._holds(parts(leaves)[0]), step, carried + a, self._bound)
        dcarry = [given_or_zeros(given.get(i), carry[i]) for i in moving]
        found = pushing(*carry, *dcarry, *rest, *(given[i] for i in others))
        dout = iter(found[carried:])
        return [(x, next(dout) if is_continuous(x) else None) for x in found[:carried]]

    def _in_reverse_mode(self, leaves: Leaves) -> tuple[Any, ...]:
        bound, carried = self._bound, self._carried
        if bound is None:
            raise TraceError(
                "reverse mode of a compiled while_loop needs the carries of all steps, whose number is known only when "
                "it has run. Give the largest number of steps, while_loop(cond, body, init, bound=100); use forward "
                "mode (jvp); or do not compile it."
            )

        def step(i: Any, carry: Leaves, x: Leaves, rest: Leaves) -> tuple[Leaves, Leaves]:
            given = [*carry, *rest]
            branches = [lambda leaves: plain_leaves(leaves[:carried]), self._step]
            return list(Switch(raw(self._holds(given)), _as_number, branches)(*given)), []

        if not bound:
            return tuple(self.by_python(leaves))
        found = Scan(step, range(bound), carried, 0, "while_loop")(*leaves)
        if bool(raw(self._holds([*found, *leaves[carried:]]))):
            raise too_many_steps(bound)
        return found


def _as_number(holds: Any) -> int:
    return int(bool(holds))
