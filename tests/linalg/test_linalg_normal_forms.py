"""Hessenberg, Schur, generalized Schur and cosine-sine forms and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as sl
from hypothesis import given, settings
from hypothesis import strategies as st

from decomposition_helpers import KINDS, SHAPES, assert_same_derivatives, power_sums, projector, real_inner, turned
from random_matrices import H, drawn, unitary
from wirtinger import grad, gradcheck, hvp, jvp, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, NotDifferentiableError, PrecisionLossError

# the Hessenberg form


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_the_hessenberg_form_put_together_again(dtype, n):
    a, c = drawn(n, n, dtype=dtype), drawn(n, n, dtype=dtype, seed=1)

    def loss(a):
        h, q = L.hessenberg(a, calc_q=True)
        return real_inner(c, q @ h @ H(q)) + np.real(np.trace(h @ h))

    assert_same_derivatives(loss, lambda a: real_inner(c, a) + np.real(np.trace(a @ a)), a)


@pytest.mark.parametrize("dtype", KINDS)
def test_the_adjoint_of_hessenberg_forms_at_any_phases(dtype):
    a, da, gh, gq = (drawn(5, 5, dtype=dtype, seed=k) for k in range(4))
    f = lambda a: L.hessenberg(a, calc_q=True)
    _, (dh, dq) = jvp(f, (a,), (da,))
    ga = vjp(f, a)[1]((gh, gq))
    ga = ga[0] if isinstance(ga, tuple) else ga
    np.testing.assert_allclose(real_inner(ga, da), real_inner(gh, dh) + real_inner(gq, dq), rtol=1e-11)


def test_a_reduced_hessenberg_form_has_no_derivative():
    a = np.triu(drawn(4, 4, dtype=float))
    with pytest.raises(NotDifferentiableError, match="subdiagonal"):
        grad(lambda a: np.sum(L.hessenberg(a) ** 2))(a)


def test_the_last_element_below_the_diagonal_may_be_zero_if_real():
    a = np.triu(drawn(4, 4, dtype=float), -1)
    a[3, 2] = 0
    g = grad(lambda a: np.real(np.trace(L.hessenberg(a) @ L.hessenberg(a))))(a)
    np.testing.assert_allclose(g, 2 * a.T, atol=1e-12)


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("sort", [None, "lhp"])
def test_the_schur_form_put_together_again(dtype, n, output, sort):
    a, c = drawn(n, n, dtype=dtype, seed=n), drawn(n, n, dtype=dtype, seed=1)

    def loss(a):
        t, z = L.schur(a, output, sort=sort)[:2]
        return real_inner(c, z @ t @ H(z)) + power_sums(t) + np.sum(np.abs(t) ** 2)

    def reference(a):
        return real_inner(c, a) + np.real(np.trace(a @ a)) + np.sum(np.abs(a) ** 2)

    assert_same_derivatives(loss, reference, a, rtol=1e-8)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [[2.0, 2.0], [1.0, 2.0, 1.0], [3.0, 1.0, 1.0, 2.0], [0.0, 0.0, 1.0], [1.0] * 4])
def test_equal_eigenvalues_of_normal_matrices(dtype, values):
    q = unitary(len(values), dtype)
    a = (q * np.array(values)) @ H(q)
    for output in ("real", "complex"):
        g = grad(lambda a, output=output: power_sums(L.schur(a, output)[0]))(a)
        np.testing.assert_allclose(g, 2 * H(a), atol=1e-12)


@pytest.mark.parametrize("dtype", KINDS)
def test_what_ignores_a_tie_has_its_derivative(dtype):
    q = unitary(4, dtype)
    a = (q * np.array([3.0, 1.0, 1.0, 1.0])) @ H(q)
    c = drawn(4, 4, dtype=dtype, seed=2)

    def loss(a):
        t, z = L.schur(a, sort=lambda x, y=0: x.real > 2)[:2]
        return real_inner(c, z[:, :1] @ H(z[:, :1])) + np.real(t[0, 0] ** 2)

    expected = q[:, :1] @ H(q[:, :1])
    other = np.eye(4) - expected
    inner = expected @ (c + H(c)) @ other / 2
    np.testing.assert_allclose(grad(loss)(a), 6 * expected + H(inner), atol=1e-12)


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("output", ["real", "complex"])
def test_eigenvalues_of_a_jordan_block_are_refused(value, output):
    a = np.array([[value, 1.0, 0.0], [0.0, value, 0.0], [0.0, 0.0, 5.0]])
    with pytest.raises(NotDifferentiableError, match="equal up to rounding"):
        grad(lambda a: power_sums(L.schur(a, output)[0]))(a)


def test_vectors_beside_a_jordan_block_have_their_derivative():
    q = unitary(3, float)
    a = q @ np.array([[5.0, 1.0, 2.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]) @ q.T
    c = drawn(3, 3, dtype=float, seed=1)

    def loss(a):
        z = L.schur(a, sort=lambda x, y: x > 2)[1]
        return real_inner(c, z[:, :1] @ z[:, :1].mT)

    da = drawn(3, 3, dtype=float, seed=4)
    h = 1e-5
    vector = [np.linalg.eig(a + k * h * da) for k in (-1, 1)]
    vector = [np.real(v[:, np.argmax(np.real(w))]) for w, v in vector]
    difference = np.diff([real_inner(c, np.outer(x, x)) for x in vector])[0] / (2 * h)
    np.testing.assert_allclose(real_inner(grad(loss)(a), da), difference, rtol=1e-7)


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-5])
def test_nearly_defective_matrices_are_right(gap):
    q = unitary(3, complex)
    a = q @ np.array([[1.0, 1.0, 0.5], [0.0, 1.0 + gap, 1.0], [0.0, 0.0, 2.0]]) @ H(q)
    g = grad(lambda a: power_sums(L.schur(a)[0]))(a)
    np.testing.assert_allclose(g, 2 * H(a), atol=1e-14 / gap**2)


def test_a_gap_that_rounding_may_make_counts_as_none():
    q = unitary(2, complex)
    a = q @ np.array([[1.0, 1.0], [0.0, 1.0 + 1e-8]]) @ H(q)
    with pytest.raises(NotDifferentiableError, match="equal up to rounding"):
        grad(lambda a: power_sums(L.schur(a)[0]))(a)
    with pytest.raises(GaugeError, match="reverse mode"):
        jvp(lambda a: power_sums(L.schur(a)[0]), (a,), (a,))
    with pytest.raises(NotDifferentiableError, match="second derivative"):
        grad(lambda x: real_inner(a, grad(lambda a: power_sums(L.schur(a)[0]))(x)))(np.eye(2) + 0j)


def test_phases_are_refused():
    a = drawn(3, 3)
    with pytest.raises(GaugeError, match="phases"):
        grad(lambda a: np.real(L.schur(a)[1][0, 0]))(a)
    with pytest.raises(GaugeError, match="phases"):
        grad(lambda a: np.real(L.schur(a)[0][0, 2]))(a)


def test_rotations_of_normal_pairs_are_refused_but_not_needed():
    q = unitary(3, float)
    a = q @ np.array([[1.0, 2.0, 0.0], [-2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]) @ q.T
    with pytest.raises(GaugeError, match="rotation"):
        grad(lambda a: L.schur(a, sort="iuc")[1][0, 1])(a)
    with pytest.raises(GaugeError, match="reverse mode"):
        jvp(lambda a: L.schur(a)[1][0, 0], (a,), (a,))
    np.testing.assert_allclose(grad(lambda a: power_sums(L.schur(a)[0]))(a), 2 * a.T, atol=1e-12)


def test_elements_of_normal_pairs():
    q = unitary(3, float)
    a = q @ np.array([[1.0, 2.0, 0.0], [-2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]) @ q.T
    plane = q[:, :2] @ q[:, :2].T

    def form(a):
        return L.schur(a, sort=lambda x, y: x < 2)[0]

    for i in (0, 1):  # the real part of the eigenvalues
        np.testing.assert_allclose(grad(lambda a, i=i: form(a)[i, i])(a), plane / 2, atol=1e-12)
    of_imaginary_part = grad(lambda a: np.abs(form(a)[0, 1] - form(a)[1, 0]))(a)
    np.testing.assert_allclose(of_imaginary_part, (a - a.T) / 4, atol=1e-12)


# the generalized Schur form


def of_pair(s, t):
    return np.real(np.trace(np.linalg.solve(t, s)))


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("output", ["real", "complex"])
def test_the_generalized_form_put_together_again(dtype, n, output):
    a, b, c, d = (drawn(n, n, dtype=dtype, seed=k) for k in range(4))

    def loss(a, b):
        s, t, q, z = L.qz(a, b, output)
        return real_inner(c, q @ s @ H(z)) + real_inner(d, q @ t @ H(z)) ** 2 + of_pair(s, t)

    def reference(a, b):
        return real_inner(c, a) + real_inner(d, b) ** 2 + of_pair(a, b)

    assert_same_derivatives(loss, reference, a, b, rtol=1e-7)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("sort", ["lhp", "ouc"])
def test_ordered_generalized_eigenvalues(dtype, sort):
    a, b = drawn(5, 5, dtype=dtype), drawn(5, 5, dtype=dtype, seed=1)

    def loss(a, b):
        _, _, alpha, beta, _, _ = L.ordqz(a, b, sort)
        return np.real(np.sum(alpha / beta))

    assert_same_derivatives(loss, of_pair, a, b, rtol=1e-7)


def test_what_is_arbitrary_in_a_generalized_form_is_refused():
    a, b = drawn(3, 3), drawn(3, 3, seed=1)
    with pytest.raises(GaugeError, match="phases"):
        grad(lambda a: np.real(L.qz(a, b)[2][0, 0]))(a)
    pair = np.array([[1.0, 2.0], [-1.0, 1.0]])
    with pytest.raises(GaugeError, match="rotations"):
        grad(lambda a: L.qz(a, np.eye(2))[2][0, 1])(pair)
    with pytest.raises(GaugeError, match="scale"):
        grad(lambda a: np.real(L.ordqz(a, np.diag([1.0, 2.0]))[2][0]))(pair)
    for values in ([2.0, 2.0, 1.0], [1.0, 2.0, 1.0]):
        with pytest.raises(GaugeError, match="equal"):
            grad(lambda a: np.real(L.qz(a, np.eye(3))[0][0, 0]))(np.diag(values) + 0j)


def test_a_singular_second_matrix():
    a, b = drawn(3, 3), drawn(3, 2, seed=1) @ drawn(2, 3, seed=2)
    c = drawn(3, 3, seed=3)

    def loss(a, b):
        s, t, q, z = L.qz(a, b)
        return real_inner(c, q @ s @ H(z)) + real_inner(c, q @ t @ H(z))

    for g in grad(loss, (0, 1))(a, b):
        np.testing.assert_allclose(g, c, atol=1e-11)


def with_angles(angles, dtype):
    """A unitary matrix with these angles, and what moves it."""
    n = len(angles)
    c, s = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    u, v = (sl.block_diag(unitary(n, dtype, k), unitary(n, dtype, k + 1)) for k in (0, 2))
    return u @ np.block([[c, -s], [s, c]]) @ v


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(("m", "p", "q"), [(2, 1, 1), (4, 2, 2), (5, 2, 3), (6, 1, 4), (7, 5, 4), (6, 4, 4)])
def test_the_cosine_sine_form_put_together_again(dtype, m, p, q, swap):
    a, d = drawn(m, m, dtype=dtype), drawn(m, m, dtype=dtype, seed=1)

    def loss(a):
        u, c, vh = L.cossin(turned(a), p, q, swap_sign=swap)
        return real_inner(d, u @ c @ vh) ** 2 + np.sum(np.abs(u @ c)[:p] ** 2 * np.abs(d[:p]))

    def reference(a):
        return real_inner(d, turned(a)) ** 2

    def first_part(a):
        u, c, vh = L.cossin(turned(a), p, q, swap_sign=swap)
        return real_inner(d, u @ c @ vh) ** 2

    assert_same_derivatives(first_part, reference, a, rtol=1e-8)
    if min(p, q, m - p, m - q) == max(p, q, m - p, m - q):
        assert gradcheck(loss, a)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("angles", [[0.3, 0.8], [0.5, 0.5, 0.9], [0.7, 0.7], [0.0, 0.4], [np.pi / 2, 0.4], [0.0, 0.0]])
def test_angles_that_are_equal_zero_or_right(dtype, angles):
    n = len(angles)
    x = with_angles(np.array(angles), dtype)
    a = np.zeros((2 * n, 2 * n), dtype)
    for function in (lambda t: np.cos(t) ** 2, lambda t: np.sin(t) ** 4):

        def loss(a, function=function):
            return np.sum(function(L.cossin(turned(a) @ x, n, n, separate=True)[1]))

        def reference(a, function=function):
            block = (turned(a) @ x)[:n, :n]
            square = block @ H(block)
            squares = np.real(np.trace(square))
            if function(np.pi / 2) == 1:  # sin^4 = 1 - 2 cos^2 + cos^4
                return n - 2 * squares + np.real(np.trace(square @ square))
            return squares

        np.testing.assert_allclose(grad(loss)(a), grad(reference)(a), atol=1e-12)


def test_what_is_arbitrary_in_a_cosine_sine_form_is_refused():
    a = drawn(4, 4)
    with pytest.raises(GaugeError, match="phase"):
        grad(lambda a: np.real(L.cossin(turned(a), 2, 2)[0][0, 0]))(a)
    x = with_angles(np.array([0.5, 0.5]), float)
    with pytest.raises(GaugeError, match="choice"):
        grad(lambda a: L.cossin(turned(a) @ x, 2, 2)[0][0, 0])(np.zeros((4, 4)))
    with pytest.raises(NotDifferentiableError, match="second derivative"):
        hvp(
            lambda a: np.sum(L.cossin(turned(a) @ x, 2, 2, separate=True)[1]),
            (np.zeros((4, 4)),),
            (drawn(4, 4, dtype=float),),
        )


def test_the_forms_of_arguments_of_cossin():
    x = turned(drawn(5, 5))
    blocks = (x[:2, :3], x[:2, 3:], x[2:, :3], x[2:, 3:])
    for found, expected in zip(L.cossin(blocks), L.cossin(x, 2, 3), strict=True):
        np.testing.assert_array_equal(found, expected)
    u, c, vh = L.cossin(np.stack([x, x]), 2, 3)
    np.testing.assert_allclose(u @ c @ vh, np.stack([x, x]), atol=1e-13)
    assert L.cossin(np.zeros((0, 5, 5)), 2, 3)[0].shape == (0, 5, 5)
    for keywords, message in (({}, "exactly four"), ({"p": 5, "q": 1}, "invalid p"), ({"p": 1, "q": -1}, "invalid q")):
        with pytest.raises(ValueError, match=message):
            L.cossin(x, **keywords)


@settings(max_examples=25, deadline=None)
@given(SHAPES)
def test_random_hessenberg_forms(case):
    n, _, stack, dtype, seed = case
    a = drawn(stack, n, n, dtype=dtype, seed=seed)

    def loss(a):
        h = L.hessenberg(a)
        return np.real(np.sum(h @ h * np.eye(n)))

    np.testing.assert_allclose(grad(loss)(a), 2 * H(a), rtol=1e-7, atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(SHAPES)
def test_random_pairs(case):
    n, _, stack, dtype, seed = case
    a, b = (drawn(stack, n, n, dtype=dtype, seed=seed + k) + 3 * np.eye(n) for k in (0, 1))

    def loss(a, b):
        s, t, _, _ = L.qz(a, b)
        return np.sum(np.real(np.trace(np.linalg.solve(t, s), axis1=-2, axis2=-1)))

    x = np.linalg.inv(b)
    for found, expected in zip(grad(loss, (0, 1))(a, b), (H(x), -H(x @ a @ x)), strict=True):
        np.testing.assert_allclose(
            found, expected, rtol=1e-6, atol=1e-6 * max(1.0, np.max(np.abs(x), initial=0.0) ** 3)
        )


@settings(max_examples=25, deadline=None)
@given(SHAPES, st.integers(0, 5))
def test_random_projectors(case, rank):
    m, n, stack, dtype, seed = case
    rank = min(rank, m, n)
    left, right = drawn(stack, m, rank, dtype=dtype, seed=seed), drawn(stack, rank, n, dtype=dtype, seed=seed + 1)
    c = drawn(m, m, dtype=dtype, seed=1)

    def loss(left, right):
        return real_inner(c, projector(L.orth(left @ right, rcond=1e-10)))

    def reference(left):
        q = np.linalg.qr(left)[0]
        return real_inner(c, projector(q))

    g_left, g_right = grad(loss, (0, 1))(left, right)
    scale = (
        max(1.0, np.max(np.linalg.cond(left), initial=0.0) * np.max(np.linalg.cond(right), initial=0.0)) if rank else 1
    )
    np.testing.assert_allclose(g_left, grad(reference)(left), rtol=1e-7, atol=1e-9 * scale**2)
    np.testing.assert_allclose(g_right, 0, atol=1e-9 * scale**2)


# digits that rounding errors take


def nearly_defective(gap, dtype):
    random = np.random.default_rng(1)
    a = np.diag([1.0, 2.0, 2.0 + gap, 4.0]) + np.triu(random.normal(size=(4, 4)), 1)
    q = random_unitary(random, dtype)
    return q @ a @ H(q)


def nearly_reduced(element, dtype):
    random = np.random.default_rng(3)
    h = np.triu(random.normal(size=(4, 4))) + np.diag([1.0, element, 1.0], -1)
    q = np.zeros((4, 4), dtype)
    q[0, 0], q[1:, 1:] = 1, random_unitary(random, dtype)[:3, :3]
    q[1:, 1:] = np.linalg.qr(q[1:, 1:])[0]
    return q @ h @ H(q)


def random_unitary(random, dtype):
    a = random.normal(size=(4, 4)) + 1j * random.normal(size=(4, 4))
    return np.linalg.qr(a if dtype is complex else a.real)[0]


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize(
    ("name", "matrix", "sizes"),
    [
        ("schur", nearly_defective, (1e-1, 1e-3, 1e-6)),
        ("qz", nearly_defective, (1e-1, 1e-3, 1e-6)),
        ("ordqz", nearly_defective, (1e-1, 1e-3, 1e-6)),
        ("hessenberg", nearly_reduced, (1e-1, 1e-4, 1e-9)),
    ],
)
def test_a_form_that_is_hardly_determined_has_its_digits_or_no_derivative(name, matrix, sizes, dtype):
    """A gradient moves by the digits that it has lost where the matrix moves by rounding errors."""
    other = drawn(4, 4, dtype=dtype, seed=7) + 3 * np.eye(4)  # the pair `a @ other, other` has the eigenvalues of `a`
    f = {
        "schur": L.schur,
        "qz": lambda a: L.qz(a @ other, other)[:3:2],
        "ordqz": lambda a: L.ordqz(a @ other, other)[:6:5],
        "hessenberg": lambda a: L.hessenberg(a, calc_q=True),
    }[name]
    random = np.random.default_rng(5)
    weights, d = random.normal(size=(2, 4, 4))
    losses = [lambda a, k=k: np.sum(weights * np.abs(f(a)[k]) ** 2) for k in (0, 1)]
    for loss in losses:
        for size in sizes[:2]:
            a = matrix(size, dtype)
            g = grad(loss)(a)
            moved = grad(loss)(a + np.finfo(float).eps * np.linalg.norm(a) * d / np.linalg.norm(d))
            np.testing.assert_allclose(moved, g, rtol=0, atol=1e-7 * np.linalg.norm(g))
        a = matrix(sizes[2], dtype)
        with pytest.raises(PrecisionLossError, match="rounding errors spoil a derivative"):
            grad(loss)(a)
        with pytest.raises(PrecisionLossError, match="rounding errors spoil a derivative"):
            jvp(loss, (a,), (d + 0 * a,))


@pytest.mark.parametrize("dtype", [float, complex])
def test_functions_of_the_matrix_keep_their_digits_next_to_a_defective_one(dtype):
    a = nearly_defective(1e-6, dtype)
    weights = np.random.default_rng(5).normal(size=(4, 4))

    def square(t, z):
        return np.sum(weights * np.real(z @ t @ t @ H(z)))

    expected = weights @ H(a) + H(a) @ weights
    np.testing.assert_allclose(grad(lambda a: square(*L.schur(a)))(a), expected, atol=1e-8)

    def again(a):
        s, _, q, z = L.qz(a, np.eye(4))
        return np.sum(weights * np.real(q @ s @ H(z)))

    np.testing.assert_allclose(grad(again)(a), weights + 0 * a, atol=1e-8)
