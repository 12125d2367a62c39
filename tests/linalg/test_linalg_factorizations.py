"""Factorizations: their derivatives against differences in 60 digits, and exact identities at random sizes."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import wirtinger
from random_matrices import H, definite, drawn
from wirtinger import grad, gradcheck, jvp
from wirtinger.backends.numpy_versions import cho_factor_is_triangular

L = wirtinger.linalg
DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
DOUBLES = [np.float64, np.complex128]


def indefinite(n, dtype, hermitian=True):
    """Bunch and Kaufman factorize it with blocks of one row and of two."""
    a = 0.1 * drawn(n, n, dtype=dtype)
    pairs = np.arange(n - n % 2).reshape(-1, 2)
    a[pairs[:, 0], pairs[::-1, 1]] = a[pairs[::-1, 1], pairs[:, 0]] = 3 + np.arange(len(pairs))
    a += np.diag(np.where(np.arange(n) % 3, 0.5, 4))
    a = a + (H(a) if hermitian else a.T)
    return a.astype(dtype)


def tolerance(dtype, factor=100.0):
    return factor * float(np.finfo(dtype).eps)


def exact(a):
    convert = mpmath.mpc if np.iscomplexobj(a) else mpmath.mpf
    return np.array([convert(x) for x in a.ravel().tolist()], object).reshape(a.shape)


def derivatives(f, a, da):
    """The first and second derivative along `da`, by differences in 60 digits; `f` takes arrays of mpmath's numbers."""
    with mpmath.workdps(60):
        h = mpmath.mpf(10) ** -15
        a, da = exact(a), exact(da)
        low, middle, high = ([np.array(x) for x in f(a + k * h * da)] for k in (-1, 0, 1))
        first = [(z - x) / (2 * h) for x, z in zip(low, high, strict=True)]
        second = [(z - 2 * y + x) / h**2 for x, y, z in zip(low, middle, high, strict=True)]
    kind = complex if np.iscomplexobj(a) or any(isinstance(x, mpmath.mpc) for x in a.ravel()) else float
    return [x.astype(kind) for x in first], [x.astype(kind) for x in second]


def check(f, reference, a, da, factor=1e4):
    """Compare the derivatives of `f`, a tuple of arrays, with those of the reference; forward and reverse."""
    first, second = derivatives(reference, a, da)
    along, along_twice = jvp(lambda a: jvp(f, (a,), (da,))[1], (a,), (da,))
    close = tolerance(a.dtype, factor)
    for x, y in zip((*along, *along_twice), (*first, *second), strict=True):
        assert x.dtype == a.dtype
        np.testing.assert_allclose(x, y, rtol=close, atol=close * (1 + np.abs(y).max(initial=0)))
    weights = [drawn(*x.shape, dtype=a.dtype, seed=7) for x in first]

    def loss(a):
        return sum(np.sum(np.real(np.conj(w) * x)) for w, x in zip(weights, f(a), strict=True))

    pulled, pulled_along = jvp(grad(loss), (a,), (da,))
    for g, expected in ((pulled, first), (pulled_along, second)):
        total = sum(np.vdot(w, y).real for w, y in zip(weights, expected, strict=True))
        assert np.vdot(g, da).real == pytest.approx(total, rel=close, abs=close * 100)


def conjugate(a):
    return np.array([mpmath.conj(x) for x in a.ravel()], object).reshape(a.shape)


def adjoint(a):
    return conjugate(a).T


def doolittle(a):
    m, n = a.shape
    u, l = a.copy(), np.array([[mpmath.mpf(i == j) for j in range(min(m, n))] for i in range(m)], object)
    for k in range(min(m, n)):
        for i in range(k + 1, m):
            l[i, k] = 0 if k == n - 1 == m - 1 else u[i, k] / u[k, k]
            u[i] = u[i] - l[i, k] * u[k]
    return l, np.triu(u[: min(m, n)])


def gram_schmidt(a, signs):
    """The factors with a diagonal of these signs."""
    m, n = a.shape
    size = min(m, n)
    q = a[:, :size].copy()
    for k in range(size):
        for _ in range(2):
            q[:, k] = q[:, k] - q[:, :k] @ (adjoint(q[:, :k]) @ q[:, k])
        q[:, k] = signs[k] * q[:, k] / mpmath.sqrt(sum(abs(x) ** 2 for x in q[:, k]))
    return q, np.triu(adjoint(q) @ a)


