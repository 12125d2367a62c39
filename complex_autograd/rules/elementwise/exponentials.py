"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....backends.constants import constant
from ...engine.elementwise import elementwise

_LOG_2 = constant(math.log(2), lambda mp: mp.log(2))
_LOG_10 = constant(math.log(10), lambda mp: mp.log(10))


def _exp(w: Any, z: Any) -> Any:
    return w


def _exp2(w: Any, z: Any) -> Any:
    return w * _LOG_2()


def _expm1(w: Any, z: Any) -> Any:
    return np.exp(z)  # w + 1 cancels where w is near -1


def _log(w: Any, z: Any) -> Any:
    return np.reciprocal(z)


def _log2(w: Any, z: Any) -> Any:
    return np.reciprocal(z * _LOG_2())


def _log10(w: Any, z: Any) -> Any:
    return np.reciprocal(z * _LOG_10())


def _log1p(w: Any, z: Any) -> Any:
    return np.reciprocal(1 + z)


elementwise(np.exp, _exp)
elementwise(np.exp2, _exp2)
elementwise(np.expm1, _expm1)
elementwise(np.log, _log)
elementwise(np.log2, _log2)
elementwise(np.log10, _log10)
elementwise(np.log1p, _log1p)


def difference(a: Any, b: Any) -> Any:
    """`a - b`, and 0 where both are the same infinity: equal arguments share equally."""
    same = (a == b) & np.isinf(a)
    return np.where(same, 0.0, a) - np.where(same, 0.0, b)


# w = log(exp(a) + exp(b)) has dw/da = 1 / (1 + exp(b - a)); its logarithm is -logaddexp(0, b - a), without overflow


def _weight(w: Any, a: Any, b: Any) -> Any:
    return np.exp(-np.logaddexp(0.0, difference(b, a)))


def _other_weight(w: Any, a: Any, b: Any) -> Any:
    return np.exp(-np.logaddexp(0.0, difference(a, b)))


def _weight2(w: Any, a: Any, b: Any) -> Any:
    return np.exp2(-np.logaddexp2(0.0, difference(b, a)))


def _other_weight2(w: Any, a: Any, b: Any) -> Any:
    return np.exp2(-np.logaddexp2(0.0, difference(a, b)))


elementwise(np.logaddexp, _weight, _other_weight)
elementwise(np.logaddexp2, _weight2, _other_weight2)
