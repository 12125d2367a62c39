"""Random sketches of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...backends import backend_of
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import linear
from ...complex_autograd.namespace.routed import routed_linalg
from ..kernels.stacks import is_plain
from .gathering import where_lives


@linear
def sketched(a: Any, *, rows: Any, signs: Any, size: int) -> Any:
    """The rows of matrices, with signs, summed where they are sent to the same row."""
    signed = np.moveaxis(a * backend_of(a).namespace.asarray(signs.astype(a.dtype)), -2, 0)
    summed = backend_of(a).scatter_add(signed, (where_lives(a, rows),), (size, *signed.shape[1:]))
    return np.moveaxis(summed, 0, -2)


@sketched.adjoint(0)
def _(g: Any, a: Any, *, rows: Any, signs: Any, size: int) -> Any:
    return picked(g, rows=rows, signs=signs, size=size)


@linear
def picked(g: Any, *, rows: Any, signs: Any, size: int) -> Any:
    """For each row of the matrices that were sketched the one that it went to, with its sign."""
    return g[..., where_lives(g, rows), :] * backend_of(g).namespace.asarray(signs.astype(g.dtype))


@picked.adjoint(0)
def _(a: Any, g: Any, *, rows: Any, signs: Any, size: int) -> Any:
    return sketched(a, rows=rows, signs=signs, size=size)


@routed_linalg
def clarkson_woodruff_transform(input_matrix: Any, sketch_size: int, rng: Any = None, *, seed: Any = None) -> Any:
    """The product of a random sparse matrix and the one given, which keeps the lengths of its columns about.

    Linear in the matrix, for the random numbers drawn.  Clarkson and Woodruff, STOC 2013.

    Parameters
    ----------
    input_matrix : array_like (..., M, N)
        The matrices; one random matrix for all.
    sketch_size : int
        The number of rows of the result.
    rng : Generator or int, optional
        The source of random numbers, or a seed.
    seed : RandomState, Generator or int, optional
        The same by its older name, which SciPy still takes.

    Returns
    -------
    ndarray (..., sketch_size, N)
        The sketches.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.clarkson_woodruff_transform(np.ones((8, 2)), 3, rng=0).shape
    (3, 2)
    """
    from scipy.sparse import eye_array, issparse  # costs every import of the package 50 ms if it stands above

    source = {"seed": seed} if seed is not None else {"rng": rng}
    if issparse(input_matrix):
        return scipy.linalg.clarkson_woodruff_transform(input_matrix, sketch_size, **source)
    (a,) = operands(input_matrix)
    if is_plain(a):
        dtype = a.dtype if a.dtype.kind in "fc" else np.float64
        return scipy.linalg.clarkson_woodruff_transform(a, sketch_size, **source).astype(dtype, copy=False)
    drawn = scipy.linalg.clarkson_woodruff_transform(eye_array(a.shape[-2]), sketch_size, **source).tocoo()
    order = np.argsort(drawn.col)
    return sketched(a, rows=drawn.row[order], signs=drawn.data[order][:, None], size=sketch_size)
