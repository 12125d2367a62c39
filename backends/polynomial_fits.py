"""Polynomials through data by least squares, of whatever arrays have NumPy's functions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np


def polynomial_fit(x: Any, y: Any, deg: int, rcond: Any, full: bool, w: Any, cov: Any) -> Any:
    """What `numpy.polyfit` returns for arrays, with its conditions on them and its warning."""
    _check(x, y, deg, w)
    rows, values = np.vander(x, int(deg) + 1), y
    if w is not None:
        rows = rows * w[:, None]
        values = values * (w[:, None] if y.ndim == 2 else w)
    scale = np.sqrt(np.sum(rows * rows, axis=0))
    rows = rows / scale
    c, squares, rank, s = np.linalg.lstsq(rows, values, rcond)
    c = (c.T / scale).T
    if full:
        return c, squares, rank, s, rcond
    if rank != deg + 1:
        warnings.warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=3)
    return (c, _covariance(rows, scale, squares, y, cov)) if cov else c


def _check(x: Any, y: Any, deg: int, w: Any) -> None:
    """NumPy's conditions on the arguments of a fit."""
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    if w is not None and w.ndim != 1:
        raise TypeError("expected a 1-d array for weights")
    if w is not None and w.shape[0] != y.shape[0]:
        raise TypeError("expected w and y to have the same length")


def _covariance(rows: Any, scale: Any, squares: Any, y: Any, cov: Any) -> Any:
    """The covariance of the coefficients; with cov="unscaled" that of data with unit variance."""
    base = np.linalg.inv(rows.T @ rows) / np.outer(scale, scale)
    factor = 1
    if cov != "unscaled":
        count, order = rows.shape
        if count <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = squares / (count - order)
    return base * factor if y.ndim == 1 else base[:, :, None] * factor
