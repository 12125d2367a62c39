"""`optimize`: bounds and constraints given as trees; `curve_fit` and its derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from numpy.testing import assert_allclose, assert_array_equal

import wirtinger as wp
from wirtinger import NotDifferentiableError, grad, jacobian, optimize

START = {"a": np.zeros((2, 2)), "b": 1.0}


def bowl(p, c=3.0):
    return wp.sum((p["a"] - c) ** 2) + (p["b"] + 2) ** 2


def test_bounds_are_two_trees():
    ends = {"b": 0.5, "a": -1.0}, {"a": np.array([1.0, 2.0]), "b": np.inf}
    for bounds in (ends, scipy.optimize.Bounds(-1.0, 1.0), (None, 1.0), (-1.0, None)):
        x = optimize.minimize(bowl, START, bounds=bounds).x
        if bounds is ends:
            assert_allclose(x["a"], [[1, 2], [1, 2]])
            assert_allclose(x["b"], 0.5)
        else:
            upper = np.inf if bounds == (-1.0, None) else 1.0
            assert_allclose(x["a"], min(3, upper), atol=1e-6)
            assert_allclose(x["b"], -2 if bounds == (None, 1.0) else -1, atol=1e-6)
    x = optimize.least_squares(lambda p: {"r": p["a"] - 3.0, "q": p["b"] + 0.5}, START, bounds=(-1.0, 1.0)).x
    assert_allclose(x["a"], 1, atol=1e-6)
    assert_allclose(x["b"], -0.5, atol=1e-6)


def test_a_minimum_within_bounds_of_a_tree_has_derivatives():
    def total(c):
        x = optimize.minimize(
            lambda p: bowl(p, c) + p["b"] * wp.sum(p["a"]), START, bounds=({"a": -9.0, "b": 0.5}, None)
        ).x
        return wp.sum(x["a"]) + x["b"]

    assert_allclose(grad(total)(3.0), 4.0, rtol=1e-6)  # b rests at 0.5, and a = c - b / 2


def test_constraints_of_a_tree():
    def norm(p):
        return wp.sum(p["a"] ** 2) + p["b"] ** 2

    def excess(p, c):
        return {"sum": wp.sum(p["a"]) + p["b"] - c}

    x = optimize.minimize(norm, START, constraints={"type": "eq", "fun": excess, "args": (5.0,)}).x
    assert_allclose([*x["a"].ravel(), x["b"]], 1, atol=1e-6)
    above = scipy.optimize.NonlinearConstraint(lambda p: excess(p, 0.0), 5.0, np.inf)
    x = optimize.minimize(norm, START, method="SLSQP", constraints=[above]).x
    assert_allclose([*x["a"].ravel(), x["b"]], 1, atol=1e-6)
    with pytest.raises(NotDifferentiableError, match="constraints"):
        grad(lambda c: optimize.minimize(lambda p: norm(p) * c, START, constraints=[above]).x["b"])(1.0)


def test_wrong_limits_of_trees_raise():
    with pytest.raises(TypeError, match=r"LinearConstraint.*real vector"):
        optimize.minimize(bowl, START, constraints=scipy.optimize.LinearConstraint(np.eye(5)))
    with pytest.raises(TypeError, match="two"):
        optimize.minimize(bowl, START, bounds=[(0, 1)] * 5)
    with pytest.raises(ValueError, match="keys"):
        optimize.minimize(bowl, START, bounds=({"a": 0.0}, None))
    with pytest.raises(TypeError, match="complex"):
        optimize.minimize(lambda p: abs(p["z"]) ** 2, {"z": 1j}, bounds=(0.0, 1.0))
    with pytest.raises(TypeError, match="constraint is complex"):
        optimize.minimize(bowl, START, constraints={"type": "eq", "fun": lambda p: p["b"] * 1j})


T = np.linspace(0, 1, 12)
Y = 2 * np.exp(-1.5 * T) + 0.01 * np.cos(40 * T)
S = 0.01 + 0.01 * T


def decay(t, a, k):
    return a * wp.exp(-k * t)


def test_curve_fit_returns_scipys_values():
    theirs = scipy.optimize.curve_fit(lambda t, a, k: a * np.exp(-k * t), T, Y, [1.0, 1.0], S)
    seen = []
    jacobian(lambda y: seen.append(optimize.curve_fit(decay, T, y, [1.0, 1.0], S)) or seen[0][0])(Y)
    for found in (optimize.curve_fit(decay, T, Y, [1.0, 1.0], S), wp.stop_gradient(seen[0])):
        for own, other in zip(found, theirs, strict=True):
            assert_array_equal(own, other)
    assert len(optimize.curve_fit(decay, T, Y, full_output=True)) == 5


@pytest.mark.parametrize("absolute", [True, False])
@pytest.mark.parametrize("weights", ["none", "deviations", "covariance"])
def test_curve_fit_has_derivatives_in_the_data(weights, absolute):
    sigma = {"none": None, "deviations": S, "covariance": np.diag(S**2) + 1e-5}[weights]

    def total(p, c):
        return p @ np.array([1.0, 2.0]) + 100 * wp.sum(c / np.array([1.0, 3.0]))

    def loss(y, t, s):
        return total(*optimize.curve_fit(decay, t, y, [1.0, 1.0], None if sigma is None else s, absolute))

    def plain(y, t, s):
        """The same by Gauss-Newton steps until nothing changes: SciPy ends too early for differences."""
        p, w = np.array([2.0, 1.5]), np.eye(y.size)
        if sigma is not None:
            w = np.linalg.inv(np.linalg.cholesky(s if s.ndim == 2 else np.diag(s**2)))
        for _ in range(60):
            e = np.exp(-p[1] * t)
            j, r = w @ np.stack([e, -p[0] * t * e], 1), w @ (p[0] * e - y)
            p = p - np.linalg.solve(j.T @ j, j.T @ r)
        return total(p, np.linalg.inv(j.T @ j) * (1 if absolute else r @ r / (y.size - 2)))

    data = (Y, T, S if sigma is None else sigma)
    gradients = grad(loss, argnums=(0, 1, 2))(*data)
    for i, (x, g) in enumerate(zip(data, gradients, strict=True)):
        along = np.cos(np.arange(x.size) ** 2).reshape(x.shape) * np.abs(x)
        along = along + along.T if x.ndim == 2 else along
        h = 1e-3
        ends = [plain(*data[:i], x + s * along, *data[i + 1 :]) for s in (-2 * h, -h, h, 2 * h)]
        assert_allclose(np.sum(g * along), np.dot([1, -8, 8, -1], ends) / (12 * h), rtol=1e-5, atol=1e-7)


def test_curve_fit_of_a_line_is_the_pseudoinverse():
    A = np.stack([T, np.ones_like(T)], 1)
    J = jacobian(lambda y: optimize.curve_fit(lambda t, a, b: a * t + b, T, y)[0])(Y)
    assert_allclose(J, np.linalg.pinv(A), rtol=1e-6, atol=1e-8)
    h = wp.hessian(lambda y: wp.sum(optimize.curve_fit(lambda t, a, b: a * t + b, T, y)[0] ** 2))(Y)
    assert_allclose(h, 2 * J.T @ J, atol=1e-6)


@pytest.mark.filterwarnings("ignore:Covariance of the parameters:scipy.optimize.OptimizeWarning")
def test_curve_fit_without_data_left_for_the_covariance():
    t, y = np.array([0.0, 1.0]), np.array([2.0, 0.5])  # a = y0, k = log(y0 / y1)

    def fit(y, **options):
        return optimize.curve_fit(decay, t, y, [1.0, 1.0], **options)

    (p, c), (dp, dc) = wp.jvp(fit, (y,), (np.array([1.0, 0.0]),))
    assert_array_equal(c, np.full((2, 2), np.inf))
    assert_array_equal(dc, np.full((2, 2), np.nan))
    assert_allclose(p, [2.0, np.log(4.0)], rtol=1e-8)
    assert_allclose(dp, [1.0, 0.5], rtol=1e-6)
    assert_allclose(jacobian(lambda y: fit(y)[0])(y), [[1.0, 0.0], [0.5, -2.0]], rtol=1e-6, atol=1e-8)
    assert np.isnan(grad(lambda y: fit(y)[1][0, 0])(y)).all()

    # J = [[1, 0], [y1/y0, -y1]] for deviations of 1: (J^T J)^-1 [0, 0] = 1, [1, 1] = 1/y0^2 + 1/y1^2
    absolute = jacobian(lambda y: fit(y, sigma=np.ones(2), absolute_sigma=True)[1])(y)
    assert_allclose(absolute[0, 0], 0, atol=1e-6)
    assert_allclose(absolute[1, 1], -2 / y**3, rtol=1e-5)


def test_curve_fit_closes_over_parameters_and_rests_on_bounds():
    def first(c):
        return optimize.curve_fit(lambda t, a: a * t * c, T, Y)[0][0]

    assert_allclose(grad(first)(2.0), -first(2.0) / 2, rtol=1e-6)
    J = jacobian(lambda y: optimize.curve_fit(decay, T, y, bounds=([0, 0], [1.8, 10]))[0])(Y)
    assert_array_equal(J[0], 0)
    assert np.abs(J[1]).max() > 0.01
    with pytest.raises(NotDifferentiableError, match="omit"):
        grad(lambda y: optimize.curve_fit(decay, T, y, nan_policy="omit")[0][0])(Y)
