"""Raises, or warns, when an operation cannot meet the level in force."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import DeterminismError, DeterminismWarning
from .flag import current_scope, is_portable
from .levels import Level


def fall_short(error: DeterminismError, stacklevel: int = 3) -> None:
    """Raise an error; where the setting in force only warns, warn once for each operation and backend.

    Examples
    --------
    >>> from wirtinger.determinism import DeterminismError, Level, deterministic
    >>> from wirtinger.determinism.refusals import fall_short
    >>> error = DeterminismError("dot", "mine", Level.RUN, Level.NONE, "it adds in any order", "sort")
    >>> with deterministic("run"):
    ...     fall_short(error)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ...
    wirtinger.DeterminismError: dot on backend 'mine' cannot meet the determinism level 'run'
    """
    setting = current_scope().setting
    if not setting.warn_only:
        try:
            raise error
        finally:
            del error  # else the frame would hold what holds it
    if (error.op, error.backend) not in setting.warned:
        setting.warned.add((error.op, error.backend))
        warnings.warn(str(error), DeterminismWarning, stacklevel=stacklevel)


def by_route(
    route: Callable[..., Any] | None, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """What an operation returns by a route; as it is where there is none, or where that refuses what is only warned of.

    Examples
    --------
    >>> from wirtinger.determinism.refusals import by_route
    >>> by_route(None, max, (1, 2), {})
    2
    """
    try:
        return (route or function)(*args, **kwargs)
    except DeterminismError as error:
        if route is None:
            raise
        fall_short(error)
        return function(*args, **kwargs)


def refuse_at_portable(op: str, reason: str, instead: str) -> None:
    """Raise for what runs foreign code that no route replaces, where the level `portable` is in force.

    Examples
    --------
    >>> from wirtinger.determinism.refusals import refuse_at_portable
    >>> refuse_at_portable("optimize.minimize", "SciPy's solvers take steps by BLAS", "write the steps")
    """
    if is_portable():
        hint = f"{instead}; or ask for 'run'"
        fall_short(DeterminismError(op, "numpy", Level.PORTABLE, Level.RUN, reason, hint), stacklevel=4)
