"""Tukey's lambda distribution: its quantiles are `x = (w**l - (1 - w)**l) / l`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import boxcox, boxcox1p, hyp1f1, inv_boxcox

from ...complex_autograd.array import raw
from ...complex_autograd.transforms import stop_gradient
from ..ufuncs.improved import Improved, improved_value
from ..ufuncs.ufunc_rules import rule

__all__ = ["tklmbda"]


def _tukey_density(w: Any, lmbda: Any) -> Any:
    return np.power(w, lmbda - 1) + np.power(1 - w, lmbda - 1)


def _tukey_slope(w: Any, x: Any, lmbda: Any) -> Any:
    """One over the density of the quantiles, 0 beyond the ends `1 / lmbda` of the support."""
    return np.where(np.abs(x) * lmbda > 1, 0.0, 1 / _tukey_density(w, lmbda))


def _tukey_shape(w: Any, x: Any, lmbda: Any) -> Any:
    is_end = (raw(w) == 0) | (raw(w) == 1)
    if np.any(is_end):
        return np.where(is_end, 0.0, _tukey_shape(np.where(is_end, 0.5, w), x, lmbda))
    logs = np.log(w), np.log1p(-w)
    terms = [log**2 * hyp1f1(2.0, 3.0, lmbda * log) / 2 for log in logs]
    return (terms[1] - terms[0]) / _tukey_density(w, lmbda)


_TUKEY_TAIL = 0.01
_TUKEY_ERROR = 1e-12
"""SciPy's search for a smaller value may be far off: its absolute error is about 1e-17."""


def _tukey_value(w: Any, x: Any, lmbda: Any) -> Any:
    """In the lower tail Newton's method; a tiny value begins where `1 - w` is 1 in the equation."""
    in_tail = (w < _TUKEY_TAIL) & (x > -np.inf) & (x * lmbda > -1)
    if not np.any(in_tail):
        return w
    x, lmbda, given = (a[in_tail] * np.float64(1) for a in np.broadcast_arrays(x, lmbda, w))
    u = np.where((given < _TUKEY_ERROR) & (lmbda < 1), inv_boxcox(x, lmbda), given)
    for _ in range(3):
        excess = boxcox(u, lmbda) - boxcox1p(-u, lmbda) - x
        u = u - excess / _tukey_density(u, lmbda)
    out = np.array(w)
    out[in_tail] = np.where(np.abs(u - given) < _TUKEY_ERROR, u, given)
    return out


def _tukey(w: Any, x: Any, lmbda: Any) -> Any:
    with np.errstate(all="ignore"):
        value = _tukey_value(*stop_gradient((w, x, lmbda)))
    return improved_value(w, value=value.astype(raw(w).dtype)[()])


rule(
    special.tklmbda,
    "x lmbda",
    lambda w, x, lmbda: _tukey_slope(_tukey(w, x, lmbda), x, lmbda),
    lambda w, x, lmbda: _tukey_shape(_tukey(w, x, lmbda), x, lmbda),
)
tklmbda = Improved(special.tklmbda, _tukey_value)
