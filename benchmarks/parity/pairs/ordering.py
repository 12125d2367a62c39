"""Sorting, sets and order statistics."""

from __future__ import annotations

import torch

import wirtinger as np

from . import COMPLEX, REAL, distinct, fixed, normal, pair

QUANTILES = [0.0, 0.1, 0.5, 0.77, 1.0]
Q = torch.tensor(QUANTILES, dtype=torch.float64)
NAN = float("nan")
HOLES = fixed([[1.0, NAN, 2.5, 0.3], [-0.5, 3.0, 1.0, 0.1]])


def _sorted(a, axis=-1):
    return torch.sort(a, axis).values


for _shape in ((6,), (3, 4), (2, 3, 4), (0,), (1,)):
    pair("numpy.sort", np.sort, _sorted, distinct(*_shape), kinds=REAL)
pair("numpy.sort", lambda a: np.sort(a, axis=0), lambda a: _sorted(a, 0), distinct(3, 4), kinds=REAL)
pair("numpy.sort", lambda a: np.sort(a, axis=None), lambda a: _sorted(a.ravel()), distinct(3, 4), kinds=REAL)
pair("numpy.sort_complex", np.sort_complex, lambda a: a[torch.argsort(a.real)], distinct(6), kinds=COMPLEX)
pair("numpy.sort", lambda a: np.take_along_axis(a, np.argsort(a, axis=1), axis=1), _sorted, distinct(3, 4), kinds=REAL)
pair("numpy.partition", lambda a: np.sort(np.partition(a, 2)[:2]), lambda a: _sorted(a)[:2], distinct(7), kinds=REAL)
pair("numpy.partition", lambda a: np.partition(a, 3)[3], lambda a: torch.kthvalue(a, 4).values, distinct(7), kinds=REAL)

for _name in ("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"):
    pair(f"numpy.{_name}", getattr(np, _name), lambda a: _sorted(a.ravel()), distinct(2, 3), kinds=REAL)
for _union in (np.union1d, np.setxor1d):
    pair(f"numpy.{_union.__name__}", _union, lambda a, b: _sorted(torch.cat([a, b])), normal(4), normal(5), kinds=REAL)
pair("numpy.setdiff1d", lambda a: np.setdiff1d(a, a[1:3]), lambda a: _sorted(a[[0, 3, 4]]), distinct(5), kinds=REAL)

for _shape in ((5,), (3, 5)):
    pair(
        "numpy.median",
        lambda a: np.median(a, axis=-1),
        lambda a: torch.median(a, -1).values,
        distinct(*_shape),
        kinds=REAL,
    )
    pair(
        "numpy.nanmedian",
        lambda a: np.nanmedian(a, axis=-1),
        lambda a: torch.nanmedian(a, -1).values,
        distinct(*_shape),
        kinds=REAL,
    )
pair("numpy.nanmedian", np.nanmedian, torch.nanmedian, fixed([3.0, NAN, 1.0, 2.0]), kinds=REAL)
pair("numpy.median", np.median, lambda a: torch.quantile(a.ravel(), 0.5), distinct(3, 4), kinds=REAL)
pair(
    "numpy.median",
    lambda a: np.median(a, axis=(0, 2), keepdims=True),
    lambda a: torch.quantile(a.transpose(0, 1).reshape(3, 8), 0.5, 1)[None, :, None],
    distinct(2, 3, 4),
    kinds=REAL,
)


def _quantile(method, axis):
    pair(
        "numpy.quantile",
        lambda a: np.quantile(a, QUANTILES, axis=axis, method=method),
        lambda a: torch.quantile(a, Q, axis, interpolation=method),
        distinct(4, 6),
        kinds=REAL,
    )
    pair(
        "numpy.percentile",
        lambda a: np.percentile(a, 37.0, axis=axis, method=method),
        lambda a: torch.quantile(a, 0.37, axis, interpolation=method),
        distinct(4, 6),
        kinds=REAL,
    )


for _method in ("linear", "lower", "higher", "midpoint", "nearest"):
    for _axis in (0, 1):
        _quantile(_method, _axis)
pair(
    "numpy.nanquantile",
    lambda a: np.nanquantile(a, QUANTILES, axis=1, keepdims=True),
    lambda a: torch.nanquantile(a, Q, 1, keepdim=True),
    HOLES,
    kinds=REAL,
)
pair(
    "numpy.nanpercentile",
    lambda a: np.nanpercentile(a, 40.0),
    lambda a: torch.nanquantile(a.ravel(), 0.4),
    HOLES,
    kinds=REAL,
)
pair(
    "numpy.quantile",
    lambda a, q: np.quantile(a, 1 / (1 + np.exp(-q))),
    lambda a, q: torch.quantile(a, torch.sigmoid(q)),
    distinct(7),
    normal(2),
    kinds=REAL,
)
pair(
    "numpy.percentile",
    lambda a, q: np.percentile(a, 100 / (1 + np.exp(-q)), axis=0),
    lambda a, q: torch.quantile(a, torch.sigmoid(q), 0),
    distinct(7, 2),
    normal(3),
    kinds=REAL,
)
