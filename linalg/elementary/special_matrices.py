"""Block diagonal, rectangular diagonal and Vandermonde matrices, and SciPy's constant ones."""

from __future__ import annotations

from functools import reduce
from operator import index
from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.array.stand_in import DocumentedFunction
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg, turning
from ..kernels.stacks import is_plain
from .gathering import difference, taken, vectors, with_constants

__all__ = [
    "block_diag",
    "dft",
    "diagsvd",
    "hadamard",
    "helmert",
    "hilbert",
    "invhilbert",
    "invpascal",
    "pascal",
    "vander",
]

_CONSTANT = ("dft", "hadamard", "helmert", "hilbert", "invhilbert", "invpascal", "pascal")
dft, hadamard, helmert, hilbert, invhilbert, invpascal, pascal = (
    turning(DocumentedFunction(function, function, operation), operation)
    for function, operation in ((getattr(scipy.linalg, name), f"linalg.{name}") for name in _CONSTANT)
)


@routed_linalg
def block_diag(*arrs: Any) -> Any:
    """Matrices put along the diagonal of a larger one.

    Linear in the blocks.

    Parameters
    ----------
    *arrs : array_like (..., M, N)
        The blocks; a vector is a row, a number a 1x1 matrix.

    Returns
    -------
    ndarray (..., sum of M, sum of N)
        The blocks, and zeros elsewhere.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.block_diag(np.array([[1.0, 2.0]]), 3.0)
    array([[1., 2., 0.],
           [0., 0., 3.]])
    """
    blocks = operands(*arrs)
    if is_plain(*blocks):
        return scipy.linalg.block_diag(*blocks)
    blocks = [x[(None,) * (2 - x.ndim)] if x.ndim < 2 else x for x in blocks]
    stack = np.broadcast_shapes(*[x.shape[:-2] for x in blocks])
    width, rows, before = sum(x.shape[-1] for x in blocks), [], 0
    for x in blocks:
        after = width - before - x.shape[-1]
        padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(before, after)])
        rows.append(np.broadcast_to(padded, stack + padded.shape[-2:]))
        before += x.shape[-1]
    return np.concatenate(rows, axis=-2)


@routed_linalg
def diagsvd(s: Any, M: int, N: int) -> Any:
    """Singular values as the matrix between the two of their vectors.

    Linear in `s`.

    Parameters
    ----------
    s : array_like (..., min(M, N))
        The values.
    M, N : int
        The number of rows and columns.

    Returns
    -------
    ndarray (..., M, N)
        The matrices that have the values on their diagonal.

    Raises
    ------
    ValueError
        If there are not min(M, N) values.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.diagsvd(np.array([1, 2]), 2, 3)
    array([[1, 0, 0],
           [0, 2, 0]])
    """
    (s,) = operands(s)
    if is_plain(s, axes=1) and s.ndim == 1:
        return scipy.linalg.diagsvd(s, M, N)
    count = s.shape[-1]
    if count not in (M, N):
        raise ValueError("Length of s must be M or N.")
    source = np.where(difference(M, N) == 0, np.minimum(np.arange(N), count), count)
    return taken(with_constants(s, 0), source)


@routed_linalg
def vander(x: Any, N: int | None = None) -> Any:
    """Vandermonde matrices with increasing powers, as PyTorch's.

    Differentiable in `x`, to any order, also at 0.  `numpy.vander` has the powers in decreasing order and takes no
    stacks.

    Parameters
    ----------
    x : array_like (..., M)
        The numbers.
    N : int, optional
        The number of powers, from 0 on; M by default.

    Returns
    -------
    ndarray (..., M, N)
        `x[i]**j`.

    Raises
    ------
    ValueError
        If N is negative.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.vander(np.array([1.0, 2.0, 3.0]))
    array([[1., 1., 1.],
           [1., 2., 4.],
           [1., 3., 9.]])
    """
    (x,) = vectors(x)
    count = x.shape[-1] if N is None else index(N)
    if count < 0:
        raise ValueError(f"the number of columns is {count}; it must not be negative")
    one = np.ones_like(raw(x))
    powers = reduce(lambda powers, _: [*powers, powers[-1] * x], range(count - 1), [one])
    return np.stack(powers, axis=-1)[..., :count]
