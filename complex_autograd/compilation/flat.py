"""`x.flat` of a symbol."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any


class Flat:
    """The elements of a symbol in order."""

    __slots__ = ("symbol",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, symbol: Any) -> None:
        self.symbol = symbol

    def __len__(self) -> int:
        return int(self.symbol.size)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        return self.symbol._recorder.record(operator.getitem, (self.symbol.flatten(), index), {})

    def __eq__(self, other: object) -> Any:
        return self.symbol.flatten() == other

    def __ne__(self, other: object) -> Any:
        return self.symbol.flatten() != other

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        vectors = [x.symbol.flatten() if type(x) is Flat else x for x in inputs]
        return getattr(ufunc, method)(*vectors, **kwargs)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.symbol._recorder.record(_set, (self.symbol, index, value), {})


def _set(a: Any, index: Any, value: Any) -> None:
    """`a.flat[index] = value`."""
    a.flat[index] = value