def factored(a):
    """The lower Cholesky factor."""
    n = len(a)
    l = 0 * a
    for j in range(n):
        l[j, j] = mpmath.sqrt(mpmath.re(a[j, j] - sum(l[j, k] * mpmath.conj(l[j, k]) for k in range(j))))
        for i in range(j + 1, n):
            l[i, j] = (a[i, j] - sum(l[i, k] * mpmath.conj(l[j, k]) for k in range(j))) / l[j, j]
    return l


def eliminated(a, block, turned):
    """`l` and `d` of a symmetric or Hermitian matrix, with these diagonal blocks."""
    l, d, rest = np.array([[mpmath.mpf(i == j) for j in range(len(a))] for i in range(len(a))], object), 0 * a, a.copy()
    for number in range(block[-1] + 1):
        rows = np.flatnonzero(block == number)
        below = slice(rows[-1] + 1, None)
        d[np.ix_(rows, rows)] = rest[np.ix_(rows, rows)]
        if rows[-1] + 1 < len(a):
            l[below, rows] = rest[below, rows] @ inverse(rest[np.ix_(rows, rows)])
            rest[below, below] = rest[below, below] - l[below, rows] @ turned(rest[below, rows])
    return l, d


def inverse(a):
    if len(a) == 1:
        return 1 / a
    (p, q), (r, s) = a
    return np.array([[s, -q], [-r, p]], object) / (p * s - q * r)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (5, 5), (4, 2), (2, 4), (9, 6), (6, 9)])
def test_lu(shape, dtype):
    a, da = drawn(*shape, dtype=dtype), drawn(*shape, dtype=dtype, seed=1)
    p = L.lu(a, p_indices=True)[0]
    rows = np.argsort(p)

    def packed(l, u):
        size = min(shape)
        out = np.zeros(shape, object)
        out[:, :size] += np.tril(l, -1)
        out[:size] += u
        return out

    check(lambda a: L.lu(a)[1:], lambda a: doolittle(a[rows]), a, da)
    check(lambda a: L.lu(a, permute_l=True), lambda a: (doolittle(a[rows])[0][p], doolittle(a[rows])[1]), a, da)
    check(lambda a: L.lu_factor(a)[:1], lambda a: (packed(*doolittle(a[rows])),), a, da)
    if shape != (9, 6):
        check(lambda a: L.lu(a, pivot=False)[1:], doolittle, a + 4 * np.eye(*shape, dtype=dtype), da)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 3), (6, 6), (3, 5)])
