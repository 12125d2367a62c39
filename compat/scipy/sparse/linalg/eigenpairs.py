"""The rule of simple eigenpairs, `A v = w M v`, by one sparse system a pair.

With `f = (dA - w dM) v`, the differential of the equation and of what fixes the length, `v^H M v = 1`, are

    [A - w M  M v] [ dv]   [-f              ]
    [v^H M    0  ] [-dw] = [-(1/2) v^H dM v ]

whose bordered matrix is invertible where `w` is simple [N76].  Where the length is that of `v`, `M = 1`, the last
equation says `v^H dv = 0`, which is the choice of the phase, too: a loss that depends on it is refused.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as scipy_sparse
import scipy.sparse.linalg as scipy_linalg

from .....complex_autograd.engine.errors import GaugeError, NotDifferentiableError
from .....complex_autograd.engine.primitive import Primitive
from .....complex_autograd.engine.symbolic import adjoint_of_differential
from .....complex_autograd.engine.traced import raw
from ..array import SparseArray
from ..construction import block_array
from ..entries import Rows, product
from ..pattern import Pattern
from ..structure import entries_of, rows_of
from ..trees import traced_form
from .factors import Factors, plain_matrix, solved

_LARGEST = 1e11
"""How long a solution may be, relative to its right side and the inverse of the matrix, at a simple eigenvalue."""

_NEGLIGIBLE = 1e-6
"""The part of a cotangent that the errors of Arnoldi's and Lanczos's vectors make."""


@final
class Pairs:
    """Eigenpairs that SciPy found, and the patterns of their matrices.

    Attributes
    ----------
    w, v : array
        The values (k,) and the vectors (n, k).
    rows, mass : Rows
        The patterns of `A` and of `M`; the latter None where that is 1.
    hermitian : bool
        Whether `A` is, so that the values are real.
    """

    def __init__(self, name: str, w: Any, v: Any, rows: Rows, mass: Rows | None, hermitian: bool) -> None:
        self.name, self.w, self.v, self.rows, self.mass, self.hermitian = name, w, v, rows, mass, hermitian


@final
class _Bordered:
    """The factors of a bordered matrix, which is singular where the eigenvalue is not simple."""

    def __init__(self, matrix: Any, pairs: Pairs, i: int) -> None:
        self.matrix, self.pairs, self.i = matrix, pairs, i

    @cached_property
    def factors(self) -> Factors:
        factors = Factors(scipy_sparse.csc_array(self.matrix), scipy_linalg.splu)
        trial = np.random.default_rng(0).standard_normal(self.matrix.shape[0]).astype(self.matrix.dtype)
        try:
            size = float(np.linalg.norm(factors.solve(trial, "N"), 2) / np.linalg.norm(trial, 2))
        except RuntimeError:
            size = np.inf
        if not size * scipy_linalg.norm(self.matrix, "fro") < _LARGEST:
            raise NotDifferentiableError(
                self.pairs.name,
                f"its value number {self.i}, {self.pairs.w[self.i]:.6g}, is not simple: the vectors of equal values "
                "are a matter of choice. Use linalg.eigh of the dense matrix, or a quantity of the values alone",
            )
        return factors

    def solve(self, b: Any, op: str) -> Any:
        return self.factors.solve(b, op)


def _sparse_eigenvalues(d: Any, e: Any, *, pairs: Pairs) -> Any:
    return pairs.w


def _sparse_eigenvectors(d: Any, e: Any, *, pairs: Pairs, own: bool) -> Any:
    return pairs.v


eigenvalues = Primitive(_sparse_eigenvalues, registered=False, family="sparse times vector")
"""The values of the pairs; `d` and `e` are the values stored in `A` and in `M`."""

eigenvectors = Primitive(_sparse_eigenvectors, registered=False, family="sparse times vector")
"""The vectors of the pairs; `own` if they serve a rule and no loss of the caller's."""


def _forces(w: Any, v: Any, dd: Any, de: Any, pairs: Pairs) -> Any:
    """`f`, a column for each pair."""
    f = product(dd, v, rows=pairs.rows, transposed=False)
    return f if pairs.mass is None else f - product(de, v, rows=pairs.mass, transposed=False) * w


def _with_mass(e: Any, v: Any, pairs: Pairs) -> Any:
    return v if pairs.mass is None else product(e, v, rows=pairs.mass, transposed=False)


