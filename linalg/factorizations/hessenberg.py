"""The Hessenberg form, `a = q h H(q)` with zeros below the subdiagonal of `h`.

With `w = H(q) dq`, skew-Hermitian with a first row and column of zeros, `da = q (w h - h w + dh) H(q)`.  Below the
subdiagonal `dh` is zero, and on it real, as LAPACK makes it; so

    (w h - h w)_ij = (H(q) da q)_ij  for i > j + 1,   and its imaginary part for i = j + 1

fixes the columns of the lower triangle `x` of `w` one after the other, dividing by the subdiagonal:

    x_:,j+1 h_j+1,j = (m + h x)_:,j - x_:,..j h_..j,j

`hessenberg_turning(h, m)` is this linear map, `hessenberg_turning_back(h, g)` its adjoint: the same steps backwards.
With `x = hessenberg_turning(h, m)`, `dx = hessenberg_turning(h, dm - (x dh - dh x))`; and with
`y = hessenberg_turning_back(h, g)`, `dy = hessenberg_turning_back(h, dg - (y H(dh) - H(dh) y))`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import skew_from, skew_gradient
from ..functions.schur_forms import power_of_two_near
from ..kernels.matrix_operands import floating
from ..kernels.partly_linear import PartlyLinear, declare_adjoint_pair
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.tolerances import TIED
from ..kernels.validation import some_traced
from .lost_digits import alone, of_one, refuse_inaccurate_adjoint, refuse_inaccurate_differential


@kernel(2, 2)
def turning_values(h: Any, m: Any) -> Any:
    """The columns of `x`, from the second on; of numbers of any type."""
    n = h.shape[-1]
    x = np.zeros((n, n), np.result_type(h, m), order="F")
    h = np.asfortranarray(h)
    for j in range(n - 1):
        column = x[j + 1 :, j + 1]
        column += m[j + 1 :, j]
        if j > 0:
            column += h[j + 1 :, j:] @ x[j:, j]
            column -= x[j + 1 :, 1 : j + 1] @ h[1 : j + 1, j]
        column[0] -= column[0].real
        if h[j + 1, j].real or np.any(column):
            column /= h[j + 1, j].real
    return x


@kernel(2, 2)
def turning_back_values(h: Any, g: Any) -> Any:
    """The adjoint, from the last column to the first."""
    n = h.shape[-1]
    g = np.tril(g).astype(np.result_type(h, g))
    y = np.zeros_like(g, order="F")
    back = np.ascontiguousarray(h).conj().T
    for j in range(n - 2, -1, -1):
        column = y[j + 1 :, j]
        column += g[j + 1 :, j + 1]
        column[0] -= column[0].real
        if h[j + 1, j].real or np.any(column):
            column /= h[j + 1, j].real
        g[j:, j] += back[j:, j + 1 :] @ column
        g[j + 1 :, : j + 1] -= column[:, None] * back[j, : j + 1]
    return y


@PartlyLinear
def hessenberg_turning(h: Any, m: Any) -> Any:
    """The lower triangle `x` of `w` from `m = H(q) da q`."""
    return turning_values(h, m)


@PartlyLinear
def hessenberg_turning_back(h: Any, g: Any) -> Any:
    """The adjoint of `hessenberg_turning` in its second argument."""
    return turning_back_values(h, g)


declare_adjoint_pair(hessenberg_turning, hessenberg_turning_back)


@hessenberg_turning.differential
def _(x: Any, h: Any, m: Any, dh: Any, dm: Any) -> Any:
    dh = np.triu(dh, -1)
    return hessenberg_turning(h, dm - (x @ dh - dh @ x))


@hessenberg_turning_back.differential
def _(y: Any, h: Any, g: Any, dh: Any, dg: Any) -> Any:
    dh = H(np.triu(dh, -1))
    return hessenberg_turning_back(h, dg - (y @ dh - dh @ y))


@primitive
def hessenberg_factors(a: Any, *, factors: Any) -> Any:
    """`h` and `q`, as given."""
    return factors


@hessenberg_factors.differential
def _(z: Any, a: Any, da: Any, *, factors: Any) -> Any:
    h, q = z
    _refuse_reduced(raw(h))
    m = H(q) @ da @ q
    dh, w = _turned(h, m)
    refuse_inaccurate_differential("linalg.hessenberg", of_one(_turned), *alone(h, m, w, dh))
    return dh, q @ w


def _turned(h: Any, m: Any) -> tuple[Any, Any]:
    """`dh` and `w`."""
    w = skew_from(hessenberg_turning(h, m))
    return np.triu(m - (w @ h - h @ w), -1), w


@hessenberg_factors.adjoint_by_hand
def _(g: Any, z: Any, a: Any, *, factors: Any) -> Any:
    gh, gq = g
    h, q = z
    _refuse_reduced(raw(h))
    of_vectors = np.zeros_like(h) if gq is None else H(q) @ gq
    gh = np.zeros_like(h) if gh is None else np.triu(gh, -1)
    total = _pulled(h, of_vectors, gh)
    maps = of_one(_turned), of_one(partial(_pulled, gh=np.zeros_like(raw(h))))
    refuse_inaccurate_adjoint("linalg.hessenberg", *maps, *alone(h, of_vectors, gh, total))
    return (q @ total @ H(q),)


def _pulled(h: Any, of_vectors: Any, gh: Any) -> Any:
    """The cotangent of `m`: with `k = H(q) gq + H(h) gh - gh H(h)` the derivative of the loss along `w` is `<k, w>`."""
    k = of_vectors + H(h) @ gh - gh @ H(h)
    return gh + hessenberg_turning_back(h, skew_gradient(k))


def _refuse_reduced(h: Any) -> None:
    """Raise if an element of the subdiagonal that is divided by is zero; for real matrices the last one is not."""
    n = h.shape[-1]
    size = np.max(np.abs(h), axis=(-2, -1))[..., None]
    below = np.abs(np.diagonal(h, -1, -2, -1))
    if h.dtype.kind != "c":
        below = below[..., :-1]
    if np.any(below <= TIED * n * np.finfo(h.dtype).eps * size):
        raise NotDifferentiableError(
            "linalg.hessenberg",
            "the Hessenberg form has a zero on its subdiagonal, so that what follows is not determined by the matrix",
            "a",
        )


hessenberg_values = kernel(2)(scipy.linalg.hessenberg)


@public(a=2)
def hessenberg(a: Any, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The Hessenberg form `h` of square matrices, `a = q @ h @ H(q)`.

    With `m = H(q) da q` and the skew-Hermitian `w` for which `m - (w h - h w)` has the form of `h`: that is `dh`, and
    `dq = q w`.  The signs that LAPACK chooses are locally constant.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    calc_q : bool
        Whether `q` is returned.

    Returns
    -------
    h : ndarray (..., M, M)
        The form: zero below its first subdiagonal, which is real for M > 2.
    q : ndarray (..., M, M)
        Unitary, with the first column of the identity; the identity for M <= 2.  Only with `calc_q`.

    Raises
    ------
    ValueError
        If the matrices are not square.
    NotDifferentiableError
        If a derivative is needed where the subdiagonal has a zero.
    PrecisionLossError
        If rounding errors spoil half of the digits of a derivative, as where the subdiagonal is small.

    Examples
    --------
    >>> import wirtinger as np
    >>> h, q = np.linalg.hessenberg(np.array([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0], [4.0, 6.0, 7.0]]), calc_q=True)
    >>> h.round(12)
    array([[ 1. , -3.6,  0.2],
           [-5. , 11.2,  0.6],
           [ 0. , -0.4, -0.2]])
    """
    a = as_operand(a)
    if not some_traced(a):
        return hessenberg_values(a, calc_q=calc_q, check_finite=check_finite)
    h, q = hessenberg_values(raw(a), calc_q=True, check_finite=check_finite)
    if a.shape[-1] > 2:
        unit = power_of_two_near(h)
        if unit == 1:
            h, q = hessenberg_factors(floating(a), factors=(h, q))
        else:
            h, q = hessenberg_factors(floating(a) / unit, factors=(h / unit, q))
            h = h * unit
    else:
        h = a
    return (h, q) if calc_q else h
