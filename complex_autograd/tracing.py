"""Whether this thread is inside a function that is being differentiated."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .errors import TraceError

__all__ = ["ANYWHERE", "BEGINNINGS", "DEPTH", "is_tracing", "tracing"]


class _Depth(threading.local):
    value = 0


DEPTH = _Depth()
"""How many such functions this thread is inside of."""

ANYWHERE = [0]
"""How many such functions are running in all threads: quicker to read than `DEPTH`, and nearly always 0."""

BEGINNINGS: list[Callable[[], None]] = []
"""What is to happen when such a function begins while no other one runs."""

_LOCK = threading.Lock()


def is_tracing() -> bool:
    """Whether this thread is inside a function that is being differentiated."""
    return DEPTH.value > 0


class _Tracing:
    """Marks the extent of such a function; left in every case, also by an exception.

    Where NumPy replaces our error by "setting an array element with a sequence", ours is raised again; that of its
    iterator, which asks no array for its protocols, says what to do.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        DEPTH.value += 1
        with _LOCK:
            ANYWHERE[0] += 1
            if ANYWHERE[0] == 1:
                for begin in BEGINNINGS:
                    begin()

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        DEPTH.value -= 1
        with _LOCK:
            ANYWHERE[0] -= 1
        if isinstance(error, ValueError) and isinstance(error.__cause__, TraceError):
            raise TraceError(str(error.__cause__)) from error
        if isinstance(error, TypeError) and str(error).startswith("Iterator operand"):
            raise TraceError(
                f"numpy.nditer was called with a traced array, whose memory it cannot show ({error}). Iterate over "
                "wirtinger.ndenumerate(a), a.flat or numpy.ndindex(a.shape); over several arrays with zip(a.flat, "
                "b.flat)."
            ) from error


_TRACING = _Tracing()


def tracing() -> _Tracing:
    """The extent of a function that is being differentiated, for a `with` statement."""
    return _TRACING
