"""Reading by index, and all other views: results that share elements with another array, so that writes affect both.

A view refers to its base array and to the indexing operation; the array has a list of its existing views.  When an
element is written through one name, every other view that contains the element becomes stale, and any later use of it
raises.

Reading by slices, integers, ellipsis, newaxis, boolean and integer arrays, and any mixture of them is linear.  Its
adjoint adds the cotangent at the elements that were read.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...backends import backend_of
from ..engine.dispatch import are_mapped, implements
from ..engine.forward import CONSTANT
from ..engine.hooks import HOOKS
from ..engine.operands import asarray_like, namespace_of
from ..engine.primitive import Primitive, linear
from ..engine.trace import MAPPING
from ..engine.traced import StaleView, Traced, raw

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

    def existing(self) -> list[Traced]:
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
    if _shares(shown, base) or (MAPPING[0] and _shares_of_items(primitive, shown, base, params)):
        if result is shown:  # of an array of integers, which is traced in a mapped function
            result = Traced(shown, CONSTANT, None)
        result.source = (a, primitive, params)
        views_of(a).add(result)
    return result


def views_of(a: Any) -> Views:
    """The views of an array."""
    try:
        return a.views  # type: ignore[no-any-return]
    except AttributeError:
        a.views = Views()
        return a.views  # type: ignore[no-any-return]


def _shares(shown: Any, base: Any) -> bool:
    """Whether the result of a structural operation on `base` shows its memory."""
    if type(shown) is np.ndarray:
        owner = shown.base
        if owner is None or owner is base:
            return owner is base
    return not issubclass(type(shown), np.generic) and np.may_share_memory(shown, base)


def _shares_of_items(primitive: Primitive, shown: Any, base: Any, params: dict[str, Any]) -> bool:
    """Whether the result shows the memory of `base` for each item of a mapped function, although that of all does not.

    The items may lie interleaved, so that all of them are reshaped by a copy where one alone is not.
    """
    if primitive is getitem:
        return _is_basic_of_items(shown, **params)
    if primitive.name != "reshape" or not are_mapped((base,)):
        return False
    item = base.in_memory()
    return np.may_share_memory(np.reshape(item, **params), item)


def _is_basic_of_items(shown: Any, index: Any) -> bool:
    """Whether an index that is another one for each item of a mapped function is one of basic indexing for each."""
    parts = parts_of(index)
    if not are_mapped(parts) or not (shown.shape or Ellipsis in parts):
        return False
    return all(_is_basic(part) or (not part.shape and part.dtype.kind in "iu") for part in parts)


def mask_of(a: Any, index: Any) -> Any:
    """Zeros in the shape of `a`, with ones where a write at an index goes; for any item if each has its own index.

    It is complex where `a` is, so that a view of the real part and one of the imaginary part show different elements.
    """
    mask = _mask_like(a)
    for each in _of_items(index):
        mask[each] = 1 + 1j if a.dtype.kind == "c" else True
    return mask


def _of_items(index: Any) -> Sequence[Any]:
    """The indices that an index is for some item of a mapped function."""
    parts = parts_of(index)
    return HOOKS.indices_of_items(parts) if are_mapped(parts) else [index]


def mask_through(base: Traced, primitive: Primitive, params: dict[str, Any], mask: Any) -> Any:
    """The mask of an array, from that of the view of it which was written to."""
    full = _mask_like(base)
    if primitive is getitem:
        for each in _of_items(params["index"]):
            full[each] += mask
    elif primitive.name in _PARTS:
        setattr(full, primitive.name, mask)
    else:
        primitive.function(full, **params)[...] = mask
    return full


_PARTS = ("real", "imag")
"""The primitives that show a part of each element: not every array's parts can be written into but as attributes."""


def _mask_like(a: Any) -> Any:
    return np.zeros_like(raw(a), dtype=np.complex64 if a.dtype.kind == "c" else np.bool_)


