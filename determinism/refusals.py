"""Raising, or warning, where something cannot keep the level in force."""

from __future__ import annotations

import warnings

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
        raise error
    if (error.op, error.backend) not in setting.warned:
        setting.warned.add((error.op, error.backend))
        warnings.warn(str(error), DeterminismWarning, stacklevel=stacklevel)


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
