"""Covariance and correlation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ....backends import exact, is_precise
from ...engine.dispatch import implements
from ...engine.operands import as_operand, asarray_like
from ...engine.traced import raw
from ..products import convolution as convolution
from ..reductions import extrema as extrema
from ..reductions import nan_functions as nan_functions
from ..reductions import order_statistics as order_statistics
from ..reductions import variances as variances
from ..reductions.sums import as_dtype
from . import histograms as histograms
from . import set_operations as set_operations


@implements(np.cov)
def _(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    x = variables_by_row(m, y, rowvar, dtype)
    if x.shape[0] == 0:
        return np.array([]).reshape(0, 0)
    if ddof is None:
        ddof = 0 if bias else 1
    fweights, aweights = (None if w is None else asarray_like(w, x) for w in (fweights, aweights))
    weights, freedom = observation_weights(fweights, aweights, x.shape[1], ddof)
    if freedom <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        freedom = 0.0
    d = x - np.average(x, axis=1, weights=weights, keepdims=True)
    products = d @ np.conj(np.transpose(d if weights is None else d * weights))
    return np.squeeze((products * np.true_divide(1, freedom)).astype(products.dtype, copy=False))


def variables_by_row(m: Any, y: Any, rowvar: bool, dtype: Any) -> Any:
    """The observations as one matrix with a row for each variable."""
    m = as_operand(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if y is None:
        x = as_dtype(np.atleast_2d(m), dtype or np.result_type(m.dtype, np.float64))
        return x if rowvar or m.ndim == 1 else np.transpose(x)
    y = asarray_like(y, m)
    if y.ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    dtype = dtype or np.result_type(m.dtype, y.dtype, np.float64)
    more = as_dtype(np.atleast_2d(y), dtype)
    if not rowvar and more.shape[0] != 1:
        more = np.transpose(more)
    return np.concatenate([variables_by_row(m, None, rowvar, dtype), more], axis=0)


def observation_weights(fweights: Any, aweights: Any, count: int, ddof: int) -> tuple[Any, Any]:
    """The weight of every observation, None if all are equal, and the degrees of freedom."""
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        check_weights(name, given, count)
    if fweights is None and aweights is None:
        return None, exact(count - ddof) if is_precise() else count - ddof
    frequencies = 1.0 if fweights is None else raw(fweights).astype(float)
    frequencies = exact(frequencies) if is_precise() else frequencies
    weights = frequencies if aweights is None else frequencies * aweights
    total = np.sum(weights)
    if ddof == 0:
        return weights, total
    if aweights is None:
        return weights, total - ddof
    return weights, total - ddof * np.sum(weights * aweights) / total


def check_weights(name: str, given: Any, count: int) -> None:
    """NumPy's conditions on the weights of a covariance."""
    if given is None:
        return
    values = raw(given)
    if name == "fweights" and not np.all(values == np.around(values)):
        raise TypeError("fweights must be integer")
    if values.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if values.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if np.any(values < 0):
        raise ValueError(f"{name} cannot be negative")


@implements(np.corrcoef)
def _(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    c = np.cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = np.sqrt(np.real(np.diagonal(c)))
    r = c / deviation[:, None] / deviation[None, :]
    if r.dtype.kind == "c":
        return np.clip(np.real(r), -1, 1) + 1j * np.clip(np.imag(r), -1, 1)
    return np.clip(r, -1, 1)
