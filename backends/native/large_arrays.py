"""Kernels on large arrays, in threads of the C library's own, which wake sooner than those of Python."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ...determinism.threads import threads_here
from ..memory import keep_freed_memory
from ..scipy_errors import is_quiet
from . import ufuncs
from .library import library
from .machine import start_of

LARGE = 100_000
"""From so many elements on threads are worth while."""

CHECKED = {"f": LARGE, "c": 20_000}
"""From so many numbers on it is told here whether all are finite: of 45,000 complex ones in 23 us (NumPy: 65)."""

REAL = (np.dtype(np.float64), np.dtype(np.float32))
"""The types of real numbers that there are kernels for."""
_COMPLEX = (np.dtype(np.complex128), np.dtype(np.complex64))
_KINDS = (np.ndarray, float, int)
_MOST = 8
"""Operands; `large_arrays.c` has the same number."""
_UNDERFLOW_ALONE = 1
"""What the library answers where the product underflows, and nothing else happens to it."""


def over_threads(kernel: np.ufunc, args: Sequence[Any], factor: Any = None) -> Any:
    """The values of a ufunc of the library's at large arrays, times a factor where one is given.

    Parameters
    ----------
    kernel : ufunc
        Of `ufuncs.with_kernels` or `ufuncs.ufunc_of`, with one result.
    args : sequence
        C-contiguous arrays of one shape and type, float64 or float32, and numbers of Python's; without a factor also
        complex ones.
    factor : array, optional
        Of the same shape and type; it may have the same number everywhere.

    Returns
    -------
    array or None
        None where the arguments are others, or the product over- or underflows or is invalid, which NumPy reports as
        the user asks.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.elementary import derivative
    >>> from wirtinger.backends.native.large_arrays import over_threads
    >>> kernel = derivative("erf")
    >>> found = None if kernel is None else over_threads(kernel, [numpy.zeros(3)], numpy.ones(3))
    >>> found is None or found.round(6).tolist() == [1.128379, 1.128379, 1.128379]
    True
    """
    first = next((x for x in args if type(x) is np.ndarray), None)
    if first is None or not (first.dtype in REAL or (factor is None and first.dtype in _COMPLEX)):
        return None
    if any(type(x) not in _KINDS for x in args) or kernel.nargs > _MOST:
        return None
    given = [x.dtype if type(x) is np.ndarray else type(x) for x in args]
    if len(given) > 1 and any(x != first.dtype for x in kernel.resolve_dtypes((*given, None))):
        return None
    arrays = [x if type(x) is np.ndarray else np.array(x, first.dtype) for x in args]
    loop = ufuncs.loop_of(kernel, first.dtype.char) if library() is not None else None
    if loop is None or not all(_is_like(first, x) or _is_one(first, x) for x in arrays):
        return None
    if not (factor is None or _is_like(first, factor) or _is_constant(first, factor)):
        return None
    keep_freed_memory()
    w = np.empty(first.shape, first.dtype)
    errors = _run(loop, [*arrays, w], factor)
    is_reported = errors > _UNDERFLOW_ALONE or (errors and np.geterr()["under"] != "ignore")
    return None if is_reported else w


def with_derivative(name: str, x: Any) -> tuple[Any, Any] | None:
    """A special function and its derivative at a large array of real numbers, in one pass.

    Parameters
    ----------
    name : str
        A function of `scipy.special`, of one argument.
    x : array
        Real.

    Returns
    -------
    tuple of array or None
        None where the library has no such loop, the array has gaps, or there is an error to report.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.large_arrays import with_derivative
    >>> found = with_derivative("erfc", numpy.zeros(2))
    >>> found is None or [a.round(6).tolist() for a in found] == [[1, 1], [-1.128379, -1.128379]]
    True
    """
    loop = ufuncs.with_derivative(name, x.dtype.char) if x.flags.c_contiguous and x.flags.aligned else None
    if loop is None or not x.dtype.isnative or not is_quiet():
        return None
    keep_freed_memory()
    w, dw = np.empty_like(x), np.empty_like(x)
    return None if _run(loop, [x, w, dw]) else (w, dw)


def _run(loop: tuple[int, int | None], arrays: Sequence[Any], factor: Any = None) -> int:
    """Run a loop on arrays and numbers, results last, the last one times a factor; errors as `large_elementwise`."""
    w, count = arrays[-1], len(arrays)
    times = (None, 0) if factor is None else (start_of(factor), w.itemsize if any(factor.strides) else 0)
    steps = array("q", [x.itemsize if x.ndim else 0 for x in arrays])
    operands = array("Q", map(start_of, arrays))
    tables = operands.buffer_info()[0], steps.buffer_info()[0]
    errors: int = _function("elementwise")(*loop, count, *tables, w.size, *times, w.itemsize, threads_here())
    return errors


def copied(a: Any) -> Any:
    """A copy of a large array, in its memory order.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.large_arrays import copied
    >>> copied(numpy.arange(3.0))
    array([0., 1., 2.])
    """
    if library() is None or not a.flags.c_contiguous or a.dtype.hasobject:
        return a.copy(order="K")
    keep_freed_memory()
    copy = np.empty(a.shape, a.dtype)
    _function("copy")(start_of(a), start_of(copy), a.nbytes, threads_here())
    return copy


def is_finite(x: Any) -> bool:
    """Whether all elements of a large array of floating-point numbers are finite.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.large_arrays import is_finite
    >>> is_finite(numpy.zeros(3)), is_finite(numpy.array([1.0, numpy.inf]))
    (True, False)
    """
    if 0 in x.strides:
        x = x[tuple(slice(None) if step else slice(1) for step in x.strides)]  # once what is repeated
    is_dense = x.flags.c_contiguous and x.flags.aligned
    real = x.real.dtype if is_dense else x.dtype
    if not is_dense or real not in REAL or library() is None:
        return bool(np.count_nonzero(np.isfinite(x)) == x.size)
    kernel = _function(f"is_finite_float{8 * real.itemsize}")
    return bool(kernel(start_of(x), x.nbytes // real.itemsize, threads_here()))


def _is_like(first: Any, x: Any) -> bool:
    """Whether an array lies in memory as another one."""
    is_same = type(x) is np.ndarray and x.shape == first.shape and x.dtype == first.dtype
    return is_same and bool(x.flags.c_contiguous and x.flags.aligned)


def _is_one(first: Any, x: Any) -> bool:
    """Whether an array is a number of the type of another array."""
    return not x.ndim and x.dtype == first.dtype


def _is_constant(first: Any, x: Any) -> bool:
    """Whether an array is one number, broadcast to the shape of another array."""
    is_same = type(x) is np.ndarray and x.shape == first.shape and x.dtype == first.dtype
    return is_same and not any(x.strides) and bool(x.flags.aligned)


@cache
def _function(name: str) -> Any:
    found = getattr(library(), f"large_{name}")
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    arguments = {
        "elementwise": (pointer, pointer, size, pointer, pointer, size, pointer, size, size, size),
        "copy": (pointer, pointer, size, size),
    }
    found.argtypes = arguments.get(name, (pointer, size, size))
    found.restype = None if name == "copy" else ctypes.c_int
    return found
