"""Products, traces and contractions."""

from __future__ import annotations

import torch

import wirtinger as np

from . import normal, pair, same

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
    same("numpy.matmul", lambda F, a, b: F.matmul(a, b), normal(*_a), normal(*_b))
    same("numpy.linalg.matmul", lambda F, a, b: F.linalg.matmul(a, b), normal(*_a), normal(*_b)) if min(
        len(_a), len(_b)
    ) > 1 else None
same("numpy.matmul", lambda F, a: a @ a @ a, normal(3, 3))
same("numpy.dot", lambda F, a, b: F.dot(a, b), normal(4), normal(4))
pair("numpy.dot", np.dot, torch.matmul, normal(2, 3), normal(3, 4))
pair("numpy.dot", np.dot, torch.matmul, normal(2, 3), normal(3))
pair("numpy.dot", np.dot, lambda a, b: torch.tensordot(a, b, ([2], [1])), normal(5, 2, 3), normal(6, 3, 4))
pair("numpy.dot", np.dot, torch.mul, normal(), normal(3))
same("numpy.inner", lambda F, a, b: F.inner(a, b), normal(2, 3), normal(4, 3))
same("numpy.inner", lambda F, a, b: F.inner(a, b), normal(3), normal(3))
same("numpy.outer", lambda F, a, b: F.outer(a, b), normal(3), normal(4))
pair("numpy.outer", np.outer, lambda a, b: torch.outer(a.ravel(), b.ravel()), normal(2, 3), normal(2, 2))
same("numpy.vdot", lambda F, a, b: F.vdot(a, b), normal(4), normal(4))
pair("numpy.vdot", np.vdot, lambda a, b: torch.vdot(a.ravel(), b.ravel()), normal(2, 3), normal(2, 3))
for _a, _b in (((3,), (3,)), ((2, 3), (3,)), ((5, 1, 3), (2, 3))):
    pair("numpy.vecdot", np.vecdot, torch.linalg.vecdot, normal(*_a), normal(*_b))
    same("numpy.linalg.vecdot", lambda F, a, b: F.linalg.vecdot(a, b), normal(*_a), normal(*_b))
pair("numpy.matvec", np.matvec, lambda a, b: (a @ b[..., None])[..., 0], normal(5, 2, 3), normal(3))
pair("numpy.vecmat", np.vecmat, lambda a, b: (a.conj()[..., None, :] @ b)[..., 0, :], normal(5, 3), normal(3, 2))
same("numpy.tensordot", lambda F, a, b: F.tensordot(a, b, 2), normal(2, 3, 4), normal(3, 4, 5))
same("numpy.tensordot", lambda F, a, b: F.tensordot(a, b, 0), normal(2), normal(3))
same("numpy.tensordot", lambda F, a, b: F.tensordot(a, b, ([0, 2], [1, 0])), normal(2, 3, 4), normal(4, 2, 5))
same("numpy.kron", lambda F, a, b: F.kron(a, b), normal(2, 3), normal(3, 2))
same("numpy.kron", lambda F, a, b: F.kron(a, b), normal(2), normal(3, 2))
same("numpy.kron", lambda F, a, b: F.kron(a, b), normal(2, 2, 1), normal(1, 3, 2))
pair("numpy.cross", np.cross, torch.linalg.cross, normal(3), normal(3))
pair("numpy.cross", np.cross, torch.linalg.cross, normal(4, 3), normal(1, 3))
pair(
    "numpy.cross",
    lambda a, b: np.cross(a, b, axis=0),
    lambda a, b: torch.cross(a, b, dim=0),
    normal(3, 4),
    normal(3, 4),
)
same("numpy.linalg.cross", lambda F, a, b: F.linalg.cross(a, b), normal(2, 3), normal(2, 3))
same("numpy.trace", lambda F, a: F.trace(a), normal(3, 4))
pair("numpy.trace", lambda a: np.trace(a, 1, 0, 2), lambda a: torch.diagonal(a, 1, 0, 2).sum(-1), normal(3, 2, 4))
pair(
    "numpy.linalg.trace", lambda a: np.linalg.trace(a), lambda a: torch.diagonal(a, 0, -2, -1).sum(-1), normal(2, 3, 3)
)
same("numpy.linalg.diagonal", lambda F, a: F.linalg.diagonal(a), normal(2, 3, 4))
pair("numpy.linalg.outer", lambda a, b: np.linalg.outer(a, b), torch.outer, normal(3), normal(4))
pair(
    "numpy.linalg.tensordot",
    lambda a, b: np.linalg.tensordot(a, b, axes=1),
    lambda a, b: torch.tensordot(a, b, 1),
    normal(2, 3),
    normal(3, 4),
)
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
for _spec, *_shapes in EINSUM:
    same("numpy.einsum", lambda F, *a, spec=_spec: F.einsum(spec, *a), *[normal(*s) for s in _shapes])
    pair(
        "numpy.einsum",
        lambda *a, spec=_spec: np.einsum(spec, *a, optimize=True),
        lambda *a, spec=_spec: torch.einsum(spec, *a),
        *[normal(*s) for s in _shapes],
    )
pair(
    "numpy.einsum",
    lambda a, b: np.einsum(a, [0, 1], b, [1, 2], [2, 0]),
    lambda a, b: torch.einsum("ij,jk->ki", a, b),
    normal(2, 3),
    normal(3, 4),
)

MODES = {"full": 3, "same": None, "valid": 0}
for _mode in MODES:
    for _n, _m in ((7, 4), (6, 3), (5, 5), (3, 6)):

        def _convolved(a, b, mode=_mode):
            if len(a) < len(b):
                a, b = b, a
            full = torch.nn.functional.conv1d(a[None, None], torch.flip(b, (0,))[None, None], padding=len(b) - 1)[0, 0]
            lost = {"full": 0, "same": len(b) - 1, "valid": 2 * len(b) - 2}[mode]
            return full[lost // 2 : len(full) - (lost - lost // 2)]

        pair("numpy.convolve", lambda a, b, m=_mode: np.convolve(a, b, m), _convolved, normal(_n), normal(_m))
        if _n >= _m:
            pair(
                "numpy.correlate",
                lambda a, b, m=_mode: np.correlate(a, b, m),
                lambda a, b, f=_convolved: f(a, torch.flip(b.conj(), (0,))),
                normal(_n),
                normal(_m),
            )
