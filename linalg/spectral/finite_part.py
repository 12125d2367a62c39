"""The finite eigenvalues of a pair with several infinite ones, which are defective in most pairs, and tell nothing.

Let `c` be the matrix whose eigenvalues are wanted, but for those in a cluster.  With an invariant subspace of the
others for the first columns of a basis, and one of the cluster for the rest, `c` is block diagonal.  Near by, the
subspace is that of `(1; x)` with the equation of Riccati

    c21 + c22 x - x c11 - x c12 x = 0,

and the eigenvalues are those of `c11 + c12 x`.  There `x = 0`, `c12 = 0` and `c21 = 0`, so that a solution by iteration
gains two orders of the change in each step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.traced import depth_of, raw
from ..equations.sylvester import solve_sylvester

_APART = 1e3
"""By which factor the distance of the nearest other eigenvalue is to exceed the width of a cluster."""


def without_cluster(c: Any, center: complex, size: int) -> Any:
    """A matrix with the eigenvalues of `c` but the `size` nearest to a number; None where these are not apart."""
    n = c.shape[0]
    distances = np.sort(np.abs(np.diag(scipy.linalg.schur(raw(c), output="complex")[0]) - center))
    if not distances[size] > _APART * distances[size - 1]:
        return None
    bound = np.sqrt(distances[size] * max(distances[size - 1], np.finfo(distances.dtype).tiny))
    t, q, _ = scipy.linalg.schur(raw(c), output="complex", sort=lambda x: abs(x - center) > bound)
    first = n - size
    basis = np.eye(n, dtype=t.dtype)
    basis[:first, first:] = scipy.linalg.solve_sylvester(t[:first, :first], -t[first:, first:], -t[:first, first:])
    basis = q @ basis
    blocks = scipy.linalg.inv(basis) @ c @ basis
    c11, c12, c21, c22 = blocks[:first, :first], blocks[:first, first:], blocks[first:, :first], blocks[first:, first:]
    x = np.zeros((size, first), t.dtype)
    for _ in range(depth_of(c) // 2):
        x = solve_sylvester(c22, -c11, x @ c12 @ x - c21)
    return c11 + c12 @ x


def order_of(found: Any, wanted: Any) -> Any:
    """Where each wanted number stands among those found, one for each."""
    distances, order = np.abs(wanted[:, None] - found), np.empty(len(wanted), np.intp)
    for _ in wanted:
        row, column = np.unravel_index(np.argmin(distances), distances.shape)
        order[row] = column
        distances[row], distances[:, column] = np.inf, np.inf
    return order
