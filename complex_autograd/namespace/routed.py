"""NumPy's functions under the determinism flag.

Each is NumPy's own while nobody asks for a level.  At a level, the policy table says whether NumPy's result keeps its
bits, gives the route that does, or refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ...determinism.flag import IN_FORCE, SWITCHES, current_scope
from ..array.stand_in import StandIn
from ..engine.determinism_route import at_level

_TURNS: list[tuple[Callable[[], None], Callable[[], None]]] = []
"""Of every function, what turns it to NumPy's own and what turns it to the one that looks which level is in force."""


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
    stand_in = StandIn(function, function)
    looking = _looking(function, operation or function.__name__)
    _TURNS.append((stand_in.turn_to(function), stand_in.turn_to(looking)))
    return stand_in


def _switch(asked: bool) -> None:
    for to_numpy, to_looking in _TURNS:
        (to_looking if asked else to_numpy)()


SWITCHES.append(_switch)


def routed_linalg(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `wirtinger.linalg` that the determinism flag can send elsewhere."""
    return _looking(function, f"linalg.{function.__name__}")


def _looking(function: Any, operation: str) -> Callable[..., Any]:
    """A function that looks which level is in force."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if IN_FORCE[0] and current_scope().setting.level:
            return at_level(function, operation, args, kwargs)
        return function(*args, **kwargs)

    return call
