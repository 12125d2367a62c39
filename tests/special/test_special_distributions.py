"""Incomplete gamma and beta functions, distributions and their inverses: every argument against mpmath, special points.

The metric is the mixed error `|error| / (|df/dp| + |f| / max(1, |p|))`, where `f` is the smaller of the function and
its complement: at most 1e-13 in ordinary regions, 1e-10 at hard points, 1e-8 there for second derivatives.
"""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from distribution_references import (
    DIGITS,
    INVERSES,
    betainc,
    chndtr,
    fdtr,
    gammainc,
    kolmogorov,
    ncfdtr,
    nctdtr,
    poisson_mixture,
    stdtr,
)
from wirtinger import grad, jvp, special
from wirtinger.special.distributions import chi_nodes, noncentral_degrees, noncentral_student, noncentral_student_tail
from wirtinger.special.gamma_and_beta import beta_extended, beta_shape, gamma_descent, gamma_shape


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
