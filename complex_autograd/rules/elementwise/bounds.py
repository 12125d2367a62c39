"""The larger and the smaller of two, and clipping.

The derivative goes to the argument that is the result; where both are, they share it equally, which is the subgradient
of least norm.  That covers the lexicographic order of complex numbers, and NaN, as NumPy defines them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import implements, refuse_out
from ...engine.elementwise import elementwise
from ...engine.kinks import lean


def _declare(function: Any, leaves_out_nan: bool) -> None:
    name = f"numpy.{function.__name__}"

    def share(w: Any, a: Any, b: Any) -> Any:
        nan = w != w if leaves_out_nan else False
        won, other = ((x == w) | (nan if leaves_out_nan else x != x) for x in (a, b))
        return (1.0 + won - other) / 2, won & other

    def first(w: Any, a: Any, b: Any) -> Any:
        s, ties = share(w, a, b)
        return s + lean(ties, name, a, b)

    def second(w: Any, a: Any, b: Any) -> Any:
        s, ties = share(w, b, a)
        return s - lean(ties, name, a, b)

    elementwise(function, first, second, chooses=True)


_declare(np.maximum, leaves_out_nan=False)
_declare(np.minimum, leaves_out_nan=False)
_declare(np.fmax, leaves_out_nan=True)
_declare(np.fmin, leaves_out_nan=True)


@implements(np.clip)
def _(
    a: Any,
    a_min: Any = np._NoValue,
    a_max: Any = np._NoValue,
    out: Any = None,
    *,
    min: Any = np._NoValue,
    max: Any = np._NoValue,
    **kwargs: Any,
) -> Any:
    refuse_out(np.clip, out)
    if (a_min is np._NoValue) != (a_max is np._NoValue):
        raise TypeError(f"clip() missing 1 required positional argument: '{_which(a_min)}'")
    if a_min is np._NoValue:
        a_min, a_max = (None if bound is np._NoValue else bound for bound in (min, max))
    elif min is not np._NoValue or max is not np._NoValue:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    if a_min is None and a_max is None:
        return np.positive(a, **kwargs)
    if a_min is not None:
        a = np.maximum(a, a_min, **kwargs)
    return a if a_max is None else np.minimum(a, a_max, **kwargs)


def _which(a_min: Any) -> str:
    return "a_min" if a_min is np._NoValue else "a_max"
