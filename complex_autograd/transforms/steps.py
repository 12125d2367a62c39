"""The steps of `linearize`: how a recorded operation propagates tangents, with and without structural zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from ..array.inplace import masked
from ..engine.space import embed
from ..engine.structural_zeros import generic_like, times, unless_all
from ..engine.traced import raw
from ..engine.zero import ZERO


@final
class Step:
    """One recorded operation: how it pushes the tangents of its parents forward.

    `factor` is the constant that it multiplies by, if it does.
    """

    __slots__ = ("factor", "is_elementwise", "is_linear", "parents", "push", "spaces")

    def __init__(self, parents: Sequence[Any], push: Callable[..., Any], spaces: Any, operation: Any) -> None:
        self.parents = parents
        self.push = push
        self.spaces = spaces
        self.factor = None
        self.is_elementwise = operation.is_elementwise
        self.is_linear = operation.chooses or (not self.is_elementwise and operation.linearity == "jointly")


class Moving(NamedTuple):
    """A tangent, and where it is alive, in the sense of `structural_zeros`."""

    tangent: Any
    live: Any


def tangent_or_zeros(moved: Any, x: Any) -> Any:
    """The tangent of an output."""
    tangent = moved.tangent if isinstance(moved, Moving) else moved
    return np.zeros_like(x) if tangent is ZERO else tangent


def push_step(step: Step, tangents: Sequence[Any]) -> list[Any]:
    """The tangents of the outputs of a step."""
    result = step.push(*tangents)
    results = result if isinstance(result, tuple) else (result,)
    return [
        dx if dx is not ZERO and dtype.kind not in "fc" else _in_space(dx, shape, dtype)
        for dx, (shape, dtype) in zip(results, step.spaces, strict=True)
    ]


def push_step_carefully(step: Step, moving: Sequence[Moving]) -> list[Moving]:
    """The same as the sum of what each tangent gives alone, without what is zero by structure."""
    totals = [Moving(ZERO, False)] * len(step.spaces)
    for i, (dx, live) in enumerate(moving):
        if bool(np.any(live)):
            parts = _alone(step, i, dx, len(moving))
            masks: list[Any] = [True] * len(parts)
            if step.is_linear:
                generic = generic_like(dx, live, dx.shape, dx.dtype)
                masks = [unless_all(raw(part) != 0) for part in _alone(step, i, generic, len(moving))]
                parts = [masked(part, condition=at) for part, at in zip(parts, masks, strict=True)]
            elif step.is_elementwise:
                shape = parts[0].shape
                live = live if step.factor is None else times(live, step.factor, shape)
                masks = [live if type(live) is bool else np.broadcast_to(live, shape)] * len(parts)
                parts = [masked(part, condition=at) for part, at in zip(parts, masks, strict=True)]
            totals = [_plus(*each) for each in zip(totals, parts, masks, strict=True)]
    return totals


def _alone(step: Step, i: int, dx: Any, count: int) -> list[Any]:
    """What one tangent of several gives."""
    return push_step(step, [dx if k == i else ZERO for k in range(count)])


def _plus(total: Moving, part: Any, live: Any) -> Moving:
    if part.dtype.kind not in "fc" or live is False:
        return total
    if total.live is False:
        return Moving(part, live)
    return Moving(total.tangent + part, live is True or total.live is True or total.live | live)


def _in_space(dx: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return np.zeros(shape, dtype) if dx is ZERO else embed(dx, shape, dtype)
