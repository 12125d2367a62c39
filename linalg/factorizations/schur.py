"""The Schur form of square matrices, `a = z t H(z)`.

With `m = H(z) da z` and `w = H(z) dz`, skew-Hermitian, `m = w t - t w + dt`.  Below the diagonal blocks of `t` that
fixes the strictly lower triangle `x` of `w`, for `dt` is zero there and only `x` enters:

    x t - t x = m  below the blocks,  see `commuting`
    dt = m - (w t - t w),   dz = z w

What `w` has on its diagonal is free in a complex form (the phases of the columns).  In a real form a pair of rows has
`t = [[p, b], [c, p]]`; with `d = m - (w t - t w)` from `x` alone, a rotation `w_21 = r` in the pair adds `r (b + c)`
to `p` above and `-r (b + c)` below, and as both stay equal `r = (d_22 - d_11) / (2 (b + c))`.

The adjoint, with `k = H(z) gz + H(t) gt - gt H(t)`: the derivative of the loss along `w` is `<k, w>`, so that `m` has
the cotangent `gt` and what `commuting_back` makes of `k - H(k)`.  Inside a block of tied values `k` must be Hermitian,
and `gt` must not tell them apart [KP24]; where the block is diagonal, the distinct values in it are separated after the
rest, each pair for itself.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.linalg

from ...backends import eps_of
from ...complex_autograd.engine.choices import CHOICES, given_phases, perturbed_matrix
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import identity
from ..equations.triangular_sylvester import commuting, commuting_back
from ..functions.schur_forms import power_of_two_near
from ..kernels.matrix_operands import floating
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.tolerances import TIED
from ..kernels.validation import some_traced
from ..spectral.degenerate.equal_values import block_vectors, chosen_matrix
from .lost_digits import alone, of_one, refuse_inaccurate_adjoint, refuse_inaccurate_differential
from .quasi_triangles import Blocks, at_pairs, diagonal_pairs, skew_pairs, subdiagonal, superdiagonal
from .schur_freedom import normal_pairs, refuse_freedom, unevenness


@primitive(family="Schur forms")
def schur_factors(a: Any, *, factors: Any, blocks: Blocks) -> Any:
    """`t` and `z`, as given."""
    return factors


@schur_factors.differential
def _(x: Any, a: Any, da: Any, *, factors: Any, blocks: Blocks) -> Any:
    t, z = x
    blocks.refuse_forward("linalg.schur", normal_pairs(raw(t), blocks))
    m = H(z) @ da @ z
    dt, w = _turned(t, m, blocks)
    refuse_inaccurate_differential("linalg.schur", of_one(partial(_turned, blocks=blocks)), *alone(t, m, w, dt))
    return dt * nonzero_pattern(t), z @ w


def _turned(t: Any, m: Any, blocks: Blocks) -> tuple[Any, Any]:
    """`dt`, but for what is zero in it, and `w`."""
    lower = commuting(t, m, blocks=blocks)
    w = lower - H(lower)
    dt = m - (w @ t - t @ w)
    if t.dtype.kind != "c" and t.shape[-1] > 1:
        diagonal = np.diagonal(dt, 0, -2, -1)
        rotation = skew_pairs((diagonal[..., 1:] - diagonal[..., :-1]) * _rates(t, blocks), identity(t))
        dt = dt - (rotation @ t - t @ rotation)
        w = w + rotation
    return dt, w


def nonzero_pattern(t: Any) -> Any:
    """1 where the form need not be zero: on and above its diagonal, and in the pairs."""
    return 1 - np.tril(raw(t) == 0, -1).astype(t.dtype.char.lower())


def _is_free(t: Any, blocks: Blocks) -> bool:
    """Whether some vectors are an arbitrary choice but for phases."""
    return blocks.tied is not None or (t.shape[-1] > 1 and bool(np.any(normal_pairs(t, blocks))))


def _chosen(t: Any, z: Any, blocks: Blocks) -> tuple[Any, Any]:
    """The factors as they are, or others: rotated in normal pairs and where a tie is a multiple of the identity."""
    CHOICES.made += 1
    CHOICES.unclear += 1
    if not CHOICES.other_bases:
        return t, z
    eye = identity(t)
    q, within = eye + np.zeros_like(t), np.zeros_like(np.abs(t))
    if blocks.tied is not None:
        rounding = TIED * t.shape[-1] * eps_of(t.dtype) * np.max(np.abs(t), axis=(-2, -1), keepdims=True)
        uneven = np.any(unevenness(t, blocks.tied) > rounding, axis=-1)
        within = blocks.tied * ~np.any(blocks.tied * uneven[..., None, :] > 0, axis=-1)[..., None]
        q = block_vectors(np.maximum(within, eye), chosen_matrix(t))
    if t.dtype.kind != "c":
        normal = normal_pairs(t, blocks).astype(t.dtype)
        angle = skew_pairs(normal, eye)
        q = q @ (eye + angle @ angle * (1 - np.cos(1.0)) + angle * np.sin(1.0))
    return np.where(within > 0, t, H(q) @ t @ q), z @ q  # inside a multiple of the identity stays as it is


def _rephased(t: Any, z: Any) -> tuple[Any, Any]:
    """The factors, with other phases of the columns where these are asked for."""
    phases = given_phases(z)
    return (t, z) if phases is None else (H(phases) * t * phases, z * phases)


def _reciprocal_gaps(t: Any, chosen: Any) -> Any:
    """`1 / (t_jj - t_ii)` where `chosen` is 1, 0 elsewhere."""
    diagonal = np.diagonal(t, 0, -2, -1)
    return chosen / ((diagonal[..., None, :] - diagonal[..., :, None]) * chosen + (1 - chosen))


def _rates(t: Any, blocks: Blocks) -> Any:
    """`1 / (2 (b + c))` for the pairs whose rotation is fixed, 0 elsewhere."""
    fixed = blocks.pairs * ~normal_pairs(raw(t), blocks)
    total = subdiagonal(t) + superdiagonal(t)
    return fixed / (2 * (total * fixed + (1 - fixed)))


@schur_factors.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, factors: Any, blocks: Blocks) -> Any:
    gt, gz = g
    t, z = x
    of_vectors = np.zeros_like(t) if gz is None else H(z) @ gz
    gt = np.zeros_like(t) if gt is None else gt * nonzero_pattern(t)
    k = of_vectors + H(t) @ gt - gt @ H(t)
    CHOICES.used += gz is not None and _is_free(raw(t), blocks)
    refuse_freedom(raw(k), raw(of_vectors), None if g[0] is None else raw(gt), raw(t), blocks)
    if blocks.tied is not None and isinstance(a, Traced) and a._tangent is not None:
        raise NotDifferentiableError(
            "linalg.schur",
            "a second derivative was asked for where eigenvalues are equal. Functions of the matrix that need no Schur "
            "form (expm, funm, det, inv) have one.",
        )
    gt = _of_normal_pairs(gt, raw(t), blocks) if gz is None and t.dtype.kind != "c" and t.shape[-1] > 1 else gt
    total = _pulled(t, of_vectors, gt, blocks)
    maps = partial(_turned, blocks=blocks), partial(_pulled, gt=np.zeros_like(raw(t)), blocks=blocks)
    refuse_inaccurate_adjoint("linalg.schur", *map(of_one, maps), *alone(t, of_vectors, gt, total))
    return (z @ total @ H(z),)


def _pulled(t: Any, of_vectors: Any, gt: Any, blocks: Blocks) -> Any:
    """The cotangent of `m` from those of `w`, but for what the form gives it, and of the form."""
    k = of_vectors + H(t) @ gt - gt @ H(t)
    if blocks.apart is not None:
        gt = gt + (k - H(k)) * np.conj(_reciprocal_gaps(raw(t), blocks.apart))
        k = of_vectors + H(t) @ gt - gt @ H(t)
    if t.dtype.kind != "c" and t.shape[-1] > 1:
        rotation = subdiagonal(k) - superdiagonal(k)
        gt = gt + diagonal_pairs(rotation * _rates(t, blocks), identity(t))
        k = of_vectors + H(t) @ gt - gt @ H(t)
    return gt + commuting_back(t, k - H(k), blocks=blocks)


def _of_normal_pairs(gt: Any, t: Any, blocks: Blocks) -> Any:
    """The cotangent of a loss of the form alone, whose pairs that stay the same under rotations keep what does so, too.

    Their diagonal elements stay equal, and the sum of the other two is at a kink.  Of a loss of the vectors as well,
    which takes both as they come, as `z f(t) H(z)` does, all elements count: the vectors turn by as much as the pair.
    """
    normal = normal_pairs(t, blocks).astype(t.dtype) / 2
    eye, diagonal = identity(t), np.diagonal(gt, 0, -2, -1)
    total = (subdiagonal(gt) + superdiagonal(gt)) * normal
    return gt - diagonal_pairs((diagonal[..., 1:] - diagonal[..., :-1]) * normal, eye) - at_pairs(total, total, eye)


@kernel(2)
def schur_values(a: Any, *, output: str, lwork: Any, sort: Any, check_finite: bool) -> Any:
    """SciPy's function; the number of eigenvalues selected comes last where there is a selection."""
    t, z, *count = scipy.linalg.schur(a, output, lwork, sort=sort, check_finite=check_finite)
    return t, z, *(np.intp(n) for n in count)


