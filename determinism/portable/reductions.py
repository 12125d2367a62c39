"""NumPy's reductions of real and complex numbers as trees, with NumPy's arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arithmetic import maximum, minimum, multiply, squared_modulus
from .trees import Combine, reduced


def _given(x: Any) -> bool:
    return x is not None and x is not np._NoValue


def _into(out: Any, x: Any) -> Any:
    if not _given(out):
        return x
    target = out[0] if type(out) is tuple else out
    np.copyto(target, x, casting="same_kind")
    return target


def _folded(
    combine: Combine, identity: Any, a: Any, axis: Any, dtype: Any, keepdims: Any, initial: Any, where: Any
) -> Any:
    a = np.asarray(a) if not _given(dtype) else np.asarray(a).astype(dtype)
    given = a.dtype
    a = a.astype(np.float32) if given.char == "e" else a
    if where is not True and _given(where):
        start = initial if identity is None else identity
        if not _given(start):
            raise ValueError("reduction operation has no identity, so to use a where mask one has to specify 'initial'")
        a = np.where(where, a, a.dtype.type(start))
    start = initial if identity is None and _given(initial) else identity
    x = reduced(combine, a, axis, keepdims is True, start)
    if _given(initial):
        x = combine(x, a.dtype.type(initial))
    return x.astype(given)[()]


def _reduction(function: Any, combine: Combine, identity: Any) -> Callable[..., Any]:
    """A function as `numpy.sum`."""

    def reduce(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None,
        where: Any = True,
    ) -> Any:  # fmt: skip
        return _into(out, _folded(combine, identity, a, axis, dtype, keepdims, initial, where))

    reduce.__name__ = function.__name__
    return reduce


def _extremum(function: Any, combine: Combine) -> Callable[..., Any]:
    """A function as `numpy.max`."""

    def reduce(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True
    ) -> Any:
        return _into(out, _folded(combine, None, a, axis, None, keepdims, initial, where))

    reduce.__name__ = function.__name__
    return reduce


def _method(function: Any, combine: Combine, identity: Any) -> Callable[..., Any]:
    """A function as `numpy.add.reduce`, whose axis is the first one unless it is told another."""

    def reduce(
        array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None,
        where: Any = True,
    ) -> Any:  # fmt: skip
        return _into(out, _folded(combine, identity, array, axis, dtype, keepdims, initial, where))

    reduce.__name__ = function.__name__
    return reduce


sum = _reduction(np.sum, np.add, 0)
prod = _reduction(np.prod, multiply, 1)
max, min = _extremum(np.max, maximum), _extremum(np.min, minimum)
add_reduce, multiply_reduce = _method(np.add.reduce, np.add, 0), _method(np.multiply.reduce, multiply, 1)
maximum_reduce = _method(np.maximum.reduce, maximum, None)
minimum_reduce = _method(np.minimum.reduce, minimum, None)


def _over(x: Any, count: Any) -> Any:
    """`x / count`, of complex numbers part by part."""
    if np.result_type(x).kind != "c":
        return (x / count).astype(x.dtype)
    found = np.empty(np.shape(x), np.result_type(x))
    found.real, found.imag = np.real(x) / count, np.imag(x) / count
    return found[()]


def _in_floats(a: Any, dtype: Any) -> Any:
    a = np.asarray(a) if not _given(dtype) else np.asarray(a).astype(dtype)
    return a.astype(np.float64) if a.dtype.kind in "biu" else a


def _count(a: Any, axis: Any, where: Any) -> Any:
    if where is True or not _given(where):
        axes = range(a.ndim) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, a.ndim)
        return np.prod([a.shape[i] for i in axes], dtype=np.intp)
    return np.sum(np.broadcast_to(where, a.shape), axis, keepdims=True)


def _mean(a: Any, axis: Any, where: Any) -> Any:
    """With the axes kept."""
    return _over(_folded(np.add, 0, a, axis, None, True, None, where), _count(a, axis, where))


def _squeezed(x: Any, axis: Any, keepdims: Any) -> Any:
    if keepdims is True:
        return x
    return np.squeeze(x, tuple(range(np.ndim(x))) if axis is None else axis)[()]


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    """`numpy.mean`."""
    a = _in_floats(a, dtype)
    return _into(out, _squeezed(_mean(a, axis, where).astype(a.dtype), axis, keepdims))


def var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False, *,
    where: Any = True, mean: Any = None, correction: Any = None,
) -> Any:  # fmt: skip
    """`numpy.var`."""
    a = _in_floats(a, dtype)
    deviation = a - (mean if _given(mean) else _mean(a, axis, where))
    squares = squared_modulus(deviation)
    freedom = _count(a, axis, where) - (correction if _given(correction) else ddof)
    total = _folded(np.add, 0, squares, axis, None, True, None, where)
    return _into(out, _squeezed(_over(total, np.maximum(freedom, 0)), axis, keepdims))


def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`numpy.std`."""
    return _into(out, np.sqrt(var(a, axis, dtype, None, *args, **kwargs)))


def trace_of_matrices(a: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """`numpy.linalg.trace`."""
    return trace(a, offset, -2, -1, dtype)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """`numpy.trace`."""
    return sum(np.diagonal(a, offset, axis1, axis2), -1, dtype, out)
