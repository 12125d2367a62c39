"""Memory of constants that code outside NumPy's protocols reads and writes.

An array made inside a differentiated function is a constant until a traced value is written into it.  Compiled code,
`numpy.asarray`, `.data` and the like get a plain array that shares its memory, so that their writes are seen.  While
such an array exists, writes of constants also go to this memory; writing a traced value, which plain memory cannot
hold, is refused.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from ..engine.errors import AliasError
from ..engine.hooks import HOOKS
from ..engine.traced import Traced, raw


def plain_memory(a: Traced, dtype: Any, copy: bool | None) -> Any:
    """What `a.__array__(dtype, copy)` returns for a constant."""
    value = raw(a)
    if type(value) is not np.ndarray or copy or (dtype is not None and np.dtype(dtype) != value.dtype):
        return np.array(value, dtype=dtype)
    owner, steps = _owner_of(a)
    if owner._tangent is not None:  # the rest of the array that `a` shows is traced
        value = value.copy(order="K")
        value.flags.writeable = False
        return value
    shown = _shown(owner)
    if shown is None:
        _give(owner, raw(owner).copy(order="K"))
        shown = np.asarray(memoryview(owner._value))  # with views of its own, which keep it alive
        owner.shown = weakref.ref(shown)
    for primitive, params in reversed(steps):
        shown = primitive.function(shown, **params)
    return shown


HOOKS.plain_memory = plain_memory


def write_shared(target: Traced, updated: Any) -> bool:
    """Write into the memory of an array that a plain array shares; whether there is one."""
    owner, _ = _owner_of(target)
    if _shown(owner) is None:
        return False
    if isinstance(updated, Traced) and updated._tangent is not None:
        raise AliasError(
            "a traced value was written into an array that shares its memory with a plain array, which cannot hold it. "
            "The plain array was made by numpy.asarray, .data, .ctypes or a function of another library, and still "
            "exists. Make a copy there instead, numpy.array(a), or write before it is made."
        )
    raw(target)[...] = raw(updated)
    return True


def _owner_of(a: Traced) -> tuple[Traced, list[Any]]:
    """The array that `a` is a view of in the end, and how it shows it, last step first."""
    steps = []
    while (source := getattr(a, "source", None)) is not None:
        a, *step = source
        steps.append(step)
    return a, steps


def _shown(owner: Traced) -> Any:
    """The plain array that shares the memory of an array; None where none is alive."""
    reference = getattr(owner, "shown", None)
    return None if reference is None else reference()


def _give(a: Traced, memory: Any) -> None:
    """Let an array and its views show memory that nothing else reads."""
    a._value = memory
    views = getattr(a, "views", None)
    for view in views.existing() if views else ():
        _, primitive, params = view.source
        _give(view, primitive.function(memory, **params))
