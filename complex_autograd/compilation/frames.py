"""Whose line it was that did something to a symbol."""

from __future__ import annotations

from types import FrameType

from ..array.call_sites import is_own, is_users

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
