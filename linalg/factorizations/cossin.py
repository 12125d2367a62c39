"""The cosine-sine decomposition of unitary matrices in two by two blocks.

`x = u d H(v)` with `u = diag(u1, u2)` and `v = diag(v1, v2)` block diagonal and `d` made of cosines, sines and ones:
every column of `u1`, `u2`, `v1` and `v2` has an angle `f`, which is one of `theta`, or 0, or a right angle.  With
`m = H(u) dx v`, the skew-Hermitian `a = H(u1) du1`, `b = H(u2) du2`, `e = H(v1) dv1`, `k = H(v2) dv2`, and
`m11 = a d11 - d11 e + dd11` and so on,

    m11 H(d11) + H(...) = -(m12 H(d12) + H(...)) = a cos^2 - cos^2 a
    a_ij = (m11 H(d11) + H(...))_ij / (sin(f_i - f_j) sin(f_i + f_j))

and likewise `b` from `m22 H(d22)` or `-m21 H(d21)`, `e` from `H(d11) m11` or `-H(d21) m21`, `k` from `H(d22) m22` or
`-H(d12) m12`.  Of each two the one with sines is taken for small angles, as in the singular value decomposition of the
smaller factor.  All that holds for `dx` that keep `x` unitary.  Where angles are equal (and on the diagonal) `e` is
free, and 0 here; then the skew-Hermitian parts give the others: `m11 H(d11) = a cos^2`, `m21 H(d21) = b sin^2`.
Finally

    dtheta = cos theta Re diag(m21) - sin theta Re diag(m11)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.linalg

from ...backends import eps_of
from ...complex_autograd.engine.errors import GaugeError, NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.symbolic import adjoint_of_differential
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.special_matrices import block_diag
from ..elementary.triangles import hermitian_part, skew_part
from ..kernels.matrix_operands import floating
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.tolerances import TIED, negligible
from ..kernels.validation import refuse_nonfinite, some_traced
from ..spectral.degenerate.equal_values import mean_over
from .cosine_sine_layout import RIGHT, Layout


def _rounding(x: Any, size: int) -> float:
    return float(TIED * size * eps_of(x.dtype))


def _equal(angles: Any, size: int) -> Any:
    """1 where angles are equal up to rounding, else 0."""
    angles = raw(angles)
    return (np.abs(angles[..., :, None] - angles[..., None, :]) <= _rounding(angles, size)).astype(angles.dtype)


def _kinks(theta: Any, size: int) -> Any:
    """1 where angles are 0 or right, else 0."""
    theta = raw(theta)
    rounding = _rounding(theta, size)
    return ((theta <= rounding) | (theta + rounding >= RIGHT())).astype(theta.dtype)


def _separated(of_cosines: Any, of_sines: Any, angles: Any, size: int) -> Any:
    """The rotation of columns with different angles, from both forms of the equation for it."""
    same = _equal(angles, size)
    total, difference = angles[..., :, None] + angles[..., None, :], angles[..., :, None] - angles[..., None, :]
    small = (raw(total) < RIGHT()).astype(same.dtype)
    rate = (1 - same) / (np.sin(difference) * np.sin(total) * (1 - same) + same)
    return 2 * rate * (hermitian_part(of_cosines) * (1 - small) - hermitian_part(of_sines) * small)


def _divided(x: Any, factors: Any, chosen: Any) -> Any:
    """`x_ij / (factors_i factors_j)` where `chosen` is 1, 0 elsewhere."""
    products = factors[..., :, None] * factors[..., None, :]
    return x * chosen / (products * chosen + (1 - chosen))


def _nonzero(factors: Any, angles: Any, size: int) -> Any:
    """Equal angles whose sine or cosine is not zero."""
    usable = (np.abs(raw(factors)) > _rounding(raw(factors), size)).astype(raw(factors).dtype)
    return _equal(angles, size) * usable[..., :, None] * usable[..., None, :]


@primitive
def cosine_sine_factors(x: Any, *, factors: Any, layout: Layout) -> Any:
    """`u1`, `u2`, the angles, `H(v1)` and `H(v2)`, as given."""
    return factors


@cosine_sine_factors.differential
def _moved(w: Any, x: Any, dx: Any, *, factors: Any, layout: Layout) -> Any:
    u1, u2, theta, v1h, v2h = w
    p, q, size = layout.p, layout.q, layout.m
    d = layout.middle(theta)
    d11, d12, d21, d22 = d[..., :p, :q], d[..., :p, q:], d[..., p:, :q], d[..., p:, q:]
    back1, back2, v1, v2 = H(u1), H(u2), H(v1h), H(v2h)
    m11, m12 = back1 @ dx[..., :p, :q] @ v1, back1 @ dx[..., :p, q:] @ v2
    m21, m22 = back2 @ dx[..., p:, :q] @ v1, back2 @ dx[..., p:, q:] @ v2
    of_u1, of_u2, of_v1, of_v2 = layout.angles(theta)
    a11, b21 = m11 @ d11.mT, m21 @ d21.mT
    k12, k22 = d12.mT @ m12, d22.mT @ m22
    a_tied = _divided(skew_part(a11), np.cos(of_u1), _nonzero(np.cos(of_u1), of_u1, size))
    b_tied = _divided(skew_part(b21), np.sin(of_u2), _nonzero(np.sin(of_u2), of_u2, size))
    small = (raw(of_v2) * 2 < RIGHT()).astype(theta.dtype)[..., None]
    same = _equal(of_v2, size)
    k_tied = _divided(d22.mT @ b_tied @ d22 - skew_part(k22), np.cos(of_v2), same * small)
    k_tied = k_tied + _divided(d12.mT @ a_tied @ d12 - skew_part(k12), np.sin(of_v2), same * (1 - small))
    a = a_tied + _separated(a11, m12 @ d12.mT, of_u1, size)
    b = b_tied + _separated(m22 @ d22.mT, b21, of_u2, size)
    e = _separated(d11.mT @ m11, d21.mT @ m21, of_v1, size)
    k = k_tied + _separated(k22, k12, of_v2, size)
    dtheta = mean_over(_equal(theta, size), layout.rotation(m11, m21, theta)) * (1 - _kinks(theta, size))
    return u1 @ a, u2 @ b, dtheta, H(e) @ v1h, H(k) @ v2h


@cosine_sine_factors.adjoint_by_hand
def _(g: Any, w: Any, x: Any, *, factors: Any, layout: Layout) -> Any:
    _refuse_freedom(g, w, isinstance(x, Traced) and x._tangent is not None, layout)

    def moved(dx: Any) -> Any:
        return _moved(w, x, dx, factors=factors, layout=layout)

    return adjoint_of_differential("linalg.cossin", moved, w, [0], [x], 1)(g)


def _refuse_freedom(g: Any, w: Any, again: bool, layout: Layout) -> None:
    """Raise if a loss depends on what is arbitrary, or its derivative does not follow.

    `again` says whether the derivative is differentiated.
    """
    u1, u2, theta, v1h, v2h = (raw(x) for x in w)
    shared = np.sum(_equal(theta, layout.m), axis=-1) + _kinks(theta, layout.m) > 1
    if again and np.any(shared):
        raise NotDifferentiableError(
            "linalg.cossin",
            "a second derivative was asked for where angles are equal, zero or right. First derivatives exist there.",
        )
    gu1, gu2, gtheta, gv1h, gv2h = (None if gx is None else raw(gx) for gx in g)
    pairs = [
        (u1, gu1),
        (u2, gu2),
        (H(v1h), gv1h if gv1h is None else H(gv1h)),
        (H(v2h), gv2h if gv2h is None else H(gv2h)),
    ]
    along = [np.zeros_like(x) if gx is None else skew_part(H(x) @ gx) for x, gx in pairs]
    margins = [negligible(gx, 2)[..., 0] for _, gx in pairs if gx is not None]
    if margins:
        violation = _violations(along, theta, layout)
        if np.any(violation > sum(margins)):
            raise GaugeError(
                "linalg.cossin: the loss depends on the common phase of the vectors of an angle, or on their choice "
                "where angles are equal, zero or right, which is arbitrary; the component of its cotangent along "
                f"that freedom is {float(np.max(violation)):.1e}. Use abs of the vectors, or products in which the "
                "choice cancels."
            )
        if gtheta is not None and np.any(np.abs(gtheta) * shared > negligible(gtheta, 1)):
            raise NotDifferentiableError(
                "linalg.cossin",
                "the loss uses angles that are equal, zero or right together with vectors. Its derivative, if it "
                "exists, does not follow from those of both. Use the blocks of the matrix itself.",
            )


def _violations(along: list[Any], theta: Any, layout: Layout) -> Any:
    """The largest component along each kind of freedom, in the last axis."""
    of_u1, of_u2, of_v1, of_v2 = along
    n11, n22, r, rounding = layout.n11, layout.n22, layout.r, _rounding(theta, layout.m)
    angles = layout.angles(theta)
    inner1, inner2 = slice(n11, n11 + r), slice(n22, n22 + r)
    inside = (theta > rounding) & (theta + rounding < RIGHT())
    everywhere = sum(x[..., i, i] for x, i in zip(along, (inner1, inner2, inner1, inner2), strict=True))
    first, last1, last2 = slice(0, n11 + r), slice(n11, None), slice(n22, None)
    second = slice(0, n22 + r)
    groups = [(everywhere, theta, inside)]
    for x, i, y, j, angle, at_right in (
        (of_u1, first, of_v1, first, angles[0][..., first], False),
        (of_u2, second, of_v2, second, angles[1][..., second], False),
        (of_u1, last1, of_v2, last2, angles[0][..., last1], True),
        (of_u2, last2, of_v1, last1, angles[1][..., last2], True),
    ):
        chosen = angle + rounding >= RIGHT() if at_right else angle <= rounding
        groups.append((x[..., i, i] + y[..., j, j], angle, chosen))
    found = []
    for part, angle, chosen in groups:
        together = _equal(angle, layout.m) * chosen[..., :, None] * chosen[..., None, :]
        found.append(np.max(np.abs(part) * together, axis=(-2, -1), initial=0.0))
    return np.stack(found, axis=-1)


@kernel(2, 2, 2, 2)
def cossin_values(x11: Any, x12: Any, x21: Any, x22: Any, **settings: Any) -> Any:
    """SciPy's function, in one tuple."""
    u, middle, vh = scipy.linalg.cossin((x11, x12, x21, x22), **settings)
    return (*u, middle, *vh) if settings["separate"] else (u, middle, vh)


