"""Incomplete gamma and beta functions, distributions and their inverses: every argument against mpmath, special points.

The metric is the mixed error `|error| / (|df/dp| + |f| / max(1, |p|))`, where `f` is the smaller of the function and
its complement: at most 1e-13 in ordinary regions, 1e-10 at hard points, 1e-8 there for second derivatives.
"""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wirtinger import NotDifferentiableError, grad, jvp, special
from wirtinger.special.distributions import (
    chi_nodes,
    noncentral_degrees,
    noncentral_f_distribution,
    noncentral_student,
    noncentral_student_tail,
)
from wirtinger.special.gamma_and_beta import beta_extended, beta_shape, gamma_descent, gamma_shape
from wirtinger.special.scipy_repairs.hazards import is_endless_chi_squared

DIGITS = 40

# references


def remembered(reference):
    """The same numbers are needed for each argument in turn, and by the mixtures."""
    known = {}

    def value(*args):
        key = (mp.mp.dps, *args)
        if key not in known:
            known[key] = reference(*args)
        return known[key]

    return value


@remembered
def gammainc(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


@remembered
def betainc(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def poisson_mixture(f, mean):
    total, weight, j = mp.mpf(0), mp.exp(-mean), 0
    while j <= mean or weight > mp.mpf(10) ** (-DIGITS - 2):
        total += weight * f(j)
        j += 1
        weight *= mean / j
    return total


def chndtr(x, df, nc):
    return poisson_mixture(lambda j: gammainc(df / 2 + j, x / 2), nc / 2)


def fdtr(dfn, dfd, x):
    return betainc(dfn / 2, dfd / 2, dfn * x / (dfn * x + dfd))


def ncfdtr(dfn, dfd, nc, f):
    return poisson_mixture(lambda j: betainc(dfn / 2 + j, dfd / 2, dfn * f / (dfn * f + dfd)), nc / 2)


def stdtr(df, t):
    tail = betainc(df / 2, mp.mpf(1) / 2, df / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


def nctdtr(df, nc, t):
    """Lenth's series."""
    if t < 0:
        return 1 - nctdtr(df, -nc, -t)
    half, x, j = nc * nc / 2, t * t / (df + t * t), 0
    p, q, total = mp.exp(-half), mp.exp(-half) / mp.gamma(mp.mpf(3) / 2), mp.mpf(0)
    while j <= half or abs(p) + abs(q) > mp.mpf(10) ** (-DIGITS - 2):
        total += p * betainc(j + mp.mpf(1) / 2, df / 2, x) + nc / mp.sqrt(2) * q * betainc(j + mp.mpf(1), df / 2, x)
        j += 1
        p, q = p * half / j, q * half / (j + mp.mpf(1) / 2)
    return mp.ncdf(-nc) + total / 2


def kolmogorov(x):
    if x > 1:
        return 2 * sum((-1) ** (k - 1) * mp.exp(-2 * k * k * x * x) for k in range(1, 12))
    terms = [mp.exp(-(((2 * k - 1) * mp.pi / x) ** 2) / 8) for k in range(1, 12)]
    return 1 - mp.sqrt(2 * mp.pi) / x * sum(terms)


def smirnov(n, d):
    n = int(n)
    return d * sum(
        mp.binomial(n, v) * (d + mp.mpf(v) / n) ** (v - 1) * (1 - d - mp.mpf(v) / n) ** (n - v)
        for v in range(int(n * (1 - d)) + 1)
    )


FUNCTIONS = {
    "gammainc": (gammainc, (0, 1), [(0.7, 1.3), (20.0, 24.0)], [(0.01, 1e-6), (1000.0, 950.0), (300.5, 301.0)]),
    "betainc": (
        betainc,
        (0, 1, 2),
        [(0.7, 1.3, 0.4), (5.0, 3.0, 0.8), (20.0, 20.0, 0.4)],
        [(0.01, 0.01, 0.4), (0.02, 500.0, 1e-5), (1000.0, 0.05, 0.99), (800.0, 900.0, 0.47)],
    ),
    "chdtr": (lambda v, x: gammainc(v / 2, x / 2), (0, 1), [(3.0, 2.0)], [(0.05, 7.0)]),
    "gdtr": (lambda a, b, x: gammainc(b, a * x), (0, 1, 2), [(1.5, 2.5, 1.2)], [(0.01, 30.0, 2500.0)]),
    "fdtr": (fdtr, (0, 1, 2), [(3.0, 5.0, 1.5), (20.0, 12.0, 0.9)], [(0.02, 0.5, 1e-3), (1000.0, 3.0, 8.0)]),
    "stdtr": (stdtr, (0, 1), [(3.0, 1.5), (0.5, -0.7)], [(0.02, 5.0), (1000.0, -3.0), (1000.0, 1e-3)]),
    "chndtr": (
        chndtr,
        (0, 1, 2),
        [(3.0, 2.0, 1.5), (8.0, 5.0, 4.0)],
        [(1e-3, 0.02, 0.5), (300.0, 100.0, 200.0), (900.0, 1000.0, 3.0)],
    ),
    "ncfdtr": (ncfdtr, (0, 1, 2, 3), [(3.0, 5.0, 1.5, 1.2), (0.5, 0.7, 0.4, 0.6)], [(0.02, 0.5, 1.0, 1e-3)]),
    "nctdtr": (
        nctdtr,
        (0, 1, 2),
        [(3.0, 0.7, 1.2), (8.0, -1.3, 0.5), (0.6, 2.0, -1.0)],
        [(0.05, 1.0, 2.0), (1000.0, 3.0, 2.5), (1.0, 5.0, -3.0), (2.0, 9.0, 12.0)],
    ),
    "kolmogorov": (kolmogorov, (0,), [(0.3,), (0.99,), (1.01,), (2.0,)], [(0.2,), (5.0,)]),
    "smirnov": (smirnov, (1,), [(5.0, 0.3), (20.0, 0.16), (3.0, 0.7)], [(300.0, 0.05), (40.0, 0.8)]),
}
POINTS = [
    pytest.param(name, point, i, hard, id=f"{name}-{'-'.join(map(str, point))}-{i}")
    for name, (_, positions, *regions) in FUNCTIONS.items()
    for hard, points in enumerate(regions)
    for point in points
    for i in positions
]


def differences(reference, point, i):
    """The value, the first and the second derivative, by differences in high precision."""
    exact = [mp.mpf(x) for x in point]
    scale = min(1, abs(exact[i]))

    def at(h):
        return reference(*exact[:i], exact[i] + h, *exact[i + 1 :])

    h = scale * mp.mpf(10) ** -6
    left, value, right = at(-h), at(0), at(h)
    left_twice, right_twice = at(-2 * h), at(2 * h)
    first = (8 * (right - left) - (right_twice - left_twice)) / (12 * h)
    second = (16 * (right + left) - 30 * value - (right_twice + left_twice)) / (12 * h * h)
    return value, first, second


@pytest.mark.parametrize(("name", "point", "i", "hard"), POINTS)
def test_first_and_second_derivative(name, point, i, hard):
    f = getattr(special, name)

    def along(x):
        return f(*point[:i], x, *point[i + 1 :])

    with mp.workdps(DIGITS):
        value, first, second = differences(FUNCTIONS[name][0], point, i)
        value, scale = min(value, 1 - value), max(1, abs(point[i]))
        errors = abs(grad(along)(point[i]) - first) / (abs(first) + value / scale)
        assert errors < (1e-10 if hard else 1e-13)
        errors = abs(grad(grad(along))(point[i]) - second) / (abs(second) + abs(first) / scale + value / scale**2)
        assert errors < (1e-8 if hard else 1e-10)


# inverses: of which distribution, in which of its arguments, and where

INVERSES = {
    "gammaincinv": (gammainc, lambda u, a, p: (a, u), (2.3, 0.4), 1),
    "gammainccinv": (lambda a, x: 1 - gammainc(a, x), lambda u, a, p: (a, u), (2.3, 0.4), 1),
    "betaincinv": (betainc, lambda u, a, b, p: (a, b, u), (2.3, 0.8, 0.4), 2),
    "btdtria": (betainc, lambda u, p, b, x: (u, b, x), (0.4, 0.8, 0.6), 0),
    "btdtrib": (betainc, lambda u, a, p, x: (a, u, x), (0.8, 0.4, 0.6), 1),
    "chdtri": (lambda v, x: 1 - gammainc(v / 2, x / 2), lambda u, v, p: (v, u), (3.0, 0.4), 1),
    "chdtriv": (lambda v, x: gammainc(v / 2, x / 2), lambda u, p, x: (u, x), (0.4, 2.0), 0),
    "gdtrib": (lambda a, b, x: gammainc(b, a * x), lambda u, a, p, x: (a, u, x), (1.5, 0.4, 2.0), 1),
    "pdtrik": (lambda k, m: 1 - gammainc(k + 1, m), lambda u, p, m: (u, m), (0.7, 2.5), 0),
    "bdtrik": (lambda k, n, q: 1 - betainc(k + 1, n - k, q), lambda u, p, n, q: (u, n, q), (0.7, 8.0, 0.3), 0),
    "bdtrin": (lambda k, n, q: 1 - betainc(k + 1, n - k, q), lambda u, k, p, q: (k, u, q), (2.0, 0.7, 0.3), 1),
    "nbdtrik": (lambda k, n, q: betainc(n, k + 1, q), lambda u, p, n, q: (u, n, q), (0.7, 2.5, 0.3), 0),
    "nbdtrin": (lambda k, n, q: betainc(n, k + 1, q), lambda u, k, p, q: (k, u, q), (2.0, 0.7, 0.3), 1),
    "fdtri": (fdtr, lambda u, n, d, p: (n, d, u), (3.0, 5.0, 0.4), 2),
    "fdtridfd": (fdtr, lambda u, n, p, x: (n, u, x), (3.0, 0.76, 2.0), 1),
    "stdtrit": (stdtr, lambda u, v, p: (v, u), (3.5, 0.3), 1),
    "stdtridf": (stdtr, lambda u, p, t: (u, t), (0.9, 1.5), 0),
    "chndtrix": (chndtr, lambda u, p, v, nc: (u, v, nc), (0.4, 3.0, 1.5), 0),
    "chndtridf": (chndtr, lambda u, x, p, nc: (x, u, nc), (5.0, 0.4, 1.5), 1),
    "chndtrinc": (chndtr, lambda u, x, v, p: (x, v, u), (5.0, 3.0, 0.4), 2),
    "ncfdtri": (ncfdtr, lambda u, n, d, nc, p: (n, d, nc, u), (3.0, 5.0, 1.5, 0.4), 3),
    "ncfdtridfd": (ncfdtr, lambda u, n, p, nc, f: (n, u, nc, f), (3.0, 0.6, 1.5, 2.0), 1),
    "ncfdtridfn": (ncfdtr, lambda u, p, d, nc, f: (u, d, nc, f), (0.5, 5.0, 1.5, 1.2), 0),
    "ncfdtrinc": (ncfdtr, lambda u, n, d, p, f: (n, d, u, f), (3.0, 5.0, 0.2, 1.2), 2),
    "nctdtrit": (nctdtr, lambda u, v, nc, p: (v, nc, u), (3.5, 0.8, 0.4), 2),
    "nctdtridf": (nctdtr, lambda u, p, nc, t: (u, nc, t), (0.75, 0.8, 2.0), 0),
    "nctdtrinc": (nctdtr, lambda u, v, p, t: (v, u, t), (3.5, 0.4, 1.2), 1),
    "kolmogi": (kolmogorov, lambda u, p: (u,), (0.4,), 0),
}


INVERSES_FROM_A_GUESS = (
    *("bdtrik", "bdtrin", "nbdtrik", "nbdtrin", "stdtridf", "fdtridfd", "nctdtrinc", "nctdtridf"),
    *("ncfdtridfn", "ncfdtridfd", "ncfdtrinc"),
)


@pytest.mark.parametrize("name", INVERSES)
def test_inverse(name):
    reference, point, args, unknown = INVERSES[name]
    f = getattr(special, name)
    probability = next(i for i, a in enumerate(args) if a not in point(object(), *args))
    with mp.workdps(DIGITS):
        p = mp.mpf(args[probability])
        exact = [mp.mpf(a) for a in args]
        root = mp.findroot(lambda u: reference(*point(u, *exact)) - p, mp.mpf(float(f(*args))))
        assert abs(f(*args) - root) < 1e-13 * abs(root)
        at_root = point(root, *exact)
        derivative = differences(reference, at_root, unknown)[1]
        for i in range(len(args)):
            found = jvp(lambda x, i=i: f(*args[:i], x, *args[i + 1 :]), (args[i],), (1.0,))[1]
            where = [k for k, x in enumerate(at_root) if x is exact[i]]
            expected = (
                1 / derivative if i == probability else -differences(reference, at_root, where[0])[1] / derivative
            )
            assert abs(found - expected) < 1e-11 * (abs(expected) + abs(root))


def test_inverses_that_scipy_does_not_find():
    p = scipy.special.ncfdtr(3.0, np.array([0.7, 5.0, 9.0]), 2.0, 1.4)
    np.testing.assert_allclose(scipy.special.ncfdtr(3.0, special.ncfdtridfd(3.0, p, 2.0, 1.4), 2.0, 1.4), p, rtol=1e-13)
    p = scipy.special.ncfdtr(np.array([0.7, 5.0, 9.0]), 4.0, 2.0, 1.4)
    np.testing.assert_allclose(scipy.special.ncfdtr(special.ncfdtridfn(p, 4.0, 2.0, 1.4), 4.0, 2.0, 1.4), p, rtol=1e-13)


@pytest.mark.parametrize(
    ("name", "unknown"), [("ncfdtridfn", 0), ("ncfdtridfd", 1), ("ncfdtrinc", 2), ("nctdtridf", 0)]
)
def test_inverses_whose_search_scipy_ends_early(name, unknown):
    random = np.random.default_rng(2)
    if name == "nctdtridf":
        function, point = (
            special.nctdtr,
            [random.uniform(1, 10, 200), random.uniform(0, 2, 200), random.uniform(3, 4, 200)],
        )
    else:
        function, point = (
            special.ncfdtr,
            [*random.uniform(1, 10, (2, 200)), random.uniform(0.5, 3, 200), random.uniform(1.5, 3, 200)],
        )
    p, rest = function(*point), [x for k, x in enumerate(point) if k != unknown]
    u = getattr(special, name)(
        *([p, *rest] if name != "ncfdtridfd" and unknown == 0 else [*rest[:unknown], p, *rest[unknown:]])
    )
    found = function(*[u if k == unknown else x for k, x in enumerate(point)])
    np.testing.assert_allclose(found, p, rtol=2e-15, atol=1e-15)


def test_no_solution():
    with np.errstate(all="ignore"):
        assert np.isnan(grad(lambda m: special.pdtrik(0.01, m))(2.0))
        assert np.isnan(grad(lambda p: special.ncfdtrinc(3.0, 5.0, p, 1.2))(0.99))
    assert special.ncfdtrinc(3.0, 5.0, 0.99, 1.2) == scipy.special.ncfdtrinc(3.0, 5.0, 0.99, 1.2)


# values


@pytest.mark.parametrize(
    ("df", "nc", "t"), [(3.0, 5.0, -1.0), (3.0, 6.0, -4.0), (10.0, 8.0, 1.0), (0.5, 3.0, -2.0), (5.0, 12.0, 4.0)]
)
def test_lower_tail_of_noncentral_t(df, nc, t):
    with mp.workdps(60):
        expected = nctdtr(mp.mpf(df), mp.mpf(nc), mp.mpf(t))
    assert abs(special.nctdtr(df, nc, t) - expected) < 1e-13 * expected


def test_lower_tail_of_noncentral_t_by_its_series_is_the_integral():
    random = np.random.default_rng(6)
    v, d, t = log_uniform(random, 1e-3, 1e4), log_uniform(random, 1e-6, 30), -log_uniform(random, 1e-2, 1e4)
    chosen = noncentral_student_tail.has_short_series(v, d, t)
    assert np.mean(chosen) > 0.5
    v, d, t = v[chosen], d[chosen], t[chosen]
    found = noncentral_student_tail.by_series(v, d, t)
    expected = noncentral_student.noncentral_student(v, d, t, order=0)
    np.testing.assert_allclose(found, expected, rtol=2e-12, atol=1e-300)
    alone = [noncentral_student_tail.by_series(*[x[i : i + 1] for x in (v, d, t)])[0] for i in range(0, len(v), 40)]
    np.testing.assert_allclose(alone, found[::40], rtol=1e-12)


@pytest.mark.parametrize("df", [2e4, 1e6, 1e8])
def test_noncentral_t_of_many_degrees_of_freedom(df):
    with mp.workdps(60):
        expected = nctdtr(mp.mpf(df), mp.mpf(3), mp.mpf(-1.5))
    assert abs(special.nctdtr(df, 3.0, -1.5) - expected) < 1e-12 * expected


@pytest.mark.parametrize("df", [0.1, 0.5, 3.0, 10.0, 50.0])
@pytest.mark.parametrize("p", [1e-20, 1e-200, 1e-300, 1e-310])
def test_quantiles_of_student_far_in_the_tails(df, p):
    with mp.workdps(DIGITS):
        a, tail = mp.mpf(df) / 2, 2 * mp.mpf(p)
        guess = (mp.log(tail * a) + mp.log(mp.beta(a, 0.5))) / a
        x = mp.exp(mp.findroot(lambda y: mp.log(mp.betainc(a, 0.5, 0, mp.exp(y), regularized=True) / tail), guess))
        expected = float(-mp.sqrt(df * (1 / x - 1)))
    for value in (special.stdtrit(df, p), special.stdtrit(np.full(2, df), p)[1]):
        np.testing.assert_allclose(value, expected, rtol=1e-12)


def test_quantiles_at_both_ends():
    with np.errstate(all="ignore"):
        for f, args in ((special.stdtrit, ()), (special.nctdtrit, (1.0,))):
            for df in (0.5, 3.0, np.inf):
                assert [f(df, *args, p) for p in (0.0, 1.0)] == [-np.inf, np.inf]
                np.testing.assert_array_equal(f(df, *args, np.array([0.0, 1.0])), [-np.inf, np.inf])
            assert np.isnan([f(np.nan, *args, 0.0), f(3.0, *args, -0.1)]).all()
            for p in (0.0, 1.0):
                derivatives = [grad(f, i)(3.0, *args, p) for i in range(f.nin)]
                assert derivatives == [*[0.0] * (f.nin - 1), np.inf]
    tails = special.nctdtrit(1.0, 2.0, np.array([1e-100, 1e-300]))
    assert tails[1] == pytest.approx(1e200 * tails[0], rel=1e-12)


@pytest.mark.parametrize("name", INVERSES_FROM_A_GUESS)
def test_inverses_of_numbers_are_those_of_arrays(name):
    random = np.random.default_rng(3)
    given = INVERSES[name][2]
    args = [np.array(x) * random.uniform(0.9, 1.1, 20) for x in given]
    found = [getattr(special, name)(*point) for point in zip(*args, strict=True)]
    np.testing.assert_allclose(found, getattr(special, name)(*args), rtol=2e-13)


def test_ufunc_keywords_of_improved_functions():
    args = np.array([3.0, 2.0]), 4.0, np.array([0.3, 0.2]), 1.2
    expected = special.ncfdtrinc(*args)
    out = np.zeros(2)
    assert special.ncfdtrinc(*args, out=out) is out
    np.testing.assert_array_equal(out, expected)
    assert special.ncfdtrinc(*args, out) is out
    out[:] = 7
    special.ncfdtrinc(*args, out=(out,), where=[True, False])
    np.testing.assert_array_equal(out, [expected[0], 7])
    single = special.ncfdtrinc(*args, dtype=np.float32)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=1e-5)
    assert type(special.ncfdtrinc(3.0, 4.0, 0.3, 1.2)) is np.float64
    np.testing.assert_array_equal(special.ncfdtrinc(args[0].tolist(), 4, args[2].tolist(), 1.2), expected)
    assert special.bdtrin.nin == 3


def test_third_derivative_of_noncentral_t_in_the_degrees():
    third = grad(grad(grad(lambda df: special.nctdtr(df, 1.0, 0.5))))(3.0)
    with mp.workdps(DIGITS):
        expected = mp.diff(lambda df: nctdtr(df, mp.mpf(1), mp.mpf(0.5)), mp.mpf(3), 3, h=mp.mpf(10) ** -8)
    assert third == pytest.approx(float(expected), rel=1e-12)


def log_uniform(random, low, high):
    return np.exp(random.uniform(np.log(low), np.log(high), 2000))


def test_poisson_mixtures_are_the_contour_integrals():
    random = np.random.default_rng(0)
    m, b = log_uniform(random, 0.05, 100), log_uniform(random, 0.1, 100)
    mean, away = log_uniform(random, 1e-6, 60), random.normal(0, 1, 2000)
    y = np.minimum((m + mean) * np.exp(away), 149)
    odds = (m + mean) / b * np.exp(away)
    cases = [
        (gamma_shape._SHORT[key], gamma_shape._by_mixture, gamma_shape._on_parabola, (m, mean, y), key)
        for key in gamma_shape._SHORT
    ]
    cases += [
        (beta_shape.beta_is_short, beta_shape._by_mixture, beta_shape._on_grids, (m, b, mean, odds), (orders, True))
        for orders in ((1, 0), (0, 1))
    ]
    large = log_uniform(random, 200, 1900), log_uniform(random, 200, 1900)
    near = (large[0] + mean) / large[1] * np.exp(away / 20)
    cases += [
        (beta_shape.beta_is_short, beta_shape._by_mixture, beta_shape._on_grids, (*large, mean, near), (orders, True))
        for orders in ((1, 0), (0, 1))
    ]
    args = (m, b + 1, mean, odds)
    cases.append(
        (beta_shape.beta_density_is_short, beta_shape._by_mixture, beta_shape._on_grids, args, ((0, 0), False))
    )
    for is_short, mixture, contour, args, which in cases:
        chosen = is_short(*args)
        assert np.mean(chosen) > 0.5
        args = [x[chosen] for x in args]
        np.testing.assert_allclose(mixture(*args, *which), contour(*args, *which), rtol=1e-11, atol=1e-250)


def test_path_of_steepest_descent_is_the_parabola():
    random = np.random.default_rng(3)
    shape = np.concatenate([log_uniform(random, 1e-3, 60000), 2.0 ** np.arange(16), [0.0]])
    x = shape * np.exp(random.normal(0, 3, len(shape)) / np.sqrt(1 + shape)) + 0.01
    for order, power in ((1, 1), (2, 1), (1, 0)):
        found = gamma_descent.descent(shape, x, order, power)
        expected = gamma_shape._parabola(shape, 0.0, x, order, power)
        density = np.exp(scipy.special.xlogy(shape, x) - x - scipy.special.gammaln(shape + 1))
        np.testing.assert_array_less(np.abs(found - expected), 1e-12 * (np.abs(expected) + density) + 1e-300)


def test_noncentral_t_where_nothing_but_its_degrees_is_asked_for():
    v = np.array([0.5, 2.0, 7.0, 40.0, 3.0, 3.0, 0.05, 900.0])
    d = np.array([0.3, 1.0, -2.0, 3.0, 3.5, -6.0, 2.0, 1.0])
    t = np.array([1.0, 0.4, -1.5, 4.0, -2.0, 1.0, -4.0, 1.1])
    p = special.nctdtr(v, d, t)
    found = noncentral_degrees.degrees_of(p, d, t, np.full(8, np.nan))
    np.testing.assert_allclose(special.nctdtr(found, d, t), p, rtol=1e-13)
    none = noncentral_degrees.has_no_degrees(
        np.array([0.4, 1e-9, 0.4]), np.array([1.0, 1.0, 1.0]), np.array([-1, -1, 1])
    )
    np.testing.assert_array_equal(none, [True, True, False])
    assert special.nctdtridf(0.4, 1.0, -1.0) == scipy.special.nctdtridf(0.4, 1.0, -1.0)


def test_derivatives_of_degrees_that_the_probability_hardly_depends_on():
    d, t, v = 0.15835319431786576, 0.052367767177977656, 8.236771192147238
    derivative = grad(lambda p: special.nctdtridf(p, d, t))(0.4571808125623743)
    with mp.workdps(DIGITS):
        expected = 1 / mp.diff(lambda v: nctdtr(v, mp.mpf(d), mp.mpf(t)), mp.mpf(v))
    np.testing.assert_allclose(derivative, float(expected), rtol=1e-13)


def test_noncentral_beta_distribution_in_extended_precision():
    points = np.array([[0.3, 0.2, 0.0, 1.0], [4.6, 4.8, 2.1, 1.18], [40.0, 25.0, 24.0, 3.9], [0.05, 3.0, 1.0, 0.01]])
    found = beta_extended.noncentral_beta(*points.T.astype(np.longdouble))
    with mp.workdps(DIGITS):
        expected = [
            poisson_mixture(lambda j, a=a, b=b, x=x: betainc(a + j, b, x / (1 + x)), mean)
            for a, b, mean, x in [map(mp.mpf, point) for point in points.tolist()]
        ]
        errors = [
            float(mp.mpf(float(w)) + mp.mpf(float(w - np.float64(w))) - e) for w, e in zip(found, expected, strict=True)
        ]
    assert np.all(np.abs(errors) <= 500 * np.finfo(np.longdouble).eps * np.array(expected, float))


@pytest.mark.parametrize("order", [1, 2])
def test_noncentral_t_about_the_mode(order):
    random = np.random.default_rng(4)
    v, d, z = log_uniform(random, 0.3, 300), random.normal(0, 3, 2000), random.uniform(-3, 3, 2000)
    t = d + z * np.sqrt(1 + d * d / (2 * v))
    chosen = chi_nodes.has_chi_nodes(v, d, t)
    assert np.mean(chosen) > 0.5
    v, d, t = v[chosen], d[chosen], t[chosen]
    value = scipy.special.nctdtr(v, d, t)
    found = noncentral_student.noncentral_student(v, d, t, order=order)
    sides = [noncentral_student._trapezoid(v, d, t, order, 0, side, 600) * side for side in (1, -1)]
    expected = np.where(t < d, *sides)
    scale = np.abs(expected) + np.minimum(value, 1 - value) / np.maximum(1, v) ** order
    np.testing.assert_array_less(np.abs(found - expected), 2e-13 * scale)


def nctdtr_of_many_degrees(v, d, t):
    """The mean of `Phi(t r - d)` over `r = 1 + s / sqrt(2 v)`."""

    def weight(s):
        r = 1 + s / mp.sqrt(2 * v)
        return mp.exp(v * (mp.log(r) + (1 - r * r) / 2)) / r

    places = [-14, -5, 0, 5, 14]
    total = mp.quad(lambda s: weight(s) * mp.ncdf(t * (1 + s / mp.sqrt(2 * v)) - d), places)
    return total / mp.quad(weight, places)


@pytest.mark.parametrize(("v", "d", "t"), [(3e3, 1.0, 0.5), (1e8, 4.0, -1.0)])
def test_noncentral_t_of_many_degrees(v, d, t):
    derivative = grad(lambda v: special.nctdtr(v, d, t))(v)
    with mp.workdps(35):
        step = mp.mpf(v) / 10**7
        below, value, above = (nctdtr_of_many_degrees(v + k * step, mp.mpf(d), mp.mpf(t)) for k in (-1, 0, 1))
        expected = (above - below) / (2 * step)
    np.testing.assert_allclose(special.nctdtr(v, d, t), float(value), rtol=1e-12)
    np.testing.assert_allclose(derivative, float(expected), rtol=2e-13)


@pytest.mark.parametrize("name", [name for name in INVERSES_FROM_A_GUESS if name[:3] != "ncf" and name != "nctdtridf"])
def test_inverses_from_a_guess_are_those_of_scipy(name):
    random = np.random.default_rng(1)
    given, *_ = INVERSES[name][2:3]
    args = [np.array(x) * random.uniform(0.9, 1.1, 500) for x in given]
    found, expected = getattr(special, name)(*args), getattr(scipy.special, name)(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert not np.array_equal(found, expected)
    np.testing.assert_allclose(getattr(special, name)(*[float(x[0]) for x in args]), found[0], rtol=1e-12)


def test_inverses_where_a_guess_fails():
    assert special.bdtrik(1e-5, 10.0, 0.5) == scipy.special.bdtrik(1e-5, 10.0, 0.5) == 0
    for p in (0.0, -0.1, np.nan):
        assert np.array_equal(special.bdtrin(2.0, p, 0.3), scipy.special.bdtrin(2.0, p, 0.3), equal_nan=True)


# special points


def test_on_the_boundary_nothing_changes():
    x = np.array([0.0, np.inf])
    np.testing.assert_array_equal(grad(lambda a: np.sum(special.gammainc(a, x)))(2.0), 0)
    ends = np.array([0.0, 1.0])
    np.testing.assert_array_equal(grad(lambda a: np.sum(special.betainc(a, 3.0, ends)))(2.0), 0)
    np.testing.assert_array_equal(grad(lambda b: np.sum(special.betainc(2.0, b, ends)))(3.0), 0)
    assert grad(special.kolmogorov)(0.0) == 0
    assert grad(lambda d: special.smirnov(3, d))(0.0) == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("name", "args", "i", "derivative", "second"),
    [
        ("gammainc", (2.0, 0.0), 1, 0, 1),
        ("gammainc", (1.0, 0.0), 1, 1, -1),
        ("gammainc", (1.5, 0.0), 1, 0, np.inf),
        ("gammaincc", (2.5, 0.0), 1, 0, 0),
        ("chdtr", (4.0, 0.0), 1, 0, 1 / 4),
        ("gdtr", (2.0, 2.0, 0.0), 2, 0, 4),
        ("betainc", (2.0, 2.5, 0.0), 2, 0, 8.75),
        ("betainc", (2.5, 2.0, 1.0), 2, 0, -8.75),
        ("betainc", (1.0, 3.0, 0.0), 2, 3, -6),
        ("fdtr", (4.0, 3.0, 0.0), 2, 0, 20 / 3),
        ("fdtr", (2.0, 3.0, 0.0), 2, 1, -5 / 3),
        ("chndtr", (0.0, 4.0, 1.0), 0, 0, np.exp(-0.5) / 4),
        ("chndtr", (0.0, 2.0, 1.0), 0, np.exp(-0.5) / 2, -np.exp(-0.5) / 8),
        ("ncfdtr", (4.0, 3.0, 1.0, 0.0), 3, 0, np.exp(-0.5) * 20 / 3),
        ("ncfdtr", (2.0, 3.0, 1.0, 0.0), 3, np.exp(-0.5), np.exp(-0.5) * (5 / 6 - 5 / 3)),
    ],
)
def test_density_and_its_derivative_at_an_end(name, args, i, derivative, second):
    def along(x):
        return getattr(special, name)(*args[:i], x, *args[i + 1 :])

    with np.errstate(all="ignore"):
        assert grad(along)(args[i]) == pytest.approx(derivative, rel=1e-14)
        assert grad(grad(along))(args[i]) == pytest.approx(second, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "args", "i", "expected"),
    [
        ("gammaincinv", (2.0, 0.0), 1, np.inf),
        ("gammaincinv", (1.0, 0.0), 1, 1),
        ("gammainccinv", (2.0, 1.0), 1, -np.inf),
        ("gdtrix", (2.0, 2.5, 0.0), 2, np.inf),
        ("fdtri", (3.0, 5.0, 0.0), 2, np.inf),
        ("betaincinv", (2.0, 3.0, 1.0), 2, np.inf),
        ("chndtrix", (0.0, 3.0, 1.0), 0, np.inf),
    ],
)
def test_an_end_of_the_support_does_not_move(name, args, i, expected):
    f = getattr(special, name)
    with np.errstate(all="ignore"):
        for k in range(len(args)):
            derivative = grad(lambda x, k=k: f(*args[:k], x, *args[k + 1 :]))(args[k])
            assert derivative == (expected if k == i else 0)


def test_number_of_trials_that_no_success_count_exceeds():
    assert special.bdtrin(0.3, 1.0, 0.3) == 0.3
    found = [grad(special.bdtrin, i)(0.3, 1.0, 0.3) for i in range(3)]
    near = [grad(special.bdtrin, i)(0.3, 1 - 1e-7, 0.3) for i in range(3)]
    assert found[0] == pytest.approx(1)
    np.testing.assert_allclose(found, near, atol=1e-5)
    with np.errstate(all="ignore"):
        assert grad(special.bdtrin, 0)(45.65590789998976, 1.0, 6.25e-12) == 1


@pytest.mark.parametrize("lmbda", [-0.6, 0.0, 0.14, 0.7, 1.3])
@pytest.mark.parametrize("p", [1e-25, 1e-12, 1e-6])
def test_lower_tail_of_tukey(lmbda, p):
    with mp.workdps(60):
        exact, power = mp.mpf(p), mp.mpf(lmbda)
        logit = mp.log(exact / (1 - exact))
        x = float((exact**power - (1 - exact) ** power) / power if power else logit)
        density = exact ** (power - 1) + (1 - exact) ** (power - 1)
        rounding = abs(float(x / density / exact)) * 1e-15
        found = special.tklmbda(x, lmbda)
        assert abs(found / exact - 1) < 1e-13 + rounding or rounding > 1
        assert abs(grad(special.tklmbda)(x, lmbda) * density - 1) < 1e-12 + rounding or rounding > 1


@pytest.mark.parametrize(
    ("name", "args", "i"),
    [
        ("fdtr", (3.0, 5.0, np.inf), 2),
        ("fdtrc", (3.0, 5.0, np.inf), 2),
        ("gdtr", (2.0, 3.0, np.inf), 2),
        ("gdtrc", (np.inf, 3.0, 2.0), 0),
        ("ncfdtr", (3.0, 5.0, 1.0, np.inf), 3),
        ("nctdtr", (3.0, 1.0, np.inf), 2),
        ("nctdtr", (3.0, 1.0, -np.inf), 2),
        ("stdtr", (3.0, np.inf), 1),
        ("stdtr", (3.0, -np.inf), 1),
    ],
)
def test_an_infinite_variable_has_derivatives_zero(name, args, i):
    f = getattr(special, name)
    together = [np.array([x, args[j] if j != i else 1.5]) for j, x in enumerate(args)]
    for j in range(len(args)):
        derivative = grad(lambda x, j=j: np.sum(f(*together[:j], x, *together[j + 1 :])))(together[j])
        assert derivative[0] == 0
        inside = [x[1] for x in together]
        expected = grad(lambda x, j=j, inside=inside: f(*inside[:j], x, *inside[j + 1 :]))(inside[j])
        np.testing.assert_allclose(derivative[1], expected, rtol=1e-12)
    missing = [np.nan if j == (i + 1) % len(args) else x for j, x in enumerate(args)]
    assert np.isnan(grad(lambda x: f(*missing[:i], x, *missing[i + 1 :]))(missing[i]))


@pytest.mark.parametrize("lmbda", [0.3, 1.0, 2.5])
@pytest.mark.parametrize(("f", "x"), [(special.boxcox, 0.0), (special.boxcox1p, -1.0)])
def test_boxcox_at_the_end_of_its_domain(f, x, lmbda):
    derivative = grad(lambda p: np.sum(f(np.array([x, 0.7]), p)))(np.full(2, lmbda))
    np.testing.assert_allclose(derivative[0], lmbda**-2, rtol=1e-15)
    np.testing.assert_allclose(derivative[1], grad(lambda p: f(0.7, p))(lmbda), rtol=1e-14)
    np.testing.assert_allclose(grad(grad(lambda p: f(x, p)))(lmbda), -2 * lmbda**-3, rtol=1e-14)


def test_lower_tail_of_noncentral_t_in_single_precision():
    args = np.float32(8.5), np.float32(4.5), np.linspace(-3, 3, 50, dtype=np.float32)
    found = special.nctdtr(*args)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, special.nctdtr(*[np.float64(x) for x in args]), rtol=2e-5)


