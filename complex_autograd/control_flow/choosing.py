"""`Switch`: the operation behind `cond` and `switch`.

The tangents of the result are those of the branch that was chosen, and so are the cotangents.  Other branches are not
run, and their derivatives do not affect any result.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compilation.nested import GuardError
from ..compilation.parts import example_of
from ..compilation.recording import current_recorder
from ..engine.errors import TraceError
from .operations import Function, Leaves, Operation, cotangents, is_continuous, with_tangents
from .programs import Choice, part_of
from .trees import plain_leaves


class Switch(Operation):
    """A choice as an operation of its operands, and of what the branches close over.

    Parameters
    ----------
    index : bool or int
        A value of the program that is being recorded.
    number_of : callable
        Makes a number of a branch of it.
    branches : sequence of callable
        Of the list of the leaves; they return lists of leaves of the same spaces.
    """

    name = "switch"

    def __init__(self, index: Any, number_of: Callable[[Any], int], branches: Sequence[Function]) -> None:
        self._index, self._number_of, self._branches = index, number_of, list(branches)

    def by_python(self, leaves: Leaves) -> Leaves:
        return self._branches[self._number_of(self._index)](leaves)

    def recorded(self, leaves: Leaves) -> Leaves:
        recorder = current_recorder()
        assert recorder is not None
        chosen = self._number_of(example := example_of(self._index))
        recorder.is_repeatable &= type(example) is not np.ndarray  # of which a second run would not know the number
        leaves = plain_leaves(leaves)
        parts = [part_of(recorder, self._branches[chosen], leaves)]
        for branch in self._branches[:chosen] + self._branches[chosen + 1 :]:
            with warnings.catch_warnings(), np.errstate(all="ignore"):  # it is not run with these numbers
                warnings.simplefilter("ignore")
                has_failed = recorder.has_failed
                try:
                    parts.append(part_of(recorder, branch, leaves))
                except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
                    recorder.has_failed = has_failed
                    raise GuardError from error  # nor can it be: the number of the branch becomes a guard
        parts.insert(chosen, parts.pop(0))
        for k, part in enumerate(parts):
            if part.spaces != parts[chosen].spaces:
                raise TraceError(
                    "the branches of cond and switch must return the same shapes and dtypes to be compiled: those of "
                    f"branch {chosen} are {_listed(parts[chosen].spaces)}, and of branch {k} {_listed(part.spaces)}. "
                    "Cast in the branches: x.astype(dtype)."
                )
        choice = Choice(parts, self._number_of, len(leaves))
        captured = [x for part in parts for x in part.captured]
        return list(recorder.record(choice, (self._index, *leaves, *captured), {}))

    def pushed(self, values: Leaves, active: list[int], tangents: Leaves) -> list[tuple[Any, Any]]:
        count = len(values)

        def pushing(branch: Function) -> Function:
            def push(given: Leaves) -> Leaves:
                out, dout = with_tangents(branch, given[:count], active, given[count:])
                return plain_leaves([*out, *dout])

            return push

        found = list(Switch(self._index, self._number_of, list(map(pushing, self._branches)))(*values, *tangents))
        continuous = sum(map(is_continuous, found)) // 2
        out, dout = found[: len(found) - continuous], iter(found[len(found) - continuous :])
        return [(x, next(dout) if is_continuous(x) else None) for x in out]

    def pulled(self, active: list[int], out: Leaves, values: Leaves, g: Leaves) -> Leaves:
        count, chosen = len(values), [k for k, gk in enumerate(g) if gk is not None]

        def pulling(branch: Function) -> Function:
            def pull(given: Leaves) -> Leaves:
                return plain_leaves(cotangents(branch, given[:count], active, chosen, given[count:]))

            return pull

        branches = list(map(pulling, self._branches))
        return list(Switch(self._index, self._number_of, branches)(*values, *(g[k] for k in chosen)))


def _listed(spaces: Sequence[Any]) -> str:
    return ", ".join(f"{dtype.name}{list(shape)}" for shape, dtype in spaces)
