"""Reciprocals of the gaps between values, as series where values are split, and refusals due to rounding errors."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....backends import eps_of
from ....complex_autograd.engine.errors import PrecisionLossError
from ....complex_autograd.engine.primitive import Primitive, linear, primitive
from ....complex_autograd.engine.traced import depth_of, raw
from ...elementary.triangles import hermitian_part, identity, infinite_diagonal, off_diagonal
from .equal_values import are_apart, are_few
from .laurent import LaurentTrace, expansion
from .levels import leading
from .series_layers import Layers

_SPOILED: Final = 1e-3
"""From this part of the gradient on, rounding errors spoil it."""


def reciprocal_gaps(w: Any, same: Any, layers: Layers | None = None, at_pole: float = 0.0) -> Any:
    """`1 / (w_j - w_i)`, and 0 where they are equal; `at_pole` there besides the series where values are split."""
    if layers is not None and layers.quotients is not None and layers.quotients[0] is w:
        return layers.quotients[1]
    gaps = _each_difference(w) if type(w) is np.ndarray else differences(w)
    if layers is not None:
        zero = identity(w) if same is None else same
        found = gap_reciprocal(gaps, zero=zero, small=layers.close, at_pole=at_pole)
        layers.quotients = w, found
        return found
    if same is None:
        return off_diagonal(w) / (gaps + identity(w))
    return (1 - same) / (gaps + same)


def _each_difference(w: Any) -> Any:
    """`w_j - w_i`."""
    return w[..., None, :] - w[..., :, None]


differences = Primitive(_each_difference, "jointly", registered=False)


@differences.adjoint(0)
def _(g: Any, w: Any) -> Any:
    return np.sum(g, axis=-2) - np.sum(g, axis=-1)


@primitive
def gap_reciprocal(q: Any, *, zero: Any, small: Any, at_pole: float) -> Any:
    """`1 / q`, and 0 where `zero` is 1; but `at_pole` if there `small` is 1, too, at the last of its levels.

    Where `small` is 1 at a level, the series is that for which the term of order 1 is larger than that of order 0.
    """
    found = (1 - zero) / (q + zero)
    return found if at_pole == 0 else np.where(zero * small[0][1] > 0, at_pole, found)


@gap_reciprocal.differential
def _(x: Any, q: Any, dq: Any, *, zero: Any, small: Any, at_pole: float) -> Any:
    return -x * x * dq


@expansion(gap_reciprocal)
def _(trace: LaurentTrace, q: Any, *, zero: Any, small: Any, at_pole: float) -> Any:
    value = gap_reciprocal(q._value, zero=zero, small=small, at_pole=at_pole)
    top, given = q._tangent.top, q._tangent.terms
    own = [mask for level, mask in small if level is trace]
    if not own:
        first = gap_reciprocal(given[0], zero=zero, small=small, at_pole=at_pole) if 0 in given else 0 * value
        return trace.series(value, _taylor(first, given, top), top)
    mask = own[0] * np.ones_like(raw(q))
    kept = (1 - zero) * (1 - mask)
    terms = _taylor(kept / np.where(kept > 0, given.get(0, 0 * kept), 1), given, top)
    for n, x in _by_order_one(given, zero, mask, trace.order).items():
        if -trace.order <= n <= top:
            terms[n] = terms[n] + x if n in terms else x
    return trace.series(value, terms, top)


def _taylor(first: Any, given: dict[int, Any], top: int) -> dict[int, Any]:
    """The reciprocal of a series by its term of order 0, whose reciprocal is the first."""
    terms = {0: first}
    for n in range(1, top + 1):
        rest = [x * terms[n - k] for k, x in given.items() if 0 < k <= n and n - k in terms]
        if rest:
            terms[n] = -first * sum(rest)
    return terms


# 1/(c t (1 + u)) = (1 - u + u^2 - ...) / (c t), with the term c of order 1 and the others, divided by c t, in u
def _by_order_one(given: dict[int, Any], zero: Any, mask: Any, order: int) -> dict[int, Any]:
    """The same by the term of order 1."""
    h = mask / np.where(mask > 0, given.get(1, 0 * mask), 1)
    u = {k - 1: x * h for k, x in given.items() if k > 1}
    u[-1] = given.get(0, 0 * mask) * (1 - zero) * h
    terms: dict[int, Any] = {}
    power = {-1: h}
    for _ in range(order + 1):
        for n, x in power.items():
            terms[n] = terms[n] + x if n in terms else x
        product: dict[int, Any] = {}
        for (n, x), (k, y) in ((a, b) for a in power.items() for b in u.items()):
            if abs(n + k) <= order:
                product[n + k] = product.get(n + k, 0) - x * y
        power = product
    return terms


@linear
def mean_of_equal(g: Any, *, data: Any) -> Any:
    """The means over equal values, and 0 for zeros (`SpectralData.settled`); in the series the values themselves."""
    return data.settled(g)


@mean_of_equal.adjoint(0)
def _(g: Any, a: Any, *, data: Any) -> Any:
    return mean_of_equal(g, data=data)


@expansion(mean_of_equal)
def _(trace: LaurentTrace, g: Any, *, data: Any) -> Any:
    return trace.series(mean_of_equal(g._value, data=data), g._tangent.terms, g._tangent.top)


def rotation_inside(q: Any, p: Any, same: Any) -> Any:
    """How the vectors of equal values rotate among themselves along a direction in which these move apart.

    The values move by the matrix `t p + t^2 q`, with `p` diagonal for equal ones by the choice of the vectors; these
    rotate by `t q_ij / (dw_j - dw_i)`, `dw = Re diag p`.
    """
    plain = raw(p)
    speeds = np.real(np.diagonal(plain, axis1=-2, axis2=-1))
    size = eps_of(speeds.dtype) ** 0.5 * np.max(np.abs(plain), axis=(-2, -1), keepdims=True, initial=0.0)
    seen = (_differences(speeds) > size) & (np.abs(hermitian_part(plain)) <= size)
    split = seen.astype(speeds.dtype) * same * off_diagonal(speeds)
    dw = np.real(np.diagonal(p, axis1=-2, axis2=-1))
    apart = (dw[..., None, :] - dw[..., :, None]) * split + (1 - split)
    return hermitian_part(q) * split / apart  # Hermitian, so that the vectors stay orthonormal


def refuse_noise(
    function: str, what: str, m: Any, w: Any, gradient: Any, layers: Layers | None, same: Any = None
) -> None:
    """Raise where all values are so small, relative to what the loss makes of them, that rounding errors spoil it.

    Parameters
    ----------
    function, what : str
        The function and what the columns are, for the message.
    m : array (..., n, n)
        `H(v) gv`, whose skew-Hermitian part is divided by the gaps.
    w : array (..., n)
        The values.
    gradient : array (..., n, n)
        The result.
    layers : Layers or None
        The series that values are given as.
    same : array (..., n, n), optional
        1 where values are equal, by whose difference nothing is divided.
    """
    values, plain = raw(w), raw(m)
    if values.shape[-1] < 2 or values.size == 0:
        return
    nested = depth_of(w) > 0
    if layers is None and not nested and _are_clear(values, plain):
        return
    gaps = _gaps(values, layers, same)
    error = _rounding(plain) / gaps
    if layers is not None and layers.near is not None:
        layers.near.verdict.noise = float((error * layers.near.close).max())
    if layers is not None and layers.tiny is not None:  # of tiny matrices the verdict says it
        error = error * ~layers.tiny.items[..., None, None]
    amplified = error
    if nested:  # the next derivative divides once more
        amplified = error * np.maximum(np.max(np.abs(values), axis=-1)[..., None, None] / gaps, 1)
    largest = np.maximum.reduce(np.abs(leading(gradient)), axis=(-2, -1), keepdims=True, initial=0.0)
    spoiled = amplified > np.maximum(_SPOILED * largest, eps_of(values.dtype) ** 0.5 * np.abs(plain).max())
    if spoiled.any():
        *item, i, j = (int(k[0]) for k in np.nonzero(spoiled))
        values = values[tuple(item)]
        raise PrecisionLossError(
            f"{function}: columns {min(i, j)} and {max(i, j)} of the {what} belong to values that differ by "
            f"{float(abs(values[i] - values[j])):.1e}, and rounding errors of {float(error[(*item, i, j)]):.1e} "
            "dominate the derivative of a loss that mixes them. Use functions of the matrix itself, or forward mode, "
            "jvp."
        )


def _gaps(values: Any, layers: Layers | None, same: Any) -> Any:
    """By what a skew-Hermitian part is divided: where values are split, the differences of their speeds."""
    gaps = _differences(values) + infinite_diagonal(values)
    if same is not None and (layers is None or layers.near is None):
        gaps = np.where(same > 0, np.inf, gaps)
    near = None if layers is None else layers.near
    return gaps if near is None else np.where(near.close > 0, near.moved, gaps)


def _are_clear(values: Any, m: Any) -> bool:
    """Whether all values, sorted or complex, differ by far more than the rounding errors of a cotangent."""
    part = 8e6 * eps_of(values.dtype)
    if values.dtype.kind == "c":
        return bool(part * np.max(np.abs(m)) <= np.min(_differences(values) + infinite_diagonal(values)))
    if are_few(values) and m.ndim == 2:
        return are_apart(values, part, max(map(abs, m.ravel().tolist())))
    return bool(part * np.max(np.abs(m)) <= np.min(np.abs(values[..., 1:] - values[..., :-1])))


def _differences(x: Any) -> Any:
    return np.abs(x[..., None, :] - x[..., :, None])


def _rounding(m: Any) -> Any:
    """What rounding errors the elements of a computed skew-Hermitian part may have."""
    moduli = np.abs(m)
    unit = np.maximum(np.max(moduli, axis=-2, keepdims=True, initial=0.0), np.finfo(moduli.dtype).tiny)
    length = unit[..., 0, :] * np.sqrt(np.sum((moduli / unit) ** 2, axis=-2))
    return 4 * eps_of(m.dtype) * (length[..., None, :] + length[..., :, None])
