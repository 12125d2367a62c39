"""Linear algebra: raw results where they are unique, else functions of them that do not depend on arbitrary phases."""

from __future__ import annotations

import torch

import wirtinger as np

from . import REAL, Argument, alike, fixed, normal, pair, same

SQUARE = ((3, 3), (1, 1), (2, 4, 4), (2, 1, 3, 3))
INFINITY = float("inf")
SYMMETRIC = fixed([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
ONE_TRIANGLE = "theirs is the gradient among Hermitian matrices; ours of the function itself, which reads one triangle"


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
    alike("numpy.linalg.inv", normal(*_shape))
    alike("numpy.linalg.det", normal(*_shape))
    alike("numpy.linalg.slogdet", normal(*_shape))
    same("numpy.linalg.cholesky", lambda F, a: F.linalg.cholesky(definite(F, a)), normal(*_shape))
    same("numpy.linalg.eigvalsh", lambda F, a: F.linalg.eigvalsh(hermitian(F, a)), normal(*_shape))
    for _power in (-2, -1, 0, 1, 2, 3, 5):
        alike("numpy.linalg.matrix_power", normal(*_shape), options=(_power,))
for _a, _b in (
    ((3, 3), (3,)),
    ((3, 3), (3, 2)),
    ((2, 3, 3), (2, 3, 4)),
    ((4, 2, 3, 3), (2, 3, 1)),
    ((3, 3), (5, 3, 2)),
):
    alike("numpy.linalg.solve", normal(*_a), normal(*_b))
same("numpy.linalg.cholesky", lambda F, a: F.linalg.cholesky(definite(F, a), upper=True), normal(3, 3))
alike("numpy.linalg.cholesky", SYMMETRIC, differs=ONE_TRIANGLE)
alike("numpy.linalg.eigvalsh", SYMMETRIC, differs=ONE_TRIANGLE)

# NumPy and PyTorch call the same LAPACK, so the phases of the rows of r agree
for _shape in ((3, 3), (5, 3), (2, 4, 3), (3, 5)):
    alike("numpy.linalg.qr", normal(*_shape))
alike("numpy.linalg.qr", normal(3, 3), options=("complete",))
pair("numpy.linalg.qr", lambda a: np.linalg.qr(a, mode="r"), lambda a: torch.linalg.qr(a)[1], normal(5, 3))


def _eigh(F, a, triangle="L"):
    values, vectors = F.linalg.eigh(hermitian(F, a), triangle)
    return values, projectors(F, vectors)


def _svd(F, a, full_matrices=False):
    u, s, vh = F.linalg.svd(a, full_matrices=full_matrices)
    return projectors(F, u), s, projectors(F, H(F, vh)), (u * s[..., None, :]) @ vh


def _eig(F, a):
    """Sums over the spectrum, since its order is arbitrary, with the projectors on the eigenspaces."""
    values, vectors = F.linalg.eig(a)
    p = F.einsum("...ik,...kj->...kij", vectors, F.linalg.inv(vectors))
    weights = (values**2 + 1)[..., None, None]
    return F.sum(weights * p * p, -3), F.sum(values**3, -1), F.sum(F.abs(values) ** 2, -1)


for _shape in SQUARE:
    same("numpy.linalg.eigh", _eigh, normal(*_shape))
    same("numpy.linalg.eig", _eig, normal(*_shape))
    same("numpy.linalg.eigvals", lambda F, a: F.sum(F.linalg.eigvals(a) ** 3, -1), normal(*_shape))
    same("numpy.linalg.eigvals", lambda F, a: F.sum(F.abs(F.linalg.eigvals(a)) ** 3, -1), normal(*_shape))
same("numpy.linalg.eigh", lambda F, a: _eigh(F, a, "U"), normal(3, 3))
for _shape in ((3, 3), (5, 3), (3, 5), (2, 4, 3)):
    same("numpy.linalg.svd", _svd, normal(*_shape))
    alike("numpy.linalg.svdvals", normal(*_shape))
    alike("numpy.linalg.pinv", normal(*_shape))
    pair("numpy.linalg.svd", lambda a: np.linalg.svd(a, compute_uv=False), torch.linalg.svdvals, normal(*_shape))
same("numpy.linalg.svd", lambda F, a: _svd(F, a, full_matrices=True), normal(3, 3))
same("numpy.linalg.pinv", lambda F, a, b: F.linalg.pinv(a @ b, rtol=1e-10), normal(4, 2), normal(2, 3))
same("numpy.linalg.pinv", lambda F, a: F.linalg.pinv(hermitian(F, a), hermitian=True), normal(3, 3))

for _a, _b in (((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 3), (3,)), ((3, 5), (3, 2))):
    pair(
        "numpy.linalg.lstsq",
        lambda a, b: np.linalg.lstsq(a, b)[0],
        lambda a, b: torch.linalg.pinv(a) @ b,
        normal(*_a),
        normal(*_b),
    )
same("numpy.linalg.lstsq", lambda F, a, b: F.linalg.lstsq(a, b)[0], normal(5, 3), normal(5, 2))
pair(
    "numpy.linalg.lstsq",
    lambda a, b: np.linalg.lstsq(a, b)[1],
    lambda a, b: torch.sum(torch.abs(b - a @ torch.linalg.lstsq(a, b).solution) ** 2, 0),
    normal(5, 3),
    normal(5, 2),
)


def _matrix_norm(order):
    alike("numpy.linalg.norm", normal(4, 3), options=(order,))
    alike("numpy.linalg.norm", normal(3, 2, 4), options=(order, (0, 2)))
    pair(
        "numpy.linalg.matrix_norm",
        lambda a: np.linalg.matrix_norm(a, ord=order, keepdims=True),
        lambda a: torch.linalg.matrix_norm(a, order, keepdim=True),
        normal(2, 4, 3),
    )


def _vector_norm(order, axis):
    pair(
        "numpy.linalg.vector_norm",
        lambda a: np.linalg.vector_norm(a, ord=order, axis=axis),
        lambda a: torch.linalg.vector_norm(a, order, axis),
        normal(2, 4, 3),
    )


def _condition(order):
    """PyTorch's own cond overwrites what its derivative needs, for the orders that are no ratio of singular values."""

    def theirs(a):
        return torch.linalg.matrix_norm(a, order) * torch.linalg.matrix_norm(torch.linalg.inv(a), order)

    pair("numpy.linalg.cond", lambda a: np.linalg.cond(a, order), theirs, normal(3, 3))


for _order in ("fro", "nuc", 1, -1, 2, -2, INFINITY, -INFINITY):
    _matrix_norm(_order)
for _order in (0, 1, -1, 2, 3, -2, 0.5, INFINITY, -INFINITY):
    alike("numpy.linalg.norm", normal(5), options=(_order,))
    for _axis in (None, 1, (0, 2)):
        _vector_norm(_order, _axis)
for _shape in ((5,), (4, 3)):
    alike("numpy.linalg.norm", normal(*_shape))
for _order in ("fro", "nuc", 1, -1, INFINITY, -INFINITY):
    _condition(_order)
for _order in (None, 2, -2):
    alike("numpy.linalg.cond", normal(3, 3), options=(_order,))
alike("numpy.linalg.cond", normal(2, 4, 3))

for _shapes in (((2, 3), (3, 4)), ((2, 3), (3, 4), (4, 2)), ((3,), (3, 4), (4, 2), (2,))):
    same("numpy.linalg.multi_dot", lambda F, *a: F.linalg.multi_dot(a), *[normal(*shape) for shape in _shapes])
alike("numpy.linalg.tensorsolve", normal(2, 3, 6), normal(2, 3))
alike("numpy.linalg.tensorsolve", normal(2, 6, 3), normal(2, 3), options=((1,),))
alike("numpy.linalg.tensorinv", normal(2, 3, 6), options=(2,))
alike("numpy.linalg.tensorinv", normal(6, 2, 3), options=(1,))

# kinks, singular and empty matrices
NOT_A_NUMBER = "in second order theirs is NaN, where the derivative exists"
IDENTITY = fixed([[1.0, 0.0], [0.0, 1.0]])
alike(
    "numpy.linalg.norm",
    fixed([0.0, 0.0]),
    differs="both begin with 0; in second order theirs is NaN, ours that of |norm|^2, which is smooth here",
)
alike("numpy.linalg.norm", fixed([0.0, 1.0]), options=(1,))
alike("numpy.linalg.norm", fixed([3.0, -3.0, 1.0]), options=(INFINITY,), kinds=REAL)
alike(
    "numpy.linalg.det",
    fixed([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]]),
    differs="theirs solves with the singular matrix, where the derivative is the finite matrix of cofactors",
)
alike("numpy.linalg.det", fixed([[0.0, 0.0], [0.0, 0.0]]), differs=NOT_A_NUMBER)
same(
    "numpy.linalg.eigvalsh",
    lambda F, a: F.sum(F.linalg.eigvalsh(hermitian(F, a)) ** 2),
    IDENTITY,
    differs=NOT_A_NUMBER,
)
same("numpy.linalg.svdvals", lambda F, a: F.sum(F.linalg.svdvals(a) ** 2), IDENTITY, differs=NOT_A_NUMBER)
alike("numpy.linalg.det", Argument((0, 0)))
alike("numpy.linalg.inv", Argument((2, 0, 0)))
