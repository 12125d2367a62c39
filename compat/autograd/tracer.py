"""Traced values by autograd's names: a `Box` is a `Traced` array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...complex_autograd.engine.traced import Traced, raw
from .primitives import primitive
from .wrap_util import wraps

__all__ = ["Box", "getval", "isbox", "notrace_primitive", "primitive"]

Box = Traced


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
