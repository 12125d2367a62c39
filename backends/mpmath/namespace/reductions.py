"""The reductions of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array import array_of
from ..tables import implements
from .quantiles import weights_along


@implements(np.max, np.amax)
def max_(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **kwargs: Any) -> Any:
    """`numpy.max`."""
    return np.maximum.reduce(a, axis=axis, keepdims=keepdims, **kwargs)


@implements(np.min, np.amin)
def min_(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **kwargs: Any) -> Any:
    """`numpy.min`."""
    return np.minimum.reduce(a, axis=axis, keepdims=keepdims, **kwargs)


@implements(np.ptp)
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """`numpy.ptp`."""
    return np.max(a, axis, keepdims=keepdims) - np.min(a, axis, keepdims=keepdims)


@implements(np.argmax)
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """`numpy.argmax`."""
    return _first(a == np.max(a, axis, keepdims=True), np.isnan(a), axis, keepdims)


@implements(np.argmin)
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """`numpy.argmin`."""
    return _first(a == np.min(a, axis, keepdims=True), np.isnan(a), axis, keepdims)


def _first(is_extreme: Any, is_nan: Any, axis: Any, keepdims: Any) -> Any:
    return np.argmax(is_extreme | is_nan, axis, keepdims=keepdims)


@implements(np.any)
def any_(a: Any, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """`numpy.any`."""
    return np.any(a != 0, axis, **kwargs)


@implements(np.all)
def all_(a: Any, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """`numpy.all`."""
    return np.all(a != 0, axis, **kwargs)


@implements(np.sum)
def sum_(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """`numpy.sum`."""
    return np.add.reduce(a, axis=axis, dtype=dtype, **kwargs)


@implements(np.prod)
def prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """`numpy.prod`."""
    return np.multiply.reduce(a, axis=axis, dtype=dtype, **kwargs)


def _count(a: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    return np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)


@implements(np.mean)
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    """`numpy.mean`."""
    total = np.sum(a, axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    return total / _count(a, axis, keepdims, where)


@implements(np.var)
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """`numpy.var`."""
    center = np.mean(a, axis, keepdims=True, where=where) if mean is None else mean
    squares = np.sum(np.absolute(a - center) ** 2, axis=axis, keepdims=keepdims, where=where)
    return squares / np.maximum(_count(a, axis, keepdims, where) - (ddof if correction is None else correction), 0)


@implements(np.std)
def std(a: Any, *args: Any, **kwargs: Any) -> Any:
    """`numpy.std`."""
    return np.sqrt(np.var(a, *args, **kwargs))


@implements(np.average)
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False) -> Any:
    """`numpy.average`."""
    weights = np.ones_like(a) if weights is None else weights_along(a, array_of(weights), axis)
    total = np.sum(weights, axis, keepdims=keepdims)
    mean = np.sum(a * weights, axis, keepdims=keepdims) / total
    return (mean, total) if returned else mean


@implements(np.cov)
def cov(
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
    """`numpy.cov`."""

    def rows(x: Any) -> Any:
        x = np.atleast_2d(array_of(x))
        return x if rowvar or len(x) == 1 else x.T

    x = rows(m) if y is None else np.concatenate([rows(m), rows(y)])
    ddof = ddof if ddof is not None else 1 - int(bias)
    w = np.ones_like(x[0].real)
    for given in (fweights, aweights):
        w = w if given is None else w * array_of(given)
    total = np.sum(w)
    lost = ddof if aweights is None else ddof * np.sum(w * array_of(aweights)) / total
    centred = x - np.average(x, axis=1, weights=w)[:, None]
    return np.squeeze((centred * w) @ np.conjugate(centred).T / np.maximum(total - lost, 0))


@implements(np.corrcoef)
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    """`numpy.corrcoef`."""
    c = np.atleast_2d(cov(x, y, rowvar))
    size = np.sqrt(np.linalg.diagonal(c).real)
    r = c / size[:, None] / size
    held = np.clip(r.real, -1, 1)  # as NumPy does with rounding errors
    return np.squeeze(held + 1j * np.clip(r.imag, -1, 1) if r.dtype.kind == "c" else held)
