"""Checks before LAPACK is called, as in SciPy, and before dividing by LAPACK's factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import eps_of
from ...complex_autograd.engine.traced import Traced
from .public import refuse_infinite
from .tolerances import TIED


def some_traced(*arrays: Any) -> bool:
    """Whether one of some arrays is traced: then a rule has to see the call."""
    return any(isinstance(x, Traced) for x in arrays)


def needs_conversion(*arrays: Any) -> bool:
    """Whether there are integers, or a precision that LAPACK has not: SciPy knows what becomes of them."""
    return any(x.dtype.char not in "fdFD" for x in arrays)


def refuse_nonfinite(check_finite: bool, *arrays: Any) -> None:
    """Raise if it is to be checked, and one of the arrays holds an infinity or NaN."""
    if check_finite:
        refuse_infinite(*arrays)


def refuse_rectangular(a: Any) -> None:
    """Raise if the matrices are not square."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"expected square matrices; the shape is {a.shape}")


def cancelled(x: Any, scale: Any, size: int) -> Any:
    """Where a number is zero up to rounding, relative to the terms of this size that it is the sum of."""
    return np.abs(x) <= TIED * size**0.5 * eps_of(x.dtype) * scale


def index_of(found: Any) -> str:
    """The index of the first one, for a message: "2", or "2 of item (0, 1) of the stack"."""
    *item, k = (int(i[0]) for i in np.nonzero(found))
    return f"{k} of item {tuple(item)} of the stack" if item else str(k)
