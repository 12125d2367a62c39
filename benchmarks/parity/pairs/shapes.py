"""Linear rearrangements: reshaping, joining, splitting, repeating, padding, writing in place."""

from __future__ import annotations

import numpy
import torch

import wirtinger as np

from . import EVERY, distinct, normal, pair, same

REAL = ("f",)

same("numpy.reshape", lambda F, a: F.reshape(a, (6, 4)), normal(2, 3, 4))
same("numpy.reshape", lambda F, a: F.reshape(a, (0, 5)), normal(0, 3))
same("numpy.reshape", lambda F, a: F.reshape(a, ()), normal(1, 1))
pair(
    "numpy.reshape",
    lambda a: np.reshape(a, (4, 6), order="F"),
    lambda a: a.permute(2, 1, 0).reshape(6, 4).T,
    normal(2, 3, 4),
)
same("numpy.ravel", lambda F, a: F.ravel(a), normal(2, 3, 4))
pair("numpy.ravel", lambda a: np.ravel(a, order="F"), lambda a: a.T.ravel(), normal(3, 4))
pair("numpy.transpose", np.transpose, lambda a: a.permute(2, 1, 0), normal(2, 3, 4))
pair("numpy.transpose", lambda a: np.transpose(a, (1, 2, 0)), lambda a: a.permute(1, 2, 0), normal(2, 3, 4))
pair("numpy.permute_dims", lambda a: np.permute_dims(a, (1, 0, 2)), lambda a: a.permute(1, 0, 2), normal(2, 3, 4))
pair("numpy.matrix_transpose", np.matrix_transpose, lambda a: a.mT, normal(2, 3, 4))
same("numpy.swapaxes", lambda F, a: F.swapaxes(a, 0, -1), normal(2, 3, 4))
same("numpy.moveaxis", lambda F, a: F.moveaxis(a, (0, 1), (-1, 0)), normal(2, 3, 4))
pair("numpy.rollaxis", lambda a: np.rollaxis(a, 2), lambda a: a.permute(2, 0, 1), normal(2, 3, 4))
same("numpy.squeeze", lambda F, a: F.squeeze(a), normal(1, 3, 1))
same("numpy.squeeze", lambda F, a: F.squeeze(a, 0), normal(1, 3, 1))
pair("numpy.expand_dims", lambda a: np.expand_dims(a, (0, 2)), lambda a: a[None, :, None], normal(3, 4))
pair("numpy.expand_dims", lambda a: np.expand_dims(a, -1), lambda a: torch.unsqueeze(a, -1), normal(3, 4))
for _shape in ((), (3,), (2, 3), (2, 3, 4)):
    for _name in ("atleast_1d", "atleast_2d"):
        same(f"numpy.{_name}", lambda F, a, name=_name: getattr(F, name)(a), normal(*_shape))
same("numpy.atleast_3d", lambda F, a: F.atleast_3d(a), normal(2, 3))
same("numpy.atleast_1d", lambda F, a, b: F.atleast_1d(a, b), normal(), normal(2))
same("numpy.broadcast_to", lambda F, a: F.broadcast_to(a, (2, 3, 4)), normal(3, 1))
same("numpy.broadcast_to", lambda F, a: F.broadcast_to(a, (0, 3)), normal(3))
pair("numpy.broadcast_arrays", np.broadcast_arrays, torch.broadcast_tensors, normal(3, 1), normal(4))
pair("numpy.meshgrid", np.meshgrid, lambda *a: torch.meshgrid(*a, indexing="xy"), normal(3), normal(4))
pair(
    "numpy.meshgrid",
    lambda *a: np.meshgrid(*a, indexing="ij"),
    lambda *a: torch.meshgrid(*a, indexing="ij"),
    normal(2),
    normal(3),
    normal(4),
)

for _axis in (0, 1, -1):
    same(
        "numpy.concatenate", lambda F, a, b, k=_axis: F.concatenate([a, b], k), normal(2, 2), normal(2, 2), kinds=EVERY
    )
    same("numpy.stack", lambda F, a, b, k=_axis: F.stack([a, b], k), normal(2, 3), normal(2, 3))
same("numpy.concat", lambda F, a, b: F.concat([a, b, 2 * a]), normal(2, 3), normal(0, 3))
for _name in ("vstack", "row_stack", "hstack", "dstack", "column_stack"):
    for _shape in ((3,), (2, 3), (2, 3, 4)):
        same(f"numpy.{_name}", lambda F, a, b, name=_name: getattr(F, name)([a, b]), normal(*_shape), normal(*_shape))
pair(
    "numpy.append",
    lambda a, b: np.append(a, b),
    lambda a, b: torch.cat([a.ravel(), b.ravel()]),
    normal(2, 3),
    normal(2),
)
pair("numpy.append", lambda a, b: np.append(a, b, axis=0), lambda a, b: torch.cat([a, b]), normal(2, 3), normal(1, 3))
pair(
    "numpy.block",
    lambda a, b: np.block([[a, b[:, None]], [b, a[:1, :1][0]]]),
    lambda a, b: torch.cat([torch.cat([a, b[:, None]], 1), torch.cat([b, a[0, :1]])[None]], 0),
    normal(3, 3),
    normal(3),
)
pair("numpy.split", lambda a: np.split(a, 2, axis=1), lambda a: torch.split(a, 2, 1), normal(3, 4))
pair("numpy.split", lambda a: np.split(a, [1, 3]), lambda a: torch.tensor_split(a, [1, 3]), normal(5, 2))
pair("numpy.array_split", lambda a: np.array_split(a, 3), lambda a: torch.tensor_split(a, 3), normal(5, 2))
for _name, _shape in (("hsplit", (3, 4)), ("hsplit", (4,)), ("vsplit", (4, 3)), ("dsplit", (2, 3, 4))):
    same(f"numpy.{_name}", lambda F, a, name=_name: getattr(F, name)(a, 2), normal(*_shape))
