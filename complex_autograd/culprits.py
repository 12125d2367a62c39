"""Which part of NumPy converted a traced value to a plain array, and what to call in its place."""

from __future__ import annotations

import sys
from typing import Final, NamedTuple

__all__ = ["Culprit", "culprit"]


class Culprit(NamedTuple):
    """What cannot differentiate, and what to do instead."""

    name: str
    instead: str


CULPRITS: Final = {
    "numpy.ma.": Culprit(
        "numpy.ma, whose arrays hold plain memory", "call where(mask, a, b), or sum, mean, ... with where="
    ),
    "numpy.polynomial.": Culprit(
        "numpy.polynomial, which takes plain coefficients and, in its classes, plain points",
        "call polyval(c[::-1], x), or vander(x, len(c), increasing=True) @ c",
    ),
    "numpy.lib._stride_tricks_impl.as_strided": Culprit(
        "as_strided, which addresses plain memory",
        "call lib.stride_tricks.sliding_window_view, or select by an array of indices, a[rows[:, None] + columns]",
    ),
    "numpy.lib._function_base_impl._vectorize_call": Culprit(
        "numpy.vectorize, which makes arrays of Python objects", "call wirtinger.vectorize"
    ),
}
"""By the beginning of the name of the function, with its module."""

_NEAR: Final = 6
"""A caller so many frames away is still part of the same call."""


def culprit() -> Culprit | None:
    """What called the caller of this function, if it is one of those that are known."""
    frame = sys._getframe(1).f_back
    for _ in range(_NEAR):
        if frame is None:
            break
        name = f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}"
        for beginning, found in CULPRITS.items():
            if name.startswith(beginning):
                return found
        frame = frame.f_back
    return None
