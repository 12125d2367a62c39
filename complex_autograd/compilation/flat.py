"""`x.flat` of a symbol."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any


class Flat:
    """The elements of a symbol in order."""

    __slots__ = ("symbol",)

    def __init__(self, symbol: Any) -> None:
        self.symbol = symbol

    def __len__(self) -> int:
        return int(self.symbol.size)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        return self.symbol._recorder.record(operator.getitem, (self.symbol.flatten(), index), {})

    def __setitem__(self, index: Any, value: Any) -> None:
        self.symbol._recorder.record(_set, (self.symbol, index, value), {})


def _set(a: Any, index: Any, value: Any) -> None:
    """`a.flat[index] = value`."""
    a.flat[index] = value