pair("numpy.unstack", lambda a: np.unstack(a, axis=1), lambda a: torch.unbind(a, 1), normal(3, 4))
same("numpy.tile", lambda F, a: F.tile(a, (2, 1, 3)), normal(2, 3))
same("numpy.tile", lambda F, a: F.tile(a, (2,)), normal(2, 3))
pair("numpy.repeat", lambda a: np.repeat(a, 3, axis=1), lambda a: torch.repeat_interleave(a, 3, 1), normal(2, 3))
pair("numpy.repeat", lambda a: np.repeat(a, 2), lambda a: torch.repeat_interleave(a, 2), normal(2, 3))
pair(
    "numpy.repeat",
    lambda a: np.repeat(a, [1, 0, 3], axis=1),
    lambda a: torch.repeat_interleave(a, torch.tensor([1, 0, 3]), 1),
    normal(2, 3),
)
pair("numpy.resize", lambda a: np.resize(a, (2, 4)), lambda a: torch.cat([a, a])[:8].reshape(2, 4), normal(5))

for _shift, _axis in ((2, None), (-1, 0), ((1, 2), (0, 1))):
    same("numpy.roll", lambda F, a, s=_shift, k=_axis: F.roll(a, s, k), normal(3, 4))
same("numpy.rot90", lambda F, a: F.rot90(a, 3, (0, 2)), normal(2, 3, 4))
same("numpy.flip", lambda F, a: F.flip(a, (0, 2)), normal(2, 3, 4))
pair("numpy.flip", np.flip, lambda a: torch.flip(a, (0, 1)), normal(3, 4))
for _name in ("fliplr", "flipud"):
    same(f"numpy.{_name}", lambda F, a, name=_name: getattr(F, name)(a), normal(3, 4))
for _k in (-1, 0, 2):
    for _shape in ((4,), (3, 4)):
        same("numpy.diag", lambda F, a, k=_k: F.diag(a, k), normal(*_shape))
    same("numpy.diagflat", lambda F, a, k=_k: F.diagflat(a, k), normal(2, 2))
    same("numpy.diagonal", lambda F, a, k=_k: F.diagonal(a, k, 0, 2), normal(3, 2, 4))
    for _name in ("tril", "triu"):
        for _shape in ((3, 4), (2, 3, 3)):
            same(f"numpy.{_name}", lambda F, a, k=_k, name=_name: getattr(F, name)(a, k), normal(*_shape))
same("numpy.copy", lambda F, a: F.clone(a) if F is torch else F.copy(a), normal(2, 3))
pair("numpy.astype", lambda a: np.astype(a, complex), lambda a: a.to(torch.complex128), normal(2, 3), kinds=REAL)
pair("numpy.trim_zeros", lambda a: np.trim_zeros(np.pad(a, 2)), lambda a: a.clone(), normal(4))
pair("numpy.delete", lambda a: np.delete(a, [0, 2], axis=1), lambda a: a[:, [1, 3]], normal(2, 4))
pair(
    "numpy.insert",
    lambda a, b: np.insert(a, 1, b, axis=1),
    lambda a, b: torch.cat([a[:, :1], b[:, None], a[:, 1:]], 1),
    normal(2, 3),
    normal(2),
)

# pad in the modes that both have; theirs acts on the last axes of a batch of images
PADDED = ((1, 2), (2, 1))


def _pad(mode, theirs, **keywords):
    pair(
        "numpy.pad",
        lambda a: np.pad(a, PADDED, mode=mode, **keywords),
        lambda a: torch.nn.functional.pad(
            a[None, None], (2, 1, 1, 2), mode=theirs, **({"value": 1.5} if keywords else {})
        )[0, 0],
        normal(4, 5),
    )


_pad("constant", "constant", constant_values=1.5)
_pad("edge", "replicate")
_pad("reflect", "reflect")
_pad("wrap", "circular")
for _mode in ("maximum", "minimum", "mean"):
    _f = {"maximum": torch.amax, "minimum": torch.amin, "mean": torch.mean}[_mode]
    pair(
        "numpy.pad",
        lambda a, m=_mode: np.pad(a, ((0, 0), (1, 2)), mode=m),
        lambda a, f=_f: torch.cat([f(a, 1, keepdim=True), a, f(a, 1, keepdim=True), f(a, 1, keepdim=True)], 1),
        distinct(3, 4),
        kinds=REAL,
    )
pair(
    "numpy.pad",
    lambda a: np.pad(a, 2, mode="symmetric"),
    lambda a: torch.cat([a[[1, 0]], a, a[[4, 3]]]),
    normal(5),
)

# writes into arrays made under the trace, and into copies of the argument
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


same("numpy.zeros", _assembled, normal(3), normal(3), kinds=EVERY)
