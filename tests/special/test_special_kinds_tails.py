"""Kinds of arguments at which noncentral distributions, quantiles and binomial coefficients were wrong: far in a tail.

Each kind draws 5 points, in the exhaustive run 20, `WIRTINGER_SEED` says which; a result is right to 1e-10 beside
mpmath's, or comes with a warning.  The references are mixtures of upper tails, whose terms are positive.
"""

from __future__ import annotations

import itertools
import warnings

import mpmath
import numpy as np
import pytest
from test_special_kinds_distributions import quantile, tail
from test_special_kinds_polynomials import COUNTS, checked, derivative_in

from special_draws import SEED
from wirtinger import hessian, special

STEP = mpmath.mpf(10) ** -15
"""Of differences, relative."""


def mixture(mean, upper, weight, ratio):
    """`sum_j c_j Q_j` with the Poisson probabilities `c_j`, `Q_(j + 1) = Q_j + w_j`, and the ratios of the `w_j`."""
    total, c, j = mpmath.mpf(0), mpmath.exp(-mean), 0
    while j <= mean or c > mpmath.eps * total:
        total += c * upper
        upper += weight
        weight *= ratio(j)
        j += 1
        c *= mean / j
    return total


def chi_squared(x, df, nc):
    """The upper tail: DLMF 8.8.5."""
    a, y = df / 2, x / 2
    upper = mpmath.gammainc(a, y, regularized=True)
    weight = y**a * mpmath.exp(-y) / mpmath.gamma(a + 1)
    return mixture(nc / 2, upper, weight, lambda j: y / (a + j + 1))


def fisher(dfn, dfd, nc, f):
    """The upper tail: DLMF 8.17.20."""
    a, b, odds = dfn / 2, dfd / 2, dfn * f / dfd
    x, y = odds / (1 + odds), 1 / (1 + odds)
    upper = tail(b, a, y, x) if y < 0.5 else 1 - tail(a, b, x, y)
    weight = x**a * y**b / (a * mpmath.beta(a, b))
    return mixture(nc / 2, upper, weight, lambda j: x * (a + b + j) / (a + j + 1))


def derivatives(upper, point):
    """The derivatives of the lower tail."""

    def derivative(i):
        step = STEP * point[i]
        up, down = ([*point[:i], point[i] + h, *point[i + 1 :]] for h in (step, -step))
        return (upper(*down) - upper(*up)) / (2 * step)

    return [derivative(i) for i in range(len(point))]


def geometric(random, low, high):
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


INVERSES = {
    "chndtrix": (chi_squared, 0, ["p", 1, 2]),
    "chndtridf": (chi_squared, 1, [0, "p", 2]),
    "chndtrinc": (chi_squared, 2, [0, 1, "p"]),
    "ncfdtri": (fisher, 3, [0, 1, 2, "p"]),
    "ncfdtridfn": (fisher, 0, ["p", 1, 2, 3]),
    "ncfdtridfd": (fisher, 1, [0, "p", 2, 3]),
    "ncfdtrinc": (fisher, 2, [0, 1, "p", 3]),
}
"""The upper tail, which of its arguments is sought, and the arguments of the inverse."""
LOWER = {chi_squared: special.chndtr, fisher: special.ncfdtr}
RANGES = {chi_squared: [(20, 200), (0.3, 40), (0.1, 40)], fisher: [(0.5, 30), (2, 60), (0.1, 40), (3, 1000)]}


@COUNTS
@pytest.mark.parametrize("name", INVERSES)
def test_inverses_of_probabilities_next_to_1(name, count):
    random = np.random.default_rng([SEED, len(name), 7])
    upper, at, names = INVERSES[name]
    f, wrong = getattr(special, name), []
    with mpmath.workdps(40):
        while count:
            drawn = [geometric(random, *ends) for ends in RANGES[upper]]
            if not 1e-14 < 1 - LOWER[upper](*drawn) < 1e-3:
                continue
            point = [mpmath.mpf(t) for t in drawn]
            p = float(1 - upper(*point))
            count -= 1

            def miss(u, point=point, p=p):
                return mpmath.log(upper(*point[:at], u, *point[at + 1 :]) / (1 - mpmath.mpf(p)))

            point[at] = mpmath.findroot(miss, (point[at], point[at] * (1 + mpmath.mpf(10) ** -8)), tol=1e-34)
            inner = derivatives(upper, point)
            args = [p if i == "p" else float(point[i]) for i in names]
            if not checked(lambda args=args: f(*args), point[at]):
                wrong.append((args, "value"))
            for k, i in enumerate(names):
                reference = (1 if i == "p" else -inner[i]) / inner[at]
                if not checked(derivative_in(f, args, k), reference):
                    wrong.append((args, k))
    assert not wrong


TINY = {
    "chndtr": (chi_squared, [(1e-8, 100), (1e-10, 1e-2), (1e-6, 30)]),
    "ncfdtr numerator": (fisher, [(1e-8, 1), (0.1, 60), (1e-6, 30), (1e-4, 50)]),
    "ncfdtr denominator": (fisher, [(0.1, 30), (1e-4, 1), (1e-6, 30), (1e-4, 1e4)]),
    "ncfdtr both": (fisher, [(1e-5, 1e-2), (1e-4, 1e-2), (1e-3, 30), (1e-4, 1e4)]),
}


@COUNTS
@pytest.mark.parametrize("name", TINY)
def test_tiny_degrees_of_noncentral_distributions(name, count):
    random = np.random.default_rng([SEED, len(name), 8])
    upper, ranges = TINY[name]
    f, wrong = getattr(special, name.split()[0]), []
    with mpmath.workdps(60):
        for _ in range(count):
            args = [geometric(random, *ends) for ends in ranges]
            point = [mpmath.mpf(t) for t in args]
            if not checked(lambda args=args: f(*args), 1 - upper(*point)):
                wrong.append((args, "value"))
            wrong += [
                (args, i) for i, s in enumerate(derivatives(upper, point)) if not checked(derivative_in(f, args, i), s)
            ]
    assert not wrong


