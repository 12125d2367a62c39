"""Conventions for the phases of vectors, which give a derivative to losses that depend on these phases.

Eigenvectors and singular vectors are determined up to a phase (a sign, if they are real).  A convention says which
element of each column is real: "max-real" makes the one of largest modulus real and positive; "lapack" keeps real the
one that LAPACK's algorithm makes real, with its sign.  The vectors are multiplied by `conj(p) / |p|` with this
element `p`, using differentiable operations, so that the result no longer depends on the phase.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...backends import refuse_in_precision
from ...complex_autograd.engine.choices import plain_phases
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ...determinism import DeterminismError, Level
from ...determinism.flag import is_portable

_GAUGES: Final = ("lapack", "max-real")


def check_gauge(gauge: str | None) -> str | None:
    """The name of a convention as given; `ValueError` if it is none, and LAPACK's is refused where vectors are not."""
    if gauge is not None and gauge not in _GAUGES:
        raise ValueError(f"gauge={gauge!r} is not a convention; use 'lapack' or 'max-real', or None for none")
    if gauge == "lapack" and is_portable():
        raise DeterminismError(
            "gauge='lapack'",
            "numpy",
            Level.PORTABLE,
            Level.SCHEDULE,
            "the signs and phases that LAPACK leaves depend on the CPU's kernels of BLAS",
            "pass gauge='max-real'; or ask for 'schedule'",
        )
    if gauge == "lapack":
        refuse_in_precision("gauge='lapack'", "the vectors are not LAPACK's. Pass gauge='max-real'.")
    return gauge


def largest_rows(v: Any) -> Any:
    """In which row each column has its element of largest modulus, the first of several: (..., 1, n)."""
    size = np.abs(raw(v))
    margin = 1 - np.sqrt(np.finfo(size.dtype).eps)  # so that rounding does not choose among equal ones
    return np.argmax(size >= margin * np.max(size, axis=-2, keepdims=True), axis=-2)[..., None, :]


def with_largest_real(v: Any) -> Any:
    """The factors (..., 1, n) that make the element of largest modulus of every column real and positive."""
    if v.shape[-2] == 0:
        return np.ones_like(raw(v)[..., :1, :])
    pivot = np.take_along_axis(v, largest_rows(v), axis=-2)
    return _phases(pivot, np.ones_like(np.abs(raw(pivot))))


def row_real(v: Any, rows: Any) -> Any:
    """The factors (..., 1, n) that keep an element of every column real; 1 where it is zero or not real.

    Parameters
    ----------
    v : array (..., m, n)
        The vectors, as LAPACK returned them.
    rows : int or array of int (..., 1, n)
        Which element of each column LAPACK makes real.
    """
    if v.shape[-2] == 0 or v.dtype.kind != "c":
        return np.ones_like(raw(v)[..., :1, :])
    n = v.shape[-2]
    pivot = v[..., rows % n, :][..., None, :] if isinstance(rows, int) else np.take_along_axis(v, rows, axis=-2)
    value = raw(pivot)
    rounding = 64 * n * np.finfo(value.dtype).eps
    holds = (np.abs(np.imag(value)) <= rounding) & (np.abs(value) > np.sqrt(rounding))
    sign = np.sign(np.real(value))
    kept = holds.astype(sign.dtype)
    return _phases(pivot * kept + (1 - kept), sign * kept + (1 - kept))


def _phases(pivot: Any, sign: Any) -> Any:
    """`sign conj(p) / |p|`; for real vectors signs alone, which are constants."""
    if pivot.dtype.kind != "c":
        return np.where(raw(pivot) < 0, -sign, sign)
    return np.conj(pivot) / np.abs(pivot) * sign


def rephased_together(u: Any, vh: Any, factors: Any) -> tuple[Any, Any]:
    """Left and right singular vectors, rephased alike."""
    return u * factors, H(factors) * vh


def with_other_phases(result: Any) -> Any:
    """Plain eigenvalues and vectors, with other phases of the vectors where these are asked for."""
    w, v = result
    phases = plain_phases(v)
    return result if phases is None else type(result)(w, v * phases)


def with_other_common_phases(result: Any) -> Any:
    """The same of plain singular values and vectors, of which those without a value stay as they are."""
    u, s, vh = result
    k = s.shape[-1]
    phases = plain_phases(u[..., :k])
    if phases is None:
        return result
    left, right = rephased_together(u[..., :k], vh[..., :k, :], phases)
    if u.shape[-1] > k:
        left = np.concatenate([left, u[..., k:]], axis=-1)
    if vh.shape[-2] > k:
        right = np.concatenate([right, vh[..., k:, :]], axis=-2)
    return type(result)(left, s, right)
