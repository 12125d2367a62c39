"""Rows of the policy table, and the policy of one operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from .levels import Level

KIND = dict.fromkeys("?bBhHiIlLqQmMSU", 0) | dict.fromkeys("efd", 1) | dict.fromkeys("FD", 2)


class Row(NamedTuple):
    """One line of the table: the level kept without a route for each kind of number, the route above it, and why."""

    name: str
    integer: Level
    real: Level
    complex: Level
    route: str | None
    reason: str

    def level(self, dtype: DTypeLike | None) -> Level:
        """The level for one dtype; without one, for the worst. Extended precision and objects get `RUN` at most."""
        if dtype is None:
            return min(self.integer, self.real, self.complex)
        kind = KIND.get(np.dtype(dtype).char)
        if kind is None:
            return min(self.level(None), Level.RUN)
        return (self.integer, self.real, self.complex)[kind]


ON_EVERY_BACKEND = (
    Row("data movement", Level.PORTABLE, Level.PORTABLE, Level.PORTABLE, None, "it moves bits and computes nothing"),
    Row(
        "uninitialized memory", Level.NONE, Level.NONE, Level.NONE,
        "zeros in its place", "it returns whatever bits the memory held",
    ),
)  # fmt: skip
"""The first rows of each table."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What one operation keeps on one backend.

    Attributes
    ----------
    op, backend : str
    level : Level
        The highest level that it meets today, by a registered route if need be.
    plain : Level
        The highest level that it meets as it is.
    route : str or None
        What takes it above `plain`, or would take it.
    reason : str
        Why it meets `plain` and no more.
    row : str
        The row of the table that says so: the operation's own, or its family's.
    """

    op: str
    backend: str
    level: Level
    plain: Level
    route: str | None
    reason: str
    row: str
