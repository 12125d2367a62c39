"""Equal and nearly equal eigenvalues and singular values, of symmetric and of general matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eigenvalue_helpers import KINDS, second_derivatives
from random_matrices import H, as_read, drawn, general_with, hermitian_with
from wirtinger import grad, hvp, jvp, linearize, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, NotDifferentiableError, PrecisionLossError

# --- equal and nearly equal values ------------------------------------------------------------------------------------

GAPS = [1.0, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13, 1e-15, 0.0]


def cube(a):
    w, v = L.eigh(a)
    x = (v * w**3) @ H(v)
    return np.real(np.sum(WEIGHTS * x)) + np.sum(np.abs(x) ** 2)


def cube_by_products(a):
    h = as_read(a)
    x = h @ h @ h
    return np.real(np.sum(WEIGHTS * x)) + np.sum(np.abs(x) ** 2)


WEIGHTS = drawn(4, 4, seed=3)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("gap", GAPS)
def test_functions_of_hermitian_matrices_by_their_vectors(gap, dtype):
    a = hermitian_with((0.7317, 0.7317 + gap, 1.611, 3.3), dtype)
    expected = grad(cube_by_products)(a)
    np.testing.assert_allclose(grad(cube)(a), expected, atol=1e-11 * np.max(np.abs(expected)))
    t = hermitian_with((1, -1, 0.5, 2), dtype, 5)
    expected = hvp(cube_by_products, (a,), (t,))
    found = hvp(cube, (a,), (t,))
    np.testing.assert_allclose(found, expected, atol=_allowed(gap) * np.max(np.abs(expected)))


def _allowed(gap):
    """Values this far apart are split, or have errors of `eps / gap**2`."""
    return 1e-12 if gap < 1e-3 or gap == 1 else 1e-9


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("gap", GAPS)
def test_functions_of_matrices_by_singular_vectors(gap, dtype):
    m = drawn(5, 4, dtype=dtype, seed=6)

    def f(a):
        u, s, vh = L.svd(a, full_matrices=False)
        return np.real(np.sum(m * ((u * s**3) @ vh)))

    def reference(a):
        return np.real(np.sum(m * (a @ H(a) @ a)))

    a = general_with((2.3, 1.17 + gap, 1.17, 0.4), 5, 4, dtype)
    expected = grad(reference)(a)
    np.testing.assert_allclose(grad(f)(a), expected, atol=1e-11 * np.max(np.abs(expected)))
    t = drawn(5, 4, dtype=dtype, seed=7)
    expected = hvp(reference, (a,), (t,))
    np.testing.assert_allclose(hvp(f, (a,), (t,)), expected, atol=_allowed(gap) * np.max(np.abs(expected)))


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("gap", GAPS)
def test_second_derivatives_of_losses_of_values(gap, dtype):
    t, h = hermitian_with((1, -1, 0.5, 2), dtype, 5), hermitian_with((1, 0, 0.5, -2), dtype, 6)
    a = hermitian_with((0.7317, 0.7317 + gap, 1.611, 3.3), dtype)
    found = second_derivatives(lambda a: np.sum(L.eigvalsh(a) ** 3), a, t, h)
    expected = second_derivatives(lambda a: np.real(np.trace(as_read(a) @ as_read(a) @ as_read(a))), a, t, h)
    for key, x in found.items():
        y = expected[key]()
        np.testing.assert_allclose(x(), y, atol=_allowed(gap) * np.max(np.abs(y)), err_msg=key)


@pytest.mark.parametrize("gap", GAPS[1:])
def test_projectors_on_nearly_equal_values(gap):
    """The projector is a contour integral of the resolvent."""
    nodes = 0.8 + 0.4 * np.exp(2j * np.pi * np.arange(80) / 80)

    def by_integral(a):
        p = sum((z - 0.8) / 80 * np.linalg.inv(z * np.eye(4) - as_read(a)) for z in nodes)
        return np.real(np.sum(WEIGHTS * (p + H(p)) / 2)) + np.sum(np.abs((p + H(p)) / 2) ** 4)

    def by_vectors(a):
        v = L.eigh(a)[1][:, :2]
        p = v @ H(v)
        return np.real(np.sum(WEIGHTS * p)) + np.sum(np.abs(p) ** 4)

    a, t = hermitian_with((0.7317, 0.7317 + gap, 1.611, 3.3), complex), hermitian_with((1, -1, 0.5, 2), complex, 5)
    np.testing.assert_allclose(grad(by_vectors)(a), grad(by_integral)(a), atol=1e-12)
    np.testing.assert_allclose(hvp(by_vectors, (a,), (t,)), hvp(by_integral, (a,), (t,)), atol=10 * _allowed(gap))


@pytest.mark.parametrize("dtype", KINDS)
def test_derivatives_of_equal_values_are_in_the_order_of_the_values(dtype):
    """Along one direction the first of equal values is the one that comes first a step further on."""
    for values, a in (
        (np.linalg.eigvalsh, hermitian_with((0.7, 0.7, 0.7, 3.3), dtype)),
        (L.svdvals, general_with((1.1, 1.1, 1.1, 0, 0), 6, 5, dtype)),
    ):
        t = drawn(*a.shape, dtype=dtype, seed=5)
        found = jvp(values, (a,), (t,))[1]
        np.testing.assert_allclose(found, (values(a + 1e-7 * t) - values(a)) / 1e-7, atol=1e-5)


@pytest.mark.parametrize("dtype", KINDS)
def test_two_derivatives_in_forward_mode_where_values_are_equal(dtype):
    """Along one direction the vectors of equal values turn as they move apart."""
    a, t = hermitian_with((0.7, 0.7, 0.7, 3.3), dtype), hermitian_with((1, -1, 0.5, 2), dtype, 5)
    second = [jvp(lambda a, f=f: jvp(f, (a,), (t,))[1], (a,), (t,))[1] for f in (cube, cube_by_products)]
    np.testing.assert_allclose(second[0], second[1], rtol=1e-11)
    (_, v), (_, dv) = jvp(L.eigh, (a,), (t,))
    near = np.linalg.eigh(a + 1e-6 * t)[1]
    np.testing.assert_allclose(near * (H(near) @ v).diagonal(), v + 1e-6 * dv, atol=1e-8)

    m, b, s = (drawn(5, 3, dtype=dtype, seed=k) for k in (1, 2, 3))
    b = general_with((1.1, 1.1, 0.4), 5, 3, dtype)

    def f(a):
        u, s, vh = L.svd(a, full_matrices=False)
        return np.real(np.sum(m * ((u * s**3) @ vh)))

    def reference(a):
        return np.real(np.sum(m * (a @ H(a) @ a)))

    second = [jvp(lambda a, f=f: jvp(f, (a,), (s,))[1], (b,), (s,))[1] for f in (f, reference)]
    np.testing.assert_allclose(second[0], second[1], rtol=1e-11)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([-1.5, 0.0, 0.3, 2.0]), min_size=1, max_size=6), st.integers(0, 99), st.booleans())
def test_any_multiplicities(values, seed, is_complex):
    dtype = complex if is_complex else float
    a = hermitian_with(sorted(values), dtype, seed)
    n = len(values)
    m, t = drawn(n, n, dtype=dtype, seed=seed + 1), hermitian_with(np.arange(n) + 0.5, dtype, seed + 2)

    def f(a):
        w, v = L.eigh(a)
        return np.real(np.sum(m * ((v * (w**2 + 1)) @ H(v))))

    def reference(a):
        h = as_read(a)
        return np.real(np.sum(m * (h @ h + np.eye(n))))

    np.testing.assert_allclose(grad(f)(a), grad(reference)(a), atol=1e-12)
    np.testing.assert_allclose(hvp(f, (a,), (t,)), hvp(reference, (a,), (t,)), atol=1e-11)


@pytest.mark.parametrize("seed", [20, 21])
def test_a_loss_made_of_numbers_from_a_small_seed(seed):
    """Vectors of equal values are chosen by random numbers, which may not be those of the loss."""
    m = np.random.default_rng(seed).standard_normal((2, 2))
    found = grad(lambda a: (lambda w, v: np.sum(m * ((v * (w**2 + 1)) @ v.T)))(*L.eigh(a)))(-1.5 * np.eye(2))
    np.testing.assert_allclose(found, -3 * np.array([[m[0, 0], 0], [m[0, 1] + m[1, 0], m[1, 1]]]), rtol=1e-12)


def test_functions_of_a_multiple_of_the_identity_by_its_vectors():
    found = grad(lambda a: (lambda w, v: np.sum(np.real((v * np.log(w)) @ L.inv(v))))(*L.eig(a)))(2 * np.eye(3))
    np.testing.assert_allclose(found, np.full((3, 3), 0.5), rtol=1e-12)


def test_nothing_else_is_taken_for_a_function_of_the_matrix():
    """One vector at a small gap: its derivative is large, and right."""
    a = hermitian_with((1, 1 + 1e-7, 2, 3), complex)
    w, v = np.linalg.eigh(a)
    t = hermitian_with((1, -1, 0.5, 2), complex, 5)
    p = H(v) @ t @ v
    change = v @ (p[:, :1] * np.array([[0], [1], [1], [1]]) / np.array([[1], *(w[0] - w[1:])[:, None]]))
    expected = 2 * np.real(np.sum(np.diag(WEIGHTS).real * np.conj(v[:, 0]) * change[:, 0]))
    found = np.real(
        np.sum(np.conj(grad(lambda a: np.sum(np.diag(WEIGHTS).real * np.abs(L.eigh(a)[1][:, 0]) ** 2))(a)) * t)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-7)


# --- general matrices -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [(1.3, 1.3, 2.1), (2, 2, 2, 0.5), (1.3, 0.4, 1.3, 0.4), (1, 1, 1)])
@pytest.mark.parametrize("function", [L.eigvals, lambda a: L.eig(a)[0]], ids=["eigvals", "eig"])
def test_second_derivatives_where_general_matrices_have_equal_eigenvalues(function, values, dtype):
    n = len(values)
    x = drawn(n, n, dtype=dtype, seed=1)
    a = x @ np.diag(values).astype(dtype) @ np.linalg.inv(x) if len(set(values)) > 1 else np.eye(n, dtype=dtype)
    t, h = drawn(n, n, dtype=dtype, seed=4), drawn(n, n, dtype=dtype, seed=9)

    def f(a):
        w = function(a)
        return np.real(np.sum(w**3) + (2 + 1j) * np.sum(w**2) ** 2)

    def reference(a):
        return np.real(np.trace(a @ a @ a) + (2 + 1j) * np.trace(a @ a) ** 2)

    found, expected = (second_derivatives(loss, a, t, h) for loss in (f, reference))
    refused = []
    for key, derivative in found.items():
        y = expected[key]()
        try:
            value = derivative()
        except NotDifferentiableError:  # a real result cannot say how real eigenvalues become complex
            refused.append(key)
            continue
        np.testing.assert_allclose(value, y, atol=1e-9 * np.max(np.abs(y)), err_msg=key)
    assert not refused or (dtype is float and all("forward" in key for key in refused))


def test_directions_that_make_equal_eigenvalues_defective():
    """The vectors have no derivative, a symmetric function of the eigenvalues has."""
    t = np.array([[0.0, 1.0], [0.0, 0.0]])
    second = hvp(lambda a: np.real(np.sum(L.eigvals(a) ** 3)), (np.eye(2),), (t,))
    np.testing.assert_allclose(second, 6 * t.T, atol=1e-12)
    with pytest.raises(NotDifferentiableError, match="defective"):
        jvp(lambda a: L.eig(a)[0], (np.eye(2),), (t,))


def test_projectors_on_equal_eigenvalues_of_general_matrices():
    x = drawn(3, 3)
    a = x @ np.diag([1.0, 1.0, 2.0]) @ np.linalg.inv(x)
    m = drawn(3, 3, seed=1)
    nodes = 1 + 0.4 * np.exp(2j * np.pi * np.arange(80) / 80)

    def by_vectors(a):
        w, v = L.eig(a)
        tied = [i for i in range(3) if abs(w[i] - 1) < 0.1]
        return np.real(np.sum(m * (v[:, tied] @ L.inv(v)[tied])))

    def by_integral(a):
        return np.real(np.sum(m * sum((z - 1) / 80 * np.linalg.inv(z * np.eye(3) - a) for z in nodes)))

    np.testing.assert_allclose(grad(by_vectors)(a), grad(by_integral)(a), atol=1e-9)


@pytest.mark.parametrize("dtype", KINDS)
def test_vectors_of_single_eigenvalues_beside_equal_ones_are_those_of_a_plain_call(dtype):
    for seed in range(6):
        x = drawn(4, 4, dtype=dtype, seed=seed)
        a = np.stack([x @ np.diag([1.0, 2.0, 1.0, 3.0]) @ np.linalg.inv(x), np.diag([1.0, 2.0, 3.0, 4.0])])
        w, v = np.linalg.eig(a)
        single = np.where(np.abs(w - 1) > 0.1, 1, 0)[:, None, :]
        for found in (vjp(L.eig, a)[0], linearize(L.eig, a)[0]):
            np.testing.assert_allclose(found[1] * single, v * single, atol=1e-12)


# --- general matrices with equal and nearly equal eigenvalues ---------------------------------------------------------


def general_near(gap, size, count, dtype, random):
    """A matrix with `count` eigenvalues a `gap` apart, and vectors of a condition number from 3 to 30."""
    p = np.zeros((size, size))
    while not 3 < np.linalg.cond(p) < 30:
        p = random.standard_normal((size, size)) + (
            1j * random.standard_normal((size, size)) if dtype is complex else 0
        )
    w = random.uniform(0.3, 2.5, size) + (1j * random.uniform(-1, 1, size) if dtype is complex else 0)
    w[1:count] = w[0] + gap * np.arange(1, count) * (np.exp(1j * random.uniform(0, 6)) if dtype is complex else 1)
    return p @ np.diag(w) @ np.linalg.inv(p)


def all_derivatives(f, a, t, h):
    first = {"reverse": lambda: grad(f)(a), "forward": lambda: jvp(f, (a,), (t,))[1]}
    return first | second_derivatives(f, a, t, h)


def misses(f, reference, a, t, h):
    """The relative errors of all first and second derivatives; those refused are left out."""
    expected = {key: y() for key, y in all_derivatives(reference, a, t, h).items()}
    found = {}
    for key, derivative in all_derivatives(f, a, t, h).items():
        size = np.max(np.abs(expected["forward over reverse" if "over" in key else "reverse"]))
        try:
            error = np.max(np.abs(derivative() - expected[key]))
        except (GaugeError, NotDifferentiableError, PrecisionLossError):
            continue
        found[key] = error / max(size, np.max(np.abs(expected[key])))
    return found


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("gap", [0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1])
def test_functions_of_general_matrices_by_their_vectors(gap, dtype):
    right = []
    for seed, (size, count) in enumerate([(3, 2), (4, 3), (4, 2)]):
        random = np.random.default_rng([seed, int(gap * 1e15)])
        a = general_near(gap, size, count, dtype, random)
        weights, t, h = (drawn(size, size, dtype=dtype, seed=10 * seed + k) for k in range(3))

        def by_vectors(a, weights=weights):
            w, v = L.eig(a)
            return np.real(np.sum(weights * ((v * w**2) @ L.inv(v))))

        errors = misses(by_vectors, lambda a, weights=weights: np.real(np.sum(weights * (a @ a))), a, t, h)
        assert max(errors.values()) < 1e-8, errors
        right.append(len(errors))
    assert sum(right) >= 12


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("gap", [0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3])
def test_losses_of_nearly_equal_eigenvalues_of_general_matrices(gap, dtype):
    a = general_near(gap, 4, 3, dtype, np.random.default_rng(int(gap * 1e15)))
    t, h = drawn(4, 4, dtype=dtype, seed=4), drawn(4, 4, dtype=dtype, seed=5)
    errors = misses(
        lambda a: np.real((2 + 1j) * np.sum(L.eigvals(a) ** 3)),
        lambda a: np.real((2 + 1j) * np.trace(a @ a @ a)),
        a,
        t,
        h,
    )
    assert len(errors) == 6
    assert max(errors.values()) < 1e-10, errors


@pytest.mark.parametrize("gap", [1e-12, 1e-10])
def test_losses_that_tell_nearly_equal_eigenvalues_apart_are_refused(gap):
    a = general_near(gap, 3, 2, complex, np.random.default_rng(3))
    w = np.linalg.eigvals(a)
    near = int(np.argmin([np.sort(np.abs(w - x))[1] for x in w]))
    for f in (lambda a: np.real(L.eigvals(a)[near] ** 2), lambda a: np.abs(L.eig(a)[1][0, near]) ** 2):
        for derivative in (grad(f), lambda a, f=f: hvp(f, (a,), (a @ a.T,))):
            with pytest.raises((GaugeError, PrecisionLossError), match=r"dominate|choice"):
                derivative(a)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("off", [1e-4, 1e-2, 0.3, 1])
@pytest.mark.parametrize("seed", range(5))
def test_nearly_defective_matrices_have_the_derivative_or_none(seed, off, dtype):
    q = np.linalg.qr(drawn(3, 3, dtype=float, seed=seed + 2))[0]
    weights, t, h = (drawn(3, 3, dtype=dtype, seed=3 * seed + k) for k in range(3))
    for gap in (1e-11, 1e-8, 1e-6, 1e-4, 1e-2, 3e-2):
        a = (q @ np.array([[1.3, off, 0.4], [0, 1.3 + gap, 0], [0, 0, 2.2]]) @ q.T).astype(dtype)

        def by_vectors(a):
            w, v = L.eig(a)
            return np.real(np.sum(weights * ((v * w**2) @ L.inv(v))))

        errors = misses(by_vectors, lambda a: np.real(np.sum(weights * (a @ a))), a, t, h)
        assert max(errors.values(), default=0.0) < 1e-6, errors