def test_lu_with_a_zero_last_pivot(shape, dtype):
    n = shape[0]
    l, u = np.tril(np.ones((n, n))) - 0.5 * np.tri(n, k=-1), np.triu(np.ones(shape)) + np.eye(*shape)
    u[n - 1, n - 1] = 0
    a, da = (l @ u).astype(dtype), drawn(*shape, dtype=dtype)
    assert L.lu(a)[2][n - 1, n - 1] == 0
    check(lambda a: L.lu(a)[1:], doolittle, a, da)
    assert np.all(np.isfinite(grad(lambda a: np.sum(np.abs(L.lu_factor_ex(a).LU) ** 2))(a)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_cholesky(n, dtype):
    a, da = definite(n, dtype), drawn(n, n, dtype=dtype)
    lower, upper = a + np.triu(da, 1), a + np.tril(da, -1)

    def whole(a):
        return np.tril(a, -1) + adjoint(np.tril(a, -1)) + np.diag([mpmath.re(x) for x in np.diag(a)])

    for f in (L.cholesky, lambda a: L.cholesky_ex(a).L):
        check(lambda a, f=f: (f(a),), lambda a: (factored(whole(a)),), lower, da)
    for f in (lambda a: L.cholesky(a, lower=False), lambda a: L.cholesky_ex(a, upper=True).L):
        check(lambda a, f=f: (f(a),), lambda a: (adjoint(factored(whole(adjoint(a)))),), upper, da)
    other = 0 if cho_factor_is_triangular() else 1  # how much of the other triangle there is
    check(lambda a: L.cho_factor(a, True)[:1], lambda a: (factored(whole(a)) + other * np.triu(a, 1),), lower, da)
    check(
        lambda a: L.cho_factor(a)[:1],
        lambda a: (adjoint(factored(whole(adjoint(a)))) + other * np.tril(a, -1),),
        *(upper, da),
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("hermitian", [True, False])
def test_ldl(n, lower, hermitian, dtype):
    a, da = indefinite(n, dtype, hermitian), drawn(n, n, dtype=dtype)
    da = da + (H(da) if hermitian else da.T)
    turned = adjoint if hermitian else np.transpose
    d, perm = L.ldl(a, lower, hermitian)[1:]
    block = np.cumsum([0, *(np.diag(d, -1) == 0)])
    assert n < 5 or block[-1] < n - 1

    def reference(a):
        a = a[np.ix_(perm, perm)]
        if not lower:
            a = a[::-1, ::-1]
        l, d = eliminated(a, block if lower else block[-1] - block[::-1], turned)
        if not lower:
            l, d = l[::-1, ::-1], d[::-1, ::-1]
        return l[np.argsort(perm)], d

    check(lambda a: L.ldl(a, lower, hermitian)[:2], reference, a, da)


@pytest.mark.parametrize("dtype", DOUBLES)
def test_ldl_with_a_zero_last_pivot(dtype):
    a = np.array([[4.0, 2.0, 0.0], [2.0, 3.0, 2.0], [0.0, 2.0, 2.0]], dtype)
    da = drawn(3, 3, dtype=dtype)
    d, perm = L.ldl(a)[1:]
    assert d[2, 2] == 0
    np.testing.assert_array_equal(perm, range(3))
    check(lambda a: L.ldl(a)[:2], lambda a: eliminated(a, np.arange(3), adjoint), a, da + H(da))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("hermitian", [True, False])
def test_packed_ldl_is_ldl(n, hermitian, dtype):
    a = indefinite(n, dtype, hermitian)
    packed, pivots = L.ldl_factor(a, hermitian=hermitian)
    b = drawn(n, 2, dtype=dtype)
    close = tolerance(dtype, 1e3)
    np.testing.assert_allclose(a @ L.ldl_solve(packed, pivots, b, hermitian=hermitian), b, atol=close, rtol=close)
    routine = scipy.linalg.get_lapack_funcs("hetrf" if hermitian and a.dtype.kind == "c" else "sytrf", (a,))
    np.testing.assert_allclose(packed, np.tril(routine(a, lower=1)[0]), atol=close)
    np.testing.assert_array_equal(pivots, routine(a, lower=1)[1])
    da = drawn(n, n, dtype=dtype)
    da = da + (H(da) if hermitian else da.T)

    def reconstructed(a):
        """Differentiable only through `ldl_factor`: `a` again, column by column."""
        factors = L.ldl_factor(a, hermitian=hermitian)
        return np.linalg.inv(L.ldl_solve(*factors, np.eye(n), hermitian=hermitian))

    np.testing.assert_allclose(jvp(reconstructed, (a,), (da,))[1], da, atol=10 * close, rtol=10 * close)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (5, 5), (4, 2), (2, 4), (8, 5), (5, 8)])
def test_qr_and_rq(shape, dtype):
    a, da = drawn(*shape, dtype=dtype), drawn(*shape, dtype=dtype, seed=1)
    signs = np.sign(np.diag(L.qr(a)[1]).real)
    check(L.qr, lambda a: gram_schmidt(a, signs), a, da)
    order = L.qr(a, pivoting=True)[2]
    pivoted = np.sign(np.diag(L.qr(a, pivoting=True)[1]).real)
    check(lambda a: L.qr(a, pivoting=True)[:2], lambda a: gram_schmidt(a[:, order], pivoted), a, da)
    r = L.rq(a, mode="economic")[0]
    diagonal = np.sign(np.diag(r[::-1, ::-1]).real)

    def reversed_qr(a):
        q, r = gram_schmidt(adjoint(a[::-1]), diagonal)
        return adjoint(r)[::-1, ::-1], adjoint(q)[::-1]

    check(lambda a: L.rq(a, mode="economic"), reversed_qr, a, da)


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize("wide", [0, 2])
def test_real_qr_with_a_zero_last_element(n, wide):
    a = np.triu(drawn(n, n + wide, dtype=float)) + 2 * np.eye(n, n + wide)
    a[n - 1, n - 1] = 0
    q, r = L.qr(a)
    assert r[n - 1, n - 1] == 0
    da = drawn(n, n + wide, dtype=float, seed=1)
    sign = np.sign(np.linalg.det(q[:, :n]))

    def reference(a):
        q, r = gram_schmidt(a[:, : n - 1], np.sign(np.diag(r_of)))
        last = complement(q)
        return np.column_stack([q, last]), np.vstack([np.column_stack([r, adjoint(q) @ a[:, n - 1 :]]), tail(last, a)])

    def complement(q):
        cofactors = [(-1) ** (i + n - 1) * mpmath.det(mpmath.matrix(np.delete(q, i, 0).tolist())) for i in range(n)]
        return sign * np.array(cofactors, object)

    def tail(last, a):
        return np.concatenate([np.zeros(n - 1, object), last @ a[:, n - 1 :]])

    r_of = r[: n - 1, : n - 1]
    check(L.qr, reference, a, da)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (5, 3), (4, 4)])
