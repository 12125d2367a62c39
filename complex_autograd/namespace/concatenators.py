"""NumPy's `r_` and `c_`, which also accept traced values; `mgrid` and `ogrid`, which are indexed by slices."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ...backends import PRECISE, exact, is_precise
from ..engine.dispatch import holds_traced
from ..engine.operands import as_operand
from ..engine.traced import Traced


def _pieces(key: Any) -> list[Any]:
    """The items of an index expression as arrays; what is not traced is left to NumPy."""
    items = key if isinstance(key, tuple) else (key,)
    if any(isinstance(item, str) for item in items):
        raise TypeError(
            "directives such as r_['0,2', ...] are not supported with traced values: call concatenate or stack"
        )
    return [
        _counted(item) if _needs_digits(item) else np.r_[item] if isinstance(item, slice) else as_operand(item)
        for item in items
    ]


def _is_fractional(x: Any) -> bool:
    return isinstance(x, slice) and any(issubclass(type(y), (float, complex)) for y in (x.start, x.stop, x.step))


def _needs_digits(key: Any) -> bool:
    """Whether numbers are counted with fractions in a block of precision, where NumPy would do so in doubles."""
    return PRECISE[0] > 0 and is_precise() and any(map(_is_fractional, key if isinstance(key, tuple) else (key,)))


def _counted(interval: slice) -> Any:
    """The numbers of an interval, with an imaginary step as many, in the precision in force."""
    start, step = interval.start or 0, 1 if interval.step is None else interval.step
    if issubclass(type(step), complex):
        return exact(np.linspace(exact(start), exact(interval.stop), int(abs(step))))
    count = math.ceil((interval.stop - start) / (step * 1.0))
    return exact(start) + np.arange(count) * exact(step)


def _axes(key: Any, sparse: bool) -> Any:
    return np.meshgrid(*map(_counted, key), indexing="ij", sparse=sparse)


def _matrix_of_names(text: str) -> Any:
    """The matrix that a text such as "a, b; c, d" makes of the variables where it is written."""
    writer = sys._getframe(2)
    return np.bmat(text, writer.f_globals, writer.f_locals)


class RowConcatenator(type(np.r_)):  # type: ignore[misc]
    """Concatenates along the first axis."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return _matrix_of_names(key)
        if not (isinstance(key, Traced) or holds_traced(key) or _needs_digits(key)):
            return super().__getitem__(key)
        return np.concatenate([np.atleast_1d(piece) for piece in _pieces(key)])


class ColumnConcatenator(type(np.c_)):  # type: ignore[misc]
    """Concatenates along the last axis, vectors as columns."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return _matrix_of_names(key)
        if not (isinstance(key, Traced) or holds_traced(key) or _needs_digits(key)):
            return super().__getitem__(key)
        columns = [np.reshape(p, (-1, 1)) if np.ndim(p) < 2 else p for p in _pieces(key)]
        return np.concatenate(columns, axis=-1)


class DenseGrid(type(np.mgrid)):  # type: ignore[misc]
    """The grid of some intervals, in full."""

    def __getitem__(self, key: Any) -> Any:
        if not _needs_digits(key):
            return super().__getitem__(key)
        return np.stack(_axes(key, False)) if isinstance(key, tuple) else _counted(key)


class OpenGrid(type(np.ogrid)):  # type: ignore[misc]
    """The same, each axis alone."""

    def __getitem__(self, key: Any) -> Any:
        if not _needs_digits(key):
            return super().__getitem__(key)
        return _axes(key, True) if isinstance(key, tuple) else _counted(key)


r_ = RowConcatenator()
c_ = ColumnConcatenator()
mgrid = DenseGrid()
ogrid = OpenGrid()
