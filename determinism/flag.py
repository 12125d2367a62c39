"""The flag: the level of determinism in force in the current context.

It is stored in one context variable. The default is a single mutable scope for the process, which
`use_deterministic_algorithms` changes for every thread. `deterministic` places its own scope in front of it, for the
thread or asyncio task that opens it. A scope links to the enclosing one, so the stack of nested scopes is contained in
the context variable, and one `deterministic` object may be open many times, in many threads, at once.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from .blas_threads import hold
from .levels import Level, Mode

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Observer = Callable[[str, Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Setting:
    """A level, whether falling short of it only warns, the (op, backend) pairs that have been warned of, and who looks.

    An observer is given the name of each operation that asks, with what computes it, and returns what is called.
    """

    level: Level
    warn_only: bool
    warned: set[tuple[str, str]] = field(default_factory=set, compare=False, repr=False)
    observer: Observer | None = field(default=None, compare=False, repr=False)


class Scope:
    """A setting in force, and the scope outside it. The setting is replaced whole, so no thread sees half of one."""

    __slots__ = ("outer", "setting")

    def __init__(self, setting: Setting, outer: Scope | None) -> None:
        self.setting = setting
        self.outer = outer


_PROCESS = Scope(Setting(Level.NONE, warn_only=False), outer=None)
_scope: ContextVar[Scope] = ContextVar("wirtinger_determinism", default=_PROCESS)

IN_FORCE = [0]
"""How many scopes are open in the whole process, and one more if the process has a level: 0 means that nobody asked."""

SWITCHES: list[Callable[[bool], None]] = []
"""Called with True before anybody's level is in force, with False when nobody's is any more."""

FIXED = [0]
"""The same of levels from `schedule` on: what decides by the size of a stack must not while it is in force."""

LOCK = Lock()
"""Held while these change."""

current_scope = _scope.get
"""For the engine's hot path: ``if IN_FORCE[0] and current_scope().setting.level: ...``."""


def is_fixed() -> bool:
    """Whether a level from `schedule` on is in force here: bits must not depend on the size of a stack.

    Examples
    --------
    >>> from wirtinger.determinism import deterministic
    >>> from wirtinger.determinism.flag import is_fixed
    >>> with deterministic("schedule"):
    ...     is_fixed()
    True
    """
    return FIXED[0] > 0 and current_scope().setting.level >= Level.SCHEDULE


def is_portable() -> bool:
    """Whether the level `portable` is in force here.

    Examples
    --------
    >>> from wirtinger.determinism import deterministic
    >>> from wirtinger.determinism.flag import is_portable
    >>> with deterministic("schedule"):
    ...     is_portable()
    False
    """
    return FIXED[0] > 0 and current_scope().setting.level >= Level.PORTABLE


def _count(level: Level, change: int) -> None:
    """Count a scope that opens or closes; under the lock, so that no one asks before all switches have been called."""
    for total, least, switches in ((FIXED, Level.SCHEDULE, (hold,)), (IN_FORCE, Level.NONE, SWITCHES)):
        before = total[0]
        total[0] = before + change * (level >= least)
        if bool(before) != bool(total[0]):
            for switch in switches:
                switch(bool(total[0]))


def observed(
    op: str, route: Callable[..., Any] | None, function: Callable[..., Any] | None
) -> Callable[..., Any] | None:
    """The route of an operation as the observer in force wants it called; the route itself where nobody looks."""
    observer, call = current_scope().setting.observer, route or function
    return route if observer is None or call is None else observer(op, call)