def test_householder_product(shape, dtype):
    a, da = drawn(*shape, dtype=dtype), drawn(*shape, dtype=dtype, seed=1)
    m, n = shape

    def reference(a, tau):
        one = np.array([[mpmath.mpf(i == j) for j in range(m)] for i in range(m)], object)
        out = one
        for k in range(n):
            v = np.concatenate([one[:k, k], one[k : k + 1, k], a[k + 1 :, k]])[:, None]
            out = out @ (one - tau[k] * v @ adjoint(v))
        return (out[:, :n],)

    tau = drawn(n, dtype=dtype, seed=2)
    tau[-1] = 0
    values = reference(exact(a), exact(tau))[0].astype(dtype)
    np.testing.assert_allclose(L.householder_product(a, tau), values, atol=tolerance(dtype), rtol=tolerance(dtype))
    check(lambda a: (L.householder_product(a, tau),), lambda a: reference(a, exact(tau)), a, da)
    dtau = drawn(n, dtype=dtype, seed=3)
    check(lambda tau: (L.householder_product(a, tau),), lambda tau: reference(exact(a), tau), tau, dtau)


def solved(a, b):
    """The solution by Cramer's rule of elimination in 60 digits."""
    n = len(a)
    x = np.concatenate([a, b], axis=1)
    for k in range(n):
        j = k + int(np.argmax([abs(y) for y in x[k:, k]]))
        x[[k, j]] = x[[j, k]]
        x[k] = x[k] / x[k, k]
        for i in range(n):
            if i != k:
                x[i] = x[i] - x[i, k] * x[k]
    return x[:, n:]


TURNED = {0: lambda a: a, 1: np.transpose, 2: adjoint}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 3, 6])
@pytest.mark.parametrize("trans", [0, 1, 2])
def test_solvers(n, trans, dtype):
    a, da = drawn(n, n, dtype=dtype) + 3 * np.eye(n, dtype=dtype), drawn(n, n, dtype=dtype, seed=1)
    b, db = drawn(n, 2, dtype=dtype, seed=2), drawn(n, 2, dtype=dtype, seed=3)
    turned = TURNED[trans]
    one = np.array([[mpmath.mpf(i == j) for j in range(n)] for i in range(n)], object)
    pivots = np.minimum(np.arange(n) + 1, n - 1)
    rows = np.argsort(np.append(np.arange(1, n), 0)) if n > 1 else np.arange(1)

    def of_lu(c):
        return turned(((np.tril(c, -1) + one) @ np.triu(c))[rows])

    for lower in (True, False):
        for unit in (True, False):

            def of_triangle(a, lower=lower, unit=unit):
                t = np.tril(a, -1) if lower else np.triu(a, 1)
                return turned(t + (one if unit else np.diag(np.diag(a))))

            options = {"lower": lower, "unit_diagonal": unit}
            check(
                lambda a, o=options: (L.solve_triangular(a, b, trans, **o),),
                lambda a, f=of_triangle: (solved(f(a), exact(b)),),
                a,
                da,
            )
            check(
                lambda b, o=options: (L.solve_triangular(a, b, trans, **o),),
                lambda b, f=of_triangle: (solved(f(exact(a)), b),),
                b,
                db,
            )
        if trans == 0:

            def of_cholesky(c, lower=lower):
                return np.tril(c) @ adjoint(np.tril(c)) if lower else adjoint(np.triu(c)) @ np.triu(c)

            check(
                lambda c, l=lower: (L.cho_solve((c, l), b),),
                lambda c, f=of_cholesky: (solved(f(c), exact(b)),),
                a,
                da,
            )
    check(lambda c: (L.lu_solve((c, pivots), b, trans),), lambda c: (solved(of_lu(c), exact(b)),), a, da)
    check(lambda b: (L.lu_solve((a, pivots), b, trans),), lambda b: (solved(of_lu(exact(a)), b),), b, db)


