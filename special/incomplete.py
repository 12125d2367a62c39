"""Incomplete gamma and beta functions: derivatives in the argument, and of their inverses in the probability.

With `F(u) = p` for an inverse `u`, `du/dp = 1 / F'(u)`.  In the shape parameters they need algorithms of their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    betaln,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    xlog1py,
    xlogy,
)

from .ufunc_rules import NEEDS_ALGORITHM, rule

__all__ = [
    "beta_density",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "gamma_density",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
]


def gamma_density(a: Any, x: Any) -> Any:
    """`x**(a - 1) exp(-x) / gamma(a)`."""
    return np.exp(xlogy(a - 1.0, x) - x - gammaln(a))


def beta_density(a: Any, b: Any, x: Any) -> Any:
    """`x**(a - 1) (1 - x)**(b - 1) / B(a, b)`."""
    return np.exp(xlogy(a - 1.0, x) + xlog1py(b - 1.0, -x) - betaln(a, b))


# DLMF 8.2.4, 8.8.13

rule(gammainc, "a x", NEEDS_ALGORITHM, lambda w, a, x: gamma_density(a, x))
rule(gammaincc, "a x", NEEDS_ALGORITHM, lambda w, a, x: -gamma_density(a, x))
rule(gammaincinv, "a p", NEEDS_ALGORITHM, lambda w, a, p: 1 / gamma_density(a, w))
rule(gammainccinv, "a p", NEEDS_ALGORITHM, lambda w, a, p: -1 / gamma_density(a, w))

# DLMF 8.17.1, 8.17.2

_SHAPES = (NEEDS_ALGORITHM, NEEDS_ALGORITHM)

rule(betainc, "a b x", *_SHAPES, lambda w, a, b, x: beta_density(a, b, x))
rule(betaincc, "a b x", *_SHAPES, lambda w, a, b, x: -beta_density(a, b, x))
rule(betaincinv, "a b p", *_SHAPES, lambda w, a, b, p: 1 / beta_density(a, b, w))
rule(betainccinv, "a b p", *_SHAPES, lambda w, a, b, p: -1 / beta_density(a, b, w))
