"""`r_` and `c_`: NumPy's, which also take traced values; `mgrid` and `ogrid`: what is asked for by slices."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ...backends import PRECISE, refuse_in_precision
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
    return [np.r_[item] if isinstance(item, slice) else as_operand(item) for item in items]


def _refuse_steps(name: str, key: Any) -> None:
    """Raise in a block of precision where NumPy counts from number to number in doubles."""
    if PRECISE[0]:
        slices = [x for x in (key if isinstance(key, tuple) else (key,)) if isinstance(x, slice)]
        if any(issubclass(type(x), (float, complex)) for s in slices for x in (s.start, s.stop, s.step)):
            refuse_in_precision(name, "NumPy counts in doubles. Call numpy.linspace, or numpy.arange.")


def _matrix_of_names(text: str) -> Any:
    """The matrix that a text such as "a, b; c, d" makes of the variables where it is written."""
    writer = sys._getframe(2)
    return np.bmat(text, writer.f_globals, writer.f_locals)


class RowConcatenator(type(np.r_)):  # type: ignore[misc]
    """Concatenates along the first axis."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return _matrix_of_names(key)
        _refuse_steps("r_", key)
        if not (isinstance(key, Traced) or holds_traced(key)):
            return super().__getitem__(key)
        return np.concatenate([np.atleast_1d(piece) for piece in _pieces(key)])


class ColumnConcatenator(type(np.c_)):  # type: ignore[misc]
    """Concatenates along the last axis, vectors as columns."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return _matrix_of_names(key)
        _refuse_steps("c_", key)
        if not (isinstance(key, Traced) or holds_traced(key)):
            return super().__getitem__(key)
        columns = [np.reshape(p, (-1, 1)) if np.ndim(p) < 2 else p for p in _pieces(key)]
        return np.concatenate(columns, axis=-1)


class DenseGrid(type(np.mgrid)):  # type: ignore[misc]
    """The grid of some intervals, in full."""

    def __getitem__(self, key: Any) -> Any:
        _refuse_steps("mgrid", key)
        return super().__getitem__(key)


class OpenGrid(type(np.ogrid)):  # type: ignore[misc]
    """The same, each axis alone."""

    def __getitem__(self, key: Any) -> Any:
        _refuse_steps("ogrid", key)
        return super().__getitem__(key)


r_ = RowConcatenator()
c_ = ColumnConcatenator()
mgrid = DenseGrid()
ogrid = OpenGrid()