# v^H f = v^H M v dw for a Hermitian matrix
@eigenvalues.differential
def _(w: Any, d: Any, e: Any, dd: Any, de: Any, *, pairs: Pairs) -> Any:
    v = eigenvectors(d, e, pairs=pairs, own=True)
    f = _forces(w, v, dd, de, pairs)
    if not pairs.hermitian:
        return _solved(w, v, d, e, f, np.zeros(len(pairs.w)), pairs)[1]
    vh = np.conjugate(v)
    return np.real(np.sum(vh * f, 0)) / np.real(np.sum(vh * _with_mass(e, v, pairs), 0))


@eigenvectors.differential
def _derivative_of_vectors(v: Any, d: Any, e: Any, dd: Any, de: Any, *, pairs: Pairs, own: bool) -> Any:
    w = eigenvalues(d, e, pairs=pairs)
    f = _forces(w, v, dd, de, pairs)
    length: Any = np.zeros(len(pairs.w))
    if pairs.mass is not None:
        length = -0.5 * np.real(np.sum(np.conjugate(v) * product(de, v, rows=pairs.mass, transposed=False), 0))
    return _solved(w, v, d, e, f, length, pairs)[0]


@eigenvectors.adjoint_by_hand
def _(g: Any, v: Any, d: Any, e: Any, *, pairs: Pairs, own: bool) -> Any:
    if pairs.v.dtype.kind == "c" and not own:
        _refuse_phases(g, pairs)

    def differential(dd: Any, de: Any) -> Any:
        return _derivative_of_vectors(v, d, e, dd, de, pairs=pairs, own=own)

    return adjoint_of_differential(pairs.name, differential, v, (0, 1), (d, e), 2)(g)


def _refuse_phases(g: Any, pairs: Pairs) -> None:
    """Raise `GaugeError` if a cotangent has a component along the phase of a vector, which is arbitrary."""
    v, g = pairs.v, raw(g)
    along = np.abs(np.imag(np.sum(np.conjugate(v) * g, 0)))
    i = int(np.argmax(along))
    if along[i] > _NEGLIGIBLE * np.linalg.norm(v[:, i], 2) * np.linalg.norm(g[:, i], 2):
        raise GaugeError(
            f"scipy.sparse.linalg.{pairs.name}: the loss depends on the phase of column {i} of the vectors, which is "
            f"arbitrary. The component of its cotangent along the phase is {along[i]:.1e}, and the cotangent itself "
            f"{np.linalg.norm(g[:, i], 2):.1e}. Use a quantity that does not depend on the phase: abs(v), or v @ H(v)."
        )


def _solved(w: Any, v: Any, d: Any, e: Any, f: Any, length: Any, pairs: Pairs) -> tuple[Any, Any]:
    """`dv` and `dw`, a column and an element for each pair."""
    n = pairs.rows.shape[0]
    a = _sparse(pairs.rows, d)
    mass = scipy_sparse.eye_array(n, format="csr") if pairs.mass is None else _sparse(pairs.mass, e)
    border = _with_mass(e, v, pairs)
    columns = []
    for i in range(len(pairs.w)):
        column = border[:, i, None]
        bordered = block_array(
            [[a - mass * w[i], _dense(column)], [_dense(np.conjugate(column.T)), None]], format="csc"
        )
        right = np.concatenate([-f[:, i], length[i : i + 1] * np.ones(1)])
        columns.append(solved(bordered, right, _Bordered(plain_matrix(bordered), pairs, i)))
    found = np.stack(columns, 1)
    return found[:n], -found[n]


def _sparse(rows: Rows, d: Any) -> Any:
    return SparseArray(Pattern(rows.matrix(np.ones(len(rows.indices)))), d)


def _dense(x: Any) -> Any:
    """All elements of a dense matrix, zeros too."""
    coords = np.indices(x.shape).reshape(2, -1)
    places = scipy_sparse.coo_array((np.ones(coords.shape[1]), tuple(coords)), shape=x.shape)
    return SparseArray(Pattern(places), np.reshape(x, (-1,)))


def pairs_of(name: str, A: Any, M: Any, w: Any, v: Any, hermitian: bool) -> tuple[Any, Any]:
    """The eigenpairs `w`, `v` that SciPy found, with derivatives in the values of `A` and of `M`, which may be None."""
    rows, d = _by_rows(A)
    mass, e = (None, np.zeros(0)) if M is None else _by_rows(M)
    pairs = Pairs(name, w, v, rows, mass, hermitian)
    return eigenvalues(d, e, pairs=pairs), eigenvectors(d, e, pairs=pairs, own=False)


def _by_rows(A: Any) -> tuple[Rows, Any]:
    rows, d, _ = rows_of(*entries_of(traced_form(A).tocsr()))
    return rows, d
