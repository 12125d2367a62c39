"""Reductions and cumulative sums and products, over every kind of axis."""

from __future__ import annotations

import numpy
import torch

import wirtinger as np

from . import ANY, COMPLEX, REAL, alike, away_from_zero, distinct, fixed, normal, pair, positive, same

AXES = (None, 0, -1, (0, 2), (1,), (0, 1, 2))
NAN = float("nan")


def _reduction(name, theirs, domain, kinds=ANY, axes=AXES, **keywords):
    """A reduction over every kind of axis, with and without keepdims; theirs is called `(a, axes, keepdims)`."""
    ours = getattr(np, name)
    for axis in axes:
        for keepdims in (False, True):
            _along(name, ours, theirs, axis, keepdims, domain, kinds, keywords)


def _along(name, ours, theirs, axis, keepdims, domain, kinds, keywords):
    axes = (0, 1, 2) if axis is None else axis
    pair(
        f"numpy.{name}",
        lambda a: ours(a, axis=axis, keepdims=keepdims, **keywords),
        lambda a: theirs(a, axes, keepdims),
        domain(2, 3, 4),
        kinds=kinds,
    )


def _variance(ddof):
    """PyTorch's `var` of a complex tensor, which is the sum of those of its parts, has no gradient over some axes."""

    def theirs(a, axes, keepdims):
        parts = (a.real, a.imag) if a.is_complex() else (a,)
        return sum(torch.var(part, axes, correction=ddof, keepdim=keepdims) for part in parts)

    return theirs


_reduction("sum", torch.sum, normal)
_reduction("mean", torch.mean, normal)
_reduction("max", torch.amax, distinct, REAL)
_reduction("min", torch.amin, distinct, REAL)
_reduction("nanmax", torch.amax, distinct, REAL)
_reduction("nanmin", torch.amin, distinct, REAL)
_reduction("ptp", lambda a, axes, keep: torch.amax(a, axes, keep) - torch.amin(a, axes, keep), distinct, REAL)
_reduction("nansum", torch.nansum, normal, REAL)
_reduction("nanmean", torch.nanmean, normal, REAL)
for _name in ("var", "nanvar"):
    _reduction(_name, _variance(0), normal)
    _reduction(_name, _variance(1), normal, axes=(None, 1, (0, 2)), ddof=1)
for _name in ("std", "nanstd"):
    _reduction(_name, lambda a, axes, keep: torch.std(a, axes, correction=0, keepdim=keep), normal, REAL)
    _reduction(_name, lambda a, axes, keep: torch.std(a, axes, correction=1, keepdim=keep), normal, REAL, ddof=1)
    _reduction(_name, lambda a, axes, keep: torch.sqrt(_variance(0)(a, axes, keep)), normal, COMPLEX)

for _shape in ((), (0,), (0, 3), (5,)):
    alike("numpy.sum", normal(*_shape))
    alike("numpy.prod", normal(*_shape))
for _axis in (0, 1, -1):
    alike("numpy.sum", normal(3, 0), options=(_axis,))
    alike("numpy.prod", normal(3, 4), options=(_axis,))
    alike("numpy.nanprod", normal(3, 4), options=(_axis,), theirs="prod")
    alike("numpy.cumsum", normal(3, 4), options=(_axis,))
    alike("numpy.nancumsum", normal(3, 4), options=(_axis,), theirs="cumsum")
    alike("numpy.cumprod", normal(3, 4), options=(_axis,))
    alike("numpy.nancumprod", normal(3, 4), options=(_axis,), theirs="cumprod")
