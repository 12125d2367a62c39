"""Whether this thread is inside a function that is being differentiated."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class _Depth(threading.local):
    value = 0
    recorded = 0
    mapped = 0
    keep: Callable[[Any], Any] | None = None


DEPTH = _Depth()
"""How many such functions this thread is inside of; what keeps the arrays made by the one that is being recorded.

`recorded` is how many there were when recording began: deeper, a function of the recorded one is being differentiated.
`mapped` is how many functions this thread is mapping over items.
"""

ANYWHERE = [0]
"""How many such functions are running in all threads: quicker to read than `DEPTH`, and nearly always 0."""

BEGINNINGS: list[Callable[[], None]] = []
"""What is to happen once, under `LOCK`, when such a function begins."""

LOCK = threading.RLock()
"""Held while `ANYWHERE` changes."""


def is_tracing() -> bool:
    """Whether this thread is inside a function that is being differentiated."""
    return DEPTH.value > 0


@contextmanager
def outside() -> Iterator[None]:
    """Run what belongs to no function that is being differentiated, as a module that one imports first."""
    depth, DEPTH.value = DEPTH.value, 0
    try:
        yield
    finally:
        DEPTH.value = depth
