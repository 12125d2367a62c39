"""Exponential, logarithmic, sine and cosine integrals, DLMF chapter 6."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..ufuncs.kernel_partials import by_kernel
from ..ufuncs.ufunc_rules import INTEGER, rule

__all__ = ["exp1", "expi", "expn", "shichi", "sici"]


def _over(function: Any, z: Any) -> Any:
    """`function(z) / z`, 0 at infinity."""
    is_end = np.isinf(np.real(z)) & (np.imag(z) == 0)
    if not np.any(is_end):
        return function(z) / z
    return np.where(is_end, 0.0, function(np.where(is_end, 1.0, z)) / z)


def _sinh_over(z: Any) -> Any:
    """`sinh(z) / z`, which is 1 at 0."""
    return _from_zero(lambda z: np.sinc(1j * z / math.pi), lambda z: np.sinh(z) / z, z)


def _sine_over(z: Any) -> Any:
    """`sin(z) / z`, 1 at 0 and 0 at infinity."""
    return _from_zero(lambda z: np.sinc(z / math.pi), lambda z: _over(np.sin, z), z)


def _from_zero(near: Any, far: Any, z: Any) -> Any:
    """`near(z)` up to the modulus 1 and `far(z)` beyond, where `pi` times the quotient by it has lost the phase."""
    is_near = np.abs(raw(z)) <= 1
    ratio = near(np.where(is_near, z, 0.0))
    return np.where(is_near, ratio if z.dtype.kind == "c" else np.real(ratio), far(np.where(is_near, 1.0, z)))


def _expn_derivative(w: Any, n: Any, x: Any) -> Any:
    """DLMF 8.19.13; of order 0, which is `exp(-x) / x`, from its formula."""
    is_zero = n == 0
    return -np.where(is_zero, np.exp(-x) * (1 + x) / (x * x), expn(n - 1 + is_zero, x))


exp1 = rule(special.exp1, "z", lambda w, z: -np.exp(-z) / z)  # DLMF 6.2.1
expi = rule(special.expi, "z", lambda w, z: np.exp(z) / z)  # DLMF 6.2.5
expn = rule(special.expn, "n x", INTEGER, _expn_derivative)
_si = by_kernel("si", lambda w, z: _sine_over(z))  # DLMF 6.2.9
_ci = by_kernel("ci", lambda w, z: _over(np.cos, z))  # DLMF 6.2.11
sici = rule(special.sici, "z", lambda w, z: (_si(w, z), _ci(w, z)))
shichi = rule(special.shichi, "z", lambda w, z: (_sinh_over(z), np.cosh(z) / z))  # DLMF 6.2.15, 6.2.16
