"""Whether this thread is inside a function that is being differentiated."""

from __future__ import annotations

import threading
from collections.abc import Callable


class _Depth(threading.local):
    value = 0


DEPTH = _Depth()
"""How many such functions this thread is inside of."""

ANYWHERE = [0]
"""How many such functions are running in all threads: quicker to read than `DEPTH`, and nearly always 0."""

BEGINNINGS: list[Callable[[], None]] = []
"""What is to happen once, under `LOCK`, when such a function begins."""

LOCK = threading.RLock()
"""Held while `ANYWHERE` changes."""


def is_tracing() -> bool:
    """Whether this thread is inside a function that is being differentiated."""
    return DEPTH.value > 0
