"""Products of vectors, matrices and arrays."""

from __future__ import annotations

import numpy as np

from . import array, sample

for _a, _b in [
    ((3,), (3,)),
    ((3,), (3, 2)),
    ((3,), (4, 3, 2)),
    ((2, 3), (3,)),
    ((4, 2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 1, 2, 3), (4, 3, 2)),
    ((2, 0), (0, 3)),
]:
    sample("numpy.matmul", np.matmul, array(*_a), array(*_b), label=f"{_a}{_b}")
sample("numpy.matmul", lambda a: a @ a, array(3, 3), label="square")
sample(
    "numpy.matmul",
    lambda a, b: np.matmul(a, b, axes=[(0, 1), (0, 1), (2, 0)]),
    array(2, 3, 4),
    array(3, 5, 4),
    label="axes",
)
sample("numpy.matvec", np.matvec, array(2, 4, 3), array(3))
sample("numpy.matvec", np.matvec, array(4, 3), array(2, 3))
sample("numpy.vecmat", np.vecmat, array(5, 1, 3), array(3, 4))
sample("numpy.vecdot", np.vecdot, array(2, 3), array(4, 1, 3))
sample("numpy.vecdot", lambda a, b: np.vecdot(a, b, axis=0), array(2, 3), array(2, 3), label="axis")
sample("numpy.vecdot", lambda a, b: np.vecdot(a, b, axis=0, keepdims=True), array(2, 3), array(2, 3), label="keepdims")

for _a, _b in [((), (3,)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (4, 3, 2)), ((2, 3), (3, 4)), ((2, 3, 4), (5, 4, 2))]:
    sample("numpy.dot", np.dot, array(*_a), array(*_b), label=f"{_a}{_b}")
for _a, _b in [((3,), ()), ((4,), (4,)), ((2, 3, 4), (5, 4))]:
    sample("numpy.inner", np.inner, array(*_a), array(*_b), label=f"{_a}{_b}")
sample("numpy.vdot", np.vdot, array(2, 3), array(6))
sample("numpy.vdot", np.vdot, array(4), array(4))
sample("numpy.outer", np.outer, array(2, 3), array(4))
for _a, _b in [((2, 3), (4, 2)), ((3,), (2, 2, 2)), ((), (3,))]:
    sample("numpy.kron", np.kron, array(*_a), array(*_b), label=f"{_a}{_b}")
sample("numpy.cross", np.cross, array(3), array(4, 3))
sample("numpy.cross", lambda a, b: np.cross(a, b, axisa=0, axisb=1, axisc=0), array(3, 4), array(4, 3), label="axes")
sample("numpy.cross", lambda a, b: np.cross(a, b, axis=0), array(3, 2), array(3, 2), label="axis")
sample("numpy.trace", np.trace, array(3, 4))
sample("numpy.trace", lambda a: np.trace(a, -1, 2, 0), array(3, 2, 4), label="offset, axes")

for _axes, _a, _b in [
    (1, (2, 3), (3, 4)),
    (0, (2, 3), (2,)),
    (2, (4, 2, 3), (2, 3)),
    ((2, 1), (2, 3, 4), (2, 4, 5)),
    ((1, -1), (2, 3), (2, 3)),
    (((2, 0), (1, 0)), (2, 3, 4), (2, 4, 5)),
    (((0, 2), (1, 2)), (2, 3, 4), (5, 2, 4, 3)),
]:
    sample(
        "numpy.tensordot",
        lambda a, b, axes=_axes: np.tensordot(a, b, axes),
        array(*_a),
        array(*_b),
        label=str(_axes),
    )

for _spec, *_shapes in [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ba", (2, 3)),
    ("ii", (3, 3)),
    ("ii->i", (3, 3)),
    ("iji->j", (2, 3, 2)),
    ("iij,jk->k", (2, 2, 3), (3, 4)),
    ("ii,ii->i", (3, 3), (3, 3)),
    ("ij->", (2, 3)),
    ("ij,kl->i", (2, 3), (4, 2)),
    ("i,j,k->kij", (2,), (3,), (4,)),
    ("ij,jk,kl,lm->im", (2, 3), (3, 4), (4, 2), (2, 3)),
    ("ij,ij,ij->j", (2, 3), (2, 3), (2, 3)),
    ("...ij,...jk->...ik", (2, 2, 3), (3, 4)),
    ("...ij,...jk", (5, 1, 2, 3), (4, 3, 2)),
    ("i...,i...->...", (2, 3), (2, 4, 3)),
    ("a...b,...b->...a", (2, 5, 3), (5, 3)),
    ("...", (2, 3)),
    ("i,i->i", (3,), (1,)),
    ("ii,i->i", (1, 1), (3,)),
    (",i", (), (3,)),
]:
    for _optimize in (False, True):
        sample(
            "numpy.einsum",
            lambda *args, spec=_spec, optimize=_optimize: np.einsum(spec, *args, optimize=optimize),
            *[array(*shape) for shape in _shapes],
            label=f"{_spec}{' optimize' if _optimize else ''}",
        )
sample(
    "numpy.einsum", lambda a, b: np.einsum(a, [0, 1], b, [1, ...], [0, ...]), array(2, 3), array(3, 4, 2), label="lists"
)
sample("numpy.einsum", lambda a, b: np.einsum(a, [1, 0], b, [1, ...]), array(2, 3), array(2, 4), label="implicit lists")
sample(
    "numpy.einsum",
    lambda a, b, c: np.einsum("ij,jk,kl", a, b, c, optimize=["einsum_path", (1, 2), (0, 1)]),
    array(2, 3),
    array(3, 4),
    array(4, 2),
    label="path",
)
