"""The module `numpy` as copies see it: this package's namespace, of NumPy's version."""

from __future__ import annotations

import sys
from functools import wraps
from typing import Any

import numpy as np

from ..complex_autograd.array.creation import writable
from ..complex_autograd.array.tracing import is_tracing
from ..complex_autograd.engine.traced import raw
from ..complex_autograd.namespace.vectorization import vectorize as _vectorize

_OURS = sys.modules[__name__.partition(".")[0]]

__all__ = [name for name in np.__all__ if name != "test"]
__version__ = np.__version__
__path__ = np.__path__

globals().update({name: getattr(_OURS, name) for name in __all__ if name != "__version__"})


def _writable(function: Any) -> Any:
    @wraps(function)
    def make(*args: Any, **options: Any) -> Any:
        return writable(function(*args, **options)) if is_tracing() else function(*args, **options)

    return make


globals().update(
    {name: _writable(getattr(_OURS, name)) for name in ("empty_like", "full_like", "ones_like", "zeros_like")}
)


def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """An array, of which the plain value is asked whether it is finite."""
    a = _OURS.asarray(a, dtype=dtype, order=order)
    np.asarray_chkfinite(raw(a))
    return a


class vectorize(_vectorize):
    """`vectorize` of this package, which takes empty arrays where the types of the results are given."""

    def _vectorize_call(self, func: Any, args: Any) -> Any:
        if self.otypes is not None and is_tracing() and args and not np.prod(np.broadcast_shapes(*map(np.shape, args))):
            return np.vectorize._vectorize_call(self, func, [raw(a) for a in args])  # type: ignore[attr-defined]
        return super()._vectorize_call(func, args)


def __getattr__(name: str) -> Any:
    return getattr(_OURS, name)
