"""Products, traces and contractions."""

from __future__ import annotations

import torch

import wirtinger as np

from . import alike, normal, pair, same

MATMUL = (
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (6, 3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((0, 3), (3, 4)),
    ((2, 0), (0, 4)),
)
for _a, _b in MATMUL:
    alike("numpy.matmul", normal(*_a), normal(*_b))
alike("numpy.linalg.matmul", normal(5, 2, 3), normal(3, 4))
same("numpy.matmul", lambda F, a: a @ a @ a, normal(3, 3))
alike("numpy.dot", normal(4), normal(4))
alike("numpy.dot", normal(2, 3), normal(3, 4), theirs="matmul")
alike("numpy.dot", normal(2, 3), normal(3), theirs="matmul")
alike("numpy.dot", normal(), normal(3), theirs="mul")
pair("numpy.dot", np.dot, lambda a, b: torch.tensordot(a, b, ([2], [1])), normal(5, 2, 3), normal(6, 3, 4))
alike("numpy.inner", normal(2, 3), normal(4, 3))
alike("numpy.inner", normal(3), normal(3))
alike("numpy.outer", normal(3), normal(4))
alike("numpy.linalg.outer", normal(3), normal(4), theirs="outer")
pair("numpy.outer", np.outer, lambda a, b: torch.outer(a.ravel(), b.ravel()), normal(2, 3), normal(2, 2))
alike("numpy.vdot", normal(4), normal(4))
pair("numpy.vdot", np.vdot, lambda a, b: torch.vdot(a.ravel(), b.ravel()), normal(2, 3), normal(2, 3))
for _a, _b in (((3,), (3,)), ((2, 3), (3,)), ((5, 1, 3), (2, 3))):
    alike("numpy.vecdot", normal(*_a), normal(*_b), theirs="linalg.vecdot")
    alike("numpy.linalg.vecdot", normal(*_a), normal(*_b))
pair("numpy.matvec", np.matvec, lambda a, b: (a @ b[..., None])[..., 0], normal(5, 2, 3), normal(3))
pair("numpy.vecmat", np.vecmat, lambda a, b: (a.conj()[..., None, :] @ b)[..., 0, :], normal(5, 3), normal(3, 2))
alike("numpy.tensordot", normal(2, 3, 4), normal(3, 4, 5), options=(2,))
alike("numpy.tensordot", normal(2), normal(3), options=(0,))
alike("numpy.tensordot", normal(2, 3, 4), normal(4, 2, 5), options=(([0, 2], [1, 0]),))
pair(
    "numpy.linalg.tensordot",
    lambda a, b: np.linalg.tensordot(a, b, axes=1),
    lambda a, b: torch.tensordot(a, b, 1),
    normal(2, 3),
    normal(3, 4),
)
for _a, _b in (((2, 3), (3, 2)), ((2,), (3, 2)), ((2, 2, 1), (1, 3, 2))):
    alike("numpy.kron", normal(*_a), normal(*_b))
alike("numpy.cross", normal(3), normal(3), theirs="linalg.cross")
alike("numpy.cross", normal(4, 3), normal(1, 3), theirs="linalg.cross")
alike("numpy.linalg.cross", normal(2, 3), normal(2, 3))
pair(
    "numpy.cross",
    lambda a, b: np.cross(a, b, axis=0),
    lambda a, b: torch.cross(a, b, dim=0),
    normal(3, 4),
    normal(3, 4),
)
alike("numpy.trace", normal(3, 4))
pair("numpy.trace", lambda a: np.trace(a, 1, 0, 2), lambda a: torch.diagonal(a, 1, 0, 2).sum(-1), normal(3, 2, 4))
pair(
    "numpy.linalg.trace", lambda a: np.linalg.trace(a), lambda a: torch.diagonal(a, 0, -2, -1).sum(-1), normal(2, 3, 3)
)
alike("numpy.linalg.diagonal", normal(2, 3, 4))
pair("numpy.linalg.matrix_transpose", lambda a: np.linalg.matrix_transpose(a), lambda a: a.mT, normal(2, 3, 4))

EINSUM = (
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ij,ij->", (2, 3), (2, 3)),
    ("ij->ji", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->j", (2, 3)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("iij->ij", (3, 3, 2)),
    ("i,j->ij", (2,), (3,)),
    ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
    ("...ij,...jk->...ik", (5, 2, 3), (3, 4)),
    ("...i,i->...", (2, 4, 3), (3,)),
    ("i...->...i", (2, 3, 4)),
    ("ij,j,k->ik", (2, 3), (3,), (4,)),
    ("ijk,jil,kl->", (2, 3, 4), (3, 2, 5), (4, 5)),
    ("ii,jj->ij", (2, 2), (3, 3)),
    ("ij,kl->ijkl", (2, 3), (1, 2)),
    ("ba,cab->c", (2, 3), (4, 3, 2)),
    (",i->i", (), (3,)),
    ("i,i,i->i", (3,), (3,), (3,)),
)


def _einsum(spec, *arguments):
    def theirs(*a):
        return torch.einsum(spec, *a)

    pair("numpy.einsum", lambda *a: np.einsum(spec, *a), theirs, *arguments)
    pair("numpy.einsum", lambda *a: np.einsum(spec, *a, optimize=True), theirs, *arguments)


for _spec, *_shapes in EINSUM:
    _einsum(_spec, *[normal(*shape) for shape in _shapes])
pair(
    "numpy.einsum",
    lambda a, b: np.einsum(a, [0, 1], b, [1, 2], [2, 0]),
    lambda a, b: torch.einsum("ij,jk->ki", a, b),
    normal(2, 3),
    normal(3, 4),
)


def _convolved(a, b, mode):
    """NumPy's convolve by PyTorch's correlation of batches of channels."""
    if len(a) < len(b):
        a, b = b, a
    full = torch.nn.functional.conv1d(a[None, None], torch.flip(b, (0,))[None, None], padding=len(b) - 1)[0, 0]
    lost = {"full": 0, "same": len(b) - 1, "valid": 2 * len(b) - 2}[mode]
    return full[lost // 2 : len(full) - (lost - lost // 2)]


def _convolution(mode, n, m):
    a, b = normal(n), normal(m)
    pair("numpy.convolve", lambda a, b: np.convolve(a, b, mode), lambda a, b: _convolved(a, b, mode), a, b)
    if n >= m:
        pair(
            "numpy.correlate",
            lambda a, b: np.correlate(a, b, mode),
            lambda a, b: _convolved(a, torch.flip(b.conj(), (0,)), mode),
            a,
            b,
        )


for _mode in ("full", "same", "valid"):
    for _n, _m in ((7, 4), (6, 3), (5, 5), (3, 6)):
        _convolution(_mode, _n, _m)
