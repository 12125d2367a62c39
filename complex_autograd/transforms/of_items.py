"""Transforms inside a mapped function: each is applied once, to the function of all items.

An item of the result depends only on that item of the variables, so the differential of all items is that of each, and
the adjoint of all is the adjoint of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..batching.batch import batch_in
from ..batching.items import active_axes, inside
from ..batching.of_all import for_all, for_each, of_all
from ..engine.reverse import own
from ..engine.traced import Traced, peel
from .arguments import as_array, flatten, unflatten
from .recording import Recording, pair_of


class FunctionOfLeaves:
    """A function of leaves as one that returns the list of the leaves of its result.

    With `has_aux`, it returns a pair: these, and the traced values among what the function returned besides.

    Attributes
    ----------
    structure
        Of the result in the last call.
    """

    structure: Any = None

    def __init__(self, f: Callable[..., Any], has_aux: bool) -> None:
        self._f, self._has_aux = f, has_aux
        self._besides: tuple[Any, list[Any]] = (None, [])

    def __call__(self, *values: Any) -> Any:
        out = self._f(*values)
        if not self._has_aux:
            return self._leaves_of(out)
        out, aux = pair_of(out)
        leaves, structure = flatten(aux)
        self._besides = structure, [None if isinstance(x, Traced) else x for x in leaves]
        return self._leaves_of(out), [x for x in leaves if isinstance(x, Traced)]

    def _leaves_of(self, out: Any) -> list[Any]:
        leaves, self.structure = flatten(out)
        return list(map(as_array, leaves))

    def aux_with(self, values: Sequence[Any]) -> Any:
        """What the function returned besides, with these in place of the traced values."""
        remaining = iter(values)
        structure, others = self._besides
        return unflatten(structure, [next(remaining) if x is None else x for x in others])


class OfItems:
    """A function inside of the mapped functions that are running, and its values as arrays of all items."""

    def __init__(self, f: Callable[..., Any], has_aux: bool = False) -> None:
        self.axes = active_axes()
        self.of_leaves = FunctionOfLeaves(f, has_aux)
        self.f = of_all(self.of_leaves, self.axes)

    def arrays(self, values: Sequence[Any]) -> list[Any]:
        """The arrays of all items of some values."""
        return [for_all(x, self.axes) for x in values]

    def own_arrays(self, values: Sequence[Any]) -> list[Any]:
        """The same, which nobody else can write into; of a value that is the same for all a copy is repeated."""
        return [
            own(for_all(x, self.axes)) if batch_in(x) is not None else for_all(own(peel(x)), self.axes) for x in values
        ]

    def values(self, arrays: Sequence[Any]) -> list[Any]:
        """The values whose items are those of some arrays."""
        return [for_each(x, self.axes) for x in arrays]

    def tree(self, arrays: Sequence[Any]) -> Any:
        """The same as the result of the function."""
        return unflatten(self.of_leaves.structure, self.values(arrays))


class RecordingOfItems:
    """A function that was run once in reverse mode inside of a mapped function; it stands for a `Recording`.

    Attributes
    ----------
    leaves, structure, aux
        As of a `Recording`.
    """

    def __init__(self, f: Callable[..., Any], variables: Sequence[Any], has_aux: bool) -> None:
        self._items = OfItems(f, has_aux)
        arrays = self._items.own_arrays(variables)
        with inside(()):
            self._recording = Recording(self._items.f, arrays, has_aux, are_owned=True, items=len(self._items.axes))
        self.structure = self._items.of_leaves.structure
        self.leaves = self._items.values(self._recording.leaves)
        if has_aux:
            self.aux = self._items.of_leaves.aux_with(self._items.values(self._recording.aux))

    def pull(self, cotangents: Sequence[Any], zeros_are_structural: bool = True) -> list[Any]:
        """As of a `Recording`, for each item."""
        arrays = self._items.arrays(cotangents)
        with inside(()):
            found = self._recording.pull(arrays, zeros_are_structural)
        return self._items.values(found)

    def unit(self) -> Any:
        """The cotangent 1 of the only leaf, of all items at once: item by item it took 16 % of `vmap(grad(f))`."""
        (unit,) = self._items.values([np.ones_like(self._recording.leaves[0])])
        return unit

    def pull_batch(self, number: int, entries: Sequence[int], unit: complex) -> None:
        """Nothing: one cotangent is pulled after the other, each for all items at once."""

    longest = 1


def recorded(f: Callable[..., Any], variables: Sequence[Any], has_aux: bool = False) -> Recording | RecordingOfItems:
    """A function run once in reverse mode."""
    return (RecordingOfItems if active_axes() else Recording)(f, variables, has_aux)
