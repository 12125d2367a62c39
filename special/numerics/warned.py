"""Warnings that point at the line of the user's that made the call, however deep in this package they are given."""

from __future__ import annotations

import sys
import warnings

from scipy.special import SpecialFunctionWarning

_PACKAGE = __name__.partition(".")[0]


def warn(message: str, category: type[Warning] = SpecialFunctionWarning) -> None:
    """Give a warning.

    Parameters
    ----------
    message : str
        What happened, the likely causes, and what to do instead.
    category : type
        Of warnings.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
