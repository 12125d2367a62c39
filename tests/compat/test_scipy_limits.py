"""What SciPy's code decides by a value: bounds, constraints, small shapes, probabilities of 1, ends that move."""

from __future__ import annotations

import subprocess
import sys

import numpy
import pytest
import scipy.stats

import wirtinger as np
from wirtinger import NotDifferentiableError, grad, hessian, jacobian, jvp
from wirtinger.scipy import integrate, optimize, signal, stats


def squares(x):
    return numpy.sum((numpy.asarray(x) - 0.3) ** 2)


REFUSED = {
    "constraint": lambda a: optimize.minimize(
        lambda x: np.sum((x - a) ** 2), [0.5, 0.3], constraints={"type": "ineq", "fun": lambda x: 3 - x[0]}
    ).x[0],
    "pearson3": lambda skew: stats.pearson3.logpdf(0.5, skew * 1e-6),
    "genextreme": lambda c: stats.genextreme.mean(c * 1e-10),
}


@pytest.mark.parametrize("function", REFUSED.values(), ids=REFUSED)
def test_what_scipys_code_cannot_show_is_refused(function):
    with pytest.raises(NotDifferentiableError, match=r"to one side only|smaller than"):
        grad(function)(3.0)


def distance(x):
    return np.sum((x - 5) ** 2)


@pytest.mark.parametrize(
    "solve",
    [
        lambda b: optimize.minimize(distance, [1.0], bounds=[(0, b)]).x[0],
        lambda b: optimize.minimize(distance, [1.0], bounds=optimize.Bounds(np.zeros(1), np.reshape(b, 1))).x[0],
        lambda b: optimize.minimize_scalar(distance, bounds=(0, b), method="bounded").x,
        lambda b: optimize.fminbound(distance, 0, b),
        lambda b: optimize.fmin_l_bfgs_b(distance, [1.0], approx_grad=True, bounds=[(0, b)])[0][0],
        lambda b: optimize.least_squares(lambda x: x - 5, [1.0], bounds=([0.0], [b])).x[0],
        lambda b: optimize.curve_fit(lambda t, p: p * t, np.arange(3.0), 5 * np.arange(3.0), bounds=(0, [b]))[0][0],
    ],
    ids=["minimize", "Bounds", "minimize_scalar", "fminbound", "fmin_l_bfgs_b", "least_squares", "curve_fit"],
)
def test_a_minimum_on_its_bound_moves_with_it(solve):
    """And does not move with a bound that it is away from."""
    assert grad(lambda b: solve(b) ** 2)(3.0) == pytest.approx(6.0, rel=1e-5)
    assert grad(solve)(8.0) == 0


def test_elements_beside_one_on_its_bound_follow_it():
    def solve(b):
        bounds = [(0, b), (None, None)]
        return optimize.minimize(lambda x: distance(x[0]) + (x[1] - b * x[0]) ** 2, np.ones(2), bounds=bounds).x

    numpy.testing.assert_allclose(jacobian(solve)(3.0), [1.0, 6.0], rtol=1e-6)  # of b and b**2


def weighted(x):
    return x[0] ** 2 + 2 * x[1] ** 2


def within_a_disc(a):
    return optimize.minimize(
        lambda x: np.sum((x - np.stack([2 + 0 * a, a])) ** 2),
        [0.5, 0.3],
        constraints={"type": "ineq", "fun": lambda x, a: a - x[0] ** 2 - x[1] ** 2, "args": (a,)},
        options={"ftol": 1e-14},
    ).x


