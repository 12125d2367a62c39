"""Some of the eigenvalues: those in a range of numbers, or in a range of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H

_SELECTIONS: Final = {"a": "a", "all": "a", 0: "a", "v": "v", "value": "v", 1: "v", "i": "i", "index": "i", 2: "i"}


def integers(x: Any, first: int, end: int) -> Any:
    """The integers from the first to before the end, where `x` lives."""
    return backend_of(raw(x)).namespace.arange(first, end)


@final
class Subset:
    """Which of ascending eigenvalues are wanted.

    Parameters
    ----------
    by_index : pair of int, optional
        The first and the last of them, both included.
    by_value : pair of float, optional
        Those above the first number, up to and including the second.
    """

    __slots__ = ("by_index", "by_value")

    def __init__(self, by_index: Sequence[int] | None = None, by_value: Sequence[float] | None = None) -> None:
        if by_index is not None and by_value is not None:
            raise ValueError("Either index or value subset can be requested.")
        self.by_index = None if by_index is None else tuple(int(i) for i in by_index)
        self.by_value = None if by_value is None else tuple(float(x) for x in by_value)

    @classmethod
    def selected(cls, select: Any, select_range: Any) -> Subset:
        """As SciPy's banded functions name it: "a", "i" or "v", and a range."""
        key = select.lower() if isinstance(select, str) else select
        if key not in _SELECTIONS:
            raise ValueError(f"invalid argument for select: {select!r}")
        kind = _SELECTIONS[key]
        if kind == "a":
            return cls()
        return cls(by_index=select_range) if kind == "i" else cls(by_value=select_range)

    @property
    def is_all(self) -> bool:
        """Whether all are wanted."""
        return self.by_index is None and self.by_value is None

    @property
    def selection(self) -> dict[str, Any]:
        """As SciPy's banded functions name it."""
        if self.is_all:
            return {"select": "a"}
        by_value = self.by_index is None
        return {"select": "v" if by_value else "i", "select_range": self.by_value if by_value else self.by_index}

    def check_size(self, n: int) -> None:
        """Raise `ValueError` where there are no such eigenvalues among `n`."""
        if self.by_index is not None:
            low, high = self.by_index
            if not 0 <= low <= high < n:
                raise ValueError(
                    f"Requested eigenvalue indices are not valid. Valid range is [0, {n - 1}] and start <= end, but "
                    f"start={low}, end={high} is given"
                )
        if self.by_value is not None and not self.by_value[0] < self.by_value[1]:
            raise ValueError(
                "Requested eigenvalue bounds are not valid. Valid range is (-inf, inf) and low < high, but "
                f"low={self.by_value[0]}, high={self.by_value[1]} is given"
            )

    def indices(self, w: Any) -> Any:
        """The indices of the wanted ones among all, (..., k); `ValueError` if a stack has different numbers of them."""
        w = raw(w)
        if self.by_index is not None:
            first, last = self.by_index
            return np.broadcast_to(integers(w, first, last + 1), (*w.shape[:-1], last + 1 - first))
        assert self.by_value is not None
        low, high = self.by_value
        first = np.count_nonzero(w <= low, axis=-1)
        count = np.count_nonzero((w > low) & (w <= high), axis=-1)
        if np.any(count != np.max(count, initial=0)):
            raise ValueError(
                f"the matrices of the stack have between {np.min(count)} and {np.max(count)} eigenvalues in ({low}, "
                f"{high}], which do not fit in one array. Call the function on each of them, or use subset_by_index."
            )
        return first[..., None] + integers(w, 0, int(np.max(count, initial=0)))

    def with_phases(self, w: Any, v: Any, wanted: Any) -> Any:
        """All vectors, those wanted rephased to have the phases that they have as given."""
        among = integers(w, 0, w.shape[-1])[:, None] == self.indices(w)[..., None, :]
        overlap = np.sum((H(v) @ wanted) * among, axis=-1)
        size = np.abs(overlap)
        other = (size == 0).astype(size.dtype)
        return v * ((overlap + other) / (size + other))[..., None, :]

    def of_values(self, w: Any) -> Any:
        """The wanted ones among all eigenvalues."""
        return w if self.is_all else np.take_along_axis(w, self.indices(w), axis=-1)

    def of(self, w: Any, v: Any) -> tuple[Any, Any]:
        """The wanted ones among all eigenvalues, and their vectors."""
        if self.is_all:
            return w, v
        indices = self.indices(w)
        return np.take_along_axis(w, indices, axis=-1), np.take_along_axis(v, indices[..., None, :], axis=-1)
