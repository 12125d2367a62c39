"""The normal distribution in several dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats as _stats

from ..... import linalg
from .....complex_autograd.array.creation import asarray
from .....complex_autograd.engine.traced import raw
from .standard import exponential_of

__all__ = ["entropy", "logpdf", "pdf", "rvs"]

rvs = _stats.multivariate_normal.rvs


def _parameters(dimension: int, mean: Any, cov: Any) -> tuple[Any, Any]:
    """Mean and covariance as a vector and a matrix: numbers, and variances in a vector, as SciPy takes them."""
    mean, cov = asarray(mean), asarray(cov)
    mean = mean if mean.ndim else np.broadcast_to(mean, (dimension,))
    if cov.ndim < 2:
        cov = np.eye(dimension) * cov
    return mean, cov


def logpdf(x: Any, mean: Any = 0.0, cov: Any = 1.0, allow_singular: bool = False) -> Any:
    """The logarithm of the density at points, which lie along the last axis.

    Parameters
    ----------
    x : (..., n) array
        Points.
    mean : (n,) array
        The mean.
    cov : (n, n) array
        The covariance matrix: its symmetric part is taken, so that its gradient is symmetric.
    allow_singular : bool
        Whether the covariance may be singular.

    Returns
    -------
    (...) array
        The logarithms.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the covariance is singular and must not be.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.scipy.stats import multivariate_normal
    >>> float(multivariate_normal.logpdf(np.zeros(2), np.zeros(2), np.eye(2)).round(6))
    -1.837877
    """
    x = asarray(x)
    sizes = [raw(asarray(a)).shape for a in (mean, cov)]
    dimension = max((shape[0] for shape in sizes if shape), default=1)
    x = x if x.ndim else np.reshape(x, (1,))
    if dimension == 1 and x.shape[-1] != 1:
        x = np.reshape(x, (*x.shape, 1))
    elif dimension > 1 and x.ndim == 1 and x.shape[0] != dimension:
        raise ValueError(f"points of {x.shape[0]} components, and a distribution in {dimension} dimensions")
    mean, cov = _parameters(dimension, mean, cov)
    cov = (cov + cov.T) / 2
    deviation = x - mean
    if allow_singular:
        inverse = linalg.pinvh(cov)
        values = linalg.eigvalsh(cov)
        plain = raw(values)
        kept = plain > 1e6 * np.finfo(plain.dtype).eps * np.max(np.abs(plain))
        log_determinant, rank = np.sum(np.log(np.where(kept, values, 1.0))), int(np.sum(kept))
        squared = np.sum((deviation @ inverse) * deviation, axis=-1)
    else:
        factor = linalg.cholesky(cov)
        flat = np.reshape(deviation, (-1, dimension))
        squared = np.reshape(np.sum(linalg.solve_triangular(factor, flat.T, lower=True) ** 2, axis=0), x.shape[:-1])
        log_determinant, rank = 2 * np.sum(np.log(np.diagonal(factor))), dimension
    return -(rank * np.log(2 * np.pi) + log_determinant + squared) / 2


pdf = exponential_of(logpdf)


def entropy(mean: Any = None, cov: Any = 1.0) -> Any:
    """The differential entropy.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.scipy.stats import multivariate_normal
    >>> float(multivariate_normal.entropy(np.zeros(1), np.eye(1)).round(6))
    1.418939
    """
    sizes = [raw(asarray(a)).shape for a in (mean, cov) if a is not None]
    dimension = max((shape[0] for shape in sizes if shape), default=1)
    _, cov = _parameters(dimension, 0.0 if mean is None else mean, cov)
    return (dimension * (1 + np.log(2 * np.pi)) + linalg.slogdet(cov)[1]) / 2