def test_student_at_zero():
    assert grad(lambda df: special.stdtr(df, 0.0))(3.0) == pytest.approx(0, abs=1e-12)
    mixed = grad(lambda t: grad(lambda df: special.stdtr(df, t))(3.0))(0.0)
    density = grad(lambda df: grad(lambda t: special.stdtr(df, t))(0.0))(3.0)
    assert mixed == pytest.approx(density, rel=1e-9)


def test_shape_zero():
    assert grad(lambda a: special.gammainc(a, 1.5))(0.0) == pytest.approx(-scipy.special.exp1(1.5), rel=1e-13)


@pytest.mark.parametrize("x", [0.01, 0.3, 0.9])
@pytest.mark.parametrize("b", [0.4, 2.5, 30.0])
def test_a_shape_of_the_incomplete_beta_function_is_zero(b, x):
    # 1 - betainc(a, b, x) = a int_x^1 (1 - s)**(b - 1) / s ds + O(a**2)
    expected = -mp.betainc(b, 0, 0, 1 - mp.mpf(x))
    assert grad(lambda a: special.betainc(a, b, x))(0.0) == pytest.approx(float(expected), rel=1e-12)
    assert grad(lambda b: special.betainc(0.0, b, x))(b) == pytest.approx(0, abs=1e-14)
    assert grad(lambda a: special.betaincc(b, a, 1 - x))(0.0) == pytest.approx(float(expected), rel=1e-12)


