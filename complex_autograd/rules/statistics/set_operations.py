"""Sets of values.

Which elements are selected is decided by the values; the derivative is that of the selection.  Among equal elements,
the first one represents all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import implements
from ...engine.operands import as_operand
from ...engine.traced import raw


@implements(np.unique)
def _(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    ar = as_operand(ar)
    wanted: Any = {"return_inverse": return_inverse, "return_counts": return_counts}
    _, index, *others = np.unique(raw(ar), True, axis=axis, equal_nan=equal_nan, sorted=sorted, **wanted)
    values = np.ravel(ar)[index] if axis is None else np.take(ar, index, axis)
    results = (values, *((index,) if return_index else ()), *others)
    return results if len(results) > 1 else values


def _implements_named(function: Any) -> None:
    @implements(function)
    def _(x: Any, /) -> Any:
        return function(raw(x))._replace(values=np.unique(x, equal_nan=False))


_implements_named(np.unique_all)
_implements_named(np.unique_counts)
_implements_named(np.unique_inverse)


@implements(np.unique_values)
def _(x: Any, /) -> Any:
    # NumPy may return them in the order of a hash table
    return np.unique(x, equal_nan=False)[np.argsort(np.argsort(np.unique_values(raw(x))))]


@implements(np.union1d)
def _(ar1: Any, ar2: Any) -> Any:
    return np.unique(np.concatenate([np.ravel(as_operand(ar1)), np.ravel(as_operand(ar2))]))


@implements(np.intersect1d)
def _(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    ar1, ar2 = as_operand(ar1), as_operand(ar2)
    _, first, second = np.intersect1d(raw(ar1), raw(ar2), assume_unique, return_indices=True)
    values = np.ravel(ar1)[first].astype(np.result_type(ar1.dtype, ar2.dtype))
    return (values, first, second) if return_indices else values


@implements(np.setdiff1d)
def _(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    values = np.ravel(as_operand(ar1)) if assume_unique else np.unique(as_operand(ar1))
    return values[np.isin(values, ar2, assume_unique=assume_unique, invert=True)]


@implements(np.setxor1d)
def _(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    ar1, ar2 = as_operand(ar1), as_operand(ar2)
    if not assume_unique:
        ar1, ar2 = np.unique(ar1), np.unique(ar2)
    both = np.sort(np.concatenate([np.ravel(ar1), np.ravel(ar2)]))
    values = raw(both)
    differs = values[1:] != values[:-1]
    ends = np.ones_like(values[:1], dtype=bool)
    return both[np.concatenate([ends, differs]) & np.concatenate([differs, ends])]
