"""Rounding errors of functions of the values of tiny matrices: none harm a gradient, and series are used for few."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from random_matrices import H, as_read, drawn, general_with, hermitian_with
from wirtinger import grad, jacobian, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import PrecisionLossError
from wirtinger.complex_autograd.transforms.recording import Recording


def of_eigenvalues(function, weights):
    def loss(a):
        w, v = L.eigh(a)
        return np.sum(weights * ((v * function(w)) @ v.T))

    return loss


# What a function of the values makes of rounding errors: nothing; of size one; and hidden in a small result
ERRORS = {
    "itself": (lambda w: w, lambda w: w),
    "root": (np.sqrt, mpmath.sqrt),
    "power": (lambda w: w**1.5, lambda w: w ** mpmath.mpf(1.5)),
    "reciprocal": (lambda w: 1 / w, lambda w: 1 / w),
    "logarithm": (np.log, mpmath.log),
    "exponential": (np.exp, mpmath.exp),
    "difference": (lambda w: np.exp(w) - 1, mpmath.expm1),
    "logarithm of a sum": (lambda w: np.log(1 + w), mpmath.log1p),
    "versine": (lambda w: 1 - np.cos(w), lambda w: 2 * mpmath.sin(w / 2) ** 2),
}


def gradient_of_function(function, a, weights):
    """That of `sum(weights * f(a))`, by divided differences in 60 digits, where `a` is read."""
    with mpmath.workdps(60):
        values, q = mpmath.eigsy(mpmath.matrix(as_read(a).tolist()))
        w = q.T * mpmath.matrix(((weights + weights.T) / 2).tolist()) * q
        for i, x in enumerate(values):
            for j, y in enumerate(values):
                y = y * (1 + mpmath.mpf(10) ** -25)
                w[i, j] *= (function(x) - function(y)) / (x - y)
        found = np.array((q * w * q.T).tolist(), float)
    return np.tril(found, -1) * 2 + np.diag(found.diagonal())


@pytest.mark.parametrize("scale", [2e-4, 1e-5, 1e-8, 1e-12])
@pytest.mark.parametrize("values", [(1, 2, 4), (1, 1.03, 4)])
@pytest.mark.parametrize("name", sorted(ERRORS))
def test_rounding_errors_of_functions_of_tiny_values(name, values, scale):
    function, reference = ERRORS[name]
    a, weights = scale * hermitian_with(values, float), drawn(3, 3, dtype=float, seed=1)
    expected = gradient_of_function(reference, a, weights)
    found = grad(of_eigenvalues(function, weights))(a)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.max(np.abs(expected)))


def test_a_function_of_all_tiny_values():
    a, weights = 1e-8 * hermitian_with((1, 2, 4), float), drawn(3, 3, dtype=float, seed=1)

    def reference(a):
        a = as_read(a)
        return np.sum(weights * a) / (1 + np.trace(a))

    found = grad(of_eigenvalues(lambda w: (w + np.sum(w) + 1) / (1 + np.sum(w)) - 1, weights))(a)
    np.testing.assert_allclose(found, grad(reference)(a), rtol=0, atol=1e-9 * np.max(np.abs(weights)))


@pytest.mark.parametrize("scale", [2e-4, 1e-8])
@pytest.mark.parametrize("shape", [(3, 3), (3, 2)])
def test_rounding_errors_of_functions_of_tiny_singular_values(shape, scale):
    a, weights = scale * general_with((2.0, 1.2, 0.5)[: shape[1]], *shape, float), drawn(*shape, dtype=float, seed=3)

    def f(a):
        u, s, vh = L.svd(a, full_matrices=False)
        return np.sum(weights * ((u * np.log((1 + s) / (1 - s))) @ vh))

    def reference(a):
        square = H(a) @ a
        return np.sum(weights * (2 * a + a @ square * 2 / 3 + a @ square @ square * 2 / 5))

    np.testing.assert_allclose(grad(f)(a), grad(reference)(a), rtol=0, atol=1e-10)


@pytest.fixture
def reruns(monkeypatch):
    """How often a function ran again for series."""
    found, again = [], Recording._recorded_with_series

    def counted(self):
        found.append(self)
        return again(self)

    monkeypatch.setattr(Recording, "_recorded_with_series", counted)
    return found


@pytest.mark.parametrize("name", ["itself", "root", "power", "reciprocal", "logarithm"])
def test_functions_that_are_as_accurate_as_small_need_no_series(name, reruns):
    a, weights = 1e-8 * hermitian_with((1, 2, 4), float), drawn(3, 3, dtype=float, seed=1)
    grad(of_eigenvalues(ERRORS[name][0], weights))(a)
    assert not reruns


def test_a_function_runs_again_once_for_all_cotangents(reruns):
    a, t = 1e-8 * hermitian_with((1, 2, 4), float), drawn(3, 3, dtype=float, seed=1)

    def f(a):
        w, v = L.eigh(a)
        return (v * np.exp(w)) @ v.T

    def reference(a):
        a = as_read(a)
        return np.eye(3) + a + a @ a / 2

    _, pull = vjp(f, a)
    expected = vjp(reference, a)[1](t)[0]
    for factor in (1, 2):
        np.testing.assert_allclose(pull(factor * t)[0], factor * expected, rtol=0, atol=1e-12)
    assert len(reruns) == 1
    np.testing.assert_allclose(jacobian(f)(a), jacobian(reference)(a), rtol=0, atol=1e-12)


def test_a_function_that_changes_from_run_to_run_is_refused():
    a, random = 1e-8 * hermitian_with((1, 2, 4), float), np.random.default_rng(0)
    with pytest.raises(PrecisionLossError, match="gave another result"):
        grad(lambda a: of_eigenvalues(np.exp, random.standard_normal((3, 3)))(a))(a)
