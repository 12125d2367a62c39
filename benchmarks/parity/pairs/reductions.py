"""Reductions and cumulative sums and products, over every kind of axis."""

from __future__ import annotations

import numpy
import torch

import wirtinger as np

from . import away_from_zero, distinct, fixed, normal, pair, positive, same

REAL = ("f",)
NAN = float("nan")
AXES = (None, 0, -1, (0, 2), (1,), (0, 1, 2))


def _axes(axis, ndim=3):
    return tuple(range(ndim)) if axis is None else axis


def _reduction(name, theirs, domain, kinds=("f", "c"), axes=AXES, **keywords):
    """A reduction over every kind of axis, with and without keepdims; `theirs(a, axes, keepdims)`."""
    ours = getattr(np, name)
    for axis in axes:
        for keepdims in (False, True):
            pair(
                f"numpy.{name}",
                lambda a, axis=axis, keepdims=keepdims: ours(a, axis=axis, keepdims=keepdims, **keywords),
                lambda a, axis=axis, keepdims=keepdims: theirs(a, _axes(axis), keepdims),
                domain(2, 3, 4),
                kinds=kinds,
            )


_reduction("sum", lambda a, axes, keep: torch.sum(a, axes, keep), normal)
_reduction("mean", lambda a, axes, keep: torch.mean(a, axes, keep), normal)
_reduction("max", lambda a, axes, keep: torch.amax(a, axes, keep), distinct, REAL)
_reduction("min", lambda a, axes, keep: torch.amin(a, axes, keep), distinct, REAL)
_reduction("ptp", lambda a, axes, keep: torch.amax(a, axes, keep) - torch.amin(a, axes, keep), distinct, REAL)
_reduction("nansum", lambda a, axes, keep: torch.nansum(a, axes, keepdim=keep), normal, REAL)
_reduction("nanmean", lambda a, axes, keep: torch.nanmean(a, axes, keep), normal, REAL)
_reduction("nanmax", lambda a, axes, keep: torch.amax(a, axes, keep), distinct, REAL)
_reduction("nanmin", lambda a, axes, keep: torch.amin(a, axes, keep), distinct, REAL)
for _ddof in (0, 1):
    for _name, _theirs in (("var", torch.var), ("std", torch.std)):
        for _prefix in ("", "nan"):
            _reduction(
                _prefix + _name,
                lambda a, axes, keep, f=_theirs, d=_ddof: f(a, axes, correction=d, keepdim=keep),
                normal,
                REAL,
                (None, 1, (0, 2)),
                ddof=_ddof,
            )
        _reduction(
            _name,
            lambda a, axes, keep, f=_theirs, d=_ddof: _complex_spread(f, a, axes, keep, d),
            normal,
            ("c",),
            (None, 1, (0, 2)),
            ddof=_ddof,
        )


def _complex_spread(f, a, axes, keep, ddof):
    """PyTorch's `var` of a complex tensor has no derivative for some axes; it is the sum of those of its parts."""
    variance = sum(torch.var(part, axes, correction=ddof, keepdim=keep) for part in (a.real, a.imag))
    return variance if f is torch.var else torch.sqrt(variance)


for _shape in ((), (0,), (0, 3), (5,)):
    same("numpy.sum", lambda F, a: F.sum(a), normal(*_shape))
    same("numpy.prod", lambda F, a: F.prod(a), normal(*_shape))
for _axis in (0, 1, -1):
    pair("numpy.sum", lambda a, k=_axis: np.sum(a, axis=k), lambda a, k=_axis: torch.sum(a, k), normal(3, 0))
    pair("numpy.prod", lambda a, k=_axis: np.prod(a, axis=k), lambda a, k=_axis: torch.prod(a, k), normal(3, 4))
    pair("numpy.nanprod", lambda a, k=_axis: np.nanprod(a, axis=k), lambda a, k=_axis: torch.prod(a, k), normal(3, 4))
    for _name, _theirs in (
        ("cumsum", torch.cumsum),
        ("cumulative_sum", torch.cumsum),
        ("nancumsum", torch.cumsum),
        ("cumprod", torch.cumprod),
        ("cumulative_prod", torch.cumprod),
        ("nancumprod", torch.cumprod),
    ):
        pair(
            f"numpy.{_name}",
            lambda a, f=getattr(np, _name), k=_axis: f(a, axis=k),
            lambda a, f=_theirs, k=_axis: f(a, k),
            normal(3, 4),
        )
