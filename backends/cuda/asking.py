"""Operations on a GPU while a determinism level is in force: each consults the policy table, also inside a rule.

Rules consist of NumPy's functions, and all of these pass through dispatch on the way to the GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cupy
import numpy as np

from ...determinism import DeterminismError, Level, require
from ...determinism.families import FAMILY_OF
from ...determinism.flag import current_scope, observed
from ...determinism.refusals import fall_short

_CUTENSOR = 2  # cupy._core._accelerator.ACCELERATOR_CUTENSOR


def ufunc_at_level(ufunc: Any, method: str, function: Callable[..., Any], args: Any) -> Callable[..., Any]:
    """What computes a ufunc, or a method of one, at the level in force."""
    name = ufunc.__name__
    name = name if vars(np).get(name) is ufunc else f"special.{name}"
    return at_level(name if method == "__call__" else f"{name}.{method}", function, args)


def function_at_level(called: Any, function: Callable[..., Any], args: Any) -> Callable[..., Any]:
    """What computes a function of NumPy's at the level in force."""
    package = called.__module__.split(".")[1:2]
    name = ".".join([*(package if package in (["linalg"], ["fft"]) else []), called.__name__])
    if name not in FAMILY_OF and "." not in name:
        return function  # it does not compute with values
    return at_level(name, function, args)


def at_level(name: str, function: Callable[..., Any], args: Any) -> Callable[..., Any]:
    """What computes an operation, by its name in the policy table, at the level in force."""
    dtypes = list(_dtypes_of(args))
    try:
        dtype = np.result_type(*dtypes) if dtypes else None
    except TypeError:
        dtype = None
    route = require(name, "cupy", dtype, function)
    if _CUTENSOR in cupy._core.get_routine_accelerators() + cupy._core.get_reduction_accelerators():
        reason = "CuPy may compute it by cuTENSOR, of which no documentation says that a rerun keeps its bits"
        hint = "leave cutensor out of the environment variable CUPY_ACCELERATORS"
        fall_short(DeterminismError(name, "cupy", current_scope().setting.level, Level.NONE, reason, hint))
    return observed(name, route, function) or function


def _dtypes_of(x: Any) -> Iterator[Any]:
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from _dtypes_of(item)
    elif hasattr(x, "dtype"):
        yield x.dtype
    elif type(x) in (bool, int, float, complex):
        yield x
