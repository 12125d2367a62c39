"""Records which bits a function computes, operation by operation and line by line.

Two runs are compared by these records: the digests of operands and results of every operation that consults the policy
table, and of the variables that each line of user code changed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from threading import get_ident
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from ...determinism import Level, deterministic, digest
from ..engine.traced import raw

_LIBRARIES = {__name__.partition(".")[0], "numpy", "scipy", *sys.stdlib_module_names}
"""Packages whose lines are not the user's."""


class Event(NamedTuple):
    """One operation or one line: its name, where it stands, and the digests before and after it."""

    operation: str | None
    place: str | None
    before: str
    after: str


def bits_of(*values: Any) -> str:
    """The digest of the numbers among some values, and in lists, tuples and dicts; each NaN counts as the same."""
    return digest(*map(_with_one_nan, _numbers(values)))


def bits_of_result(leaves: list[Any]) -> str:
    """The same of a result, no leaf of which is passed over: those without bits of their own raise TypeError."""
    arrays = [np.asarray(x.get() if hasattr(x, "__cuda_array_interface__") else x) for x in leaves]
    return digest(*map(_with_one_nan, arrays))


def _numbers(x: Any) -> Iterator[Any]:
    x = raw(x)
    kind = type(x)
    if issubclass(kind, (list, tuple)):
        for item in x:
            yield from _numbers(item)
    elif issubclass(kind, dict):
        yield from _numbers(list(x.values()))
    elif issubclass(kind, (np.ndarray, np.generic, bool, int, float, complex)):
        array = np.asarray(x)
        if array.dtype.kind in "biufcmMSU" and array.dtype.char not in "gG":
            yield array


def _with_one_nan(array: np.ndarray) -> np.ndarray:
    if array.dtype.char not in "efdFD":
        return array
    parts = np.array(array, order="C", ndmin=1).view(array.real.dtype)
    parts[np.isnan(parts)] = np.nan
    return parts.view(array.dtype).reshape(array.shape)


class Observation:
    """The events of one call of a function, in the thread that makes it."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.events: list[Event] = []
        self._file = getattr(getattr(f, "__code__", None), "co_filename", None)
        self._thread = get_ident()
        self._frames: dict[FrameType, tuple[int, dict[str, str]]] = {}

    def run(self, call: Callable[[], Any], level: Level) -> None:
        """Call it under a level, and note what happens."""
        tracer = sys.gettrace()
        sys.settrace(self._enter)
        try:
            with deterministic.observed_by(self._observer, level):
                call()
        finally:
            sys.settrace(tracer)
            self._frames.clear()

    def place(self, frame: FrameType | None) -> str | None:
        """The innermost line of the user's code that is being run."""
        while frame is not None and frame.f_code is not Observation.run.__code__:
            if self.is_users(frame):
                return f"{frame.f_code.co_filename}:{frame.f_lineno}"
            frame = frame.f_back
        return None

    def is_users(self, frame: FrameType) -> bool:
        """Whether it runs the user's code: the file of the function, or a package that is no library."""
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        return frame.f_code.co_filename == self._file or package not in _LIBRARIES

    def _observer(self, op: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if get_ident() != self._thread:
            return function
        place = self.place(sys._getframe())

        @wraps(function)
        def observed(*args: Any, **kwargs: Any) -> Any:
            before = bits_of(args, kwargs)
            result = function(*args, **kwargs)
            self.events.append(Event(op, place, before, bits_of(result, args, kwargs)))
            return result

        return observed

    # --- lines --------------------------------------------------------------------------------------------------------

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        if not self.is_users(frame):
            return None
        self._frames[frame] = frame.f_lineno, _variables(frame)
        return self._line

    def _line(self, frame: FrameType, event: str, result: Any) -> Any:
        """A line is about to be run, or its function to return: what the one before has changed."""
        line, known = self._frames[frame]
        now = _variables(frame)
        changed = sorted(f"{name} {bits}" for name, bits in now.items() if known.get(name) != bits)
        self._frames[frame] = frame.f_lineno, now
        if event == "return":
            changed.append(f"result {bits_of(result)}")
            del self._frames[frame]
        if changed:
            self.events.append(Event(None, f"{frame.f_code.co_filename}:{line}", "", ", ".join(changed)))
        return self._line


def _variables(frame: FrameType) -> dict[str, str]:
    return {name: bits_of(x) for name, x in frame.f_locals.items()}
