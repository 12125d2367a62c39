"""`scipy.special` in the copies: its ufuncs, which have rules, and our functions in place of its others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special

from .... import special
from . import ufuncs as _with_rules  # noqa: F401  (it registers its rules)
from .values import either

__all__ = ["SPECIAL"]


def _is_function(name: str) -> bool:
    theirs = getattr(scipy.special, name)
    return callable(theirs) and not isinstance(theirs, (np.ufunc, type)) and name in special.__all__


SPECIAL: dict[str, Callable[..., Any]] = {
    name: either(getattr(scipy.special, name), getattr(special, name))
    for name in scipy.special.__all__
    if _is_function(name)
}
"""The functions that are no ufuncs."""
