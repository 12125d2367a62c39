"""The derivative inside blocks of equal and of nearly equal values.

The gradient of a loss of values `w` and vectors `v` is `v x H(v)` with `x_ii = gw_i` and, for `m = H(v) gv`,

    x_ij = sk(m)_ij / (w_j - w_i).

Where two values are close, the difference of what the loss does with them is lost in the rounding errors of `m`; where
they are equal, nothing of it is left.  Two kinds of losses make up for it:

* a loss that uses all vectors of the block alike has `x_ij = 0`;
* a loss of a function of the matrix, `v diag(f(w)) H(v)`, has `m_ij = 2 k_ij f(w_j)` and `gw_i = k_ii f'(w_i)` with a
  Hermitian `k`, so that `x_ij = k_ij (f'(w_i) + f'(w_j)) / 2` to second order in `w_j - w_i`, which is
  `(r_i + r_j) / 2` times the Hermitian part of `m_ij`, where `r_i = gw_i / m_ii`.

Which of them a loss is, is seen.  Where values are close, the quotient says it, as far as its rounding errors allow, so
that nothing worse than these can come of it.  Where they are equal, the vectors are a basis that has nothing to do with
the loss; then `x`, which turns with the basis, is a multiple of the identity if its diagonal `gw` is, and a multiple of
`m` if `gw` is that multiple of its diagonal.  In forward mode the quotient is that of the tangents.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.errors import GaugeError
from ..complex_autograd.forward import ForwardTrace
from .ties import are_apart, eps_of, negligible
from .triangles import hermitian_part, identity, off_diagonal, skew_part

__all__ = ["divided_skew", "reciprocal_gaps", "refuse_lost_digits", "turn_inside"]

_LOST: Final = 1e-2
"""From this part of the gradient on, rounding errors spoil it."""


def reciprocal_gaps(w: Any, same: Any) -> Any:
    """`1 / (w_j - w_i)`, and 0 where they are equal."""
    gaps = w[..., None, :] - w[..., :, None]
    if same is None:
        return off_diagonal(w) / (gaps + identity(w))
    return (1 - same) / (gaps + same)


def close_pairs(w: Any) -> Any:
    """1 for different indices of values that are close, else 0; None if there are none."""
    w = raw(w)
    nearness = eps_of(w.dtype) ** (1 / 3)
    if w.shape[-1] < 2 or (w.ndim == 1 and w.shape[0] <= 16 and are_apart(w.tolist(), nearness)):
        return None
    near = nearness * np.max(np.abs(w), axis=-1, keepdims=True)
    if np.all(np.abs(w[..., 1:] - w[..., :-1]) > near):
        return None
    gaps = np.abs(w[..., None, :] - w[..., :, None])
    return (gaps <= near[..., None]).astype(w.dtype) * off_diagonal(w)


def turn_inside(q: Any, p: Any, same: Any) -> Any:
    """What turns the vectors of equal values among themselves along a direction in which these move apart.

    The values move by the matrix `t p + t^2 q`, with `p` diagonal for equal ones by the choice of the vectors; these
    turn by `t q_ij / (dw_j - dw_i)`, `dw = Re diag p`.
    """
    plain = raw(p)
    speeds = np.real(np.diagonal(plain, axis1=-2, axis2=-1))
    size = np.sqrt(np.finfo(speeds.dtype).eps) * np.max(np.abs(plain), axis=(-2, -1), keepdims=True, initial=0.0)
    seen = (_differences(speeds) > size) & (np.abs(hermitian_part(plain)) <= size)
    split = seen.astype(speeds.dtype) * same * off_diagonal(speeds)
    dw = np.real(np.diagonal(p, axis1=-2, axis2=-1))
    apart = (dw[..., None, :] - dw[..., :, None]) * split + 1 - split
    return hermitian_part(q) * split / apart  # Hermitian, so that the vectors stay orthonormal


def refuse_lost_digits(function: str, a: Any, w: Any, same: Any) -> None:
    """Raise if vectors of values that are nearly equal are moved while `a` is still being differentiated.

    Twice `1 / (w_j - w_i)` times rounding errors would be left of what a loss that mixes them does.
    """
    if not isinstance(a, Traced) or w.shape[-1] < 2:
        return
    values = raw(w)
    near = np.sqrt(np.finfo(values.dtype).eps / _LOST) * np.max(np.abs(values), axis=-1)[..., None, None]
    alone = off_diagonal(values) if same is None else off_diagonal(values) * (1 - same)
    lost = alone * (_differences(values) < near)
    if np.any(lost):
        gap = float(np.min(np.where(lost == 1, _differences(values), np.inf)))
        raise GaugeError(
            f"{function}: vectors of values that differ by {gap:.1e} were moved in forward mode and differentiated "
            "again; rounding errors spoil that. Take the values from eigvalsh or svdvals, use functions of the matrix "
            "itself, or forward over reverse (hvp)."
        )


def divided_skew(function: str, what: str, gw: Any, m: Any, w: Any, same: Any, generic: bool, nested: bool) -> Any:
    """`sk(m)_ij / (w_j - w_i)` off the diagonal, for a loss without gauge.

    Parameters
    ----------
    function, what : str
        The function and what the columns are, for messages.
    gw : array (..., n) or None
        The cotangent of the values.
    m : array (..., n, n)
        `H(v) gv`.
    w : array (..., n)
        The values, ascending or descending.
    same : array (..., n, n) or None
        1 where they are equal.
    generic : bool
        Whether the vectors of equal values are a basis that has nothing to do with the loss.
    nested : bool
        Whether the loss is a derivative of one.
    """
    direct = skew_part(m) * reciprocal_gaps(w, same)
    close = close_pairs(w)
    if close is None:
        _refuse_noise(function, what, m, w, direct)
        return direct
    alike = _as_of_one_function(gw, m)
    tied = 0 * close if same is None else same * off_diagonal(raw(w))
    known, error = _quotients(m, w, close - tied)
    if same is not None:
        if generic:
            known, error = _of_generic_vectors(gw, m, same, tied, known, error, None if nested else raw(alike))
        elif isinstance(m, Traced) and isinstance(m.tracer, ForwardTrace) and isinstance(w, Traced):
            known, error = _of_tangents(m, w, tied, known, error)
        else:
            error = error - tied * _used(gw, m, same)
    zero, taken = _recognized(gw, m, w, close, tied, known, error, None if nested else raw(alike))
    left = close - zero - taken
    _refuse(function, what, w, left * tied, error, left * (1 - tied), raw(direct))
    return direct * (1 - close + left) + alike * taken


def _as_of_one_function(gw: Any, m: Any) -> Any:
    """`(r_i + r_j) / 2` times the Hermitian part of `m`."""
    if gw is None:
        return 0 * m
    r = _ratios(gw, m)
    return (r[..., :, None] + r[..., None, :]) / 2 * hermitian_part(m)


def _ratios(gw: Any, m: Any) -> Any:
    """`gw_i / m_ii`, and 0 where `m_ii` is rounding."""
    diagonal = np.real(np.diagonal(m, axis1=-2, axis2=-1))
    small = (np.abs(raw(diagonal)) <= negligible(m, 2)[..., 0]).astype(raw(diagonal).dtype)
    return gw * (1 - small) / (diagonal + small)


def _recognized(gw: Any, m: Any, w: Any, close: Any, tied: Any, known: Any, error: Any, alike: Any) -> tuple[Any, Any]:
    """1 for pairs of which all vectors are used alike, and 1 for those of one function of the matrix."""
    missed = np.abs(known)
    zero = close * (missed <= error)
    if gw is None:
        return zero, 0 * close
    even, one = _plausible(gw, m, w)
    zero = zero * np.maximum(even, tied)
    if alike is None:
        return zero, 0 * close
    missed_alike = np.abs(alike - known)
    one = close * (missed_alike <= error) * np.maximum(one, tied)
    both = zero * one
    if not isinstance(w, Traced):
        chosen = both * (missed_alike < missed)
        return zero - chosen, one - both + chosen
    diagonal = np.real(np.diagonal(raw(m), axis1=-2, axis2=-1))
    telling = np.maximum(tied, _differences(diagonal) > negligible(m, 2))  # what errs here is divided by the gap next
    zero, one, both = zero * telling, one * telling, both * telling
    moving, unclear = _by_tangents(gw, m, w, close, tied)
    return zero - both + both * (1 - moving) * (1 - unclear), one * moving


def _plausible(gw: Any, m: Any, w: Any) -> tuple[Any, Any]:
    """1 for pairs with equal `gw`, and 1 for those with `r` as near to each other as the values are."""
    values, g, r = raw(w), raw(gw), raw(_ratios(gw, m))
    scale = np.max(np.abs(values), axis=-1, keepdims=True, initial=0.0)[..., None]
    gaps = _differences(values) / (scale + (scale == 0))
    allowed = (1e4 * gaps + np.sqrt(np.finfo(g.dtype).eps)) * _larger(r) + 1e2 * gaps / (scale + (scale == 0))
    even = _differences(g) <= negligible(g, 1)[..., None]
    return even.astype(g.dtype), (_differences(r) <= allowed).astype(g.dtype)


def _by_tangents(gw: Any, m: Any, w: Any, close: Any, tied: Any) -> tuple[Any, Any]:
    """1 for pairs that move as those of one function do, and 1 for those of which that cannot be seen.

    The ratio `r` of one function moves as the value does; of another loss it does so only if `m_ii = m_jj`.
    """
    r, plain = _ratios(gw, m), raw(m)
    used = np.abs(plain) > negligible(m, 2)
    if not (isinstance(r, Traced) and isinstance(r.tracer, ForwardTrace) and r.tracer is w.tracer):
        entering = np.any(used, axis=-2)
        return 0.0 * used, (entering[..., :, None] | entering[..., None, :]).astype(plain.real.dtype)
    diagonal = np.real(np.diagonal(plain, axis1=-2, axis2=-1))
    moved, speeds, values = raw(r.tangent), raw(w.tangent), raw(w)
    product = moved[..., :, None] * speeds[..., None, :]
    other = np.swapaxes(product, -1, -2)
    gaps = _differences(values) * (close - tied) + 1 - close + tied
    digits = 1e-6 + 1e3 * np.finfo(values.dtype).eps * np.max(np.abs(values), axis=-1)[..., None, None] / gaps
    along = np.abs(product - other) <= digits * np.maximum(np.abs(product), np.abs(other))
    fast = np.abs(speeds) > 1e-3 * np.max(np.abs(speeds), axis=-1, keepdims=True)
    seen = fast[..., :, None] & fast[..., None, :]
    drift = np.real(np.diagonal(raw(m.tangent), axis1=-2, axis2=-1))
    across = drift[..., :, None] * speeds[..., None, :] - drift[..., None, :] * speeds[..., :, None]
    uneven = _differences(diagonal) > negligible(m, 2)
    uneven |= np.abs(across) > 1e-3 * np.max(np.abs(drift), axis=-1)[..., None, None] * _larger(speeds)
    vanishing = np.abs(diagonal) <= negligible(m, 2)[..., 0]
    turning = np.abs(_slope(gw)) > negligible(_slope(gw), 1)
    appears = np.abs(raw(m.tangent)) > negligible(m.tangent, 2)
    appears = (appears | turning[..., None] | turning[..., None, :]) & (vanishing[..., None] | vanishing[..., None, :])
    used |= np.abs(raw(m.tangent)) > negligible(m.tangent, 2)
    unclear = (used & ~(along & uneven & seen)) | appears
    return (along & uneven & seen & ~appears).astype(plain.real.dtype), unclear.astype(plain.real.dtype)


def _slope(gw: Any) -> Any:
    """The tangent of a cotangent in forward mode, as a plain array; 0 where it is constant."""
    return raw(gw.tangent) if isinstance(gw, Traced) and isinstance(gw.tracer, ForwardTrace) else 0 * raw(gw)


def _larger(x: Any) -> Any:
    return np.maximum(np.abs(x)[..., :, None], np.abs(x)[..., None, :])


def _differences(x: Any) -> Any:
    return np.abs(x[..., None, :] - x[..., :, None])


def _quotients(m: Any, w: Any, close: Any) -> tuple[Any, Any]:
    """What the quotients of close values are, and how far off they may be; 0 elsewhere."""
    plain, values = raw(m), raw(w)
    gaps = values[..., None, :] - values[..., :, None]
    apart = gaps * close + (1 - close)
    known = skew_part(plain) / apart * close
    scale = np.max(np.abs(values), axis=-1, keepdims=True, initial=0.0)[..., None]
    bent = 16 * np.abs(known) * (gaps / (scale + (scale == 0))) ** 2
    return known, (_rounding(plain) / np.abs(apart) + bent) * close


def _rounding(m: Any) -> Any:
    """What rounding errors the elements of a computed skew-Hermitian part may have."""
    length = np.sqrt(np.sum(np.abs(m) ** 2, axis=-2))
    return 4 * np.finfo(m.dtype).eps * (length[..., None, :] + length[..., :, None])


def _of_tangents(m: Any, w: Any, tied: Any, known: Any, error: Any) -> tuple[Any, Any]:
    """The same with the quotients of equal values by their tangents; never near enough where these are equal too."""
    moved, speeds = raw(m.tangent), raw(w.tangent)
    apart = speeds[..., None, :] - speeds[..., :, None]
    fastest = np.max(np.abs(speeds), axis=-1, keepdims=True, initial=0.0)[..., None]
    moving = tied * (np.abs(apart) > np.sqrt(np.finfo(speeds.dtype).eps) * fastest)
    apart = apart * moving + (1 - moving)
    quotient = skew_part(moved) / apart * moving
    size = np.max(np.abs(moved), axis=(-2, -1), keepdims=True, initial=0.0)
    allowed = 64 * np.finfo(moved.dtype).eps * size / np.abs(apart) + 1e-6 * np.abs(quotient)
    return known + quotient, error + allowed * moving - tied * (1 - moving)


def _of_generic_vectors(gw: Any, m: Any, same: Any, tied: Any, known: Any, error: Any, alike: Any) -> tuple[Any, Any]:
    """The same with 0 or what one function has in each block of equal values, or never near enough."""
    if gw is None:
        return known, error
    g, d = raw(gw), np.real(np.diagonal(raw(m), axis1=-2, axis2=-1))
    square = _total(same, d * d)
    r = _total(same, g * d) / (square + (square == 0))
    even = _everywhere(same, np.abs(g - _total(same, g) / np.sum(same, axis=-1)) <= negligible(g, 1)) * tied
    if alike is None:
        return known, error - (tied - even)
    one = _everywhere(same, np.abs(g - r * d) <= negligible(g, 1)) * tied * (1 - even)
    return known + alike * one, error - (tied - even - one)


def _used(gw: Any, m: Any, same: Any) -> Any:
    """1 in the rows of the blocks of equal values in which a loss uses values, and vectors otherwise than all alike."""
    if gw is None:
        return 0 * same
    g, plain = raw(gw), raw(m)
    d = np.real(np.diagonal(plain, axis1=-2, axis2=-1))
    across = (np.abs(plain) * same * off_diagonal(d) > negligible(m, 2)).any(axis=-1)
    uneven = np.abs(d - _total(same, d) / np.sum(same, axis=-1)) > negligible(m, 2)[..., 0]
    mixed = np.abs(g - _total(same, g) / np.sum(same, axis=-1)) > negligible(g, 1)
    return 1 - _everywhere(same, ~(across | uneven | mixed))


def _total(same: Any, x: Any) -> Any:
    """The sums over equal values."""
    return (same @ x[..., None])[..., 0]


def _everywhere(same: Any, holds: Any) -> Any:
    """1 in the rows of the blocks in which something holds for all values."""
    return (_total(same, 1.0 - holds) == 0).astype(same.dtype)[..., :, None]


def _refuse_noise(function: str, what: str, m: Any, w: Any, quotients: Any) -> None:
    """Raise where all values are so small, beside what the loss makes of them, that rounding errors spoil it."""
    values, plain = raw(w), raw(m)
    if values.shape[-1] < 2 or values.size == 0:
        return
    gaps = np.abs(values[..., 1:] - values[..., :-1])
    rounding = 8 * eps_of(values.dtype) * np.max(np.abs(plain))
    if rounding <= _LOST * np.min(gaps) * np.max(np.abs(raw(quotients))) or rounding <= 1e-6 * np.min(gaps):
        return
    apart = _differences(values) + identity(values)
    error = _rounding(plain) / apart * off_diagonal(values)
    _refuse(function, what, w, 0 * error, error, off_diagonal(values), raw(quotients))


def _refuse(function: str, what: str, w: Any, tied: Any, error: Any, direct: Any, quotients: Any) -> None:
    """Raise where neither is seen: always where values are equal, else where rounding errors spoil the quotient."""
    if np.any(tied):
        raise GaugeError(
            f"{function}: the loss mixes equal values with their {what}, and not as one function of the matrix, "
            "v @ diag(f(w)) @ H(v), does. Its derivative may exist, but does not follow from the derivatives of values "
            "and vectors where values are equal. Use the functions of the matrix itself (inv, pinv, matrix_power, "
            "expm, sqrtm, logm, funm), or forward mode (jvp)."
        )
    values = raw(w)
    amplified = error
    if isinstance(w, Traced):  # the next derivative divides once more
        scale = np.max(np.abs(values), axis=-1)[..., None, None]
        amplified = error * scale / (_differences(values) * direct + (scale + (scale == 0)) * (1 - direct))
    largest = np.max(np.abs(quotients), axis=(-2, -1), keepdims=True, initial=0.0)
    lost = direct * (amplified > _LOST * largest)
    if np.any(lost):
        *item, i, j = (int(k[0]) for k in np.nonzero(lost))
        values = values[tuple(item)]
        raise GaugeError(
            f"{function}: columns {min(i, j)} and {max(i, j)} of the {what} belong to values that differ by "
            f"{float(abs(values[i] - values[j])):.1e}, and rounding errors of {float(error[(*item, i, j)]):.1e} spoil "
            "the derivative of a loss that mixes them. Use the functions of the matrix itself, or forward mode (jvp)."
        )
