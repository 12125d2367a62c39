"""What SciPy's code decides by a value: bounds, constraints, small shapes, probabilities of 1, ends that move."""

from __future__ import annotations

import numpy
import pytest
import scipy.stats

import wirtinger as np
from wirtinger import NotDifferentiableError, grad, jacobian, jvp
from wirtinger.scipy import integrate, optimize, stats


def squares(x):
    return numpy.sum((numpy.asarray(x) - 0.3) ** 2)


REFUSED = {
    "constraint": lambda a: optimize.minimize(
        lambda x: x[0] ** 2 + 2 * x[1] ** 2, [0.5, 0.3], constraints=[{"type": "eq", "fun": lambda x: x[0] + x[1] - a}]
    ).x[0],
    "bounds": lambda b: optimize.minimize(lambda x: (x[0] - 5) ** 2, [1.0], bounds=[(0, b)]).x[0],
    "bounds of one number": lambda b: (
        optimize.minimize_scalar(lambda x: (x - 5) ** 2, bounds=(0, b), method="bounded").x
    ),
    "fminbound": lambda b: optimize.fminbound(lambda x: (x - 5) ** 2, 0, b),
    "least_squares": lambda b: optimize.least_squares(lambda x: x - 5, [1.0], bounds=([0.0], [b])).x[0],
    "pearson3": lambda skew: stats.pearson3.logpdf(0.5, skew * 1e-6),
    "genextreme": lambda c: stats.genextreme.mean(c * 1e-10),
}


@pytest.mark.parametrize("function", REFUSED.values(), ids=REFUSED)
def test_what_scipys_code_cannot_show_is_refused(function):
    with pytest.raises(NotDifferentiableError, match=r"bounds or constraints|smaller than"):
        grad(function)(3.0)


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