UNDER_CONSTRAINTS = {  # with what they return in closed form
    "dict": (
        lambda a: (
            optimize.minimize(weighted, [0.5, 0.3], constraints=[{"type": "eq", "fun": lambda x: x[0] + x[1] - a}]).x
        ),
        lambda a: np.stack([2 * a / 3, a / 3]),
    ),
    "disc": (within_a_disc, lambda a: np.sqrt(a / (4 + a**2)) * np.stack([2 + 0 * a, a])),
    "linear": (
        lambda a: (
            optimize.minimize(
                weighted,
                [0.5, 0.3],
                constraints=optimize.LinearConstraint(np.reshape(np.stack([a, 1.0]), (1, 2)), 1.0, 1.0),
            ).x
        ),
        lambda a: np.stack([a, 0.5]) / (a**2 + 0.5),
    ),
    "nonlinear": (
        lambda a: (
            optimize.minimize(
                weighted,
                [2.0, 1.3],
                method="trust-constr",
                options={"gtol": 1e-10, "xtol": 1e-12},
                constraints=optimize.NonlinearConstraint(lambda x: x[0] * x[1], a, np.inf),
            ).x
        ),
        lambda a: np.stack([np.sqrt(a * np.sqrt(2.0)), np.sqrt(a / np.sqrt(2.0))]),
    ),
    "bounds": (
        lambda a: (
            optimize.minimize(
                distance,
                np.ones(3),
                bounds=[(0, a), (None, None), (0, 9)],
                constraints={"type": "ineq", "fun": lambda x: 8 - np.sum(x)},
            ).x
        ),
        lambda a: np.stack([a, (8 - a) / 2, (8 - a) / 2]),
    ),
    "slack": (
        lambda a: (
            optimize.minimize(
                lambda x: np.sum((x - a) ** 2), np.zeros(2), constraints={"type": "ineq", "fun": lambda x: 30 - x}
            ).x
        ),
        lambda a: np.stack([a, a]),
    ),
}


@pytest.mark.filterwarnings("ignore:delta_grad:UserWarning")
@pytest.mark.parametrize(("solve", "exact"), UNDER_CONSTRAINTS.values(), ids=UNDER_CONSTRAINTS)
def test_minima_under_constraints(solve, exact):
    a = 1.3
    numpy.testing.assert_allclose(solve(a), exact(a), rtol=1e-4)
    numpy.testing.assert_allclose(jacobian(solve)(a), jacobian(exact)(a), rtol=2e-5, atol=1e-7)


def test_what_else_a_minimum_under_constraints_returns_has_derivatives():
    def found(a):
        limit = optimize.LinearConstraint(np.stack([[1.0, a]]), -9.0, 9.0)
        options = {"gtol": 1e-11, "xtol": 1e-13}
        r = optimize.minimize(
            lambda x: np.sum((x - a) ** 2), [2.0, 1.3], method="trust-constr", constraints=limit, options=options
        )
        return np.concatenate([np.stack([r.fun]), r.grad, r.constr[0], r.jac[0].ravel()])

    numpy.testing.assert_allclose(jacobian(found)(1.3), [0, 0, 0, 1 + 2 * 1.3, 0, 1], atol=1e-6)


def test_second_derivatives_under_constraints():
    solve, exact = UNDER_CONSTRAINTS["disc"]
    assert hessian(lambda a: solve(a)[1])(1.0) == pytest.approx(hessian(lambda a: exact(a)[1])(1.0), rel=1e-6)
    constraint = {"type": "eq", "fun": lambda x, a: x[0] + x[1] - a}
    cost = grad(lambda a: optimize.minimize(weighted, [0.5, 0.3], constraints={**constraint, "args": (a,)}).fun)
    assert cost(3.0) == pytest.approx(4.0, rel=1e-6)  # the price of the constraint


def test_vertices_of_linear_programs():
    """By the solution of the equations of the constraints that hold there."""

    def program(b):
        return optimize.linprog([-b, -2.0], A_ub=[[1.0, b], [3.0, 1.0]], b_ub=[b, 6.0])

    def vertex(b):
        return np.array([5 * b, 3 * b - 6]) / (3 * b - 1)

    numpy.testing.assert_allclose(program(3.0).x, vertex(3.0))
    numpy.testing.assert_allclose(jacobian(lambda b: program(b).x)(3.0), jacobian(vertex)(3.0))
    assert grad(lambda b: program(b).fun)(3.0) == pytest.approx(grad(lambda b: -np.array([b, 2.0]) @ vertex(b))(3.0))
    corner = jacobian(lambda b: optimize.linprog([-1.0, -2.0], bounds=[(0, b), (None, b**2)]).x)(3.0)
    numpy.testing.assert_allclose(corner, [1.0, 6.0])
    with pytest.raises(NotDifferentiableError, match="no price"):
        grad(lambda b: optimize.linprog([1.0, b], A_eq=[[1.0, 1.0]], b_eq=[1.0]).x[0])(1.0)


