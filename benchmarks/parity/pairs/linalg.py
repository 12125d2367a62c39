"""Linear algebra: raw results where they are unique, else functions of them that do not depend on arbitrary phases."""

from __future__ import annotations

import torch

import wirtinger as np

from . import Argument, fixed, normal, pair, same

REAL = ("f",)
SQUARE = ((3, 3), (1, 1), (2, 4, 4), (2, 1, 3, 3))
ONE_TRIANGLE = "theirs is the gradient among Hermitian matrices; ours, of the function that is called, which reads the lower triangle"


def H(F, a):
    """The conjugate transpose."""
    return F.conj(F.swapaxes(a, -1, -2))


def hermitian(F, a):
    return a + H(F, a)


def definite(F, a):
    return a @ H(F, a) + F.eye(a.shape[-1], dtype=F.float64)


def projectors(F, v):
    """`v_k v_k^H` of every column, which no phase changes."""
    return F.einsum("...ik,...jk->...kij", v, F.conj(v))


for _shape in SQUARE:
    _n = _shape[-1]
    same("numpy.linalg.inv", lambda F, a: F.linalg.inv(a), normal(*_shape))
    same("numpy.linalg.det", lambda F, a: F.linalg.det(a), normal(*_shape))
    same("numpy.linalg.slogdet", lambda F, a: F.linalg.slogdet(a), normal(*_shape))
    same("numpy.linalg.cholesky", lambda F, a: F.linalg.cholesky(definite(F, a)), normal(*_shape))
    same("numpy.linalg.eigvalsh", lambda F, a: F.linalg.eigvalsh(hermitian(F, a)), normal(*_shape))
    for _power in (-2, -1, 0, 1, 2, 3, 5):
        same("numpy.linalg.matrix_power", lambda F, a, p=_power: F.linalg.matrix_power(a, p), normal(*_shape))
for _a, _b in (
    ((3, 3), (3,)),
    ((3, 3), (3, 2)),
    ((2, 3, 3), (2, 3, 4)),
    ((4, 2, 3, 3), (2, 3, 1)),
    ((3, 3), (5, 3, 2)),
):
    same("numpy.linalg.solve", lambda F, a, b: F.linalg.solve(a, b), normal(*_a), normal(*_b))
pair(
    "numpy.linalg.cholesky",
    lambda a: np.linalg.cholesky(definite(np, a), upper=True),
    lambda a: torch.linalg.cholesky(definite(torch, a), upper=True),
    normal(3, 3),
)
same(
    "numpy.linalg.cholesky",
    lambda F, a: F.linalg.cholesky(a),
    fixed([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]),
    differs=ONE_TRIANGLE,
)
same(
    "numpy.linalg.eigvalsh",
    lambda F, a: F.linalg.eigvalsh(a),
    fixed([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]),
    differs=ONE_TRIANGLE,
)

# qr: the reduced factors are unique up to the phases of the rows of r; NumPy and PyTorch call the same LAPACK
for _shape in ((3, 3), (5, 3), (2, 4, 3), (3, 5)):
    same("numpy.linalg.qr", lambda F, a: F.linalg.qr(a), normal(*_shape))
pair("numpy.linalg.qr", lambda a: np.linalg.qr(a, mode="r"), lambda a: torch.linalg.qr(a)[1], normal(5, 3))
same("numpy.linalg.qr", lambda F, a: F.linalg.qr(a, mode="complete"), normal(3, 3))


def _eigh(F, a, **keywords):
    values, vectors = F.linalg.eigh(hermitian(F, a), **keywords)
    return values, projectors(F, vectors)


def _svd(F, a, full_matrices=False):
    u, s, vh = F.linalg.svd(a, full_matrices=full_matrices)
    return projectors(F, u), s, projectors(F, H(F, vh)), (u * s[..., None, :]) @ vh


def _eig(F, a):
    """Sums over the spectrum, since its order is arbitrary, weighted by elements of the right eigenprojectors."""
    values, vectors = F.linalg.eig(a)
    p = F.einsum("...ik,...kj->...kij", vectors, F.linalg.inv(vectors))
    weight = (values**2 + 1)[..., None, None]
    return F.sum(weight * p * p, -3), F.sum(values**3, -1), F.sum(F.abs(values) ** 2, -1)


for _shape in SQUARE:
    same("numpy.linalg.eigh", _eigh, normal(*_shape))
    same("numpy.linalg.eig", _eig, normal(*_shape))
    same("numpy.linalg.eigvals", lambda F, a: F.sum(F.linalg.eigvals(a) ** 3, -1), normal(*_shape))
    same("numpy.linalg.eigvals", lambda F, a: F.sum(F.abs(F.linalg.eigvals(a)) ** 3, -1), normal(*_shape))
same("numpy.linalg.eigh", lambda F, a: _eigh(F, a, UPLO="U"), normal(3, 3))
for _shape in ((3, 3), (5, 3), (3, 5), (2, 4, 3)):
    same("numpy.linalg.svd", _svd, normal(*_shape))
    same("numpy.linalg.svdvals", lambda F, a: F.linalg.svdvals(a), normal(*_shape))
    pair("numpy.linalg.svd", lambda a: np.linalg.svd(a, compute_uv=False), torch.linalg.svdvals, normal(*_shape))
    same("numpy.linalg.pinv", lambda F, a: F.linalg.pinv(a), normal(*_shape))
same("numpy.linalg.svd", lambda F, a: _svd(F, a, full_matrices=True), normal(3, 3))


def _low_rank(F, a, b):
    return F.linalg.pinv(a @ b)


