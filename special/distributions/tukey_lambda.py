"""Tukey's lambda distribution: its quantiles are `x = (w**l - (1 - w)**l) / l`.

With `t = log(w / (1 - w))` and `m = -l` they are `(2 cosh(t / 2))**m 2 sinh(m t / 2) / m`.  Where `m` is so large that
powers of 2 overflow, the equation is solved for `t`, of its logarithm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import boxcox, boxcox1p, expit, hyp1f1, inv_boxcox

from ...complex_autograd.engine.traced import raw
from ...complex_autograd.transforms.grad import stop_gradient
from ..ufuncs.patched_ufunc import PatchedUfunc, improved_value
from ..ufuncs.ufunc_rules import rule

__all__ = ["tklmbda"]


_STEEP = -1000.0
"""SciPy's values of a smaller `lmbda` are about 1, whatever the argument is."""
_STEEPEST = -1e6
"""There the value is 1/2 for every finite argument."""
_FAR = 30.0


def _tukey_density(w: Any, lmbda: Any) -> Any:
    return np.power(w, lmbda - 1) + np.power(1 - w, lmbda - 1)


def _tukey_derivative(w: Any, x: Any, lmbda: Any) -> Any:
    """One over the density of the quantiles, 0 beyond the ends `1 / lmbda` of the support."""
    return np.where(np.abs(x) * lmbda > 1, 0.0, 1 / _tukey_density(w, lmbda))


def _tukey_shape(w: Any, x: Any, lmbda: Any) -> Any:
    is_end = (raw(w) == 0) | (raw(w) == 1)
    if np.any(is_end):
        return np.where(is_end, 0.0, _tukey_shape(np.where(is_end, 0.5, w), x, lmbda))
    is_steep = (raw(lmbda) < _STEEP) & ~np.isnan(raw(w))
    if np.any(is_steep):
        inner = _tukey_shape(w, x, np.where(is_steep, 1.0, lmbda))
        return np.where(is_steep, _steep_shape(np.where(is_steep, w, 0.5), np.where(is_steep, lmbda, _STEEP)), inner)
    logs = np.log(w), np.log1p(-w)
    terms = [log**2 * _moment(lmbda * log) for log in logs]
    return (terms[1] - terms[0]) / _tukey_density(w, lmbda)


def _moment(z: Any) -> Any:
    """`int_0^1 u e**(z u) du`, which is `hyp1f1(2, 3, z) / 2`: DLMF 13.4.1."""
    is_far = np.abs(raw(z)) > _FAR
    if not np.any(is_far):
        return hyp1f1(2.0, 3.0, z) / 2
    far, near = np.where(is_far, z, 1.0), np.where(is_far, 0.0, z)
    return np.where(is_far, ((far - 1) * np.exp(far) + 1) / far / far, hyp1f1(2.0, 3.0, near) / 2)


def _steep_value(x: Any, lmbda: Any) -> Any:
    """By iteration of `sinh(m t / 2) = m x / (2 (2 cosh(t / 2))**m)`, where `t` is small."""
    m = -np.maximum(lmbda, _STEEPEST)
    t = np.zeros_like(m)
    for _ in range(10):
        log_height = np.log(m / 2) + np.log(np.abs(x)) - m * (math.log(2) + np.log(np.cosh(t / 2)))
        t = 2 / m * np.arcsinh(np.exp(log_height))
    return np.where(np.isinf(x), (np.sign(x) + 1) / 2, 1 / (1 + np.exp(-np.sign(x) * t)))


def _steep_shape(w: Any, lmbda: Any) -> Any:
    """By the derivatives of the equation's logarithm.

    `dt / dm = -(tanh(m t / 2) (log(2 cosh(t / 2)) - 1 / m) + t / 2) / (m / 2 (1 + tanh(t / 2) tanh(m t / 2)))`.
    """
    m, t = -lmbda, np.log(w) - np.log1p(-w)
    rise = np.tanh(m * t / 2)
    change = (rise * (math.log(2) + np.log(np.cosh(t / 2)) - 1 / m) + t / 2) / (m / 2 * (1 + np.tanh(t / 2) * rise))
    return w * (1 - w) * change


_FLAT, _FLATTEST = 1.1e-4, 1e-100
"""Of `|lmbda|`: beneath, SciPy's values are those of 0, and all but rounding is."""


def _flat_value(x: Any, lmbda: Any) -> Any:
    """By Newton's method for `t`, from where either tail alone has the quantile, of vectors of finite numbers."""
    m = -np.copysign(np.maximum(np.abs(lmbda), _FLATTEST), lmbda)
    t = np.copysign(np.log1p(m * np.abs(x)) / m, x)
    for _ in range(4):
        rise = np.sinh(m * t / 2)
        height = 2 / m * np.exp(m * (np.abs(t) / 2 + np.log1p(np.exp(-np.abs(t)))))
        derivative = m / 2 * (height * np.cosh(m * t / 2) + np.tanh(t / 2) * height * rise)
        t = t - (height * rise - x) / derivative
    return np.where(m * np.abs(x) <= -1, (np.sign(x) + 1) / 2, expit(t))


_TUKEY_TAIL = 0.01
_TUKEY_ERROR = 1e-12
"""SciPy's search for a smaller value may be far off: its absolute error is about 1e-17."""


def _tukey_value(w: Any, x: Any, lmbda: Any) -> Any:
    """In the lower tail Newton's method; a tiny value begins where `1 - w` is 1 in the equation."""
    is_steep = (lmbda < _STEEP) & ~np.isnan(w)
    if np.any(is_steep):
        x, lmbda, given, here = np.broadcast_arrays(x, lmbda, w, is_steep)
        out = np.copy(given)
        out[here] = _steep_value(x[here] * np.float64(1), lmbda[here] * np.float64(1))
        out[~here] = _tukey_value(given[~here], x[~here], lmbda[~here])
        return out
    is_flat = (np.abs(lmbda) < _FLAT) & (lmbda != 0) & np.isfinite(x)
    if np.any(is_flat):
        x, lmbda, given, here = np.broadcast_arrays(x, lmbda, w, is_flat)
        out = np.copy(given)
        out[here] = _flat_value(x[here] * np.float64(1), lmbda[here] * np.float64(1))
        out[~here] = _tukey_value(given[~here], x[~here], lmbda[~here])
        return out
    in_tail = (w < _TUKEY_TAIL) & (x > -np.inf) & (x * lmbda > -1)
    if not np.any(in_tail):
        return w
    x, lmbda, given = (a[in_tail] * np.float64(1) for a in np.broadcast_arrays(x, lmbda, w))
    u = np.where((given < _TUKEY_ERROR) & (lmbda < 1), inv_boxcox(x, lmbda), given)
    for _ in range(3):
        excess = boxcox(u, lmbda) - boxcox1p(-u, lmbda) - x
        u = u - excess / _tukey_density(u, lmbda)
    out = np.copy(w)
    out[in_tail] = np.where(np.abs(u - given) < _TUKEY_ERROR, u, given)
    return out


def _tukey(w: Any, x: Any, lmbda: Any) -> Any:
    with np.errstate(all="ignore"):
        value = _tukey_value(*stop_gradient((w, x, lmbda)))
    return improved_value(w, value=value.astype(raw(w).dtype)[()])


rule(
    special.tklmbda,
    "x lmbda",
    lambda w, x, lmbda: _tukey_derivative(_tukey(w, x, lmbda), x, lmbda),
    lambda w, x, lmbda: _tukey_shape(_tukey(w, x, lmbda), x, lmbda),
)
tklmbda = PatchedUfunc(special.tklmbda, better=_tukey_value, substitutes=True)
