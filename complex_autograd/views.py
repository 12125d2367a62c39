"""Views: which results of structural operations show the elements of another array, and which elements."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from .array import Traced, raw
from .primitive import Primitive

__all__ = ["positions_in", "view"]


def view(primitive: Primitive, a: Any, **params: Any) -> Any:
    """Apply a structural primitive; where NumPy's result would share the memory of `a`, remember that it shows it."""
    result = primitive(a, **params)
    if not isinstance(a, Traced):
        return result
    shown, base = raw(result), raw(a)
    if shown is base:
        return a
    if not np.isscalar(shown) and shown.base is not None and np.may_share_memory(shown, base):
        result.source = (a, primitive, params)
        _views_of(a)[id(result)] = result
    return result


def _views_of(a: Traced) -> weakref.WeakValueDictionary[int, Traced]:
    try:
        return a.views
    except AttributeError:
        a.views = weakref.WeakValueDictionary()
        return a.views


def positions_in(shape: tuple[int, ...], primitive: Primitive, params: dict[str, Any]) -> Any:
    """Where the elements of a view lie in the flattened array that it shows."""
    everywhere = np.arange(int(np.prod(shape))).reshape(shape)
    return primitive.function(everywhere, **params)