@pytest.mark.parametrize("method", ["logpdf", "pdf"])
def test_kernel_density_estimates(method):
    """In the points and the place, of a mixture of normal densities written out."""
    x, w, at = numpy.array([1.0, 2.0, 2.5, 4.0]), numpy.array([0.1, 0.2, 0.0, 0.7]), numpy.array([0.5, 2.2])

    def reference(x, at):
        mean = np.sum(w * x)
        scale = np.sqrt(np.sum(w * (x - mean) ** 2) / (1 - np.sum(w**2))) * np.sum(w**2) ** (1 / 5)
        density = np.sum(w * stats.norm.pdf(at[:, None], x, scale), axis=1)
        return np.log(density) if method == "logpdf" else density

    def estimate(x, at):
        return getattr(stats.gaussian_kde(x, weights=w), method)(at)

    numpy.testing.assert_allclose(estimate(x, at), reference(x, at))
    for argnum in (0, 1):
        numpy.testing.assert_allclose(
            jacobian(estimate, argnums=argnum)(x, at),
            jacobian(reference, argnums=argnum)(x, at),
            rtol=1e-10,
            atol=1e-14,
        )


@pytest.mark.parametrize("fprime", [None, lambda z: 2 * z])
def test_complex_roots(fprime):
    def root(a):
        return optimize.newton(lambda z: z**2 - a, 1 + 1j, fprime=fprime)

    a, da = -2 + 1j, 0.3 - 0.8j
    z, dz = np.jvp(root, (a,), (da,))
    assert z**2 == pytest.approx(a)
    assert dz == pytest.approx(da / (2 * z))
    assert np.jvp(lambda t: np.jvp(root, (t,), (da,))[1], (a,), (da,))[1] == pytest.approx(-(da**2) / (4 * z**3))
    with pytest.raises(NotDifferentiableError, match="no analytic function"):
        np.jvp(lambda a: optimize.newton(lambda z: z + 0.1 * np.conj(z) - a, 1 + 1j), (a,), (da,))


def test_ends_at_infinity_do_not_move():
    assert grad(lambda m: stats.norm(m, 1.0).expect(lambda x: x**2))(0.5) == pytest.approx(1.0)
    assert grad(lambda s: stats.norm(scale=s).expect(lambda x: x**2))(2.0) == pytest.approx(4.0)


@pytest.mark.parametrize("power", [-0.5, 0.5])
def test_an_end_where_the_integrand_is_singular_is_refused(power):
    def moves(a):
        return integrate.quad(lambda x: (x - a) ** power, a, 2.0)[0]

    def stays(a):
        return integrate.quad(lambda t: ((2 - a) * t) ** power * (2 - a), 0.0, 1.0)[0]

    with pytest.raises((NotDifferentiableError, np.PrecisionLossError), match=r"another variable|from 0 to 1"):
        grad(moves)(1.0)
    assert grad(stays)(1.5) == pytest.approx(-(0.5**power))  # as the message says


def test_densities_are_smooth_from_where_they_begin():
    """`i0e` has a kink at 0, and these none: I_0(x) = 1 + x**2 / 4 + .."""
    x = 0.3
    assert grad(lambda k: stats.vonmises.logpdf(x, k))(0.0) == pytest.approx(numpy.cos(x))
    assert grad(grad(lambda k: stats.vonmises.logpdf(x, k)))(0.0) == pytest.approx(-0.5)
    assert grad(lambda k: stats.vonmises.entropy(k))(0.0) == pytest.approx(0.0, abs=1e-15)
    assert grad(lambda b: stats.rice.pdf(x, b))(0.0) == pytest.approx(0.0, abs=1e-15)
    curvature = x * numpy.exp(-(x**2) / 2) * (x**2 / 2 - 1)
    assert grad(grad(lambda b: stats.rice.pdf(x, b)))(0.0) == pytest.approx(curvature)


@pytest.mark.parametrize("transform", [np.jacfwd, np.jacrev])
def test_filters_are_designed_in_both_modes(transform):
    def numerator(w):
        return signal.butter(3, w)[0]

    expected = (numerator(0.3 + 1e-6) - numerator(0.3 - 1e-6)) / 2e-6
    numpy.testing.assert_allclose(transform(numerator)(0.3), expected, rtol=1e-8)


