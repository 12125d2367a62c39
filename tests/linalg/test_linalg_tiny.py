"""Derivatives at matrices all values of which are tiny: of losses that change on the scale of 1, and on their own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from random_matrices import H, as_read, drawn, general_with, hermitian_with
from wirtinger import grad, hvp, jvp, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, PrecisionLossError

SCALES = [1e-4, 1e-8, 1e-12, 1e-16, 1e-100]
FEW = [1e-4, 1e-8, 1e-100]
KINDS = [float, complex]

SERIES = {
    "square": (lambda w: w**2 + 1, (1, 0, 1)),
    "cube": (lambda w: w**3 - w + 2, (2, -1, 0, 1)),
    "cosine": (np.cos, (1, 0, -1 / 2, 0, 1 / 24, 0, -1 / 720)),
    "exponential": (np.exp, (1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120)),
}
"""Functions, and their Taylor coefficients as far as they are felt at the scales above."""


def of_matrix(coefficients, a):
    """The polynomial of a matrix, in which nothing is lost."""
    x = 0 * a
    for c in coefficients[:0:-1]:
        x = a @ (x + c * np.eye(a.shape[-1]))
    return x


def derivatives(f, a, t, h):
    def along(a):
        return jvp(f, (a,), (t,))[1]

    return {
        "reverse": lambda: grad(f)(a),
        "forward": lambda: along(a),
        "forward over reverse": lambda: hvp(f, (a,), (t,)),
        "reverse over reverse": lambda: vjp(grad(f), a)[1](t)[0],
        "reverse over forward": lambda: grad(along)(a),
        "forward over forward": lambda: jvp(along, (a,), (h,))[1],
    }


def assert_same(f, reference, a, t, h, tolerance=1e-9, factors=(1.0, 1.0), may_refuse=False):
    """Derivatives of `f`, times a factor for the first and the second ones, are those of the reference."""
    expected = {key: y() for key, y in reference.items()}
    sizes = [np.max(np.abs(expected[key])) for key in ("reverse", "forward over reverse")]
    for key, call in derivatives(f, a, t, h).items():
        second = "over" in key
        try:
            found = factors[second] * call()
        except (GaugeError, PrecisionLossError):
            if may_refuse:
                continue
            raise
        scale = max(np.max(np.abs(expected[key])), sizes[second])
        np.testing.assert_allclose(found, expected[key], rtol=0, atol=tolerance * scale, err_msg=key)


def of_eigenvalues(function, weights):
    def loss(a):
        w, v = L.eigh(a)
        return np.real(np.sum(weights * ((v * function(w)) @ H(v))))

    return loss


def check_eigh(values, scale, name, dtype, seed=0, may_refuse=False):
    n = len(values)
    weights, t, h = (drawn(n, n, dtype=dtype, seed=seed + k) for k in (1, 2, 3))
    a = scale * hermitian_with(values, dtype, seed)
    function, coefficients = SERIES[name]

    def reference(a):
        return np.real(np.sum(weights * of_matrix(coefficients, as_read(a))))

    f = of_eigenvalues(function, weights)
    assert_same(f, derivatives(reference, a, t, h), a, t, h, may_refuse=may_refuse)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("values", "name", "dtype"),
    [
        ((1, 2), "square", float),
        ((1, 2, 4), "cosine", complex),
        ((1, 1, 2), "exponential", float),
        ((0, 0, 1), "square", complex),
        ((-1, 1 - 1e-6, 1, 1), "cube", complex),
        ((1, 1, 1), "cosine", float),
    ],
)
def test_functions_of_size_one_of_tiny_hermitian_matrices(values, name, dtype, scale):
    check_eigh(values, scale, name, dtype)


@example([0.3, 2.0], -10.97, "cosine", float, 93)  # in which the skew-Hermitian part of a cotangent is exactly 0
@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    st.lists(st.sampled_from([-1.5, 0.0, 0.3, 0.3 + 1e-12, 0.3 + 1e-5, 1.0, 2.0]), min_size=1, max_size=4),
    st.floats(-100, -3.3),
    st.sampled_from(sorted(SERIES)),
    st.sampled_from(KINDS),
    st.integers(0, 99),
)
def test_any_tiny_hermitian_matrix(values, power, name, dtype, seed):
    """The derivative is right, or refused; and it is never refused where nothing is nearly equal."""
    near = np.diff(sorted(values))
    check_eigh(sorted(values), 10**power, name, dtype, seed, may_refuse=np.any((near > 0) & (near < 1e-2)))


@pytest.mark.parametrize("scale", FEW)
@pytest.mark.parametrize(("values", "dtype"), [((1, 2, 4), complex), ((1, 1, 3), float), ((-1, 0, 0), complex)])
def test_functions_that_change_on_the_scale_of_the_matrix(values, dtype, scale):
    n = len(values)
    weights, t, h = (drawn(n, n, dtype=dtype, seed=k) for k in (1, 2, 3))
    b = hermitian_with(values, dtype)
    reference = derivatives(lambda b: np.real(np.sum(weights * L.expm(as_read(b) / 3))), b, t, h)
    f = of_eigenvalues(lambda w: np.exp(w / scale / 3), weights)
    assert_same(f, reference, scale * b, t, h, factors=(scale, scale**2))


@pytest.mark.parametrize("scale", FEW)
@pytest.mark.parametrize("dtype", KINDS)
def test_single_vectors_of_tiny_matrices(dtype, scale):
    b, t, h = hermitian_with((1, 2, 4), dtype), drawn(3, 3, dtype=dtype, seed=5), drawn(3, 3, dtype=dtype, seed=6)

    def f(a):
        return np.sum(np.abs(L.eigh(a)[1][:, 0]) ** 4 * np.arange(3))

    assert_same(f, derivatives(f, b, t, h), scale * b, t, h, factors=(scale, scale**2))


@pytest.mark.parametrize("scale", FEW)
@pytest.mark.parametrize("values", [(1, 2, 4), (0, 0, 1), (-1, -1, 2)])
def test_losses_of_the_eigenvalues_alone(values, scale):
    a, t, h = scale * hermitian_with(values, complex), drawn(3, 3, seed=5), drawn(3, 3, seed=6)
    coefficients = SERIES["exponential"][1]
    reference = derivatives(lambda a: np.real(np.trace(of_matrix(coefficients, as_read(a)))), a, t, h)
    assert_same(lambda a: np.sum(np.exp(L.eigvalsh(a))), reference, a, t, h)


@pytest.mark.parametrize("scale", FEW)
@pytest.mark.parametrize(
    ("shape", "values", "dtype"),
    [((3, 3), (2, 1.2, 0.5), float), ((4, 3), (2, 2, 0), complex), ((2, 3), (2, 1), float), ((3, 1), (2,), complex)],
)
def test_functions_of_size_one_of_tiny_singular_values(shape, values, dtype, scale):
    m, n = shape
    odd, even = drawn(m, n, dtype=dtype, seed=3), drawn(m, m, dtype=dtype, seed=4)
    a, t, h = (
        scale * general_with(values, m, n, dtype),
        drawn(m, n, dtype=dtype, seed=5),
        drawn(m, n, dtype=dtype, seed=6),
    )

    def f(a):
        u, s, vh = L.svd(a, full_matrices=False)
        return np.real(np.sum(odd * ((u * np.sin(s)) @ vh)) + np.sum(even * ((u * s**2) @ H(u))))

    def reference(a):
        square = H(a) @ a
        sine = a - a @ square / 6 + a @ square @ square / 120
        return np.real(np.sum(odd * sine) + np.sum(even * (a @ H(a))))

    assert_same(f, derivatives(reference, a, t, h), a, t, h)


@pytest.mark.parametrize("scale", FEW)
@pytest.mark.parametrize(
    ("values", "name", "dtype"),
    [((1, 2), "square", float), ((1, -0.5, 2), "cosine", complex), ((1, 2j, -2j), "exponential", complex)],
)
def test_functions_of_size_one_of_tiny_general_matrices(values, name, dtype, scale):
    n = len(values)
    weights, t, h = (drawn(n, n, dtype=dtype, seed=k) for k in (1, 2, 3))
    v = drawn(n, n, dtype=dtype) + 2 * np.eye(n)
    a = scale * (v * np.array(values)) @ np.linalg.inv(v)
    function, coefficients = SERIES[name]

    def f(a):
        w, v = L.eig(a)
        return np.real(np.sum(weights * ((v * function(w)) @ L.inv(v))))

    assert_same(f, derivatives(lambda a: np.real(np.sum(weights * of_matrix(coefficients, a))), a, t, h), a, t, h)

    def of_values(a):
        return np.real(np.sum(function(L.eigvals(a))))

    reference = derivatives(lambda a: np.real(np.trace(of_matrix(coefficients, a))), a, t, h)
    assert_same(of_values, reference, a, t, h)


@pytest.mark.parametrize("scale", FEW)
def test_real_tiny_matrices_with_complex_eigenvalues(scale):
    b, t, h = (drawn(3, 3, dtype=float, seed=k) for k in (4, 5, 6))
    weights = drawn(3, 3, dtype=float)

    def f(function):
        def loss(a):
            w, v = L.eig(a)
            return np.sum(weights * np.real((v * function(w)) @ L.inv(v)))

        return loss

    a = scale * b
    square = derivatives(lambda a: np.sum(weights * (a @ a)), a, t, h)
    assert_same(f(lambda w: w**2 + 1), square, a, t, h)
    own = derivatives(lambda b: np.sum(weights * L.expm(b)), b, t, h)
    assert_same(f(lambda w: np.exp(w / scale)), own, a, t, h, factors=(scale, scale**2))


def test_stacks_with_tiny_items_and_others():
    items = [1e-9 * hermitian_with((1, 2, 4), float), hermitian_with((1, 2, 4), float), np.zeros((3, 3))]
    weights, t, a = drawn(3, 3, 3, dtype=float, seed=1), drawn(3, 3, 3, dtype=float, seed=2), np.stack(items)
    function, coefficients = SERIES["square"]

    def f(a, weights=weights):
        w, v = L.eigh(a)
        return np.sum(weights * ((v * function(w)[..., None, :]) @ H(v)))

    def reference(a, weights=weights):
        return np.sum(weights * of_matrix(coefficients, np.tril(a) + H(np.tril(a, -1))))

    first, second = grad(f)(a), hvp(f, (a,), (t,))
    np.testing.assert_allclose(second, hvp(reference, (a,), (t,)), atol=1e-12)
    for i in range(3):
        expected = grad(lambda x, i=i: reference(x, weights[i]))(a[i])
        np.testing.assert_allclose(first[i], expected, rtol=1e-12, atol=1e-12 * np.max(np.abs(a[i])))
