"""Branches on equality in a copy of a package, where a value under differentiation equals the tested number.

`if c == 0: return exp(-x)`, beside a formula for other `c`, gives the right value but not the derivative in `c`,
which is that of the branch, 0.  A package that tests for equality handles a special case; whether its branch also has
the right derivative cannot be seen from outside.  So where a traced value equals the number it is compared with, the
transform follows the formula for other values, provided that it has the same value here (`special_values`).
Otherwise the call is refused, rather than returning a wrong zero.  Inequalities, comparisons of two traced values,
comparisons of a value whose tangent is 0 in forward mode, and tests for infinity are answered as they are.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ..complex_autograd.engine.dispatch import lowered
from ..complex_autograd.engine.errors import NotDifferentiableError
from ..complex_autograd.engine.protocols import leaves_operator_to
from ..complex_autograd.engine.trace import UFUNCS, Node
from ..complex_autograd.engine.traced import Traced, depth_of, raw
from ..complex_autograd.rules import every_rule as _every_rule  # noqa: F401
from ..complex_autograd.transforms.special_values import ANSWERS

__all__ = ["BOTH_SMOOTH", "is_copied", "watch"]

BOTH_SMOOTH: set[tuple[str, str]] = set()
"""By module and function: comparisons after which both branches have the derivative."""

_COPIES: list[str] = []
"""How the names of modules begin that are watched."""


def watch(prefix: str) -> None:
    """Watch comparisons in the modules of a copy."""
    if not _COPIES:
        UFUNCS[np.equal] = _watched(UFUNCS[np.equal], in_general=False)
        UFUNCS[np.not_equal] = _watched(UFUNCS[np.not_equal], in_general=True)
    _COPIES.append(f"{prefix}.")


def is_copied(module: str) -> bool:
    """Whether a module is one of a copy."""
    return f"{module}.".startswith(tuple(_COPIES))


def _watched(compare: Callable[..., Any], in_general: bool) -> Callable[..., Any]:
    """A comparison that is refused, or answered in general, where not all of its answers hold in general."""

    def call(a: Any, b: Any) -> Any:
        result = compare(a, b)
        if not (isinstance(a, Traced) and isinstance(b, Traced)):
            frame = sys._getframe(2)  # below the operator, or the protocol of ufuncs
            module = frame.f_globals.get("__name__", "")
            x, number = (a, b) if isinstance(a, Traced) else (b, a)
            moves = x.dtype.kind in "fc" and (depth_of(a) or depth_of(b))  # a count or a flag does not, if mapped
            if is_copied(module) and moves and _is_finite_number(lowered(number)):
                return _answered(result, x, in_general, module, frame)
        return result

    return call


def _is_finite_number(x: Any) -> bool:
    """Whether a value that is equal to it is special: no text, `None` or object, which a number never equals."""
    x = x if hasattr(x, "dtype") else np.asarray(x)
    return getattr(x.dtype, "kind", "O") in "biufc" and not leaves_operator_to(x) and not np.all(np.isinf(x))


def _answered(result: Any, x: Any, in_general: bool, module: str, frame: FrameType) -> Any:
    is_special = result != in_general
    if ANSWERS.given:
        ANSWERS.asked += 1
        if ANSWERS.given == "as written":
            return result
        if ANSWERS.asked > ANSWERS.most:
            raise _refusal(module, frame)
    if not np.any(is_special) or (module, frame.f_code.co_name) in BOTH_SMOOTH or not _moves(x, is_special):
        return result
    if not ANSWERS.given:
        raise _refusal(module, frame)
    return result | True if in_general else result & False


def _moves(x: Any, there: Any) -> bool:
    """Whether a value may move in those of its elements: in forward mode it is known along which tangent."""
    if not isinstance(x, Traced):
        return False
    if x._tangent is None:
        return _moves(x._value, there)
    if x._tracer.is_outermost or isinstance(there, Traced) or not hasattr(x._tangent, "dtype"):
        return True
    if isinstance(x._tangent, Node) or np.any(np.where(there, raw(x._tangent), 0)):
        return True
    return _moves(x._tangent, there) or _moves(x._value, there)


def _refusal(module: str, frame: FrameType) -> NotDifferentiableError:
    code = frame.f_code
    line = linecache.getline(code.co_filename, frame.f_lineno).strip()
    error = NotDifferentiableError(
        f"{module}.{code.co_name}",
        f"its code treats this value apart (`{line}`, {code.co_filename.rpartition('/')[2]}, line {frame.f_lineno}), "
        "what it does there need not have the derivative of the function, and what it does elsewhere has not its value "
        "here. Call it beside that value, or with the value as a constant: wirtinger.stop_gradient(x)",
    )
    error.is_at_special_value = True
    return error
