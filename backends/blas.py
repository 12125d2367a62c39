"""Up to which size OpenBLAS computes on the thread that calls it.

Above, it shares the work among threads of its own, which wait for one another in a loop.  Beside our worker threads, or
on a machine that others use as well, a sum of 20 000 products then takes milliseconds instead of microseconds.
"""

from __future__ import annotations

__all__ = ["LARGEST_PRODUCT", "LONGEST_SUM"]

LONGEST_SUM = 10_000
"""Elements of an inner product: OpenBLAS, kernel/x86_64/ddot.c."""

LARGEST_PRODUCT = 1 << 18
"""Multiplications in a product of two matrices: OpenBLAS, interface/gemm.c."""
