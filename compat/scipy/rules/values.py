"""Values by SciPy, derivatives by a formula or by an equation: what the rules of this folder are written with."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ....complex_autograd.array.tracing import is_tracing
from ....complex_autograd.engine.dispatch import holds_traced, lowered
from ....complex_autograd.engine.traced import depth_of, raw

__all__ = ["either", "is_traced", "moved_to", "replaces", "solution"]


def is_traced(args: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether an argument is traced, or a list that holds something traced."""
    return any(map(holds_traced, args)) or any(map(holds_traced, options.values()))


def replaces(theirs: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function stand for SciPy's inside of functions that are being differentiated."""

    def declare(ours: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(theirs)
        def call(*args: Any, **options: Any) -> Any:
            return (ours if is_tracing() else theirs)(*args, **options)

        return call

    return declare


def either(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """SciPy's function where nothing is traced, and ours where something is."""

    @wraps(theirs)
    def call(*args: Any, **options: Any) -> Any:
        return (ours if is_traced(args, options) else theirs)(*args, **options)

    return call


def moved_to(value: Any, w: Any) -> Any:
    """What has the derivatives of `w`, moved by a constant to a value."""
    there = raw(w)
    with np.errstate(invalid="ignore"):
        off = np.where((value == there) | ~np.isfinite(there), 0.0, value - there)
    return w + off


def solution(value: Any, residual: Callable[..., Any], derivative: Callable[..., Any], *args: Any) -> Any:
    """The solution `w(a)` of `F(w, a) = 0` from its value, with as many derivatives as are being taken of `a`.

    Each step of the chord method, `w - F(w, a) / F_w` with `F_w` a constant, has one more derivative right
    (`wirtinger.implicit`).
    """
    numbers = lowered(list(args))
    at = derivative(value, *numbers)
    w = value
    for _ in range(max(map(depth_of, args))):
        w = w - residual(w, *args) / at
    return moved_to(value, w)
