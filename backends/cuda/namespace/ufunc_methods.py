"""`reduce`, `accumulate` and `outer` of every ufunc.

CuPy reduces with a few ufuncs.  For the others an axis is folded one element after the other, as NumPy does; what is
associative is accumulated by doubling: `y[k:] = f(y[:-k], y[k:])` for `k = 1, 2, 4, ...` takes `log2(n)` launches.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ..dispatch import call_of
from ..operands import listed
from ..tables import method
from .ufunc_calls import written

MISSING: Any = np._NoValue
"""NumPy's sign that `initial=` was not given."""

_SHORT_INTEGERS = {np.dtype(c): np.dtype("l") for c in "?bhi"} | {np.dtype(c): np.dtype("L") for c in "BHI"}

_REDUCTIONS = {
    np.add: cupy.sum,
    np.multiply: cupy.prod,
    np.maximum: cupy.amax,
    np.minimum: cupy.amin,
    np.logical_and: cupy.all,
    np.logical_or: cupy.any,
}
_ASSOCIATIVE = {
    *(np.maximum, np.minimum, np.fmax, np.fmin, np.logical_and, np.logical_or, np.logical_xor, np.gcd, np.lcm),
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.logaddexp, np.logaddexp2, np.hypot),
}


_COMPARISONS = {np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal}
"""Which compare truth values only, once they are repeated."""


@method("reduce")
def reduce(
    ufunc: Any,
    a: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Any:
    """`ufunc.reduce`."""
    check_binary(ufunc, "reduce")
    a = cupy.asarray(a)
    if initial is None:
        initial = MISSING
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    a = of_loop(ufunc, a, dtype, None if out is None else out[0])
    if where is not True:
        a, initial = _selected(ufunc, a, initial, listed(where))
    length = int(np.prod([a.shape[i] for i in axes]))
    if not length and ufunc.identity is None and initial is MISSING:
        raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity")
    if (not length and initial is not MISSING) or not axes:
        made = _constant(a, axes, initial) if not length else _of_no_axis(ufunc, a)
    elif ufunc in _REDUCTIONS:
        made = _REDUCTIONS[ufunc](a, axis=axes, keepdims=True, **_dtype_kept(ufunc, a))
    elif not length:
        made = _constant(a, axes, ufunc.identity)
    else:
        made = _folded(ufunc, a, axes)
    if initial is not MISSING and length:
        made = call_of(ufunc)(made, initial).astype(made.dtype, copy=False)
    if not keepdims:
        made = made.reshape([n for i, n in enumerate(made.shape) if i not in axes])
    if out is not None and out[0] is not None:
        written(ufunc, out[0], made, "same_kind")
    return made


def check_binary(ufunc: Any, name: str) -> None:
    """Raise NumPy's errors for a ufunc that has no such method."""
    if ufunc.signature is not None:
        raise RuntimeError("Reduction not defined on ufunc with signature")
    if ufunc.nin != 2:
        raise ValueError(f"{name} only supported for binary functions")
    if ufunc.nout != 1:
        raise ValueError(f"{name} only supported for functions returning a single value")


def of_loop(ufunc: Any, a: Any, dtype: Any, out: Any) -> Any:
    """The array in the dtype that is computed in."""
    if dtype is None:
        if ufunc in (np.add, np.multiply):
            dtype = _SHORT_INTEGERS.get(a.dtype) if out is None else out.dtype
        if dtype is None:
            loop = ufunc.resolve_dtypes((a.dtype, a.dtype, None), reduction=ufunc in _COMPARISONS)
            dtype = loop[1]
    return a.astype(dtype, copy=False)


def _dtype_kept(ufunc: Any, a: Any) -> dict[str, Any]:
    return {"dtype": a.dtype} if ufunc in (np.add, np.multiply) else {}


def _selected(ufunc: Any, a: Any, initial: Any, where: Any) -> tuple[Any, Any]:
    """The array with what is neutral where a condition does not hold."""
    neutral = ufunc.identity if initial is MISSING or ufunc.identity is not None else initial
    if neutral is None:
        raise ValueError(
            f"reduction operation '{ufunc.__name__}' does not have an identity, so to use a where mask one has to "
            "specify 'initial'"
        )
    spread = cupy.broadcast_to(where, np.broadcast_shapes(where.shape, a.shape))
    return cupy.where(spread, a, cupy.asarray(neutral, a.dtype)), initial


def _constant(a: Any, axes: tuple[int, ...], value: Any) -> Any:
    return cupy.full([1 if i in axes else n for i, n in enumerate(a.shape)], value, a.dtype)


def _of_no_axis(ufunc: Any, a: Any) -> Any:
    return a.astype(bool) if ufunc in (np.logical_and, np.logical_or, np.logical_xor) else a.copy()


def _folded(ufunc: Any, a: Any, axes: tuple[int, ...]) -> Any:
    """The fold of axes, kept with length 1."""
    if len(axes) > 1 and ufunc not in _ASSOCIATIVE:
        raise ValueError(
            f"reduction operation '{ufunc.__name__}' is not reorderable, so at most one axis may be specified"
        )
    function = call_of(ufunc)
    for axis in axes:
        rows = cupy.moveaxis(a, axis, 0)
        if ufunc in _ASSOCIATIVE:
            while len(rows) > 1:
                half = len(rows) // 2
                rows = cupy.concatenate([function(rows[:half], rows[half : 2 * half]), rows[2 * half :]])
            total = rows[0]
        else:
            total = rows[0]
            for row in rows[1:]:
                total = function(total, row)
        a = cupy.expand_dims(total, axis)
    return a.astype(bool) if ufunc is np.logical_xor else a.copy()


@method("accumulate")
def accumulate(ufunc: Any, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """`ufunc.accumulate`."""
    check_binary(ufunc, "accumulate")
    a = cupy.asarray(array)
    if not a.ndim:
        raise TypeError("cannot accumulate on a scalar")
    axis = normalize_axis_index(axis, a.ndim)
    a = of_loop(ufunc, a, dtype, None if out is None else out[0])
    if ufunc in (np.add, np.multiply):
        made = (cupy.cumsum if ufunc is np.add else cupy.cumprod)(a, axis, a.dtype)
    else:
        made = cupy.moveaxis(_prefixes(ufunc, cupy.moveaxis(a, axis, 0)), 0, axis)
    if out is not None and out[0] is not None:
        written(ufunc, out[0], made, "same_kind")
    return made


def _prefixes(ufunc: Any, rows: Any) -> Any:
    """The fold of the first row, of the first two, and so on."""
    function = call_of(ufunc)
    if ufunc in (np.logical_and, np.logical_or, np.logical_xor):
        rows = rows != 0
    if ufunc in _ASSOCIATIVE:
        step, made = 1, rows.copy()
        while step < len(rows):
            made = cupy.concatenate([made[:step], function(made[:-step], made[step:])])
            step *= 2
        return made
    made = [rows[0]]
    for row in rows[1:]:
        made.append(function(made[-1], row))
    return cupy.stack(made)


@method("outer")
def outer(ufunc: Any, a: Any, b: Any, **kwargs: Any) -> Any:
    """`ufunc.outer`."""
    a, b = cupy.asarray(a), cupy.asarray(b)
    return call_of(ufunc)(a.reshape(a.shape + (1,) * b.ndim), b, **kwargs)
