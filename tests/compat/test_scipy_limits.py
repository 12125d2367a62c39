"""What SciPy's code decides by a value: bounds, constraints, small shapes, probabilities of 1, ends that move."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import NotDifferentiableError, grad, jacobian
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
