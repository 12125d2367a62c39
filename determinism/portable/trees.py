"""Reductions by a tree whose form depends only on the number of elements: each step is one elementwise operation.

The elements are those along the reduced axes, in C order.  Element `k` of the first half is combined with element `k`
of the second; if their number is odd, the last one is kept for the next step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Combine = Callable[[Any, Any], Any]


def reduced(combine: Combine, a: Any, axis: Any, keepdims: bool, identity: Any) -> Any:
    """The reduction of an array along some axes.

    Parameters
    ----------
    combine : callable
        `(a, b)`, elementwise.
    a : array
    axis : int, tuple of int or None
    keepdims : bool
    identity : number or None
        The result where there is nothing to reduce; None where that is an error.

    Returns
    -------
    array
    """
    axes = tuple(range(a.ndim)) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, a.ndim)
    axes = tuple(sorted(axes))
    rest = tuple(i for i in range(a.ndim) if i not in axes)
    shape = tuple(a.shape[i] for i in rest)
    x = a.transpose(*axes, *rest).reshape(math.prod(a.shape[i] for i in axes), *shape)
    if not len(x):
        if identity is None:
            raise ValueError("zero-size array to reduction operation which has no identity")
        x = np.full((1, *shape), identity, a.dtype)
    while len(x) > 1:
        half = len(x) // 2
        folded = combine(x[:half], x[half : 2 * half])
        x = folded if len(x) == 2 * half else np.concatenate([folded, x[-1:]])
    kept = tuple(1 if i in axes else n for i, n in enumerate(a.shape))
    return x[0].reshape(kept) if keepdims else x[0][()]