def test_infinite_degrees_of_noncentral_t():
    assert grad(lambda df: special.nctdtr(df, 0.7, 1.2))(np.inf) == 0
    density = np.exp(-((1.2 - 0.7) ** 2) / 2) / np.sqrt(2 * np.pi)
    assert grad(lambda nc: special.nctdtr(np.inf, nc, 1.2))(0.7) == pytest.approx(-density, rel=1e-13)
    assert grad(lambda t: special.nctdtr(np.inf, 0.7, t))(1.2) == pytest.approx(density, rel=1e-13)


def test_outside_the_domain_is_nan():
    with np.errstate(all="ignore"):
        assert np.isnan(grad(lambda a: special.gammainc(a, 1.5))(-1.0))
        assert np.isnan(grad(lambda a: special.gammainc(a, np.nan))(1.0))
        assert np.isnan(grad(lambda a: special.betainc(a, 1.5, 0.3))(-1.0))
        assert np.isnan(grad(lambda df: special.chndtr(1.0, df, -2.0))(1.0))


def test_missing_derivatives_say_why():
    with pytest.raises(NotDifferentiableError, match="it is an integer"):
        grad(lambda n: special.smirnov(n, 0.3))(5.0)


@pytest.mark.parametrize("name", ["gammainc", "betainc", "stdtr", "chndtr", "ncfdtr", "nctdtr"])
def test_empty_and_large_arrays(name):
    f = getattr(special, name)
    rest = (1.5, 0.7, 0.4)[3 - f.nin + 1 :] if f.nin < 4 else (1.5, 0.7, 0.4)
    derivative = grad(lambda a: np.sum(f(a, *rest)))
    assert derivative(np.zeros((0, 3))).shape == (0, 3)
    a = np.linspace(0.5, 3.0, 4500)
    np.testing.assert_allclose(derivative(a)[[0, 4200]], derivative(a[[0, 4200]]), rtol=1e-12)


