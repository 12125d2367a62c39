"""Calls of SciPy's ufuncs while a function is recorded that is being compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...backends.native.large_arrays import LARGE
from ...backends.native.ufuncs import has_kernel
from ...complex_autograd.engine.opaque import is_symbolic, opaque_call


def recorded_call(call: Callable[..., Any], function: Any, args: Sequence[Any]) -> Any:
    """What a program has of a ufunc of SciPy's: of large arrays that the library has no kernel for, one operation.

    Parameters
    ----------
    call : callable
        Uses all cores for large arrays.
    function : callable
        What computes the values, by `safe_ufunc`.
    args : sequence
        Symbols among them, and numbers.
    """
    if not any(getattr(x, "size", 0) >= LARGE and is_symbolic(x) for x in args):
        return function(*args)
    served = getattr(function, "served", None)
    types = [x.dtype if hasattr(x, "dtype") else type(x) for x in args]
    try:
        has_own = served is not None and has_kernel(served, served.resolve_dtypes((*types, *[None] * served.nout)))
    except TypeError:
        return function(*args)
    return function(*args) if has_own else opaque_call(call, args, {})
