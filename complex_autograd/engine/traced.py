"""`Traced`: an array that records how it was computed and otherwise behaves like a NumPy array.

Operators, methods and NumPy's two protocols (`__array_ufunc__`, `__array_function__`) all dispatch through the tables
`UFUNCS` and `FUNCTIONS`; nothing is computed here.  Conversions that would lose the derivative raise.
"""

from __future__ import annotations

import cmath
import operator
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from ...backends.native.large_arrays import CHECKED, is_finite
from .errors import NO_DERIVATIVE, AliasError, TraceError, unexplained
from .hooks import HOOKS
from .methods import Methods
from .operators import Operators
from .protocols import Iterated, Protocols, asks_whose_operator, is_formatting
from .space import Array, Tangent
from .trace import FUNCTIONS, MAPPING, UFUNCS, Node, Trace


class Traced(Protocols, Operators, Methods):
    """An array under differentiation.

    Attributes
    ----------
    _value : array or Traced
        The value, one level down.
    _tracer : Trace
        The level that it belongs to.
    _tangent : array or Node
        Its tangent at that level; None where it is constant.
    length_of : tuple
        For a length: the value that it was, the rule of its powers, and of what it is (set by `lengths`).
    shown : weak reference
        To the plain array that shares the memory of a constant (set by `shared_memory`).
    source : tuple
        For a view: the array it shows, and how to find its elements there (set by `inplace`).
    views : list
        Weak references to the views of this array (set by `inplace`).
    """

    __slots__ = ("__weakref__", "_tangent", "_tracer", "_value", "length_of", "shown", "source", "views")
    __array_priority__ = 1000.0
    __pandas_priority__ = 5000

    _value: Array
    _tracer: Trace
    _tangent: Tangent
    length_of: Any
    shown: Any

    def __init__(self, value: Array, tracer: Trace, tangent: Tangent) -> None:
        self._value = value
        self._tracer = tracer
        self._tangent = tangent

    def __array_ufunc__(self, ufunc: Any, method: str, z: Array, *others: Any, **kwargs: Any) -> Any:
        rule = None if kwargs or method != "__call__" else UFUNCS.get(ufunc)
        if rule is None:
            if MAPPING[0] and HOOKS.holds_batches((z, *others, kwargs)):
                return HOOKS.mapped_ufunc(ufunc, method, (z, *others), kwargs)
            return HOOKS.call_ufunc(ufunc, method, (z, *others), kwargs)
        return rule(z, *others) if others else rule(z)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if len(types) > 1 and HOOKS.are_foreign(types):
            return NotImplemented
        if kwargs and isinstance(kwargs.get("out"), Traced):
            return HOOKS.call_with_out(function, args, kwargs)
        if MAPPING[0] and HOOKS.holds_batches((*args, kwargs)):
            return HOOKS.mapped_function(function, args, kwargs)
        rule = FUNCTIONS.get(function)
        return HOOKS.call_function(function, args, kwargs) if rule is None else rule(*args, **kwargs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self._tangent is None:
            return HOOKS.plain_memory(self, dtype, copy)
        if asks_whose_operator(sys._getframe(1)):
            return np.array(None, object)  # to SciPy no array: it leaves the operator to this class
        self._tracer.refuse("array")
        raise unexplained(
            TraceError(
                "a traced value was converted to a plain NumPy array, which would lose its derivative. To drop it on "
                "purpose, pass wirtinger.stop_gradient(x)."
            ),
            "was converted to a plain NumPy array{by}, which would lose its derivative",
        )

    # Python's protocols

    def __float__(self) -> float:
        return float(self._plain_scalar("float", sys._getframe(1)))

    def __complex__(self) -> complex:
        return complex(self._plain_scalar("complex", sys._getframe(1)))

    def _plain_scalar(self, kind: str, caller: Any) -> Any:
        if self._tangent is None or is_formatting(caller) or HOOKS.is_constant(kind, caller):
            return raw(self)
        self._tracer.refuse(kind)
        raise unexplained(
            TraceError(
                f"{kind}() of a traced value would lose its derivative. To drop it on purpose: "
                f"{kind}(wirtinger.stop_gradient(x))."
            ),
            f"was converted to a Python {kind}{{by}}, which would lose its derivative",
        )

    def __int__(self) -> int:
        return int(self._plain_scalar("int", sys._getframe(1)))

    def __index__(self) -> int:
        return operator.index(raw(self))

    def __bool__(self) -> bool:
        return bool(raw(self))

    def _elements(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    __iter__: Any = Iterated(_elements, "__iter__")

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(self == item))

    def __getitem__(self, index: Any) -> Any:
        return FUNCTIONS[operator.getitem](self, index)

    def __setitem__(self, index: Any, value: Array) -> None:
        FUNCTIONS[operator.setitem](self, index, value)

    def __delitem__(self, index: Any) -> NoReturn:
        raise ValueError("cannot delete array elements")

    def __round__(self, ndigits: int | None = None) -> Any:
        value = raw(self)
        return (
            round(value) if ndigits is None and issubclass(type(value), np.floating) else np.round(value, ndigits or 0)
        )

    def __repr__(self) -> str:
        return f"Traced({raw(self)!r})"

    def __str__(self) -> str:
        return str(raw(self))

    def __format__(self, spec: str) -> str:
        return format(raw(self), spec)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TraceError("a traced value cannot be pickled: its derivative lives in this process only.")

    # what is known without computing

    @property
    def shape(self) -> tuple[int, ...]:
        return self._value.shape  # type: ignore[no-any-return]

    @shape.setter
    def shape(self, shape: Any) -> None:
        HOOKS.set_shape(self, shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._value.dtype  # type: ignore[no-any-return]

    @property
    def ndim(self) -> int:
        return len(self._value.shape)

    @property
    def value(self) -> NoReturn:
        """No attribute: the number below would be a constant, and its derivative lost silently."""
        raise AttributeError(
            "a traced value has no attribute 'value', and neither has a NumPy array. Compute with the value itself; to "
            "drop the derivative on purpose, call wirtinger.stop_gradient."
        )


class StaleView(Traced):
    """What a view becomes when the array it shows is written to through another name: every use of it raises."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return StaleView
        if name == "__weakref__":
            return object.__getattribute__(self, name)
        raise AliasError(
            "this view was taken before the array it shows was written to through another name, so it is out of date. "
            "Take the view again after the write, or take a copy() if you want the old values."
        )


HOOKS.is_constant = lambda kind, caller: False


def raw(x: Array) -> Any:
    """The plain value below all levels; anything that is not traced as it is."""
    while isinstance(x, Traced):
        x = x._value
    return x


def peel(x: Array) -> Any:
    """An operand that is constant at every level, as its plain value; anything else as it is."""
    if isinstance(x, Traced) and x._tangent is None:
        return raw(x)
    return x


def depth_of(x: Array) -> int:
    """How many derivatives are being taken of what depends on an array."""
    depth = 0
    while isinstance(x, Traced):
        depth += x._tangent is not None and not x._tracer.hidden
        x = x._value
    return depth


def has_hidden_level(x: Array) -> bool:
    """Whether a rule has made one of the levels of an array."""
    while isinstance(x, Traced):
        if x._tracer.hidden:
            return True
        x = x._value
    return False


def settled(x: Array) -> Any:
    """A result of a transform without the levels that rules have made below it."""
    if not isinstance(x, Traced):
        return x
    if x._tracer.hidden:
        return settled(x._tracer.settle(x))
    if x._tracer.is_outermost:
        x._tracer.check(x)
    below = x._value
    if isinstance(below, Traced) and below._tracer.hidden:
        return Traced(below._tracer.tidied(below), x._tracer, x._tangent)
    return x


def top_trace(args: Iterable[Any]) -> Trace | None:
    """The trace with the largest level among the arguments; None where none is traced."""
    top, level = None, -1
    for a in args:
        if isinstance(a, Traced) and a._tracer.level > level:
            top = a._tracer
            level = top.level
    return top


def all_finite(arrays: Iterable[Any]) -> bool:
    """Whether no array has infinite or undefined elements, be it in a tangent that it carries."""
    for x in arrays:
        if type(x) is np.ndarray and x.dtype.kind in "fc":
            if not (is_finite(x) if x.size >= CHECKED[x.dtype.kind] else b"\0" not in np.isfinite(x).tobytes()):
                return False
        elif issubclass(type(x), (float, complex)):
            if not cmath.isfinite(x):
                return False
        elif x is not None and not all(np.all(np.isfinite(part)) for part in parts_of(x) if part.dtype.kind in "fc"):
            return False
    return True


def parts_of(x: Array) -> Iterable[Any]:
    """The plain value of an array, and the plain tangents that it carries at the levels of forward mode."""
    while isinstance(x, Traced):
        if x._tracer.hidden:
            x = _without_hidden_level(x)
            continue
        if hasattr(x._tangent, "dtype") and not isinstance(x._tangent, Node):
            yield from parts_of(x._tangent)
        x = x._value
    yield x


def _without_hidden_level(x: Traced) -> Any:
    """What an array is without its hidden level; where that does not exist, what was computed next to it."""
    try:
        return x._tracer.settle(x)
    except NO_DERIVATIVE:
        return x._value
