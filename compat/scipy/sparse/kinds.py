"""The classes of sparse arrays: SciPy's for plain values, and of traced values arrays with their pattern."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as scipy_sparse

from ....complex_autograd.array.tracing import DEPTH
from ....complex_autograd.engine.operands import as_operand
from .array import SparseArray
from .pattern import Pattern
from .structure import entries_of, is_sparse, is_traced, placed, rearranged


class Kind(type):
    """Stands for a class of SciPy's: what is made of plain values is an instance of that one."""

    theirs: type

    def __call__(cls, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, **options: Any) -> Any:
        if not is_traced(arg1):
            return cls.theirs(arg1, shape=shape, dtype=dtype, copy=copy, **options)
        made = _made(cls.theirs, arg1, shape, options)
        return made if dtype is None else made.astype(dtype)

    def __instancecheck__(cls, instance: Any) -> bool:
        kind = instance.kind if type(instance) is SparseArray else type(instance)
        return issubclass(kind, cls.theirs)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(getattr(subclass, "theirs", subclass), cls.theirs)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.theirs, name)


class WrittenKind(Kind):
    """Stands for a class of lists or dicts of entries: what a differentiated function makes takes traced values."""

    def __call__(cls, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, **options: Any) -> Any:
        if is_traced(arg1):
            by_rows = (
                scipy_sparse.csr_matrix if issubclass(cls.theirs, scipy_sparse.spmatrix) else scipy_sparse.csr_array
            )
            made = _made(by_rows, arg1, shape, options)
            return (made if dtype is None else made.astype(dtype)).asformat(cls.theirs.__name__[:3])
        made = cls.theirs(arg1, shape=shape, dtype=dtype, copy=copy, **options)
        if not DEPTH.value or not (made.dtype.kind in "fc" or DEPTH.mapped):
            return made
        return SparseArray(*entries_of(made), cls.theirs)


def _made(kind: Any, arg1: Any, shape: Any, options: dict[str, Any]) -> SparseArray:
    form = kind.__name__.partition("_")[0]
    if is_sparse(arg1):
        return SparseArray(*_reshaped(*rearranged([entries_of(arg1)], lambda a: kind(a, shape=shape))))
    if not isinstance(arg1, tuple):  # all elements of a dense array: a zero has a derivative, too
        dense = as_operand(arg1)
        coords = np.indices(dense.shape).reshape(dense.ndim, -1)
        arg1, shape = (np.reshape(dense, (-1,)), tuple(coords)), shape or dense.shape
    data, *rest = arg1
    data = as_operand(data)
    numbers = np.arange(1, data.size + 1).reshape(data.shape)
    if len(rest) == 1 and np.ndim(rest[0]) == np.ndim(data) + 1:  # coordinates, which may repeat: these are added
        coo = scipy_sparse.coo_matrix if issubclass(kind, scipy_sparse.spmatrix) else scipy_sparse.coo_array
        made = SparseArray(Pattern(coo((numbers, rest[0]), shape=shape)), data)
        return made if form == "coo" else made._rearranged(lambda a: kind(a, **options))
    return SparseArray(Pattern(kind((numbers, *rest), shape=shape, **options)), data)


def _reshaped(pattern: Pattern, d: Any) -> tuple[Pattern, Any]:
    return pattern, np.reshape(d, pattern.data_shape)


def numbered_diagonals(diagonals: Any) -> tuple[Any, list[Any]]:
    """The values of some diagonals in one vector, and their numbers in the place of each."""
    vectors = [np.reshape(as_operand(v), (-1,)) for v in diagonals]
    ends = np.cumsum([0, *(v.shape[0] for v in vectors)])
    numbers = [np.arange(start + 1.0, end + 1.0) for start, end in pairwise(ends)]
    return np.concatenate(vectors), numbers


def with_places(values: Any, numbered: Any) -> SparseArray:
    """A sparse array of values, given where each stands by its number."""
    return SparseArray(*_reshaped(*placed(values, numbered)))
