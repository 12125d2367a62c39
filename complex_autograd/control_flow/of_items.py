"""Choices and loops where the value that decides is another one for each item of a mapped function.

All branches are computed for all items, and each is given the result of its own; a loop goes on until no item does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..batching.batch import batch_in, unbatched
from ..batching.functions import everything
from ..engine.errors import TraceError
from ..transforms.arguments import unflatten
from .operations import Leaves
from .trees import Tree, own_leaf


def is_of_items(x: Any) -> bool:
    """Whether a value is another one for each item of a mapped function."""
    return batch_in(x) is not None


def any_item(condition: Any) -> bool:
    """Whether a truth value holds for some item."""
    return bool(np.any(everything(condition)))


def chosen_for_items(
    branches: Sequence[Callable[..., Any]], index: Any, numbers: Sequence[Any], given: Tree, leaves: Leaves
) -> Any:
    """What the branch returns whose number is the index, item by item.

    What a branch meets that is computed for all items, though others choose it, is no reason to warn.
    """
    with np.errstate(all="ignore"):
        trees = [
            Tree(branch(*unflatten(given.structure, list(map(own_leaf, leaves)))), "the result of a branch")
            for branch in branches
        ]
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
