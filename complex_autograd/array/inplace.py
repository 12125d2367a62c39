"""Writing into traced arrays.

A write is linear in the array and the values together.  If an index names an element twice, the last value stays, as in
NumPy, and only that value gets a cotangent.

A write replaces the value by an updated copy, inside the same Python object: all names of the array see it, and
earlier operations keep the old value.  If nothing refers to the old value, no copy is made, so that filling n
elements one by one takes O(n) time.  A view refers to its base array, and writes to the view go through to it.  All
other views that show a written element become stale, and any later use of one raises.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Final

import numpy as np

from ..engine.dispatch import are_mapped, implements
from ..engine.errors import TraceError
from ..engine.forward import CONSTANT
from ..engine.hooks import HOOKS
from ..engine.opaque import RECORDING, is_on_host, is_symbolic, opaque_call
from ..engine.operands import arange_like, operand
from ..engine.primitive import Primitive, linear
from ..engine.trace import IN_PLACE, OVERWRITING
from ..engine.traced import Traced, depth_of, raw
from .call_sites import is_own
from .conversion import imag, real
from .read_only import is_read_only
from .repeated_writes import as_in_order, last_written
from .shared_memory import write_shared
from .unshared_memory import may_be_overwritten, memory_of, overwritten
from .views import expire, getitem, mask_of, mask_through, may_repeat, plain_index, same_basic_index


def write(target: Traced, index: Any, values: Any) -> None:
    """What `target[index] = values` does."""
    given, index = index, plain_index(index, target)
    _check_writable(target)
    values = as_in_order(target, given, whole(target, operand(values)))
    updated = overwritten(memory_of(target), index_update, target, values, index=index)
    _replace(target, updated, lambda: mask_of(target, index))


def whole(target: Any, values: Any) -> Any:
    """What is written, where that is into whole numbers: in a copy a constant, as `int(x)` is; elsewhere refused."""
    _refuse_complex(target, values)
    if target.dtype.kind in "fcO" or are_mapped((values,)) or not depth_of(values):
        return values
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not HOOKS.is_constant("int", frame):
        frame = frame.f_back if is_own(frame) else None
    if frame is None:
        raise TraceError(
            f"traced values were written into an array of dtype {target.dtype}, which would lose their derivatives. "
            "Make that array of floating-point numbers. To drop them on purpose, write wirtinger.stop_gradient(x)."
        )
    return raw(values)


def _check_writable(target: Traced) -> None:
    value = raw(target)
    if issubclass(value.__class__, np.generic):
        raise TypeError(f"'{value.__class__.__name__}' object does not support item assignment")
    if is_read_only(target):
        raise ValueError("assignment destination is read-only")


def _replace(target: Traced, updated: Any, written: Callable[[], Any], through: Traced | None = None) -> None:
    """Give an array its value after a write, and through it the arrays that it shows theirs.

    `written` returns the mask of the elements that were written; `through` is the view of it that was written to.
    """
    if not isinstance(updated, Traced):  # of integers, in a mapped function
        updated = Traced(updated, CONSTANT, None)
    if write_shared(target, updated):
        return
    target._value, target._tracer, target._tangent = updated._value, updated._tracer, updated._tangent
    expire(target, written, spared=through)
    if not hasattr(target, "source"):
        return
    base, primitive, params = target.source
    _replace(
        base,
        _written_through(base, target, primitive, params),
        lambda: mask_through(base, primitive, params, written()),
        through=target,
    )
    if target._tracer.is_outermost:
        target._value = primitive(base, **params)._value
    else:
        target._value = primitive(_below(base, target._tracer.level), **params)


def _written_through(base: Any, shown: Any, primitive: Primitive, params: dict[str, Any]) -> Any:
    """The array `base` after the elements that a view shows have been replaced."""
    if primitive is getitem:
        return overwritten(memory_of(base), index_update, base, shown, **params)
    if primitive is real or primitive is imag:
        return part_update(base, shown, part=primitive.function)
    if base.size == shown.size:  # a permutation: its adjoint is its inverse
        return primitive.adjoints[0](shown, base, **params)
    numbers = primitive.function(arange_like(base, base.size).reshape(base.shape), **params)
    return index_update(base, shown, index=np.unravel_index(numbers, base.shape))


def _below(a: Any, level: int) -> Any:
    """The value of an array at the levels below a given one: a view shows the memory of that, as NumPy's would."""
    while isinstance(a, Traced) and a._tracer.level >= level:
        a = a._value
    return a


@implements(operator.setitem)
def _(a: Traced, index: Any, value: Any) -> None:
    source = getattr(value, "source", None)
    if source is not None and source[0] is a and source[1] is getitem and same_basic_index(source[2]["index"], index):
        return  # a[index] += b hands back the view of a that it has just written through
    write(a, index, value)


def _in_place(ufunc: Any, target: Any, other: Any) -> Any:
    result = ufunc(target, other)
    if issubclass(raw(target).__class__, np.generic):
        return result
    if result.shape != target.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {target.shape} doesn't match the broadcast shape "
            f"{result.shape}"
        )
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{ufunc.__name__}' output from {result.dtype!r} to {target.dtype!r} with casting rule "
            "'same_kind'. Make the array with the dtype of the result, or write a = a + b instead of a += b."
        )
    exchange(target, ..., result)
    return target


