"""What rounding errors of a normal form make of its derivatives, which divide by differences or by small elements.

The form that LAPACK computes is that of a matrix as near as rounding; how far it has moved with that, and with it the
equation that a derivative solves, the same linear map tells, of a matrix of rounding errors without structure.  Of
nearly defective matrices both amplify.  Most matrices are far from that, as one matrix without structure shows.

A form is a matrix, or a pair of them, in a stack `p` (..., k, n, n); what turns on its left and on its right is
stacked, too, `v` (..., 1, n, n) if these are the same: `q = v p - p v + dp`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...backends import eps_of
from ...backends.blas import sum_of_squares
from ...complex_autograd.engine.errors import PrecisionLossError
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import like
from ..spectral.degenerate.equal_values import random_matrix

_MARGIN: Final = 30.0
"""How much less than half of the digits an estimate by one matrix loses where no closer one is needed."""

Map = Callable[[Any, Any], Any]


def refuse_inaccurate_differential(function: str, turned: Map, p: Any, q: Any, v: Any, dp: Any) -> None:
    """Raise where rounding errors spoil `dp` or `v`, of which `q = v p - p v + dp`.

    Parameters
    ----------
    function : str
        The function, for the message.
    turned : callable
        `(p, q)` gives `dp` and `v`.
    p, q, v, dp : array (..., k, n, n)
        As above.
    """
    p, q, v, dp = map(raw, (p, q, v, dp))
    p, unit = _scaled(p)
    q, dp = q / unit, dp / unit
    size, eps = _norm(q), eps_of(p.dtype)
    found = np.maximum(_norm(v), size), np.maximum(_norm(dp), size)
    r, w = turned(p, _rounding(p, 1.0, 22))
    noise = size + 2 * _norm(v) * _norm(r) / eps
    if _is_clear([(_norm(w) * noise, found[0]), (_norm(r) * noise, found[1])], eps):
        return
    of_form, of_vectors = turned(p, _rounding(p, size, 23) - (v[..., :1, :, :] @ r - r @ v[..., -1:, :, :]))
    _refuse(function, _norm(of_vectors), found[0], eps)
    _refuse(function, _norm(of_form), found[1], eps)


def refuse_inaccurate_adjoint(
    function: str, turned: Map, pulled: Map, p: Any, of_vectors: Any, gp: Any, total: Any
) -> None:
    """Raise where rounding errors spoil the cotangent of `q`.

    The cotangents of a function of the matrix alone move together with the form.  So the part of the error that the
    moved equation makes counts as far as the cotangent is as large as one without structure makes it.

    Parameters
    ----------
    function : str
        The function, for the message.
    turned : callable
        As above.
    pulled : callable
        `(p, of_vectors)` gives the cotangent of `q` for those of the vectors alone.
    p, of_vectors, gp, total : array (..., k, n, n)
        The form, the cotangents of vectors and form, and that of `q`.
    """
    p, of_vectors, gp, total = map(raw, (p, of_vectors, gp, total))
    p, unit = _scaled(p)
    gp, total = gp * unit, total * unit
    size, rest, eps = _norm(of_vectors) + _norm(gp), total - gp, eps_of(p.dtype)
    found = np.maximum(_norm(total), size)
    r = _rounding(p, 1.0, 22)
    moved, w = turned(p, r)
    noise = size + 2 * _norm(rest) * (1 + _norm(moved) / eps)
    if _is_clear([(_norm(w) * noise, found)], eps):
        return
    s = _rounding(of_vectors, size, 23)
    of_noise = _norm(pulled(p, s + _along(rest, r)))
    unlike = _norm(pulled(p, s)) / eps
    share = _norm(rest) / np.where(unlike > 0, unlike, np.inf)
    error = of_noise + np.minimum(share, 1) * _norm(pulled(p, _along(rest, moved)))
    _refuse(function, error, found, eps)


def of_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of matrices as one of stacks of one each."""

    def of_stacks(*stacks: Any) -> Any:
        found = function(*[x[..., 0, :, :] for x in stacks])
        return alone(*found) if isinstance(found, tuple) else found[..., None, :, :]

    return of_stacks


def alone(*matrices: Any) -> tuple[Any, ...]:
    """Matrices as stacks of one each."""
    return tuple(raw(x)[..., None, :, :] for x in matrices)


def _along(rest: Any, dp: Any) -> Any:
    """How the cotangents of vectors move with the form; those of one matrix are the same on both sides."""
    left, right = (np.sum(x, axis=-3, keepdims=True) for x in (-rest @ H(dp), H(dp) @ rest))
    return left + right if dp.shape[-3] == 1 else np.concatenate([left, right], axis=-3)


def _scaled(p: Any) -> tuple[Any, Any]:
    """Each matrix with Frobenius norm 1, and these norms."""
    largest = np.max(np.abs(p), axis=(-2, -1), keepdims=True)
    unit = np.where(largest > 0, largest, 1)
    unit = unit * np.sqrt(np.sum(np.abs(p / unit) ** 2, axis=(-2, -1), keepdims=True))
    unit = np.where(unit > 0, unit, 1)
    return p / unit, unit


def _norm(x: Any) -> Any:
    """Frobenius norms of stacked matrices together, without overflow, with the last axes kept."""
    if type(x) is np.ndarray and x.ndim == 3:
        square = float(sum_of_squares(x))
        if 1e-200 < square < 1e200:
            return np.full((1, 1, 1), square**0.5, x.real.dtype)
    largest = np.max(np.abs(x), axis=(-3, -2, -1), keepdims=True)
    unit = np.where(largest > 0, largest, 1)
    return largest * np.sqrt(np.sum(np.abs(x / unit) ** 2, axis=(-3, -2, -1), keepdims=True))


def _rounding(p: Any, size: Any, seed: int) -> Any:
    """Matrices without structure, of the kind of `p`, as large as rounding errors of matrices of that size."""
    k, n = p.shape[-3:-1]
    r = like(p, random_matrix, k * n, n, p.dtype.kind == "c", seed).reshape(k, n, n)
    return r / _norm(r) * (eps_of(p.dtype) * size)


def _is_clear(errors: list[tuple[Any, Any]], eps: float) -> bool:
    """Whether errors are by far less than half of the digits of what was found."""
    return all(bool(np.all(_MARGIN * error <= eps**0.5 * size)) for error, size in errors)


def _refuse(function: str, error: Any, size: Any, eps: float) -> None:
    """Raise where an error is more than half of the digits of what was found, or of the least that it could be."""
    lost = error > eps**0.5 * size  # next to an extremum of a loss its own derivative is rounding: it has a least size
    if np.any(lost):
        relative = float(np.max(error / np.where(lost, size, np.inf)))
        raise PrecisionLossError(
            f"{function}: rounding errors spoil a derivative, by {relative:.0e} of it. Likely cause: a matrix that is "
            "nearly defective, or has nearly equal eigenvalues, so that it hardly determines its form. Use a function "
            "of the matrix itself (expm, trace, det), which needs no such form."
        )
