"""Schur forms: what equations and functions of matrices are reduced to."""

from __future__ import annotations

import math
from typing import Any, Final, final

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError
from scipy.linalg.lapack import get_lapack_funcs

from ...complex_autograd.engine.opaque import opaque_call
from ...complex_autograd.rules.products.matrix_products import H
from ..kernels.stacks import kernel
from ..kernels.tolerances import TIED, precision_of

_MODERATE: Final = 0.3
"""The part of the range of exponents in which the squares of elements have all their digits."""


@kernel(2)
def schur_form(a: Any) -> Any:
    """`(r, u)` with `a = u r H(u)`, `u` unitary and `r` upper triangular; quasi-triangular if `a` is real."""
    return scipy.linalg.schur(a, output="real")


@kernel(2, 2, 2)
def triangular_sylvester(r: Any, s: Any, f: Any, *, adjoint: tuple[bool, bool] = (False, False)) -> Any:
    """The solution of `r y + y s = f`, with the conjugate transpose of `r`, of `s`, or of both, where that is asked."""
    if f.size == 0:
        return f
    if f.dtype.kind == "c" and r.dtype.kind != "c":
        parts = [triangular_sylvester(r, s, part, adjoint=adjoint) for part in (f.real, f.imag)]
        return parts[0] + 1j * parts[1]
    (trsyl,) = get_lapack_funcs(("trsyl",), (r, s, f))
    unit = max(map(_scale_of, (r, s))) if r.dtype == s.dtype else 1.0  # LAPACK takes tiny matrices for singular ones
    if unit != 1:
        r, s = r / unit, s / unit
    y, scale, info = trsyl(r, s, f, trana="NC"[adjoint[0]], tranb="NC"[adjoint[1]])
    if info == 1:
        raise LinAlgError("the equation a x + x b = q is singular: an eigenvalue of a is minus an eigenvalue of b")
    return y / (unit * scale)  # `r y + y s = scale f`


@kernel(2)
def complex_form(a: Any) -> Any:
    """The complex Schur form; eigenvalues of a real matrix that are real stay so, and with them their branch."""
    if not np.any(np.tril(a, -1)):
        t = a.astype(np.result_type(a.dtype, np.complex64))
        return t, np.eye(len(a), dtype=t.dtype)
    return complex_from_real(*scipy.linalg.schur(a, output="real"))


def complex_from_real(t: Any, z: Any, check_finite: bool = True) -> Any:
    """SciPy's `rsf2csf`, which squares elements, of a matrix whose largest element is near 1 if it must be."""
    scale = power_of_two_near(t)
    if scale == 1:
        return scipy.linalg.rsf2csf(t, z, check_finite=check_finite)
    r, u = scipy.linalg.rsf2csf(t / scale, z, check_finite=check_finite)
    return scale * r, u


def power_of_two_near(a: Any) -> float:
    """A power of two near the largest element, where squares of elements would overflow or vanish; else 1.

    To divide by it is exact.  SciPy's functions of a real matrix, which take such squares, go wrong without.
    """
    return opaque_call(_scale_of, (a,), {})  # type: ignore[no-any-return]


def _scale_of(a: Any) -> float:
    if a.dtype.char not in "fdFD" or not a.size:
        return 1.0
    largest = float(np.abs(a).max())
    if largest == 0 or not math.isfinite(largest):
        return 1.0
    exponent = math.frexp(largest)[1] - 1
    return 1.0 if abs(exponent) < _MODERATE * np.finfo(a.dtype).maxexp else float(2.0**exponent)


@kernel(2)
def triangular_root(t: Any) -> Any:
    """The principal square root of an upper triangular matrix, by halves [H08, section 6.2]."""
    n = t.shape[-1]
    if n < 2:
        return np.sqrt(t)
    half = n // 2
    root = np.zeros_like(t)
    root[:half, :half] = first = triangular_root(t[:half, :half])
    root[half:, half:] = second = triangular_root(t[half:, half:])
    root[:half, half:] = triangular_sylvester(first, second, t[:half, half:])
    return root


def eigenvalues_of_form(r: Any) -> Any:
    """The eigenvalues of a Schur form; in LAPACK's real one the two by two blocks have equal diagonal elements."""
    w = np.diagonal(r, axis1=-2, axis2=-1)
    if r.dtype.kind == "c" or r.shape[-1] < 2:
        return w
    above, below = np.diagonal(r, 1, axis1=-2, axis2=-1), np.diagonal(r, -1, axis1=-2, axis2=-1)
    is_pair = np.sign(above) * np.sign(below) < 0
    rise = np.where(is_pair, np.sqrt(np.abs(above)) * np.sqrt(np.abs(below)), 0.0)  # the product may overflow
    edge = np.zeros_like(rise[..., :1])
    return w + 1j * (np.concatenate([rise, edge], axis=-1) - np.concatenate([edge, rise], axis=-1))


def rounding_of(a: Any) -> float:
    """The rounding errors of eigenvalues relative to the largest."""
    return float(TIED * max(a.shape[-1], 1) * precision_of(a))


def is_triangular(a: Any) -> bool:
    """Whether the eigenvalues stand on the diagonal, without rounding errors."""
    return not np.any(np.tril(a, -1)) or not np.any(np.triu(a, 1))


@final
class SchurForms:
    """The Schur forms `a = u r H(u)` and `b = v s H(v)`, by which `a x + x b = q` is solved.

    Parameters
    ----------
    a_form, b_form : (array, array)
        `(r, u)` and `(s, v)`.
    adjoint : (bool, bool)
        Whether a form is that of the conjugate transpose: `H(a) = u r H(u)`.
    """

    __slots__ = ("_adjoint", "_r", "_s", "_u", "_v")

    def __init__(
        self, a_form: tuple[Any, Any], b_form: tuple[Any, Any], adjoint: tuple[bool, bool] = (False, False)
    ) -> None:
        (self._r, self._u), (self._s, self._v) = a_form, b_form
        self._adjoint = adjoint

    @property
    def H(self) -> SchurForms:
        """The forms of the equation with the conjugate transposes: the same data."""
        return SchurForms((self._r, self._u), (self._s, self._v), (not self._adjoint[0], not self._adjoint[1]))

    def solve(self, q: Any) -> Any:
        """The solution `x`; `LinAlgError` if the equation is singular."""
        y = triangular_sylvester(self._r, self._s, H(self._u) @ q @ self._v, adjoint=self._adjoint)
        return self._u @ y @ H(self._v)
