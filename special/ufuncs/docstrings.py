"""Docstrings of functions of a family: a summary each, and the sections that they share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def sections(shared: str, **words: str) -> Callable[[F], F]:
    """Adds to the docstring of a function the sections that it shares with others.

    Parameters
    ----------
    shared : str
        The sections, with the function's `{name}` and other words in braces.
    **words : str
        What the others are for this function.
    """

    def add(function: F) -> F:
        summary = inspect.cleandoc(function.__doc__ or "")
        function.__doc__ = f"{summary}\n\n{shared.format(name=function.__name__, **words)}"
        return function

    return add
