"""Traced values that NumPy does not see: in lists given for arrays, in objects, and in options such as `initial=`.

NumPy dispatches on some arguments only, and not on the elements of lists, nor on what `__array__` returns.  So while
a function is being differentiated, the replacements of NumPy's functions in the namespace convert such lists and
objects, and call the rule themselves, after NumPy's own attempt has failed.

For this the class `StandIn` has a method `__call__` while such a function runs.  The first call made when none runs
removes it again, so that calls are handled entirely in C.  Both happen only here, under the lock of `tracing`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..array.stand_in import StandIn
from ..array.tracing import ANYWHERE, BEGINNINGS, LOCK
from ..engine.dispatch import holds_traced
from ..engine.errors import TraceError
from ..engine.operands import holds_traced_objects, stack_nested, traced_in
from ..engine.trace import FUNCTIONS
from ..rules.shape.writing import Flat

_CALLS_LEFT = [sys.maxsize if sys.version_info < (3, 13) else 400]
"""From 3.13 on, Python looks the attributes of a class up slowly when it has changed a thousand times."""


def _call_with_lists(self: StandIn, /, *args: Any, **kwargs: Any) -> Any:
    if not ANYWHERE[0]:
        _go_straight()
        return self.called(*args, **kwargs)
    try:
        return self.called(*args, **kwargs)
    except (TraceError, ValueError) as error:
        if _OF_OBJECTS in str(error):
            return _call(self, of_objects, args, kwargs)
        if not isinstance(error, TraceError) and not isinstance(error.__cause__, TraceError):
            raise
    try:
        return _call(self, stacked, args, kwargs)
    except ValueError as error:
        try:
            return _call(self, _stacked_parts, args, kwargs)
        except TraceError:
            raise error from None


def _call(self: StandIn, put: Callable[[Any], Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call the rule, by which NumPy's function would end if it asked all of its arguments."""
    rule = FUNCTIONS.get(self.function, self.called)
    return rule(*map(put, args), **{key: put(a) for key, a in kwargs.items()})


def _is_list_of_traced(a: Any) -> bool:
    return isinstance(a, (list, tuple)) and holds_traced(a) and not any(map(callable, a))


def stacked(a: Any) -> Any:
    """A list of traced values, or their `A.flat`, as an array; anything else as it is."""
    if type(a) is Flat or (isinstance(a, (list, tuple)) and any(type(x) is Flat for x in a)):
        return a.copy() if type(a) is Flat else np.stack([stacked(x) for x in a])
    a = a.tolist() if holds_traced_objects(a) else a
    return stack_nested(a) if _is_list_of_traced(a) else a


def _stacked_parts(a: Any) -> Any:
    """A list of arrays, of several shapes perhaps, for the functions that join them."""
    return [stacked(part) for part in a] if _is_list_of_traced(a) else a


_OF_OBJECTS = "__array__ method not producing an array"
"""What NumPy says of an object whose `__array__` returns a traced value."""


def of_objects(a: Any) -> Any:
    """The traced value that an object's `__array__` returns, also in lists; anything else as it is."""
    if type(a) in (list, tuple):
        return type(a)(map(of_objects, a))
    made = traced_in(a)
    return a if made is None else made


def with_objects(theirs: Callable[..., Any], ours: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
    """A call of NumPy's function; of ours, where an argument is such an object."""
    try:
        return theirs(*args, **options)
    except ValueError as error:
        if _OF_OBJECTS not in str(error):
            raise
    return ours(*map(of_objects, args), **{key: of_objects(a) for key, a in options.items()})


def _look() -> None:
    StandIn.__call__ = _call_with_lists  # type: ignore[assignment, method-assign]


def _go_straight() -> None:
    with LOCK:
        if not ANYWHERE[0] and _CALLS_LEFT[0] and not BEGINNINGS:
            _CALLS_LEFT[0] -= 1
            del StandIn.__call__
            BEGINNINGS.append(_look)


BEGINNINGS.append(_look)
