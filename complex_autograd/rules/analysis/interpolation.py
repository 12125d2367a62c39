"""Piecewise linear interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.views import getitem
from ...engine.dispatch import implements
from ...engine.operands import operands
from ...engine.primitive import primitive
from ...engine.traced import raw
from ...engine.zero import ZERO


@primitive(family="compositions")
def interpolate(x: Any, xp: Any, fp: Any) -> Any:
    """`numpy.interp`: constant beyond both ends."""
    return np.interp(x, xp, fp)


# between two points, w = f[0] + s (x - x[0]) with the derivative s = (f[1] - f[0]) / (x[1] - x[0]).  With t the
# fraction (x - x[0]) / (x[1] - x[0]), dw = df[0] + t (df[1] - df[0]) + s (dx - dx[0] - t (dx[1] - dx[0])).  Beyond
# the ends, and where two points coincide there, s = 0 and t is 0 or 1.
@interpolate.differential
def _(w: Any, x: Any, xp: Any, fp: Any, dx: Any, dxp: Any, dfp: Any) -> Any:
    at, points, last = raw(x), raw(xp), len(xp) - 1
    left = np.maximum(np.clip(np.searchsorted(points, at, side="right"), min(1, last), last) - 1, 0)
    inside = (at >= points[0]) & (at <= points[-1]) & (_steps(points, left, last) > 0)
    width = _steps(xp, left, last) + ~inside
    s = t = 0
    if dx is not ZERO or dxp is not ZERO:
        s = np.where(inside, _steps(fp, left, last), 0) / width
    if dfp is not ZERO or dxp is not ZERO:
        t = np.where(inside, x - getitem(xp, index=left), 0) / width + (~inside & (at >= points[-1]))
    dw = getitem(dfp, index=left) + _steps(dfp, left, last) * t
    return dw + (dx - (getitem(dxp, index=left) + _steps(dxp, left, last) * t)) * s


def _steps(z: Any, left: Any, last: int) -> Any:
    """From each point to the next one: of few points all differences are taken first, in less time and memory."""
    if 0 < last <= left.size:
        return getitem(np.diff(z), index=left)
    return getitem(z, index=np.minimum(left + 1, last)) - getitem(z, index=left)


@implements(np.interp)
def _(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    x, xp, fp = operands(x, xp, fp)
    if period is not None:
        x, xp, fp = unrolled(x, xp, fp, period)
        left = right = None
    w = interpolate(x, xp, fp)
    if left is not None:
        w = np.where(raw(x) < raw(xp)[0], left, w)
    if right is not None:
        w = np.where(raw(x) > raw(xp)[-1], right, w)
    return w if w.shape else w[()]


def unrolled(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """The arguments of a periodic interpolation as those of an ordinary one over a little more than one period."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    period = np.abs(period)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if xp.shape[0] != fp.shape[0]:
        raise ValueError("fp and xp are not of the same length")
    x, xp, fp = (z.astype({"g": float, "G": complex}.get(z.dtype.char, z.dtype)) for z in (x, xp, fp))  # as NumPy's
    x, xp = x % period, xp % period
    order = np.argsort(raw(xp))
    xp, fp = xp[order], fp[order]
    xp = np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
    return x, xp, np.concatenate([fp[-1:], fp, fp[:1]])
