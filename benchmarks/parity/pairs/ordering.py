"""Sorting and order statistics."""

from __future__ import annotations

import torch

import wirtinger as np

from . import distinct, fixed, normal, pair

REAL = ("f",)
QUANTILES = [0.0, 0.1, 0.5, 0.77, 1.0]
Q = torch.tensor(QUANTILES, dtype=torch.float64)
NAN = float("nan")

for _shape in ((6,), (3, 4), (2, 3, 4), (0,), (1,)):
    pair("numpy.sort", np.sort, lambda a: torch.sort(a).values, distinct(*_shape), kinds=REAL)
for _axis in (0, 1):
    pair(
        "numpy.sort",
        lambda a, k=_axis: np.sort(a, axis=k),
        lambda a, k=_axis: torch.sort(a, k).values,
        distinct(3, 4),
        kinds=REAL,
    )
pair("numpy.sort", lambda a: np.sort(a, axis=None), lambda a: torch.msort(a.ravel()), distinct(3, 4), kinds=REAL)
pair("numpy.sort_complex", np.sort_complex, lambda a: a[torch.argsort(a.real)], distinct(6), kinds=("c",))
pair(
    "numpy.partition",
    lambda a: np.sort(np.partition(a, 2)[:2]),
    lambda a: torch.sort(a).values[:2],
    distinct(7),
    kinds=REAL,
)
pair("numpy.partition", lambda a: np.partition(a, 3)[3], lambda a: torch.kthvalue(a, 4).values, distinct(7), kinds=REAL)
pair(
    "numpy.sort",
    lambda a: np.take_along_axis(a, np.argsort(a, axis=1), axis=1),
    lambda a: torch.sort(a, 1).values,
    distinct(3, 4),
    kinds=REAL,
)
for _name in ("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"):
    pair(f"numpy.{_name}", getattr(np, _name), lambda a: torch.sort(a.ravel()).values, distinct(2, 3), kinds=REAL)
for _name in ("union1d", "setxor1d"):
    pair(
        f"numpy.{_name}",
        lambda a, b, f=getattr(np, _name): f(a, b + 0.01),
        lambda a, b: torch.sort(torch.cat([a, b + 0.01])).values,
        distinct(4),
        distinct(5),
        kinds=REAL,
    )
pair(
    "numpy.setdiff1d",
    lambda a: np.setdiff1d(a, a[1:3]),
    lambda a: torch.sort(a[[0, 3, 4]]).values,
    distinct(5),
    kinds=REAL,
)

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
pair("numpy.median", np.median, lambda a: torch.quantile(a.ravel(), 0.5), distinct(3, 4), kinds=REAL)
pair(
    "numpy.median",
    lambda a: np.median(a, axis=(0, 2), keepdims=True),
    lambda a: torch.quantile(a.transpose(0, 1).reshape(3, 8), 0.5, 1)[None, :, None],
    distinct(2, 3, 4),
    kinds=REAL,
)
pair("numpy.nanmedian", np.nanmedian, torch.nanmedian, fixed([3.0, NAN, 1.0, 2.0]), kinds=REAL)
for _method in ("linear", "lower", "higher", "midpoint", "nearest"):
    for _axis in (0, 1):
        pair(
            "numpy.quantile",
            lambda a, m=_method, k=_axis: np.quantile(a, QUANTILES, axis=k, method=m),
            lambda a, m=_method, k=_axis: torch.quantile(a, Q, k, interpolation=m),
            distinct(4, 6),
            kinds=REAL,
        )
    pair(
        "numpy.percentile",
        lambda a, m=_method: np.percentile(a, 37.0, method=m),
        lambda a, m=_method: torch.quantile(a.ravel(), 0.37, interpolation=m),
        distinct(4, 6),
        kinds=REAL,
    )
pair(
    "numpy.nanquantile",
    lambda a: np.nanquantile(a, QUANTILES, axis=1, keepdims=True),
    lambda a: torch.nanquantile(a, Q, 1, keepdim=True),
    fixed([[1.0, NAN, 2.5, 0.3], [-0.5, 3.0, 1.0, 0.1]]),
    kinds=REAL,
)
pair(
    "numpy.nanpercentile",
    lambda a: np.nanpercentile(a, 40.0),
    lambda a: torch.nanquantile(a.ravel(), 0.4),
    fixed([[1.0, NAN, 2.5, 0.3], [-0.5, 3.0, 1.0, 0.1]]),
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
