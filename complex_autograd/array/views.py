"""Views: results that show elements of another array, so that a write to either is a write to both.

A view keeps the array that it shows and how it shows it; the array knows its living views.  When an element is written
to through one name, every other view that shows this element becomes stale, and any later use of it raises.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.primitive import Primitive
from ..engine.traced import StaleView, Traced, raw

_READ_ONLY: set[str] = set()

_CLASS: Any = vars(object)["__class__"]
"""The class that an object has, whatever it answers when it is asked."""


class Views(dict[int, "weakref.ref[Traced]"]):
    """The views of one array that are alive and not stale."""

    __slots__ = ()

    def add(self, shown: Traced) -> None:
        """Remember a view for as long as something else holds it."""
        reference = weakref.ref(shown, self._forget)
        self[id(reference)] = reference

    def exchange(self, shown: Traced, other: Traced) -> None:
        """Remember another view in place of one."""
        for reference in [each for each in self.values() if each() is shown]:
            self._forget(reference)
        self.add(other)

    def _forget(self, reference: weakref.ref[Traced]) -> None:
        self.pop(id(reference), None)

    def living(self) -> list[Traced]:
        """The views themselves."""
        return [shown for reference in list(self.values()) if type(shown := reference()) is Traced]


def view(primitive: Primitive, a: Any, **params: Any) -> Any:
    """Apply a structural primitive; where NumPy's result would share the memory of `a`, remember that it shows it."""
    result = primitive(a, **params)
    if not isinstance(a, Traced):
        return result
    shown, base = raw(result), raw(a)
    if shown is base:
        return a
    if _shares(shown, base):
        result.source = (a, primitive, params)
        _views_of(a).add(result)
    return result


def _views_of(a: Any) -> Views:
    try:
        return a.views  # type: ignore[no-any-return]
    except AttributeError:
        a.views = Views()
        return a.views  # type: ignore[no-any-return]


def reshape_in_place(a: Any, reshape: Primitive, shape: Any) -> None:
    """Give an array another shape; its base and its views see it as it was, through arrays that stand between."""

    def twin() -> Any:
        return Traced(a._value, a._tracer, a._tangent)

    views = getattr(a, "views", None)
    if views:
        below: Any = twin()
        below.source, below.views = (a, reshape, {"shape": a.shape}), views
        for shown in list[Any](views.living()):
            shown.source = (below, *shown.source[1:])
        a.views = Views()
        a.views.add(below)
    if hasattr(a, "source"):
        above: Any = twin()
        above.source = a.source
        _views_of(a.source[0]).exchange(a, above)
        _views_of(above).add(a)
        a.source = above, reshape, {"shape": shape}
    reshaped = reshape(a, shape=shape)
    a._value, a._tracer, a._tangent = reshaped._value, reshaped._tracer, reshaped._tangent


def read_only(primitive: Primitive) -> Primitive:
    """Declare that NumPy's views of this kind cannot be written to."""
    _READ_ONLY.add(primitive.name)
    return primitive


def is_read_only(a: Any) -> bool:
    """Whether an array is a read-only view, or a view of one."""
    source = getattr(a, "source", None)
    while source is not None:
        if source[1].name in _READ_ONLY:
            return True
        source = getattr(source[0], "source", None)
    return False


def _shares(shown: Any, base: Any) -> bool:
    """Whether the result of a structural operation on `base` shows its memory."""
    if type(shown) is np.ndarray:
        owner = shown.base
        if owner is None or owner is base:
            return owner is base
    return not issubclass(type(shown), np.generic) and np.may_share_memory(shown, base)


def mask_of(a: Any, index: Any) -> Any:
    """Zeros in the shape of `a`, with ones where a write at an index goes.

    It is complex where `a` is, so that a view of the real part and one of the imaginary part show different elements.
    """
    mask = _mask_like(a)
    mask[index] = 1 + 1j if a.dtype.kind == "c" else True
    return mask


def mask_through(base: Traced, primitive: Primitive, params: dict[str, Any], mask: Any) -> Any:
    """The mask of an array, from that of the view of it which was written to."""
    whole = _mask_like(base)
    primitive.function(whole, **params)[...] = mask
    return whole


def _mask_like(a: Any) -> Any:
    return np.zeros_like(raw(a), dtype=np.complex64 if a.dtype.kind == "c" else np.bool_)


def expire(a: Traced, written: Callable[[], Any], spared: Traced | None = None) -> None:
    """Make the views of `a` that show a written element stale, and all views of these.

    Parameters
    ----------
    a : Traced
        The array that was written to.
    written : callable
        Returns the mask of the written elements.
    spared : Traced, optional
        The view through which it was written.
    """
    views = getattr(a, "views", None)
    others = [shown for shown in views.living() if shown is not spared] if views else []
    if not others:
        return
    mask = written()
    for shown in others:
        _, primitive, params = shown.source
        if np.any(primitive.function(mask, **params)):
            _make_stale(shown)


def _make_stale(shown: Traced) -> None:
    views = getattr(shown, "views", None)
    for deeper in views.living() if views else ():
        _make_stale(deeper)
    _CLASS.__set__(shown, StaleView)