def test_central_distributions_are_the_noncentral_ones_at_zero():
    derivative = grad(lambda df: special.chndtr(2.0, df, 0.0))(3.0)
    assert derivative == pytest.approx(grad(lambda df: special.chdtr(df, 2.0))(3.0), rel=1e-13)
    derivative = grad(lambda dfn: special.ncfdtr(dfn, 5.0, 0.0, 1.2))(3.0)
    assert derivative == pytest.approx(grad(lambda dfn: special.fdtr(dfn, 5.0, 1.2))(3.0), rel=1e-12)
    for t in (-1.3, 0.7):
        derivative = grad(lambda df, t=t: special.nctdtr(df, 0.0, t))(3.0)
        assert derivative == pytest.approx(grad(lambda df, t=t: special.stdtr(df, t))(3.0), rel=1e-12)


def shape_derivative_of_betainc(a, b, x):
    """By quadrature of the density times its logarithmic derivative in `a`."""
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    constant = mp.digamma(a + b) - mp.digamma(a)
    scale = mp.sqrt(a * b / (a + b) ** 3)

    def integrand(s):
        return s ** (a - 1) * (1 - s) ** (b - 1) / mp.beta(a, b) * (mp.log(s) + constant)

    return mp.quad(integrand, sorted({max(x - k * scale, 0) for k in (24, 16, 10, 6, 3, 1, 0)}))


