"""The triangular equation `x t - t x = m` below the diagonal blocks of a Schur form, and its adjoint.

`x` is zero but below the blocks, and so is what is read of `m`.  It is solved column after column, dividing by
differences of eigenvalues in different blocks.  `commuting(t, m)` is the map from `m` to `x`, `commuting_back(t, g)`
its adjoint.  With `x = commuting(t, m)`, `dx = commuting(t, dm - (x dt - dt x))`; with `y = commuting_back(t, g)`,
`dy = commuting_back(t, dg - (y H(dt) - H(dt) y))`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...complex_autograd.rules.products.matrix_products import H
from ..factorizations.quasi_triangles import Blocks
from ..kernels.partly_linear import PartlyLinear, declare_adjoint_pair
from ..kernels.stacks import kernel


@kernel(2, 2, 1)
def commuting_values(t: Any, m: Any, block: Any) -> Any:
    """`x`, zero but below the blocks, with `x t - t x = m` there."""
    m = m.astype(np.result_type(t, m), copy=False)
    (solve,) = scipy.linalg.get_lapack_funcs(("trsyl",), (t, m))
    x = np.zeros_like(m)
    for start, end in _bounds(block):
        if end < len(t):
            right = x[end:, :start] @ t[:start, start:end] - m[end:, start:end]
            x[end:, start:end] = _checked(*solve(t[end:, end:], t[start:end, start:end], right, isgn=-1))
    return x


@kernel(2, 2, 1)
def commuting_back_values(t: Any, g: Any, block: Any) -> Any:
    """The adjoint of `commuting_values` in its second argument."""
    g = g.astype(np.result_type(t, g))
    (solve,) = scipy.linalg.get_lapack_funcs(("trsyl",), (t, g))
    y = np.zeros_like(g)
    back = t.conj().T
    for start, end in reversed(_bounds(block)):
        if end < len(t):
            inner, right = t[start:end, start:end], -g[end:, start:end]
            column = _checked(*solve(t[end:, end:], inner, right, trana="C", tranb="C", isgn=-1))
            y[end:, start:end] = column
            g[end:, :start] -= column @ back[start:end, :start]
    return y


def _bounds(block: Any) -> list[tuple[int, int]]:
    """Where each block starts and ends."""
    edges = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(block)]
    return list(pairwise(edges))


def _checked(x: Any, scale: Any, info: int) -> Any:
    if info:
        raise LinAlgError(
            "eigenvalues in different blocks of the Schur form are equal up to rounding, where it has no derivative"
        )
    return x / scale


@PartlyLinear
def commuting(t: Any, m: Any, *, blocks: Blocks) -> Any:
    """`x`, zero but below the blocks, with `x t - t x = m` there."""
    return commuting_values(t, m, blocks.number)


@PartlyLinear
def commuting_back(t: Any, g: Any, *, blocks: Blocks) -> Any:
    """The adjoint of `commuting` in its second argument."""
    return commuting_back_values(t, g, blocks.number)


declare_adjoint_pair(commuting, commuting_back)


@commuting.differential
def _(x: Any, t: Any, m: Any, dt: Any, dm: Any, *, blocks: Blocks) -> Any:
    dt = dt * (1 - blocks.below)
    return commuting(t, dm - (x @ dt - dt @ x), blocks=blocks)


@commuting_back.differential
def _(y: Any, t: Any, g: Any, dt: Any, dg: Any, *, blocks: Blocks) -> Any:
    back = H(dt * (1 - blocks.below))
    return commuting_back(t, dg - (y @ back - back @ y), blocks=blocks)
