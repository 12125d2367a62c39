"""Functions that differ slightly from this package's: under a trace, conversions of plain values return plain arrays.

Those of `wirtinger` return arrays into which traced values can be written, as `zeros` does here.  autograd's do not,
and code built on it checks the type of what it has converted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.operands import holds_traced_objects
from ....complex_autograd.namespace.functions import NUMPY
from ....complex_autograd.transforms.recording import TRACING

__all__ = ["PLAIN"]


def _stacking(name: str) -> Callable[..., Any]:
    """A function that makes an array of its first argument."""
    theirs, ours = getattr(np, name), NUMPY[name]

    @wraps(theirs)
    def made(*args: Any, **kwargs: Any) -> Any:
        has_traced = any(holds_traced(a) or holds_traced_objects(a) for a in (*args[:2], *kwargs.values()))
        if not has_traced:
            return theirs(*args, **kwargs)
        with TRACING:  # a box may be used where no function is being differentiated
            return ours(*args, **kwargs)

    return made


@wraps(np.where)
def _where(condition: Any, *args: Any, **named: Any) -> Any:
    """NumPy's `where`, which also takes `x` and `y` by name."""
    chosen = [*args, *(named.pop(name) for name in ("x", "y")[len(args) :] if name in named)]
    return NUMPY["where"](condition, *chosen, **named)


def _joining(name: str) -> Callable[..., Any]:
    """A function that joins arrays, which may come from an iterator, as autograd's do."""
    ours = NUMPY[name]

    @wraps(getattr(np, name))
    def joined(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        return ours(list(arrays) if hasattr(arrays, "__next__") else arrays, *args, **kwargs)

    return joined


_CONVERSIONS = ("array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray")

_JOINING = ("column_stack", "concatenate", "hstack", "stack", "vstack")

PLAIN: dict[str, Callable[..., Any]] = {
    **{name: _stacking(name) for name in _CONVERSIONS},
    **{name: _joining(name) for name in _JOINING},
    "where": _where,
}
"""What stands for NumPy's functions of these names."""
