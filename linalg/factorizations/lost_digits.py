"""What rounding errors of a normal form make of its derivatives, which divide by differences or by small elements.

The form that LAPACK computes is that of a matrix as near as rounding; how far it has moved with that, and with it the
equation that a derivative solves, the same linear map tells, of a matrix of rounding errors without structure.  Of
nearly defective matrices both amplify.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import eps_of
from ...complex_autograd.engine.errors import PrecisionLossError
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import like
from ..spectral.degenerate.equal_values import random_matrix


def refuse_inaccurate_differential(function: str, turned: Any, t: Any, m: Any, w: Any, dt: Any) -> None:
    """Raise where rounding errors spoil `dt` or `w`, of which `m = w t - t w + dt`.

    Parameters
    ----------
    function : str
        The function, for the message.
    turned : callable
        `(t, m)` gives `dt` and `w`.
    t, m, w, dt : array (..., n, n)
        As above.
    """
    t, m, w, dt = map(raw, (t, m, w, dt))
    size, length = _norm(m), _norm(t)
    r, _ = turned(t, _rounding(t, length, 22))
    of_form, of_vectors = turned(t, _rounding(t, size, 23) - (w @ r - r @ w))
    _refuse(function, _norm(of_vectors), w, size / (length + (length == 0)))
    _refuse(function, _norm(of_form), dt, size)


def refuse_inaccurate_adjoint(
    function: str, turned: Any, pulled: Any, t: Any, of_vectors: Any, gt: Any, total: Any
) -> None:
    """Raise where rounding errors spoil the cotangent of `m`.

    The cotangents of a function of the matrix alone move together with the form.  So the part of the error that the
    moved equation makes counts as far as the cotangent is as large as one without structure makes it.

    Parameters
    ----------
    function : str
        The function, for the message.
    turned : callable
        As above.
    pulled : callable
        `(t, of_vectors)` gives the cotangent of `m` for those of the vectors alone.
    t, of_vectors, gt, total : array (..., n, n)
        The form, the cotangents of vectors and form, and that of `m`.
    """
    t, of_vectors, gt, total = map(raw, (t, of_vectors, gt, total))
    length, eps = _norm(t), eps_of(t.dtype)
    size, rest = _norm(of_vectors) + length * _norm(gt), total - gt
    r, s = _rounding(t, length, 22), _rounding(t, size, 23)
    of_noise = _norm(pulled(t, s + H(r) @ rest - rest @ H(r)))
    unlike = _norm(pulled(t, s)) / eps
    share = _norm(rest) / np.where(unlike > 0, unlike, np.inf)
    moved = H(turned(t, r)[0])
    error = of_noise + np.minimum(share, 1) * _norm(pulled(t, moved @ rest - rest @ moved))
    _refuse(function, error, total, size / (length + (length == 0)))


def _norm(x: Any) -> Any:
    """Frobenius norms, without overflow, with the last axes kept."""
    largest = np.max(np.abs(x), axis=(-2, -1), keepdims=True)
    unit = np.where(largest > 0, largest, 1)
    return largest * np.sqrt(np.sum(np.abs(x / unit) ** 2, axis=(-2, -1), keepdims=True))


def _rounding(t: Any, size: Any, seed: int) -> Any:
    """Matrices without structure, of the kind of `t`, as large as rounding errors of matrices of that size."""
    r = like(t, random_matrix, *t.shape[-2:], t.dtype.kind == "c", seed)
    return r / _norm(r) * (eps_of(t.dtype) * size)


def _refuse(function: str, error: Any, found: Any, least: Any) -> None:
    """Raise where an error is more than half of the digits of what was found, or of the least that it could be."""
    size = np.maximum(_norm(found), least)  # next to an extremum of a loss its own derivative is rounding
    lost = error > eps_of(found.dtype) ** 0.5 * size
    if np.any(lost):
        relative = float(np.max(error / np.where(lost, size, np.inf)))
        raise PrecisionLossError(
            f"{function}: rounding errors spoil a derivative, by {relative:.0e} of it. Likely cause: a matrix that is "
            "nearly defective, or has nearly equal eigenvalues, so that it hardly determines its form. Use a function "
            "of the matrix itself (expm, trace, det), which needs no such form."
        )