def expire(a: Traced, written: Callable[[], Any], spared: Traced | None) -> None:
    """Make the views of `a` that show a written element stale, and all views of these.

    Parameters
    ----------
    a : Traced
        The array that was written to.
    written : callable
        Returns the mask of the written elements.
    spared : Traced or None
        The view through which it was written.
    """
    views = getattr(a, "views", None)
    others = [shown for shown in views.existing() if shown is not spared] if views else []
    if not others:
        return
    mask = written()
    for shown in others:
        _, primitive, params = shown.source
        each = [{"index": index} for index in _of_items(params["index"])] if primitive is getitem else [params]
        if any(np.any(primitive.function(mask, **of_item)) for of_item in each):
            _make_stale(shown)


def _make_stale(shown: Traced) -> None:
    views = getattr(shown, "views", None)
    for deeper in views.existing() if views else ():
        _make_stale(deeper)
    _CLASS.__set__(shown, StaleView)


@linear
def getitem(a: Any, *, index: Any) -> Any:
    """`a[index]`, bound without its view."""
    return a[index]


@getitem.adjoint(0)
def _(g: Any, a: Any, *, index: Any) -> Any:
    return scatter(g, index=index, shape=a.shape)


@getitem.batched
def _(g: Any, a: Any, *, index: Any) -> Any:
    if not _keeps_axes(index):
        return None
    return scatter(g, index=(slice(None), *parts_of(index)), shape=(len(g), *a.shape))


@linear(family="scattered sums")
def scatter(a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with the elements of `a` added at an index."""
    if may_repeat(index) or not issubclass(type(a), (np.ndarray, np.generic)):
        return backend_of(a).scatter_add(a, index, shape)
    out = np.zeros(shape, a.dtype)
    out[index] = a
    return out


@scatter.space_of
def _(a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    return shape, a.dtype


@scatter.adjoint(0)
def _(g: Any, a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    return getitem(g, index=index)


def parts_of(index: Any) -> tuple[Any, ...]:
    """The parts of an index, one a dimension that it names."""
    return index if isinstance(index, tuple) else (index,)


def may_repeat(index: Any) -> bool:
    """Whether an index holds integer arrays, so that it may name a place twice."""
    for part in parts_of(index):
        if isinstance(part, list) or (getattr(part, "ndim", 0) > 0 and part.dtype.kind in "iu"):
            return True
    return False


def plain_index(index: Any, a: Any, order: str = "C") -> Any:
    """An index of an array without traced parts, which carry no derivative here, that later writes cannot change.

    In which order an array in it lies decides how what is read lies, and which value stays of those written.
    """
    if isinstance(index, tuple):
        return tuple([_plain_part(part, a, order) for part in index])
    return _plain_part(index, a, order)


def _plain_part(part: Any, a: Any, order: str) -> Any:
    if part is None or part is Ellipsis or isinstance(part, (int, slice)):
        return part
    if isinstance(part, (list, tuple, range)):
        return asarray_like(list(part), a) if len(part) else namespace_of(a).zeros(0, np.intp)
    part = raw(part)
    return part.copy(order) if issubclass(type(part), np.ndarray) else part.copy() if hasattr(part, "dtype") else part


def same_basic_index(index: Any, other: Any) -> bool:
    """Whether two indices are the same integers, slices, ellipses and new axes; arrays are never the same."""
    parts, others = parts_of(index), parts_of(other)
    if len(parts) == len(others) and are_mapped((*parts, *others)):
        return all(map(_is_same_part, parts, others))
    return all(_is_basic(part) for part in (*parts, *others)) and parts == others


def _is_same_part(part: Any, other: Any) -> bool:
    if are_mapped((part, other)):
        return getattr(raw(part), "array", None) is getattr(raw(other), "array", part)
    return _is_basic(part) and _is_basic(other) and part == other


def _keeps_axes(index: Any) -> bool:
    """Whether what an index selects stays behind axes that are put before: at most one array, and then no integers."""
    advanced = [part for part in parts_of(index) if not _is_basic(part)]
    return not advanced or (
        len(advanced) == 1 and not any(isinstance(part, (int, np.integer)) for part in parts_of(index))
    )


def _is_basic(part: Any) -> bool:
    return part is None or part is Ellipsis or type(part) in (int, slice) or isinstance(part, np.integer)


@implements(operator.getitem)
def _(a: Traced, index: Any) -> Any:
    return view(getitem, a, index=plain_index(index, a, "K"))