def test_the_first_import_may_be_inside_of_a_traced_function():
    program = (
        "import wirtinger as np, wirtinger.scipy as scipy\n"
        "solve = lambda a: scipy.integrate.solve_ivp(lambda t, y: -a * y, (0, 1), [1.0], method='Radau').y[0, -1]\n"
        "assert abs(np.grad(solve)(1.0) + np.exp(-1.0)) < 1e-3"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_constant_bounds_are_taken():
    assert grad(lambda b: optimize.minimize(lambda x: (x[0] - b) ** 2, [1.0], bounds=[(0, 9)]).x[0])(3.0) == (
        pytest.approx(1.0)
    )
    assert grad(stats.pearson3.logpdf, argnums=1)(0.5, 0.2) == pytest.approx(-0.2270688, rel=1e-6)


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853", "Radau", "BDF"])
def test_points_of_evaluation_that_move_with_the_end(method):
    def path(a):
        points = np.linspace(0, a, 4)
        return integrate.solve_ivp(lambda t, y: -t * y, (0, a), [1.0], method, points, rtol=1e-10, atol=1e-12).y[0]

    t = numpy.linspace(0, 1.3, 4)
    numpy.testing.assert_allclose(jacobian(path)(1.3), -t * numpy.exp(-(t**2) / 2) * t / 1.3, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("function", "argument", "args", "expected"),
    [
        (stats.bernoulli.pmf, 1, (1, 1.0), 1.0),
        (stats.binom.pmf, 2, (5, 5, 1.0), 5.0),
        (stats.poisson.pmf, 1, (0, 0.0), -1.0),
        (stats.geom.pmf, 1, (1, 1.0), 1.0),
    ],
    ids=["bernoulli", "binom", "poisson", "geom"],
)
def test_a_probability_of_one_is_no_kink(function, argument, args, expected):
    assert grad(function, argnums=argument)(*args) == pytest.approx(expected)


def test_classes_of_bounds_and_constraints_are_those_that_scipys_solvers_know():
    bounds = optimize.Bounds([0], [2])
    assert optimize.minimize(squares, [1.0], bounds=bounds).x[0] == pytest.approx(0.3)
    assert optimize.minimize(squares, [1.0], constraints=optimize.LinearConstraint([[1.0]], 0, 2)).x[
        0
    ] == pytest.approx(0.3)
    assert optimize.minimize(squares, [1.0], method="trust-constr", hess=optimize.BFGS()).x[0] == pytest.approx(0.3)
    assert optimize.least_squares(lambda x: x - 0.3, [1.0], bounds=bounds).x[0] == pytest.approx(0.3)
    assert optimize.differential_evolution(squares, [(-3, 3)], rng=0).x[0] == pytest.approx(0.3)


OUTSIDE = {
    "beta.logpdf": (lambda a: stats.beta.logpdf(0.3, a, 2.0), -1.0),
    "norm.logpdf": (lambda s: stats.norm.logpdf(0.3, 0.0, s), -1.0),
    "norm.cdf": (lambda x: stats.norm.cdf(x), numpy.nan),
    "norm.ppf": (lambda q: stats.norm.ppf(q), 1.5),
    "expon.sf": (lambda s: stats.expon.sf(1.0, scale=s), -1.0),
    "t, frozen": (lambda d: stats.t(d).logcdf(0.3), -2.0),
    "poisson.logpmf": (lambda mu: stats.poisson.logpmf(2, mu), -1.0),
    "binom.pmf": (lambda p: stats.binom.pmf(2, 5, p), 1.5),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_derivative_is_nan_where_the_value_is(name):
    f, x = OUTSIDE[name]
    assert numpy.isnan(f(x))
    assert numpy.isnan(grad(f)(x))
    assert numpy.isnan(jvp(f, (x,), (1.0,))[1])


def test_values_that_are_nan_beside_others():
    x = numpy.array([0.5, numpy.nan, 2.0])
    g = grad(lambda x: np.sum(stats.norm.pdf(x, 0.0, numpy.array([1.0, 1.0, -1.0]))))(x)
    numpy.testing.assert_allclose(g, [-0.5 * scipy.stats.norm.pdf(0.5), numpy.nan, numpy.nan], rtol=1e-14)
    g = grad(lambda s: np.sum(stats.norm.pdf(0.5, 0.0, s)))(numpy.array([1.0, -1.0]))
    numpy.testing.assert_allclose(g, [(0.25 - 1) * scipy.stats.norm.pdf(0.5), numpy.nan], rtol=1e-14)


def test_curve_fit_counts_the_parameters_itself():
    t = numpy.linspace(0.0, 1.0, 6)
    y = 2.0 * numpy.exp(-1.5 * t) + 0.01 * numpy.cos(9 * t)

    def model(t, a, k):
        return a * np.exp(-k * t)

    def rate(y, **start):
        return optimize.curve_fit(model, t, y, **start)[0][1]

    numpy.testing.assert_allclose(grad(rate)(y), grad(lambda y: rate(y, p0=[2.0, 1.0]))(y), rtol=1e-5)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-8, 1e-11])
