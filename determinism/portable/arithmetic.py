"""Arithmetic in which every step is one operation of IEEE 754, elementwise: no CPU and no C library changes a bit.

NumPy's products of complex numbers are not so: some CPUs fuse a product with a sum.  Its loops for the larger of two
numbers choose between 0.0 and -0.0 as the CPU's instructions do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DeterminismError
from ..levels import Level

_LARGEST_EXPONENT = 64


def _in_common(a: Any, b: Any) -> tuple[Any, Any]:
    dtype = np.result_type(a, b)
    return np.asarray(a, dtype), np.asarray(b, dtype)


def multiply(a: Any, b: Any) -> Any:
    """`a b`."""
    a, b = _in_common(a, b)
    if a.dtype.kind != "c":
        return np.multiply(a, b)
    x = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
    x.real, x.imag = a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real
    return x[()]


def power(a: Any, b: Any) -> Any:
    """`a**b` of real numbers for one exponent: an integer, by squares and products, or 0.5.

    Raises
    ------
    DeterminismError
        For any other: it takes logarithms, which C libraries round as they like.
    """
    exponent = np.asarray(b)
    n = exponent.item() if exponent.size == 1 else np.nan
    shape, dtype = np.broadcast_shapes(np.shape(a), exponent.shape), np.result_type(a, b)
    base = np.broadcast_to(np.asarray(a, dtype), shape)
    if n == 0.5:
        return np.sqrt(base)
    if n != np.rint(n) or abs(n) > _LARGEST_EXPONENT:
        raise DeterminismError(
            "power",
            "numpy",
            Level.PORTABLE,
            Level.SCHEDULE,
            f"the exponent is neither one integer up to {_LARGEST_EXPONENT} nor 0.5, and the logarithms that other "
            "powers take are rounded as the C library likes",
            "write the power by products and numpy.sqrt; or ask for 'schedule'",
        )
    x = np.ones(shape, dtype)
    for k in range(int(abs(n)).bit_length()):
        base = base * base if k else base
        x = x * base if int(abs(n)) >> k & 1 else x
    return np.reciprocal(x)[()] if n < 0 else x[()]


def _selecting(name: str, past_nan: bool) -> Callable[[Any, Any], Any]:
    """The larger or the smaller of two numbers; of 0.0 and -0.0 the larger is 0.0."""
    plain: np.ufunc = getattr(np, name)
    is_larger = name.endswith("max") or name == "maximum"

    def select(a: Any, b: Any) -> Any:
        if np.result_type(a, b).kind != "f":
            return plain(a, b)
        a, b = _in_common(a, b)
        first = (a > b) | ((a == b) & ~np.signbit(a)) if is_larger else (a < b) | ((a == b) & np.signbit(a))
        first = (first | np.isnan(b)) if past_nan else (first & ~np.isnan(b)) | np.isnan(a)
        return np.where(first, a, b)[()]

    select.__name__ = name
    return select


maximum, minimum = _selecting("maximum", False), _selecting("minimum", False)
fmax, fmin = _selecting("fmax", True), _selecting("fmin", True)
