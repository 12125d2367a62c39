"""Arrays that cannot be written to: NumPy's views that show elements several times, and read-only arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.memory import WRITEABLE
from ..engine.opaque import is_on_host
from ..engine.primitive import Primitive
from ..engine.traced import Traced, raw
from .views import Views

_READ_ONLY: set[str] = set()


class _OfArgument(Views):
    """The views of an argument that is read-only."""

    __slots__ = ()


def read_only(primitive: Primitive) -> Primitive:
    """Declare that NumPy's views of this kind cannot be written to."""
    _READ_ONLY.add(primitive.name)
    return primitive


def is_read_only(a: Any) -> bool:
    """Whether a traced array is a read-only view or argument, or a view of one."""
    while (source := getattr(a, "source", None)) is not None:
        if source[1].name in _READ_ONLY:
            return True
        a = source[0]
    return type(getattr(a, "views", None)) is _OfArgument


def as_given(x: Any, given: Any) -> Any:
    """What a function gets for an argument: read-only where that is."""
    if type(given) is np.ndarray:
        is_fixed = not given.flags.num & WRITEABLE
    else:
        is_fixed = not given.flags.writeable if is_on_host(given) else type(given) is Traced and is_read_only(given)
    shown: Any = x
    if is_fixed and x is not given and type(x) is Traced:
        shown.views = _OfArgument()
        if type(value := raw(x)) is np.ndarray:
            value.flags.writeable = False  # programs ask for it
    return x
