"""Runs an operation at the determinism level in force."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial, wraps
from typing import Any

import numpy as np

from ...backends import backend_of
from ...backends.asking import AskingArray, asking, asking_at_portable, plain
from ...determinism import require
from ...determinism.flag import FIXED, current_scope, is_portable, observed
from ...determinism.layouts import elementwise
from ...determinism.levels import Level
from ...determinism.refusals import by_route
from .opaque import RECORDING, opaque_call
from .trace import Node
from .traced import Traced, raw

_NUMBERS = (bool, int, float, complex)
_SETTINGS = (str, type(None))


def operation_of(name: str, function: Callable[..., Any]) -> str:
    """What the policy table calls a primitive: its name, with the package where that is not the main one."""
    own = name.partition(" ")[0].strip("_")
    if isinstance(function, np.ufunc):
        return own if getattr(np, own, None) is function else f"special.{own}"
    package = (function.__module__ or "").split(".")[1:2]
    return f"{package[0]}.{own}" if package in (["linalg"], ["special"]) else own


def at_level(function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operation, or the route that the policy table gives it; raise where it cannot meet the level in force."""
    route = required_route(name, (args, tuple(kwargs.values())), function, kwargs.get("dtype"))
    if route is None and kwargs.get("where", True) is not True and type(function) is np.ufunc:
        route = partial(elementwise, function)  # where it computes nothing: zeros, and not what the memory held
    if not FIXED[0] or not is_portable():
        return (route or function)(*args, **kwargs)
    if any(type(x) is AskingArray for x in (*args, *kwargs.values())):
        return asking(by_route(route, function, plain(args), plain(kwargs)))
    return plain(by_route(route, function, args, kwargs))


@lru_cache(maxsize=1024)
def asking_for_level(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that asks for the level in force where it is called, as the operation of this name."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return at_level(function, name, args, kwargs)

    return call


def required_route(name: str, args: Any, function: Callable[..., Any], dtype: Any = None) -> Callable[..., Any] | None:
    """The route that an operation has to take on these arguments; None if it may run as it is."""
    operands: list[Any] = []
    _gather(args, operands)
    array, kinds = None, []
    for x in operands:
        if type(x) is np.ndarray or hasattr(x, "dtype"):
            array = x if array is None else array
            kinds.append(x.dtype)
        else:
            kinds.append(x)
    backend = "numpy" if array is None else backend_of(array).policy
    if dtype is not None:
        kinds.append(np.dtype(dtype))
    route = require(name, backend, _common_type(kinds), function)
    if not RECORDING[0]:
        return observed(name, route, function)
    return route if route is None else partial(_opaque_call, route)


def _opaque_call(route: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A route is one operation of a program."""
    return opaque_call(route, args, kwargs)


def _common_type(kinds: list[Any]) -> Any:
    """The type that is computed with; None, and so the worst, where there is none or NumPy knows no common one."""
    first: Any = kinds[0] if kinds else None
    if issubclass(type(first), np.dtype) and first.isnative and (len(kinds) == 1 or {*map(id, kinds)} == {id(first)}):
        return first
    try:
        return np.result_type(*kinds) if kinds else None
    except TypeError:
        return None


def _gather(x: Any, found: list[Any]) -> None:
    """Append the arrays and numbers among some arguments."""
    kind = type(x)
    if kind is np.ndarray or kind in _NUMBERS:
        found.append(x)
    elif kind in (tuple, list):
        for item in x:
            if type(item) is np.ndarray:
                found.append(item)
            else:
                _gather(item, found)
    elif kind not in _SETTINGS and not issubclass(kind, type):
        x = raw(x)
        if issubclass(type(x), (list, tuple)):
            _gather([*x], found)
        elif hasattr(x, "dtype") or issubclass(type(x), _NUMBERS):
            found.append(x)


def asked(x: Any, least: Level = Level.PORTABLE) -> Any:
    """The plain value below all levels, as one that asks where a level as high as this one is in force."""
    return asking(raw(x)) if FIXED[0] and current_scope().setting.level >= least else raw(x)


def asking_later(result: Any) -> Any:
    """A result whose adjoint computes with arrays that ask, where the level in force wants that."""
    if FIXED[0] and type(result) is Traced and type(result._tangent) is Node and result._tangent.known is not None:
        result._tangent.known = asking_at_portable(result._tangent.known)
    return result