@pytest.mark.parametrize(("a", "b"), [(2e5, 3e5), (5e3, 4.0), (3.0, 5e3), (900.0, 700.0)])
@pytest.mark.parametrize("z", [-3.0, -0.2])
def test_incomplete_beta_function_of_large_shapes(a, b, z):
    mean = a / (a + b)
    x = mean * np.exp(z * np.sqrt(b / (a * (a + b))))
    with mp.workdps(DIGITS):
        expected = shape_derivative_of_betainc(a, b, x)
        density = mp.mpf(x) ** (a - 1) * (1 - mp.mpf(x)) ** (b - 1) / mp.beta(a, b)
    assert abs(grad(special.betainc, 0)(a, b, x) / expected - 1) < 1e-12
    assert abs(grad(special.betainc, 2)(a, b, x) / density - 1) < 1e-12


def beta_moment(a, b, odds, n, m):
    """The derivative of orders `(n, m)`, `n + m = 2`, or of order 1, by quadrature in `u = log(s / (1 - s))`."""
    a, b, end = mp.mpf(a), mp.mpf(b), mp.log(mp.mpf(odds))
    means = [mp.digamma(v) - mp.digamma(a + b) for v in (a, b)]
    across = -mp.psi(1, a + b)
    covariance = {(2, 0): mp.psi(1, a) + across, (0, 2): mp.psi(1, b) + across, (1, 1): across}.get((n, m), mp.mpf(0))
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

    def integrand(u):
        logs = -mp.log1p(mp.exp(-u)), -mp.log1p(mp.exp(u))
        change = (logs[0] - means[0]) ** n * (logs[1] - means[1]) ** m - covariance
        return change * mp.exp(a * logs[0] + b * logs[1] - log_beta)

    is_lower = end < mp.log(a / b)
    step = (-1 if is_lower else 1) * mp.sqrt(1 / a + 1 / b)
    ends = [end + step * k * k / 4 for k in range(17)] + [end + step * (64 + 16 * 2**k) for k in range(5)]
    return -mp.quad(integrand, ends)