# exact identities at random sizes


SIZES = st.tuples(st.lists(st.integers(1, 3), max_size=2).map(tuple), st.integers(1, 6), st.integers(1, 6))
KINDS = st.sampled_from(DOUBLES)
SEEDS = st.integers(0, 2**32 - 1)


def close(x, y):
    scale = 1 + np.abs(y).max(initial=0) + np.abs(x).max(initial=0)
    np.testing.assert_allclose(x, y, atol=1e-8 * scale)


@settings(deadline=None, max_examples=40)
@given(SIZES, KINDS, SEEDS)
def test_the_differential_of_lu_keeps_the_triangles_and_the_product(sizes, dtype, seed):
    stack, m, n = sizes
    a, da = (drawn(*stack, m, n, dtype=dtype, seed=seed + k) for k in (0, 1))
    (pl, u), (dpl, du) = jvp(lambda a: L.lu(a, permute_l=True), (a,), (da,))
    p = L.lu(a)[0]
    close(dpl @ u + pl @ du, da)
    close(np.triu(p.mT @ dpl), 0)
    close(np.tril(du, -1), 0)


@settings(deadline=None, max_examples=40)
@given(SIZES, KINDS, SEEDS, st.booleans())
def test_the_differential_of_qr_keeps_orthonormality_and_the_product(sizes, dtype, seed, rows):
    stack, m, n = sizes
    a, da = (drawn(*stack, m, n, dtype=dtype, seed=seed + k) for k in (0, 1))
    if rows:
        (r, q), (dr, dq) = jvp(lambda a: L.rq(a, mode="economic"), (a,), (da,))
        close(dr @ q + r @ dq, da)
        close(dq @ H(q) + q @ H(dq), 0)
    else:
        (q, r), (dq, dr) = jvp(L.qr, (a,), (da,))
        close(dq @ r + q @ dr, da)
        close(H(q) @ dq + H(dq) @ q, 0)
        close(np.tril(dr, -1), 0)
        close(np.diagonal(dr, axis1=-2, axis2=-1).imag, 0)


@settings(deadline=None, max_examples=40)
@given(SIZES, KINDS, SEEDS, st.booleans(), st.booleans())
def test_the_differential_of_ldl_keeps_the_blocks_and_the_product(sizes, dtype, seed, lower, hermitian):
    stack, n, _ = sizes
    turned = H if hermitian else np.matrix_transpose
    a, da = (drawn(*stack, n, n, dtype=dtype, seed=seed + k) for k in (0, 1))
    a, da = a + turned(a), da + turned(da)
    (l, d), (dl, dd) = jvp(lambda a: L.ldl(a, lower, hermitian)[:2], (a,), (da,))
    close(dl @ d @ turned(l) + l @ dd @ turned(l) + l @ d @ turned(dl), da)
    close(dd * (d == 0), 0)


@settings(deadline=None, max_examples=25)
@given(SIZES, KINDS, SEEDS)
def test_gradients_of_every_order_at_random_sizes(sizes, dtype, seed):
    stack, m, n = sizes
    a = drawn(*stack, m, n, dtype=dtype, seed=seed)
    b = drawn(m, 2, dtype=dtype, seed=seed + 1)
    well = a @ H(a) + 3 * np.eye(m)
    assert gradcheck(lambda a, b: L.lu_solve(L.lu_factor(a), b), well, b)
    assert gradcheck(lambda a, b: L.cho_solve(L.cho_factor(a), b), well, b)
    assert gradcheck(lambda a, b: L.ldl_solve(*L.ldl_factor(a), b), well, b)
    assert gradcheck(lambda a, b: L.solve_triangular(a, b, "T"), well, b)


@pytest.mark.parametrize(("name", "mode"), [("economic", "reduced"), ("full", "complete")])
def test_scipys_names_of_modes_warn_because_numpy_meant_something_else(name, mode):
    a = drawn(4, 2, dtype=float)
    with pytest.warns(DeprecationWarning, match=mode):
        q, r = L.qr(a, name)
    np.testing.assert_array_equal(q, L.qr(a, mode)[0])
    assert L.qr(a, name, pivoting=True)[1].shape == r.shape
