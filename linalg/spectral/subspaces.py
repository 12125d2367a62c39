"""Ranges, null spaces and the angles between subspaces.

Let `q` be an orthonormal basis of what the singular values above the cutoff span, `b = H(q) a`, `t` the pseudo-inverse
of `b` and `c = a - q b` what is below the cutoff.  The projector `q H(q)` commutes with `a H(a)`, whose parts are
`q b H(b) H(q)` and `c H(c)`.  With `y = (1 - q H(q)) dq` it follows, by multiplying with `H(t) t = inv(b H(b))`,

    y - c H(c) y H(t) t = (1 - q H(q)) da t + c H(da) q H(t) t

which is `(1 - q H(q)) da t` where `c` is rounding.  What `dq` has along `q` is free, and 0 here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import skew_part
from ..factorizations.complement import complement
from ..functions.schur_forms import power_of_two_near
from ..kernels.matrix_operands import floating
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import refuse_nonfinite, some_traced
from ..systems.pinvh import damped_stein
from .gauge import refuse_gauge


@primitive(family="SVD")
def range_basis(a: Any, *, columns: Any, function: str, stein: dict[str, Any]) -> Any:
    """Orthonormal columns that span the range, as given: any unitary combination of them would do."""
    return columns


@range_basis.differential
def _(q: Any, a: Any, da: Any, *, columns: Any, function: str, stein: dict[str, Any]) -> Any:
    t, c, d = _parts(q, a)
    moved = da @ t
    return damped_stein(c @ H(c), d, moved - q @ (H(q) @ moved) + c @ (H(da) @ (q @ d)), **stein)


@range_basis.adjoint_by_hand
def _(g: Any, q: Any, a: Any, *, columns: Any, function: str, stein: dict[str, Any]) -> Any:
    m = H(q) @ g
    free = skew_part(m)
    refuse_gauge(function, free, np.ones_like(np.abs(raw(free))), g, "basis")
    t, c, d = _parts(q, a)
    y = damped_stein(c @ H(c), d, g - q @ m, **stein)
    return ((y - q @ (H(q) @ y)) @ H(t) + q @ d @ (H(y) @ c),)


def _parts(q: Any, a: Any) -> tuple[Any, Any, Any]:
    """`t`, `c` and `H(t) t`."""
    b = H(q) @ a
    t = np.linalg.pinv(b, rcond=0.0)
    return t, a - q @ b, H(t) @ t


def _range(a: Any, columns: Any, function: str) -> Any:
    """The columns as a function of the matrix whose singular vectors they are, and those of its multiples."""
    scale = power_of_two_near(raw(a))
    a = a if scale == 1 else a / scale
    u, s, _ = np.linalg.svd(raw(a), full_matrices=False)
    rank = columns.shape[-1]
    ratio = (s[..., rank:, None] / s[..., None, :rank]) ** 2
    rotation = H(columns) @ u[..., :rank]
    stein = {"left": u[..., rank:], "right": rotation, "factors": ratio / (1 - ratio)}
    return range_basis(a, columns=columns, function=function, stein=stein)


orth_values = kernel(2)(scipy.linalg.orth)
null_space_values = kernel(2)(scipy.linalg.null_space)


def _of_one_rank(values: Any, a: Any, **settings: Any) -> Any:
    """The bases for a stack, in one array."""
    try:
        return values(a, **settings)
    except ValueError as error:
        if not any(reason in str(error) for reason in ("inhomogeneous", "same shape")):
            raise
        raise ValueError(
            "the matrices of the stack have different ranks, so that their bases do not fit in one array. Take them "
            "one by one, or set rcond"
        ) from error


@public(A=2)
def orth(A: Any, rcond: float | None = None) -> Any:
    """An orthonormal basis of the range of matrices.

    The derivative holds at constant rank, for every cutoff: `dq = (1 - q H(q)) da pinv(a) q` where all singular values
    that count as zero are.

    Parameters
    ----------
    A : array_like (..., M, N)
        The matrices; those of a stack have one rank.
    rcond : float, optional
        Singular values up to `rcond` times the largest count as zero; `eps * max(M, N)` by default.

    Returns
    -------
    ndarray (..., M, K)
        The basis, in K columns if the rank is K.

    Raises
    ------
    LinAlgError
        If the singular values do not converge.
    ValueError
        If the matrices of a stack have different ranks.
    GaugeError
        If a derivative is needed of a loss that depends on the choice of the basis: only `q @ H(q)` does not.

    Examples
    --------
    >>> import wirtinger as np
    >>> q = np.linalg.orth(np.array([[3.0, 6.0], [4.0, 8.0]]))
    >>> q @ q.T
    array([[0.36, 0.48],
           [0.48, 0.64]])
    """
    a = as_operand(A)
    columns = _of_one_rank(orth_values, raw(a), rcond=rcond)
    return _range(floating(a), columns, "linalg.orth") if some_traced(a) else columns


@public(A=2)
def null_space(
    A: Any,
    rcond: float | None = None,
    *,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """An orthonormal basis of the null space of matrices.

    The derivative holds at constant rank, for every cutoff: `dz = -pinv(a) da z` where all singular values that count
    as zero are.

    Parameters
    ----------
    A : array_like (..., M, N)
        The matrices; those of a stack have one rank.
    rcond : float, optional
        Singular values up to `rcond` times the largest count as zero; `eps * max(M, N)` by default.
    lapack_driver : {"gesdd", "gesvd"}
        LAPACK's routine.

    Returns
    -------
    ndarray (..., N, N - K)
        The basis, in columns, if the rank is K.

    Raises
    ------
    LinAlgError
        If the singular values do not converge.
    ValueError
        If the matrices of a stack have different ranks.
    GaugeError
        If a derivative is needed of a loss that depends on the choice of the basis: only `z @ H(z)` does not.

    Examples
    --------
    >>> import wirtinger as np
    >>> z = np.linalg.null_space(np.array([[3.0, 4.0]]))
    >>> (z @ z.T).round(12)
    array([[ 0.64, -0.48],
           [-0.48,  0.36]])
    """
    a = as_operand(A)
    settings = {"rcond": rcond, "check_finite": check_finite, "lapack_driver": lapack_driver}
    columns = _of_one_rank(null_space_values, raw(a), **settings)
    if not some_traced(a):
        return columns
    a = floating(a)
    rank = columns.shape[-2] - columns.shape[-1]
    rows = _range(H(a), H(np.linalg.svd(raw(a), full_matrices=False)[2][..., :rank, :]), "linalg.null_space")
    return complement(rows, columns=columns, function="linalg.null_space")


@public(A=2, B=2)
def subspace_angles(A: Any, B: Any) -> Any:
    """The angles between the ranges of matrices.

    Large angles come from their cosines and small ones from their sines [KA02], with their derivatives.  At an angle of
    zero, at a right angle and where angles are equal is a kink: the derivative is 0 there, or the mean over equal ones.

    Parameters
    ----------
    A : array_like (..., M, N)
        The matrices whose columns span the first subspaces.
    B : array_like (..., M, K)
        Those of the second ones.

    Returns
    -------
    ndarray (..., L)
        The principal angles, in descending order; L is the lesser rank, which is min(N, K) if both are full.

    Raises
    ------
    LinAlgError
        If the singular values do not converge.
    ValueError
        If the numbers of rows differ, or a matrix has infinities or NaN.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.subspace_angles(np.array([[1.0], [0.0]]), np.array([[1.0], [1.0]])).round(12)
    array([0.78539816])
    """
    a, b = operands(A, B)
    for x in (a, b):
        if x.ndim < 2:
            raise ValueError(f"expected 2D array, got shape {x.shape}")
    if a.shape[-2] != b.shape[-2]:
        raise ValueError(f"A and B must have the same number of rows, got {a.shape[-2]} and {b.shape[-2]}")
    refuse_nonfinite(True, a, b)
    first, second = (_range_of(floating(x)) for x in (a, b))
    across = H(first) @ second
    cosines = np.flip(_values_relative_to_one(across), axis=-1)
    rest = second - first @ across if first.shape[-1] >= second.shape[-1] else first - second @ H(across)
    sines = _values_relative_to_one(rest)
    small = raw(cosines) ** 2 >= 0.5
    return np.where(small, np.arcsin(np.where(small, sines, 0.5)), np.arccos(np.where(small, 0.5, cosines)))


def _values_relative_to_one(a: Any) -> Any:
    """The singular values of matrices in which 1 is large: those that are rounding relative to it count as zero.

    They are those of `[[1, 0], [0, a]]`, but for the largest.
    """
    if 0 in a.shape[-2:]:
        return np.linalg.svdvals(a)
    above, left = raw(a)[..., :1, :], raw(a)[..., :, :1]
    top = np.concatenate([np.ones_like(above[..., :1]), np.zeros_like(above)], axis=-1)
    below = np.concatenate([np.zeros_like(left), a], axis=-1)
    return np.linalg.svdvals(np.concatenate([top, below], axis=-2))[..., 1:]


def _range_of(a: Any) -> Any:
    columns = _of_one_rank(orth_values, raw(a), rcond=None)
    return _range(a, columns, "linalg.subspace_angles") if some_traced(a) else columns
