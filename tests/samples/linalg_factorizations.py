"""Factorizations, and the solvers that take them."""

from __future__ import annotations

import numpy as np

import wirtinger

from . import array, sample

L = wirtinger.linalg


def well(a):
    """Square matrices away from singular ones."""
    return a + 4 * np.eye(a.shape[-1])


def definite(a):
    """Hermitian positive-definite matrices."""
    return a @ a.conj().swapaxes(-1, -2) + 2 * np.eye(a.shape[-1])


def permuted(a):
    """Rows in an order that LAPACK undoes."""
    return np.roll(a + 4 * np.eye(*a.shape[-2:]), 1, axis=-2)


def coupled(a):
    """Symmetric or Hermitian matrices that Bunch and Kaufman factorize with blocks of one row and of two."""
    base = np.zeros((5, 5))
    base[1, 3] = base[3, 1] = 3.0
    base[0, 2] = base[2, 0] = 5.0
    base[4, 4] = 1.0
    base[0, 0] = 0.5
    return 0.1 * a + base


def hermitian_part(a):
    """Its diagonal is real: SciPy's `ldl` warns if it is not."""
    return (a + np.conj(np.swapaxes(a, -1, -2))) / 2


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def raw_factors(a):
    h, tau = L.qr(a, "raw")
    return h.mT, tau


def projected(q, r, *_):
    """The factors, the columns beyond the rank by their projector."""
    size = min(q.shape[-2], r.shape[-1])
    extra = q[..., size:]
    return q[..., :size], r, extra @ adjoint(extra)


def rows(result):
    """The factors, the rows that complete the basis by their projector."""
    if not isinstance(result, tuple):
        return result
    r, q = result
    extra = q[..., : max(r.shape[-1] - r.shape[-2], 0), :]
    return r, q[..., extra.shape[-2] :, :], adjoint(extra) @ extra


def gauge_free(q, r):
    """What does not depend on the phases of the columns of `q`, or on the choice of those beyond the rank."""
    size = min(q.shape[-2], r.shape[-1])
    q, r, extra = q[..., :size], r[..., :size, :], q[..., size:]
    diagonal = np.diagonal(r, axis1=-2, axis2=-1)
    return q * diagonal[..., None, :], np.conj(diagonal)[..., None] * r, extra @ adjoint(extra)


def signed(q, r):
    """All of real factors."""
    return gauge_free(q, r) if q.dtype.kind == "c" else projected(q, r)


for _trans in (0, "T", 2):
    for _lower in (False, True):
        for _unit in (False, True):
            sample(
                "linalg.solve_triangular",
                lambda a, b, t=_trans, l=_lower, u=_unit: L.solve_triangular(a, b, t, lower=l, unit_diagonal=u),
                array(3, 3, domain=well),
                array(3, 2),
                label=f"{_trans} {_lower} {_unit}",
            )
for _upper in (False, True):
    sample(
        "linalg.solve_triangular",
        lambda a, b, u=_upper: L.solve_triangular(a, b, upper=u, left=False),
        array(2, 3, 3, domain=well),
        array(2, 3),
        label=f"right {_upper}",
    )
sample("linalg.solve_triangular", L.solve_triangular, array(2, 1, 3, 3, domain=well), array(4, 3, 2), label="stacks")
sample("linalg.solve_triangular", L.solve_triangular, array(2, 3, 3, domain=well), array(3), label="stack and vector")
for _lower in (False, True):
    sample(
        "linalg.solve_triangular",
        lambda a, b, l=_lower: L.solve_triangular(a, b, lower=l, unit_diagonal=not l),
        array(40, 3, 3, domain=well),
        array(3, 2),
        label=f"many {_lower}",
    )
sample(
    "linalg.solve_triangular", L.solve_triangular, array(33, 33, domain=lambda a: well(a / 9)), array(33), label="33"
)

for _shape in ((4, 4), (5, 3), (3, 5)):
    sample("linalg.lu", lambda a: L.lu(a)[1:], array(2, *_shape, domain=permuted), label=str(_shape))
    sample("linalg.lu", lambda a: L.lu(a, permute_l=True), array(*_shape, domain=permuted), label=f"permuted {_shape}")
    sample(
        "linalg.lu", lambda a: L.lu(a, pivot=False)[1:], array(*_shape, domain=permuted), label=f"unpivoted {_shape}"
    )
    sample("linalg.lu_factor", lambda a: L.lu_factor(a)[0], array(2, *_shape, domain=permuted), label=str(_shape))
    sample("linalg.lu_factor_ex", lambda a: L.lu_factor_ex(a).LU, array(*_shape, domain=permuted), label=str(_shape))
sample("linalg.lu_factor", lambda a: L.lu_factor(a)[0], array(33, 33, domain=permuted), label="33")

for _trans in (0, 1, 2):
    for _left in (True, False):
        sample(
            "linalg.lu_solve",
            lambda a, b, t=_trans, s=_left: L.lu_solve(L.lu_factor(a), b, t, left=s),
            array(3, 3, domain=permuted),
            array(3, 3),
            label=f"{_trans} {_left}",
        )
        sample(
            "linalg.lu_solve",
            lambda c, b, t=_trans, s=_left: L.lu_solve((c, [2, 1, 2]), b, t, left=s),
            array(2, 3, 3, domain=well),
            array(3, 3),
            label=f"factors {_trans} {_left}",
        )
sample("linalg.lu_solve", lambda a, b: L.lu_solve(L.lu_factor(a), b), array(2, 3, 3, domain=permuted), array(3))

