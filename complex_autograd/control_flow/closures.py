"""Values under differentiation that a function closes over, and how to replace them by other values.

A step that is run again for its derivative, or recorded once for all steps, must be an explicit function of all varying
values.  Besides its arguments, these are found by traversing everything that a Python function can refer to.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..array.call_sites import is_of_users, is_rebound
from ..compilation.environment import Environment
from ..compilation.nested import UnrollError
from ..compilation.recorder import Recorder
from ..compilation.symbols import Symbol
from ..engine.errors import TraceError
from ..engine.forward import CONSTANT
from ..engine.reverse import own
from ..engine.traced import Traced, peel, raw
from ..transforms.transformed import TransformedFunction


class ClosesOverTracedError(Exception):
    """A step or a branch reads values with a derivative that were not found in what it closes over."""


def closed_over(f: Any) -> list[Any]:
    """The values that move which a function, or several, can reach besides arguments, each once.

    They have a derivative, or are known only when the program that is being recorded runs.
    """
    return [x for x in reached_from(f) if type(x) is Symbol or x._tangent is not None or type(raw(x)) is Symbol]


def frozen(f: Any) -> Any:
    """A function that reads what the variables it closes over are now: a loop of Python's binds them anew.

    A step is run again for its derivative, when the function around it has ended.
    """
    return _frozen(f, {}, is_root=True)


def _frozen(f: Any, known: dict[int, Any], is_root: bool = False) -> Any:
    if id(f) in known:
        return known[id(f)]
    if type(f) is functools.partial:
        return functools.partial(_frozen(f.func, known), *f.args, **f.keywords)
    if type(f) is TransformedFunction:
        return TransformedFunction(f.func, _frozen(f.args[0], known), *f.args[1:])
    is_users = type(f) is FunctionType and is_of_users(f.__globals__.get("__name__"))
    if type(f) is not FunctionType or not f.__closure__ or not (is_root or is_users):
        return f
    cells = tuple(CellType() for _ in f.__closure__)
    copy = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, cells)
    copy.__kwdefaults__, copy.__qualname__ = f.__kwdefaults__, f.__qualname__
    vars(copy).update(vars(f))
    known[id(f)] = copy
    for cell, original in zip(cells, f.__closure__, strict=True):
        with suppress(ValueError):  # not assigned yet
            cell.cell_contents = _frozen(original.cell_contents, known)
    return copy


class Watch:
    """Sees whether functions, or what they close over, have changed since they were recorded.

    Parameters
    ----------
    functions : sequence
        Steps, branches, conditions.
    recorder : Recorder
        What they are recorded by.  What cannot be watched, as a set or a random generator, is not recorded.

    Raises
    ------
    ClosesOverTracedError
        If that cannot be known.
    """

    def __init__(self, functions: Sequence[Any], recorder: Recorder) -> None:
        self._environment = Environment(functions)
        if self._environment.is_open:
            recorder.has_failed = True
            raise ClosesOverTracedError
        constants = [x for x in reached_from(functions) if type(x) is Traced and x._tangent is None]
        self._constants = [(x, raw(x), own(raw(x))) for x in constants if type(raw(x)) is np.ndarray]
        self._is_over = False

    def _has_changed(self) -> bool:
        return self._environment.has_changed() or any(
            raw(x) is not value or not np.array_equal(value, copy, equal_nan=True) for x, value, copy in self._constants
        )

    def check(self) -> None:
        """Ask for loops that are recorded step after step if what is to be run again would be another function."""
        if self._is_over and self._has_changed():
            raise UnrollError

    @contextmanager
    def first_run(self) -> Iterator[None]:
        """Refuse what functions change besides their results when they are recorded: no run of a program changes it.

        Raises
        ------
        TraceError
            If they changed what they close over.
        """
        error: TraceError | None = None
        try:
            yield
        except TraceError as caught:  # which may follow from the change
            error = caught
        if self._has_changed():
            raise TraceError(
                "a step of a loop, or a branch, changes what it closes over, which a compiled program would not repeat "
                "in each run: it writes into an array, appends to a list, counts, or assigns a nonlocal variable. Make "
                "what changes a part of the carry, or return it."
            ) from error
        if error is not None:
            raise error
        self._is_over = True


def reached_from(f: Any, kinds: tuple[type, ...] = (Traced, Symbol)) -> list[Any]:
    """The values of some types that can be reached from a function, or several."""
    found: list[Any] = []
    seen: dict[int, Any] = {}
    remaining: list[Any] = [f]
    while remaining:
        x = remaining.pop()
        if id(x) in seen:
            continue
        seen[id(x)] = x
        if type(x) in kinds:
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
    elif kind in (functools.partial, TransformedFunction):
        yield from (x.func, *x.args, *x.keywords.values())
    elif issubclass(kind, dict):
        yield from x.values()
    elif issubclass(kind, (list, tuple, set, frozenset)):
        yield from x
    elif not issubclass(kind, (type, ModuleType)) and (is_of_users(kind.__module__) or is_rebound(kind.__module__)):
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


def as_they_are(moving: Sequence[Any]) -> list[Any]:
    """The same values, which stay when others stand in their place, and when they are written into."""
    return [own(x) for x in moving]


@contextmanager
def standing_for(values: Sequence[Any], moving: Sequence[Any]) -> Iterator[None]:
    """Let other values stand where a function finds those that it closes over.

    Raises
    ------
    TraceError
        If the function writes into one of them: a write belongs to one step, and the array to all.
    """
    before = [_parts(z) for z in moving]
    try:
        for z, x in zip(moving, values, strict=True):
            if type(z) is Symbol:
                _set(z, _parts(peel(x)))
            else:
                _set(z, _parts(x) if type(x) is Traced else (x, CONSTANT, None))
        given = [_parts(z)[0] for z in moving]
        yield
        if any(_parts(z)[0] is not x for z, x in zip(moving, given, strict=True)):
            raise TraceError(
                "a step of a loop writes into an array that it closes over, which would be written once for all steps. "
                "Make the array a part of the carry, or write into a copy."
            )
    finally:
        for z, parts in zip(moving, before, strict=True):
            _set(z, parts)


def _parts(z: Any) -> tuple[Any, Any, Any]:
    return (z._example, z._recorder, z._place) if type(z) is Symbol else (z._value, z._tracer, z._tangent)


def _set(z: Any, parts: tuple[Any, Any, Any]) -> None:
    if type(z) is Symbol:
        z._example, z._recorder, z._place = parts
    else:
        z._value, z._tracer, z._tangent = parts
