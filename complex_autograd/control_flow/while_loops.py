"""`while_loop`: a loop that runs while a condition on the carry holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..compilation.recorder import Recorder
from ..engine.traced import raw
from ..transforms.arguments import as_array, unflatten
from .closures import ClosesOverTracedError, Watch, as_they_are, closed_over, frozen, standing_for
from .of_items import ClosedOver, any_item, for_all_items, is_of_items, moved_on
from .operations import Leaves, recorder_of_loops
from .repeating import Repetition
from .steps import Step, too_many_steps
from .trees import Tree, own_leaf


def while_loop(cond: Callable[[Any], Any], body: Callable[[Any], Any], init: Any, bound: int | None = None) -> Any:
    """A loop that carries a tree of arrays from step to step while a condition holds.

    The value, to the bit, is that of::

        carry = init
        while cond(carry):
            carry = body(carry)
        return carry

    Parameters
    ----------
    cond : callable
        Of the carry; returns one truth value.
    body : callable
        Of the carry; returns the next one, with the same structure, shapes and dtypes.
    init : tree of array
        The carry at the beginning.
    bound : int, optional
        The largest number of steps.

    Returns
    -------
    tree of array
        The first carry for which `cond` does not hold.

    Raises
    ------
    TypeError
        If a step changes the structure, a shape or a dtype, or `cond` returns anything but one truth value.
    RuntimeError
        If `cond` still holds after `bound` steps.

    Notes
    -----
    The derivative is that of the steps that were taken, with their number held constant.  Compiled, the number of steps
    is decided when the program runs.  The order of arguments is that of `jax.lax.while_loop`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, while_loop
    >>> def root(a):
    ...     return while_loop(lambda x: np.abs(x * x - a) > 1e-12, lambda x: (x + a / x) / 2, 1.0)
    >>> bool(np.isclose(grad(root)(2.0), 0.5 / np.sqrt(2.0)))
    True
    """
    carry = Tree(init, "the carry of while_loop")
    step = Step(lambda i, state, x: (body(state), None), carry, Tree(None, "").structure, "while_loop")
    leaves = list(map(own_leaf, carry.leaves))
    recorder = recorder_of_loops()
    if recorder is not None:
        f = step.f
        try:
            return unflatten(carry.structure, _as_operation(frozen(cond), step, leaves, bound, recorder))
        except ClosesOverTracedError:
            step.f = f
    steps, closed_over = 0, None
    while True:
        condition = one_truth(cond(unflatten(carry.structure, leaves)), "cond of while_loop")
        is_each = is_of_items(condition)
        if not (any_item(condition) if is_each else bool(condition)):
            if closed_over is not None:
                closed_over.refuse_changes()
            return unflatten(carry.structure, leaves)
        if steps == bound:
            raise too_many_steps(steps)
        before = leaves
        if is_each:
            closed_over = closed_over or ClosedOver([cond, body])
            with for_all_items():
                leaves, _ = step(steps, list(map(own_leaf, leaves)), [])
            leaves = moved_on(condition, leaves, before)
        else:
            leaves, _ = step(steps, leaves, [])
        steps += 1


def _as_operation(
    cond: Callable[[Any], Any], step: Step, carry: Leaves, bound: int | None, recorder: Recorder
) -> Leaves:
    step.f = frozen(step.f)
    traced, watch = closed_over((cond, step.f)), Watch([cond, step.f], recorder)
    count, body = len(carry), step.closing_over(traced, watch)

    def holds(leaves: Leaves) -> Any:
        watch.check()
        with standing_for(leaves[count:], traced):
            return one_truth(
                cond(unflatten(step.carry.structure, list(map(own_leaf, leaves[:count])))), "cond of while_loop"
            )

    def next_carry(leaves: Leaves) -> Leaves:
        return body(0, leaves[:count], [], leaves[count:])[0]

    with watch.first_run():
        return list(Repetition(holds, next_carry, count, bound)(*carry, *as_they_are(traced)))


def one_truth(x: Any, owner: str) -> Any:
    """A truth value, which may be one that is known only when a program runs."""
    if np.shape(as_array(x)):
        raise TypeError(
            f"{owner} returned an array of shape {np.shape(x)}, not one truth value: call wirtinger.all or any."
        )
    return as_array(raw(x))


def truth(x: Any, owner: str) -> bool:
    """A truth value as Python's."""
    return bool(one_truth(x, owner))