for _lower in (False, True):
    sample(
        "linalg.cholesky",
        lambda a, l=_lower: L.cholesky(a, lower=l),
        array(2, 3, 3, domain=definite),
        label=f"lower {_lower}",
    )
    sample(
        "linalg.cho_factor",
        lambda a, l=_lower: L.cho_factor(a, lower=l)[0],
        array(2, 3, 3, domain=definite),
        label=str(_lower),
    )
    sample(
        "linalg.cho_solve",
        lambda a, b, l=_lower: L.cho_solve(L.cho_factor(a, lower=l), b),
        array(2, 3, 3, domain=definite),
        array(3),
        label=f"factored {_lower}",
    )
    sample(
        "linalg.cho_solve",
        lambda c, b, l=_lower: L.cho_solve((c, l), b),
        array(3, 3, domain=well),
        array(2, 3, 2),
        label=f"factor {_lower}",
    )
    sample(
        "linalg.cholesky_ex",
        lambda a, l=_lower: L.cholesky_ex(a, upper=not l).L,
        array(2, 3, 3, domain=definite),
        label=str(_lower),
    )
sample("linalg.cholesky", L.cholesky, array(33, 33, domain=lambda a: definite(a / 6)), label="33")


for _hermitian in (False, True):
    for _lower in (False, True):
        sample(
            "linalg.ldl",
            lambda a, h=_hermitian, l=_lower: L.ldl(hermitian_part(a) if h else a, l, h)[:2],
            array(2, 5, 5, domain=coupled),
            label=f"hermitian {_hermitian} lower {_lower}",
        )
    sample(
        "linalg.ldl_factor",
        lambda a, h=_hermitian: L.ldl_factor(a, hermitian=h).LD,
        array(2, 5, 5, domain=coupled),
        label=f"hermitian {_hermitian}",
    )
    sample(
        "linalg.ldl_factor_ex",
        lambda a, h=_hermitian: L.ldl_factor_ex(a, hermitian=h).LD,
        array(5, 5, domain=coupled),
        label=f"hermitian {_hermitian}",
    )
    sample(
        "linalg.ldl_solve",
        lambda a, b, h=_hermitian: L.ldl_solve(*L.ldl_factor(a, hermitian=h), b, hermitian=h),
        array(2, 5, 5, domain=coupled),
        array(5),
        label=f"factored, hermitian {_hermitian}",
    )
    sample(
        "linalg.ldl_solve",
        lambda c, b, h=_hermitian: L.ldl_solve(c, [3, -3, -3, 4], b, hermitian=h),
        array(4, 4, domain=well),
        array(2, 4, 3),
        label=f"factors, hermitian {_hermitian}",
    )

for _shape in ((4, 4), (5, 3), (3, 5)):
    sample("linalg.qr", lambda a: L.qr(a, "r", pivoting=True)[0], array(2, *_shape), label=f"pivoting r {_shape}")
    for _mode in ("economic", "full"):
        sample(
            "linalg.qr",
            lambda a, mode=_mode: projected(*L.qr(a, mode, pivoting=True)),
            array(2, *_shape),
            label=f"pivoting {_mode} {_shape}",
        )
    for _mode in ("economic", "full", "r"):
        sample(
            "linalg.rq", lambda a, mode=_mode: rows(L.rq(a, mode=mode)), array(2, *_shape), label=f"{_mode} {_shape}"
        )
    for _mode, _side in (("left", (min(_shape), 2)), ("right", (2, _shape[0])), ("left", (min(_shape),))):
        for _conjugate in (False, True):
            sample(
                "linalg.qr_multiply",
                lambda a, c, m=_mode, j=_conjugate: L.qr_multiply(a, c, m, conjugate=j),
                array(2, *_shape),
                array(*_side),
                label=f"{_mode} {_shape} {_side} {_conjugate}",
            )
sample("linalg.qr", lambda a: L.qr(a, "raw", pivoting=True)[:2], array(4, 3), label="pivoting raw")
sample(
    "linalg.qr_multiply", lambda a, c: L.qr_multiply(a, c, pivoting=True)[:2], array(4, 3), array(4), label="pivoting"
)
for _count in (3, 2, 0):
    sample("linalg.householder_product", L.householder_product, array(2, 5, 3), array(2, _count), label=str(_count))
sample("linalg.householder_product", lambda a: L.householder_product(*raw_factors(a)), array(4, 4), label="of a QR")


for _mode in ("reduced", "complete"):
    for _k, _which, _u in ((1, "row", (3,)), (-1, "row", (2, 3)), (3, "col", (5,)), (0, "col", (5, 2))):
        sample(
            "linalg.qr_insert",
            lambda a, u, m=_mode, k=_k, w=_which: signed(*L.qr_insert(*L.qr(a, m), u, k, w)),
            array(2, 5, 3),
            array(*_u),
            label=f"{_mode} {_k} {_which} {_u}",
        )
    for _k, _p, _which in ((1, 1, "row"), (-2, 2, "row"), (0, 1, "col"), (1, 2, "col")):
        sample(
            "linalg.qr_delete",
            lambda a, m=_mode, k=_k, p=_p, w=_which: signed(*L.qr_delete(*L.qr(a, m), k, p, w)),
            array(2, 6, 4),
            label=f"{_mode} {_k} {_p} {_which}",
        )
    for _tail in ((), (2,)):
        sample(
            "linalg.qr_update",
            lambda a, u, v, m=_mode: signed(*L.qr_update(*L.qr(a, m), u, v)),
            array(2, 5, 3),
            array(5, *_tail),
            array(3, *_tail),
            label=f"{_mode} {_tail}",
        )
