"""The bridge to `scipy.optimize`: complex parameters and trees, exact derivatives, SciPy's own answers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize

from wirtinger import optimize

TARGET = np.array([1 + 2j, -0.5j, 3.0])
WEIGHTS = np.array([1.0, 4.0, 0.5])

# SciPy 1.17.1 multiplies uninitialized memory there, with derivatives written by hand as well
TRUST_KRYLOV = pytest.param("trust-krylov", marks=pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning"))


def bowl(z):
    return np.sum(WEIGHTS * np.abs(z - TARGET) ** 2) + np.sum(np.abs(z) ** 4) / 10


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


class TestMinimize:
    @pytest.mark.parametrize(
        "method",
        [
            None,
            "CG",
            "BFGS",
            "L-BFGS-B",
            "TNC",
            "SLSQP",
            "Newton-CG",
            "trust-ncg",
            TRUST_KRYLOV,
            "trust-exact",
            "dogleg",
        ],
    )
    def test_complex_vector(self, method):
        result = optimize.minimize(bowl, np.zeros(3, complex), method=method, tol=1e-10)
        assert result.x.dtype == np.complex128
        # stationary: w (z - t) + |z|^2 z / 5 = 0
        residual = WEIGHTS * (result.x - TARGET) + np.abs(result.x) ** 2 * result.x / 5
        np.testing.assert_allclose(residual, 0, atol=2e-5)

    def test_gradient_free(self):
        result = optimize.minimize(
            bowl, np.zeros(3, complex), method="Nelder-Mead", options={"maxiter": 4000, "fatol": 1e-12}
        )
        assert result.fun == pytest.approx(optimize.minimize(bowl, np.zeros(3, complex)).fun, abs=1e-6)

    def test_is_scipys_answer_with_the_exact_gradient(self):
        x0 = np.array([-1.2, 1.0, 0.7, -0.3])
        ours = optimize.minimize(rosenbrock, x0, method="BFGS")
        theirs = scipy.optimize.minimize(scipy.optimize.rosen, x0, method="BFGS", jac=scipy.optimize.rosen_der)
        np.testing.assert_allclose(ours.x, theirs.x, rtol=1e-8)
        assert ours.nit == theirs.nit

    def test_tree(self):
        x0 = {"shift": np.zeros((2, 1), np.complex64), "scale": 1.0, "bias": (np.zeros(2),)}

        def loss(p):
            return (
                np.sum(np.abs(p["scale"] * p["shift"] - 1j) ** 2)
                + (p["scale"] - 2) ** 2
                + np.sum((p["bias"][0] - 3) ** 2)
            )

        result = optimize.minimize(loss, x0, tol=1e-12)
        assert result.x["shift"].dtype == np.complex64
        assert result.x["shift"].shape == (2, 1)
        np.testing.assert_allclose(result.x["shift"], 0.5j, atol=1e-4)
        assert result.x["scale"] == pytest.approx(2, abs=1e-4)
        np.testing.assert_allclose(result.x["bias"][0], 3, atol=1e-5)
        assert result.jac["shift"].shape == (2, 1)

    def test_start_is_untouched(self):
        x0 = np.zeros(3, complex)
        optimize.minimize(bowl, x0)
        np.testing.assert_array_equal(x0, 0)

    def test_args_and_bounds(self):
        result = optimize.minimize(
            lambda x, c: np.sum((x - c) ** 2), np.zeros(2), (3.0,), bounds=[(None, 1), (None, None)]
        )
        np.testing.assert_allclose(result.x, [1, 3])

    def test_callbacks(self):
        seen = []

        def with_x(xk):
            seen.append(xk)

        def with_result(intermediate_result):
            seen.append(intermediate_result.x)

        for callback in (with_x, with_result):
            optimize.minimize(bowl, np.zeros(3, complex), method="L-BFGS-B", callback=callback)
        assert len(seen) > 4
        assert all(x.dtype == np.complex128 and x.shape == (3,) for x in seen)

    def test_callback_can_stop(self):
        def stop(intermediate_result):
            raise StopIteration

        assert optimize.minimize(bowl, np.zeros(3, complex), method="BFGS", callback=stop).nit == 1

    def test_bounds_of_a_complex_vector_are_refused(self):
        with pytest.raises(TypeError, match=r"bounds.*real vector"):
            optimize.minimize(bowl, np.zeros(3, complex), bounds=[(0, 1)] * 3)

    def test_own_gradient_is_refused(self):
        with pytest.raises(TypeError, match=r"jac.*scipy.optimize.minimize"):
            optimize.minimize(bowl, np.zeros(3, complex), jac=True)


class TestLeastSquares:
    @pytest.mark.parametrize("method", ["trf", "dogbox", "lm"])
    def test_complex_exponential(self, method):
        t = np.linspace(0, 1, 20)
        data = 2 * np.exp((-1 + 6j) * t)

        def residual(p):
            return p["a"] * np.exp(p["s"] * t) - data

        result = optimize.least_squares(residual, {"a": 1.0 + 0j, "s": -0.5 + 5j}, method=method)
        assert result.x["s"] == pytest.approx(-1 + 6j, abs=1e-6)
        assert result.x["a"] == pytest.approx(2, abs=1e-6)
        assert result.fun.shape == (20,)
        assert result.fun.dtype == np.complex128
        assert result.jac.shape == (40, 4)

    def test_jacobian_is_right_in_both_directions(self):
        a = np.random.default_rng(0).standard_normal((3, 5))
        for matrix in (a, a.T):
            result = optimize.least_squares(lambda x, m=matrix: m @ x - 1.0, np.zeros(matrix.shape[1]))
            np.testing.assert_allclose(result.jac, matrix, atol=1e-14)


class TestRoot:
    @pytest.mark.parametrize("method", ["hybr", "lm", "krylov"])
    def test_complex(self, method):
        result = optimize.root(lambda z: z**3 - np.array([1, 8j]), np.array([0.8 + 0.1j, 1 + 1j]), method=method)
        np.testing.assert_allclose(result.x**3, [1, 8j], atol=1e-5)
        assert result.fun.dtype == np.complex128

    def test_tree(self):
        result = optimize.root(lambda p: (p[0] + p[1] - 3, p[0] * p[1] - 2), (0.5, 2.5))
        assert sorted(result.x) == pytest.approx([1, 2])


@pytest.mark.parametrize("solve", [optimize.minimize, optimize.least_squares, optimize.root])
def test_integers_in_trees_are_refused(solve):
    with pytest.raises(TypeError, match=r"starts? at an integer in \['n'\].*1\.0 for 1"):
        solve(lambda p: (p["a"] - 1.5) ** 2, {"a": 1.0, "n": 3})
    with pytest.raises(TypeError, match=r"integer in \[1\]\[0\]"):
        solve(lambda p: (p[0] - 1.5) ** 2, (1.0, [np.arange(2)]))


def test_integers_alone_are_floating_point_numbers():
    for start in ([1, 2], np.array([1, 2]), [1, 2.0]):
        np.testing.assert_allclose(optimize.minimize(lambda x: np.sum((x - 1.5) ** 2), start).x, [1.5, 1.5], rtol=1e-6)
