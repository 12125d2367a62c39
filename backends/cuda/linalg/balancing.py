"""Balancing by permutations and powers of two."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from .factored import refuse_infinite
from .launching import flat, launch, precision, real_of, shaped


def balance_values(a: Any, *, permute: Any, scale: Any, separate: bool) -> tuple[Any, ...]:
    """The kernel of `linalg.matrix_balance`."""
    refuse_infinite(True, a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError("The data matrix for balancing should be square.")
    stack, n, dtype = a.shape[:-2], a.shape[-1], precision(a)
    balanced = flat(a, 2, stack, dtype)
    count = len(balanced)
    scales = cupy.ones((count, n), real_of(dtype))
    bounds = cupy.zeros((count, 2), np.int32)
    if balanced.size:
        launch("balance.cu", "balance", dtype.char, count, balanced, scales, bounds, n, bool(permute), bool(scale))
    low, high = bounds[:, :1], bounds[:, 1:]
    indices = cupy.arange(n)
    inside = (indices >= low) & (indices <= high)
    moved = cupy.where(inside, indices, scales.astype(np.int64))
    order = cupy.empty((count, n), np.int64)
    order[...] = indices
    rows = cupy.arange(count)
    # LAPACK interchanges from the last row to the high end, then from the first one to the low end
    for direction in (range(n - 1, -1, -1), range(n)):
        for k in direction:
            used = (k > high[:, 0]) if direction.step < 0 else (k < low[:, 0])
            to = cupy.where(used, moved[:, k], k)
            here, there = order[:, k].copy(), order[rows, to]
            order[rows, to] = here
            order[:, k] = there
    powers = cupy.where(inside, scales, 1)
    balanced = shaped(balanced, stack)
    if separate:
        return balanced, shaped(powers.astype(float), stack), shaped(order, stack)
    t = (order[:, None, :] == indices[:, None]) * powers[:, None, :]
    return balanced, shaped(t.astype(dtype), stack)
