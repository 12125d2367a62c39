"""What the C library does with memory that is freed."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

LARGE: Final = 1 << 17
"""Bytes: of smaller arrays the C library keeps the memory by itself."""


@cache
def keep_freed_memory() -> None:
    """Have the C library keep what is freed, once for a process.

    It gives larger arrays back to the system, which takes a page fault for every 4 kB of the next one: more than the
    arithmetic on it.  Once an array of this size has been freed, glibc keeps up to twice as much.

    Examples
    --------
    >>> from wirtinger.backends.memory import keep_freed_memory
    >>> keep_freed_memory()
    """
    np.empty(1 << 24, np.uint8)
