"""The elements of arrays: mpmath's real numbers under the dtype float64, its complex ones under complex128."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from ..constants import Constant

REAL, COMPLEX = np.dtype(np.float64), np.dtype(np.complex128)
"""The dtypes of arrays of mpmath's numbers: they tell real from complex, and no precision."""

ARRAYS: list[Any] = []
"""The class of the arrays, which is made of all else here: it enters itself."""


def real(x: Any) -> Any:
    """A number as a real one of mpmath's, exactly."""
    return x if type(x) is mpmath.mpf else mpmath.mpf(x.item() if isinstance(x, np.integer) else x)


def complex_(x: Any) -> Any:
    """A number as a complex one of mpmath's, exactly."""
    return x if type(x) is mpmath.mpc else mpmath.mpc(x)


REALS, COMPLEXES = np.frompyfunc(real, 1, 1), np.frompyfunc(complex_, 1, 1)


def label(dtype: Any) -> np.dtype[Any]:
    """The dtype of mpmath's numbers for one of NumPy's that has floating-point numbers."""
    return COMPLEX if np.dtype(dtype).kind == "c" else REAL


def numbers(x: Any, dtype: np.dtype[Any]) -> Any:
    """An array of numbers, or of Python's, as an array of objects that are mpmath's numbers of one kind, exactly."""
    if type(x) is Constant:
        x = x.exactly(mpmath)
    host = np.asarray(x)
    if host.dtype.kind != "O":
        host = host.astype(object)
    out = np.empty(host.shape, object)
    with np.errstate(all="ignore"):  # to compare a NaN of a double with itself warns
        out[...] = (COMPLEXES if dtype is COMPLEX else REALS)(host)
    return out


def label_of(x: Any) -> np.dtype[Any]:
    """The dtype of what an object holds, by its elements where it is an array of objects."""
    if type(x) is mpmath.mpc:
        return COMPLEX
    if type(x) is Constant:
        return REAL
    if type(x) is mpmath.mpf or issubclass(type(x), mpmath.ctx_mp_python._constant):
        return REAL
    host = np.asarray(x)
    if host.dtype.kind != "O":
        return label(host.dtype)
    return COMPLEX if any(type(item) in (mpmath.mpc, complex, np.complex128) for item in host.flat) else REAL
