"""Replacements, in the copy of `numpy.polynomial`, for NumPy functions that its code cannot call with traced values."""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from ..complex_autograd.engine.dispatch import holds_traced
from ..complex_autograd.engine.operands import as_operand
from ..complex_autograd.engine.traced import raw
from .rebinding import Around, Replacements

__all__ = ["PACKAGE", "replacements"]

PACKAGE = "numpy.polynomial"
_SERIES = {"chebyshev": "cheb", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag", "legendre": "leg"}


def _companion(theirs: Any) -> Any:
    """The companion matrix of a series, of plain coefficients NumPy's.

    It is affine in `c[:-1] / c[-1]`, which stands in its last column: the matrix of `0, .., 0, 1` and multiples of it.
    """

    def make(copied: Any) -> Any:
        @wraps(copied)
        def companion(c: Any) -> Any:
            if not holds_traced(c):
                return theirs(c)
            c = as_operand(c)
            if len(c) < 2 or raw(c)[-1] == 0:
                return copied(c)
            of_last = theirs(np.eye(1, len(c), len(c) - 1)[0])
            factors = theirs(np.ones(len(c)))[:, -1] - of_last[:, -1]
            last = of_last[:, -1] + factors * (c[:-1] / c[-1])
            return np.concatenate([of_last[:, :-1], last[:, None]], axis=1)

        return companion

    return Around(make)


def replacements() -> Replacements:
    """By modules: those that ask NumPy's protocol, as they are written; companion matrices; nodes, which are plain."""
    written = Around(lambda function: getattr(function, "_implementation", function))
    found: dict[str, dict[str, Any]] = {f"{PACKAGE}.polynomial": dict.fromkeys(("polyval2d", "polygrid2d"), written)}
    for name, short in _SERIES.items():
        theirs = import_module(f"{PACKAGE}.{name}")
        companion, gauss = f"{short}companion", f"{short}gauss"
        found[f"{PACKAGE}.{name}"] = {
            companion: _companion(getattr(theirs, companion)),
            gauss: getattr(theirs, gauss),
        }
    return found
