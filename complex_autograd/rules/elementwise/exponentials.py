"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....backends.constants import constant
from ...engine.elementwise import elementwise

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
    return np.where(same, 0.0, a) - np.where(same, 0.0, b)


# w = log(exp(a) + exp(b)) has dw/da = 1 / (1 + exp(b - a)); its logarithm is -logaddexp(0, b - a), without overflow

elementwise(
    np.logaddexp,
    lambda w, a, b: np.exp(-np.logaddexp(0.0, difference(b, a))),
    lambda w, a, b: np.exp(-np.logaddexp(0.0, difference(a, b))),
)
elementwise(
    np.logaddexp2,
    lambda w, a, b: np.exp2(-np.logaddexp2(0.0, difference(b, a))),
    lambda w, a, b: np.exp2(-np.logaddexp2(0.0, difference(a, b))),
)
