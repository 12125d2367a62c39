"""Solvers inside of mapped functions: one solution for each item, with what the functions close over in its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..batching.batch import batch_in, innermost
from ..batching.loops import item_by_item
from ..control_flow.closures import closed_over, standing_for
from ..engine.trace import MAPPING


def one_by_one(function: Callable[..., Any], *readers: Any) -> Callable[..., Any]:
    """A solver that is called for one item after the other where its arguments, or what they read, are mapped.

    Parameters
    ----------
    function : callable
        The solver.
    *readers : callable
        Functions that it calls besides those among its arguments.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not MAPPING[0]:
            return function(*args, **kwargs)
        read = [z for z in closed_over((readers, args, kwargs)) if batch_in(z) is not None]
        axis = innermost((*args, kwargs, *read))
        if axis is None:
            return function(*args, **kwargs)

        def of_one(values: Any, *args: Any, **kwargs: Any) -> Any:
            with standing_for(values, read):
                return call(*args, **kwargs)

        of_one.__name__, of_one.__module__ = function.__name__, function.__module__
        return item_by_item(of_one, (read, *args), kwargs, axis)

    return call
