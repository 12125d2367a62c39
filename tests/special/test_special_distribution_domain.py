"""Distributions over their whole domains: recurrences and symmetries, quantiles of any size, degrees of freedom."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from distribution_references import DIGITS, INVERSES
from wirtinger import grad, special
from wirtinger.special.distributions import noncentral_f_distribution
from wirtinger.special.scipy_repairs.hazards import is_endless_chi_squared

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


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (special.chdtri, (-2.0, 0.3)),
        (special.btdtria, (0.3, -2.0, 0.5)),
        (special.bdtrik, (0.3, -20.0, 0.1)),
        (lambda c, x: special.pro_rad1(4, 6, c, x)[0], (5.3, 0.2)),
        (lambda c, x: special.obl_ang1(2, 5, c, x)[1], (2.7, 1.5)),
    ],
)
def test_second_derivatives_outside_of_the_domain(function, args):
    for i in range(len(args)):
        assert np.isnan(grad(function, i)(*args))
        assert np.isnan(grad(grad(function, i), i)(*args))


def test_values_at_an_infinite_centrality():
    nc, t = np.array([np.inf, -np.inf, 1.0, np.inf]), np.array([1.2, -5.0, 1.2, np.nan])
    ordinary = special.nctdtr(3.0, 1.0, 1.2)
    np.testing.assert_array_equal(special.nctdtr(3.0, nc, t), [0.0, 1.0, ordinary, np.nan])
    assert [special.nctdtr(3.0, x, y) for x, y in zip(nc[:2].tolist(), t[:2].tolist(), strict=True)] == [0.0, 1.0]