HEAVY = [(0.1, 30), (1e-40, 1e-5), (1e-3, 60), (1e-3, 1e3)]
"""Of the arguments of `ncfdtr` with few degrees of freedom of the denominator."""


@COUNTS
def test_values_at_tiny_degrees_of_the_denominator(count):
    random = np.random.default_rng([SEED, 12])
    points = [(0.35399648542905, 7.552488638659e-08, 0.011564346365931, 1.76129931228)]
    points += [tuple(geometric(random, *ends) for ends in HEAVY) for _ in range(count)]
    points += [(n, n * geometric(random, 0.1, 10), nc, f) for _, n, nc, f in points]
    with mpmath.workdps(140):
        wrong = [
            args
            for args in points
            if not checked(lambda args=args: special.ncfdtr(*args), 1 - fisher(*map(mpmath.mpf, args)))
        ]
    assert not wrong


def second_derivative(upper, point, i, j):
    """That of the lower tail in two arguments."""

    def at(first, second):
        moved = list(point)
        moved[i] *= 1 + first * STEP
        moved[j] *= 1 + second * STEP
        return -upper(*moved)

    if i == j:
        return (at(1, 0) - 2 * at(0, 0) + at(-1, 0)) / (point[i] * STEP) ** 2
    return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * point[i] * point[j] * STEP**2)


@COUNTS
def test_second_derivatives_at_tiny_degrees(count):
    random = np.random.default_rng([SEED, 13])
    upper, ranges = TINY["chndtr"]
    wrong = []
    with mpmath.workdps(75):
        for _ in range(count):
            args = [geometric(random, *ends) for ends in ranges]
            point = [mpmath.mpf(t) for t in args]
            for i, j in itertools.product(range(3), repeat=2):

                def along(t, i=i, j=j, args=args):
                    return derivative_in(special.chndtr, [*args[:j], t, *args[j + 1 :]], i)()

                if not checked(derivative_in(along, args[j : j + 1], 0), second_derivative(upper, point, i, j)):
                    wrong.append((args, i, j))
    assert not wrong


@pytest.mark.parametrize("degrees", [(1e-7, 2.0), (2.0, 1e-4), (1e-3, 1e-3), (0.032, 0.037)])
def test_second_derivatives_of_ncfdtr_at_tiny_degrees_warn(degrees):
    with pytest.warns(special.SpecialFunctionWarning, match="few digits"):
        hessian(lambda t: special.ncfdtr(*t))(np.array([*degrees, 0.5, 0.7]))


def test_second_derivatives_of_moderate_shapes_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hessian(lambda t: special.ncfdtr(*t))(np.array([1.5, 2.5, 0.5, 0.7]))
        hessian(lambda t: special.chndtr(*t))(np.array([1e-7, 2.0, 0.5]))


def test_degrees_of_the_denominator_solve_the_equation():
    """Of the two that there are, as the documentation says."""
    args = 21.86237570424038, 1.3361560580140385e-4, 0.048254060143681034
    found = special.fdtridfd(*args)
    assert found < 1e-4
    assert "two values" in special.fdtridfd.__doc__
    assert "two values" in special.ncfdtridfd.__doc__
    with mpmath.workdps(40):
        p = 1 - fisher(*map(mpmath.mpf, (args[0], found, 0, args[2])))
        assert abs(p / args[1] - 1) < 1e-12


@COUNTS
def test_quantiles_of_f_at_tiny_probabilities(count):
    random = np.random.default_rng([SEED, 9])
    points = [(11.722938120676993, 0.14447210105254513, 8.02e-203)]
    points += [
        (random.uniform(2, 30), geometric(random, 0.01, 60), 10 ** -random.uniform(10, 280)) for _ in range(count)
    ]
    wrong = []
    with mpmath.workdps(45):
        for args in points:
            dfn, dfd, p = (mpmath.mpf(t) for t in args)
            x, y = quantile(dfn / 2, dfd / 2, p)
            f = x / y * dfd / dfn
            density = x ** (dfn / 2) * y ** (dfd / 2) / (mpmath.beta(dfn / 2, dfd / 2) * f)
            if not checked(lambda args=args: special.fdtri(*args), f):
                wrong.append((args, "value"))
            if not checked(derivative_in(special.fdtri, args, 2), 1 / density):
                wrong.append((args, 2))
    assert not wrong


@COUNTS
@pytest.mark.parametrize("name", ["bdtrik", "nbdtrik"])
def test_counts_at_tiny_probabilities(name, count):
    random = np.random.default_rng([SEED, len(name), 10])
    f, wrong = getattr(special, name), []
    with mpmath.workdps(60):
        while count:
            n, p = geometric(random, 20, 500), random.uniform(0.01, 0.99)
            k, n, p = (mpmath.mpf(t) for t in (geometric(random, 0.1, 0.9 * n), n, p))

            def lower(k, n=n, p=p):
                return tail(n - k, k + 1, 1 - p, p) if name == "bdtrik" else tail(n, k + 1, p, 1 - p)

            y = float(lower(k))
            if not 1e-280 < y < 1e-100:
                continue
            count -= 1
            derivative = (lower(k * (1 + STEP)) - lower(k * (1 - STEP))) / (2 * k * STEP)
            args = [y, float(n), float(p)]
            if not checked(lambda args=args: f(*args), k):
                wrong.append((args, "value"))
            if not checked(derivative_in(f, args, 0), 1 / derivative):
                wrong.append((args, 0))
    assert not wrong
