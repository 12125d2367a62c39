"""Exponential, logarithmic, sine and cosine integrals, DLMF chapter 6."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import exp1, expi, expn, shichi, sici

from .ufunc_rules import INTEGER, pointwise, rule

__all__: list[str] = []


@pointwise(lambda w, z: _sine_slope(w, z))
def _sine_over(z: Any) -> Any:
    """`sin(z) / z`."""
    is_zero = z == 0
    z = np.where(is_zero, 1.0, z)
    return np.where(is_zero, 1.0, np.sin(z) / z)


def _sine_slope(w: Any, z: Any) -> Any:
    return -_spherical_j1(z)


@pointwise(lambda w, z: _sine_over(z) - 2 * _spherical_j1_over(z))
def _spherical_j1(z: Any) -> Any:
    """`sin(z) / z**2 - cos(z) / z`."""
    return z * _spherical_j1_over(z)


@pointwise(lambda w, z: _j1_over_slope(w, z))
def _spherical_j1_over(z: Any) -> Any:
    """`(sin(z) - z cos(z)) / z**3`; near 0 by its power series."""
    is_near = np.abs(z) < 1.5
    far, near = np.where(is_near, 2.0, z), np.where(is_near, z, 0.0)
    total = 0.0 * near
    for k in reversed(range(14)):
        total = 1 / 3 - total * near * near / ((2 * k + 2) * (2 * k + 5)) * 3 / 3 if k == 0 else _next(total, near, k)
    return np.where(is_near, total, (np.sin(far) - far * np.cos(far)) / far**3)
