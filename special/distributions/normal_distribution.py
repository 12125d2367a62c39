"""The mean and the standard deviation of a normal distribution for a given probability."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import ndtri

from ...complex_autograd.engine.traced import raw
from ..elementary.error_functions import normal_density
from ..ufuncs.ufunc_rules import rule

__all__ = ["nrdtrimn", "nrdtrisd"]


def _quantile(w: Any, p: Any) -> Any:
    """`(x - w) / std` of the mean `w`, also where `std` is rounded away next to `x`; NaN where there is no mean."""
    return ndtri(p) * np.where(np.isnan(raw(w)), np.nan, 1.0)


def _deviation_derivative(mn: Any, p: Any, x: Any, std: Any) -> Any:
    quantile = (x - mn) / std
    return -std / (quantile * normal_density(quantile))


nrdtrimn = rule(
    special.nrdtrimn,
    "p std x",
    lambda w, p, std, x: -std / normal_density(_quantile(w, p)),
    lambda w, p, std, x: -_quantile(w, p),
    lambda w, p, std, x: 1.0,
)
nrdtrisd = rule(
    special.nrdtrisd,
    "mn p x",
    lambda w, mn, p, x: -w / (x - mn),
    lambda w, mn, p, x: _deviation_derivative(mn, p, x, w),
    lambda w, mn, p, x: w / (x - mn),
)
