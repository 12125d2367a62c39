"""A step of a loop as a function of leaves, and the loop over it as run by Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isqrt
from typing import Any

import numpy as np

from ..transforms.arguments import unflatten
from ..transforms.checkpoint import checkpoint
from .closures import Watch, as_they_are, closed_over, frozen, standing_for
from .trees import Tree, element, own_leaf

Leaves = list[Any]


class Step:
    """One step of a loop.

    Parameters
    ----------
    f : callable
        `(i, carry, x)` returns `(carry, y)`, trees.
    carry : Tree
        At the beginning.
    x
        The structure of `x`.
    owner : str
        The name of the loop, for errors.

    Attributes
    ----------
    result : Tree
        What `y` is, from the first step on.
    """

    def __init__(self, f: Callable[[Any, Any, Any], tuple[Any, Any]], carry: Tree, x: Any, owner: str) -> None:
        self.f, self.carry, self._x, self._owner = f, carry, x, owner
        self.result: Tree | None = None

    def closing_over(
        self, traced: Sequence[Any], watch: Watch
    ) -> Callable[[Any, Leaves, Leaves, Leaves], tuple[Leaves, Leaves]]:
        """The step as a function of what it closes over, too: the last argument."""

        def step(i: Any, carry: Leaves, x: Leaves, values: Leaves) -> tuple[Leaves, Leaves]:
            watch.check()
            with standing_for(values, traced):
                return self(i, list(map(own_leaf, carry)), list(map(own_leaf, x)))

        return step

    def __call__(self, i: Any, carry: Leaves, x: Leaves) -> tuple[Leaves, Leaves]:
        """The leaves of the next carry, and those of `y`; none of them shows the memory of another array."""
        returned = self.f(i, unflatten(self.carry.structure, carry), unflatten(self._x, x))
        if type(returned) not in (tuple, list) or len(returned) != 2:
            raise TypeError(
                f"a step of {self._owner} must return a pair, (carry, y), not a value of type "
                f"{type(returned).__name__}. Return (carry, None) where nothing is collected."
            )
        new, y = returned
        if self.result is None:
            self.result = Tree(y, f"what each step of {self._owner} returns apart from the carry")
            results = self.result.leaves
        else:
            results = self.result.leaves_of(y)
        return list(map(own_leaf, self.carry.leaves_of(new))), list(map(own_leaf, results))


def run(step: Step, indices: Iterable[int], carry: Leaves, xs: Leaves, first: int = 0) -> tuple[Leaves, Leaves]:
    """Take the steps with these indices, in their order: the last carry, and what the steps return, stacked by index.

    `xs` begin with the element of the index `first`.
    """
    indices = list(indices)
    results = []
    for i in indices:
        carry, y = step(i, carry, [element(x, i - first) for x in xs])
        results.append(y)
    if indices[0] > indices[-1]:
        results.reverse()
    return carry, [np.stack(column) for column in zip(*results, strict=True)]


def run_in_blocks(step: Step, indices: Sequence[int], carry: Leaves, xs: Leaves) -> tuple[Leaves, Leaves]:
    """The same in blocks of sqrt(n) steps, each of which reverse mode runs again: it remembers sqrt(n) carries."""
    size, step.f = max(isqrt(len(indices)), 1), frozen(step.f)
    traced = closed_over(step.f)
    parts = []
    for k in range(0, len(indices), size):
        chosen = indices[k : k + size]
        first = min(chosen)

        def block(carry: Leaves, xs: Leaves, values: Leaves, chosen: Any = chosen, first: int = first) -> Any:
            with standing_for(values, traced):
                return run(step, chosen, carry, xs, first)

        values = as_they_are(traced)
        carry, ys = checkpoint(block)(carry, [x[first : first + len(chosen)] for x in xs], values)
        parts.append(ys)
    if indices[0] > indices[-1]:
        parts.reverse()
    return carry, [np.concatenate(column) for column in zip(*parts, strict=True)]


def results_of_no_steps(step: Step, carry: Leaves, xs: Leaves) -> Leaves:
    """Of a loop of no steps, what the steps would return: no rows, of the shapes that a step at `x = 0` has."""
    with np.errstate(all="ignore"):
        _, y = step(0, list(map(own_leaf, carry)), [np.zeros(x.shape[1:], x.dtype)[()] for x in xs])
    return [np.zeros((0, *x.shape), x.dtype) for x in y]


def leaves_to_loop_over(xs: Any, length: int | None, owner: str) -> tuple[Leaves, Any, int]:
    """The leaves of what a loop runs over, its structure, and the number of steps."""
    tree = Tree(xs, f"xs of {owner}")
    lengths = {x.shape[0] if x.shape else None for x in tree.leaves}
    if None in lengths:
        raise TypeError(
            f"xs of {owner} must be arrays, whose first axis the loop runs along, and one of them is a number"
        )
    if length is not None:
        lengths.add(int(length))
    if len(lengths) != 1:
        raise ValueError(
            f"{owner} needs one number of steps: "
            + (f"its xs (and length) have {sorted(lengths)}." if lengths else "give it xs, or length=.")  # type: ignore[type-var]
        )
    number = lengths.pop()
    if number is None or number < 0:
        raise ValueError(f"length={number} of {owner} is not a number of steps")
    return list(map(own_leaf, tree.leaves)), tree.structure, number


def rebuilt(step: Step, carry: Leaves, ys: Leaves) -> tuple[Any, Any]:
    """The trees of a loop from their leaves."""
    assert step.result is not None
    return unflatten(step.carry.structure, carry), unflatten(step.result.structure, ys)


def too_many_steps(bound: int) -> RuntimeError:
    """The error of a loop that has not ended."""
    return RuntimeError(
        f"while_loop: the condition still holds after bound={bound} steps. Likely causes: it never ends, or it asks "
        "for more accuracy than the dtype has. Give it a larger bound, or a condition that counts steps."
    )
