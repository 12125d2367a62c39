"""Linear rearrangements: reshaping, joining, splitting, repeating, padding."""

from __future__ import annotations

import torch

import wirtinger as np

from . import MIXED, REAL, alike, distinct, normal, pair, same

alike("numpy.reshape", normal(2, 3, 4), options=((6, 4),))
alike("numpy.reshape", normal(0, 3), options=((0, 5),))
alike("numpy.reshape", normal(1, 1), options=((),))
pair(
    "numpy.reshape",
    lambda a: np.reshape(a, (4, 6), order="F"),
    lambda a: a.permute(2, 1, 0).reshape(6, 4).T,
    normal(2, 3, 4),
)
alike("numpy.ravel", normal(2, 3, 4))
pair("numpy.ravel", lambda a: np.ravel(a, order="F"), lambda a: a.T.ravel(), normal(3, 4))
pair("numpy.transpose", np.transpose, lambda a: a.permute(2, 1, 0), normal(2, 3, 4))
alike("numpy.transpose", normal(2, 3, 4), options=((1, 2, 0),), theirs="permute")
alike("numpy.permute_dims", normal(2, 3, 4), options=((1, 0, 2),), theirs="permute")
pair("numpy.matrix_transpose", np.matrix_transpose, lambda a: a.mT, normal(2, 3, 4))
alike("numpy.swapaxes", normal(2, 3, 4), options=(0, -1))
alike("numpy.moveaxis", normal(2, 3, 4), options=((0, 1), (-1, 0)))
pair("numpy.rollaxis", lambda a: np.rollaxis(a, 2), lambda a: a.permute(2, 0, 1), normal(2, 3, 4))
alike("numpy.squeeze", normal(1, 3, 1))
alike("numpy.squeeze", normal(1, 3, 1), options=(0,))
alike("numpy.expand_dims", normal(3, 4), options=(-1,), theirs="unsqueeze")
pair("numpy.expand_dims", lambda a: np.expand_dims(a, (0, 2)), lambda a: a[None, :, None], normal(3, 4))
for _shape in ((), (3,), (2, 3), (2, 3, 4)):
    alike("numpy.atleast_1d", normal(*_shape))
    alike("numpy.atleast_2d", normal(*_shape))
alike("numpy.atleast_3d", normal(2, 3))
alike("numpy.atleast_1d", normal(), normal(2))
alike("numpy.broadcast_to", normal(3, 1), options=((2, 3, 4),))
alike("numpy.broadcast_to", normal(3), options=((0, 3),))
alike("numpy.broadcast_arrays", normal(3, 1), normal(4), theirs="broadcast_tensors")
pair("numpy.meshgrid", np.meshgrid, lambda *a: torch.meshgrid(*a, indexing="xy"), normal(3), normal(4))
same("numpy.meshgrid", lambda F, *a: F.meshgrid(*a, indexing="ij"), normal(2), normal(3), normal(4))


def _joined(name, *arguments, options=(), **keywords):
    same(f"numpy.{name}", lambda F, *a: getattr(F, name)(a, *options), *arguments, **keywords)


for _axis in (0, 1, -1):
    _joined("concatenate", normal(2, 2), normal(2, 2), options=(_axis,), kinds=MIXED)
    _joined("stack", normal(2, 3), normal(2, 3), options=(_axis,))
_joined("concat", normal(2, 3), normal(0, 3))
for _shape in ((3,), (2, 3), (2, 3, 4)):
    for _name in ("vstack", "row_stack", "hstack", "dstack", "column_stack"):
        _joined(_name, normal(*_shape), normal(*_shape))
