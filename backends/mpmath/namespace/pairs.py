"""Eigenvalues of pairs of matrices: kernels of `linalg`."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...base import DeviceError
from ...numpy_versions import EIG_IS_COMPLEX
from ..array import array_of
from ..elements import COMPLEX, REAL, numbers
from .matrices import as_matrix, as_object_array, kernel, over_stack, solved
from .spectra import exponent_of, in_doubles, order_like, phase_of


def phased(v: Any, known: Any) -> Any:
    """Columns of length one, with the phases of the known ones."""
    v = v / np.array([mpmath.sqrt(sum(abs(x) ** 2 for x in column)) for column in v.T], object)
    overlap = (np.conjugate(v) * known).sum(0)
    return v * np.array([phase_of(x) for x in overlap], object)


def _eigenpairs(a: Any, b: Any = None) -> tuple[Any, Any, Any]:
    """Eigenvalues, left and right vectors of one pair, by `inv(b) a`; they stand as the doubles do."""
    size, size_b = exponent_of(a), 0 if b is None else exponent_of(b)
    found = scipy.linalg.eig(in_doubles(a, size), None if b is None else in_doubles(b, size_b), left=True, right=True)
    b = numbers(np.eye(len(a)), REAL) if b is None else b
    known, *vectors = (numbers(x, COMPLEX) for x in found)
    is_real = not any(type(x) is mpmath.mpc for x in (*a.flat, *b.flat))
    with mpmath.workprec(2 * mpmath.mp.prec):  # so that real eigenvalues of real matrices are told from pairs
        try:
            inverse = solved(b, numbers(np.eye(len(b)), REAL))
        except LinAlgError:
            raise DeviceError(
                "linalg.eig of a pair whose second matrix is singular is not available in a precision block, since "
                "infinite eigenvalues are found in doubles only. Call it outside, or eig(b, a) for their inverses."
            ) from None
        w, v = mpmath.eig(as_matrix(inverse @ a)) if len(a) else ([], mpmath.matrix(0, 0))
        w, v = numbers(np.array(list(w), object), COMPLEX), numbers(as_object_array(v), COMPLEX)
        order = order_like(w, known * mpmath.mpf(2) ** (size - size_b))
        w, v = w[order], v[:, order]
        left = phased(np.conjugate(solved(v, inverse)).T, vectors[0])
        right = phased(v, vectors[1])
    if is_real:
        largest = max(map(abs, w), default=0)
        w = np.array([mpmath.mpc(x.real) if abs(x.imag) <= len(w) * mpmath.eps * largest else x for x in w], object)
    return w, left, right


@kernel("general_problem")
def general_problem(a: Any, b: Any, *, left: bool, right: bool = True) -> Any:
    """Eigenvalues in homogeneous coordinates, with 1 in the second, and the vectors wanted."""
    given = [array_of(x) for x in (a, b) if x is not None]
    n = a.shape[-1]
    w, *vectors = over_stack(_eigenpairs, [(n,), (n, n), (n, n)], [COMPLEX] * 3, *given)
    vectors = [v for v, is_wanted in zip(vectors, (left, right), strict=True) if is_wanted]
    if not EIG_IS_COMPLEX and COMPLEX not in [x.dtype for x in given] and not np.any(w.imag):
        vectors = [v.real.copy() for v in vectors]
    return w, np.ones_like(w), *vectors


@kernel("hermitian_problem")
def hermitian_problem(a: Any, b: Any, *, vectors: bool, subset: Any, lower: bool, type: int, driver: Any) -> Any:
    """Eigenvalues, and vectors if wanted, of Hermitian matrices, or of pairs by the Cholesky factor of the second."""
    a = array_of(a)
    if b is None:
        w, v = np.linalg.eigh(a, "L" if lower else "U")
    else:
        l = np.linalg.cholesky(array_of(b), upper=not lower)
        l = l if lower else np.conjugate(l).mT
        side = np.tril(a, -1) if lower else np.triu(a, 1)
        h = side + np.conjugate(side).mT + np.eye(a.shape[-1]) * np.linalg.diagonal(a)[..., None, :].real
        c = np.conjugate(l).mT @ h @ l
        if type == 1:
            c = np.linalg.solve(l, np.conjugate(np.linalg.solve(l, h)).mT)
        w, y = np.linalg.eigh(c)
        v = l @ y if type == 3 else np.linalg.solve(np.conjugate(l).mT, y)
    return subset.of(w, v) if vectors else subset.of_values(w)
