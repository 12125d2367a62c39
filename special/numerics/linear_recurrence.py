"""Linear recurrences whose coefficients differentiate, one an element: the first axis of an array counts the terms.

A coefficient is a sum of products of a column, which counts the terms as well, and a vector of the elements; so no
array of coefficients is made, and what a term is made of stays in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any

import numpy as np

from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.zero import ZERO

_FEW = 6
"""Elements, up to which loops of plain arithmetic take less time than operations on arrays."""


@primitive
def linear_recurrence(first: Any, *vectors: Any, columns: Sequence[Sequence[Any]]) -> Any:
    """`x[k] = first[k] + sum_j sum_i columns[j-1][i][k] vectors[..] x[k-j]`, with 0 for what stands before the first.

    Parameters
    ----------
    first : array
        What is added to the first terms: its columns are the elements, and it has as many rows as terms, or fewer.
    *vectors : array
        One a column, in their order: one element each, or one number for all.
    columns : sequence of sequence of array
        Of each step back its columns, plain, with a row a term; each has one column, or one an element.

    Returns
    -------
    array
        The terms.
    """
    if type(first) is np.ndarray and first.shape[1] <= _FEW:
        return _of_few(first, vectors, columns)
    count = columns[0][0].shape[0]
    rows = iter(vectors)
    steps = [(j, [(_narrow(column), next(rows)) for column in group]) for j, group in enumerate(columns, 1)]
    x = np.zeros_like(first, shape=(count, *first.shape[1:]))
    x[: first.shape[0]] = first
    for k in range(1, count):
        term = x[k]
        for j, ((column, vector), *others) in steps[:k]:
            factor = column[k, ...] * vector
            for column, vector in others:
                factor = factor + column[k, ...] * vector
            np.add(term, factor * x[k - j], out=term)
    return x


def _of_few(first: Any, vectors: Sequence[Any], columns: Sequence[Sequence[Any]]) -> Any:
    """The same, one element after another in plain numbers."""
    rows = iter(vectors)
    factors = [sum(column * next(rows) for column in group) for group in columns]
    x = np.zeros_like(first, shape=(factors[0].shape[0], *first.shape[1:]))
    x[: first.shape[0]] = first
    steps = np.broadcast_arrays(*factors, x)[:-1]
    for i in range(x.shape[1]):
        before, terms = (0.0,) * len(steps), []
        for start, *own in zip(x[:, i].tolist(), *[step[:, i].tolist() for step in steps], strict=True):
            before = (sum(map(mul, own, before), start), *before[:-1])
            terms.append(before[0])
        x[:, i] = terms
    return x


def _narrow(column: Any) -> Any:
    """Numbers, with which NumPy multiplies faster than with arrays of one element."""
    return column[:, 0] if column.shape[1] == 1 else column


# with x[k-j] moved into row k: dx[k] = sum_j c_j dx[k-j] + (dfirst + sum_j dc_j x[k-j]); the transposed system is the
# recurrence from the last term back


def _flattened(columns: Sequence[Sequence[Any]]) -> list[tuple[int, Any]]:
    return [(j, column) for j, group in enumerate(columns, 1) for column in group]


@linear_recurrence.differential
def _(x: Any, first: Any, *rest: Any, columns: Any) -> Any:
    count = len(rest) // 2
    vectors, (change, *changes) = rest[:count], rest[count:]
    if change is not ZERO and change.shape[0] < x.shape[0]:
        change = np.concatenate([change, 0 * x[change.shape[0] :]])
    for (j, column), dv in zip(_flattened(columns), changes, strict=True):
        change = change + (column * dv) * _moved(x, j)
    return linear_recurrence(change, *vectors, columns=columns)


@linear_recurrence.adjoint_by_hand
def _(g: Any, x: Any, first: Any, *vectors: Any, columns: Any) -> Any:
    back = [[_moved(column[::-1], j) for column in group] for j, group in enumerate(columns, 1)]
    y = linear_recurrence(g[::-1], *[np.conjugate(v) for v in vectors], columns=back)[::-1]
    of_vectors = [np.sum(column * (y * np.conjugate(_moved(x, j))), axis=0) for j, column in _flattened(columns)]
    return y[: first.shape[0]], *of_vectors


def _moved(x: Any, j: int) -> Any:
    """`x[k-j]` in row `k`."""
    return np.concatenate([0 * x[:j], x[:-j]])
