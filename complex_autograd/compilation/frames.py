"""Finds the line of code that used a symbol, and words the error about it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ..array.call_sites import is_own, is_users, line_of
from ..engine.errors import TraceError
from ..engine.protocols import is_at_operator
from .functions import UFUNC_OF
from .instructions import name_of

_REMEDIES = {
    bool: "Choose element by element with wirtinger.where(condition, a, b)",
    operator.index: "Name an argument that decides about shapes or loops in static_argnums",
    int: "Name an argument that decides about shapes or loops in static_argnums",
    np.array: "Call wirtinger's function in the place of another package's, or a copy of it: wirtinger.rebound(name)",
}
_ARGUMENT = "Name an argument that the program may depend on in static_argnums"

_OPERATORS: dict[Any, Any] = {ufunc: function for function, ufunc in UFUNC_OF.items()}
_OPERATORS |= {np.floor_divide: operator.floordiv, np.remainder: operator.mod, np.power: operator.pow}
"""Operators by the ufuncs that NumPy calls for them where the second argument is none of its own."""

_CONVERSIONS = {
    "__array__",
    "__bool__",
    "__complex__",
    "__contains__",
    "__float__",
    "__format__",
    "__index__",
    "__int__",
    "__repr__",
    "__round__",
    "__str__",
    "_plain_scalar",
    "item",
    "tolist",
}
"""Methods of arrays that only hand on what their caller asked for."""


def operator_at(frame: FrameType, ufunc: Any) -> Any:
    """The operator that a frame is at, where NumPy calls a ufunc for it: of numbers it may have other bits."""
    return _OPERATORS.get(ufunc, ufunc) if is_at_operator(frame) else ufunc


def who_looks(frame: FrameType) -> FrameType:
    """The frame that wants a concrete number: not one that only hands on what another asked for."""
    while frame.f_back is not None and frame.f_code.co_name in _CONVERSIONS and is_own(frame):
        frame = frame.f_back
    inner = frame
    while frame.f_back is not None and not (is_own(frame) or is_users(frame)):  # NumPy's and SciPy's
        frame = frame.f_back
    return inner if frame.f_back is None else frame


def caller(frame: FrameType) -> FrameType:
    """The innermost frame of the user's, or of this package outside of this folder."""
    while frame.f_back is not None and (
        str(frame.f_globals.get("__name__")).startswith(str(__package__)) or not (is_own(frame) or is_users(frame))
    ):
        frame = frame.f_back
    return frame


def users(frame: FrameType) -> FrameType:
    """The innermost frame of the user's."""
    found: FrameType | None = frame
    while found is not None and not is_users(found):
        found = found.f_back
    return found or frame


def used_too_late() -> TraceError:
    """The error for a symbol of a function that has returned."""
    return TraceError(
        "a symbol was used after the function that was compiled had returned. Likely cause: it was kept in a "
        "global variable, a closure or an attribute. Return it from the function instead."
    )


def asked_of_number(kind: Callable[[Any], Any], frame: FrameType) -> str:
    """What is said where a line asks for a number that is not known."""
    name = "index" if kind is operator.index else "asarray" if kind is np.array else kind.__name__
    return (
        f"{line_of(frame)}: {name}() of a value that is known only when the compiled function runs. "
        f"{_REMEDIES.get(kind, _ARGUMENT)}; or compile the parts before and after this line."
    )


def asked_of_memory(name: str, frame: FrameType) -> str:
    """What is said where an attribute leads to numbers or to memory."""
    return (
        f"{line_of(users(frame))}: .{name} of an array leads to numbers or memory that are known only when the "
        "compiled function runs. Use indexing and functions of wirtinger."
    )


def written_into_plain(function: Any, frame: FrameType) -> str:
    """What is said where a symbol is written into an array that was made before."""
    return (
        f"{line_of(users(frame))}: {name_of(function)} writes what is known only when the compiled function runs into "
        "a plain array. Make that inside of the function with wirtinger.zeros, or return a new one."
    )
