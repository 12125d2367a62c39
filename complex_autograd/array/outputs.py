"""`out=`: results written into arrays that were made inside the differentiated function.

Such an array is traced, and `f(x, out=a)` means `a[...] = f(x)`; with the `where=` of a ufunc the other elements of `a`
stay.  A plain array is refused if the result has a derivative, which would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.dispatch import name_of
from ..engine.errors import TraceError
from ..engine.hooks import HOOKS
from ..engine.traced import Traced


def into(target: Any, result: Any, function: Any, where: Any = True, casting: Any = "same_kind") -> Any:
    """Write a result into the array that was given for it, and return that; where none was given, the result."""
    if target is None:
        return result
    if isinstance(result, Traced) and not isinstance(target, Traced):
        is_whole = getattr(getattr(target, "dtype", None), "kind", "") in ("b", "i", "u")
        made = f"of {target.dtype}" if is_whole else "made by plain numpy"
        raise TraceError(
            f"{name_of(function)} of traced values would be written (in place by A += b, or out=A) into an array "
            f"{made}, which cannot be tracked. Make the array {'of floating-point numbers ' * is_whole}with "
            "wirtinger.zeros or wirtinger.array inside the differentiated function; or drop out= and use "
            "the array that is returned."
        )
    dtype = np.result_type(result)
    if not np.can_cast(dtype, target.dtype, casting):
        raise TypeError(
            f"Cannot cast the output of {name_of(function)} from {dtype!r} to {target.dtype!r} with casting rule "
            f"{casting!r}. Make the array that is given as out= with the dtype of the result."
        )
    if isinstance(target, Traced):
        HOOKS.write(target, ..., result if where is True else np.where(where, result, target))
    else:
        np.copyto(target, result, where=where, casting=casting)
    return target


def check_shape(result: Any, target: Any, may_stretch: bool = False) -> None:
    """NumPy's error where a result does not fit into the array; that of a ufunc is stretched to its shape."""
    shape = np.shape(result)
    if target is None:
        return
    if not hasattr(target, "shape"):
        raise TypeError(f"return arrays must be of ArrayType, not {type(target).__name__}")
    if shape == target.shape:
        return
    ends = zip(reversed(shape), reversed(target.shape), strict=False)
    if not (may_stretch and len(shape) <= target.ndim and all(n in (1, m) for n, m in ends)):
        raise ValueError(
            f"non-broadcastable output operand with shape {target.shape} doesn't match the broadcast shape {shape}"
        )


def _call_with_out(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A function of NumPy that is no ufunc, with a traced array for its result."""
    target = kwargs["out"]
    result = function(*args, **{**kwargs, "out": None})
    check_shape(result, target)
    return into(target, result, function)


HOOKS.call_with_out = _call_with_out
