"""Finite eigenvalues of pairs with several infinite ones: transmission zeros of systems, to every order."""

from __future__ import annotations

import numpy as np
import pytest

import wirtinger
from wirtinger import NotDifferentiableError, grad, gradcheck, jacobian, linalg


def zeros(a, b, c):
    """The numbers `s` at which `[[a - s, b], [c, 0]]` is singular."""
    n, k = b.shape
    pair = wirtinger.block([[a, b], [c, np.zeros((k, k))]])
    w = linalg.eigvals(pair, np.diag([1.0] * n + [0.0] * k))
    return w[np.isfinite(w)]


def test_zeros_of_a_transfer_function():
    # (3 s + u) / (s^2 + 5 s + 6) has the zero -u/3
    a, b = np.array([[-5.0, -6.0], [1.0, 0.0]]), np.array([[1.0], [0.0]])

    def found(u):
        return zeros(a, b, wirtinger.stack([wirtinger.array([3.0, u])]))[0].real

    np.testing.assert_allclose([found(7.0), grad(found)(7.0)], [-7 / 3, -1 / 3], rtol=1e-12)
    assert abs(grad(grad(found))(7.0)) < 1e-12


@pytest.mark.parametrize(("n", "k"), [(3, 1), (4, 1), (5, 2)])
def test_derivatives(n, k):
    rng = np.random.default_rng(n)
    a, b, c = rng.standard_normal((n, n)), rng.standard_normal((n, k)), rng.standard_normal((k, n))
    assert gradcheck(lambda a, b, c: wirtinger.sum(wirtinger.exp(zeros(a, b, c) / 4)).real, a, b, c)


def test_third_and_fourth_derivative():
    b = np.array([[1.0], [1.0]])

    def found(u):
        return zeros(np.diag([-1.0, -2.0]), b, wirtinger.stack([wirtinger.array([u, 1.0])]))[0].real

    # u/(s + 1) + 1/(s + 2) = 0 at s = -(2 u + 1)/(u + 1) = -2 + 1/(u + 1)
    derivative, wanted = found, 1.0
    for order in range(1, 5):
        derivative, wanted = grad(derivative), -wanted * order
        np.testing.assert_allclose(derivative(0.5), wanted / 1.5 ** (order + 1), rtol=1e-10)


def test_an_infinite_eigenvalue_has_no_derivative():
    a, m = np.array([[-1.0, 2.0, 0.0], [0.0, -3.0, 1.0], [1.0, 1.0, 0.0]]), np.diag([1.0, 1.0, 0.0])
    with pytest.raises(NotDifferentiableError, match="infinite eigenvalue"):
        grad(lambda a: wirtinger.sum(linalg.eigvals(a, m)).real)(a)
    integrators = np.diag([1.0], 1), np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]])
    pair = np.block([[integrators[0], integrators[1]], [integrators[2], np.zeros((1, 1))]])
    with pytest.raises(NotDifferentiableError, match="infinite eigenvalue"):
        grad(lambda pair: wirtinger.sum(linalg.eigvals(pair, m)).real)(pair)
    assert grad(lambda a: wirtinger.sum(zeros(a, *integrators[1:])).real)(integrators[0]).tolist() == [[0, 0], [0, 0]]
    assert jacobian(lambda a: linalg.eigvals(a, m)[1].real)(a).shape == (3, 3)
