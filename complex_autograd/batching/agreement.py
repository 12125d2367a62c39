"""Conditions on which all items agree: third-party code that validates its arguments can then run once for all items.

In the user's own functions a condition on mapped values is refused whatever the values are, so that code does not work
for some data and raise for other data.  Code in a private copy of a package (`wirtinger.scipy`, `rebound`) cannot be
rewritten by the user; if the items do not agree there, it is called item by item.
"""

from __future__ import annotations

import builtins
import sys
from types import FrameType
from typing import Any

from ..array.call_sites import is_own
from ..engine.traced import Traced, raw
from .refusals import refuse

_BUILTINS = vars(builtins)


def truth_of_all(b: Any) -> bool:
    """The truth value of every item of a batch, where a copy of foreign code asks for it; any other one is refused."""
    if _is_asked_by_a_copy(sys._getframe(2)):
        numbers = b
        while type(numbers) is type(b) or isinstance(numbers, Traced):
            numbers = raw(numbers) if isinstance(numbers, Traced) else numbers.array
        if len(b.shape) == 0 and bool(numbers.all()) == bool(numbers.any()):
            return bool(numbers.all())
    refuse("bool")


def _is_asked_by_a_copy(frame: FrameType | None) -> bool:
    """Whether the code that asks stands in a copy, whose builtins are others than Python's."""
    while frame is not None:
        names = frame.f_globals.get("__builtins__")
        if names is not _BUILTINS and names is not builtins:
            return True
        if not is_own(frame):
            return False
        frame = frame.f_back
    return False
