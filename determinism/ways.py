"""How an operation meets a level higher than its own: routes and wrappers, and the kinds of numbers they accept."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from .levels import Level
from .rows import KIND

Route = Callable[..., Any]
"""What is called in place of an operation."""

Wrapper = Callable[..., Any]
"""What calls an operation so that it meets a higher level: `(function, *args, **kwargs)`."""

REAL = "biuf"
"""Booleans, integers and real numbers."""

NUMBERS = REAL + "c"


class Way(NamedTuple):
    """A route or a wrapper, and the level that an operation meets by it."""

    level: Level
    route: Route | None
    wrapper: Wrapper | None = None
    is_of_parts: bool = False
    """Whether it serves functions of the package's own only, which are made of NumPy's."""

    def of(self, function: Route | None) -> Route | None:
        """What to call in place of a function; None where the function has to be known and is not."""
        if self.wrapper is None:
            return self.route
        return (
            None
            if function is None or (self.is_of_parts and not _is_ours(function))
            else _bound(self.wrapper, function)
        )


def _is_ours(function: Route) -> bool:
    return (getattr(function, "__module__", None) or "").partition(".")[0] == __name__.partition(".")[0]


@lru_cache(maxsize=4096)
def _bound(wrapper: Wrapper, function: Route) -> Route:
    """An operation called through a wrapper: the same object each time, since programs compare functions."""
    return partial(wrapper, function)


_SERVED: dict[Route, str] = {}
"""The kinds of numbers that a route is for, where it is not for all that the operation takes."""


def only_for(kinds: str, route: Route) -> Route:
    """A route of its own for some kinds of the numbers that IEEE 754 describes: of others there is none by it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return route(*args, **kwargs)

    call.__name__ = route.__name__
    _SERVED[call] = kinds
    return call


def serves(route: Route, dtype: DTypeLike | None) -> bool:
    """Whether a route is for numbers of a dtype; without one, for numbers of all kinds."""
    kinds = _SERVED.get(route)
    if kinds is None:
        return True
    if dtype is None:
        return kinds == NUMBERS
    found = np.dtype(dtype)
    return found.char in KIND and found.kind in kinds
