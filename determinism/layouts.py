"""Calls NumPy's and SciPy's operations so that their bits depend neither on memory layout nor on neighbouring elements.

NumPy's loops choose their instructions by the strides of the operands, and reductions choose the order of additions.
Each function here is a wrapper of the policy table, `(function, *args, **kwargs)`: it converts the operands to one
layout and calls the operation.  Arrays other than plain NumPy arrays, such as those under differentiation, are passed
on unchanged: the operation is checked again when it reaches the numbers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

Function = Callable[..., Any]

_NUMBERS = (bool, int, float, complex, np.generic)


def canonical(x: Any) -> Any:
    """An array of NumPy's as it lies in memory when it was just made: C-contiguous, aligned, in native byte order."""
    if type(x) is not np.ndarray or x.dtype.hasobject:
        return x
    return np.require(x, x.dtype.newbyteorder("="), ("C", "A")) if x.ndim and not _lies_canonically(x) else x


def _lies_canonically(x: Any) -> bool:
    flags = x.flags
    return bool(flags.c_contiguous and flags.aligned and x.dtype.isnative)


def _is_settled(x: Any) -> bool:
    """Whether an argument is not copied, as is seen without a look into it."""
    kind = type(x)
    return _lies_canonically(x) if kind is np.ndarray else kind in (bool, int, float, complex, str, type(None))


