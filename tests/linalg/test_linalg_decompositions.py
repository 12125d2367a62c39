"""Decompositions where it is hard: equal, zero and defective values, arbitrary choices; and all that SciPy accepts."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.linalg as sl
from hypothesis import given, settings
from hypothesis import strategies as st

from decomposition_helpers import KINDS, SHAPES, assert_same_derivatives, power_sums, projector, real_inner, turned
from random_matrices import H, drawn, general_with, unitary
from wirtinger import grad, gradcheck, hvp, jvp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, NotDifferentiableError

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]


# values

SQUARE = {
    "polar": {},
    "pinvh": {"return_rank": True},
    "orth": {},
    "null_space": {"rcond": 0.4},
    "matrix_balance": {},
    "hessenberg": {"calc_q": True},
    "schur": {"sort": "lhp"},
}
PAIRS = {"orthogonal_procrustes": {}, "subspace_angles": {}, "qz": {}, "ordqz": {"sort": "rhp"}, "rsf2csf": {}}


@pytest.mark.parametrize("dtype", [*DTYPES, np.int64])
@pytest.mark.parametrize("name", [*SQUARE, *PAIRS])
def test_values_are_scipy_s(name, dtype):
    arguments = [
        np.array(3 * drawn(4, 4, dtype=complex, seed=i).real).astype(dtype) for i in range(1 + (name in PAIRS))
    ]
    before = [a.copy() for a in arguments]
    keywords = {**SQUARE, **PAIRS}[name]
    ours, theirs = getattr(L, name)(*arguments, **keywords), getattr(sl, name)(*arguments, **keywords)
    assert type(ours) is type(theirs)
    for x, y in zip(*[r if isinstance(r, tuple) else (r,) for r in (ours, theirs)], strict=True):
        assert np.asarray(x).dtype == np.asarray(y).dtype
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-6)
    for a, b in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(a, b)
    as_lists = getattr(L, name)(*[a.tolist() for a in arguments], **keywords)
    assert np.shape(as_lists[0]) == np.shape(ours[0])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*SQUARE, *PAIRS])
def test_empty_stacks_have_the_shapes_of_full_ones(name, dtype):
    count = 1 + (name in PAIRS)
    keywords = {k: v for k, v in {**SQUARE, **PAIRS}[name].items() if k != "rcond"}
    full = getattr(L, name)(*[np.eye(3, dtype=dtype)[None]] * count, **keywords)
    empty = getattr(L, name)(*[np.zeros((0, 3, 3), dtype)] * count, **keywords)
    for x, y in zip(*[r if isinstance(r, tuple) else (r,) for r in (full, empty)], strict=True):
        assert y.shape == (0, *x.shape[1:])
        assert y.dtype == x.dtype


@pytest.mark.parametrize(
    "name", ["polar", "pinvh", "orth", "null_space", "matrix_balance", "hessenberg", "schur", "qz"]
)
def test_empty_matrices(name):
    a = np.zeros((0, 0))
    arguments = (a, a) if name == "qz" else (a,)
    expected = (a,) * 4 if name == "qz" else getattr(sl, name)(*arguments)  # SciPy's qz fails
    ours = getattr(L, name)(*arguments)
    for x, y in zip(*[r if isinstance(r, tuple) else (r,) for r in (ours, expected)], strict=True):
        assert x.shape == y.shape

    def loss(*arguments):
        result = getattr(L, name)(*arguments)
        return sum(np.sum(np.abs(x) ** 2) for x in (result if isinstance(result, tuple) else (result,)))

    assert grad(loss)(*arguments).shape == (0, 0)


def test_a_bad_item_of_a_stack_is_named():
    a = np.stack([np.eye(3), np.eye(3)])
    a[1, 0, 0] = np.nan
    with pytest.raises(ValueError, match="infs or NaNs"):
        L.schur(a)
    with pytest.raises(ValueError, match="square"):
        L.schur(np.ones((2, 3)))
    with pytest.raises(ValueError, match="square"):
        grad(lambda x: np.sum(L.schur(x)[0]))(np.ones((2, 3)))
    with pytest.raises(ValueError, match="`side`"):
        L.polar(np.eye(2), side="up")


def test_ranks_that_differ_over_a_stack_are_refused():
    with pytest.raises(ValueError, match="rank"):
        L.orth(np.stack([np.eye(2), np.ones((2, 2))]))


# the polar decomposition


def derivatives_by_mpmath(f, a, da):
    """First and second derivatives along a line, by differences at 60 digits."""
    with mp.workdps(60):
        h = mp.mpf(10) ** -18
        line = [f(mp.matrix(a.tolist()) + k * h * mp.matrix(da.tolist())) for k in (-1, 0, 1)]
        first = (line[2] - line[0]) / (2 * h)
        second = (line[2] - 2 * line[1] + line[0]) / h**2
        return complex(first), complex(second)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(
    ("values", "m"), [([2.0], 1), ([1.0, 1.0], 2), ([2.0, 2.0, 1.0], 3), ([3.0, 1.0, 1.0], 4), ([1.0, 1e-3], 2)]
)
def test_polar_against_mpmath_with_equal_and_small_values(dtype, values, m):
    n = len(values)
    a = general_with(values, m, n, dtype)
    da, c, d = (drawn(*s, dtype=dtype, seed=k) for k, s in ((3, a.shape), (4, a.shape), (5, (n, n))))

    def reference(x):
        w, v = mp.eighe(x.H * x)
        root = v * mp.diag([mp.sqrt(y) for y in w]) * v.H
        inverse = v * mp.diag([1 / mp.sqrt(y) for y in w]) * v.H
        parts = [(mp.matrix(c.tolist()), x * inverse), (mp.matrix(d.tolist()), root)]
        return sum(mp.re(mp.conj(k[i, j]) * y[i, j]) for k, y in parts for i in range(y.rows) for j in range(y.cols))

    def loss(x):
        u, p = L.polar(x)
        return real_inner(c, u) + real_inner(d, p)

    first, second = derivatives_by_mpmath(reference, a, da)
    scale = min(values)
    np.testing.assert_allclose(real_inner(grad(loss)(a), da), first.real, rtol=1e-11 / scale, atol=1e-11 / scale)
    np.testing.assert_allclose(jvp(loss, (a,), (da,))[1], first.real, rtol=1e-11 / scale, atol=1e-11 / scale)
    found = real_inner(hvp(loss, (a,), (da,)), da)
    np.testing.assert_allclose(found, second.real, rtol=1e-10 / scale**2, atol=1e-10 / scale**2)


def test_polar_of_a_singular_matrix_has_no_derivative():
    a = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert np.all(np.isfinite(L.polar(a)[1]))
    with pytest.raises(NotDifferentiableError, match="rank-deficient"):
        grad(lambda x: np.sum(L.polar(x)[0]))(a)


@pytest.mark.parametrize("dtype", KINDS)
def test_procrustes_is_the_polar_decomposition_of_the_product(dtype):
    a, b, c = (drawn(4, 3, dtype=dtype, seed=k) for k in range(3))

    def loss(a, b):
        r, scale = L.orthogonal_procrustes(a, b)
        return real_inner(c[:3], r) + scale**2

    def reference(a, b):
        u, p = L.polar(H(a) @ b)
        return real_inner(c[:3], u) + np.real(np.trace(p)) ** 2

    assert_same_derivatives(loss, reference, a, b)
    q = unitary(3, dtype)
    assert_same_derivatives(loss, reference, q, q + 0j if dtype is complex else q)


# pseudo-inverses, ranges, null spaces


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [[1.0, 1.0], [2.0, 1.0, 1.0], [3.0]])
@pytest.mark.parametrize("n", [3, 5])
def test_pinvh_at_constant_rank_with_equal_eigenvalues(dtype, values, n):
    b = general_with(values, n, len(values), dtype)
    c = drawn(n, n, dtype=dtype, seed=7)

    def reference(b):
        x = b @ np.linalg.inv(H(b) @ b)
        return real_inner(c, x @ H(x))

    assert_same_derivatives(lambda b: real_inner(c, L.pinvh(b @ H(b), rtol=1e-9)), reference, b)


@pytest.mark.parametrize("dtype", KINDS)
def test_pinvh_below_a_cutoff_that_is_not_small(dtype):
    q = unitary(4, dtype)
    a = (q * np.array([3.0, -3.0, 0.5, 0.5])) @ H(q)
    a = (a + H(a)) / 2
    x, rank = L.pinvh(a, atol=1.0, return_rank=True)
    assert (rank, type(rank)) == (2, int)
    np.testing.assert_allclose(x, (q[:, :2] * np.array([1 / 3, -1 / 3])) @ H(q[:, :2]), atol=1e-14)
    assert gradcheck(lambda a: L.pinvh(a, atol=1.0), a)
    assert gradcheck(lambda a: L.pinvh(a, atol=1.0, lower=False), np.stack([a, a]))


def test_pinvh_reads_one_triangle():
    a = drawn(3, 3, dtype=float)
    for lower in (True, False):
        g = grad(lambda x, lower=lower: np.sum(L.pinvh(x, lower=lower) ** 2))(a)
        assert not np.any(np.triu(g, 1) if lower else np.tril(g, -1))


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [[1.0, 1.0], [2.0, 1.0, 1.0], [3.0]])
@pytest.mark.parametrize("n", [4, 6])
def test_projectors_with_equal_singular_values(dtype, values, n):
    a = general_with(values, n, len(values), dtype)
    c = drawn(n, n, dtype=dtype, seed=7)

    def projector(a):
        return a @ np.linalg.inv(H(a) @ a) @ H(a)

    def of_range(a):
        q = L.orth(a)
        return real_inner(c, q @ H(q)) ** 2

    def of_null_space(a):
        z = L.null_space(H(a))
        return real_inner(c, z @ H(z)) ** 2

    assert_same_derivatives(of_range, lambda a: real_inner(c, projector(a)) ** 2, a)
    assert_same_derivatives(of_null_space, lambda a: real_inner(c, np.eye(n) - projector(a)) ** 2, a)


@pytest.mark.parametrize("dtype", KINDS)
def test_projectors_of_rank_deficient_products(dtype):
    b, e = drawn(5, 2, dtype=dtype), drawn(2, 4, dtype=dtype, seed=1)
    c = drawn(5, 5, dtype=dtype, seed=7)

    def loss(b, e):
        q = L.orth(b @ e)
        return real_inner(c, q @ H(q))

    def reference(b, e):
        return real_inner(c, b @ np.linalg.inv(H(b) @ b) @ H(b)) + 0 * np.sum(np.abs(e) ** 2)

    assert_same_derivatives(loss, reference, b, e)


@pytest.mark.parametrize("function", [L.orth, lambda a: L.null_space(H(a))])
def test_single_columns_are_refused(function):
    with pytest.raises(GaugeError, match="arbitrary"):
        grad(lambda a: np.real(function(a)[0, 0]))(drawn(5, 2, dtype=float))


def test_rank_zero():
    a = np.zeros((3, 2))
    assert L.orth(a).shape == (3, 0)
    z = L.null_space(a)
    np.testing.assert_allclose(z @ z.T, np.eye(2))

    def loss(a):
        z = L.null_space(a)
        return np.sum(z @ z.mT * np.arange(4.0).reshape(2, 2))

    np.testing.assert_array_equal(grad(loss)(a), 0)


# angles between subspaces


def rotated(angles, dtype):
    """Two subspaces with these angles between them, as functions of the angles."""
    n = len(angles)
    u = unitary(2 * n + 1, dtype)

    def spans(angles):
        first = u[:, :n]
        return first @ unitary(n, dtype, 3), (first * np.cos(angles) + u[:, n : 2 * n] * np.sin(angles)) @ unitary(
            n, dtype, 4
        )

    return spans


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(
    "angles", [[0.3, 1.2], [1e-9, 1e-3, 1.5], [0.7, 0.7, 0.1], [0.4, 0.4], [np.pi / 2 - 1e-7, 0.2]]
)
def test_angles_small_large_and_equal(dtype, angles):
    angles = np.array(angles)
    spans = rotated(angles, dtype)
    found = L.subspace_angles(*spans(angles))
    np.testing.assert_allclose(found, np.sort(angles)[::-1], rtol=1e-6, atol=1e-15)
    g = grad(lambda t: np.sum(L.subspace_angles(*spans(t)) ** 2) + np.sum(L.subspace_angles(*spans(t))))(angles)
    np.testing.assert_allclose(g, 2 * angles + 1, rtol=1e-6)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("angles", [[0.3, 1.2, 0.9], [0.4, 0.4]])
def test_second_derivatives_of_angles(dtype, angles):
    angles = np.array(angles)
    spans = rotated(angles, dtype)
    t = np.ones(len(angles))
    np.testing.assert_allclose(
        hvp(lambda x: np.sum(L.subspace_angles(*spans(x)) ** 2), (angles,), (t,)), 2 * t, rtol=1e-9
    )


def test_the_gradient_of_angles_that_are_zero_is_zero():
    a = drawn(5, 2, dtype=float)
    g = grad(lambda a, b: np.sum(L.subspace_angles(a, b)), (0, 1))(a, a @ np.array([[1.0, 2.0], [0.0, 1.0]]))
    for x in g:
        np.testing.assert_allclose(x, 0, atol=1e-12)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("columns", [1, 3])
def test_squares_of_angles_that_are_zero_have_a_hessian(dtype, columns):
    u, v = unitary(6, dtype), unitary(columns, dtype, 1)
    x, dx = np.zeros((6 - columns, columns), dtype), drawn(6 - columns, columns, dtype=dtype)

    def loss(x):  # the angles are the arcs of the tangents that are the singular values of x
        return np.sum(L.subspace_angles(u[:, :columns] @ v, u[:, :columns] + u[:, columns:] @ x) ** 2)

    np.testing.assert_allclose(grad(loss)(x), 0, atol=1e-12)
    np.testing.assert_allclose(hvp(loss, (x,), (dx,)), 2 * dx, rtol=1e-9)


# balancing and real forms


@pytest.mark.parametrize("dtype", KINDS)
def test_balancing_keeps_the_eigenvalues_and_their_derivatives(dtype):
    sizes = np.array([1e4, 1.0, 1e-3, 20.0])
    a = drawn(4, 4, dtype=dtype) * sizes / sizes[:, None]
    a[2, :2] = 0
    b, t = L.matrix_balance(a)
    np.testing.assert_allclose(np.linalg.inv(t) @ a @ t, b, rtol=1e-13)
    (scale, order), stacked = L.matrix_balance(a, separate=True)[1], L.matrix_balance(a[None], separate=True)[1]
    np.testing.assert_array_equal(stacked[0], [scale, order])

    def loss(a):
        b = L.matrix_balance(a)[0]
        return np.real(np.trace(b @ b @ b))

    np.testing.assert_allclose(grad(loss)(a), 3 * H(a @ a), rtol=1e-10)


def test_real_forms_of_eigenvectors():
    a = drawn(5, 5, dtype=float)
    w, v = np.linalg.eig(a)
    wr, vr = L.cdf2rdf(w, v)
    np.testing.assert_allclose(a @ vr, vr @ wr, atol=1e-13)

    def loss(a):
        w, v = np.linalg.eig(a)
        wr, vr = L.cdf2rdf(w, v)
        return np.sum((vr @ wr @ np.linalg.inv(vr)) ** 2)

    np.testing.assert_allclose(grad(loss)(a), 2 * a, rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="pairs"):
        L.cdf2rdf(np.array([1j, 2.0]), np.eye(2))


def test_the_complex_form_of_a_real_one():
    a = drawn(5, 5, dtype=float, seed=3)
    c = drawn(5, 5)

    def loss(a):
        t, z = L.rsf2csf(*L.schur(a))
        return real_inner(c, z @ t @ H(z))

    np.testing.assert_allclose(grad(loss)(a), c.real, atol=1e-12)
    np.testing.assert_allclose(hvp(loss, (a,), (a,)), 0, atol=1e-9)
    with pytest.raises(NotDifferentiableError, match="overlap"):
        grad(lambda t: np.sum(np.abs(L.rsf2csf(t, np.eye(3))[0]) ** 2))(a[:3, :3])


# single precision


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_equal_values_in_single_precision(dtype):
    q = unitary(4, dtype)
    a = ((q * np.array([2.0, 1.0, 1.0, 2.0], np.float32)) @ H(q)).astype(dtype)
    c = drawn(4, 4, dtype=dtype, seed=1)
    w = np.linalg.inv(a)
    cases = [
        (lambda a: power_sums(L.schur(a)[0]), a, 2 * H(a)),
        (lambda a: real_inner(c, L.pinvh(a + H(a))), a, -(w @ (c + H(c)) @ w) / 4),
        (lambda a: real_inner(np.eye(4, dtype=dtype), L.polar(a)[1]), a, q @ H(q)),
        (lambda a: L.orthogonal_procrustes(a, a)[1], a, 2 * a),
    ]
    for loss, x, expected in cases:
        g = grad(loss)(x)
        assert g.dtype == dtype
        np.testing.assert_allclose(g, expected, atol=2e-4)


# third derivatives


def weighed(x):
    return np.sum(np.abs(x) ** 2 * np.arange(x.size).reshape(x.shape))


@pytest.mark.parametrize(
    "loss",
    [
        lambda a: weighed(L.polar(a)[0]),
        lambda a: weighed(L.pinvh(a, atol=1.5)),
        lambda a: weighed(L.hessenberg(a)),
        lambda a: weighed(L.schur(a)[0]),
        lambda a: weighed(L.qz(a, a @ a + np.eye(3))[0]),
        lambda a: weighed(projector(L.orth(a, rcond=0.5))),
        lambda a: weighed(projector(L.null_space(a[:2]))),
        lambda a: np.sum(L.subspace_angles(a[:, :1], a[:, 1:2]) ** 3),
        lambda a: weighed(L.cossin(turned(a), 1, 2)[0]),
    ],
    ids=["polar", "pinvh", "hessenberg", "schur", "qz", "orth", "null_space", "subspace_angles", "cossin"],
)
def test_third_derivatives(loss):
    a = 0.2 * drawn(3, 3, seed=3) + np.diag([3.0, 2.0, 0.5])
    assert gradcheck(grad(loss), a, tolerance=1e-5, exact_tolerance=1e-11)


@settings(max_examples=25, deadline=None)
@given(SHAPES)
def test_random_polar_decompositions(case):
    m, n, stack, dtype, seed = case
    a = drawn(stack, m, n, dtype=dtype, seed=seed)

    def loss(a):
        u, p = L.polar(a)
        return np.sum(np.abs(u @ p @ p) ** 2)

    expected = grad(lambda a: np.sum(np.abs(H(a) @ a) ** 2))(a)
    np.testing.assert_allclose(grad(loss)(a), expected, rtol=1e-7, atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(SHAPES)
def test_random_schur_forms(case):
    n, _, stack, dtype, seed = case
    a = drawn(stack, n, n, dtype=dtype, seed=seed)
    g = grad(lambda a: power_sums(L.schur(a)[0]))(a)
    np.testing.assert_allclose(g, 2 * H(a), rtol=1e-7, atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.data(), st.sampled_from(KINDS), st.booleans(), st.integers(0, 2**31))
def test_random_unitary_matrices(m, data, dtype, swap, seed):
    p, q = data.draw(st.integers(1, m - 1)), data.draw(st.integers(1, m - 1))
    a, d = drawn(m, m, dtype=dtype, seed=seed), drawn(m, m, dtype=dtype, seed=1)

    def loss(a):
        u, c, vh = L.cossin(turned(a), p, q, swap_sign=swap)
        return real_inner(d, u @ c @ vh) ** 2

    expected = grad(lambda a: real_inner(d, turned(a)) ** 2)(a)
    np.testing.assert_allclose(grad(loss)(a), expected, rtol=1e-7, atol=1e-7)
