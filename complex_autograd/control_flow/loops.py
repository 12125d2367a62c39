"""`scan` and `fori_loop`: loops whose number of steps is known."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..transforms.arguments import unflatten
from .closures import ClosesOverTracedError
from .of_items import counted_for_items, is_of_items
from .operations import recorder_of_loops
from .scanning import as_operation
from .steps import Step, leaves_to_loop_over, rebuilt, results_of_no_steps, run, run_in_blocks
from .trees import Tree, own_leaf


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    *,
    checkpoint: bool = False,
) -> tuple[Any, Any]:
    """A loop that carries a tree of arrays from step to step, and stacks what the steps return.

    The values, to the bit, are those of::

        carry, ys = init, []
        for x in xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, np.stack(ys)

    Parameters
    ----------
    f : callable
        `f(carry, x)` returns `(carry, y)`.  It must do the same in every step, and have no side effects.
    init : tree of array
        The carry of the first step: arrays and numbers, and tuples, lists, dicts, dataclasses of them.  Each step
        returns one with the same structure, shapes and dtypes.
    xs : tree of array, optional
        Arrays of one length; step `i` is given `x[i]` of each.
    length : int, optional
        The number of steps, where there are no `xs`.
    reverse : bool
        Whether the last step comes first; `ys[i]` belongs to `xs[i]` all the same.
    checkpoint : bool
        Whether reverse mode stores only the carries of sqrt(n) steps, and runs the steps between them again: memory
        for 2 sqrt(n) steps in place of n, for the time of one more run.

    Returns
    -------
    carry : tree of array
        Of the last step, `init` if there are none; numbers as NumPy's numbers.
    ys : tree of array
        With the structure of `y` and one more axis, the first; without steps it is empty, and `f` is called once with
        `x = 0` for its shapes.

    Raises
    ------
    TypeError
        If a step changes the structure, a shape or a dtype; it names the leaf.
    ValueError
        If the arrays in `xs`, and `length`, do not agree on one number of steps.

    Notes
    -----
    The derivative is that of the sequence of steps, in every mode and order, also with respect to values that `f`
    closes over.  A step may write into its carry and its `x`.  The determinism level is that of the operations of `f`.
    The order of arguments is that of `jax.lax.scan`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, scan
    >>> scan(lambda total, x: (total + x, total), 0.0, np.array([1.0, 2.0, 3.0]))
    (np.float64(6.0), array([0., 1., 3.]))
    >>> def final(rate):
    ...     return scan(lambda u, _: (u + 0.1 * rate * u, None), 1.0, length=10)[0]
    >>> bool(np.isclose(grad(final)(2.0), 10 * 0.1 * 1.2**9))
    True
    """
    carry = Tree(init, "the carry of scan")
    leaves, structure, number = leaves_to_loop_over(xs, length, "scan")
    step = Step(lambda i, state, x: f(state, x), carry, structure, "scan")
    return _looped(step, range(number), leaves, reverse, checkpoint)


def fori_loop(lower: int, upper: int, body: Callable[[Any, Any], Any], init: Any, *, checkpoint: bool = False) -> Any:
    """A loop over whole numbers that carries a tree of arrays from step to step.

    The value, to the bit, is that of::

        carry = init
        for i in range(lower, upper):
            carry = body(i, carry)
        return carry

    Parameters
    ----------
    lower, upper : int
        The first number, and the one after the last.
    body : callable
        `body(i, carry)` returns the next carry, with the same structure, shapes and dtypes.  `i` is a number of
        Python's: it takes the dtype of what it meets.  Where `vmap` maps over a bound, it is computed for all items
        from the least to the greatest number, and each takes the steps that are its own.
    init : tree of array
        The carry of the first step.
    checkpoint : bool
        As of `scan`.

    Returns
    -------
    tree of array
        The carry of the last step, `init` if there are none.

    Raises
    ------
    TypeError
        If a step changes the structure, a shape or a dtype; it names the leaf.

    Notes
    -----
    It is `scan` without `xs` and `ys`, which says more about derivatives and memory.

    Examples
    --------
    >>> from wirtinger import fori_loop, grad
    >>> grad(lambda x: fori_loop(1, 4, lambda i, p: p * x + i, 0.0))(2.0)  # x**2 + 2 x + 3
    np.float64(6.0)
    """
    carry = Tree(init, "the carry of fori_loop")
    step = Step(lambda i, state, x: (body(i, state), None), carry, Tree(None, "").structure, "fori_loop")
    if is_of_items(lower) or is_of_items(upper):
        return unflatten(carry.structure, counted_for_items(step, lower, upper, list(map(own_leaf, carry.leaves))))
    indices = range(operator.index(lower), operator.index(upper))
    return _looped(step, indices, [], False, checkpoint)[0]


def _looped(step: Step, indices: range, xs: list[Any], reverse: bool, checkpoint: bool) -> tuple[Any, Any]:
    carry = list(map(own_leaf, step.carry.leaves))
    if not indices:
        return rebuilt(step, carry, results_of_no_steps(step, carry, xs))
    order = indices[::-1] if reverse else indices
    recorder = recorder_of_loops()
    if recorder is not None:
        f = step.f
        try:
            return rebuilt(step, *as_operation(step, order, carry, xs, checkpoint, recorder))
        except ClosesOverTracedError:
            step.f = f
    return rebuilt(step, *(run_in_blocks if checkpoint else run)(step, order, carry, xs))
