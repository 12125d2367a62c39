"""The degrees of freedom of the denominator of noncentral F for a given probability.

By Paulson's approximation (Ann. Math. Stat. 13 (1942) 233; Severo and Zelen, Biometrika 47 (1960) 411), with `root` the
cube root of `dfn f / (dfn + nc)` and `variance` that of the numerator, `F` is about `Phi(m)` where

    2 / (9 dfd) = q(m) = excess + m**2 / 2 - m r(m),    r(m) = sqrt(radicand + m**2 / 4),
    excess = 1 - (1 - variance) / root,    radicand = excess + variance / root**2.

In `m` the equation `ndtri(F) = z` with `z = ndtri(p)` is nearly linear: its derivative is about 1.  Where `F` is flat,
the value is sharpened by a step of Newton's method with the distribution function in extended precision.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ncfdtr, ndtri

from ...complex_autograd.engine.operands import arange_like
from ..gamma_and_beta.beta_extended import is_summable, noncentral_beta
from ..numerics.devices import is_on_device

_CHUNK = 8192
"""So many elements at a time: what is computed of them stays in the cache."""
_STEPS, _STEPS_AT_END = 8, 16
_NEAR = 1e-3
"""Where `F - p` is so small relative to `p` and `1 - p`, three terms of Taylor's series give `ndtri(F) - z`."""
_CURVE = 0.1
"""The third derivative of `ndtri(F)` in `m` is hardly greater."""
_LAST = 1e-16
_LARGEST_FACTOR = 3.0
_LEAST_QUOTIENT = 2e-3
"""Of `q` where a search begins."""
_FLAT, _TOP = 20.0, 1e8
"""A rounding of `p` moves `dfd` by so many roundings, at least and at most, where the value is sharpened."""


class _Equation:
    """The equations of some elements, and what their approximation is made of."""

    def __init__(self, *args: Any) -> None:
        self.args = args
        dfn, p, nc, f = args
        total = dfn + nc
        root, variance = np.cbrt(dfn * f / total), 2 * (dfn + 2 * nc) / (9 * total * total)
        self.z = ndtri(p)
        self.density = np.exp(-self.z * self.z / 2) / math.sqrt(2 * math.pi)
        self.excess = 1 - (1 - variance) / root
        self.radicand = self.excess + variance / (root * root)
        self.rounding = _LAST * p / self.density

    def at(self, indices: Any) -> _Equation:
        """Those of some of the elements."""
        out = object.__new__(_Equation)
        for name, x in vars(self).items():
            setattr(out, name, tuple(a[indices] for a in x) if name == "args" else x[indices])
        return out

    def value(self, dfd: Any) -> tuple[Any, Any]:
        """`ndtri(F) - z`, and whether it is small."""
        dfn, p, nc, f = self.args
        less = ncfdtr(dfn, dfd, nc, f) - p
        is_near = np.abs(less) < _NEAR * np.minimum(p, 1 - p)
        z, x = self.z, less / self.density
        y = x * (1 + x * (z + x * (2 * z * z + 1) / 3) / 2)
        far = np.flatnonzero(~is_near)
        y[far] = ndtri(p[far] + less[far]) - z[far]
        return y, is_near

    def root(self, m: Any) -> Any:
        """`r(m)`."""
        return np.sqrt(self.radicand + m * m / 4)

    def degrees(self, m: Any, r: Any) -> Any:
        """Where the approximation is `Phi(m)`, NaN where that is nowhere."""
        q = self.excess + m * (m / 2 - r)
        return 2 / (9 * np.where(q > 0, q, np.nan))

    def derivative(self, m: Any, r: Any, y: Any, m_before: Any, y_before: Any) -> Any:
        """`-dF / dq` from two values of `ndtri(F)`."""
        fall = r - m / 2
        return self.density * (y - y_before) / (m - m_before) * r / (fall * fall)

    def moved(self, m: Any, r: Any, dfd: Any, step: Any) -> tuple[Any, Any, Any]:
        """A step in `m`, and what `r` and `dfd` are after it: no rounding but that of the step enters."""
        m_next = m + step
        r_next, middle = self.root(m_next), (m + m_next) / 2
        change = step * (middle - r_next - m * middle / (2 * (r + r_next)))
        factor = 1 + 4.5 * dfd * change
        return m_next, r_next, dfd / np.where(factor > 0, factor, np.nan)


def _step(points: Any) -> tuple[Any, Any]:
    """The step from the first of three points `(m, y)` to `y = 0`, and the error that it leaves.

    By inverse quadratic interpolation; where the third point is NaN by the secant method.
    """
    (m, y), (m_before, y_before), (m_first, y_first) = points
    distance, farther = m_before - m, m_first - m_before
    derivative = distance / (y_before - y)
    bend = y * y_before * ((farther / (y_first - y_before) - derivative) / (y_first - y))
    step = np.where(y == 0, 0.0, np.where(np.isfinite(bend), bend, 0.0) - y * derivative)
    return step, np.maximum(np.abs(bend), _CURVE * np.abs(step * distance)) * np.abs(farther)