def use_deterministic_algorithms(mode: Mode, *, warn_only: bool = False) -> None:
    """Set the level of determinism for the whole process.

    It applies in every thread, present and future, wherever no `deterministic` scope is open. An open scope stays in
    force until it closes.

    Parameters
    ----------
    mode : bool or {'run', 'schedule', 'portable'}
        The level to ask of every operation; ``True`` is ``'run'``, ``False`` switches the flag off.
    warn_only : bool, optional
        If an operation cannot meet the level, use the best one available and issue a `DeterminismWarning` once per
        operation, instead of raising `DeterminismError`.

    Raises
    ------
    ValueError
        If `mode` is not one of these.

    Examples
    --------
    >>> from wirtinger import use_deterministic_algorithms, get_deterministic_level
    >>> use_deterministic_algorithms("run")
    >>> str(get_deterministic_level())
    'run'
    >>> use_deterministic_algorithms(False)
    >>> from wirtinger import are_deterministic_algorithms_enabled
    >>> are_deterministic_algorithms_enabled()
    False
    """
    setting = Setting(Level(mode), warn_only)
    with LOCK:
        before, _PROCESS.setting = _PROCESS.setting.level, setting
        for level, change in ((setting.level, +1), (before, -1)):
            if level:
                _count(level, change)


class deterministic:
    """Ask for a level of determinism inside a ``with`` block, or in every call of a decorated function.

    The scope belongs to the thread or asyncio task that opens it; tasks started inside it inherit it. **New threads
    do not** (Python gives each a fresh context; free-threaded builds inherit): a pool's workers see the process's
    level. To carry a scope into a pool, decorate the function, or submit through ``contextvars.copy_context().run``.

    Parameters
    ----------
    level : bool or {'run', 'schedule', 'portable'}
        ``True`` is ``'run'``; ``False`` switches the flag off inside the scope.
    warn_only : bool, optional
        As in `use_deterministic_algorithms`.

    Raises
    ------
    ValueError
        If `level` is not one of these.
    TypeError
        If it decorates a generator function: between two yields the scope would hold in the caller's code.
    RuntimeError
        If a scope is closed in another thread or task than it was opened in, or out of order.

    Examples
    --------
    >>> from wirtinger import deterministic, get_deterministic_level
    >>> with deterministic("schedule"):
    ...     print(get_deterministic_level())
    schedule
    >>> @deterministic("run", warn_only=True)
    ... def step():
    ...     return str(get_deterministic_level())
    >>> step()
    'run'
    """

    __slots__ = ("_setting",)

    def __init__(self, level: Mode, *, warn_only: bool = False) -> None:
        self._setting = Setting(Level(level), warn_only)

    @classmethod
    def observed_by(cls, observer: Observer, level: Mode) -> deterministic:
        """A scope whose operations are called as an observer wants."""
        scope = cls(level)
        scope._setting = Setting(Level(level), warn_only=False, observer=observer)
        return scope

    def __enter__(self) -> None:
        _scope.set(Scope(self._setting, outer=_scope.get()))
        with LOCK:
            _count(self._setting.level, +1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        scope = _scope.get()
        if scope.outer is None or scope.setting is not self._setting:
            raise RuntimeError(
                "a deterministic(...) scope was closed where it is not the innermost one: it was opened in another "
                "thread or task, or inside a generator that was suspended. Open and close it in the same function"
            )
        _scope.set(scope.outer)
        with LOCK:
            _count(self._setting.level, -1)

    def __call__(self, function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{function.__name__} is a generator: a scope around it would also hold in its caller between two "
                "yields. Write `with deterministic(...)` inside it, around the parts that do not yield"
            )
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def scoped_coroutine(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Any:
                with self:
                    return await function(*args, **kwargs)

            return cast(Callable[Parameters, Result], scoped_coroutine)

        @functools.wraps(function)
        def scoped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            with self:
                return function(*args, **kwargs)

        return scoped


def get_deterministic_level() -> Level:
    """Return the level in force here: the innermost scope's, else the process's; `Level.NONE` when off.

    Examples
    --------
    >>> from wirtinger import get_deterministic_level
    >>> get_deterministic_level()
    <Level.NONE: 0>
    """
    return current_scope().setting.level


def are_deterministic_algorithms_enabled() -> bool:
    """Return whether any level of determinism is in force here.

    Examples
    --------
    >>> from wirtinger import are_deterministic_algorithms_enabled, deterministic
    >>> with deterministic("run"):
    ...     are_deterministic_algorithms_enabled()
    True
    """
    return bool(get_deterministic_level())
