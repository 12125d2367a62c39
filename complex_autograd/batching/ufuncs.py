"""Ufuncs of batches: calls broadcast item by item, and the methods have one more axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...determinism.flag import is_fixed
from ..engine.determinism_route import asking_for_level
from ..engine.dispatch import entry_of
from ..engine.hooks import HOOKS, UFUNC_METHODS
from ..engine.trace import UFUNCS
from ..rules.ufunc_protocol.calls import ordered, with_keywords
from .axes import along
from .batch import aligned, innermost, mapped, unbatched
from .loops import item_by_item


def mapped_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a ufunc or one of its methods does to batches."""
    inputs = tuple(map(unbatched, inputs))
    out = kwargs.get("out")
    if out is not None and any(x is not None for x in (out if isinstance(out, tuple) else (out,))):
        return HOOKS.call_ufunc(ufunc, method, inputs, dict(kwargs))
    kwargs = {key: x for key, x in kwargs.items() if key != "out"}
    if method == "at":
        return UFUNC_METHODS["at"](ufunc, *inputs, **kwargs)
    if method != "__call__":
        found = _METHODS[method](ufunc, inputs, kwargs)
    elif ufunc.signature is not None:
        found = _product(ufunc, inputs, kwargs)
    else:
        return _each_element(ufunc, inputs, kwargs)
    if found is not NotImplemented:
        return found
    axis = innermost((*inputs, kwargs))
    assert axis is not None
    return item_by_item(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs, axis)


HOOKS.mapped_ufunc = mapped_ufunc


def _each_element(ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    where, order = kwargs.pop("where", True), kwargs.pop("order", "K")
    axis, arrays = aligned((*inputs, where))
    *arrays, where = arrays
    if where is True:
        found = ufunc(*arrays, **kwargs)
    elif innermost((*arrays, where)) is not None:  # of an outer mapped function
        found = mapped_ufunc(ufunc, "__call__", tuple(arrays), {"where": where, **kwargs})
    else:  # the elements that it leaves out are 0, as under any trace
        found = with_keywords(ufunc, entry_of(ufunc, UFUNCS) or ufunc, arrays, where=where, **kwargs)
    results = [mapped(x, axis) for x in (found if isinstance(found, tuple) else (found,))]
    if order.upper() != "K":
        results = [ordered(x, inputs, order) for x in results]
    return tuple(results) if isinstance(found, tuple) else results[0]


def _product(ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A product of matrices or vectors; other functions with a signature decline."""
    if entry_of(ufunc, UFUNCS) is None:
        return NotImplemented
    return HOOKS.call_ufunc(ufunc, "__call__", inputs, kwargs) if kwargs else UFUNCS[ufunc](*inputs)


def _along_axis(method: str, position: int, none: str) -> Callable[..., Any]:
    """A method along an axis, the argument at this position, which is 0 by default; None as in `along`."""

    def call(ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        axis = innermost((*inputs, kwargs))
        assert axis is not None
        function = getattr(ufunc, method)
        if is_fixed():
            function = asking_for_level(function, f"{ufunc.__name__}.{method}")
        return along(position, default=0, none=none)(function, axis, inputs, kwargs)

    return call


def _outer(ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`a[..., None] op b`, with as many new axes as `b` has."""
    a, b = (x if hasattr(x, "shape") else np.asarray(x) for x in inputs)
    return ufunc(np.reshape(a, (*a.shape, *(1,) * len(b.shape))), b, **kwargs)


_METHODS = {
    "reduce": _along_axis("reduce", 1, none="all"),
    "accumulate": _along_axis("accumulate", 1, none="only"),
    "reduceat": _along_axis("reduceat", 2, none="only"),
    "outer": _outer,
}
