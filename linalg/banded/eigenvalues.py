"""Eigenvalues and vectors of Hermitian band matrices and of real symmetric tridiagonal ones, as SciPy has them."""

from __future__ import annotations

from typing import Any, final

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.choices import fixed_phases
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.reverse import own
from ...complex_autograd.engine.traced import raw
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import kernel
from ..kernels.validation import some_traced
from ..spectral.phase_conventions import check_gauge, row_real, with_largest_real
from ..spectral.subset import Subset
from .eigenvalue_rule import BandProblem, banded_values
from .storage import inside_half, stored_half


@kernel(2)
def banded_problem(band: Any, *, lower: bool, values_only: bool, selection: Any, max_ev: int) -> Any:
    """Eigenvalues, and vectors unless only values are wanted, by SciPy.

    LAPACK takes the eigenvalue of a matrix of one element from the first row of the storage, wherever that element is,
    and SciPy refuses NaN in corners that belong to no entry.
    """
    if band.ndim == 2 and band.size:
        band = stored_half(band, lower)
        band = np.where(inside_half(*band.shape, lower), band, 0)
    return scipy.linalg.eig_banded(band, lower, values_only, **selection, max_ev=max_ev, check_finite=False)


@kernel(1, 1)
def tridiagonal_problem(d: Any, e: Any, *, values_only: bool, selection: Any, driver: str, tol: float) -> Any:
    """Eigenvalues, and vectors unless only values are wanted, by SciPy."""
    return scipy.linalg.eigh_tridiagonal(
        d, e, values_only, **selection, tol=tol, lapack_driver=driver, check_finite=False
    )


@final
class _Call:
    """One call: the arrays, the eigenvalues wanted, and how SciPy computes them."""

    def __init__(self, compute: Any, arrays: list[Any], axes: int, subset: Subset, **params: Any) -> None:
        self._compute, self.arrays, self._axes, self.subset, self._params = compute, arrays, axes, subset, params
        self.is_plain = not some_traced(*arrays)
        if not self.is_plain:
            self.arrays = [own(x) for x in arrays]
        n = arrays[0].shape[-1] if arrays[0].ndim else 0
        if n and arrays[0].ndim >= axes:
            subset.check_size(n)

    def solve(self, subset: Subset, vectors: bool) -> Any:
        """Eigenvalues, and vectors if wanted, of the plain arrays."""
        arrays = [raw(x) for x in self.arrays]
        params = dict(self._params)
        if "driver" in params and subset.is_all != self.subset.is_all:
            params["driver"] = "auto"
        if subset.by_value is None or all(x.ndim <= self._axes for x in arrays):
            return self._compute(*arrays, values_only=not vectors, selection=subset.selection, **params)
        found = self._compute(*arrays, values_only=not vectors, selection=Subset().selection, **params)
        return subset.of(*found) if vectors else subset.of_values(found)

    def answer(self, band: Any, lower: bool, vectors: bool, gauge: str | None) -> Any:
        """What the function returns; `band` makes the band of the traced arrays."""
        check_gauge(gauge)
        if self.is_plain:
            found = self.solve(self.subset, vectors)
            if gauge == "max-real" and vectors:
                return found[0], found[1] * with_largest_real(found[1])
            return found
        problem = BandProblem(band(*self.arrays), lower, self.subset, self.solve)
        if not vectors:
            return banded_values(problem.band, problem=problem)
        with fixed_phases(gauge == "lapack"):
            w, v = problem.decomposed()
        if gauge is not None:
            v = v * (row_real(v, 0) if gauge == "lapack" else with_largest_real(v))
        return w, v


def _banded(a_band: Any, lower: bool, vectors: bool, subset: Subset, max_ev: int, check: bool, gauge: Any) -> Any:
    band = as_operand(a_band)
    if check:
        refuse_infinite(band)
    call = _Call(banded_problem, [band], 2, subset, lower=bool(lower), max_ev=max_ev)
    return call.answer(lambda band: band, bool(lower), vectors, gauge)


def _tridiagonal(
    d: Any, e: Any, vectors: bool, subset: Subset, check: bool, tol: float, driver: str, gauge: str | None = None
) -> Any:
    d, e = operands(d, e)
    if check:
        refuse_infinite(d, e)
    if "c" in (d.dtype.kind, e.dtype.kind):
        raise TypeError("Only real arrays currently supported")
    call = _Call(tridiagonal_problem, [d, e], 1, subset, driver=driver, tol=tol)
    return call.answer(_band_of, True, vectors, gauge)


def _band_of(d: Any, e: Any) -> Any:
    """The lower band with these diagonals."""
    shape = np.broadcast_shapes(d.shape[:-1], e.shape[:-1])
    e = np.pad(e, [(0, 0)] * (e.ndim - 1) + [(0, 1)])
    return np.stack([np.broadcast_to(x, (*shape, x.shape[-1])) for x in (d, e)], axis=-2)


