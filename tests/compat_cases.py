"""Calls of functions that stand for SciPy's, and what is asked of each: SciPy's values, and right derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from traced_values import check_value
from wirtinger import gradcheck

__all__ = ["REAL", "Case", "check_derivatives", "check_single_precision", "draw", "parameters"]

REAL = "f"
"""What SciPy computes with real numbers only."""


@dataclass(frozen=True)
class Case:
    """A call, differentiated in all arguments.

    Attributes
    ----------
    ulps : int
        How far the value under a trace may be from SciPy's, in roundings of the largest element.
    """

    name: str
    call: Callable[..., Any]
    args: tuple[Any, ...]
    kinds: str = "fc"
    ulps: int = 64


def draw(*shape: int, seed: int = 0) -> Any:
    """Normal random numbers."""
    return np.random.default_rng(seed).standard_normal(shape)


def parameters(cases: list[Case]) -> list[Any]:
    """Each case with each kind of numbers."""
    return [pytest.param(case, kind, id=f"{case.name}-{kind}") for case in cases for kind in case.kinds]


def _as_kind(args: tuple[Any, ...], kind: str) -> list[Any]:
    if kind == REAL:
        return [np.asarray(a, np.float64)[()] for a in args]
    random = np.random.default_rng(3)
    return [np.asarray(a + 0.2j * random.standard_normal(np.shape(a)))[()] for a in args]


def check_derivatives(case: Case, kind: str) -> None:
    """The value of the plain call, and all derivatives, to second order."""
    args = _as_kind(case.args, kind)
    check_value(case.call, *args, ulps=case.ulps)
    assert gradcheck(case.call, *args)


def check_single_precision(case: Case, kind: str) -> None:
    """The value, and its dtype, of single precision."""
    dtype = np.float32 if kind == REAL else np.complex64
    check_value(case.call, *[np.asarray(a, dtype)[()] for a in _as_kind(case.args, kind)], ulps=case.ulps)
