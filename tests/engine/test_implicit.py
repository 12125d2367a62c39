"""Derivatives of solutions: implicit functions, and SciPy's solvers inside of what is differentiated."""

from __future__ import annotations

from types import ModuleType

import mpmath
import numpy as np
import pytest
import scipy.optimize

import wirtinger as w
from wirtinger import (
    NotDifferentiableError,
    PrecisionLossError,
    TraceError,
    grad,
    hessian,
    hvp,
    implicit,
    jacobian,
    jvp,
    linearize,
    optimize,
    value_and_grad,
    vjp,
)

RANDOM = np.random.default_rng(20)
A = RANDOM.standard_normal((4, 4)) + 4 * np.eye(4)


def equations(x, a, b):
    """Four equations with a solution near 0, with `a` and `b` in all of them."""
    return A @ x + b[0] * np.sin(x) ** 2 - a * np.cos(x[::-1])


def solved(a, b):
    return optimize.root(equations, np.zeros(4), (a, b), tol=1e-13).x


def derivatives_in_40_digits(f, at, orders):
    with mpmath.workdps(40):
        return [float(mpmath.diff(f, at, n)) for n in orders]


class TestRoot:
    a, b = np.array([0.3, -0.2, 0.5, 0.1]), np.array([0.7])

    def test_the_value_is_scipys_bit_for_bit(self):
        plain = solved(self.a, self.b)
        value, _ = value_and_grad(lambda a: np.sum(solved(a, self.b)))(self.a)
        assert value == np.sum(plain)
        np.testing.assert_array_equal(jvp(solved, (self.a, self.b), (self.a, self.b))[0], plain)

    def test_three_derivatives_against_mpmath(self):
        def root(a):
            return optimize.root(lambda x: x**5 + x - a, 0.5, tol=1e-13).x

        def exactly(a):
            return mpmath.findroot(lambda x: x**5 + x - a, 0.8)

        found = [grad(root)(1.5), grad(grad(root))(1.5), grad(grad(grad(root)))(1.5)]
        np.testing.assert_allclose(found, derivatives_in_40_digits(exactly, 1.5, (1, 2, 3)), rtol=1e-9)
        forward = jvp(lambda a: jvp(root, (a,), (1.0,))[1], (1.5,), (1.0,))[1]
        np.testing.assert_allclose(forward, found[1], rtol=1e-12)

    def test_is_the_solution_of_the_linear_system(self):
        x = solved(self.a, self.b)
        j = jacobian(lambda x: equations(x, self.a, self.b))(x)
        expected = np.linalg.solve(j, np.diag(np.cos(x[::-1])))
        np.testing.assert_allclose(jacobian(lambda a: solved(a, self.b))(self.a), expected, rtol=1e-12)

    def test_modes_agree(self):
        da, db = RANDOM.standard_normal(4), RANDOM.standard_normal(1)
        g = RANDOM.standard_normal(4)
        _, dx = jvp(solved, (self.a, self.b), (da, db))
        _, pull = vjp(solved, self.a, self.b)
        ga, gb = pull(g)
        assert g @ dx == pytest.approx(ga @ da + gb @ db, rel=1e-12)
        np.testing.assert_allclose(linearize(solved, self.a, self.b)[1](da, db), dx, rtol=1e-12)

    def test_second_order_modes_agree_and_are_right(self):
        def loss(a):
            return np.sum(solved(a, self.b) ** 3)

        h = hessian(loss)(self.a)
        np.testing.assert_allclose(h, h.T, rtol=1e-10, atol=1e-13)
        step = 1e-5
        for i, e in enumerate(np.eye(4)):
            np.testing.assert_allclose(hvp(loss, (self.a,), (e,)), h[i], rtol=1e-10, atol=1e-13)
            difference = (grad(loss)(self.a + step * e) - grad(loss)(self.a - step * e)) / (2 * step)
            np.testing.assert_allclose(difference, h[i], rtol=1e-6, atol=1e-9)

    def test_complex_unknown_and_closure(self):
        def root(c):
            return optimize.root(lambda z: z**3 + np.conj(z) * c - 1, 0.8 + 0.1j, tol=1e-13).x

        c, dc = 0.3 + 0.2j, 0.6 - 0.8j
        z, dz = root(c), jvp(root, (c,), (dc,))[1]
        # 3 z^2 dz + c conj(dz) + conj(z) dc = 0
        assert abs(3 * z**2 * dz + c * np.conj(dz) + np.conj(z) * dc) < 1e-13
        g = grad(lambda c: np.abs(root(c)) ** 2)(c)
        assert np.real(np.conj(g) * dc) == pytest.approx(2 * np.real(np.conj(z) * dz), rel=1e-12)

    def test_trees(self):
        def product(s, p):
            x = optimize.root(
                lambda u: {"sum": u["x"] + u["y"] - s, "product": u["x"] * u["y"] - p}, start, tol=1e-13
            ).x
            return x["x"]

        start = {"x": 0.5, "y": 2.5}
        # x = (s - sqrt(s^2 - 4 p)) / 2 with the root 1 at s = 3, p = 2
        np.testing.assert_allclose(grad(product, argnums=(0, 1))(3.0, 2.0), (-1.0, 1.0), rtol=1e-10)

    def test_single_precision(self):
        def root(a):
            return optimize.root(lambda x: x**3 - a, np.float32(1.5)).x

        g = grad(root)(np.float32(8))
        assert g.dtype == np.float32
        assert g == pytest.approx(1 / 12, rel=1e-5)

    def test_units_do_not_decide(self):
        assert grad(lambda a: optimize.root(lambda x: 1e12 * (x**3 - a), 1.5e-9, tol=1e-13).x)(8e-27) == pytest.approx(
            8e-27 ** (-2 / 3) / 3, rel=1e-9
        )

    @pytest.mark.parametrize("a", [0.0, 1e-30])
    def test_a_double_root_is_refused(self, a):
        with pytest.raises(
            (NotDifferentiableError, PrecisionLossError), match=r"(?s)optimize\.root .*(multiple root|multiple one)"
        ):
            grad(lambda a: optimize.root(lambda x: (x - 1) ** 2 - a, 1.1).x)(a)

    def test_a_solver_that_stopped_early_is_refused(self):
        with pytest.raises(PrecisionLossError, match=r"optimize\.root .*stopped early"):
            grad(lambda a: optimize.root(lambda x: np.arctan(x) - a, 50.0, options={"maxfev": 2}).x)(0.1)

    def test_a_loose_tolerance_costs_no_digits_of_the_derivative(self):
        found = grad(lambda a: optimize.root(lambda x: x**3 - a, 1.5, tol=1e-3).x)(8.0)
        assert found == pytest.approx(1 / 12, rel=1e-9)

    def test_what_is_not_found_to_have_a_derivative_loses_none(self):
        store = ModuleType("store")  # modules are not looked into

        def stored(solve):
            def loss(a):
                store.a = a
                return solve()

            return loss

        @implicit(lambda x: x**3 - store.a)
        def cube_root():
            return 2.0

        for solve in (
            lambda: optimize.root(lambda x: x**3 - store.a, 1.5).x,
            lambda: optimize.root_scalar(lambda x: x**3 - store.a, bracket=(0, 3)).root,
            lambda: optimize.root_scalar(lambda x: x**3 - store.a, x0=1.5, method="newton").root,
            lambda: optimize.fixed_point(lambda x: np.cos(store.a * x), 0.7),
            lambda: optimize.minimize(lambda x: (x - store.a) ** 2, 0.0).x,
            lambda: optimize.minimize_scalar(lambda x: (x - store.a) ** 2).x,
            lambda: optimize.least_squares(lambda x: x - store.a, 0.0).x,
        ):
            with pytest.raises(TraceError, match="would lose its derivative"):
                grad(stored(solve))(8.0)
        assert grad(stored(cube_root))(8.0) == pytest.approx(1 / 12, rel=1e-12)  # its equations show it

    def test_no_unknowns(self):
        x, dx = jvp(lambda a: optimize.root(lambda x: a * x, np.zeros(0)).x, (2.0,), (1.0,))
        assert x.shape == dx.shape == (0,)

    def test_equal_eigenvalues_in_the_equations(self):
        def by_vectors(a):
            e, q = np.linalg.eigh(a)
            return np.sum((q * np.sqrt(e)) @ q.T)

        def loss(root):
            return lambda a: optimize.root(lambda x: x**3 + x - root(a), 1.0).x

        point, along = 1.3 * np.eye(2), np.array([[1.0, 0.3], [0.3, -1.0]])
        found = hvp(loss(by_vectors), (point,), (along,))
        expected = hvp(loss(lambda a: np.sum(np.real(w.linalg.sqrtm(a)))), (point,), (along,))
        np.testing.assert_allclose(found + found.T, expected + expected.T, rtol=1e-9)

    def test_mixed_derivatives_of_two_levels(self):
        def root(a, b):
            return optimize.root(lambda x: x**3 + x - a * b, 1.0).x

        # x = 1 at a b = 2, x' = 1 / 4, x'' = -6 x x'^2 / 4: x' + a b x''
        assert grad(lambda b: grad(lambda a: root(a, b))(1.0))(2.0) == pytest.approx(1 / 4 - 2 * 6 / 64, rel=1e-9)

    def test_at_schedule(self):
        with w.deterministic("schedule"):
            assert grad(lambda a: optimize.root(lambda x: x**3 - a, 1.5).x)(8.0) == pytest.approx(1 / 12, rel=1e-9)

    def test_where_it_started_has_no_part(self):
        assert grad(lambda s: optimize.root(lambda x: x**3 - 8.0, s).x + s)(1.5) == 1.0


