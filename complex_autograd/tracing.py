"""Whether this thread is inside a function that is being differentiated."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import TraceError

__all__ = ["ANYWHERE", "DEPTH", "is_tracing", "tracing"]


class _Depth(threading.local):
    value = 0


DEPTH = _Depth()
"""How many such functions this thread is inside of."""

ANYWHERE = [0]
"""How many such functions are running in all threads: quicker to read than `DEPTH`, and nearly always 0."""

_LOCK = threading.Lock()


def is_tracing() -> bool:
    """Whether this thread is inside a function that is being differentiated."""
    return DEPTH.value > 0


@contextmanager
def tracing() -> Iterator[None]:
    """Mark the extent of such a function; left in every case, also by an exception.

    Where NumPy replaces our error by "setting an array element with a sequence", ours is raised again.
    """
    DEPTH.value += 1
    with _LOCK:
        ANYWHERE[0] += 1
    try:
        yield
    except ValueError as error:
        if isinstance(error.__cause__, TraceError):
            raise TraceError(str(error.__cause__)) from error
        raise
    finally:
        DEPTH.value -= 1
        with _LOCK:
            ANYWHERE[0] -= 1
