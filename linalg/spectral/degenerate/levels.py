"""Information in the levels of a traced array: the direction along which it moves, and the value below.

A hidden level is created by a rule, to compute with a series (`laurent`) or with error bounds (`running_errors`); the
transforms called by the user are not aware of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.errors import NO_DERIVATIVE
from ....complex_autograd.engine.forward import ForwardTrace
from ....complex_autograd.engine.traced import Traced, raw, settled


def forward_direction(a: Any) -> Any:
    """The tangent of a traced array in forward mode, as a plain array; None where there is none."""
    while isinstance(a, Traced):
        if isinstance(a._tracer, ForwardTrace):
            return raw(a._tangent)
        a = a._value
    return None


def leading(x: Any) -> Any:
    """The term of order 0 of an array, below all levels; not of the series of tiny values, which may not converge."""
    while isinstance(x, Traced):
        trace: Any = x._tracer
        is_series = trace.hidden and trace.verdict.kind != "tiny"
        x = x._tangent.terms.get(0, 0 * raw(x)) if is_series else x._value
    return x


def with_plain_terms(x: Any) -> Any:
    """A series with arrays in place of series in other numbers, as far as they tell what it is at `t = 0`."""
    terms = x._tangent.terms
    if not any(isinstance(y, Traced) for y in (x._value, *terms.values())):
        return x
    try:
        value = settled(x._value)
    except NO_DERIVATIVE:
        value = np.nan * raw(x._value)
    plain = {n: settled(y) if n <= 0 else leading(y) for n, y in terms.items()}
    return x._tracer.series(value, plain, x._tangent.top, x._tangent.peak)
