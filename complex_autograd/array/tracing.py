"""Whether this thread is inside a function that is being differentiated."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..engine.errors import TraceError
from .conversion_hints import explain


class _Depth(threading.local):
    value = 0


DEPTH = _Depth()
"""How many such functions this thread is inside of."""

ANYWHERE = [0]
"""How many such functions are running in all threads: quicker to read than `DEPTH`, and nearly always 0."""

BEGINNINGS: list[Callable[[], None]] = []
"""What is to happen, under `LOCK`, when such a function begins while no other one runs."""

LOCK = threading.RLock()
"""Held while `ANYWHERE` changes."""


def is_tracing() -> bool:
    """Whether this thread is inside a function that is being differentiated."""
    return DEPTH.value > 0


class _Tracing:
    """Marks the extent of such a function; left in every case, also by an exception.

    An error that leaves it says who lost a traced value; where NumPy's iterator converted an array, what to iterate
    over instead.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        DEPTH.value += 1
        with LOCK:
            ANYWHERE[0] += 1
            if ANYWHERE[0] == 1:
                for begin in BEGINNINGS:
                    begin()

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        DEPTH.value -= 1
        with LOCK:
            ANYWHERE[0] -= 1
        if error is None:
            return
        if isinstance(error, TraceError) and _converted_by_nditer(traceback):
            raise TraceError(
                "numpy.nditer was called with a traced array, whose memory it cannot show. Iterate over "
                "wirtinger.ndenumerate(a), a.flat or numpy.ndindex(a.shape); over several arrays with zip(a.flat, "
                "b.flat)."
            ) from error
        explain(error, traceback)


def _converted_by_nditer(traceback: Any) -> bool:
    """Whether the error was raised by `__array__`, which code that names `nditer` has called."""
    caller = None
    while traceback.tb_next is not None:
        caller, traceback = traceback, traceback.tb_next
    return (
        caller is not None
        and traceback.tb_frame.f_code.co_name == "__array__"
        and "nditer" in caller.tb_frame.f_code.co_names
    )


TRACING = _Tracing()
"""The extent of a function that is being differentiated, for a `with` statement."""
