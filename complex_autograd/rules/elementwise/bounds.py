"""The larger and the smaller of two, and clipping.

The derivative goes to the argument that is the result; where both are, they share it equally, which is the subgradient
of least norm.  That covers the lexicographic order of complex numbers, and NaN, as NumPy defines them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import implements, refuse_out
from ...engine.elementwise import elementwise


def _share(won: Any, other: Any) -> Any:
    return (1.0 + won - other) / 2


def _first(w: Any, a: Any, b: Any) -> Any:
    return _share((a == w) | (a != a), (b == w) | (b != b))


def _second(w: Any, a: Any, b: Any) -> Any:
    return _share((b == w) | (b != b), (a == w) | (a != a))


def _first_number(w: Any, a: Any, b: Any) -> Any:
    none = w != w
    return _share((a == w) | none, (b == w) | none)


def _second_number(w: Any, a: Any, b: Any) -> Any:
    none = w != w
    return _share((b == w) | none, (a == w) | none)


elementwise(np.maximum, _first, _second, chooses=True)
elementwise(np.minimum, _first, _second, chooses=True)
elementwise(np.fmax, _first_number, _second_number, chooses=True)
elementwise(np.fmin, _first_number, _second_number, chooses=True)


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