def exchange(target: Traced, index: Any, result: Any) -> None:
    """Give an array its values after a write at an index, which are all known."""
    _check_writable(target)
    updated = result if isinstance(result, Traced) else Traced(result, CONSTANT, None)
    if updated.dtype != target.dtype or not _same_layout(raw(updated), raw(target)):
        updated = index_update(target, updated, index=...)
    _replace(target, updated, lambda: mask_of(target, index))


HOOKS.write, HOOKS.in_place = write, _in_place


def _same_layout(a: Any, b: Any) -> bool:
    """Whether two arrays of one shape lie in memory alike, which decides what `ravel` and `reshape` show later."""
    return type(a) is type(b) and a.__class__ is b.__class__ and a.strides == b.strides


def _refuse_complex(a: Any, values: Any) -> None:
    is_complex = values.dtype.kind == "c" if hasattr(values, "dtype") else issubclass(type(values), complex)
    if is_complex and a.dtype.kind not in "cO":
        raise TypeError(
            "complex values were written into a real array, which would drop their imaginary parts. Make the array "
            "complex, zeros(shape, dtype=complex), or write the real parts."
        )


@linear(family="assignment by index")
def index_update(a: Any, values: Any, *, index: Any) -> Any:
    """A copy of `a` in which `a[index] = values`."""
    _refuse_complex(a, values)
    updated = _writable_copy(a)
    updated[index] = values
    return updated


index_update.is_opaque = True


@index_update.adjoint(0)
def _(g: Any, a: Any, values: Any, *, index: Any) -> Any:
    return erased(g, index=index)


@index_update.adjoint(1)
def _(g: Any, a: Any, values: Any, *, index: Any) -> Any:
    read = getitem(g, index=index)
    if may_repeat(index):
        read = masked(read, condition=last_written(index, raw(g)))
    surplus = len(values.shape) - len(read.shape)
    return np.reshape(read, (1,) * surplus + read.shape) if surplus > 0 else read


def _pull_unshared(
    g: Any, adjoint: Any, primitive: Any, params: dict[str, Any], active: Sequence[int], values: Sequence[Any]
) -> Any:
    """The adjoint where nothing else holds the cotangent: what was written is read, and erased there."""
    if 0 not in active:
        return adjoint(g)
    read = [index_update.adjoints[1](g, *values, **params).copy()] if 1 in active else []
    return [overwritten(memory_of(g), erased, g, **params), *read]


OVERWRITING[index_update] = _pull_unshared


def _add_at(total: Any, g: Any, *, index: Any) -> Any:
    if not is_on_host(total) or isinstance(g, Traced) or g.dtype != total.dtype or may_repeat(index):
        return None
    if RECORDING[0] and is_symbolic((total, g)):
        return opaque_call(sum_at, (total, g), {"index": index})
    total[index] += g
    return total


IN_PLACE[getitem.adjoints[0]] = _add_at


def sum_at(a: Any, values: Any, *, index: Any) -> Any:
    """A copy of `a` in which values are added to `a[index]`."""
    updated = _writable_copy(a)
    updated[index] += values
    return updated


@linear(family="data movement")
def erased(a: Any, *, index: Any) -> Any:
    """A copy of `a` with zeros at an index."""
    updated = _writable_copy(a)
    updated[index] = 0
    return updated


erased.is_opaque = True


@erased.adjoint(0)
def _(g: Any, a: Any, *, index: Any) -> Any:
    return erased(g, index=index)


@linear(family="data movement")
def part_update(a: Any, values: Any, *, part: Any) -> Any:
    """A copy of complex `a` in which one part (`numpy.real` or `numpy.imag`) is replaced."""
    updated = _writable_copy(a)
    setattr(updated, part.__name__, values)
    return updated


part_update.is_opaque = True


@part_update.adjoint(0)
def _(g: Any, a: Any, values: Any, *, part: Any) -> Any:
    return part_erased(g, part=part)


@part_update.adjoint(1)
def _(g: Any, a: Any, values: Any, *, part: Any) -> Any:
    return part(g)


@linear(family="data movement")
def part_erased(a: Any, *, part: Any) -> Any:
    """A copy of complex `a` in which one part is zero."""
    updated = _writable_copy(a)
    setattr(updated, part.__name__, 0)
    return updated


part_erased.is_opaque = True


@part_erased.adjoint(0)
def _(g: Any, a: Any, *, part: Any) -> Any:
    return part_erased(g, part=part)


@linear(family="data movement")
def masked(a: Any, *, condition: Any) -> Any:
    """`a` where a condition holds, and zero elsewhere."""
    return np.where(condition, a, 0)


@masked.adjoint(0, takes_batches=True)
def _(g: Any, a: Any, *, condition: Any) -> Any:
    return masked(g, condition=condition)


def _writable_copy(a: Any) -> Any:
    """A copy of the same memory layout, which decides what `ravel` and `reshape` show later; or what nothing shares."""
    if may_be_overwritten(a):
        return a
    return np.copy(a) if issubclass(a.__class__, np.generic) else a.copy(order="K")  # of what stands for one, too


REPLACING: Final = frozenset((sum_at, *(x.function for x in (index_update, erased, part_update, part_erased))))
"""Functions that return their first argument with other numbers in a part of it."""
