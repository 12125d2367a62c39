"""Arguments and results of transforms: the function passed in, and the transformed function, which can be pickled.

Closures cannot be pickled, but process pools send functions as pickles; so a transformed function is an object that can
be pickled whenever the original function can.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, update_wrapper
from types import MethodType
from typing import Any, Self


def name_of(x: Any) -> str | None:
    """The name in its module by which an object is found again, where a function was decorated; None elsewhere."""
    name = getattr(x, "__qualname__", "")
    found: Any = sys.modules.get(getattr(x, "__module__", None) or "")
    for part in name.split("."):
        found = getattr(found, part, None)
    return name if found is x else None


class TransformedFunction(partial[Any]):
    """A function of a module, with the function that is transformed and the settings as its first arguments.

    It is a `functools.partial`, which calls on without a step through Python; it has the name and the documentation of
    what it was made of, and binds as a function does where it is an attribute of a class.

    Parameters
    ----------
    call : callable
        Of a module: `(f, *settings, *args, **kwargs)`.
    f : callable
        What is transformed.
    *settings
        Of the transform.
    """

    def __new__(cls, call: Callable[..., Any], f: Callable[..., Any], /, *settings: Any) -> Self:
        self = super().__new__(cls, call, f, *settings)
        update_wrapper(self, f)
        return self

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> Any:
        return name_of(self) or (type(self), (self.func, *self.args))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __repr__(self) -> str:
        name = getattr(self, "__qualname__", None) or repr(self.args[0])
        return f"<{self.func.__name__.strip('_')} of {name}>"


def check_function(f: Any) -> None:
    """Raise if what should be differentiated is not a function."""
    if not callable(f):
        raise TypeError(
            f"a transform takes a function first: grad(f)(x), not grad(f(x)); vjp(f, x). It was given a value of type "
            f"{type(f).__name__}."
        )


def check_forward(transform: str, f: Any, primals: Any, tangents: Any) -> None:
    """Raise if a function is none, or what it is evaluated at, or along what, is not a tuple or a list."""
    check_function(f)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError(
            f"{transform} takes the primals and the tangents as tuples: {transform}(f, (x,), (dx,)), and not "
            f"{type(primals).__name__} and {type(tangents).__name__}"
        )
