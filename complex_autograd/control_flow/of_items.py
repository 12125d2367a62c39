"""Branches and loops in a mapped function, where the deciding value differs between items.

All branches are computed for all items, and each item gets the result of its own.  A loop runs until the last item is
done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from ..batching.batch import batch_in, unbatched
from ..batching.functions import everything
from ..compilation.environment import Environment, has_same_bits
from ..compilation.symbols import Symbol
from ..engine.errors import TraceError
from ..engine.reverse import own
from ..engine.traced import Traced, raw
from ..transforms.arguments import unflatten
from .closures import reached_from
from .operations import Leaves
from .steps import Step
from .trees import Tree, own_leaf


def is_of_items(x: Any) -> bool:
    """Whether a value is another one for each item of a mapped function."""
    return batch_in(x) is not None


def any_item(condition: Any) -> bool:
    """Whether a truth value holds for some item."""
    return bool(np.any(everything(condition)))


_FOR_ALL: Final = (
    "vmap computes all branches of cond and switch for all items, and a step of while_loop also for those that have "
    "finished: this may be raised for items that do not choose the branch, or do not go on. Give it operands there "
    "that it takes: where(condition, x, 1.0) in place of x."
)


class ClosedOver:
    """What functions close over, as it is now."""

    def __init__(self, functions: Sequence[Any]) -> None:
        self._environment = Environment(functions)
        self._arrays = [(x, _parts(x)) for x in reached_from(functions, (Traced, Symbol, np.ndarray))]

    def refuse_changes(self) -> None:
        """Raise if functions that are computed for all items have changed it: each would have what another one writes.

        Raises
        ------
        TraceError
            If an array has been written into, a list been added to, a variable been assigned.
        """
        if self._has_changed():
            raise TraceError(
                "a branch of cond or switch, or a step of while_loop, changes what it closes over, and vmap computes "
                "it for all items, including those that choose another branch or are done: it writes into an array, "
                "appends to a list, counts, or assigns a nonlocal variable. Make what changes an operand, or a part of "
                "the carry, and return it; or write into a copy."
            )

    def _has_changed(self) -> bool:
        return self._environment.has_changed() or any(
            _differ(before, _parts(x, copies=False)) for x, before in self._arrays
        )


def _parts(x: Any, copies: bool = True) -> tuple[Any, Any, Any]:
    """The value of an array, that of all items where it is mapped, and its numbers where they are known."""
    value = x._value if type(x) is Traced else x
    numbers = raw(x)
    if type(numbers) is Symbol:
        numbers = numbers._example
    numbers = numbers if type(numbers) is np.ndarray else None
    return value, getattr(batch_in(x), "array", None), own(numbers) if copies and numbers is not None else numbers


def _differ(before: tuple[Any, Any, Any], now: tuple[Any, Any, Any]) -> bool:
    if before[0] is not now[0] or before[1] is not now[1]:
        return True
    if now[2] is None:
        return before[2] is not None
    return not has_same_bits(before[2], now[2])


@contextmanager
def for_all_items() -> Iterator[None]:
    """Branches, or a step, computed for all items, also for those that choose another or have finished."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, TraceError) and _FOR_ALL not in getattr(error, "__notes__", ()):
            error.add_note(_FOR_ALL)
        raise


def chosen_for_items(
    branches: Sequence[Callable[..., Any]], index: Any, numbers: Sequence[Any], given: Tree, leaves: Leaves
) -> Any:
    """What the branch returns whose number is the index, item by item.

    What a branch meets that is computed for all items, though others choose it, is no reason to warn.
    """
    closed_over = ClosedOver(branches)
    with np.errstate(all="ignore"), for_all_items():
        trees = [
            Tree(branch(*unflatten(given.structure, list(map(own_leaf, leaves)))), "the result of a branch")
            for branch in branches
        ]
    closed_over.refuse_changes()
    found = trees[0].leaves
    for number, tree in zip(numbers[1:], trees[1:], strict=True):
        if tree.form != trees[0].form or tree.spaces != trees[0].spaces:
            raise TraceError(
                "cond and switch on a value that vmap maps over compute all branches, which must return trees of one "
                f"structure, with the same shapes and dtypes: they return {trees[0].spaces} and {tree.spaces}."
            )
        is_chosen = unbatched(index) == number
        found = [np.where(is_chosen, x, y) for x, y in zip(tree.leaves, found, strict=True)]
    return unflatten(trees[0].structure, found)


def moved_on(condition: Any, carry: Leaves, before: Leaves) -> Leaves:
    """The next carry of the items for which a condition holds, and of the others the one that they have."""
    condition = unbatched(condition)
    return [np.where(condition, x, y) for x, y in zip(carry, before, strict=True)]


def counted_for_items(step: Step, lower: Any, upper: Any, carry: Leaves) -> Leaves:
    """The carry after the steps from one number to another, which are others for each item."""
    lower, upper = unbatched(lower), unbatched(upper)
    closed_over = ClosedOver([step.f])
    with for_all_items():
        for i in range(int(np.min(everything(lower))), int(np.max(everything(upper)))):
            following, _ = step(i, list(map(own_leaf, carry)), [])
            carry = moved_on((lower <= i) & (i < upper), following, carry)
    closed_over.refuse_changes()
    return carry
