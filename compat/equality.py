"""Equality that decides how a copy goes on: refused where it holds of a value that is being differentiated.

`if c == 0: return exp(-x)`, beside a formula for other `c`, is right of the value and says nothing of the derivative in
`c`: that of the branch is 0.  Code that asks so knows a special case; whether its branch has the derivative as well
cannot be seen from outside.  So where a traced value equals the number that a copy compares it with, the call is
refused, and no wrong zero is returned.  Who asks for an inequality gets an answer, and so does who compares two traced
values.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ..complex_autograd.engine.errors import NotDifferentiableError
from ..complex_autograd.engine.trace import UFUNCS
from ..complex_autograd.engine.traced import Traced, depth_of

__all__ = ["BOTH_SMOOTH", "is_copied", "watch"]

BOTH_SMOOTH: set[tuple[str, str]] = set()
"""By module and function: comparisons after which both branches have the derivative."""

_COPIES: list[str] = []
"""How the names of modules begin that are watched."""


def watch(prefix: str) -> None:
    """Watch comparisons in the modules of a copy."""
    if not _COPIES:
        UFUNCS[np.equal] = _watched(UFUNCS[np.equal], np.any)
        UFUNCS[np.not_equal] = _watched(UFUNCS[np.not_equal], lambda result: not np.all(result))
    _COPIES.append(f"{prefix}.")


def is_copied(module: str) -> bool:
    """Whether a module is one of a copy."""
    return f"{module}.".startswith(tuple(_COPIES))


def _watched(compare: Callable[..., Any], holds: Callable[[Any], Any]) -> Callable[..., Any]:
    def call(a: Any, b: Any) -> Any:
        result = compare(a, b)
        if not (isinstance(a, Traced) and isinstance(b, Traced)):
            frame = sys._getframe(2)  # below the operator, or the protocol of ufuncs
            module = frame.f_globals.get("__name__", "")
            if is_copied(module) and (depth_of(a) or depth_of(b)) and holds(result):
                _refuse(module, frame)
        return result

    return call


def _refuse(module: str, frame: FrameType) -> None:
    code = frame.f_code
    if (module, code.co_name) in BOTH_SMOOTH:
        return
    line = linecache.getline(code.co_filename, frame.f_lineno).strip()
    raise NotDifferentiableError(
        f"{module}.{code.co_name}",
        f"its code treats this value apart (`{line}`, {code.co_filename.rpartition('/')[2]}, line {frame.f_lineno}), "
        "and what it does there need not have the derivative of the function. Call it beside that value, or with the "
        "value as a constant: wirtinger.stop_gradient(x)",
    )
