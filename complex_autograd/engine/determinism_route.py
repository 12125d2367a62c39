"""Running an operation at the level of determinism that is in force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...backends import DeviceError, backend_of
from ...determinism import require
from ...determinism.flag import observed
from .traced import raw
from .whole import RECORDING, as_a_whole


def operation_of(name: str, function: Callable[..., Any]) -> str:
    """What the policy table calls a primitive: its name, with the package where that is not the main one."""
    own = name.partition(" ")[0].strip("_")
    if isinstance(function, np.ufunc):
        return own if getattr(np, own, None) is function else f"special.{own}"
    package = (function.__module__ or "").split(".")[1:2]
    return f"{package[0]}.{own}" if package in (["linalg"], ["special"]) else own


def at_level(function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operation, or the route that the policy table gives it; raise where it cannot meet the level in force."""
    route = required_route(name, (args, tuple(kwargs.values())), kwargs.get("dtype"), function)
    return (route or function)(*args, **kwargs)


def refuse_more_digits(name: str, args: Any) -> None:
    """Raise `DeviceError` for arrays of mpmath's numbers: the algorithm ends at the digits of a double."""
    if any(hasattr(x, "shape") and backend_of(x).name == "mpmath" for x in _operands_in(args)):
        raise DeviceError(
            f"{name} is not computed with mpmath's numbers: its algorithm ends at the digits of float64. Round them to "
            "float64 explicitly with wirtinger.to_host(x), and compute there; docs/precision.md says what there is."
        )


def required_route(
    name: str, args: Any, dtype: Any = None, function: Callable[..., Any] | None = None
) -> Callable[..., Any] | None:
    """The route that an operation has to take on these arguments; None if it may run as it is."""
    operands = list(_operands_in(args))
    arrays = [x for x in operands if hasattr(x, "shape")]
    backend = backend_of(arrays[0]).policy if arrays else "numpy"
    kinds = [x.dtype if hasattr(x, "dtype") else x for x in operands]
    if dtype is not None:
        kinds.append(np.dtype(dtype))
    route = require(name, backend, _common_type(kinds), function)
    if not RECORDING[0]:
        return observed(name, route, function)
    return route if route is None else partial(_as_a_whole, route)


def _as_a_whole(route: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A route is one operation of a program."""
    return as_a_whole(route, args, kwargs)


def _common_type(kinds: list[Any]) -> Any:
    """The type that is computed with; None, and so the worst, where there is none or NumPy knows no common one."""
    try:
        return np.result_type(*kinds) if kinds else None
    except TypeError:
        return None


def _operands_in(x: Any) -> Iterator[Any]:
    """The arrays and numbers among some arguments."""
    x = raw(x)
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from _operands_in(item)
    elif hasattr(x, "dtype") or issubclass(type(x), (bool, int, float, complex)):
        yield x
