"""The arguments of functions of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import raw


def are_single(*arrays: Any) -> bool:
    """Whether all are plain NumPy arrays, none a stack and none empty: SciPy's own function takes them."""
    return all(a is None or _is_single(a) for a in arrays)


def _is_single(a: Any) -> bool:
    return issubclass(type(a), (np.ndarray, np.generic)) and a.ndim < 3 and a.size > 0 and a.dtype.isnative


def native(a: Any) -> Any:
    """The array in the byte order of this machine: some of SciPy's compiled code misreads the other one."""
    return a if a.dtype.isnative else a.astype(a.dtype.newbyteorder("="))


def floating(a: Any) -> Any:
    """The array in a precision that LAPACK has, and of no subclass of NumPy's; integers as float64."""
    a = np.asarray(a) if issubclass(type(a), np.ndarray) else a
    if a.dtype.char in "fdFD":
        return native(a)
    return a.astype(np.float32 if a.dtype.char == "e" else np.complex128 if a.dtype.kind == "c" else np.float64)


def square_operand(a: Any) -> Any:
    """Square matrices in such a precision; `ValueError` if it is anything else."""
    a = as_operand(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"expected square array_like input; the shape is {a.shape}")
    return floating(a)


def with_estimate(x: Any, function: Callable[..., Any], a: Any, disp: bool | None) -> Any:
    """The value of a function, and with `disp=False` the estimate of its error too, where SciPy's returns one."""
    if disp is None or disp:
        return x
    out = function(raw(a), disp=False)
    return (x, out[1]) if isinstance(out, tuple) else x