@pytest.mark.parametrize(
    ("a", "b", "odds"),
    [(8.5, 1.3e10, 6e-10), (4.7e12, 15.0, 1.6e11), (2.3, 1e15, 2e-15), (1e14, 0.8, 3e14), (2e9, 5e9, 0.40003)],
)
def test_incomplete_beta_function_where_one_shape_is_huge(a, b, odds):
    args = np.array(a), np.array(b), np.array(odds)
    for orders in ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2)):
        with mp.workdps(DIGITS):
            expected = float(beta_moment(a, b, odds, *orders))
        found = beta_shape.beta_integral(*args, orders=orders, pole=True)
        np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_inverses_where_the_probability_of_success_is_next_to_0_or_1():
    """Derivatives by mpmath, of `-F_k / F_n` and its kin."""
    for f, args, expected in (
        (special.bdtrin, (29.99988668588501, 0.13156990938965699, 5.1847458442004385e-12), -5693183862478.921),
        (special.nbdtrik, (0.6003910165752065, 8.5, 6.991257633020428e-10), 11181013323.095728),
        (special.nbdtrin, (14.0, 0.0001128885418572476, 0.9999999999929136), -2076800001210841.8),
    ):
        i = 0 if f is special.nbdtrik else 1
        np.testing.assert_allclose(grad(f, i)(*args), expected, rtol=1e-13)
    k, y, p = 29.99988668588501, 0.13156990938965699, 5.1847458442004385e-12
    second = grad(lambda p: grad(special.bdtrin, 2)(k, y, p))(p)
    np.testing.assert_allclose(second, 5.3499508351064e35, rtol=1e-12)


@pytest.mark.parametrize(("a", "b"), [(1e-3, 2e-3), (1e-6, 0.02), (0.02, 0.04), (1e-4, 30.0)])
@pytest.mark.parametrize("odds", [0.01, 0.3, 4.0])
def test_incomplete_beta_function_of_tiny_shapes(a, b, odds):
    x = odds / (1 + odds)

    def series(a, b, x):
        total, u, n = 1 / a, mp.mpf(1), 0
        while abs(u) > mp.mpf(10) ** -55:
            n += 1
            u *= (n - b) * x / n
            total += u / (a + n)
        return total * x**a / mp.beta(a, b)

    def exact(a, b):
        return series(a, b, mp.mpf(x)) if odds < 1 else 1 - series(b, a, 1 - mp.mpf(x))

    with mp.workdps(50):
        point, h = (mp.mpf(a), mp.mpf(b)), mp.mpf(min(a, b)) / 10**10
        value = exact(*point)
        value = min(value, 1 - value)
        first = [mp.diff(exact, point, n, h=h) for n in ((1, 0), (0, 1))]
        second = mp.diff(exact, point, (1, 1), h=h)
        for i, derivative in enumerate(first):
            found = grad(special.betainc, i)(a, b, x)
            assert abs(found - derivative) < 1e-13 * (abs(derivative) + value) + 1e-300
        found = grad(lambda a: grad(special.betainc, 1)(a, b, x))(a)
        assert abs(found - second) <= 1e-8 * (abs(second) + max(abs(w) for w in first) + value)


@pytest.mark.parametrize("a", [300.0, 1e5, 1e8])
@pytest.mark.parametrize("z", [-12.0, -3.0, 0.01, 5.0])
def test_density_of_a_large_shape(a, z):
    """Up to what a rounding of `x` changes."""
    x = a + z * np.sqrt(a)
    with mp.workdps(DIGITS):
        density = mp.exp((mp.mpf(a) - 1) * mp.log(mp.mpf(x)) - mp.mpf(x) - mp.loggamma(mp.mpf(a)))
    assert abs(grad(special.gammainc, 1)(a, x) / density - 1) < 2e-14 + 4e-16 * abs(x - a)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("gdtr", (2.0, 0.5, 0.0), (0, 0, np.inf)),
        ("gdtrc", (0.0, 0.5, 2.0), (-np.inf, 0, 0)),
        ("gdtr", (0.0, 0.5, 0.0), (0, 0, 0)),
        ("gdtr", (0.0, 1.0, 2.0), (2, 0, 0)),
        ("betainc", (np.inf, 2.0, 0.5), (0, 0, 0)),
        ("betaincc", (2.0, np.inf, 0.5), (0, 0, 0)),
        ("gammainc", (1e-20, 1e-300), (np.log(1e-300) + np.euler_gamma, 0)),
        ("fdtr", (1.0, 3.0, 0.0), (0, 0, np.inf)),
        ("ncfdtr", (1.0, 5.0, 2.0, 0.0), (0, 0, 0, np.inf)),
        ("gammaincinv", (2.0, 1.0), (0, np.inf)),
        ("stdtrit", (3.0, 1.0), (0, np.inf)),
        ("chdtriv", (0.0, 2.0), (-np.inf, 0)),
        ("tklmbda", (3.0, 0.5), (0, 0)),
    ],
)
def test_derivatives_at_the_ends(name, args, expected):
    f = getattr(special, name)
    for i, derivative in enumerate(expected):
        with np.errstate(all="ignore"):
            found = jvp(lambda x, i=i: f(*args[:i], x, *args[i + 1 :]), (args[i],), (1.0,))[1]
        assert found == pytest.approx(derivative, rel=1e-13) or (name == "gammainc" and i == 1)


