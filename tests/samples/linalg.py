"""Linear algebra: functions of matrices away from their kinks, and of vectors only where no choice of them enters."""

from __future__ import annotations

import numpy as np

from wirtinger.linalg import det as determinant

from . import array, sample

L = np.linalg


def well(a):
    """Square matrices away from singular ones."""
    return a + 4 * np.eye(a.shape[-1])


def definite(a):
    """Hermitian positive-definite matrices."""
    return a @ a.conj().swapaxes(-1, -2) + 2 * np.eye(a.shape[-1])


def of_few_bits(a):
    """Small multiples of 1/64: their products have exact sums, so that a singular matrix is the same in any order."""
    return np.round(a * 32) / 64


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def moduli(result):
    """Values, and what does not depend on the phases of the vectors."""
    w, v = result
    return w, np.abs(v) ** 2


def invariants(result):
    """Singular values, and what does not depend on the phases of the vectors or the choice of those beyond the rank."""
    u, s, vh = result
    k = s.shape[-1]
    thin_u, thin_vh = u[..., :, :k], vh[..., :k, :]
    polar = thin_u @ thin_vh
    return s, np.abs(thin_u) ** 2, np.abs(thin_vh) ** 2, polar, u[..., k:] @ adjoint(u[..., k:])


for _size in (3, 33):
    sample("numpy.linalg.solve", L.solve, array(_size, _size, domain=well), array(_size), label=f"{_size} vector")
    sample("numpy.linalg.solve", L.solve, array(_size, _size, domain=well), array(_size, 2), label=f"{_size} matrix")
    sample("numpy.linalg.inv", L.inv, array(_size, _size, domain=well), label=str(_size))
    sample("numpy.linalg.cholesky", L.cholesky, array(_size, _size, domain=definite), label=str(_size))
    sample("numpy.linalg.qr", L.qr, array(_size + 2, _size), label=str(_size))
sample("numpy.linalg.solve", L.solve, array(2, 3, 3, domain=well), array(4, 1, 3, 2), label="stacks")
sample("numpy.linalg.solve", L.solve, array(2, 3, 3, domain=well), array(3), label="stack and vector")
sample("numpy.linalg.inv", L.inv, array(2, 3, 3, domain=well), label="stack")
sample("numpy.linalg.tensorsolve", L.tensorsolve, array(2, 3, 6), array(2, 3))
sample(
    "numpy.linalg.tensorsolve", lambda a, b: L.tensorsolve(a, b, axes=(0,)), array(6, 2, 3), array(2, 3), label="axes"
)
sample("numpy.linalg.tensorinv", lambda a: L.tensorinv(a, ind=1), array(6, 2, 3))
sample("numpy.linalg.tensorinv", L.tensorinv, array(2, 3, 3, 2), label="ind=2")

sample("numpy.linalg.det", L.det, array(2, 3, 3), label="stack")
sample("numpy.linalg.det", L.det, array(1, 1), label="1x1")
for _rank in (0, 1, 2, 3):  # rounding errors are all there is: those of the level in force, for which ours asks
    sample(
        "numpy.linalg.det",
        lambda a, rank=_rank: determinant(a[:, :rank] @ a[:rank, :] + 0 * a if rank else 0 * a),
        array(4, 4, domain=of_few_bits),
        label=f"rank {_rank}",
    )
sample("numpy.linalg.slogdet", L.slogdet, array(2, 3, 3, domain=well))
sample("numpy.linalg.cholesky", lambda a: L.cholesky(a, upper=True), array(2, 3, 3, domain=definite), label="upper")

for _shape in ((3, 3), (4, 2), (2, 4)):
    for _mode in ("reduced", "r", "raw"):
        sample("numpy.linalg.qr", lambda a, mode=_mode: L.qr(a, mode), array(2, *_shape), label=f"{_mode} {_shape}")
    for _full in (False, True):
        sample(
            "numpy.linalg.svd",
            lambda a, full=_full: invariants(L.svd(a, full_matrices=full)),
            array(2, *_shape),
            label=f"{_shape} {_full}",
        )
    sample("numpy.linalg.svdvals", L.svdvals, array(2, *_shape), label=str(_shape))
    sample("numpy.linalg.pinv", L.pinv, array(2, *_shape), label=str(_shape))
    sample("numpy.linalg.lstsq", lambda a, b: L.lstsq(a, b)[:2], array(*_shape), array(_shape[0], 2), label=str(_shape))
    sample("numpy.linalg.lstsq", lambda a, b: L.lstsq(a, b)[3], array(*_shape), array(_shape[0]), label=f"s {_shape}")
