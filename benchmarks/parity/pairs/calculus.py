"""Differences, integrals, interpolation, statistics, polynomials."""

from __future__ import annotations

import numpy
import torch

import wirtinger as np

from . import MIXED, REAL, alike, away_from_zero, distinct, fixed, normal, pair, positive, same

for _order in (1, 2):
    for _axis in (0, -1):
        alike("numpy.diff", normal(4, 5), options=(_order, _axis))
same("numpy.diff", lambda F, a, b: F.diff(a, prepend=b, append=2 * b), normal(2, 4), normal(2, 1))
pair("numpy.ediff1d", np.ediff1d, lambda a: torch.diff(a.ravel()), normal(2, 3))
pair("numpy.gradient", np.gradient, lambda a: torch.gradient(a)[0], normal(6))
pair("numpy.gradient", lambda a: np.gradient(a, 0.5), lambda a: torch.gradient(a, spacing=0.5), normal(4, 5))
pair(
    "numpy.gradient",
    lambda a: np.gradient(a, 0.5, axis=1, edge_order=2),
    lambda a: torch.gradient(a, spacing=0.5, dim=1, edge_order=2)[0],
    normal(4, 5),
)
POSITIONS = numpy.array([0.0, 0.3, 1.0, 1.2, 2.0])
pair(
    "numpy.gradient",
    lambda a: np.gradient(a, POSITIONS),
    lambda a: torch.gradient(a, spacing=(torch.tensor(POSITIONS),))[0],
    normal(5),
)
pair("numpy.trapezoid", np.trapezoid, torch.trapezoid, normal(3, 5))
pair(
    "numpy.trapezoid",
    lambda a: np.trapezoid(a, dx=0.3, axis=0),
    lambda a: torch.trapezoid(a, dx=0.3, dim=0),
    normal(3, 5),
)
pair(
    "numpy.trapezoid",
    lambda a, x: np.trapezoid(a, x),
    lambda a, x: torch.trapezoid(a, x),
    normal(3, 5),
    normal(5),
    kinds=REAL,
)

POINTS = numpy.array([-0.2, 0.1, 0.9, 1.7, 2.5])


def _interpolated(x, xp, fp):
    k = torch.clamp(torch.searchsorted(xp.detach(), x.detach()), 1, len(xp) - 1)
    inner = fp[k - 1] + (fp[k] - fp[k - 1]) * (x - xp[k - 1]) / (xp[k] - xp[k - 1])
    return torch.where(x < xp[0], fp[0], torch.where(x > xp[-1], fp[-1], inner))


pair(
    "numpy.interp",
    lambda x, xp, fp: np.interp(x, xp, fp),
    _interpolated,
    fixed(POINTS),
    fixed([0.0, 0.3, 1.0, 2.0]),
    normal(4),
    kinds=("f", "ffc"),
)
pair(
    "numpy.unwrap",
    np.unwrap,
    lambda a: a + torch.tensor(numpy.unwrap(a.detach()) - a.detach().numpy()),
    normal(6),
    kinds=REAL,
)
pair(
    "numpy.linspace",
    lambda a, b: np.linspace(a, b, 5),
    lambda a, b: a + (b - a) * torch.linspace(0, 1, 5, dtype=torch.float64).reshape(5, *[1] * a.ndim),
    normal(2),
    normal(2),
    kinds=MIXED,
)
pair(
    "numpy.logspace",
    lambda a, b: np.logspace(a, b, 4),
    lambda a, b: 10 ** (a + (b - a) * torch.linspace(0, 1, 4, dtype=torch.float64)),
    normal(),
    normal(),
    kinds=MIXED,
)
pair(
    "numpy.geomspace",
    lambda a, b: np.geomspace(a, b, 4),
    lambda a, b: a * (b / a) ** torch.linspace(0, 1, 4, dtype=torch.float64),
    positive(),
    positive(),
    kinds=REAL,
)


def _powers(a, exponents):
    """torch.vander overwrites what its own derivative needs."""
    return torch.stack([a**k for k in exponents], -1)


pair("numpy.vander", lambda a: np.vander(a, 4), lambda a: _powers(a, (3, 2, 1, 0)), normal(3))
pair("numpy.vander", lambda a: np.vander(a, increasing=True), lambda a: _powers(a, (0, 1, 2)), normal(3))

