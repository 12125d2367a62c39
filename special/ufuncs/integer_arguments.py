"""Functions that are not ufuncs refuse to be differentiated in their integers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.errors import NotDifferentiableError
from .ufunc_rules import INTEGER

P = ParamSpec("P")
R = TypeVar("R")


def integers(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """What makes a function raise `NotDifferentiableError` where one of its integers is traced.

    Parameters
    ----------
    *names : str
        The names of the integers.
    """

    def checked(function: Callable[P, R]) -> Callable[P, R]:
        parameters = list(inspect.signature(function).parameters)
        indices = [(name, parameters.index(name)) for name in names]

        @wraps(function)
        def call(*args: P.args, **keywords: P.kwargs) -> R:
            for name, i in indices:
                if holds_traced(args[i] if i < len(args) else keywords.get(name)):
                    raise NotDifferentiableError(f"scipy.special.{function.__name__}", INTEGER, name)
            return function(*args, **keywords)

        return call

    return checked
