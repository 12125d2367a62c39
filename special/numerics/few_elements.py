"""Few elements in less time: one as a number, and with many nodes of a sum at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .devices import is_on_device

_AT_ONCE = 8192
"""Numbers that stay in the cache."""


def with_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Given plain vectors of one element, a function is called with their elements.

    Parameters
    ----------
    function : callable
        Of vectors, and of numbers; gives one, or a tuple.
    """

    @wraps(function)
    def call(*args: Any) -> Any:
        if any(type(x) is not np.ndarray or x.shape != (1,) for x in args):
            return function(*args)
        outputs = function(*[x[0] for x in args])
        return tuple(np.array([w]) for w in outputs) if isinstance(outputs, tuple) else np.array([outputs])

    return call


def are_plain(*args: Any) -> bool:
    """Whether arguments are real numbers, and arrays below all levels."""
    return all(issubclass(type(x), (np.ndarray, np.floating, float, int)) for x in args)


def nodes_at_once(size: int) -> int:
    """How many nodes are taken at a time together with vectors of so many elements."""
    return max(1, _AT_ONCE // size)


def added(total: Any, rows: Any) -> Any:
    """The total and the rows added one after another, so that it does not matter how many there are at a time."""
    if is_on_device(rows):
        return total + np.sum(rows, axis=0)
    if type(rows) is not np.ndarray:
        return sum(rows, total)
    before = np.broadcast_to(total, rows.shape[1:])[None]
    return np.add.accumulate(np.concatenate([before, rows]), axis=0)[-1]
