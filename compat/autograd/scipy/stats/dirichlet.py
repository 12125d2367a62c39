"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats as _stats

from ..... import special
from .....complex_autograd.array.creation import asarray
from .....complex_autograd.engine.traced import raw
from .standard import exponential_of

__all__ = ["logpdf", "pdf", "rvs"]

rvs = _stats.dirichlet.rvs


def logpdf(x: Any, alpha: Any) -> Any:
    """The logarithm of the density at points of the simplex.

    Parameters
    ----------
    x : (k,) or (k, n) array
        Points; `scipy.stats.dirichlet.logpdf` says what is refused.
    alpha : (k,) array
        The concentrations.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.scipy.stats import dirichlet
    >>> float(dirichlet.logpdf(np.array([0.2, 0.8]), np.array([1.0, 2.0])).round(6))
    0.470004
    """
    x, alpha = asarray(x), asarray(alpha)
    _stats.dirichlet.logpdf(raw(x), raw(alpha))  # which checks them
    if x.shape[0] == alpha.shape[0] - 1:
        x = np.concatenate([x, 1 - np.sum(x, axis=0, keepdims=True)])
    normalization = special.gammaln(np.sum(alpha)) - np.sum(special.gammaln(alpha))
    return normalization + np.sum(special.xlogy(alpha - 1, x.T).T, axis=0)


pdf = exponential_of(logpdf)
