"""Exchanges of rows in all matrices of a stack at once, which choose the pivots of an elimination."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

_FEW: Final = 4
"""Rows are looked for item by item where not even one in this many needs an exchange."""


class Exchange(NamedTuple):
    """Row `k` of some items is exchanged with one `below` it, of each item another one."""

    k: int
    items: Any
    below: Any

    @classmethod
    def of_largest(cls, x: Any, k: int) -> Exchange | None:
        """What brings up the largest elements of column `k` of interleaved matrices; None if all stand there."""
        if k == len(x) - 1:
            return None
        size = np.abs(x[k:, k])
        largest = np.maximum.reduce(size[1:])
        larger = largest > size[0]
        items = larger.nonzero()[0]
        if len(items) == 0:
            return None
        if _FEW * len(items) < len(larger):
            return cls(k, items, size[1:].take(items, axis=1).argmax(axis=0) + 1)
        below = np.full(len(larger), len(size) - 1)
        for i in reversed(range(1, len(size) - 1)):
            np.copyto(below, i, where=size[i] == largest)
        return cls(k, items, below[items])

    def of_rows(self, x: Any) -> None:
        """Exchange rows of contiguous interleaved matrices."""
        _, n, count = x.shape
        self._exchange(x, np.arange(0, n * count, count), n * count)

    def of_columns(self, x: Any) -> None:
        """Exchange columns likewise."""
        m, n, count = x.shape
        self._exchange(x, np.arange(0, m * n * count, n * count), count)

    def _exchange(self, x: Any, along: Any, step: int) -> None:
        flat = x.reshape(-1)
        here = along[:, None] + (self.items + self.k * step)
        there = here + self.below * step
        upper = flat.take(here)
        flat[here] = flat.take(there)
        flat[there] = upper
