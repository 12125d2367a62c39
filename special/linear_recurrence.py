"""Linear recurrences whose coefficients differentiate, one an element: the first axis of an array counts the terms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.primitive import primitive

__all__ = ["linear_recurrence"]


@primitive
def linear_recurrence(right: Any, *coefficients: Any) -> Any:
    """`x[k] = right[k] + sum_j coefficients[j-1][k] x[k-j]`, with 0 for what stands before the first.

    Parameters
    ----------
    right : array
        Of the shape of the result.
    *coefficients : array
        As many as the recurrence goes back; each has the same first axis, and broadcasts against the result.

    Returns
    -------
    array
        The terms.
    """
    x = right * 1.0
    for k in range(1, x.shape[0]):
        term = x[k]
        for j, coefficient in enumerate(coefficients[:k]):
            np.add(term, coefficient[k] * x[k - j - 1], out=term)
    return x


# with x[k-j] moved into row k: dx[k] = sum_j c_j dx[k-j] + (dright + sum_j dc_j x[k-j]); the transposed system is the
# recurrence from the last term back


@linear_recurrence.differential
def _(x: Any, *rest: Any) -> Any:
    count = len(rest) // 2
    coefficients, (change, *changes) = rest[1:count], rest[count:]
    for j, dc in enumerate(changes):
        change = change + dc * _moved(x, j + 1)
    return linear_recurrence(change, *coefficients)


@linear_recurrence.adjoint_by_hand
def _(g: Any, x: Any, right: Any, *coefficients: Any) -> Any:
    back = [_moved(np.conjugate(c)[::-1], j + 1) for j, c in enumerate(coefficients)]
    y = linear_recurrence(g[::-1], *back)[::-1]
    return y, *[y * np.conjugate(_moved(x, j + 1)) for j in range(len(coefficients))]


def _moved(x: Any, j: int) -> Any:
    """`x[k-j]` in row `k`."""
    return np.concatenate([0 * x[:j], x[:-j]])
