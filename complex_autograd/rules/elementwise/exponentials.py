"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....backends.constants import constant
from ...engine.elementwise import elementwise
from ...engine.opaque import is_on_host

_LOG_2 = constant(math.log(2), lambda mp: mp.log(2))
_LOG_10 = constant(math.log(10), lambda mp: mp.log(10))


elementwise(np.exp, lambda w, z: w)
elementwise(np.exp2, lambda w, z: w * _LOG_2())
elementwise(np.expm1, lambda w, z: np.exp(z))  # w + 1 cancels where w is near -1
elementwise(np.log, lambda w, z: np.reciprocal(z))
elementwise(np.log2, lambda w, z: np.reciprocal(z * _LOG_2()))
elementwise(np.log10, lambda w, z: np.reciprocal(z * _LOG_10()))
elementwise(np.log1p, lambda w, z: np.reciprocal(1 + z))


def difference(a: Any, b: Any) -> Any:
    """`a - b`, and 0 where both are the same infinity: equal arguments share equally."""
    same = (a == b) & np.isinf(a)
    if type(same) is np.ndarray and not same.any():
        return a - b
    with np.errstate(invalid="ignore"):
        return np.where(same, 0, a - b)


# w = log(exp(a) + exp(b)) has dw/da = 1 / (1 + exp(b - a))


def share_beside(ufunc: np.ufunc, d: Any) -> Any:
    """`1 / (1 + exp(d))`, or with `exp2`, without overflow.

    Its logarithm is `-logaddexp(0, d)`, which is smooth; of arrays there is a formula without `logaddexp`, of which a
    million take NumPy 25 ms.
    """
    exponential = EXPONENTIALS[ufunc]
    if not is_on_host(d) or not d.ndim:
        return exponential(-ufunc(0.0, d))
    e = exponential(-np.abs(d))
    return np.where(d > 0, e, 1.0) / (1.0 + e)


EXPONENTIALS: dict[np.ufunc, Any] = {np.logaddexp: np.exp, np.logaddexp2: np.exp2}

for _ufunc in EXPONENTIALS:
    elementwise(
        _ufunc,
        lambda w, a, b, ufunc=_ufunc: share_beside(ufunc, difference(b, a)),
        lambda w, a, b, ufunc=_ufunc: share_beside(ufunc, difference(a, b)),
    )
