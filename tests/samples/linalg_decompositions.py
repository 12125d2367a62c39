"""Decompositions: of their vectors only what no choice enters, and matrices on which LAPACK takes the same branch."""

from __future__ import annotations

import numpy as np

from wirtinger import linalg as L

from . import array, sample


def well(a):
    """Square matrices away from singular ones."""
    return a + 4 * np.eye(a.shape[-1])


def graded(a):
    """Square matrices with eigenvalues apart; real ones have a complex pair."""
    turned = np.diag([4.0, -3.0, -3.0, 1.0])
    turned[1, 2], turned[2, 1] = 2.0, -1.0
    return 0.2 * a + turned[: a.shape[-1], : a.shape[-1]]


def apart(a):
    """Columns whose singular values are apart."""
    return 0.2 * a + np.eye(*a.shape[-2:]) * np.arange(a.shape[-1], 0, -1)


def projector(q):
    """The projector on the columns."""
    return q @ np.conj(q).mT


def unitary(a):
    """A unitary matrix for every square one."""
    return L.expm((a - np.conj(a).mT) / 3)


def moduli(factors):
    """What does not depend on phases and signs."""
    return tuple(np.abs(x) ** 2 for x in factors)


for _shape in ((3, 3), (4, 2), (2, 4)):
    for _side in ("right", "left"):
        sample(
            "linalg.polar",
            lambda a, s=_side: L.polar(a, s),
            array(2, *_shape, domain=apart),
            label=f"{_shape} {_side}",
        )
sample("linalg.orthogonal_procrustes", L.orthogonal_procrustes, array(2, 4, 3, domain=apart), array(4, 3, domain=apart))
for _lower in (True, False):
    sample(
        "linalg.pinvh", lambda a, l=_lower: L.pinvh(a, lower=l), array(2, 3, 3, domain=well), label=f"lower {_lower}"
    )
sample("linalg.pinvh", lambda a: L.pinvh(a @ np.conj(a).mT), array(4, 2, domain=apart), label="rank 2")
sample("linalg.pinvh", lambda a: L.pinvh(a, atol=2.0), array(4, 4, domain=graded), label="cutoff")
for _shape in ((4, 2), (3, 3), (2, 4)):
    sample("linalg.orth", lambda a: projector(L.orth(a)), array(2, *_shape, domain=apart), label=str(_shape))
    sample(
        "linalg.orth", lambda a: projector(L.orth(a, rcond=0.7)), array(*_shape, domain=apart), label=f"cutoff {_shape}"
    )
    sample(
        "linalg.null_space",
        lambda a: projector(L.null_space(a, rcond=0.7)),
        array(*_shape, domain=apart),
        label=f"cutoff {_shape}",
    )
sample("linalg.null_space", lambda a: projector(L.null_space(a)), array(2, 2, 4, domain=apart), label="wide")
sample(
    "linalg.null_space",
    lambda a, b: projector(L.null_space(a @ b)),
    array(4, 2, domain=apart),
    array(2, 3, domain=apart),
    label="rank 2",
)
sample("linalg.subspace_angles", L.subspace_angles, array(2, 5, 2), array(5, 3))
sample("linalg.subspace_angles", lambda a, b: L.subspace_angles(a, a[:, :2] + 0.2 * b), array(5, 3), array(5, 2))
sample("linalg.subspace_angles", lambda a, b: L.subspace_angles(a, b), array(6, 3), array(6, 2), label="more in A")


def uneven(a):
    """Square matrices with rows and columns of different sizes."""
    sizes = np.array([8.0, 1.0, 0.25, 4.0])
    return (1 + 0.1 * a) * sizes / sizes[:, None]


for _permute in (True, False):
    for _separate in (True, False):
        sample(
            "linalg.matrix_balance",
            lambda a, p=_permute, s=_separate: L.matrix_balance(a, permute=p, separate=s)[0],
            array(2, 4, 4, domain=uneven),
            label=f"permute {_permute} separate {_separate}",
        )
sample("linalg.matrix_balance", lambda a: L.matrix_balance(np.triu(a[:, ::-1]))[0], array(4, 4), label="permuted")


def paired(w):
    """Eigenvalues in conjugate pairs and a real one, and vectors."""
    return np.stack([w[..., 0], np.conj(w[..., 0]), np.real(w[..., 1]) + 0j, w[..., 2], np.conj(w[..., 2])], axis=-1)