def _quarters(x: Any, p: int | None, q: int | None) -> Any:
    """The four blocks, as SciPy takes them."""
    if p or q:
        p, q = 1 if p is None else int(p), 1 if q is None else int(q)
        x = as_operand(x)
        refuse_nonfinite(True, x)
        m = x.shape[-1] if x.ndim else 0
        if x.ndim < 2 or x.shape[-2] != m:
            raise ValueError(f"Cosine Sine decomposition only supports square matrices, got {x.shape[-2:]}")
        for name, size in (("p", p), ("q", q)):
            if size >= m or size <= 0:
                raise ValueError(f"invalid {name}={size}, 0<{name}<{m} must hold")
        return x[..., :p, :q], x[..., :p, q:], x[..., p:, :q], x[..., p:, q:]
    if not isinstance(x, Iterable):
        raise ValueError("When p and q are None, X must be an Iterable containing the subblocks of X")
    blocks = list(x)
    if len(blocks) != 4:
        raise ValueError(f"When p and q are None, exactly four arrays should be in X, got {len(blocks)}")
    return [np.atleast_2d(block) for block in operands(*blocks)]


@public()
def cossin(
    X: Any,
    p: int | None = None,
    q: int | None = None,
    separate: bool = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> tuple[Any, Any, Any]:
    """The cosine-sine decomposition of unitary matrices, `X = u @ cs @ vh`.

    Parameters
    ----------
    X : array_like (..., M, M), or four of (..., P, Q), (..., P, M - Q), (..., M - P, Q) and (..., M - P, M - Q)
        The unitary matrices, or their blocks.
    p, q : int, optional
        The numbers of rows and columns of the upper left block, if `X` is one array.
    separate : bool
        Whether the blocks of the factors are returned in place of the factors.
    swap_sign : bool
        Whether the minus sign stands before the sines on the lower left, not on the upper right.
    compute_u, compute_vh : bool
        Whether `u` and `vh` are wanted; if not they are empty.

    Returns
    -------
    u : ndarray (..., M, M), or tuple of ndarray (..., P, P) and (..., M - P, M - P)
        Unitary and block diagonal.
    cs : ndarray (..., M, M), or ndarray (..., min(P, Q, M - P, M - Q))
        Cosines, sines, ones and zeros; or the angles.
    vh : ndarray (..., M, M), or tuple of ndarray (..., Q, Q) and (..., M - Q, M - Q)
        Unitary and block diagonal.

    Raises
    ------
    LinAlgError
        If the iteration does not converge.
    ValueError
        If the blocks do not fit.
    GaugeError
        If a derivative is needed of a loss that depends on the common phase of the vectors of an angle, or on their
        choice where angles are equal, zero or right.
    NotDifferentiableError
        If one is needed of a loss that mixes such angles with vectors, or a second one there.

    Notes
    -----
    The derivative is that along unitary matrices: `X` should be a function of what is differentiated that stays unitary
    (`expm` of a skew-Hermitian matrix, `q` of `qr`, `u` of `polar`).  The angles move by `cos(theta) Re diag(H(u2) dX21
    v1) - sin(theta) Re diag(H(u1) dX11 v1)`; where angles are equal each gets the mean, where they are zero or right 0.

    Examples
    --------
    >>> import wirtinger as np
    >>> c, s = np.cos(0.3), np.sin(0.3)
    >>> u, cs, vh = np.linalg.cossin(np.array([[c, -s], [s, c]]), p=1, q=1)
    >>> np.arccos(cs[0, 0]).round(12)
    np.float64(0.3)
    """
    blocks = _quarters(X, p, q)
    settings = {"swap_sign": swap_sign, "compute_u": compute_u, "compute_vh": compute_vh}
    plain = cossin_values(*[raw(x) for x in blocks], separate=separate, **settings)
    if not some_traced(*blocks):
        return ((plain[0], plain[1]), plain[2], (plain[3], plain[4])) if separate else plain
    (height, width), x = blocks[0].shape[-2:], _joined(blocks)
    size = x.shape[-1]
    layout = Layout(height, width, size, swap_sign)
    factors = cossin_values(*[raw(x) for x in blocks], separate=True, swap_sign=swap_sign)
    u1, u2, theta, v1h, v2h = cosine_sine_factors(x, factors=factors, layout=layout)
    if separate:
        u, vh = ((u1, u2) if compute_u else plain[:2]), ((v1h, v2h) if compute_vh else plain[3:])
        return u, theta, vh
    u = block_diag(u1, u2) if compute_u else plain[0]
    return u, layout.middle(theta), block_diag(v1h, v2h) if compute_vh else plain[2]


def _joined(blocks: Any) -> Any:
    """The matrices of four blocks."""
    stack = np.broadcast_shapes(*[x.shape[:-2] for x in blocks])
    x11, x12, x21, x22 = (np.broadcast_to(floating(x), stack + x.shape[-2:]) for x in blocks)
    return np.concatenate([np.concatenate([x11, x12], axis=-1), np.concatenate([x21, x22], axis=-1)], axis=-2)
