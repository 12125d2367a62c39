"""Reading and writing the entries of a sparse array with traced values by their indices.

SciPy reads and writes the numbers of the values in the place of these, and each number then tells which value stands
there.  What is written is collected: a loop that writes all entries one by one makes one array of them at its end.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from ....complex_autograd.array.creation import zeros
from ....complex_autograd.engine.operands import as_operand
from ....complex_autograd.engine.traced import Traced
from .entries import Move, moved
from .operations import Operations
from .pattern import Pattern
from .structure import canonical, entries_of, is_sparse, joined, placed, without_padding

HELD_BY_ROWS = ("lil", "dok")
"""The formats of lists and dicts of entries."""


class Items(Operations):
    """A sparse array whose parts are read and written by index.

    Between the first write and the next use of all values it has `numbers`, SciPy's array in which the value with the
    number k, from 1, stands where k does, and the values in `blocks`, where each of these begins in `starts`.

    Parameters
    ----------
    pattern : Pattern
        The class, the shape and the indices.
    data : array
        The values.
    kind : type, optional
        The class of SciPy's, where it is one of lists or dicts of entries; the pattern is then one by rows.
    """

    _numbers: Any = None
    _blocks: list[Any]
    _starts: list[int]

    def __init__(self, pattern: Pattern, data: Any, kind: type | None = None) -> None:
        self._pattern, self._data, self._kind = pattern, data, kind

    @property
    def pattern(self) -> Pattern:
        self._settle()
        return self._pattern

    @pattern.setter
    def pattern(self, pattern: Pattern) -> None:
        self._settle()
        self._pattern = pattern

    @property
    def data(self) -> Any:
        self._settle()
        return self._data

    @data.setter
    def data(self, data: Any) -> None:
        self._settle()
        self._data = data

    @property
    def kind(self) -> type:
        """The class of SciPy's."""
        return self._kind or self._pattern.kind

    @property
    def shape(self) -> tuple[int, ...]:
        return self._pattern.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._data.dtype  # type: ignore[no-any-return]

    def _number(self) -> None:
        """Begin to read and write numbers in the place of the values."""
        if self._numbers is None:
            pattern, d = canonical(*entries_of(self))
            numbers = pattern.matrix(np.arange(1, pattern.size + 1).reshape(pattern.data_shape))
            self._blocks, self._starts = [d], [0]
            self._numbers = numbers if self._kind is None else self._kind(numbers)

    def _settle(self) -> None:
        """The values in the order of their pattern again."""
        if self._numbers is not None:
            numbers, self._numbers = self._numbers, None
            self._pattern, d = placed(joined(self._blocks), numbers)
            self._data = np.reshape(d, self._pattern.data_shape)

    def __getitem__(self, index: Any) -> Any:
        if self._kind is not None:
            self._number()
        if self._numbers is None:
            pattern, d = canonical(*without_padding(*entries_of(self)))
            chosen = pattern.matrix(np.arange(1, pattern.size + 1)).tocsr()[_plain(index)]
            if not np.ndim(chosen):
                return d[chosen - 1] if chosen else self.dtype.type(0)
        else:
            chosen = self._numbers[_plain(index)]
            if not np.ndim(chosen):
                return self._value(int(chosen))
            self._blocks, self._starts = [joined(self._blocks)], [0]
            d = self._blocks[0]
        if is_sparse(chosen):
            return self._made(*placed(d, chosen))
        number = np.asarray(chosen)  # by arrays of rows and columns SciPy's matrices give a dense row
        target = np.flatnonzero(number)
        taken = moved(d, move=Move(number.ravel()[target] - 1, target, len(d), number.size))
        return np.reshape(taken, number.shape)

    def _value(self, number: int) -> Any:
        if not number:
            return self.dtype.type(0)
        block = bisect_right(self._starts, number - 1) - 1
        return self._blocks[block][number - 1 - self._starts[block]]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._number()
        self._numbers[_plain(index)] = self._numbers_of(value)

    def setdiag(self, values: Any, k: int = 0) -> None:
        self._number()
        self._numbers.setdiag(self._numbers_of(values), k)

    def _numbers_of(self, value: Any) -> Any:
        """Keep what is to be written; its numbers in its form. A plain 0 has none: it is no entry, as in SciPy."""
        if is_sparse(value):
            pattern, d = canonical(*without_padding(*entries_of(value)))
            return pattern.matrix(self._numbers_of(d))
        value = as_operand(value)
        is_plain = issubclass(type(value), (np.ndarray, np.generic))
        if is_plain:
            value = np.asarray(value, self.dtype)
        elif value.dtype != self.dtype:  # cast, or refused, as by a write into a dense array
            held = zeros(value.shape, self.dtype)
            held[...] = value
            value = held
        start = self._starts[-1] + len(self._blocks[-1])
        numbers = np.arange(start + 1, start + value.size + 1).reshape(value.shape)
        self._blocks.append(np.reshape(value, (-1,)).copy())  # a program may fill the same array for each write
        self._starts.append(start)
        return np.where(value == 0, 0, numbers)[()] if is_plain else numbers


def _plain(index: Any) -> Any:
    """An index without traced integers, of which SciPy's compiled functions know nothing."""
    if isinstance(index, tuple):
        return tuple(map(_plain, index))
    if type(index) is not Traced:
        return index
    return index.__index__() if index.ndim == 0 and index.dtype.kind in "iu" else np.asarray(index)