sample("numpy.linalg.qr", lambda a: _with_projector(L.qr(a, "complete"), 2), array(4, 2), label="complete")
sample("numpy.linalg.svd", lambda a: L.svd(a, compute_uv=False), array(3, 2), label="values")
sample("numpy.linalg.svd", lambda a: invariants(L.svd(a, hermitian=True)), array(3, 3), label="hermitian")
sample("numpy.linalg.svd", lambda a: L.svd(a, compute_uv=False, hermitian=True), array(3, 3), label="hermitian values")
sample("numpy.linalg.pinv", lambda a: L.pinv(a, hermitian=True), array(3, 3), label="hermitian")
sample("numpy.linalg.lstsq", lambda a, b: L.lstsq(a, b)[0], array(5, 2), array(5), label="vector")


def _with_projector(result, rank):
    q, r = result
    return q[..., :rank], r, q[..., rank:] @ adjoint(q[..., rank:])


for _uplo in ("L", "U"):
    sample("numpy.linalg.eigh", lambda a, uplo=_uplo: moduli(L.eigh(a, uplo)), array(2, 4, 4), label=_uplo)
    sample("numpy.linalg.eigvalsh", lambda a, uplo=_uplo: L.eigvalsh(a, uplo), array(2, 4, 4), label=_uplo)


def _exponential(a):
    w, v = L.eigh(a)
    return (v * np.exp(w)) @ adjoint(v)


sample("numpy.linalg.eigh", _exponential, array(3, 3), label="function of the matrix")
sample("numpy.linalg.eig", lambda a: moduli(L.eig(a)), array(2, 4, 4), label="stack")
sample("numpy.linalg.eigvals", L.eigvals, array(2, 5, 5), label="stack")

for _order in (None, 1, -1, 2, -2, 3, 1.5, 0.5, -1.5, 0, np.inf, -np.inf):
    sample(
        "numpy.linalg.norm",
        lambda a, o=_order: L.norm(a, o, axis=1, keepdims=True),
        array(3, 4),
        label=f"vector {_order}",
    )
    sample(
        "numpy.linalg.vector_norm",
        lambda a, o=_order: L.vector_norm(a, ord=2 if o is None else o, axis=(0, 2)),
        array(2, 3, 2),
        label=str(_order),
    )
for _order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
    sample("numpy.linalg.norm", lambda a, o=_order: L.norm(a, o, axis=(2, 0)), array(3, 2, 4), label=f"matrix {_order}")
    sample(
        "numpy.linalg.matrix_norm",
        lambda a, o=_order: L.matrix_norm(a, ord=o, keepdims=True),
        array(2, 3, 4),
        label=str(_order),
    )
sample("numpy.linalg.norm", L.norm, array(2, 3, 2), label="all axes")
sample("numpy.linalg.vector_norm", L.vector_norm, array(2, 3), label="all axes")
for _order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
    sample("numpy.linalg.cond", lambda a, o=_order: L.cond(a, o), array(2, 3, 3), label=str(_order))
sample("numpy.linalg.cond", L.cond, array(4, 2), label="tall")

for _power in (-3, -1, 0, 1, 2, 3, 5, 8):
    sample(
        "numpy.linalg.matrix_power",
        lambda a, n=_power: L.matrix_power(a, n),
        array(2, 3, 3, domain=well),
        label=str(_power),
    )
sample("numpy.linalg.multi_dot", lambda *a: L.multi_dot(a), array(2, 3), array(3, 4), array(4, 2), array(2, 5))
sample("numpy.linalg.multi_dot", lambda *a: L.multi_dot(a), array(3), array(3, 4), array(4), label="vectors")
sample("numpy.linalg.matmul", L.matmul, array(2, 3), array(3, 2))
sample("numpy.linalg.vecdot", lambda a, b: L.vecdot(a, b, axis=0), array(3, 2), array(3, 2))
sample("numpy.linalg.tensordot", lambda a, b: L.tensordot(a, b, axes=1), array(2, 3), array(3, 2))
sample("numpy.linalg.outer", L.outer, array(2), array(3))
sample("numpy.linalg.cross", lambda a, b: L.cross(a, b, axis=0), array(3, 2), array(3, 2))
sample("numpy.linalg.diagonal", lambda a: L.diagonal(a, offset=-1), array(2, 3, 4))
sample("numpy.linalg.trace", lambda a: L.trace(a, offset=1), array(2, 3, 4))
sample("numpy.linalg.matrix_transpose", L.matrix_transpose, array(2, 3, 4))