def test_mixed_derivative_of_the_gamma_distribution_at_zero():
    """`gdtr(a, 1, x) = 1 - exp(-a x)`."""
    assert grad(lambda x: grad(lambda a: special.gdtr(a, 1.0, x))(2.0))(0.0) == pytest.approx(1)
    assert grad(lambda a: grad(lambda x: special.gdtr(a, 1.0, x))(0.0))(2.0) == pytest.approx(1)


def test_smirnov_at_one():
    assert [grad(lambda d, n=n: special.smirnov(n, d))(1.0) for n in (1, 2, 5)] == [-1, 0, 0]
    assert grad(grad(lambda d: special.smirnov(2, d)))(1.0) == 2


def test_noncentral_t_where_scipy_has_no_number():
    assert special.nctdtr(0.3, -30.0, 100.0) == 1
    assert special.nctdtr(0.3, 20.0, -50.0) == pytest.approx(2.5055609391635e-90, rel=1e-13)


# identities over the whole domain

SHAPES = st.floats(0.01, 1000)


@settings(max_examples=200, deadline=None)
@given(SHAPES, st.floats(-6, 6))
def test_recurrence_of_the_incomplete_gamma_function(a, z):
    # gammainc(a, x) - gammainc(a + 1, x) = x**a e**-x / gamma(a + 1), DLMF 8.8.5
    x = max(a + z * np.sqrt(a), a * np.exp(z))
    derivative = grad(lambda a: special.gammainc(a, x))
    term = np.exp(scipy.special.xlogy(a, x) - x - scipy.special.gammaln(a + 1))
    expected = term * (np.log(x) - scipy.special.digamma(a + 1))
    rounding = np.finfo(float).tiny + 1e-11 * (abs(derivative(a)) + abs(expected) + term)
    assert abs(derivative(a) - derivative(a + 1) - expected) <= rounding


@settings(max_examples=200, deadline=None)
@given(SHAPES, SHAPES, st.floats(-4, 4))
def test_symmetry_of_the_incomplete_beta_function(a, b, z):
    # betainc(a, b, x) = 1 - betainc(b, a, 1 - x), DLMF 8.17.4
    x = np.round(2**20 / (1 + b / a * np.exp(-z * np.sqrt(1 / a + 1 / b)))) / 2**20
    y = 1 - x
    assume(0 < x < 1)
    first = grad(lambda a: special.betainc(a, b, x))(a)
    second = grad(lambda a: special.betainc(b, a, y))(a)
    value = min(special.betainc(a, b, x), special.betaincc(a, b, x))
    assert abs(first + second) <= 1e-10 * (abs(first) + value / max(1, a))


def test_quantiles_of_any_size():
    """Of noncentral F with few degrees of freedom below; SciPy's search for these ends early."""
    args = [np.array(x) for x in ([3.0, 3.0, 133.2], [0.1, 0.05, 0.0131], [1.2, 1.2, 2.863], [0.9, 0.9, 0.7658])]
    values = special.ncfdtri(*args)
    np.testing.assert_allclose(special.ncfdtr(*args[:3], values), args[3], rtol=1e-13)
    assert np.all(np.abs(special.ncfdtr(*args[:3], scipy.special.ncfdtri(*args)) - args[3]) > 0.01)
    derivative = grad(special.ncfdtri, 3)(*(x[0] for x in args))
    density = grad(special.ncfdtr, 3)(*(x[0] for x in args[:3]), values[0])
    assert derivative == pytest.approx(1 / density, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "args", "value"),
    [
        ("ncfdtrinc", (1.1, 0.58, 0.0, 0.185), np.inf),
        ("nctdtrinc", (3.0, 0.0, 1.2), np.inf),
        ("nctdtrinc", (3.0, 0.0, -1.2), np.inf),
        ("nctdtrinc", (0.4, 1.0, 0.0), -np.inf),
    ],
)
def test_only_an_infinite_centrality_has_no_lower_or_upper_tail(name, args, value):
    f, p = getattr(special, name), INVERSES[name][2].index(0.2 if name == "ncfdtrinc" else 0.4)
    with np.errstate(all="ignore"):
        assert f(*args) == value
        np.testing.assert_array_equal(f(*[np.full(2, x) for x in args]), value)
        derivatives = [grad(f, i)(*args) for i in range(f.nin)]
        assert derivatives == [-np.inf if i == p else 0 for i in range(f.nin)]
        assert not np.isinf(special.ncfdtrinc(3.0, 5.0, 0.0, 0.0))


def test_derivatives_at_an_infinite_centrality():
    with np.errstate(all="ignore"):
        for nc in (np.inf, -np.inf):
            assert [grad(special.nctdtr, i)(3.0, nc, 1.2) for i in range(3)] == [0, 0, 0]


def student_tail(df, t):
    """The first term of the series of `betainc(df / 2, 1/2, df / t**2) / 2`."""
    x = df / t**2
    return x ** (df / 2) / (df * mp.beta(df / 2, mp.mpf(1) / 2))


@pytest.mark.parametrize(("df", "t"), [(0.3, 1e160), (0.05, 2e250), (1.5, 1e130), (0.001, 1e300)])
@pytest.mark.parametrize("side", [-1, 1])
def test_student_where_the_square_of_the_variable_overflows(df, t, side):
    with mp.workdps(DIGITS):
        tail = student_tail(mp.mpf(df), mp.mpf(t))
        in_degrees = mp.diff(lambda v: student_tail(v, mp.mpf(t)), mp.mpf(df))
        density = df * tail / t
        second = mp.diff(lambda v: student_tail(v, mp.mpf(t)), mp.mpf(df), 2)
        value = float(tail if side < 0 else 1 - tail)
    args = df, side * t
    for found in (special.stdtr(*args), special.stdtr(*[np.full(2, x) for x in args])[1]):
        assert found == pytest.approx(value, rel=1e-13)
    assert grad(special.stdtr, 0)(*args) == pytest.approx(float(-side * in_degrees), rel=1e-12)
    assert grad(special.stdtr, 1)(*args) == pytest.approx(float(density), rel=1e-12)
    found = grad(lambda v: grad(special.stdtr, 0)(v, side * t))(df)
    assert found == pytest.approx(float(-side * second), rel=1e-11)


@pytest.mark.parametrize(("df", "p"), [(0.5, 1e-83), (0.05, 1e-9), (1.0, 1e-164), (1.9, 1e-290), (0.05, 1 - 2.0**-50)])
def test_derivatives_of_quantiles_of_student_far_in_the_tails(df, p):
    with mp.workdps(DIGITS):
        v, q = mp.mpf(df), min(mp.mpf(p), 1 - mp.mpf(p))

        def quantile(v, q):
            return mp.sqrt(v) * (q * v * mp.beta(v / 2, mp.mpf(1) / 2)) ** (-1 / v)

        side = -1 if p < 0.5 else 1
        expected = [side * mp.diff(lambda v: quantile(v, q), v), quantile(v, q) / (v * q)]
    with np.errstate(all="ignore"):
        found = [grad(special.stdtrit, i)(df, p) for i in range(2)]
    np.testing.assert_allclose(found, [float(x) for x in expected], rtol=1e-11)