alike("numpy.cumsum", normal(0), options=(0,))
pair("numpy.cumsum", np.cumsum, lambda a: torch.cumsum(a.ravel(), 0), normal(3, 4))
pair("numpy.cumprod", np.cumprod, lambda a: torch.cumprod(a.ravel(), 0), normal(3, 4))
pair("numpy.cumulative_sum", lambda a: np.cumulative_sum(a, axis=1), lambda a: torch.cumsum(a, 1), normal(3, 4))
pair("numpy.cumulative_prod", lambda a: np.cumulative_prod(a, axis=1), lambda a: torch.cumprod(a, 1), normal(3, 4))
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
pair("numpy.prod", lambda a: np.prod(a, axis=(0, 2)), lambda a: torch.prod(torch.prod(a, 2), 0), normal(2, 3, 4))
pair("numpy.sum", lambda a: np.add.reduce(a, axis=1), lambda a: torch.sum(a, 1), normal(3, 4))
pair("numpy.prod", lambda a: np.multiply.reduce(a), lambda a: torch.prod(a, 0), normal(3, 4))
pair("numpy.cumsum", lambda a: np.add.accumulate(a), lambda a: torch.cumsum(a, 0), normal(3, 4))
pair(
    "numpy.outer", lambda a, b: np.multiply.outer(a, b), lambda a, b: torch.tensordot(a, b, 0), normal(2, 3), normal(4)
)
same("numpy.sum", lambda F, a: F.sum(a, 0) / F.prod(F.mean(a, 1)), away_from_zero(3, 4))

# where=, initial=, weights
MASK = numpy.arange(12).reshape(3, 4) % 3 > 0
SEEN = torch.tensor(MASK)
pair("numpy.sum", lambda a: np.sum(a, axis=0, where=MASK), lambda a: torch.sum(a * SEEN, 0), normal(3, 4))
pair("numpy.sum", lambda a: np.sum(a, initial=3.0), lambda a: torch.sum(a) + 3, normal(3, 4))
pair(
    "numpy.prod",
    lambda a: np.prod(a, axis=1, where=MASK),
    lambda a: torch.prod(torch.where(SEEN, a, 1.0), 1),
    normal(3, 4),
)
pair(
    "numpy.mean",
    lambda a: np.mean(a, axis=0, where=MASK),
    lambda a: torch.sum(a * SEEN, 0) / torch.sum(SEEN, 0),
    normal(3, 4),
)
pair(
    "numpy.max",
    lambda a: np.max(a, axis=0, where=MASK, initial=-0.5),
    lambda a: torch.clamp(torch.amax(torch.where(SEEN, a, -torch.inf), 0), min=-0.5),
    distinct(3, 4),
    kinds=REAL,
)
pair(
    "numpy.var",
    lambda a: np.var(a, where=MASK),
    lambda a: torch.var(a[SEEN], correction=0),
    normal(3, 4),
    kinds=REAL,
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
HOLES = fixed([[1.0, NAN, 2.5], [-0.5, 3.0, NAN]])
alike("numpy.nansum", HOLES, kinds=REAL)
alike("numpy.nansum", HOLES, options=(1,), kinds=REAL)
alike("numpy.nanmean", HOLES, options=(0,), kinds=REAL)
pair("numpy.nanprod", np.nanprod, lambda a: torch.prod(torch.nan_to_num(a, 1.0)), HOLES, kinds=REAL)
pair("numpy.nanvar", np.nanvar, lambda a: torch.var(a[~torch.isnan(a)], correction=0), HOLES, kinds=REAL)
pair("numpy.nanstd", np.nanstd, lambda a: torch.std(a[~torch.isnan(a)], correction=0), HOLES, kinds=REAL)
pair("numpy.nanmax", np.nanmax, lambda a: torch.amax(torch.nan_to_num(a, -9.0)), HOLES, kinds=REAL)
pair("numpy.nanmin", np.nanmin, lambda a: torch.amin(torch.nan_to_num(a, 9.0)), HOLES, kinds=REAL)
pair(
    "numpy.nancumsum",
    lambda a: np.nancumsum(a, axis=1),
    lambda a: torch.cumsum(torch.nan_to_num(a), 1),
    HOLES,
    kinds=REAL,
)
for _zeros in ([2.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]):
    alike("numpy.prod", fixed(_zeros))
    alike("numpy.cumprod", fixed(_zeros), options=(0,))
TIED = fixed([[1.0, 3.0, 3.0], [3.0, 2.0, 1.0]])
for _axis in ((0, 1), 1):
    alike("numpy.amax", TIED, options=(_axis,), kinds=REAL)
    alike("numpy.amin", TIED, options=(_axis,), kinds=REAL)
pair(
    "numpy.std",
    np.std,
    lambda a: torch.std(a, correction=0),
    fixed([2.0, 2.0, 2.0]),
    kinds=REAL,
    differs="in second order theirs is 0; ours is that of |std|^2, which is smooth here",
)
