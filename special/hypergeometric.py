"""Hypergeometric, Wright and parabolic cylinder functions, in the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import (
    hyp0f1,
    hyp1f1,
    hyp2f1,
    hyperu,
    log_wright_bessel,
    pbdv,
    pbvv,
    pbwa,
    wright_bessel,
)

from .ufunc_rules import NEEDS_ALGORITHM, rule

__all__ = ["hyp0f1", "hyp1f1", "hyp2f1", "hyperu", "log_wright_bessel", "pbdv", "pbvv", "pbwa", "wright_bessel"]

_TWO = (NEEDS_ALGORITHM, NEEDS_ALGORITHM)

rule(hyp0f1, "v z", NEEDS_ALGORITHM, lambda w, v, z: hyp0f1(v + 1.0, z) / v)  # DLMF 16.3.1
rule(hyp1f1, "a b z", *_TWO, lambda w, a, b, z: a / b * hyp1f1(a + 1.0, b + 1.0, z))  # DLMF 13.3.15
rule(
    hyp2f1,
    "a b c z",
    *_TWO,
    NEEDS_ALGORITHM,
    lambda w, a, b, c, z: a * b / c * hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),  # DLMF 15.5.1
)
rule(hyperu, "a b x", *_TWO, lambda w, a, b, x: -a * hyperu(a + 1.0, b + 1.0, x))  # DLMF 13.3.22

# phi(a, b; x) = sum_k x**k / (k! gamma(a k + b)), DLMF 10.46.1

rule(wright_bessel, "a b x", *_TWO, lambda w, a, b, x: wright_bessel(a, a + b, x))
rule(log_wright_bessel, "a b x", *_TWO, lambda w, a, b, x: np.exp(log_wright_bessel(a, a + b, x) - w))

# parabolic cylinder functions and their derivatives, by Weber's equations: DLMF 12.2.4, 12.2.2, 12.2.3


def _weber(w: Any, v: Any, x: Any) -> Any:
    return w[1], (x * x / 4 - v - 0.5) * w[0]


rule(pbdv, "v x", NEEDS_ALGORITHM, _weber)
rule(pbvv, "v x", NEEDS_ALGORITHM, _weber)
rule(pbwa, "a x", NEEDS_ALGORITHM, lambda w, a, x: (w[1], (a - x * x / 4) * w[0]))
