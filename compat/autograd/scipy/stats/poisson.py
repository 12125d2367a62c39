"""The Poisson distribution, differentiated in its mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..... import special
from .....complex_autograd.array.creation import asarray
from .....complex_autograd.engine.traced import raw
from .standard import exponential_of

__all__ = ["cdf", "logpmf", "pmf"]


def logpmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of `k`; `-inf` where that is no number of events.

    Examples
    --------
    >>> from wirtinger.compat.autograd.scipy.stats import poisson
    >>> poisson.logpmf(0, 2.0)
    np.float64(-2.0)
    """
    n = raw(asarray(k)) - raw(asarray(loc))
    possible = (n >= 0) & (n == np.floor(n))
    n = np.where(possible, n, 0)
    return np.where(possible, special.xlogy(n, mu) - special.gammaln(n + 1) - mu, -np.inf)[()]


pmf = exponential_of(logpmf)


def cdf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """The probability of at most `k` events.

    Examples
    --------
    >>> from wirtinger.compat.autograd.scipy.stats import poisson
    >>> float(poisson.cdf(0, 2.0).round(6))
    0.135335
    """
    n = np.floor(raw(asarray(k)) - raw(asarray(loc)))
    return np.where(n >= 0, special.gammaincc(np.maximum(n, 0) + 1, mu), 0.0)[()]
