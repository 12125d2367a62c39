"""The size up to which OpenBLAS computes in the calling thread.

Above it, OpenBLAS shares the work among its own threads, which busy-wait for each other.  Beside other worker
threads, or on a machine under load, a sum of 20 000 products then takes milliseconds instead of microseconds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LONGEST_SUM = 10_000
"""Elements of an inner product: OpenBLAS, kernel/x86_64/ddot.c."""

LARGEST_PRODUCT = 1 << 18
"""Multiplications in a product of two matrices: OpenBLAS, interface/gemm.c."""


def sum_of_squares(x: Any) -> Any:
    """The sum of the squared moduli of all elements of an array, on the calling thread; overflow gives no warning.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.blas import sum_of_squares
    >>> sum_of_squares(numpy.array([[3.0, 4.0], [12.0, 84.0]]))
    np.float64(7225.0)
    """
    if type(x) is np.ndarray and x.size > LONGEST_SUM:
        parts = x.reshape(-1).view(x.real.dtype)
        return np.einsum("i,i->", parts, parts)
    return np.vdot(x, x).real