@public(a_band=2)
def eig_banded(
    a_band: Any,
    lower: bool = False,
    eigvals_only: bool = False,
    overwrite_a_band: bool = False,
    select: Any = "a",
    select_range: Any = None,
    max_ev: int = 0,
    check_finite: bool = True,
    *,
    gauge: str | None = None,
) -> Any:
    """Eigenvalues and eigenvectors of Hermitian band matrices.

    The gradient of a loss of the eigenvalues is the band of `v diag(g) H(v)`; no matrix is formed for it.  Entries of
    the storage outside the matrix have gradient 0.

    Parameters
    ----------
    a_band : array_like (..., B, M)
        The bands: `a_band[k, j] = a[j + k, j]` with `lower`, else `a_band[B - 1 - k, j] = a[j - k, j]`.
    lower : bool
        Whether the diagonals below the main one are given, or those above it.
    eigvals_only : bool
        Whether to return the eigenvalues alone.
    select : {"a", "v", "i"}
        Whether all eigenvalues are wanted, or those in the interval `(min, max]`, or those with indices min to max.
    select_range : (min, max), optional
        The interval, or the first and the last index.
    max_ev : int
        For "v", the largest number of eigenvalues expected.
    gauge : {"lapack", "max-real"}, optional
        The convention for the phases of the vectors: the first element of each real, as LAPACK returns them, or the
        element of largest modulus real and positive.

    Returns
    -------
    w : ndarray (..., K)
        The eigenvalues, real and ascending.
    v : ndarray (..., M, K)
        The vectors, in columns of length one; not with `eigvals_only`.

    Raises
    ------
    LinAlgError
        If the computation does not converge.
    GaugeError
        As `eigh` does.

    Examples
    --------
    >>> import wirtinger as np
    >>> w, v = np.linalg.eig_banded(np.array([[2.0, 2.0, 2.0], [1.0, 1.0, 0.0]]), lower=True)
    >>> w.round(6)
    array([0.585786, 2.      , 3.414214])
    """
    subset = Subset.selected(select, select_range)
    return _banded(a_band, lower, not eigvals_only, subset, max_ev, check_finite, gauge)


@public(a_band=2)
def eigvals_banded(
    a_band: Any,
    lower: bool = False,
    overwrite_a_band: bool = False,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
) -> Any:
    """Eigenvalues of Hermitian band matrices.

    Parameters and errors are those of `eig_banded`; differentiable as `eigvalsh` is.

    Returns
    -------
    ndarray (..., K)
        The eigenvalues, real and ascending.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> band = np.array([[0.0, 1.0], [2.0, 2.0]])
    >>> np.linalg.eigvals_banded(band)
    array([1., 3.])
    >>> grad(lambda band: np.linalg.eigvals_banded(band)[1])(band).round(12)
    array([[0. , 1. ],
           [0.5, 0.5]])
    """
    return _banded(a_band, lower, False, Subset.selected(select, select_range), 0, check_finite, None)


@public(d=1, e=1)
def eigh_tridiagonal(
    d: Any,
    e: Any,
    eigvals_only: bool = False,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
    *,
    gauge: str | None = None,
) -> Any:
    """Eigenvalues and eigenvectors of real symmetric tridiagonal matrices.

    `dw_k = sum_i v_ik^2 dd_i + 2 sum_i v_ik v_(i+1)k de_i`.  No matrix is formed for eigenvalues and their gradient.

    Parameters
    ----------
    d : array_like (..., M)
        The diagonals, real.
    e : array_like (..., M - 1)
        The elements next to them, real.
    eigvals_only : bool
        Whether to return the eigenvalues alone.
    select, select_range
        As in `eig_banded`.
    tol : float
        The absolute error allowed by the driver "stebz".
    lapack_driver : {"auto", "stemr", "stebz", "sterf", "stev", "stevd"}
        The routine of LAPACK; by default "stevd" for all eigenvalues and "stebz" for some.
    gauge : {"lapack", "max-real"}, optional
        The convention for the signs of the vectors: as LAPACK returns them, or the element of largest modulus positive.

    Returns
    -------
    w : ndarray (..., K)
        The eigenvalues, ascending.
    v : ndarray (..., M, K)
        The vectors, in columns of length one; not with `eigvals_only`.

    Raises
    ------
    TypeError
        If an array is complex.
    LinAlgError
        If the computation does not converge.
    GaugeError
        As `eigh` does.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> d, e = np.array([2.0, 2.0]), np.array([1.0])
    >>> np.linalg.eigh_tridiagonal(d, e)[0]
    array([1., 3.])
    >>> grad(lambda e: np.linalg.eigh_tridiagonal(d, e)[0][1])(e).round(12)
    array([1.])
    """
    subset = Subset.selected(select, select_range)
    return _tridiagonal(d, e, not eigvals_only, subset, check_finite, tol, lapack_driver, gauge)


@public(d=1, e=1)
def eigvalsh_tridiagonal(
    d: Any,
    e: Any,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
) -> Any:
    """Eigenvalues of real symmetric tridiagonal matrices.

    Parameters and errors are those of `eigh_tridiagonal`; differentiable as `eigvalsh` is.

    Returns
    -------
    ndarray (..., K)
        The eigenvalues, ascending.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.eigvalsh_tridiagonal(np.array([2.0, 2.0]), np.array([1.0]))
    array([1., 3.])
    """
    subset = Subset.selected(select, select_range)
    return _tridiagonal(d, e, False, subset, check_finite, tol, lapack_driver)
