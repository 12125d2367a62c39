"""NumPy's conversions to arrays: of plain values they return plain arrays, also where a derivative is taken.

Those of `wirtinger` return arrays that traced values can be written into, as here `zeros` does; autograd's do not, and
code that is built on it asks for the type of what it has converted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.operands import holds_traced_objects
from ....complex_autograd.namespace.functions import NUMPY

__all__ = ["PLAIN"]


def _stacking(name: str) -> Callable[..., Any]:
    """A function that makes an array of its first argument."""
    theirs, ours = getattr(np, name), NUMPY[name]

    @wraps(theirs)
    def made(*args: Any, **kwargs: Any) -> Any:
        has_traced = any(holds_traced(a) or holds_traced_objects(a) for a in (*args[:2], *kwargs.values()))
        return (ours if has_traced else theirs)(*args, **kwargs)

    return made


@wraps(np.where)
def _where(condition: Any, *args: Any, **named: Any) -> Any:
    """NumPy's `where`, which also takes `x` and `y` by name."""
    chosen = [*args, *(named.pop(name) for name in ("x", "y")[len(args) :] if name in named)]
    return NUMPY["where"](condition, *chosen, **named)


_CONVERSIONS = ("array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray")

PLAIN: dict[str, Callable[..., Any]] = {**{name: _stacking(name) for name in _CONVERSIONS}, "where": _where}
"""What stands for NumPy's functions of these names."""