@pytest.mark.parametrize("low", [-5.0, 0.0, 0.9999])
def test_a_bound_is_found_however_near_to_it_the_search_ends(tolerance, low):
    def bounded(high):
        settings = {"bounds": (low, high), "method": "bounded", "options": {"xatol": tolerance}}
        return optimize.minimize_scalar(lambda x: (x - 2.0) ** 2, **settings).x

    assert grad(bounded)(1.0) == 1.0
    assert grad(lambda high: optimize.fminbound(lambda x: (x - 2.0) ** 2, low, high, xtol=tolerance))(1.0) == 1.0


def test_a_search_that_did_not_end_at_a_minimum_has_no_derivative_in_its_bounds():
    settings = {"method": "bounded", "options": {"maxiter": 3}}
    with pytest.raises(np.PrecisionLossError):
        grad(lambda high: optimize.minimize_scalar(lambda x: (x - 2.0) ** 2, bounds=(0.0, high), **settings).x)(1.0)


PRICES = [-1.0, -1.3]
RESULTS = {
    "prices": (lambda c: optimize.linprog(c, A_ub=[[1.0, 2.0], [3.0, 1.0]], b_ub=[4.0, 5.0]).ineqlin.marginals, PRICES),
    "upper": (lambda c: optimize.linprog(c, [[1.0, 2.0]], [7.0], bounds=[(0, 1.0)] * 2).upper.marginals, PRICES),
    "equation": (lambda c: optimize.linprog(c, A_eq=[[1.0, 2.0]], b_eq=[2.0]).eqlin.marginals, PRICES),
    "slack": (lambda b: optimize.linprog(PRICES, [[1.0, 2.0]], b, bounds=[(0, 1.0)] * 2).slack, [7.0]),
    "rows": (lambda a: optimize.linprog(PRICES, a, [7.0], bounds=[(0, 1.0)] * 2).ineqlin.residual, [[1.0, 2.0]]),
    "jac": (lambda a: optimize.minimize(lambda x: np.sum((x - a) ** 2), [0.05], bounds=[(0, 0.1)]).jac, [1.0]),
    "grad": (
        lambda a: optimize.least_squares(lambda x: np.stack([x[0] - a[0]]), [1.0], bounds=([-1.0], [1.2])).grad,
        [1.5],
    ),
    "residuals": (
        lambda y: optimize.curve_fit(lambda x, p: p * x, numpy.arange(4.0), y, full_output=True)[2]["fvec"],
        [0.0, 1.0, 2.2, 2.9],
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_what_a_solver_returns_beside_the_solution_has_derivatives(name):
    f, x = RESULTS[name]
    x = numpy.array(x)
    found = jacobian(f)(x)
    for at in numpy.ndindex(x.shape):
        h = numpy.zeros(x.shape)
        h[at] = 1e-5
        numpy.testing.assert_allclose(found[(..., *at)], (f(x + h) - f(x - h)) / 2e-5, rtol=1e-4, atol=1e-4)


def test_an_integral_from_above_to_below():
    assert grad(lambda c: integrate.quad(lambda x: c * x, 1, 0)[0])(2.0) == pytest.approx(-0.5, rel=1e-14)
    assert grad(lambda b: integrate.quad(lambda x: b * x, b, 0)[0])(2.0) == pytest.approx(-6.0, rel=1e-14)
    assert grad(lambda c: integrate.quad(lambda x: c / x**2, np.inf, 1)[0])(2.0) == pytest.approx(-1.0, rel=1e-13)


def test_integers_have_no_derivative():
    with pytest.raises(NotDifferentiableError, match="integrality"):
        grad(lambda b: optimize.linprog([-1.0], A_ub=[[2.0]], b_ub=[b], integrality=[1]).fun)(5.0)
    for f in (
        lambda b: optimize.milp([b, 1.0], integrality=[1, 0]).fun,
        lambda b: optimize.milp([1.0], bounds=optimize.Bounds(0, b)).fun,
        lambda b: optimize.milp([1.0], constraints=[optimize.LinearConstraint([[1]], b)]).fun,
        lambda b: optimize.milp([1.0], constraints=([[1.0]], b, np.inf)).fun,
    ):
        with pytest.raises(NotDifferentiableError, match="call linprog"):
            grad(f)(1.5)
    assert grad(lambda b: b * optimize.milp([1.0], constraints=([[1.0]], 1.5, np.inf), integrality=[1]).fun)(3.0) == 2.0
