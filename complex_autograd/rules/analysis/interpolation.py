"""Piecewise linear interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.views import getitem
from ...engine.dispatch import implements
from ...engine.operands import operands
from ...engine.primitive import primitive
from ...engine.traced import raw


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
    right = np.clip(np.searchsorted(points, at, side="right"), min(1, last), last)
    left = np.maximum(right - 1, 0)
    inside = (at >= points[0]) & (at <= points[-1]) & (points[right] > points[left])
    width = getitem(xp, index=right) - getitem(xp, index=left) + ~inside
    t = np.where(inside, x - getitem(xp, index=left), 0) / width + (~inside & (at >= points[-1]))
    s = np.where(inside, getitem(fp, index=right) - getitem(fp, index=left), 0) / width
    df, dp = getitem(dfp, index=left), getitem(dxp, index=left)
    return df + (getitem(dfp, index=right) - df) * t + (dx - dp - (getitem(dxp, index=right) - dp) * t) * s


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