class TestOthers:
    def test_fixed_point(self):
        def point(a):
            return np.sum(optimize.fixed_point(lambda x: np.exp(-a * x), np.array([0.5, 0.6])))

        def exactly(a):
            return 2 * mpmath.findroot(lambda x: x - mpmath.exp(-a * x), 0.5)

        found = [grad(point)(1.2), grad(grad(point))(1.2)]
        np.testing.assert_allclose(found, derivatives_in_40_digits(exactly, 1.2, (1, 2)), rtol=1e-9)

    @pytest.mark.parametrize("method", ["brentq", "bisect", "newton", "halley", "secant"])
    def test_root_scalar(self, method):
        given = {"bracket": (0, 3)} if method in ("brentq", "bisect") else {"x0": 1.5}
        if method == "secant":
            given["x1"] = 1.6

        def root(a):
            return optimize.root_scalar(lambda x: np.exp(x) - a * x**2, method=method, **given).root

        given = {"bracket": (-3, 0)} if "bracket" in given else {"x0": -0.5, **({"x1": -0.6} if "x1" in given else {})}

        def exactly(a):
            return mpmath.findroot(lambda x: mpmath.exp(x) - a * x**2, -0.6)

        found = [grad(root)(1.2), grad(grad(root))(1.2)]
        np.testing.assert_allclose(found, derivatives_in_40_digits(exactly, 1.2, (1, 2)), rtol=1e-8)

    @pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B", "Newton-CG", "trust-exact", "Nelder-Mead"])
    def test_minimize(self, method):
        def lowest(a):
            def loss(x):
                return np.sum((x - a) ** 4) + np.sum(a * x**2) + x[0] * x[1] / 3

            return optimize.minimize(loss, np.zeros(2), method=method)

        a = np.array([1.0, 2.0])

        def exactly(i):
            def value(s):
                b = [mpmath.mpf(v) + (s if k == i else 0) for k, v in enumerate(a)]
                return mpmath.findroot(
                    lambda x, y: (
                        4 * (x - b[0]) ** 3 + 2 * b[0] * x + y / 3,
                        4 * (y - b[1]) ** 3 + 2 * b[1] * y + x / 3,
                    ),
                    [float(v) for v in lowest(a).x],
                )

            return value

        with mpmath.workdps(30):
            exact = [exactly(i) for i in (0, 1)]
            expected = [[float(mpmath.diff(lambda s, f=f, k=k: f(s)[k], 0)) for f in exact] for k in (0, 1)]
        np.testing.assert_allclose(jacobian(lambda a: lowest(a).x)(a), expected, rtol=1e-7)
        # the value of a minimum moves as if x did not
        x = lowest(a).x
        np.testing.assert_allclose(
            grad(lambda a: lowest(a).fun)(a), -4 * (x - a) ** 3 + x**2, rtol=1e-3
        )  # of which Nelder-Mead knows four digits

    def test_minimize_second_order(self):
        def ridge(t):
            return optimize.minimize(lambda x: np.sum((A @ x - 1) ** 2) + t * np.sum(x**2), np.zeros(4), tol=1e-12).x

        def closed(t):
            return w.linalg.solve(A.T @ A + t * np.eye(4), A.T @ np.ones(4))

        first, again = (grad(lambda t, f=f: np.sum(f(t)))(0.5) for f in (ridge, closed))
        assert first == pytest.approx(again, rel=1e-9)
        second, again = (grad(grad(lambda t, f=f: np.sum(f(t) ** 2)))(0.5) for f in (ridge, closed))
        assert second == pytest.approx(again, rel=1e-8)

    def test_many_unknowns_need_no_dense_matrix(self):
        n = 3000
        b = RANDOM.standard_normal(n)

        def loss(x, t):
            return np.sum((1 + t * x**2) * x**2) / 2 + np.sum(np.diff(x) ** 2) / 2 - np.sum(b * x)

        def lowest(t):
            return np.sum(optimize.minimize(loss, np.zeros(n), (t,), method="L-BFGS-B", tol=1e-10).x ** 2)

        difference = (lowest(0.1 + 1e-3) - lowest(0.1 - 1e-3)) / 2e-3
        assert grad(lowest)(0.1) == pytest.approx(difference, rel=1e-3)

    def test_bounds(self):
        def lowest(c):
            return optimize.minimize(
                lambda x: np.sum((x - c) ** 2) + x[0] * x[1], np.zeros(2), bounds=[(None, 1), (None, None)]
            ).x

        # x0 = 1 is fixed, and 2 (x1 - c1) + x0 = 0
        np.testing.assert_allclose(jacobian(lowest)(np.array([3.0, 3.0])), [[0, 0], [0, 1]], atol=1e-12)

    def test_many_bounds_and_units(self):
        n, units = 500, np.geomspace(0.1, 10, 500)

        def lowest(c):
            return optimize.minimize(
                lambda x: np.sum((x / units - c) ** 2), 2 * units, bounds=[(u, 3 * u) for u in units], tol=1e-14
            ).x

        c = np.where(np.arange(n) % 2, 0.5, 2.5)  # every other one rests on its lower bound
        _, dx = jvp(lowest, (c,), (np.ones(n),))
        np.testing.assert_allclose(dx / units, np.arange(n) % 2 == 0, atol=1e-9)

    def test_a_bound_that_does_not_press_is_refused(self):
        with pytest.raises(NotDifferentiableError, match=r"optimize\.minimize .*x\[0\] is on its bound"):
            grad(lambda c: optimize.minimize(lambda x: np.sum((x - c) ** 2), np.zeros(1), bounds=[(0, 1)]).x[0])(0.0)

    def test_constraints_are_refused(self):
        with pytest.raises(NotDifferentiableError, match="constraints"):
            grad(
                lambda c: np.sum(
                    optimize.minimize(
                        lambda x: np.sum((x - c) ** 2),
                        np.zeros(2),
                        constraints=scipy.optimize.LinearConstraint(np.ones((1, 2)), 0, 0),
                    ).x
                )
            )(1.0)

    @pytest.mark.parametrize(("a", "expected"), [(0.5, 1.0), (2.0, 0.0), (-3.0, 0.0)])
    def test_minimize_scalar_within_bounds(self, a, expected):
        def lowest(a):
            return optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(0, 1), method="bounded").x

        assert grad(lowest)(a) == pytest.approx(expected, abs=1e-12)

    def test_least_squares(self):
        t, tight = np.linspace(0, 1, 20), dict.fromkeys(("xtol", "ftol", "gtol"), 1e-15)
        rng = np.random.default_rng(4)
        data = 2 * np.exp((-1 + 6j) * t) + 0.1 * (rng.standard_normal(20) + 1j * rng.standard_normal(20))

        def fit(data):
            start = {"a": 1.0 + 0j, "s": -0.5 + 5j}
            result = optimize.least_squares(lambda p: p["a"] * np.exp(p["s"] * t) - data, start, **tight)
            return result.x["s"], result.cost

        def part(data):
            return fit(data)[0].real

        gradient, step = grad(part)(data), 1e-4 * (1 + 1j)
        for i in (0, 7):
            e = np.eye(20)[i] * step
            difference = (part(data + e) - part(data - e)) / 2
            assert np.real(np.conj(gradient[i]) * step) == pytest.approx(
                difference, abs=1e-3 * abs(step) * np.abs(gradient).max()
            )
        assert np.abs(gradient).max() > 0.01
        # d cost = -Re <r, d data>, at the minimum
        residuals = optimize.least_squares(
            lambda p: p["a"] * np.exp(p["s"] * t) - data, {"a": 1.0 + 0j, "s": -0.5 + 5j}, **tight
        ).fun
        np.testing.assert_allclose(grad(lambda d: fit(d)[1])(data), -residuals, atol=1e-6)

    def test_linear_least_squares_is_the_pseudoinverse(self):
        m = A[:, :2] + 1j * A[:, 2:]

        def fit(d):
            return optimize.least_squares(lambda x: m @ x - d, np.zeros(2, complex)).x

        d, dd = np.array([1.0, 2j, -1.0, 0.5]), np.array([0.3, 1.0, 1j, -2.0])
        np.testing.assert_allclose(jvp(fit, (d,), (dd,))[1], np.linalg.pinv(m) @ dd, rtol=1e-10)
        g = np.array([1.0, 2 - 1j])
        np.testing.assert_allclose(vjp(fit, d)[1](g)[0], np.linalg.pinv(m).conj().T @ g, rtol=1e-10)

    def test_a_robust_loss_is_refused(self):
        with pytest.raises(NotDifferentiableError, match="loss='soft_l1'"):
            grad(lambda c: optimize.least_squares(lambda x: x - c, 0.0, loss="soft_l1").x)(1.0)


