"""NumPy's functions under the determinism flag.

Each is NumPy's own as long as no level is in force.  At a level, the policy table says whether NumPy's result keeps its
bits, provides a route that does, or refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Self, TypeVar

import numpy as np

from ...backends import PRECISE, device_named, exact, is_precise
from ...determinism.docstrings import with_level
from ...determinism.flag import IN_FORCE, LOCK, SWITCHES, current_scope
from ..array.stand_in import AlikeFunction, StandIn
from ..engine.determinism_route import at_level
from ..engine.hooks import HOOKS
from ..engine.trace import MAPPING
from ..rules.analysis import polynomials as _polynomials  # noqa: F401  (it gives a way to the table of determinism)
from ..rules.products import fixed_order as _fixed_order  # noqa: F401  (and routes)

S = TypeVar("S", bound=AlikeFunction)

_SWITCHES: list[tuple[Callable[[], None], Callable[[], None]]] = []
"""Of every function, what switches it to NumPy's own, and what to the one that looks which level is in force."""


def routed(function: Any, operation: str | None = None) -> StandIn:
    """What stands for a function of NumPy that the determinism flag can send elsewhere.

    It calls on without a step through Python while nobody asks for a level.

    Parameters
    ----------
    function : callable
        NumPy's own.
    operation : str, optional
        Its name in the policy table; by default the name of the function.

    Returns
    -------
    StandIn
        With the same signature.
    """
    return turning(StandIn(function, function), operation or function.__name__)


def turning(stand_in: S, operation: str) -> S:
    """What stands for a function, turned to one that looks which level is in force while somebody asks for one."""
    own = stand_in.called
    switches = stand_in.switch_to(own), stand_in.switch_to(_looking(own, operation))
    with LOCK:
        _SWITCHES.append(switches)
        switches[bool(IN_FORCE[0])]()
    return stand_in


class UfuncMethods(AlikeFunction):
    """What stands for a ufunc, and so for each of its methods."""

    operation: str

    @cached_property
    def reduce(self) -> Any:
        """As the ufunc's; this and the others are made once, so that they may be held while the level changes."""
        return self._method("reduce")

    @cached_property
    def accumulate(self) -> Any:
        """As the ufunc's."""
        return self._method("accumulate")

    @cached_property
    def reduceat(self) -> Any:
        """As the ufunc's."""
        return self._method("reduceat")

    @cached_property
    def outer(self) -> Any:
        """As the ufunc's."""
        return self._method("outer")

    @cached_property
    def at(self) -> Any:
        """As the ufunc's."""
        return self._method("at")

    def _method(self, name: str) -> Any:
        return turning(_Method(self, name), f"{self.operation}.{name}")


class RoutedUfunc(UfuncMethods):
    """What stands for a ufunc that the determinism flag can send elsewhere."""

    def __new__(cls, function: Any, operation: str) -> Self:
        self = super().__new__(cls, function, function)
        self.__dict__["operation"] = operation
        return turning(self, operation)


class _Method(AlikeFunction):
    """What stands for a method of a ufunc."""

    def __new__(cls, owner: UfuncMethods, name: str) -> Self:
        method = getattr(owner.function, name)
        self = super().__new__(cls, method, method)
        self.__dict__["owner"] = owner
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.owner, self.function.__name__)


def _switch(asked: bool) -> None:
    for to_numpy, to_looking in _SWITCHES:
        (to_looking if asked else to_numpy)()


SWITCHES.append(_switch)


def routed_linalg(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `wirtinger.linalg` that the determinism flag can send elsewhere."""
    operation = f"linalg.{function.__name__}"

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if MAPPING[0] and HOOKS.holds_batches((*args, kwargs)):
            return HOOKS.mapped_linalg(call, function, {}, args, kwargs)
        if IN_FORCE[0] and current_scope().setting.level:
            return at_level(function, operation, args, kwargs)
        return function(*args, **kwargs)

    call.__doc__ = with_level(function.__doc__, operation)
    return call


def _looking(function: Any, operation: str) -> Callable[..., Any]:
    """A function that looks which level is in force."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if IN_FORCE[0] and current_scope().setting.level:
            return at_level(function, operation, args, kwargs)
        if PRECISE[0] and operation in _WINDOWS and is_precise():
            return device_named("mpmath").kernel(operation)(*args, **kwargs)
        if PRECISE[0] and operation in _INTERVALS and is_precise():
            dtype = kwargs.pop("dtype", None)
            args = (*map(_exactly, args[:2]), *args[2:])
            made = function(*args, **{key: _exactly(x) if key in ("start", "stop") else x for key, x in kwargs.items()})
            return made if dtype is None else made.astype(dtype)
        return function(*args, **kwargs)

    return call


def frequencies(function: Callable[..., Any]) -> StandIn:
    """What stands for a function of a size and a spacing, which in a block of precision is taken exactly."""

    @wraps(function)
    def call(n: int, d: Any = 1.0, device: Any = None) -> Any:
        return function(n, _exactly(d) if PRECISE[0] else d, device)

    return StandIn(function, call)


def _exactly(x: Any) -> Any:
    """A plain end of an interval as a number of the precision in force."""
    return exact(x) if issubclass(type(x), (int, float, complex, np.ndarray, np.generic)) else x


_INTERVALS = frozenset({"linspace", "logspace", "geomspace"})
_WINDOWS = frozenset({"bartlett", "blackman", "hamming", "hanning"})
"""What need not have an array among its arguments, by which precision would find it."""
