"""Functions with some of their arguments fixed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..wrap_util import wraps

__all__ = ["const_graph"]


def const_graph(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """A function with its first arguments given: it runs at every call.

    autograd runs it once, and then again what depends on the other arguments alone; `wirtinger.compile` does that, and
    more.

    Examples
    --------
    >>> from wirtinger.compat.autograd.misc import const_graph
    >>> const_graph(lambda x, y: x + y, 1.0)(2.0)
    3.0
    """
    return wraps(fun)(lambda *rest: partial(fun, *args, **kwargs)(*rest))  # type: ignore[no-any-return]
