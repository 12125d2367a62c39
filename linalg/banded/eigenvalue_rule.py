"""Eigenvalues of Hermitian band matrices, from the band alone.

With `a_ij` in the band and `v` the vectors of the eigenvalues `w`, `dw_k = sum_ij conj(v_ik) da_ij v_jk`: the gradient
is the band of `v diag(g) H(v)`.  That takes the vectors of the eigenvalues asked for and no others, and no matrix is
formed.  Where eigenvalues are equal, and for derivatives of higher order, the other vectors are needed as well, and the
rules are those of `eigh`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any, final

import numpy as np

from ...complex_autograd.engine.primitive import linear, primitive
from ...complex_autograd.engine.traced import Traced, raw
from ..elementary.triangles import hermitian_from
from ..kernels.numpy_gufuncs import EighResult
from ..spectral.degenerate.equal_values import equal_values
from ..spectral.degenerate.levels import forward_direction
from ..spectral.eigh_rule import Eigenbasis, derivative_of_values, gradient_of_values, hermitian_eigen
from ..spectral.subset import Subset, integers
from .storage import gathered_band, scattered_band


@final
class BandProblem:
    """The eigenvalue problem of one call.

    Parameters
    ----------
    band : array (..., b, n)
        The lower or upper diagonals of Hermitian matrices, as SciPy stores them; traced or not.
    lower : bool
        Which.
    subset : Subset
        The eigenvalues wanted.
    solve : callable
        `solve(subset, vectors)` computes eigenvalues, and vectors if wanted, of the plain matrices.
    """

    def __init__(self, band: Any, lower: bool, subset: Subset, solve: Callable[[Subset, bool], Any]) -> None:
        self.band, self.lower, self.subset = band, lower, subset
        self._plain, self._solve = raw(band), solve

    @cached_property
    def values(self) -> Any:
        """The eigenvalues wanted."""
        return self._solve(self.subset, False)

    @cached_property
    def vectors(self) -> Any:
        """Their vectors."""
        return self._solve(self.subset, True)[1]

    @cached_property
    def all_values(self) -> Any:
        """All eigenvalues."""
        return self.values if self.subset.is_all else self._solve(Subset(), False)

    @cached_property
    def among(self) -> Any:
        """1 where an eigenvalue (rows) is one of those wanted (columns), else 0."""
        w = self.all_values
        entries = integers(w, 0, w.shape[-1]) if self.subset.is_all else self.subset.indices(w)
        return (integers(w, 0, w.shape[-1])[:, None] == entries[..., None, :]).astype(w.dtype)

    @cached_property
    def is_simple(self) -> bool:
        """Whether none of the eigenvalues wanted is equal to another one."""
        same = equal_values(self.all_values)
        return same is None or bool(np.all(np.sum(same @ self.among, axis=-2) <= 1))

    @cached_property
    def basis(self) -> Eigenbasis:
        """All eigenvalues and vectors, where the values are wanted."""
        return self._basis(vectors=False)

    def _basis(self, *, vectors: bool) -> Eigenbasis:
        """The same; the wanted vectors with the phases that they have without a derivative."""
        w, v = self._solve(Subset(), True)
        if not self.subset.is_all:
            v = self.subset.with_phases(w, v, self.vectors)
        return Eigenbasis(self.band, w, EighResult(w, v), self._direction, vectors)

    def _direction(self) -> Any:
        along = forward_direction(self.band)
        return None if along is None else hermitian_from(dense(along, self.lower), lower=self.lower)

    def decomposed(self) -> tuple[Any, Any]:
        """Eigenvalues and vectors under differentiation."""
        basis = self._basis(vectors=True)
        w, v = hermitian_eigen(dense(self.band, self.lower), lower=self.lower, basis=basis)
        return self.subset.of(w, v)


def dense(band: Any, lower: bool) -> Any:
    """Matrices with this band in their lower or upper triangle, and zeros elsewhere."""
    return gathered_band(band, entries=_dense_indices(band.shape[-2], band.shape[-1], lower))


@lru_cache(maxsize=64)
def _dense_indices(rows: int, n: int, lower: bool) -> Any:
    """Where in the storage each entry of the matrix is; weight 0 if it is outside the band."""
    i, j = np.indices((n, n))
    row = i - j if lower else rows - 1 + i - j
    inside = (row >= 0) & (row < rows)
    return np.where(inside, row, 0 if lower else rows - 1), j, inside.astype(float)


@primitive(family="symmetric eigenvalues")
def banded_values(band: Any, *, problem: BandProblem) -> Any:
    """Eigenvalues of Hermitian band matrices."""
    return problem.values


@banded_values.differential
def _(w: Any, band: Any, dband: Any, *, problem: BandProblem) -> Any:
    lower = problem.lower
    if problem.is_simple and not isinstance(band, Traced):
        return forms_of_band(dband, vectors=problem.vectors, lower=lower)
    dh = hermitian_from(dense(dband, lower), lower=lower)
    derivative = derivative_of_values(dense(band, lower), dh, lower, problem.basis)
    return np.sum(derivative[..., :, None] * problem.among, axis=-2)


@banded_values.adjoint_by_hand
def _(g: Any, w: Any, band: Any, *, problem: BandProblem) -> Any:
    rows, n = band.shape[-2:]
    if problem.is_simple and not isinstance(band, Traced):
        return (outer_band(g, vectors=problem.vectors, rows=rows, lower=problem.lower),)
    everywhere = np.sum(problem.among * g[..., None, :], axis=-1)
    gradient = gradient_of_values(everywhere, dense(band, problem.lower), problem.lower, problem.basis)
    return (scattered_band(gradient, entries=_dense_indices(rows, n, problem.lower), height=rows, width=n),)


@linear(family="symmetric eigenvalues")
def forms_of_band(band: Any, *, vectors: Any, lower: bool) -> Any:
    """`H(v) a v` for every column `v` of some vectors, with the Hermitian matrices `a` of a band."""
    rows, n = band.shape[-2:]
    out: Any = 0.0
    for k in range(min(rows, n)):
        row = band[..., k, : n - k] if lower else band[..., rows - 1 - k, k:]
        first, last = _shifted(vectors, k, lower)
        out = out + (1 if k == 0 else 2) * np.sum(np.real(np.conj(first) * row[..., None] * last), axis=-2)
    return out


def _shifted(vectors: Any, k: int, lower: bool) -> tuple[Any, Any]:
    """The elements of vectors in the rows, and in the columns, of the k-th diagonal."""
    below, above = vectors[..., k:, :], vectors[..., : vectors.shape[-2] - k, :]
    return (below, above) if lower else (above, below)


@forms_of_band.adjoint(0)
def _(g: Any, band: Any, *, vectors: Any, lower: bool) -> Any:
    return outer_band(g, vectors=vectors, rows=band.shape[-2], lower=lower)


@linear(family="symmetric eigenvalues")
def outer_band(g: Any, *, vectors: Any, rows: int, lower: bool) -> Any:
    """The band of `v diag(g) H(v)`, twice outside the main diagonal: what `forms_of_band` makes of a cotangent."""
    n = vectors.shape[-2]
    found = []
    for k in range(rows):
        first, last = _shifted(vectors, min(k, n), lower)
        d = (1 if k == 0 else 2) * np.sum(first * g[..., None, :] * np.conj(last), axis=-1)
        missing = (0, min(k, n)) if lower else (min(k, n), 0)
        found.append(np.pad(d, [(0, 0)] * (d.ndim - 1) + [missing]))
    return np.stack(found if lower else found[::-1], axis=-2)


@outer_band.adjoint(0)
def _(h: Any, g: Any, *, vectors: Any, rows: int, lower: bool) -> Any:
    return forms_of_band(h, vectors=vectors, lower=lower)