def test_noncentral_t_where_the_square_of_the_variable_overflows():
    """The tail is in proportion to a power of `t`."""
    df, nc, near, far = 0.3, 1.2, 1e50, 1e200
    for side in (-1, 1):
        values = [special.nctdtr(df, side * nc, -t) for t in (near, far)]
        assert values[1] == pytest.approx(values[0] * (far / near) ** -df, rel=1e-12)
        log_derivatives = [
            [grad(special.nctdtr, i)(df, side * nc, -t) / w for i in range(3)]
            for t, w in ((near, values[0]), (far, values[1]))
        ]
        assert log_derivatives[1][0] == pytest.approx(log_derivatives[0][0] - np.log(far / near), rel=1e-12)
        assert log_derivatives[1][1] == pytest.approx(log_derivatives[0][1], rel=1e-11)
        assert log_derivatives[1][2] == pytest.approx(df / far, rel=1e-12)
        t = special.nctdtrit(df, side * nc, values[1])
        assert t == pytest.approx(-far, rel=1e-11)
        derivatives = [grad(special.nctdtrit, i)(df, side * nc, values[1]) for i in range(3)]
        expected = [far / df * x for x in (-log_derivatives[1][0], -log_derivatives[1][1], 1 / values[1])]
        np.testing.assert_allclose(derivatives, expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("v", "d", "t"), [(0.011, 2.9, -7.5), (0.09, 4.8, -0.0025), (0.0015, -1.3, -0.09), (0.06, 4.9, 20.0)]
)
def test_noncentral_t_of_few_degrees(v, d, t):
    """By the trapezoidal rule in `log(r)`, of the change since `r = 0`."""
    with mp.workdps(30):
        logs = [mp.mpf(k) / 16 for k in range(-1100, 120)]
        changes = [mp.ncdf(mp.mpf(t) * mp.exp(u) - mp.mpf(d)) - mp.ncdf(-mp.mpf(d)) for u in logs]

        def change(v):
            terms = (mp.exp(v * (u - mp.exp(2 * u) / 2)) * x for u, x in zip(logs, changes, strict=True))
            return 2 * (v / 2) ** (v / 2) / mp.gamma(v / 2) * sum(terms) / 16

        expected = [float(mp.diff(change, mp.mpf(v), n, h=mp.mpf(v) * mp.mpf(10) ** -7)) for n in (1, 2)]
    derivative = grad(special.nctdtr, 0)(v, d, t)
    second = grad(lambda v: grad(special.nctdtr, 0)(v, d, t))(v)
    np.testing.assert_allclose([derivative, second], expected, rtol=1e-11)


def test_degrees_that_scipy_does_not_find():
    """About the largest value that noncentral F takes as a function of them, where SciPy's search goes astray."""
    args = [
        np.array(x)
        for x in ([2.92, 7.63, 5.91, 9.92], [0.5, 0.5, 0.5, 0.5], [2.06, 2.8, 4.25, 0.73], [0.565, 0.807, 1.146, 0.775])
    ]
    for degrees in (3.4, 2.5, 7.7, 6.6):
        args[1] = special.ncfdtr(args[0], degrees, *args[2:])
        found = special.ncfdtr(args[0], special.ncfdtridfd(*args), *args[2:])
        np.testing.assert_allclose(found, args[1], rtol=4e-15)
    assert np.all(np.abs(special.ncfdtr(args[0], scipy.special.ncfdtridfd(*args), *args[2:]) / args[1] - 1) > 1e-12)


def test_tukeys_lambda_beyond_the_ends_of_its_support():
    derivatives = [grad(special.tklmbda)(x, lmbda) for x, lmbda in ((0.0318, 97.78), (-0.7, 1.5), (3.0, 0.5))]
    assert derivatives == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("x", "lmbda"), [(1e308, -1024.0), (-1e308, -1030.5), (1e305, -1001.0), (1.7e308, -1000.5)])
def test_tukeys_lambda_where_powers_of_2_overflow(x, lmbda):
    def exact(lmbda):
        m, t = -lmbda, mp.mpf(0)
        for _ in range(40):
            t = 2 / m * mp.asinh(m * abs(mp.mpf(x)) / 2 / (2 * mp.cosh(t / 2)) ** m)
        return 1 / (1 + mp.exp(-mp.sign(x) * t))

    with mp.workdps(DIGITS):
        expected = float(exact(mp.mpf(lmbda)))
        derivative, second = (float(mp.diff(exact, mp.mpf(lmbda), n)) for n in (1, 2))
    assert special.tklmbda(x, lmbda) == pytest.approx(expected, rel=1e-15)
    assert grad(special.tklmbda, 1)(x, lmbda) == pytest.approx(derivative, rel=1e-13)
    found = grad(lambda lmbda: grad(special.tklmbda, 1)(x, lmbda))(lmbda)
    assert found == pytest.approx(second, rel=1e-11)


def test_tukeys_lambda_of_parameters_of_any_size():
    x, lmbda = np.array([0.1738, 27.0, 0.0, np.inf, -np.inf]), np.array([-1e300, -3331.1, -1e5, -1e300, -1e300])
    np.testing.assert_array_equal(special.tklmbda(x, lmbda), [0.5, 0.5, 0.5, 1.0, 0.0])
    np.testing.assert_array_equal(grad(lambda v: np.sum(special.tklmbda(x, v)))(lmbda), np.zeros(5))
    assert np.isnan(special.tklmbda(np.nan, -1e300))
    with np.errstate(all="ignore"):
        assert grad(special.tklmbda, 1)(1e-5, 1e300) == 0


def test_degrees_of_noncentral_f_in_one_sum():
    random = np.random.default_rng(6)
    dfn, dfd, nc, f = (
        np.exp(random.uniform(*np.log(ends), 3000)) for ends in ((0.1, 300), (0.1, 300), (0.01, 99), (0.01, 1e3))
    )
    nc[:100] = 0.0
    for degrees, in_first in ((dfn, True), (dfd, False)):
        found = noncentral_f_distribution._degrees(dfn, dfd, nc, f, in_first=in_first)
        expected = noncentral_f_distribution._degrees_in_two(dfn, dfd, nc, f, in_first=in_first)
        change = noncentral_f_distribution._fisher_density(dfn, dfd, nc, f) * f / degrees
        assert np.mean(found != expected) > 0.3
        np.testing.assert_array_less(np.abs(found - expected), 1e-12 * (np.abs(expected) + change) + 1e-300)


def test_degrees_of_noncentral_f_that_do_not_exist_are_nan():
    args = np.array([[9.206, 0.59586, 30.5, 1.557], [9.83, 0.99987, 1.1678, 3.035]])
    for dfn, p, nc, f in args:
        many = special.ncfdtr(dfn, np.logspace(-3, 16, 300), nc, f)
        assert np.min(np.abs(many - p)) > 1e-3
        assert np.isnan(special.ncfdtridfd(dfn, p, nc, f))
    assert np.all(np.isnan(special.ncfdtridfd(*args.T)))


def test_noncentral_chi_squared_where_scipy_does_not_return():
    huge, half = np.array(2.0**63), np.array(0.5)
    with pytest.warns(special.SpecialFunctionWarning, match="does not return"):
        assert np.isnan(special.chndtrinc(2.0**63, 5.0, 0.5))
    with pytest.warns(special.SpecialFunctionWarning, match="does not return"):
        np.testing.assert_array_equal(np.isnan(special.chndtrix(0.5, 5.0, np.array([2.0**63, 3.0]))), [True, False])
    assert is_endless_chi_squared("chndtrinc", huge, half * 10, half)
    assert is_endless_chi_squared("chndtrix", half, half * 10, huge)
    assert is_endless_chi_squared("chndtridf", huge, half, huge)
    assert is_endless_chi_squared("chndtr", huge, half, huge)
    assert not is_endless_chi_squared("chndtr", np.array(1e17), half, np.array(2e17))
    assert scipy.special.chndtr(1e17, 0.5, 2e17) == 0
    assert not np.any(is_endless_chi_squared("chndtrix", half, half, np.array([1e10, np.nan])))
    assert scipy.special.chndtrix(0.5, 0.5, 1e10) == pytest.approx(1e10)


@pytest.mark.parametrize("a", [7.9e-4, 0.5, 2.0])
def test_incomplete_beta_function_where_a_shape_is_0(a):
    derivatives, beside = ([grad(special.betainc, i)(a, b, 0.34) for i in range(2)] for b in (0.0, 1e-200))
    np.testing.assert_allclose(derivatives, beside, rtol=1e-12, atol=1e-15)