def _blocks(t: Any) -> Blocks:
    """The blocks of Schur forms."""
    half = np.sqrt(np.maximum(-np.real(subdiagonal(t) * superdiagonal(t)), 0)) * (subdiagonal(t) != 0)
    none = np.zeros_like(half[..., :1]) if t.shape[-1] > 1 else np.zeros_like(np.real(t[..., 0]))
    imaginary = np.concatenate([half, none], axis=-1) - np.concatenate([none, half], axis=-1)
    values = np.diagonal(t, 0, -2, -1) + 1j * imaginary.astype(t.dtype.char.lower())
    gaps = np.abs(values[..., :, None] - values[..., None, :])
    return Blocks(t, gaps, np.max(np.abs(t), axis=(-2, -1), keepdims=True), np.abs(t), separable=True)


@public(a=2)
def schur(
    a: Any,
    output: str = "real",
    lwork: int | None = None,
    overwrite_a: bool = False,
    sort: Any = None,
    check_finite: bool = True,
) -> Any:
    """The Schur form `t` of square matrices, `a = z @ t @ H(z)`.

    With `m = H(z) da z` and the skew-Hermitian `w` for which `m - (w t - t w)` has the form of `t`: that is `dt`, and
    `dz = z w`.  The order of the eigenvalues is locally constant.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    output : {"real", "complex"}
        Which form real matrices get; complex ones always get the complex form.
    lwork : int, optional
        The size of LAPACK's workspace.
    sort : {"lhp", "rhp", "iuc", "ouc"} or callable, optional
        Which eigenvalues come first: those in the left or right half-plane, inside or outside the unit circle, or those
        for which the function is true, of a complex eigenvalue, or of real and imaginary part for a real form.

    Returns
    -------
    t : ndarray (..., M, M)
        Upper triangular; a real form has blocks of two rows for the pairs of complex eigenvalues, with equal diagonals.
    z : ndarray (..., M, M)
        Unitary.
    sdim : int or ndarray of int (...)
        How many eigenvalues come first.  Only with `sort`.

    Raises
    ------
    LinAlgError
        If the iteration does not converge, or the eigenvalues cannot be brought in order.
    ValueError
        If the matrices are not square.
    GaugeError
        If a derivative is needed of a loss that depends on the phases of the columns of a complex form, on the rotation
        of a real block `[[p, q], [-q, p]]`, or on the basis of a block of equal eigenvalues; or, where there are such
        blocks, one in forward mode.
    NotDifferentiableError
        If a loss depends on the values in a block of equal eigenvalues but by its trace; or, where there are such
        blocks, if a second derivative is needed.
    PrecisionLossError
        If rounding errors spoil half of the digits of a derivative, as of nearly defective matrices.

    Examples
    --------
    >>> import wirtinger as np
    >>> t, z = np.linalg.schur(np.array([[0.0, 2.0, 2.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]]))
    >>> np.allclose(z @ t @ z.T, [[0.0, 2.0, 2.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]])
    True
    >>> t[0, 0].round(6), t[2, 0]
    (np.float64(2.658967), np.float64(0.0))
    """
    a = perturbed_matrix(as_operand(a)) if some_traced(a) else as_operand(a)
    t, z, *count = schur_values(raw(a), output=output, lwork=lwork, sort=sort, check_finite=check_finite)
    if some_traced(a) and t.size:
        unit = power_of_two_near(t)
        a, t = (floating(a).astype(t.dtype), t) if unit == 1 else (floating(a).astype(t.dtype) / unit, t / unit)
        blocks = _blocks(t)
        factors = _chosen(t, z, blocks) if _is_free(t, blocks) else (t, z)
        t, z = schur_factors(a, factors=_rephased(*factors), blocks=blocks)
        t = t if unit == 1 else t * unit
    elif some_traced(a):
        t, z = a + t, a + z
    return (t, z, *(int(n) if np.ndim(n) == 0 else n for n in count))
