"""Indexing: basic, boolean, with integer arrays, mixed; choosing elements."""

from __future__ import annotations

import numpy
import torch

import wirtinger as np

from . import MIXED, REAL, normal, pair, same

INDICES = (
    1,
    -1,
    slice(1, 3),
    (slice(None), 2),
    (Ellipsis, 0),
    (None, slice(None), None, 1),
    (slice(None, None, 2), slice(1, None), slice(0, 4, 3)),
    (0, 1, 2),
    [2, 0, 2],
    ([0, 2, 2], [1, 1, 0]),
    (slice(None), [0, 0, 1]),
    ([[0, 1], [2, 2]], slice(None), [[1], [3]]),
    ([1], slice(None), [0, 3, 3, 3]),
    ([0, 2], slice(1, 3), [1, 2]),
    (Ellipsis, [True, False, True, True]),
    numpy.arange(9).reshape(3, 3) % 4 > 1,
    (numpy.array([True, False, True]), 1),
    (slice(2, 2),),
    Ellipsis,
    None,
)


def _for_torch(index):
    if isinstance(index, tuple):
        return tuple(map(_for_torch, index))
    return torch.tensor(index) if isinstance(index, (list, numpy.ndarray)) else index


def _indexed(index):
    theirs = _for_torch(index)
    pair("numpy.ndarray.__getitem__", lambda a: a[index], lambda a: a[theirs], normal(3, 3, 4))


for _index in INDICES:
    _indexed(_index)
pair("numpy.ndarray.__getitem__", lambda a: a[::-1, ::-2], lambda a: torch.flip(a, (0, 1))[:, ::2], normal(3, 5))
pair("numpy.ndarray.__getitem__", lambda a: a[1, :, [0, 3]], lambda a: a[1][:, [0, 3]].T, normal(3, 3, 4))
pair("numpy.ndarray.__getitem__", lambda a: a[1:][:, 0][::2], lambda a: a[1:][:, 0][::2], normal(5, 2))

WHICH = numpy.array([[0, 2, 2], [1, 0, 1]])
TWHICH = torch.tensor(WHICH)
MASK = numpy.array([[True, False, True], [False, True, True]])
TMASK = torch.tensor(MASK)
pair("numpy.take", lambda a: np.take(a, [0, 5, 5]), lambda a: torch.take(a, torch.tensor([0, 5, 5])), normal(2, 3))
pair(
    "numpy.take",
    lambda a: np.take(a, [2, 0, 2], axis=1),
    lambda a: torch.index_select(a, 1, torch.tensor([2, 0, 2])),
    normal(2, 3, 2),
)
pair(
    "numpy.take_along_axis",
    lambda a: np.take_along_axis(a, WHICH, axis=1),
    lambda a: torch.gather(a, 1, TWHICH),
    normal(2, 3),
)
pair(
    "numpy.take_along_axis",
    lambda a: np.take_along_axis(a, WHICH, axis=0),
    lambda a: torch.take_along_dim(a, TWHICH, 0),
    normal(4, 3),
)
pair("numpy.extract", lambda a: np.extract(MASK, a), lambda a: torch.masked_select(a, TMASK), normal(2, 3))
pair("numpy.compress", lambda a: np.compress([True, False, True], a, axis=1), lambda a: a[:, [0, 2]], normal(2, 3))
pair(
    "numpy.choose",
    lambda a, b: np.choose(MASK.astype(int), [a, b]),
    lambda a, b: torch.where(TMASK, b, a),
    normal(2, 3),
    normal(3),
)
pair(
    "numpy.select",
    lambda a, b: np.select([MASK, ~MASK & (WHICH > 0)], [a, b], default=1.5),
    lambda a, b: torch.where(TMASK, a, torch.where(~TMASK & (TWHICH > 0), b, 1.5)),
    normal(2, 3),
    normal(3),
)
pair("numpy.where", lambda a, b: np.where(MASK, a, b), lambda a, b: torch.where(TMASK, a, b), normal(2, 3), normal(3))
pair(
    "numpy.where",
    lambda a, b: np.where(MASK, a, b),
    lambda a, b: TMASK * a + ~TMASK * b,  # torch.where of a real and a complex tensor has no gradient
    normal(2, 3),
    normal(3),
    kinds=MIXED,
)
pair("numpy.where", lambda a: np.where(MASK, a, 0.0), lambda a: torch.where(TMASK, a, 0.0), normal(2, 3))
same("numpy.where", lambda F, a: F.where(a > 0, a**2, -a), normal(2, 3), kinds=REAL)
pair(
    "numpy.piecewise",
    lambda a: np.piecewise(a, [a < 0, a >= 0], [lambda x: x**2, lambda x: np.sin(x)]),
    lambda a: torch.where(a < 0, a**2, torch.sin(a)),
    normal(2, 3),
    kinds=REAL,
)
pair(
    "numpy.apply_along_axis",
    lambda a: np.apply_along_axis(lambda v: v * v[0], 1, a),
    lambda a: a * a[:, :1],
    normal(3, 4),
)
pair(
    "numpy.apply_over_axes",
    lambda a: np.apply_over_axes(np.sum, a, [0, 2]),
    lambda a: torch.sum(a, (0, 2), keepdim=True),
    normal(2, 3, 4),
)
pair(
    "numpy.vectorize",
    lambda a, b: np.vectorize(lambda x, y: np.sin(x) * y)(a, b),
    lambda a, b: torch.sin(a) * b,
    normal(2, 3),
    normal(3),
)
pair(
    "numpy.fromfunction",
    lambda a: np.fromfunction(lambda i, j: a * i + j, (2, 3)),
    lambda a: a * torch.arange(2.0, dtype=torch.float64)[:, None] + torch.arange(3.0, dtype=torch.float64),
    normal(),
)