pair("numpy.prod", lambda a: np.prod(a, axis=(0, 2)), lambda a: torch.prod(torch.prod(a, 2), 0), normal(2, 3, 4))
pair("numpy.cumsum", np.cumsum, lambda a: torch.cumsum(a.ravel(), 0), normal(3, 4))
pair("numpy.cumprod", np.cumprod, lambda a: torch.cumprod(a.ravel(), 0), normal(3, 4))
pair("numpy.cumsum", lambda a: np.cumsum(a, axis=0), lambda a: torch.cumsum(a, 0), normal(0))
pair(
    "numpy.cumulative_sum",
    lambda a: np.cumulative_sum(a, axis=1, include_initial=True),
    lambda a: torch.cumsum(torch.nn.functional.pad(a, (1, 0)), 1),
    normal(3, 4),
)
pair(
    "numpy.cumulative_prod",
    lambda a: np.cumulative_prod(a, axis=1, include_initial=True),
    lambda a: torch.cumprod(torch.cat([torch.ones_like(a[:, :1]), a], 1), 1),
    normal(3, 4),
)
pair("numpy.sum", lambda a: np.add.reduce(a, axis=1), lambda a: torch.sum(a, 1), normal(3, 4))
pair("numpy.prod", lambda a: np.multiply.reduce(a), lambda a: torch.prod(a, 0), normal(3, 4))
pair("numpy.cumsum", lambda a: np.add.accumulate(a), lambda a: torch.cumsum(a, 0), normal(3, 4))
pair(
    "numpy.outer", lambda a, b: np.multiply.outer(a, b), lambda a, b: torch.tensordot(a, b, 0), normal(2, 3), normal(4)
)

# where=, initial=, weights
MASK = numpy.arange(12).reshape(3, 4) % 3 > 0
TMASK = torch.tensor(MASK)
pair("numpy.sum", lambda a: np.sum(a, axis=0, where=MASK), lambda a: torch.sum(a * TMASK, 0), normal(3, 4))
pair("numpy.sum", lambda a: np.sum(a, initial=3.0), lambda a: torch.sum(a) + 3, normal(3, 4))
pair(
    "numpy.prod",
    lambda a: np.prod(a, axis=1, where=MASK),
    lambda a: torch.prod(torch.where(TMASK, a, 1.0), 1),
    normal(3, 4),
)
pair(
    "numpy.mean",
    lambda a: np.mean(a, axis=0, where=MASK),
    lambda a: torch.sum(a * TMASK, 0) / torch.sum(TMASK, 0),
    normal(3, 4),
)
pair(
    "numpy.max",
    lambda a: np.max(a, axis=0, where=MASK, initial=-0.5),
    lambda a: torch.clamp(torch.amax(torch.where(TMASK, a, -torch.inf), 0), min=-0.5),
    distinct(3, 4),
    kinds=REAL,
)
pair(
    "numpy.var", lambda a: np.var(a, where=MASK), lambda a: torch.var(a[TMASK], correction=0), normal(3, 4), kinds=REAL
)
pair("numpy.average", np.average, torch.mean, normal(3, 4))
pair(
    "numpy.average",
    lambda a, b: np.average(a, axis=1, weights=b),
    lambda a, b: torch.sum(a * b, 1) / torch.sum(b),
    normal(3, 4),
    positive(4),
)

# NaN in the argument, zeros in products, ties, and no spread at all
HOLES = [[1.0, NAN, 2.5], [-0.5, 3.0, NAN]]
same("numpy.nansum", lambda F, a: F.nansum(a), fixed(HOLES), kinds=REAL)
pair("numpy.nansum", lambda a: np.nansum(a, axis=1), lambda a: torch.nansum(a, 1), fixed(HOLES), kinds=REAL)
pair("numpy.nanmean", lambda a: np.nanmean(a, axis=0), lambda a: torch.nanmean(a, 0), fixed(HOLES), kinds=REAL)
pair("numpy.nanprod", np.nanprod, lambda a: torch.prod(torch.nan_to_num(a, 1.0)), fixed(HOLES), kinds=REAL)
pair(
    "numpy.nancumsum",
    lambda a: np.nancumsum(a, axis=1),
    lambda a: torch.cumsum(torch.nan_to_num(a), 1),
    fixed(HOLES),
    kinds=REAL,
)
pair("numpy.nanvar", np.nanvar, lambda a: torch.var(a[~torch.isnan(a)], correction=0), fixed(HOLES), kinds=REAL)
pair("numpy.nanstd", np.nanstd, lambda a: torch.std(a[~torch.isnan(a)], correction=0), fixed(HOLES), kinds=REAL)
pair("numpy.nanmax", np.nanmax, lambda a: torch.amax(torch.nan_to_num(a, -9.0)), fixed(HOLES), kinds=REAL)
pair("numpy.nanmin", np.nanmin, lambda a: torch.amin(torch.nan_to_num(a, 9.0)), fixed(HOLES), kinds=REAL)
for _zeros in ([2.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]):
    same("numpy.prod", lambda F, a: F.prod(a), fixed(_zeros))
    pair("numpy.cumprod", np.cumprod, lambda a: torch.cumprod(a, 0), fixed(_zeros))
TIED = [[1.0, 3.0, 3.0], [3.0, 2.0, 1.0]]
for _axis in ((0, 1), 1):
    for _name in ("amax", "amin"):
        pair(
            f"numpy.{_name}",
            lambda a, f=getattr(np, _name), k=_axis: f(a, axis=k),
            lambda a, f=getattr(torch, _name), k=_axis: f(a, k),
            fixed(TIED),
            kinds=REAL,
        )
pair(
    "numpy.std",
    np.std,
    lambda a: torch.std(a, correction=0),
    fixed([2.0, 2.0, 2.0]),
    kinds=REAL,
    differs="in second order theirs is 0; ours is that of |std|^2, which is smooth here",
)
same("numpy.sum", lambda F, a: F.sum(a, 0) / F.prod(F.mean(a, 1)), away_from_zero(3, 4))
