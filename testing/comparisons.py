"""What the checks of a rule compare, and how they name it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..complex_autograd.transforms.differences import Check, largest

_EXACT = 4096.0
"""The largest error of an identity, in units of `eps`."""


def type_of(a: Any) -> str:
    """The dtype and the shape of an array."""
    return f"{np.asarray(a).dtype} {np.shape(a)}"


def same(name: str, found: Sequence[Any], expected: Sequence[Any], units: Sequence[float] | None = None) -> Check:
    """That arrays are equal to the last bit, or up to rounding of numbers of some size."""
    worst = 0.0
    for i, (a, b) in enumerate(zip(found, expected, strict=True)):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape:
            return Check(name, np.inf, 0.0, f"shapes {a.shape} and {b.shape}")
        if a.size:
            size = max(units[i] if units else 0.0, largest(b))
            error = float(np.max(np.where(a == b, 0.0, np.abs(a - b)))) / size
            worst = max(worst, error if error == error else np.inf)
    eps = max((float(np.finfo(np.asarray(b).dtype).eps) for b in expected), default=0.0)
    return Check(name, worst, _EXACT * eps if units else 0.0)


def layouts_of(a: Any) -> list[Any]:
    """Copies of an array with the memory order reversed, and with every other place in memory left free."""
    spaced = np.empty((*a.shape, 2), a.dtype)[..., 0]
    spaced[...] = a
    return [a.copy("F"), spaced]
