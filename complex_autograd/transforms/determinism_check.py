"""`determinism.check`: runs a function and its gradient under the changes that a determinism level names."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import zip_longest
from math import prod
from typing import Any, Final

import numpy as np

from ...backends import num_threads
from ...determinism import DeterminismError, DeterminismReport, Level, deterministic
from ...determinism.blas_threads import libraries
from ..engine.errors import DifferentiationError
from .arguments import flatten, unflatten
from .grad import value_and_grad
from .held_arrays import exchanged, names_of_held
from .observation import Event, Observation, bits_of_result

Layout = Callable[[np.ndarray], np.ndarray]

_REPEATS = 3
_THREADS = 1, 2, 3
_PORTABLE = (
    "other CPUs, BLAS libraries and operating systems need another process: compare digest(f(*args)) there, for "
    "example with OPENBLAS_CORETYPE=Nehalem in the environment"
)


def strided(a: np.ndarray) -> np.ndarray:
    """Every second element of the last axis of another array."""
    view = np.zeros((*a.shape[:-1], 2 * a.shape[-1] + 1), a.dtype)[..., 1::2]
    view[...] = a
    return view


def reversed_in_memory(a: np.ndarray) -> np.ndarray:
    """All strides negative."""
    backwards = (slice(None, None, -1),) * a.ndim
    return np.ascontiguousarray(a[backwards])[backwards]


def shifted(offset: int) -> Layout:
    """So many bytes after a multiple of 64: at 8, where numbers of 8 bytes may lie, and no vector of a CPU."""

    def layout(a: np.ndarray) -> np.ndarray:
        memory = np.empty(a.nbytes + 128, np.uint8)
        start = -memory.ctypes.data % 64 + offset
        view = memory[start : start + a.nbytes].view(a.dtype).reshape(a.shape)
        view[...] = a
        return view

    return layout


_LAYOUTS: dict[str, Layout] = {
    "a copy in C order": partial(np.array, order="C"),
    "a copy in Fortran order": partial(np.array, order="F"),
    "a strided copy": strided,
    "a reversed copy": reversed_in_memory,
    "a misaligned copy": shifted(8),
}
_AS_GIVEN: Layout = partial(np.array, order="K")


@contextmanager
def threads(count: int) -> Iterator[None]:
    """BLAS and the package told to use so many threads, outside of any level."""
    before = [library.get() for library in libraries()]
    with ExitStack() as stack:
        for library, given in zip(libraries(), before, strict=True):
            stack.callback(library.set, given)
            library.set(count)
        stack.enter_context(num_threads(count))
        yield


def _changes(level: Level) -> list[tuple[str, Layout, int | None]]:
    """What is changed between two runs: its name, the layout of the arguments, and the number of threads."""
    changes: list[tuple[str, Layout, int | None]] = [("a repeat with fresh memory", _AS_GIVEN, None)] * _REPEATS
    if level >= Level.SCHEDULE:
        changes += [(f"{name} of the arguments", layout, None) for name, layout in _LAYOUTS.items()]
        changes += [(f"{count} thread{'s' * (count > 1)}", _AS_GIVEN, count) for count in _THREADS]
    return changes


def _laid_out(args: tuple[Any, ...], layout: Layout) -> tuple[Any, ...]:
    leaves, structure = flatten(args)
    copies = [layout(a) if _has_layout(a) else a for a in leaves]
    laid_out: tuple[Any, ...] = unflatten(structure, copies)
    return laid_out


def _has_layout(a: Any) -> bool:
    return type(a) is np.ndarray and a.ndim > 0 and a.size > 0 and not a.dtype.hasobject


class _Subject:
    """A function, or its gradient, at a point and a level."""

    def __init__(self, f: Callable[..., Any], call: Callable[..., Any], args: tuple[Any, ...], level: Level) -> None:
        self.f, self.call, self.args, self.level = f, call, args, level
        self.kept: list[Any] = []  # so that each run has other memory

    def run(self, layout: Layout = _AS_GIVEN, count: int | None = None) -> Any:
        """The result of a run."""
        with threads(count) if count else ExitStack():
            args = _laid_out(self.args, layout)
            with exchanged(self.f, _has_layout, layout), deterministic(self.level):
                result = self.call(*args)
        self.kept.append((args, result))
        return result

    def events(self, layout: Layout = _AS_GIVEN, count: int | None = None) -> list[Event]:
        """What a run computes, step by step."""
        with threads(count) if count else ExitStack():
            args = _laid_out(self.args, layout)
            observation = Observation(self.f)
            with exchanged(self.f, _has_layout, layout):
                observation.run(partial(self.call, *args), self.level)
        self.kept.append(args)
        return observation.events


def examine(f: Callable[..., Any], args: tuple[Any, ...], level: Level) -> DeterminismReport:
    """Run a function and its gradient under what a level names; see `determinism.check`."""
    if not level:
        raise ValueError("check compares bits at a level: pass 'run', 'schedule' or 'portable'")
    report = partial(DeterminismReport, getattr(f, "__name__", repr(f)), level)
    note = _PORTABLE if level is Level.PORTABLE else ""
    subjects = {"value": f}
    argnums = _differentiable(args)
    held = names_of_held(f, _has_layout)
    compared: tuple[str, ...] = (f"with copies of what it holds too: {', '.join(held)}",) if held else ()
    while subjects:
        name, call = subjects.popitem()
        subject = _Subject(f, call, args, level)
        try:
            result = subject.run()
            moved = _moved(subject, bits_of_result(flatten(result)[0]))
        except DeterminismError as error:
            place = _place_of(error, f)
            return report(compared, f"{name}: {error.op} refuses, since {error.reason}", error.op, place, note)
        except _OtherWayError:
            return report(compared, f"{name}: the function went another way", note=note)
        except DifferentiationError as error:
            if name == "value":
                raise
            reason = str(error).splitlines()[0]
            return report(compared, note="; ".join(filter(None, (f"there is no gradient to compare: {reason}", note))))
        if moved:
            return report(compared, f"{name}: {moved[0]}", *moved[1:], note)
        compared += (f"{name}: {len(_changes(level)) + 1} runs",)
        if name == "value" and argnums and _is_real_number(result):
            subjects["gradient"] = value_and_grad(_number_of(f), argnums)
    return report(compared, note=note)


def _moved(subject: _Subject, expected: str) -> tuple[str, str | None, str | None] | None:
    """Under which change the bits of the result move, with the operation and the line; None if they stay."""
    for change, layout, count in _changes(subject.level):
        try:
            if bits_of_result(flatten(subject.run(layout, count))[0]) == expected:
                continue
            attempts = (_first_difference(subject.events(), subject.events(layout, count)) for _ in range(_ATTEMPTS))
            text, operation, place = next(filter(None, attempts), (_UNSEEN, None, None))
        except _OtherWayError:
            text, operation, place = "the function went another way", None, None
        return f"under {change}, {text}", operation, place
    return None


class _OtherWayError(Exception):
    """What returned one real number returns something else."""


def _number_of(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that has returned one real number."""

    def number(*args: Any) -> Any:
        result = f(*args)
        if not _is_real_number(result):
            raise _OtherWayError
        return result

    return number


