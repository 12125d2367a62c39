"""What a function closes over of values that are being differentiated, and how other values stand in their place.

A step that is run again for its derivative, or recorded once for all steps, must be a function of all that moves.  Its
arguments it is given; what it reads besides is found by walking what a function of Python's can read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..array.call_sites import is_of_users
from ..compilation.environment import Environment
from ..compilation.recorder import Recorder
from ..engine.constant import CONSTANT
from ..engine.errors import TraceError
from ..engine.reverse import own
from ..engine.traced import Traced


class ClosesOverTracedError(Exception):
    """A step or a branch reads values with a derivative that were not found in what it closes over."""


def closed_over(f: Any) -> list[Traced]:
    """The values with a derivative that a function, or several, can reach besides arguments, each once."""
    return [x for x in _reached_from(f) if x._tangent is not None]


@contextmanager
def watched(functions: Sequence[Any], recorder: Recorder) -> Iterator[None]:
    """Refuse what functions change besides their results while they are recorded: it would not change in every run.

    What cannot be watched, as a set or a random generator, is not recorded.

    Raises
    ------
    TraceError
        If they changed what they close over.
    ClosesOverTracedError
        If that cannot be known.
    """
    environment = Environment(functions)
    if environment.is_open:
        recorder.has_failed = True
        raise ClosesOverTracedError
    constants = [(x, x._value, own(x._value)) for x in _reached_from(functions) if x._tangent is None]

    def has_changed() -> bool:
        return environment.has_changed() or any(
            x._value is not value or (type(value) is np.ndarray and not np.array_equal(value, copy, equal_nan=True))
            for x, value, copy in constants
        )

    error: TraceError | None = None
    try:
        yield
    except TraceError as caught:  # which may follow from the change
        error = caught
    if has_changed():
        raise TraceError(
            "a step of a loop, or a branch, changes what it closes over, which a program does not do in each run: it "
            "writes into an array, appends to a list, counts, or assigns a nonlocal variable. Make what changes a part "
            "of the carry, or return it."
        ) from error
    if error is not None:
        raise error


def _reached_from(f: Any) -> list[Traced]:
    found: list[Traced] = []
    seen: dict[int, Any] = {}
    remaining: list[Any] = [f]
    while remaining:
        x = remaining.pop()
        if id(x) in seen:
            continue
        seen[id(x)] = x
        if type(x) is Traced:
            found.append(x)
        else:
            remaining += reversed(list(_read_by(x)))
    return found


def _read_by(x: Any) -> Iterator[Any]:
    """What is reached from an object in one step."""
    kind = type(x)
    if kind is FunctionType:
        for cell in x.__closure__ or ():
            with suppress(ValueError):  # not assigned yet
                yield cell.cell_contents
        yield from x.__defaults__ or ()
        yield from (x.__kwdefaults__ or {}).values()
        yield from vars(x).values()
        if is_of_users(x.__globals__.get("__name__")):
            yield from (x.__globals__[name] for name in _names_in(x.__code__) if name in x.__globals__)
    elif kind is MethodType:
        yield from (x.__func__, x.__self__)
    elif kind is functools.partial:
        yield from (x.func, *x.args, *x.keywords.values())
    elif issubclass(kind, dict):
        yield from x.values()
    elif issubclass(kind, (list, tuple, set, frozenset)):
        yield from x
    elif not issubclass(kind, (type, ModuleType)) and is_of_users(kind.__module__):
        yield from getattr(x, "__dict__", {}).values()
        for owner in kind.__mro__:
            slots = vars(owner).get("__slots__", ())
            names = [slots] if issubclass(type(slots), str) else slots
            yield from (getattr(x, name) for name in names if hasattr(x, name))
        yield from (f for f in vars(kind).values() if type(f) is FunctionType)
    elif callable(x) and not issubclass(kind, type):
        yield getattr(x, "__wrapped__", None)


def _names_in(code: CodeType) -> Iterator[str]:
    """The names that a function, and those defined in it, read from outside."""
    yield from code.co_names
    for x in code.co_consts:
        if type(x) is CodeType:
            yield from _names_in(x)


def as_they_are(traced: Sequence[Traced]) -> list[Traced]:
    """The same values, which stay when others stand in their place."""
    return [Traced(z._value, z._tracer, z._tangent) for z in traced]


@contextmanager
def standing_for(values: Sequence[Any], traced: Sequence[Traced]) -> Iterator[None]:
    """Let other values stand where a function finds those that it closes over.

    Raises
    ------
    TraceError
        If the function writes into one of them: a write belongs to one step, and the array to all.
    """
    before = [(z._value, z._tracer, z._tangent) for z in traced]
    try:
        for z, x in zip(traced, values, strict=True):
            _set(z, (x._value, x._tracer, x._tangent) if type(x) is Traced else (x, CONSTANT, None))
        given = [z._value for z in traced]
        yield
        if any(z._value is not x for z, x in zip(traced, given, strict=True)):
            raise TraceError(
                "a step of a loop writes into an array that it closes over, which would be written once for all steps. "
                "Make the array a part of the carry, or write into a copy."
            )
    finally:
        for z, parts in zip(traced, before, strict=True):
            _set(z, parts)


def _set(z: Traced, parts: tuple[Any, Any, Any]) -> None:
    z._value, z._tracer, z._tangent = parts