class _Copies:
    """The copies that were made of operands: what is written into one, and returned, is meant for the operand."""

    def __init__(self) -> None:
        self.originals: dict[int, tuple[Any, Any]] = {}

    def canonical(self, x: Any) -> Any:
        """Arrays in their canonical form, also in lists, tuples and dicts."""
        kind = type(x)
        if kind in (list, tuple):
            return kind(map(self.canonical, x))
        if kind is dict:
            return {key: self.canonical(item) for key, item in x.items()}
        copy = canonical(x)
        if copy is not x:
            self.originals[id(copy)] = copy, x
        return copy

    def aligned(self, x: Any, shape: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        """An operand of the same shape as a reduced one in the same layout, others in their canonical form."""
        if type(x) is not np.ndarray or x.shape != shape:
            return self.canonical(x)
        copy = _innermost(x, axes)
        self.originals[id(copy)] = copy, x
        return copy

    def restored(self, result: Any) -> Any:
        """A result with the operands in the place of their copies, which have what was written."""
        if type(result) is tuple:
            return tuple(map(self.restored, result))
        if id(result) not in self.originals:
            return result
        copy, original = self.originals[id(result)]
        if original.flags.writeable:
            original[...] = copy
        return original


def are_plain(args: Any) -> bool:
    """Whether all arrays among some arguments are NumPy's own."""
    for x in args:
        kind = type(x)
        if kind in (list, tuple):
            if not are_plain(x):
                return False
        elif kind is not np.ndarray and not issubclass(kind, _NUMBERS) and hasattr(x, "dtype"):
            return False
    return True


def contiguous(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """All operands C-contiguous; for what treats each item of a stack alone, or the whole of its operands."""
    if all(map(_is_settled, args)) and all(map(_is_settled, kwargs.values())):
        return function(*args, **kwargs)
    if not are_plain((*args, *kwargs.values())):
        return function(*args, **kwargs)
    copies = _Copies()
    return copies.restored(function(*copies.canonical(args), **copies.canonical(kwargs)))


def others_contiguous(function: Function, first: Any, /, *args: Any, **kwargs: Any) -> Any:
    """All operands but the first, which is written into."""
    if not are_plain((first, *args, *kwargs.values())):
        return function(first, *args, **kwargs)
    copies = _Copies()
    return function(first, *copies.canonical(args), **copies.canonical(kwargs))


def elementwise(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The operands of a ufunc contiguous, in the types of its loop, and of the shape of the result.

    NumPy has other loops for a number beside an array, and converts operands in blocks, whose ends are computed apart.
    """
    if not kwargs and all(map(_is_ready, args)) and len({(x.shape, x.dtype) for x in args}) == 1:
        return function(*args)
    if getattr(function, "__name__", "") == "outer" and len(args) == 2 and are_plain(args):
        a, b = map(np.asarray, args)
        return elementwise(function.__self__, a.reshape(a.shape + (1,) * b.ndim), b, **kwargs)
    if not are_plain((*args, *kwargs.values())) or not hasattr(function, "nin"):
        return contiguous(function, *args, **kwargs)
    nin = function.nin
    inputs, out = args[:nin], args[nin:] or kwargs.pop("out", None)
    arrays = [np.asarray(x) for x in inputs]
    if len(arrays) < nin or not any(x.ndim for x in arrays):
        return function(*args, **kwargs) if out is None else function(*inputs, out=out, **kwargs)
    kinds = [
        type(x) if type(x) in (bool, int, float, complex) else a.dtype for x, a in zip(inputs, arrays, strict=True)
    ]
    kinds = [np.dtype(bool) if kind is bool else kind for kind in kinds]
    settings = {name: kwargs.pop(name) for name in ("dtype", "signature", "sig") if name in kwargs}
    if settings.get("dtype") is not None:
        settings = {"signature": (*[None] * nin, *[np.dtype(settings["dtype"])] * function.nout)}
    settings.pop("dtype", None)
    casting = kwargs.pop("casting", "same_kind")
    types = function.resolve_dtypes((*kinds, *[None] * function.nout), casting=casting, **settings)
    shape = np.broadcast_shapes(*[x.shape for x in arrays], np.shape(kwargs.get("where", True)))
    pairs = zip(arrays, types[:nin], strict=True)
    ready = [np.ascontiguousarray(np.broadcast_to(x.astype(t, copy=False), shape)) for x, t in pairs]
    where = kwargs.pop("where", True)
    kwargs.pop("order", None)
    results = function(*ready, **kwargs)
    whole = where is True and out is None
    return results if whole else written(results, out, where, casting)


def _is_ready(x: Any) -> bool:
    """Whether an operand needs no conversion: 8 of 11 microseconds of a short call."""
    return type(x) is np.ndarray and x.dtype.char in "fdFD" and x.dtype.isnative and x.flags.carray


def written(results: Any, out: Any, where: Any, casting: Any) -> Any:
    """Results in the arrays that were given for them, or in zeros, where a mask says so."""
    several = results if type(results) is tuple else (results,)
    given = out if type(out) is tuple else (out,)
    given = (*given, *[None] * (len(several) - len(given)))
    targets = [np.zeros_like(x) if target is None else target for x, target in zip(several, given, strict=True)]
    for target, x in zip(targets, several, strict=True):
        np.copyto(target, x, casting=casting, where=where)
    return tuple(targets) if type(results) is tuple else targets[0]


def reduction(function: Function, a: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The axes that are reduced innermost in memory, in C order, so that each result is computed as if it were alone.

    A reduction of `n` numbers that lie side by side is the same tree of additions whatever else is reduced beside it.
    """
    if _is_innermost(function, a, args, kwargs):
        return function(a, **kwargs)
    if not are_plain((a, *args, *kwargs.values())) or np.ndim(a) == 0:
        return contiguous(function, a, *args, **kwargs)
    a, dtype = np.asarray(a), kwargs.get("dtype")
    if dtype is None and function in _MEANS and a.dtype.kind in "biu":
        dtype = np.float64
    if dtype is not None and np.can_cast(a.dtype, dtype, "same_kind"):
        a = a.astype(dtype, copy=False)  # or NumPy converts it in blocks, and adds block by block
    axis = _axis_of(function, (a, *args), kwargs)
    try:
        axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    except (TypeError, ValueError):
        return function(a, *args, **kwargs)  # which says what is wrong with it
    if type(kwargs.get("where", True)) is np.ndarray:
        kwargs["where"] = _innermost(np.broadcast_to(kwargs["where"], a.shape), axes)
    out = kwargs.pop("out", None)
    copies = _Copies()
    others = [copies.aligned(x, a.shape, axes) for x in args]
    kwargs = {name: copies.aligned(x, a.shape, axes) if name == "weights" else x for name, x in kwargs.items()}
    result = copies.restored(function(_innermost(a, axes), *others, **kwargs))
    if out is None:
        return result
    target = out[0] if type(out) is tuple else out
    np.copyto(target, result, casting="same_kind")
    return target


def additions(function: Function, a: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Sums along the last axis, or all, as of any reduction; along another one row by row, in C order.

    NumPy adds whole rows, one after the other, where the rows have two elements or more; so one of a single element is
    doubled.  A transposed copy of a table takes 16 times as long as its sum.
    """
    if _is_innermost(function, a, args, kwargs):
        return function(a, **kwargs)
    axis: Any = _axis_of(function, (a, *args), kwargs) if are_plain((a, *args, *kwargs.values())) else None
    axis = axis[0] if type(axis) is tuple and len(axis) == 1 else axis
    is_one = issubclass(type(axis), (int, np.integer)) and -np.ndim(a) <= axis < np.ndim(a) > 1
    if not is_one or axis % np.ndim(a) == np.ndim(a) - 1 or not kwargs.keys() <= {"axis", "keepdims"} or len(args) > 1:
        return reduction(function, a, *args, **kwargs)
    a = canonical(np.asarray(a))
    if a.dtype.char not in "fdFD" or prod(a.shape[axis % a.ndim + 1 :]) != 1:
        return function(a, *args, **kwargs) if a.dtype.char in "fdFD" else reduction(function, a, *args, **kwargs)
    return function(np.repeat(a, 2, -1), *args, **kwargs)[..., :1]


def method(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """A method of a ufunc: `at` writes into its first operand, all others reduce it."""
    return (others_contiguous if function.__name__ == "at" else reduction)(function, *args, **kwargs)


def _is_innermost(function: Function, a: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether what is reduced lies side by side already, as is seen at once: the rest takes 15 microseconds."""
    if type(a) is not np.ndarray or a.dtype.char not in "fdFD" or args or not kwargs.keys() <= {"axis", "keepdims"}:
        return False
    axis = kwargs.get("axis", _place_of_axis(function)[1])
    return _lies_canonically(a) and (axis is None or a.ndim == 1 or (type(axis) is int and axis in (-1, a.ndim - 1)))


def _innermost(a: Any, axes: tuple[int, ...]) -> Any:
    """An array with some axes last in memory, at the places that they had."""
    order = [i for i in range(a.ndim) if i not in axes] + sorted(axes)
    return canonical(a.transpose(order)).transpose(np.argsort(order))


_MEANS = {np.mean, np.var, np.std, np.average, np.nanmean, np.nanvar, np.nanstd}


@lru_cache(maxsize=4096)
def _place_of_axis(function: Function) -> tuple[int, Any]:
    """Where a function has its `axis` among its arguments, and what it is by default."""
    if issubclass(type(getattr(function, "__self__", None)), np.ufunc):  # `reduce` and `accumulate`
        return (2 if function.__name__ == "reduceat" else 1), 0
    parameters = list(inspect.signature(function).parameters.values())
    place = next((i for i, p in enumerate(parameters) if p.name == "axis"), -1)
    default = parameters[place].default if place >= 0 else None
    is_keyword = place >= 0 and parameters[place].kind is inspect.Parameter.KEYWORD_ONLY
    return (99 if is_keyword or place < 0 else place), None if default is inspect.Parameter.empty else default


def _axis_of(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    place, default = _place_of_axis(function)
    if "axis" in kwargs or "axes" in kwargs:
        return kwargs["axis" if "axis" in kwargs else "axes"]
    return args[place] if place < len(args) else default


def diagonal_sums(function: Function, a: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`trace`, with the two axes of each diagonal last in memory."""
    if not are_plain((a, *args, *kwargs.values())):
        return function(a, *args, **kwargs)
    names = ("offset", "axis1", "axis2", "dtype", "out")
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    first, second = given.pop("axis1", 0), given.pop("axis2", 1)
    if np.ndim(a) < 2:
        return function(a, *args, **kwargs)
    return function(canonical(np.moveaxis(a, (first, second), (-2, -1))), axis1=-2, axis2=-1, **given)