sample("linalg.cdf2rdf", lambda w, v: L.cdf2rdf(paired(w), v), array(2, 3), array(5, 5), kinds="c", label="pairs")
sample("linalg.cdf2rdf", L.cdf2rdf, array(3), array(2, 3, 3), kinds="f", label="real")


def pair(a):
    """Matrices of two rows with complex eigenvalues."""
    return 0.2 * a + np.array([[0.0, 2.0], [-1.0, 0.0]])


sample(
    "linalg.rsf2csf",
    lambda a, b, z: L.rsf2csf(L.block_diag(a, b[:1, :1], a) + np.triu(b, 2), z),
    array(2, 2, domain=pair),
    array(5, 5),
    array(5, 5),
    label="pairs",
)
sample("linalg.rsf2csf", L.rsf2csf, array(2, 2, 2, domain=pair), array(2, 2), label="stack")

for _size in (1, 2, 3, 5):
    for _q in (False, True):
        sample(
            "linalg.hessenberg",
            lambda a, q=_q: L.hessenberg(a, calc_q=q),
            array(2, _size, _size),
            label=f"{_size} {_q}",
        )

for _sort in (None, "lhp", "iuc"):
    sample(
        "linalg.schur",
        lambda a, s=_sort: (lambda t, z: (*moduli((t, z)), np.diagonal(t, 0, -2, -1)))(*L.schur(a, sort=s)[:2]),
        array(4, 4, domain=graded),
        label=f"sort {_sort}",
    )
sample("linalg.schur", lambda a: moduli(L.schur(a)), array(2, 3, 3, domain=graded), label="stack")
sample("linalg.schur", lambda a: moduli(L.schur(a, "complex")), array(3, 3, domain=graded), label="complex")
sample("linalg.schur", lambda a: moduli(L.schur(a)), array(1, 1), label="1")
sample("linalg.schur", lambda a: L.schur(a), array(3, 3, domain=graded), kinds="f", label="signs")

sample("linalg.qz", lambda a, b: moduli(L.qz(a, b)), array(2, 3, 3, domain=graded), array(3, 3, domain=well))
sample(
    "linalg.qz",
    lambda a, b: moduli(L.qz(a, b, "complex")),
    array(3, 3, domain=graded),
    array(3, 3, domain=well),
    label="complex",
)
sample("linalg.qz", lambda a, b: moduli(L.qz(a, b)), array(1, 1), array(1, 1), label="1x1")


def ratios(form):
    s, t, alpha, beta, q, z = form
    return *moduli((s, t, q, z)), alpha / beta


for _sort in ("lhp", "ouc"):
    sample(
        "linalg.ordqz",
        lambda a, b, s=_sort: ratios(L.ordqz(a, b, s)),
        array(4, 4, domain=graded),
        array(4, 4, domain=well),
        label=_sort,
    )
sample(
    "linalg.ordqz",
    lambda a, b: ratios(L.ordqz(a, b, output="complex")),
    array(2, 3, 3, domain=graded),
    array(2, 3, 3, domain=well),
    label="complex",
)


def products(parts):
    """What does not depend on phases in separate factors with as many angles as columns."""
    (u1, u2), theta, (v1h, v2h) = parts
    return u1[..., :, None, :] * v1h.mT[..., None, :, :], theta, u2[..., :, None, :] * v2h.mT[..., None, :, :]


for _swap in (False, True):
    sample(
        "linalg.cossin",
        lambda a, s=_swap: products(L.cossin(unitary(a), 2, 2, separate=True, swap_sign=s)),
        array(2, 4, 4),
        label=f"separate {_swap}",
    )
    for _p, _q in ((2, 2), (1, 3), (3, 2), (4, 4)):
        sample(
            "linalg.cossin",
            lambda a, p=_p, q=_q, s=_swap: (lambda u, c, vh: (c, u @ c @ vh))(*L.cossin(unitary(a), p, q, swap_sign=s)),
            array(5, 5),
            label=f"{_p} {_q} {_swap}",
        )


def _blocks(a):
    x = unitary(a)
    return L.cossin((x[:2, :1], x[:2, 1:], x[2:, :1], x[2:, 1:]), compute_u=False, compute_vh=False)[1]


sample("linalg.cossin", _blocks, array(4, 4), label="blocks")
