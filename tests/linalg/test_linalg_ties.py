"""Derivatives through the vectors of equal, nearly equal and vanishing values, against functions without vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from random_matrices import H, as_read, drawn, general_with, hermitian_with
from strict_array import StrictArray
from wirtinger import grad, hessian, hvp, jacobian, jvp, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, PrecisionLossError

KINDS = [float, complex]
GAPS = [1e-3, 1e-5, 1e-8, 1e-12, 0.0]


def along(f, t):
    return lambda a: jvp(f, (a,), (t,))[1]


def derivatives(f, a, t, h, third):
    """First and second derivatives in the modes that there are; with `third` Hessians and third derivatives, too."""
    found = {
        "reverse": grad(f)(a),
        "forward": along(f, t)(a),
        "forward over reverse": hvp(f, (a,), (t,)),
        "reverse over reverse": vjp(grad(f), a)[1](t)[0],
        "reverse over forward": grad(along(f, t))(a),
        "forward over forward": along(along(f, t), h)(a),
    }
    if third:
        found["hessian"] = np.stack(np.broadcast_arrays(*hessian(f)(a)))
        found["third"] = along(lambda a: hvp(f, (a,), (t,)), h)(a)
        found["third, reverse"] = grad(lambda a: np.real(np.sum(np.conj(h) * vjp(grad(f), a)[1](t)[0])))(a)
    return found


def assert_same(f, reference, a, t, h, tolerance, third=False):
    found, expected = (derivatives(loss, a, t, h, third) for loss in (f, reference))
    for key, y in expected.items():
        scale = max(np.max(np.abs(y)), np.max(np.abs(expected["reverse"])))
        np.testing.assert_allclose(found[key], y, rtol=0, atol=tolerance * scale, err_msg=key)


def of_eigenvalues(function, weights):
    def loss(a):
        w, v = L.eigh(a)
        return np.real(np.sum(weights * ((v * function(w)) @ H(v))))

    return loss


def of_singular_values(function, weights):
    def loss(a):
        u, s, vh = L.svd(a, full_matrices=False)
        return np.real(np.sum(weights * ((u * function(s)) @ vh)))

    return loss


# --- eigenvalues ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "dtype"), list(zip(GAPS, [float, complex, float, complex, complex], strict=True)))
def test_functions_of_matrices_whatever_the_gap(gap, dtype):
    weights = drawn(4, 4, dtype=dtype, seed=3)

    def several(x, y):  # not one function of the matrix
        return np.real(np.sum(weights * x)) ** 2 + np.sum(np.abs(y) ** 2) * np.real(x[0, 1])

    def f(a):
        w, v = L.eigh(a)
        return several((v * np.exp(w)) @ H(v), (v * w**3) @ H(v))

    def reference(a):
        h = as_read(a)
        return several(L.expm(h), h @ h @ h)

    a = hermitian_with((0.7317, 0.7317 + gap, 1.611, 3.3), dtype)
    t, h = hermitian_with((1, -1, 0.5, 2), dtype, 5), hermitian_with((1, 0.2, 0.5, -2), dtype, 6)
    assert_same(f, reference, a, t, h, 1e-9, third=gap == 0)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [(1, 1, 1), (0, 0, 0), (-1, 2, 2, 2), (1, 1, 2, 2), (1, 1, 1 + 1e-8)])
def test_all_derivatives_at_equal_eigenvalues(values, dtype):
    n = len(values)
    weights = drawn(n, n, dtype=dtype, seed=3)
    t, h = drawn(n, n, dtype=dtype, seed=4), drawn(n, n, dtype=dtype, seed=5)
    assert_same(
        of_eigenvalues(lambda w: w**3 - w, weights),
        lambda a: np.real(np.sum(weights * (as_read(a) @ as_read(a) @ as_read(a) - as_read(a)))),
        hermitian_with(values, dtype),
        t,
        h,
        1e-12,
        third=True,
    )


def test_a_function_of_which_nothing_is_left_at_the_eigenvalues():
    weights = drawn(3, 3, dtype=float)
    f = of_eigenvalues(np.log, weights)
    np.testing.assert_allclose(grad(f)(np.eye(3)), np.tril(weights + weights.T, -1) + np.diag(weights.diagonal()))
    t = hermitian_with((1, 2, 3), float)
    np.testing.assert_allclose(along(along(f, t), t)(np.eye(3)), -np.sum(weights * (t @ t)))


def test_projectors_on_equal_eigenvalues():
    """The projector is a contour integral of the resolvent."""
    nodes = 0.8 + 0.4 * np.exp(2j * np.pi * np.arange(64) / 64)
    weights = drawn(4, 4, seed=3)

    def by_integral(a):
        p = sum((z - 0.8) / 64 * np.linalg.inv(z * np.eye(4) - as_read(a)) for z in nodes)
        return np.real(np.sum(weights * (p + H(p)) / 2)) + np.sum(np.abs((p + H(p)) / 2) ** 4)

    def by_vectors(a):
        v = L.eigh(a)[1][:, :2]
        return np.real(np.sum(weights * (v @ H(v)))) + np.sum(np.abs(v @ H(v)) ** 4)

    for gap in (0, 1e-5):
        a = hermitian_with((0.7317, 0.7317 + gap, 1.611, 3.3), complex)
        t, h = hermitian_with((1, -1, 0.5, 2), complex, 5), hermitian_with((1, 0.2, 0.5, -2), complex, 6)
        assert_same(by_vectors, by_integral, a, t, h, 1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("gap", [0, 1e-6, 1e-4, 1e-2])
def test_single_precision(gap, dtype):
    wide = np.result_type(dtype, np.float64)
    weights, t = drawn(3, 3, dtype=dtype, seed=3), hermitian_with((1, -1, 2), wide, 5).astype(dtype)
    a = hermitian_with((0.7, 0.7 + gap, 1.6), wide).astype(dtype)
    f = of_eigenvalues(lambda w: w**3, weights)
    expected = [x.astype(wide) for x in (grad(f)(a.astype(wide)), hvp(f, (a.astype(wide),), (t.astype(wide),)))]
    for x, y in zip((grad(f)(a), hvp(f, (a,), (t,))), expected, strict=True):
        assert x.dtype == dtype
        np.testing.assert_allclose(x, y, atol=5e-4 * np.max(np.abs(y)))


def test_stacks_some_items_of_which_have_equal_values():
    a = np.stack([np.eye(3), hermitian_with((1, 2, 3), float), hermitian_with((1, 1 + 1e-9, 3), float)])
    weights, t = drawn(3, 3, 3, dtype=float), drawn(3, 3, 3, dtype=float, seed=1)

    def f(a, weights=weights):
        w, v = L.eigh(a)
        return np.sum(weights * ((v * np.exp(w)[..., None, :]) @ H(v)))

    for stacked, one in (
        (grad(f)(a), lambda i: grad(lambda x: f(x, weights[i]))(a[i])),
        (hvp(f, (a,), (t,)), lambda i: hvp(lambda x: f(x, weights[i]), (a[i],), (t[i],))),
    ):
        for i in range(3):
            np.testing.assert_allclose(stacked[i], one(i), rtol=1e-12, atol=1e-12)


def test_what_else_the_loss_depends_on():
    """Parameters, the matrix itself beside its vectors, a second decomposition, written elements, and the value."""
    c, a = drawn(3, 3, dtype=float), np.diag([1.0, 1.0, 2.0])

    def f(a, c):
        w, v = L.eigh(a)
        x = (v * np.exp(w)) @ v.T
        s = L.svd(x @ c, full_matrices=False)[1]
        y = np.zeros((3, 3)) + c
        y[1:, 0] = x[1:, 0]
        return np.sum(y * x) + np.sum(x * a) + np.sum(s**2)

    def reference(a, c):
        x = L.expm(as_read(a))
        y = np.concatenate([np.concatenate([c[:1, :1], x[1:, :1]]), c[:, 1:]], axis=1)
        return np.sum(y * x) + np.sum(x * a) + np.sum((x @ c) ** 2)

    for loss in (lambda g: grad(g, (0, 1)), lambda g: lambda a, c: hvp(g, (a, c), (c, a + 1.0))):
        for x, y in zip(loss(f)(a, c), loss(reference)(a, c), strict=True):
            assert type(x) is np.ndarray
            np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-10)


def test_other_arrays_than_numpys():
    a, weights = np.diag([1.0, 1.0, 2.0]), drawn(3, 3, dtype=float)
    f = of_eigenvalues(np.exp, weights)
    strict = grad(of_eigenvalues(np.exp, StrictArray(weights)))(StrictArray(a))
    np.testing.assert_allclose(strict.host, grad(f)(a), atol=1e-12)


@example([0.3 + 1e-12, 0.3 + 1e-5, 0.3, 0.3, 0.0], 94, float)
@example([0.3 + 1e-12, 0.3], 5, complex)
@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    st.lists(st.sampled_from([-1.5, 0.0, 1e-9, 0.3, 0.3 + 1e-12, 0.3 + 1e-5, 2.0]), min_size=1, max_size=5),
    st.integers(0, 99),
    st.sampled_from(KINDS),
)
def test_any_multiplicities(values, seed, dtype):
    n = len(values)
    a = hermitian_with(sorted(values), dtype, seed)
    weights, t, h = (drawn(n, n, dtype=dtype, seed=seed + k) for k in (1, 2, 3))
    f = of_eigenvalues(np.exp, weights)
    assert_same(f, lambda a: np.real(np.sum(weights * L.expm(as_read(a)))), a, t, h, 1e-8)


# --- singular values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 5)])
@pytest.mark.parametrize("values", [(2, 1.2, 0), (2, 0, 0), (0, 0, 0), (2, 2, 0), (2, 1e-7, 0), (2, 1e-9, 1e-13)])
def test_odd_functions_of_vanishing_singular_values(values, shape, dtype):
    m, n = shape
    weights, t, h = (drawn(m, n, dtype=dtype, seed=k) for k in (3, 4, 5))

    def reference(a):
        return np.real(np.sum(weights * (a @ H(a) @ a + a)))

    f = of_singular_values(lambda s: s**3 + s, weights)
    assert_same(f, reference, general_with(values, m, n, dtype), t, h, 1e-10)


@pytest.mark.parametrize(("gap", "dtype"), list(zip(GAPS, [complex, float, complex, float, float], strict=True)))
def test_polar_factors_by_singular_vectors(gap, dtype):
    weights, t, h = (drawn(4, 3, dtype=dtype, seed=k) for k in (3, 4, 5))
    a = general_with((1.7 + gap, 1.7, 0.8), 4, 3, dtype)
    f = of_singular_values(np.ones_like, weights)
    assert_same(f, lambda a: np.real(np.sum(weights * L.polar(a)[0])), a, t, h, 1e-9)


def test_hessians_of_losses_of_singular_values_alone():
    a = general_with((1.5, 1.5, 0.3), 3, 3, float)
    found = hessian(lambda a: L.norm(a, "nuc"))(a)
    expected = hessian(lambda a: np.trace(L.polar(a)[1]))(a)
    np.testing.assert_allclose(found, expected, atol=1e-10)
    t = drawn(3, 3, dtype=float)
    third = along(lambda a: hvp(lambda a: np.sum(L.svdvals(a) ** 4), (a,), (t,)), t)(a)
    expected = along(lambda a: hvp(lambda a: np.sum((a.T @ a) ** 2), (a,), (t,)), t)(a)
    np.testing.assert_allclose(third, expected, atol=1e-9)


def test_hessians_of_losses_of_eigenvalues_alone():
    a, t = hermitian_with((1, 1, 1, 2), float), drawn(4, 4, dtype=float)

    def f(a):
        return np.sum(np.exp(L.eigvalsh(a)))

    def reference(a):
        return np.trace(L.expm(as_read(a)))

    np.testing.assert_allclose(hessian(f)(a), hessian(reference)(a), atol=1e-11)
    third = [along(lambda a, g=g: hvp(g, (a,), (t,)), t.T)(a) for g in (f, reference)]
    np.testing.assert_allclose(third[0], third[1], atol=1e-10)


# --- what has no derivative -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", KINDS)
def test_losses_that_depend_on_the_choice_of_vectors_are_refused(dtype):
    a = hermitian_with((1, 1, 2), dtype)
    weights, t, h = drawn(3, 3, dtype=dtype, seed=3), drawn(3, 3, dtype=dtype, seed=4), drawn(3, 3, dtype=dtype, seed=5)

    def f(a):
        v = L.eigh(a)[1]
        return np.sum(np.abs(v[:, 0]) ** 4 * np.arange(3))

    for derivative in (grad(f), lambda a: hvp(f, (a,), (t,)), lambda a: vjp(grad(f), a), along(along(f, t), h)):
        with pytest.raises(GaugeError, match="arbitrary"):
            derivative(a)
    with pytest.raises(GaugeError, match="arbitrary"):
        jacobian(lambda a: np.abs(L.eigh(a)[1]), mode="forward")(a)
    one_of_them = of_eigenvalues(lambda w: w * np.array([1, 0, 0]) + 1, weights)
    with pytest.raises(GaugeError):
        grad(one_of_them)(a)


def test_nearly_equal_values_told_apart():
    """The derivative is large, and right as far as its digits go."""
    weights = np.arange(4.0)

    def f(a):
        return np.sum(np.abs(L.eigh(a)[1][:, 0]) ** 4 * weights)

    def by_differences(a, t):  # of the eigenvalue, by values alone
        w, v = np.linalg.eigh(a)
        turn = (v.T @ t @ v)[:, 0] / np.where(w == w[0], np.inf, w[0] - w)
        return np.sum(4 * v[:, 0] ** 3 * (v @ turn) * weights)

    t = hermitian_with((1, -1, 0.5, 2), float, 5)
    for gap in (1e-3, 1e-5, 1e-7):
        a = hermitian_with((1, 1 + gap, 2, 3), float)
        np.testing.assert_allclose(np.sum(grad(f)(a) * as_read(t)), by_differences(a, t), rtol=1e-7)
        np.testing.assert_allclose(along(f, t)(a), by_differences(a, t), rtol=1e-7)
    a = hermitian_with((1, 1 + 1e-11, 2, 3), float)
    for derivative in (grad(f), along(f, t), lambda a: hvp(f, (a,), (t,))):
        with pytest.raises(PrecisionLossError, match="differ by"):
            derivative(a)


@pytest.mark.parametrize("scale", [1e-10, 1e-13, 1e-16])
@pytest.mark.parametrize("values", [(1, 1, 2), (0, 0, 1), (1, 1, 1)])
@pytest.mark.parametrize("dtype", KINDS)
def test_equal_values_of_tiny_matrices_inside_losses_of_size_one(values, scale, dtype):
    a, t, weights = hermitian_with(values, dtype), drawn(3, 3, dtype=dtype, seed=5), drawn(3, 3, dtype=dtype, seed=3)

    def beside(function):
        return lambda b: function(scale * b) + np.real(np.sum(weights * (H(b) @ b)))

    f = beside(of_eigenvalues(np.exp, weights))
    reference = beside(lambda a: np.real(np.sum(weights * L.expm(as_read(a)))))
    np.testing.assert_allclose(along(f, t)(a), along(reference, t)(a), rtol=1e-13)


@pytest.mark.parametrize("values", [(1, 1, 1), (1, 1, 2), (0.5, 1, 2)])
@pytest.mark.parametrize(
    "function",
    [L.eigvalsh, L.svdvals, L.eigvals, lambda a: L.eigh(a)[0], lambda a: L.svd(a)[1], lambda a: L.eig(a)[0]],
    ids=["eigvalsh", "svdvals", "eigvals", "eigh", "svd", "eig"],
)
def test_the_gradient_of_values_is_linear_in_their_cotangent(function, values):
    """Whatever the cotangent, its transpose is the same, and gives back the mean over equal values."""
    a, t = hermitian_with(values, float), hermitian_with((1, -1, 2), float, 5)

    def gradient(g):
        return vjp(lambda x: np.real(function(x)), a)[1](g)[0]

    even, uneven = np.ones(3), np.array([1.0, -2.0, 0.5])
    found = [vjp(gradient, g)[1](t)[0] for g in (even, uneven)]
    np.testing.assert_allclose(found[0], found[1], atol=1e-12)
    for g in (even, uneven):
        np.testing.assert_allclose(jvp(gradient, (g,), (uneven,))[1], gradient(uneven), atol=1e-12)
        np.testing.assert_allclose(np.sum(found[0] * g), np.sum(t * gradient(g)), atol=1e-12)
