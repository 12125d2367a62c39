"""The mean and the standard deviation of a normal distribution for a given probability."""

from __future__ import annotations

from typing import Any

from scipy.special import nrdtrimn, nrdtrisd

from ..elementary.error_functions import normal_density
from ..ufuncs.ufunc_rules import rule

__all__ = ["nrdtrimn", "nrdtrisd"]


def _deviation_slope(mn: Any, p: Any, x: Any, std: Any) -> Any:
    return -(std**2) / ((x - mn) * normal_density((x - mn) / std))


rule(
    nrdtrimn,
    "p std x",
    lambda w, p, std, x: -std / normal_density((x - w) / std),
    lambda w, p, std, x: -(x - w) / std,
    lambda w, p, std, x: 1.0,
)
rule(
    nrdtrisd,
    "mn p x",
    lambda w, mn, p, x: -w / (x - mn),
    lambda w, mn, p, x: _deviation_slope(mn, p, x, w),
    lambda w, mn, p, x: w / (x - mn),
)
