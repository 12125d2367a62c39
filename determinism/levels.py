"""The levels of determinism, ordered: none < run < schedule < portable."""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeAlias


class Level(int, Enum):
    """What a result's bits survive; a higher level includes every lower one.

    ``NONE`` promises nothing and is false in a boolean context. ``RUN``: a rerun on the same machine with the same
    versions, threads, shapes and memory layout. ``SCHEDULE``: also any number of threads, load, alignment, memory
    order, strides, position in a batch and size of the batch. ``PORTABLE``: also the CPU model, the BLAS library, the
    operating system, and CPU against GPU.

    ``Level(mode)`` reads every form in which a level can be asked for: a `Level`, its name, or a bool (``True`` is
    ``run``).

    Examples
    --------
    >>> from wirtinger.determinism import Level
    >>> Level("schedule") > Level.RUN
    True
    >>> Level(True)
    <Level.RUN: 1>
    >>> str(Level.PORTABLE)
    'portable'
    """

    NONE = 0
    RUN = 1
    SCHEDULE = 2
    PORTABLE = 3

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def _missing_(cls, value: object) -> Level:
        for level in cls:
            if value == str(level):
                return level
        raise ValueError(f"{value!r} is not a determinism level: pass True, False, 'run', 'schedule' or 'portable'")


Mode: TypeAlias = bool | Level | Literal["none", "run", "schedule", "portable"]
