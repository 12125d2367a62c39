"""Eigenvectors of tridiagonal matrices at known eigenvalues, one matrix an element: the first axis counts the rows.

All rows are one array, so that few operations are recorded; what one matrix alone takes is done in plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.engine.primitive import primitive

_FEW = 8
"""Matrices, up to which loops of plain arithmetic take less time than operations on arrays."""


def counted(count: int, like: Any) -> Any:
    """The numbers 0, 1, .., as the first axis of arrays next to the vector `like`, on its device."""
    return np.cumsum(np.ones_like(like, shape=(count, 1), dtype=np.float64), axis=0) - 1


def rows_at(rows: Any, order: Any) -> Any:
    """The rows of these numbers, of each element its own; `order` has one column or one an element."""
    index = order.astype(np.int64)
    if index.shape[1] != 1:
        return np.take_along_axis(rows, index, axis=0)
    first, last = int(index[0, 0]), int(index[-1, 0])
    step = int(index[1, 0]) - first if len(index) > 1 else 1
    if step > 0 and np.all(index[1:] - index[:-1] == step):
        return rows[first : last + 1 : step]
    return rows[index[:, 0]]


def next_row(x: Any) -> Any:
    """`x[k+1]` in row `k`, and 0 in the last."""
    return np.concatenate([x[1:], 0 * x[:1]])


def row_before(x: Any) -> Any:
    """`x[k-1]` in row `k`, and 0 in the first."""
    return np.concatenate([0 * x[:1], x[:-1]])


@primitive
def null_vector(lower: Any, diagonal: Any, upper: Any, *, middle: Any) -> Any:
    """The vector `v` with `v[middle] = 1` that solves every row but that one.

    Parameters
    ----------
    lower, diagonal, upper : array
        The rows: `lower[k]` stands left of `diagonal[k]`, from which the eigenvalue is subtracted, `upper[k]` right;
        the diagonal has one column an element.
    middle : array of int
        The row that is left out: one where the eigenvector is large.

    Returns
    -------
    array
        Its components, each with full relative accuracy: to both sides of `middle` their ratios come from recurrences
        that start at the ends, in the direction in which the eigenvector grows.
    """
    return _solved(lower, diagonal, upper, None, middle)


@primitive
def _solution(lower: Any, diagonal: Any, upper: Any, right: Any, *, middle: Any) -> Any:
    """The solution of every row but `middle`, with 0 there."""
    return _solved(lower, diagonal, upper, right, middle)


def _solved(lower: Any, diagonal: Any, upper: Any, right: Any, middle: Any) -> Any:
    if type(diagonal) is np.ndarray and diagonal.shape[1] <= _FEW:
        try:
            return _solved_one_by_one(lower, diagonal, upper, right, middle)
        except ZeroDivisionError:
            pass
    x = np.zeros_like(diagonal)
    if right is None:
        for k in range(int(np.min(middle, initial=len(x))), int(np.max(middle, initial=-1)) + 1):
            x[k] = k == middle
    _sweep(x, lower, diagonal, upper, right, middle)
    right = None if right is None else right[::-1]
    _sweep(x[::-1], upper[::-1], diagonal[::-1], lower[::-1], right, len(x) - 1 - middle)
    return x


def _solved_one_by_one(lower: Any, diagonal: Any, upper: Any, right: Any, middle: Any) -> Any:
    *rows, middle = np.broadcast_arrays(lower, diagonal, upper, 0.0 if right is None else right, middle)
    middle = middle[0].astype(np.int64)
    x = np.empty_like(diagonal)
    for i, at in enumerate(middle.tolist()):
        l, d, u, own = (row[:, i].tolist() for row in rows)
        x[:, i] = solved_in_numbers(l, d, u, at, None if right is None else own)
    return x


def solved_in_numbers(
    lower: Sequence[float],
    diagonal: Sequence[float],
    upper: Sequence[float],
    middle: int,
    right: Sequence[float] | None,
) -> list[float]:
    """What `null_vector` is of one matrix, of plain numbers; with a right side the solution that is 0 in the middle.

    Raises
    ------
    ZeroDivisionError
        If a pivot is 0.
    """
    rows = list(zip(lower, diagonal, upper, right or (0.0,) * len(lower), strict=True))
    at_middle = 0.0 if right else 1.0
    before = _swept(rows[:middle], at_middle)
    after = _swept([(u, d, l, r) for l, d, u, r in rows[:middle:-1]], at_middle)
    return [*before[::-1], at_middle, *after]


def _swept(rows: Iterable[tuple[float, float, float, float]], x: float) -> list[float]:
    """The solution from the last row to the first, where `x` stands after the last."""
    ratio = rest = 0.0
    found = []
    for l, d, u, r in rows:
        pivot = -d - l * ratio
        ratio, rest = u / pivot, (l * rest - r) / pivot
        found.append((ratio, rest))
    solution = []
    for ratio, rest in found[::-1]:
        x = ratio * x + rest
        solution.append(x)
    return solution


def _sweep(x: Any, lower: Any, diagonal: Any, upper: Any, right: Any, middle: Any) -> None:
    """Write the solution from the start to the row `middle`, which is there.

    There `x[k] = ratio[k] x[k+1] + rest[k]`, and a row in between says both from those of `k - 1`.
    """
    first, last = (int(np.min(middle)), int(np.max(middle))) if middle.size else (0, 0)
    ratios: list[Any] = []
    rests: list[Any] = []
    opposite = -diagonal[:last]
    for k in range(last):
        pivot = opposite[k] - lower[k] * ratios[-1] if k else opposite[0]
        pivot = np.where(k < middle, pivot, 1.0) if k >= first else pivot
        ratios.append(upper[k] / pivot)
        if right is not None:
            rests.append(((lower[k] * rests[-1] if k else 0.0) - right[k]) / pivot)
    for k in range(last - 1, -1, -1):
        row = np.multiply(ratios[k], x[k + 1], out=None if k >= first else x[k])
        if right is not None:
            np.add(row, rests[k], out=row)
        if k >= first:
            x[k] = np.where(k < middle, row, x[k])


# the rows but `middle` of T v = 0  =>  those of T dv = -dT v, and likewise of T x = right.  With the solution y of the
# transposed rows, <g, dx> = <y, dright - dT x>


@null_vector.differential
def _(v: Any, lower: Any, diagonal: Any, upper: Any, dlower: Any, ddiagonal: Any, dupper: Any, *, middle: Any) -> Any:
    change = dlower * row_before(v) + ddiagonal * v + dupper * next_row(v)
    return _solution(lower, diagonal, upper, -change, middle=middle)


@null_vector.adjoint_by_hand
def _(g: Any, v: Any, lower: Any, diagonal: Any, upper: Any, *, middle: Any) -> Any:
    return _pulled(g, v, lower, diagonal, upper, middle)[:3]


@_solution.differential
def _(
    x: Any,
    lower: Any,
    diagonal: Any,
    upper: Any,
    right: Any,
    dlower: Any,
    ddiagonal: Any,
    dupper: Any,
    dright: Any,
    *,
    middle: Any,
) -> Any:
    change = dright - dlower * row_before(x) - ddiagonal * x - dupper * next_row(x)
    return _solution(lower, diagonal, upper, change, middle=middle)


@_solution.adjoint_by_hand
def _(g: Any, x: Any, lower: Any, diagonal: Any, upper: Any, right: Any, *, middle: Any) -> Any:
    return _pulled(g, x, lower, diagonal, upper, middle)


def _pulled(g: Any, x: Any, lower: Any, diagonal: Any, upper: Any, middle: Any) -> Any:
    """The cotangents of the three diagonals and of the right side."""
    y = _solution(row_before(upper), diagonal, next_row(lower), g, middle=middle)
    return -y * row_before(x), -y * x, -y * next_row(x), y
