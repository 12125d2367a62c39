"""Functions of a matrix that are given by a Taylor series at each cluster of its eigenvalues.

Every derivative of such a function is one of larger matrices: `f([[a, e], [0, a]])` has the first in its upper right
block [Mt96], and again with that block in place of `e` the second [HR14].

The value is found in the Schur form with the clusters in order along the diagonal: polynomials of the diagonal blocks,
and what is above them from `t f = f t` [P. Davies, N. Higham, SIMAX 25 (2003) 464].
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError
from scipy.linalg.lapack import get_lapack_funcs

from ...backends import backend_of
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import cached, identity, like
from ..kernels.partly_linear import PartlyLinear
from ..kernels.stacks import kernel
from .block_derivative import second_derivative, size_of, upper_right, with_derivative
from .schur_forms import complex_form, triangular_sylvester


@kernel(2, 2, 1)
def reordered(t: Any, z: Any, labels: Any) -> tuple[Any, Any]:
    """A Schur form with the eigenvalues of each cluster next to each other, in the order of the clusters."""
    (exchange,) = get_lapack_funcs(("trexc",), (t,))
    labels = list(labels)
    for position in range(len(labels)):
        found = labels.index(min(labels[position:]), position)
        if found > position:
            t, z, info = exchange(t, z, found + 1, position + 1)
            if info:
                raise LinAlgError(f"LAPACK's trexc failed to reorder the Schur form (info = {info})")
            labels.insert(position, labels.pop(found))
    return t, z


def in_order(t: Any, z: Any, labels: Any) -> tuple[Any, Any]:
    """The same for labels that the host has decided on."""
    return reordered(t, z, backend_of(t).namespace.asarray(labels)) if labels.size else (t, z)


def local_values(a: Any, series: Any, *, centers: Any) -> Any:
    """`sum_k series[i, k] (a - centers[i])**k` where the eigenvalues of `a` are near `centers[i]`.

    Which ones are is decided on the host, by the eigenvalues alone.
    """
    t, z = complex_form(a)
    to_host = backend_of(t).to_host
    w, known = to_host(np.diagonal(t)), to_host(centers)
    labels = np.argmin(np.abs(w[:, None] - known), axis=1) if len(known) else np.zeros(0, int)
    t, z = in_order(t, z, labels)
    ends = np.cumsum(np.bincount(labels, minlength=len(known))).tolist()
    values = [_polynomial(block, centers[i], series[i]) for i, block in enumerate(diagonal_blocks(t, ends))]
    return z @ with_diagonal_blocks(t, ends, values) @ H(z)


def diagonal_blocks(t: Any, ends: Any) -> list[Any]:
    """The diagonal blocks of a matrix that end there."""
    return [t[start:end, start:end] for start, end in pairwise([0, *ends])]


def with_diagonal_blocks(t: Any, ends: Any, values: list[Any]) -> Any:
    """The upper block triangular matrix with these diagonal blocks that commutes with `t`."""
    x = np.zeros_like(t, dtype=np.result_type(t.dtype, *[value.dtype for value in values]))
    for (start, end), value in list(zip(pairwise([0, *ends]), values, strict=True))[::-1]:
        here, after = slice(start, end), slice(end, len(t))
        x[here, here] = value
        above = value @ t[here, after] - t[here, after] @ x[after, after]
        x[here, after] = triangular_sylvester(t[here, here], -t[after, after], above)
    return x


def _polynomial(t: Any, center: Any, coefficients: Any) -> Any:
    eye = identity(t)
    n, x = t - center * eye, np.zeros_like(t)
    for k in reversed(range(len(coefficients))):
        x = x @ n + coefficients[k] * eye
    return x


@PartlyLinear
def local_function(a: Any, series: Any, *, centers: Any) -> Any:
    """The function of a matrix that has these Taylor coefficients (m, k) at the centers (m,)."""
    return local_values(a, series, centers=centers)


@local_function.space_of
def _(a: Any, series: Any, *, centers: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return a.shape, np.result_type(a.dtype, series.dtype)


@local_function.differential
def _(x: Any, a: Any, series: Any, da: Any, dseries: Any, *, centers: Any) -> Any:
    moved = ZERO if da is ZERO else local_derivative(a, series, da, centers=centers)
    return moved + (ZERO if dseries is ZERO else local_function(a, dseries, centers=centers))


# linear in the series: the factor of series[i, k] is  (a - centers[i])**k p_i,  with the projector p_i, the function
# that is 1 near centers[i] and 0 near the others
@local_function.adjoint(1)
def _(g: Any, a: Any, series: Any, *, centers: Any) -> Any:
    count, length = series.shape
    eye = identity(a)
    rows = []
    for i in range(count):
        factor = local_function(a, like(a, _unit_series, count, i), centers=centers)
        row = []
        for _ in range(length):
            row.append(np.sum(g * np.conj(factor)))
            factor = (a - centers[i] * eye) @ factor
        rows.append(np.stack(row))
    return np.stack(rows)


@cached
def _unit_series(dtype: str, count: int, i: int) -> Any:
    return (np.arange(count) == i).astype(dtype)[:, None]


@PartlyLinear
def local_derivative(a: Any, series: Any, e: Any, *, centers: Any) -> Any:
    """The derivative of `local_function` at `a` along `e`."""
    size = size_of(e)
    return upper_right(local_values(with_derivative(a, e / size), series, centers=centers)) * size


@local_derivative.space_of
def _(a: Any, series: Any, e: Any, *, centers: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return a.shape, np.result_type(a.dtype, series.dtype, e.dtype)


# <g, L(a, e)> = <H(L(a, H(g))), e>  for every function of a matrix [H08, section 3.2]
@local_derivative.adjoint(2)
def _(g: Any, a: Any, series: Any, e: Any, *, centers: Any) -> Any:
    return H(local_derivative(a, series, H(g), centers=centers))


@local_derivative.differential
def _(x: Any, a: Any, series: Any, e: Any, da: Any, dseries: Any, de: Any, *, centers: Any) -> Any:
    def derivative(a: Any, e: Any) -> Any:
        return local_derivative(a, series, e, centers=centers)

    moved = ZERO if da is ZERO and de is ZERO else second_derivative(derivative, a, e, da, de)
    if dseries is ZERO:
        return moved
    size = size_of(e)
    return moved + upper_right(local_function(with_derivative(a, e / size), dseries, centers=centers)) * size
