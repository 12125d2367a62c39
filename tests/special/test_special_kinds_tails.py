"""Kinds of arguments at which noncentral distributions, quantiles and binomial coefficients were wrong: far in a tail.

Each kind draws 5 points, in the exhaustive run 20, `WIRTINGER_SEED` says which; a result is right to 1e-10 beside
mpmath's, or comes with a warning.  The references are mixtures of upper tails, whose terms are positive.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from test_special_kinds_distributions import quantile, tail
from test_special_kinds_polynomials import COUNTS, SMALLEST, checked, derivative_in

from special_draws import SEED
from wirtinger import special

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


def binomial(n, k):
    """By the reflection DLMF 5.5.3, with the sine of what is left of integers."""

    def sine(x):
        return mpmath.sin(mpmath.pi * mpmath.fmod(x, 2))

    if n > -1 and k > 0:
        return sine(k - n) / mpmath.pi * mpmath.exp(mpmath.loggamma(n + 1) + of_gammas(k - n, k + 1))
    if n > -1:
        return -sine(k) / mpmath.pi * mpmath.exp(mpmath.loggamma(n + 1) + of_gammas(-k, n - k + 1))
    if k > 0:
        return sine(n - k) / sine(n) * mpmath.exp(of_gammas(k - n, k + 1) - mpmath.loggamma(-n))
    return sine(k) / sine(n) * mpmath.exp(of_gammas(-k, n - k + 1) - mpmath.loggamma(-n))


def of_gammas(x, y):
    return mpmath.loggamma(x) - mpmath.loggamma(y)


DRAWN = {
    "positive": lambda random: random.uniform(0.1, 9),
    "small": lambda random: geometric(random, 1e-12, 1e-3),
    "half": lambda random: random.integers(0, 9) + 0.5,
    "between": lambda random: -random.uniform(0.01, 0.99),
    "negative": lambda random: -random.uniform(1.01, 9),
}
"""The upper one of a binomial coefficient."""


@COUNTS
@pytest.mark.parametrize("kind", DRAWN)
def test_binomial_coefficients_far_beyond(kind, count):
    random = np.random.default_rng([SEED, len(kind), 11])
    points = [(6.8185074566687085, 1.6167273059392274e32)] if kind == "positive" else []
    for _ in range(count):
        k = geometric(random, 1e3, 1e20)
        points.append((float(DRAWN[kind](random)), (np.rint(k) if kind == "half" else k) * random.choice([1.0, -1.0])))
    wrong = []
    with mpmath.workdps(250):
        step = mpmath.mpf(10) ** -60
        for args in points:
            n, k = (mpmath.mpf(float(t)) for t in args)
            if mpmath.fmod(k, 1) == 0 and k < 0 and n > -1:
                assert special.binom(*args) == 0
                continue
            if not checked(lambda args=args: special.binom(*args), binomial(n, k)):
                wrong.append((args, "value"))
            references = (
                (binomial(n + step, k) - binomial(n - step, k)) / (2 * step),
                (binomial(n, k + step) - binomial(n, k - step)) / (2 * step),
            )
            wrong += [
                (args, i)
                for i, reference in enumerate(references)
                if abs(reference) > SMALLEST and not checked(derivative_in(special.binom, args, i), reference)
            ]
    assert not wrong


def test_sines_of_whole_distances_are_zero():
    assert special.binom(3.0, 1e20) == 0
    assert special.binom(0.0, -1e20) == 0
