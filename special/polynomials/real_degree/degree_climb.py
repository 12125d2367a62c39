"""Recurrences in the degree from its fractional part up to it, of numbers, vectors and jets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import Traced
from ...numerics.jets import Jet
from ...numerics.regions import joined, part, plain


def fraction(n: Any, integer: Any) -> Any:
    """The fractional part; where it is 0 everywhere, its value is a number, which makes coefficients numbers."""
    f = n - integer
    if isinstance(f, Jet) and not isinstance(f.value, Traced) and not np.any(f.value):
        return Jet({**f.coefficients, (0,) * len(f.orders): 0.0}, f.orders)
    return f


def climb(integer: Any, next_rise: Any, parameters: Any, value: Any, rise: Any) -> tuple[Any, Any]:
    """The members `integer` steps above the first one of a sequence, and those one below.

    Parameters
    ----------
    integer : float or array
        Integers.  Vectors are sorted by them, so that the elements that go on stand first.
    next_rise : callable
        `(k, parameters, value, before)`: from the member `k` the rise to the next one; `before` is the rise to it.
    parameters : tuple
        Numbers, vectors or jets.
    value, rise : array or Jet
        The first member, and the rise to the next one.
    """
    if np.ndim(integer) == 0:
        return _climb(int(integer), None, next_rise, parameters, (value, 0.0 * value, rise))[0]
    steps = integer.astype(np.int16)
    order = np.argsort(-steps, kind="stable")
    above = len(steps) - np.cumsum(np.bincount(steps))
    state = tuple(part(p, order) for p in (value, 0.0 * value, rise))
    pieces = _climb(int(steps.max()), above, next_rise, tuple(part(p, order) for p in parameters), state)
    values, lower = zip(*pieces, strict=True)
    return joined(values, order), joined(lower, order)


def _climb(top: int, above: Any, next_rise: Any, parameters: Any, state: Any) -> list[tuple[Any, Any]]:
    """All that arrive, those which went farthest first; `above[k]` elements go beyond `k`."""
    value, lower, rise = state
    arrived: list[tuple[Any, Any]] = []
    size = None if above is None else len(plain(value))
    for k in range(top):
        if size is not None and above[k] < size:
            size = above[k]
            arrived.append((part(value, slice(size, None)), part(lower, slice(size, None))))
            value, lower, rise = (part(p, slice(size)) for p in (value, lower, rise))
            parameters = tuple(part(p, slice(size)) for p in parameters)
        rise = next_rise(k, parameters, value, rise) if k else rise
        value, lower = value + rise, value
    return [(value, lower), *reversed(arrived)]
