"""Whether memory may be written to, and how the C library manages freed memory."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Final

WRITEABLE: Final = 0x400
"""This bit of `flags.num` of an array: to ask for `flags.writeable` warns, of what `numpy.broadcast_arrays` returns."""

OWN_DATA: Final = 0x4
"""This bit of it: the memory is the array's own."""

LARGE: Final = 1 << 17
"""Bytes: of smaller arrays the C library keeps the memory by itself."""

_TRIM_THRESHOLD, _MAP_THRESHOLD = -1, -3
"""The numbers of these settings in malloc.h of glibc (mallopt(3))."""
_LARGEST: Final = 1 << 25
"""Bytes: glibc takes no larger threshold of what it asks the system for by itself."""
_MOST: Final = 1 << 30


@cache
def keep_freed_memory() -> None:
    """Have glibc keep what is freed, up to a thirty-second of the memory and 1 GiB, once for a process.

    It gives large arrays back to the system, which takes a page fault for every 4 kB of the next one: more than the
    arithmetic on it.  Derivatives free much at once: those of some functions of a million numbers take half the time
    with it.  Where the environment has settings of `malloc`, these stand.

    Examples
    --------
    >>> from wirtinger.backends.memory import keep_freed_memory
    >>> keep_freed_memory()
    """
    is_set = any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ)
    if sys.platform != "linux" or is_set or not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"):
        return
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    mallopt = ctypes.CDLL(None).mallopt
    mallopt(_TRIM_THRESHOLD, min(memory >> 5, _MOST))
    mallopt(_MAP_THRESHOLD, _LARGEST)