# statistics
pair("numpy.cov", np.cov, torch.cov, normal(3, 6))
pair("numpy.cov", lambda a: np.cov(a, ddof=0), lambda a: torch.cov(a, correction=0), normal(3, 6))
pair("numpy.cov", np.cov, torch.cov, normal(6))
pair(
    "numpy.cov",
    lambda a, w: np.cov(a, aweights=w),
    lambda a, w: torch.cov(a, aweights=w),
    normal(3, 6),
    positive(6),
    kinds=("f", "cf"),
)
pair("numpy.cov", lambda a, b: np.cov(a, b), lambda a, b: torch.cov(torch.stack([a, b])), normal(6), normal(6))
pair("numpy.corrcoef", np.corrcoef, torch.corrcoef, normal(3, 6))
BINS = numpy.array([0, 2, 1, 2, 4])
pair(
    "numpy.bincount",
    lambda w: np.bincount(BINS, w, 6),
    lambda w: torch.zeros(6, dtype=w.dtype).scatter_add(0, torch.tensor(BINS), w),
    normal(5),
    kinds=REAL,
)
EDGES = numpy.array([-1.0, 0.0, 0.5, 1.0])
VALUES = numpy.array([-0.5, 0.2, 0.7, 0.1, 3.0])
pair(
    "numpy.histogram",
    lambda w: np.histogram(VALUES, EDGES, weights=w)[0],
    lambda w: torch.stack([w[0], w[1] + w[3], w[2]]),
    normal(5),
)
pair(
    "numpy.histogram2d",
    lambda w: np.histogram2d(VALUES, VALUES, EDGES, weights=w)[0],
    lambda w: torch.diag(torch.stack([w[0], w[1] + w[3], w[2]])),
    normal(5),
    kinds=REAL,
)
pair(
    "numpy.histogramdd",
    lambda w: np.histogramdd(VALUES[:, None], [EDGES], weights=w)[0],
    lambda w: torch.stack([w[0], w[1] + w[3], w[2]]),
    normal(5),
    kinds=REAL,
)

# polynomials
pair(
    "numpy.polyval",
    np.polyval,
    lambda p, x: ((p[0] * x + p[1]) * x + p[2]) * x + p[3],
    normal(4),
    normal(2, 3),
    kinds=MIXED,
)


def _product(a, b):
    return torch.nn.functional.conv1d(a[None, None], torch.flip(b, (0,))[None, None], padding=len(b) - 1)[0, 0]


pair("numpy.polymul", np.polymul, _product, normal(4), normal(3))
pair("numpy.polyadd", np.polyadd, lambda a, b: a + torch.nn.functional.pad(b, (1, 0)), normal(4), normal(3))
pair("numpy.polysub", np.polysub, lambda a, b: a - torch.nn.functional.pad(b, (1, 0)), normal(4), normal(3))
pair("numpy.polyder", np.polyder, lambda p: p[:-1] * torch.tensor([3, 2, 1]), normal(4))
pair("numpy.polyint", np.polyint, lambda p: torch.nn.functional.pad(p / torch.tensor([3, 2, 1]), (0, 1)), normal(3))


def _divided(a, b):
    quotient, rest = [], a
    while len(rest) >= len(b):
        factor = rest[0] / b[0]
        quotient.append(factor)
        rest = (rest - torch.nn.functional.pad(factor * b, (0, len(rest) - len(b))))[1:]
    return torch.stack(quotient), rest


pair("numpy.polydiv", np.polydiv, _divided, normal(5), away_from_zero(3))
pair(
    "numpy.poly",
    np.poly,
    lambda r: _product(
        _product(torch.stack([r[0] ** 0, -r[0]]), torch.stack([r[0] ** 0, -r[1]])), torch.stack([r[0] ** 0, -r[2]])
    ),
    normal(3),
    kinds=REAL,
)


def _sums_of_powers(F, roots):
    return F.stack([F.sum(roots), F.sum(roots**2), F.sum(F.abs(roots) ** 2)])


def _companion_roots(p):
    first = -p[1:] / p[0]
    companion = torch.cat([first[None], torch.eye(len(p) - 2, len(p) - 1, dtype=p.dtype)])
    return torch.linalg.eigvals(companion)


pair(
    "numpy.roots",
    lambda p: _sums_of_powers(np, np.roots(p)),
    lambda p: _sums_of_powers(torch, _companion_roots(p)),
    away_from_zero(4),
)
X = numpy.linspace(-1, 1, 7)
pair(
    "numpy.polyfit",
    lambda y: np.polyfit(X, y, 2),
    lambda y: torch.linalg.lstsq(_powers(torch.tensor(X), (2, 1, 0)).to(y.dtype), y[:, None]).solution[:, 0],
    normal(7),
)
pair(
    "numpy.polyfit",
    lambda x, y: np.polyfit(x, y, 2),
    lambda x, y: torch.linalg.lstsq(_powers(x, (2, 1, 0)), y[:, None]).solution[:, 0],
    distinct(7),
    normal(7),
    kinds=REAL,
)