pair(
    "numpy.linalg.pinv",
    lambda a, b: np.linalg.pinv(a @ b, rcond=1e-10),
    lambda a, b: torch.linalg.pinv(a @ b, rcond=1e-10),
    normal(4, 2),
    normal(2, 3),
)
pair(
    "numpy.linalg.pinv",
    lambda a: np.linalg.pinv(hermitian(np, a), hermitian=True),
    lambda a: torch.linalg.pinv(hermitian(torch, a), hermitian=True),
    normal(3, 3),
)
for _a, _b in (((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 3), (3,))):
    pair(
        "numpy.linalg.lstsq",
        lambda a, b: np.linalg.lstsq(a, b)[0],
        lambda a, b: torch.linalg.pinv(a) @ b,
        normal(*_a),
        normal(*_b),
    )
pair(
    "numpy.linalg.lstsq",
    lambda a, b: np.linalg.lstsq(a, b)[0],
    lambda a, b: torch.linalg.lstsq(a, b).solution,
    normal(5, 3),
    normal(5, 2),
)
pair(
    "numpy.linalg.lstsq",
    lambda a, b: np.linalg.lstsq(a, b)[0],
    lambda a, b: torch.linalg.pinv(a) @ b,
    normal(3, 5),
    normal(3, 2),
)
pair(
    "numpy.linalg.lstsq",
    lambda a, b: np.linalg.lstsq(a, b)[1],
    lambda a, b: torch.sum(torch.abs(b - a @ torch.linalg.lstsq(a, b).solution) ** 2, 0),
    normal(5, 3),
    normal(5, 2),
)

for _order in (None, "fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")):
    same("numpy.linalg.norm", lambda F, a, p=_order: F.linalg.norm(a, p), normal(4, 3))
    if _order is not None:
        pair(
            "numpy.linalg.matrix_norm",
            lambda a, p=_order: np.linalg.matrix_norm(a, ord=p, keepdims=True),
            lambda a, p=_order: torch.linalg.matrix_norm(a, p, keepdim=True),
            normal(2, 4, 3),
        )
        pair(
            "numpy.linalg.norm",
            lambda a, p=_order: np.linalg.norm(a, p, axis=(0, 2)),
            lambda a, p=_order: torch.linalg.norm(a, p, dim=(0, 2)),
            normal(3, 2, 4),
        )
for _order in (None, 0, 1, -1, 2, 3, -2, 0.5, float("inf"), -float("inf")):
    same("numpy.linalg.norm", lambda F, a, p=_order: F.linalg.norm(a, p), normal(5))
    for _axis in (None, 1, (0, 2)):
        pair(
            "numpy.linalg.vector_norm",
            lambda a, p=_order, k=_axis: np.linalg.vector_norm(a, ord=2 if p is None else p, axis=k),
            lambda a, p=_order, k=_axis: torch.linalg.vector_norm(a, 2 if p is None else p, k),
            normal(2, 4, 3),
        )
same("numpy.linalg.norm", lambda F, a: F.linalg.norm(a), fixed([0.0, 0.0]))
same("numpy.linalg.norm", lambda F, a: F.linalg.norm(a, 1), fixed([0.0, 1.0]))
same("numpy.linalg.norm", lambda F, a: F.linalg.norm(a, float("inf")), fixed([3.0, -3.0, 1.0]))
for _order in (None, 2, -2):
    same("numpy.linalg.cond", lambda F, a, p=_order: F.linalg.cond(a, p), normal(3, 3))
for _order in ("fro", "nuc", 1, -1, float("inf"), -float("inf")):
    pair(
        "numpy.linalg.cond",
        lambda a, p=_order: np.linalg.cond(a, p),
        lambda a, p=_order: torch.linalg.matrix_norm(a, p) * torch.linalg.matrix_norm(torch.linalg.inv(a), p),
        normal(3, 3),
    )
same("numpy.linalg.cond", lambda F, a: F.linalg.cond(a), normal(2, 4, 3))
for _shapes in (((2, 3), (3, 4)), ((2, 3), (3, 4), (4, 2)), ((3,), (3, 4), (4, 2), (2,))):
    same("numpy.linalg.multi_dot", lambda F, *a: F.linalg.multi_dot(a), *[normal(*s) for s in _shapes])
same("numpy.linalg.tensorsolve", lambda F, a, b: F.linalg.tensorsolve(a, b), normal(2, 3, 6), normal(2, 3))
pair(
    "numpy.linalg.tensorsolve",
    lambda a, b: np.linalg.tensorsolve(a, b, axes=(1,)),
    lambda a, b: torch.linalg.tensorsolve(a, b, dims=(1,)),
    normal(2, 6, 3),
    normal(2, 3),
)
same("numpy.linalg.tensorinv", lambda F, a: F.linalg.tensorinv(a, 2), normal(2, 3, 6))
same("numpy.linalg.tensorinv", lambda F, a: F.linalg.tensorinv(a, 1), normal(6, 2, 3))

# singular matrices, where the derivatives exist none the less
RANK_TWO = fixed([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
same("numpy.linalg.det", lambda F, a: F.linalg.det(a), RANK_TWO)
same("numpy.linalg.det", lambda F, a: F.linalg.det(a), fixed([[0.0, 0.0], [0.0, 0.0]]))
same(
    "numpy.linalg.eigvalsh",
    lambda F, a: F.sum(F.linalg.eigvalsh(hermitian(F, a)) ** 2),
    fixed([[1.0, 0.0], [0.0, 1.0]]),
)
same("numpy.linalg.svdvals", lambda F, a: F.sum(F.linalg.svdvals(a) ** 2), fixed([[1.0, 0.0], [0.0, 1.0]]))
EMPTY = Argument((0, 0))
same("numpy.linalg.det", lambda F, a: F.linalg.det(a), EMPTY)
same("numpy.linalg.inv", lambda F, a: F.linalg.inv(a), Argument((2, 0, 0)))