_ATTEMPTS: Final = 5
"""How often both runs are repeated for their first difference: threads do not always come in another order."""

_UNSEEN: Final = f"the result moved, but not in {_ATTEMPTS} more runs, while digests were taken"


def _first_difference(before: list[Event], after: list[Event]) -> tuple[str, str | None, str | None] | None:
    """The first step of two runs whose bits differ: in words, the operation, and the line; None if none does."""
    pair = next((pair for pair in zip_longest(before, after) if pair[0] != pair[1]), None)
    if pair is None:
        return None
    x, y = pair
    if x is None or y is None or (x.operation, x.place) != (y.operation, y.place):
        x = x or y
        return "the function went another way", x.operation if x else None, x.place if x else None
    sweep = "" if x.place else ", in the sweep of the gradient"
    if x.operation is None:
        names = sorted({change.split()[0] for change in {*x.after.split(", ")} ^ {*y.after.split(", ")}})
        return f"{', '.join(names)} moved, by what does not pass through this package", None, x.place
    if x.before != y.before:
        return f"the operands of {x.operation} moved, by what does not pass through this package{sweep}", None, x.place
    return f"{x.operation} moved{sweep}", x.operation, x.place


def _place_of(error: BaseException, f: Callable[..., Any]) -> str | None:
    """The innermost line of the user's code in a traceback, below this module."""
    observation = Observation(f)
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if observation.is_users(frame)]
    return f"{frames[-1][0].f_code.co_filename}:{frames[-1][1]}" if frames else None


def _differentiable(args: tuple[Any, ...]) -> tuple[int, ...]:
    """The positions of the arguments that are real or complex numbers throughout."""
    leaves = [flatten(a)[0] for a in args]
    return tuple(i for i, numbers in enumerate(leaves) if numbers and all(_kind(x) in "fc" for x in numbers))


def _is_real_number(result: Any) -> bool:
    return hasattr(result, "__float__") and _kind(result) == "f" and prod(np.shape(result)) == 1


def _kind(x: Any) -> str:
    return str(x.dtype.kind) if hasattr(x, "dtype") else {float: "f", complex: "c"}.get(type(x), "-")
