"""`cond` and `switch`: choose one of several functions when the program runs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ..batching.batch import unbatched
from ..batching.functions import everything
from ..compilation.recorder import Recorder
from ..compilation.symbols import Symbol
from ..engine.errors import TraceError
from ..engine.traced import raw
from ..transforms.arguments import unflatten
from .choosing import Switch
from .closures import ClosesOverTracedError, Watch, as_they_are, closed_over, frozen, standing_for
from .of_items import chosen_for_items, is_of_items
from .operations import Leaves, recorder_of_loops
from .trees import Tree, own_leaf
from .while_loops import one_truth


def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any:
    """One of two functions of the same operands, as a truth value says.

    The value, to the bit, is that of `true_fun(*operands) if pred else false_fun(*operands)`.

    Parameters
    ----------
    pred : bool
        One truth value.
    true_fun, false_fun : callable
        Of the operands.  Compiled, both are recorded, and must return the same structure, shapes and dtypes.
    *operands : tree of array
        What they are called with.

    Returns
    -------
    tree of array
        What the function that was chosen returned; numbers as NumPy's numbers.

    Raises
    ------
    TypeError
        If `pred` is not one truth value.
    TraceError
        If, compiled, the functions return other structures, shapes or dtypes.

    Notes
    -----
    The derivative is that of the function that was chosen, also with respect to values it closes over; the other does
    not affect it, even if its derivative is infinite.  To choose element by element, use `where`.  The order of
    arguments is that of `jax.lax.cond`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import cond, grad
    >>> grad(lambda x: cond(x > 0, np.sqrt, lambda x: 0 * x, x))(0.0)
    np.float64(0.0)
    """
    return _chosen([false_fun, true_fun], one_truth(pred, "pred of cond"), _of_truth, operands)


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """One of several functions of the same operands, by its number.

    The value, to the bit, is that of `branches[index](*operands)`.

    Parameters
    ----------
    index : int
        From 0 to `len(branches) - 1`.
    branches : sequence of callable
        Of the operands.  Compiled, all are recorded, and must return the same structure, shapes and dtypes.
    *operands : tree of array
        What they are called with.

    Returns
    -------
    tree of array
        What the function that was chosen returned; numbers as NumPy's numbers.

    Raises
    ------
    IndexError
        If there is no branch with that number; `jax.lax.switch` uses the nearest one.
    TraceError
        If, compiled, the functions return other structures, shapes or dtypes.

    Notes
    -----
    The derivative is that of the function that was chosen, as with `cond`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, switch
    >>> [float(grad(lambda x: switch(i, [np.sin, np.exp, np.square], x))(0.0)) for i in range(3)]
    [1.0, 1.0, 0.0]
    """

    def number_of(index: Any) -> int:
        number = operator.index(index)
        if not 0 <= number < len(branches):
            raise IndexError(f"switch: branch {number} does not exist: there are {len(branches)}, numbered from 0")
        return number

    return _chosen(branches, raw(index), number_of, operands)


def _of_truth(pred: Any) -> int:
    return int(bool(pred))


def _chosen(
    branches: Sequence[Callable[..., Any]], index: Any, number_of: Callable[[Any], int], operands: tuple[Any, ...]
) -> Any:
    given = Tree(operands, "the operands")
    leaves = list(map(own_leaf, given.leaves))
    if is_of_items(index):
        return _for_items(branches, index, number_of, given, leaves)
    recorder = recorder_of_loops()
    if recorder is not None and type(index) is Symbol:
        with suppress(ClosesOverTracedError):
            return _as_operation(list(map(frozen, branches)), index, number_of, given, leaves, recorder)
    found = Tree(branches[number_of(index)](*unflatten(given.structure, leaves)), "a branch")
    return unflatten(found.structure, list(map(own_leaf, found.leaves)))


def _for_items(
    branches: Sequence[Callable[..., Any]], index: Any, number_of: Callable[[Any], int], given: Tree, leaves: Leaves
) -> Any:
    if number_of is _of_truth:
        return chosen_for_items(branches, unbatched(index) != 0, (False, True), given, leaves)
    for number in np.unique(everything(index)):
        number_of(number)
    return chosen_for_items(branches, index, range(len(branches)), given, leaves)


def _as_operation(
    branches: Sequence[Callable[..., Any]],
    index: Any,
    number_of: Callable[[Any], int],
    given: Tree,
    leaves: Leaves,
    recorder: Recorder,
) -> Any:
    traced, watch = closed_over(branches), Watch(branches, recorder)
    results: list[Tree] = []

    def of_leaves(branch: Callable[..., Any]) -> Callable[[Leaves], Leaves]:
        def call(leaves: Leaves) -> Leaves:
            watch.check()
            with standing_for(leaves[len(given.leaves) :], traced):
                operands = list(map(own_leaf, leaves[: len(given.leaves)]))
                result = Tree(branch(*unflatten(given.structure, operands)), "a branch")
            results.append(result)
            if result.form != results[0].form:
                raise TraceError(
                    "the branches of cond and switch must return trees of the same structure to be compiled"
                )
            return list(map(own_leaf, result.leaves))

        return call

    switch = Switch(index, number_of, list(map(of_leaves, branches)))
    with watch.first_run():
        found = list(switch(*leaves, *as_they_are(traced)))
    return unflatten(results[0].structure, found)
