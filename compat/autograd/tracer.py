"""Traced values under autograd's names: a `Box` is a `Traced` array."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...complex_autograd.engine.reverse import Kept, ReverseTrace, own
from ...complex_autograd.engine.trace import next_level
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.transforms.arguments import as_variable
from ...complex_autograd.transforms.recording import TRACING
from .primitives import primitive
from .rooted_traces import rooted_box
from .wrap_util import wraps

__all__ = ["Box", "getval", "isbox", "new_box", "notrace_primitive", "primitive", "trace_stack"]

Box = Traced


class TypeMappings(dict[type, Callable[..., Any]]):
    """By the type of a value that may be differentiated what makes a `Box` of it, or refuses.

    Under differentiation an array of a subclass of `numpy.ndarray` is one as all others.  Where the subclass has an
    `__array_ufunc__`, it leaves calls with traced values to these: NumPy would ask it first.
    """

    def __setitem__(self, kind: type, made: Callable[..., Any]) -> None:
        super().__setitem__(kind, made)
        if issubclass(kind, np.ndarray) and kind.__array_ufunc__ is not np.ndarray.__array_ufunc__:
            setattr(kind, "__array_ufunc__", _among_plain(kind.__array_ufunc__))  # noqa: B010


def _among_plain(array_ufunc: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(array_ufunc)
    def among_plain(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if Traced not in map(type, inputs):
            return array_ufunc(self, ufunc, method, *inputs, **options)
        return getattr(ufunc, method)(*(x.view(np.ndarray) if type(x) is type(self) else x for x in inputs), **options)

    return among_plain  # type: ignore[no-any-return]


type_mappings = TypeMappings()
setattr(Box, "type_mappings", type_mappings)  # noqa: B010  (autograd's names for both)
setattr(Box, "_trace", property(lambda x: x._tracer))  # noqa: B010


class _Boxes(tuple[Any, ...]):
    """Values that are differentiated together, by one trace."""

    _trace: ReverseTrace


def new_box(value: Any, trace: ReverseTrace | int, node: Any) -> Any:
    """A value to differentiate in a trace, or a tuple or list of such; where that is a number, in one of its own."""
    if isinstance(trace, int):
        return rooted_box(value)
    if isinstance(value, (tuple, list)):
        boxes = _Boxes(new_box(x, trace, node) for x in value)
        boxes._trace = trace
        return boxes
    return trace.variable(own(as_variable(value, 0)))


class _TraceStack:
    """What begins traces: `new_trace` returns a context manager that ends one."""

    @contextmanager
    def new_trace(self) -> Iterator[ReverseTrace]:
        trace = ReverseTrace(next_level(), Kept())
        try:
            with TRACING:
                yield trace
        finally:
            trace.end()
            trace.kept.clear()


trace_stack = _TraceStack()


def isbox(x: Any) -> bool:
    """Whether a value is being differentiated."""
    return type(x) is Traced


def getval(x: Any) -> Any:
    """The plain value of one that is being differentiated; its derivative is dropped."""
    return raw(x)


def notrace_primitive(f_raw: Callable[..., Any]) -> Any:
    """A function that is called with plain values: its result has no derivative.

    Examples
    --------
    >>> from wirtinger.compat.autograd import grad
    >>> from wirtinger.compat.autograd.extend import notrace_primitive
    >>> rounded = notrace_primitive(round)
    >>> grad(lambda x: x * rounded(x))(2.2)
    np.float64(2.0)
    """

    @wraps(f_raw)
    def f_wrapped(*args: Any, **kwargs: Any) -> Any:
        return f_raw(*[raw(a) for a in args], **kwargs)

    f_wrapped._is_primitive = True
    return f_wrapped