class TestImplicit:
    @pytest.mark.parametrize("linear_solver", [None, "lu", "gmres"])
    def test_the_solver_sees_plain_numbers(self, linear_solver):
        seen = []

        @implicit(lambda x, a: A @ x + np.sin(x) - a, linear_solver=linear_solver)
        def solve(a):
            seen.append(type(a))
            return scipy.optimize.fsolve(lambda x: A @ x + np.sin(x) - a, np.zeros(4), xtol=1e-13)

        a = np.arange(4.0)
        x = solve(a)
        expected = np.linalg.inv(A + np.diag(np.cos(x)))
        np.testing.assert_allclose(jacobian(solve)(a), expected, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(jvp(solve, (a,), (a,))[1], expected @ a, rtol=1e-9)
        assert set(seen) == {np.ndarray}

    def test_a_solver_may_write_into_its_arguments_and_use_one_buffer(self):
        buffer = np.zeros(2)

        @implicit(lambda x, a: x - 2 * a)
        def solve(a):
            buffer[:] = 2 * a
            a[:] = 0
            return buffer

        a = np.array([1.0, 3.0])
        np.testing.assert_array_equal(grad(lambda a: np.sum(solve(a) * solve(3 * a)))(a), 24 * a)
        np.testing.assert_array_equal(a, [1, 3])

    def test_conjugate_gradients(self):
        s = A @ A.T

        @implicit(lambda x, a: s @ x - a, linear_solver="cg")
        def solve(a):
            return np.linalg.solve(s, a)

        np.testing.assert_allclose(grad(lambda a: np.sum(solve(a) ** 2))(A[0]), 2 * np.linalg.solve(s, solve(A[0])))

    def test_keywords_and_what_the_equations_close_over(self):
        def loss(k):
            @implicit(lambda x, a, *, b: k * x**3 - a * b)
            def solve(a, *, b):
                return np.cbrt(w.stop_gradient(a * b / k))

            return solve(4.0, b=2.0 * k)

        assert grad(loss)(3.0) == pytest.approx(0.0, abs=1e-12)  # x = (8 k / k)^(1/3)

    def test_under_control_flow_and_checkpoint(self):
        @implicit(lambda x, a: x**3 - a)
        def root(a):
            return np.cbrt(a)

        assert grad(lambda a: w.checkpoint(lambda b: root(root(b)))(a))(2.0) == pytest.approx(2.0 ** (-8 / 9) / 9)
        assert grad(lambda a: w.fori_loop(0, 2, lambda i, x: root(x), a))(2.0) == pytest.approx(2.0 ** (-8 / 9) / 9)

    def test_the_number_of_equations_is_checked(self):
        @implicit(lambda x, a: x[:1] - a)
        def solve(a):
            return np.zeros(2)

        with pytest.raises(TypeError, match=r"equations of solve are 1 real numbers, and its unknowns 2"):
            jvp(solve, (1.0,), (1.0,))

    def test_what_does_not_solve_the_equations_is_refused(self):
        @implicit(lambda x, a: x**2 + 1 + a**2)
        def solve(a):
            return 1.0

        assert solve(2.0) == 1.0
        with pytest.raises(PrecisionLossError, match=r"solve was differentiated where its equations are not satisfied"):
            grad(solve)(2.0)

    def test_singular_systems_are_refused(self):
        @implicit(lambda x, a: np.stack([x[0] + x[1] - a, 2 * (x[0] + x[1] - a)]))
        def solve(a):
            return np.array([a / 2, a / 2])

        with pytest.raises(NotDifferentiableError, match=r"solve .*repeats another one"):
            jvp(solve, (1.0,), (1.0,))

    def test_options_are_checked(self):
        with pytest.raises(ValueError, match=r"linear_solver='qr' is none of lu, gmres, cg"):
            implicit(lambda x: x, linear_solver="qr")

    def test_compiled_functions_call_the_solver_each_time(self):
        @implicit(lambda x, a: x**3 - a)
        def root(a):
            return np.cbrt(a)

        f = w.compile(lambda a: 2 * root(a) + a)
        for a in (8.0, 27.0, 64.0):
            assert f(a) == 2 * np.cbrt(a) + a
            assert w.compile(grad(root))(a) == pytest.approx(a ** (-2 / 3) / 3)
