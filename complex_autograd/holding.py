"""Holding plain arrays still while a function that uses them is being recorded.

The derivative of `buffer * x` needs `buffer` as it was.  If the function wrote into that plain array afterwards, the
derivative would be silently wrong; so an array that a derivative needs is read-only until the function returns, and a
write into it raises.  A view that was made earlier stays writable, so at the end some of its elements are compared with
what they were; and all of an array over memory that a foreign object owns, which could not be made writable again.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from .errors import TraceError

__all__ = ["Held"]

_LOCK = threading.Lock()
_HELD: dict[int, list[Any]] = {}
"""Every array that some recording holds, by its identity: the array, and by how many recordings it is held."""

_SAMPLES = 100
"""From how many elements on not all are compared, but every second, third, ... one."""

_WRITTEN = (
    "a plain NumPy array was written to after a traced value had been combined with it, while the derivative still "
    "needs its old values. Make the array inside the differentiated function with wirtinger.zeros or wirtinger.array, "
    "which track writes, or compute with a copy() of it."
)


class Held:
    """The plain arrays that one recording needs unchanged."""

    __slots__ = ("_arrays", "_seen")

    def __init__(self) -> None:
        self._arrays: dict[int, np.ndarray[Any, Any]] = {}
        self._seen: dict[int, tuple[Any, int, bytes]] = {}

    def hold(self, a: Any) -> None:
        """Make a NumPy array, and those that it is a view of, read-only until `release`."""
        if type(a) is not np.ndarray or id(a) in self._seen:
            return
        self._remember(a, a.size // _SAMPLES + 1)
        while type(a) is np.ndarray and id(a) not in self._arrays:
            if a.flags.writeable or id(a) in _HELD:
                if not (a.flags.owndata or _can_be_freed(a)):
                    self._remember(a, 1)
                    return
                with _LOCK:
                    _HELD.setdefault(id(a), [a, 0])[1] += 1
                    a.flags.writeable = False
                self._arrays[id(a)] = a
            a = a.base

    def _remember(self, a: Any, step: int) -> None:
        """Keep every `step`-th element of an array as it is now."""
        self._seen[id(a)] = a, step, a.flat[::step].tobytes()

    def release(self) -> None:
        """Give up what this recording holds; what no recording holds is writable again.

        A view can become writable only after what it shows: where another thread still holds that, the thread that
        releases it last frees the view as well.
        """
        seen, self._seen = self._seen, {}
        is_spoiled = any(a.flat[::step].tobytes() != before for a, step, before in seen.values())
        self._free()
        if is_spoiled:
            raise TraceError(_WRITTEN)

    def _free(self) -> None:
        if not self._arrays:
            return
        with _LOCK:
            for key in self._arrays:
                _HELD[key][1] -= 1
            self._arrays.clear()
            while free := [a for a, count in _HELD.values() if count == 0 and id(a.base) not in _HELD]:
                for a in free:
                    a.flags.writeable = True
                    del _HELD[id(a)]

    def explain(self, error: ValueError) -> None:
        """Raise what a failed write into one of the arrays means; return where the error is another."""
        if self._arrays and "read-only" in str(error):
            raise TraceError(_WRITTEN) from error


def _can_be_freed(a: Any) -> bool:
    """Whether NumPy would let the array become writable again: it asks the owner of the memory."""
    while type(a) is np.ndarray:
        if a.flags.owndata or a.base is None:
            return True
        a = a.base
    try:
        return not memoryview(a).readonly
    except TypeError:
        return isinstance(a, np.ndarray)