def _interpolated(equation: _Equation) -> Any:
    """The solutions and `-dF / dq`, NaN where a step fails."""
    out = np.full_like(equation.z, np.nan, shape=(2, len(equation.z)))
    m, r = equation.z, equation.root(equation.z)
    dfd = equation.degrees(m, r)
    y = equation.value(dfd)[0]
    points = [(m, y), (np.full_like(m, np.nan),) * 2]
    m, r, dfd = equation.moved(m, r, dfd, -y)
    at = arange_like(m, len(m))
    for _ in range(_STEPS):
        going = np.flatnonzero(np.isfinite(dfd))
        if not len(going):
            break
        if len(going) < len(dfd):
            equation, at, m, r, dfd = equation.at(going), at[going], m[going], r[going], dfd[going]
            points = [(x[going], y[going]) for x, y in points]
        y, is_near = equation.value(dfd)
        points = [(m, y), *points[:2]]
        step, error = _step(points)
        derivative = equation.derivative(m, r, y, *points[1])
        m, r, dfd = equation.moved(m, r, dfd, step)
        is_last = is_near & ((error <= equation.rounding) | (y == 0))
        out[:, at[is_last]] = dfd[is_last], derivative[is_last]
        dfd[is_last] = np.nan
    return out


def _parabola(points: Any) -> tuple[Any, Any]:
    """The step from the first of three points `(q, y)` to where their parabola is 0 and falls, or else to its top.

    And how it falls there.
    """
    (q, y), (q_before, y_before), (q_first, y_first) = points
    derivative, other = (y_before - y) / (q_before - q), (y_first - y_before) / (q_first - q_before)
    curve = (other - derivative) / (q_first - q)
    derivative = derivative - curve * (q_before - q)
    root = np.sqrt(np.maximum(derivative * derivative - 4 * curve * y, 0.0))
    step = np.where(curve < 0, 2 * y / (root - derivative), -y / derivative)
    return np.where(y == 0, 0.0, step), np.where(curve < 0, root, -derivative)


def _about_top(equation: _Equation) -> Any:
    """The same where `F` hardly depends on `dfd`, and may fall again: the smaller solutions, by Muller's method."""
    out = np.full_like(equation.z, np.nan, shape=(2, len(equation.z)))
    q = np.maximum(equation.excess + equation.z * equation.z / 2, _LEAST_QUOTIENT)
    points = [(x, equation.value(2 / (9 * x))[0]) for x in (q / 1.3, q)]
    q, at = 1.3 * q, arange_like(q, len(q))
    for _ in range(_STEPS_AT_END):
        y, is_near = equation.value(2 / (9 * q))
        points = [(q, y), *points[:2]]
        step, fall = _parabola(points)
        error = np.abs(step * (points[1][0] - q) * (points[2][0] - q))
        is_last = is_near & ((error <= _LAST * q * (1 + q * q)) | (np.abs(y) <= equation.rounding))
        q = np.clip(q + step, q / _LARGEST_FACTOR, q * _LARGEST_FACTOR)
        out[:, at[is_last]] = 2 / (9 * q[is_last]), (equation.density * fall)[is_last]
        going = np.flatnonzero(~is_last & np.isfinite(q))
        if not len(going):
            break
        equation, at, q = equation.at(going), at[going], q[going]
        points = [(x[going], y[going]) for x, y in points]
    return out


def _sharpened(dfd: Any, derivative: Any, dfn: Any, p: Any, nc: Any, f: Any) -> Any:
    """The solutions, with a last step where `F` is flat; a device has no extended precision."""
    if is_on_device(dfd):
        return dfd
    gain = 2 / (9 * dfd) * derivative
    is_flat = (p > _FLAT * gain) & (p < _TOP * gain)
    at = np.flatnonzero(is_flat & is_summable(dfn / 2, dfd / 2, nc / 2, dfn * f / dfd))
    if len(at):
        a, b, mean, x = (y[at].astype(np.longdouble) for y in (dfn / 2, dfd / 2, nc / 2, f))
        less = (noncentral_beta(a, b, mean, a * x / b) - p[at]).astype(float)
        dfd[at] *= 1 - less / gain[at]
    return dfd


def denominator_degrees_of(*args: Any) -> Any:
    """Where `ncfdtr(dfn, dfd, nc, f) = p`, of vectors `(dfn, p, nc, f)`; NaN where the search does not end there."""
    out = np.empty_like(args[0], shape=(2, len(args[0])))
    for start in range(0, len(args[0]), _CHUNK):
        here = slice(start, start + _CHUNK)
        equation = _Equation(*[x[here] for x in args])
        found = _interpolated(equation)
        missing = np.flatnonzero(np.isnan(found[0]))
        if len(missing):
            found[:, missing] = _about_top(equation.at(missing))
        out[:, here] = found
    return _sharpened(*out, *args)
