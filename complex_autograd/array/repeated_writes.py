"""Which value remains if an index names an element twice: the one NumPy writes last.

NumPy writes in C order if the index and the values are laid out that way in memory, and in the order of their memory if
both are laid out otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import backend_of
from ..engine.dispatch import are_mapped
from ..engine.hooks import HOOKS
from ..engine.operands import arange_like
from ..engine.traced import raw
from .structure import reshape
from .views import getitem, may_repeat, parts_of


def as_in_order(target: Any, index: Any, values: Any) -> Any:
    """Values that leave, written in the order of C, what these leave in the order of memory."""
    if (
        type(index) in (int, slice)
        or getattr(index, "ndim", 2) < 2
        or not getattr(values, "shape", ())
        or not may_repeat(index)
    ):
        return values
    if all(_lies_in_order(part) for part in (*parts_of(index), values)):
        return values
    if are_mapped((index, values)):
        return HOOKS.mapped_composition(_last_ones, (target, index, values), {})
    return _last_ones(target, index, values)


def _lies_in_order(part: Any) -> bool:
    part = raw(part)
    return not issubclass(type(part), np.ndarray) or part.flags.c_contiguous


def _last_ones(target: Any, index: Any, values: Any) -> Any:
    """For each place that an index names, of the values written to its element the one that stays there."""
    a, v = raw(target), raw(values)
    numbers = np.empty_like(v, dtype=np.intp)
    numbers[...] = arange_like(v, v.size).reshape(v.shape)
    lasting = np.zeros_like(a, dtype=np.intp)
    index = tuple(map(raw, index)) if type(index) is tuple else raw(index)
    lasting[index] = numbers
    return getitem(reshape(values, shape=(-1,)), index=lasting[index])


def last_written(index: Any, a: Any) -> Any:
    """Which of the positions that an index names in an array keep their value: of equal ones, the last."""
    arange = backend_of(a).namespace.arange
    positions = arange(a.size).reshape(a.shape)[index]
    order = arange(positions.size).reshape(positions.shape)
    last = np.zeros_like(order, shape=a.size)
    np.maximum.at(last, positions, order)
    return last[positions] == order