pair("numpy.append", np.append, lambda a, b: torch.cat([a.ravel(), b.ravel()]), normal(2, 3), normal(2))
pair(
    "numpy.append",
    lambda a, b: np.append(a, b, axis=0),
    lambda a, b: torch.cat([a, b]),
    normal(2, 3),
    normal(1, 3),
)
pair(
    "numpy.block",
    lambda a, b: np.block([[a, b[:, None]], [b, a[:1, :1][0]]]),
    lambda a, b: torch.cat([torch.cat([a, b[:, None]], 1), torch.cat([b, a[0, :1]])[None]], 0),
    normal(3, 3),
    normal(3),
)
alike("numpy.split", normal(3, 4), options=(2, 1))
alike("numpy.split", normal(5, 2), options=([1, 3],), theirs="tensor_split")
alike("numpy.array_split", normal(5, 2), options=(3,), theirs="tensor_split")
for _name, _shape in (("hsplit", (3, 4)), ("hsplit", (4,)), ("vsplit", (4, 3)), ("dsplit", (2, 3, 4))):
    alike(f"numpy.{_name}", normal(*_shape), options=(2,))
pair("numpy.unstack", lambda a: np.unstack(a, axis=1), lambda a: torch.unbind(a, 1), normal(3, 4))
alike("numpy.tile", normal(2, 3), options=((2, 1, 3),))
alike("numpy.tile", normal(2, 3), options=((2,),))
alike("numpy.repeat", normal(2, 3), options=(3, 1), theirs="repeat_interleave")
alike("numpy.repeat", normal(2, 3), options=(2,), theirs="repeat_interleave")
pair(
    "numpy.repeat",
    lambda a: np.repeat(a, [1, 0, 3], axis=1),
    lambda a: torch.repeat_interleave(a, torch.tensor([1, 0, 3]), 1),
    normal(2, 3),
)
pair("numpy.resize", lambda a: np.resize(a, (2, 4)), lambda a: torch.cat([a, a])[:8].reshape(2, 4), normal(5))

for _shift, _axis in ((2, None), (-1, 0), ((1, 2), (0, 1))):
    alike("numpy.roll", normal(3, 4), options=(_shift, _axis))
alike("numpy.rot90", normal(2, 3, 4), options=(3, (0, 2)))
alike("numpy.flip", normal(2, 3, 4), options=((0, 2),))
pair("numpy.flip", np.flip, lambda a: torch.flip(a, (0, 1)), normal(3, 4))
alike("numpy.fliplr", normal(3, 4))
alike("numpy.flipud", normal(3, 4))
for _k in (-1, 0, 2):
    alike("numpy.diag", normal(4), options=(_k,))
    alike("numpy.diag", normal(3, 4), options=(_k,))
    alike("numpy.diagflat", normal(2, 2), options=(_k,))
    alike("numpy.diagonal", normal(3, 2, 4), options=(_k, 0, 2))
    for _shape in ((3, 4), (2, 3, 3)):
        alike("numpy.tril", normal(*_shape), options=(_k,))
        alike("numpy.triu", normal(*_shape), options=(_k,))
alike("numpy.copy", normal(2, 3), theirs="clone")
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

# pad in the modes that both have; theirs takes batches of images and begins with the last axis
WIDTHS = ((1, 2), (2, 1))


def _pad(mode, theirs, ours_options, theirs_options):
    pair(
        "numpy.pad",
        lambda a: np.pad(a, WIDTHS, mode=mode, **ours_options),
        lambda a: torch.nn.functional.pad(a[None, None], (2, 1, 1, 2), mode=theirs, **theirs_options)[0, 0],
        normal(4, 5),
    )


_pad("constant", "constant", {"constant_values": 1.5}, {"value": 1.5})
_pad("edge", "replicate", {}, {})
_pad("reflect", "reflect", {}, {})
_pad("wrap", "circular", {}, {})


def _pad_with(mode, statistic):
    def theirs(a):
        edge = statistic(a, 1, keepdim=True)
        return torch.cat([edge, a, edge, edge], 1)

    pair("numpy.pad", lambda a: np.pad(a, ((0, 0), (1, 2)), mode=mode), theirs, distinct(3, 4), kinds=REAL)


_pad_with("maximum", torch.amax)
_pad_with("minimum", torch.amin)
_pad_with("mean", torch.mean)
pair("numpy.pad", lambda a: np.pad(a, 2, mode="symmetric"), lambda a: torch.cat([a[[1, 0]], a, a[[4, 3]]]), normal(5))
