"""Writing into arrays: into copies of the argument, and into arrays made for the purpose."""

from __future__ import annotations

import numpy
import torch

import wirtinger as np

from . import MIXED, normal, pair, same

MASK = numpy.arange(6).reshape(2, 3) % 2 > 0
ROWS = numpy.array([[1, 0, 1]])


def _written(write):
    """The call that copies its first argument and writes the others into it."""

    def ours(a, *values):
        a = np.copy(a)
        write(np, a, *values)
        return a

    def theirs(a, *values):
        a = a.clone()
        write(torch, a, *values)
        return a

    return ours, theirs


def _set(F, a, b):
    a[1, ::2] = b
    a[0, 0] = b[0] * b[1]


def _set_masked(F, a, b):
    a[MASK if F is np else torch.tensor(MASK)] = b


def _scale_masked(F, a, b):
    a[MASK if F is np else torch.tensor(MASK)] *= b


def _accumulate(F, a, b):
    a += b
    a[0] -= 2 * b[:3]
    a[..., 1:] *= b[1:]


def _from_itself(F, a, b):
    a[0] = 2 * a[1] * b
    a[1, 1:] = a[0, :-1] + a[1, 1:]


pair("numpy.put", *_written(_set), normal(2, 3), normal(2))
pair("numpy.putmask", *_written(_set_masked), normal(2, 3), normal(3))
pair("numpy.multiply", *_written(_scale_masked), normal(2, 3), normal(3))
pair("numpy.add", *_written(_accumulate), normal(2, 3), normal(3))
pair("numpy.copyto", *_written(_from_itself), normal(2, 3), normal(3))
pair(
    "numpy.put",
    *_written(lambda F, a, b: F.put(a, [0, 4], b) if F is np else a.put_(torch.tensor([0, 4]), b)),
    normal(2, 3),
    normal(2),
)
pair(
    "numpy.place",
    *_written(lambda F, a, b: F.place(a, MASK, b) if F is np else a.masked_scatter_(torch.tensor(MASK), b)),
    normal(2, 3),
    normal(3),
)
pair(
    "numpy.copyto",
    *_written(
        lambda F, a, b: F.copyto(a, b, where=MASK) if F is np else a.copy_(torch.where(torch.tensor(MASK), b, a))
    ),
    normal(2, 3),
    normal(3),
)
pair(
    "numpy.putmask",
    *_written(lambda F, a, b: F.putmask(a, MASK, b) if F is np else a.copy_(torch.where(torch.tensor(MASK), b, a))),
    normal(2, 3),
    normal(2, 3),
)
pair(
    "numpy.put_along_axis",
    *_written(lambda F, a, b: F.put_along_axis(a, ROWS, b, 0) if F is np else a.scatter_(0, torch.tensor(ROWS), b)),
    normal(2, 3),
    normal(1, 3),
)
pair(
    "numpy.fill_diagonal",
    *_written(lambda F, a, b: F.fill_diagonal(a, b) if F is np else a.diagonal().copy_(b)),
    normal(3, 3),
    normal(3),
)


def _assembled(F, x, y):
    A = F.zeros((3, 3), dtype=F.complex128)
    for i in range(3):
        for j in range(i + 1):
            A[i, j] = x[i] * y[j]
    A = A + A.T
    A[1] += y
    return A


same("numpy.zeros", _assembled, normal(3), normal(3), kinds=MIXED)
pair("numpy.full", lambda a: np.full((2, 3), a), lambda a: a.expand(2, 3), normal(3))
pair(
    "numpy.array",
    lambda a, b: np.array([[a[0], b], [2.0, a[1] * b]]),
    lambda a, b: torch.stack([torch.stack([a[0], b]), torch.stack([0 * b + 2, a[1] * b])]),
    normal(2),
    normal(),
)
pair("numpy.asarray", lambda a: np.asarray([a, a[::-1]]), lambda a: torch.stack([a, torch.flip(a, (0,))]), normal(3))
