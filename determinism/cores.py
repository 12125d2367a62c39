"""Keeps a worker thread off the core of the thread that wakes it until it has begun its task.

Linux wakes a thread on the core of the waking thread, which here continues to work: both then take longer than one
alone would, for milliseconds.  The threads of the C library do the same.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import NamedTuple


class KeptOff(NamedTuple):
    """The cores of a thread, and those that were left to it."""

    cores: set[int]
    left: set[int]


def keep_off_this_core(thread: int) -> KeptOff | None:
    """Leave all its cores but that of the caller to a thread that sleeps, by its number in the system.

    Nothing happens where it has no other, elsewhere than on Linux, and where the system refuses, as containers may.
    """
    here = _this_core()()
    if here is None:
        return None
    try:
        cores = os.sched_getaffinity(thread)
        left = cores - {here}
        if not left or left == cores:
            return None
        os.sched_setaffinity(thread, left)
    except OSError:
        return None
    return KeptOff(cores, left)


def take_back(kept: KeptOff) -> None:
    """Let the thread that calls run on all its cores, unless it was given others meanwhile."""
    try:
        if os.sched_getaffinity(0) == kept.left:
            os.sched_setaffinity(0, kept.cores)
    except OSError:
        return


@cache
def _this_core() -> Callable[[], int | None]:
    """What says on which core it is called, by the C library of Linux; elsewhere it does not know."""
    function = getattr(ctypes.PyDLL(None), "sched_getcpu", None) if sys.platform == "linux" else None
    return function or (lambda: None)
