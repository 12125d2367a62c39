"""Distributions at the ends of their domains: limits, infinite parameters, huge and tiny shapes."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from distribution_references import DIGITS
from wirtinger import NotDifferentiableError, grad, jvp, special
from wirtinger.special.gamma_and_beta import beta_shape

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


def test_many_degrees_of_noncentral_t():
    """References by integrals with 70 digits, at 2e9 degrees; of 3.8e69 it is the normal distribution."""
    in_centrality = grad(lambda nc, df=2e9: special.nctdtr(df, nc, 1.5))
    assert in_centrality(3.0) == pytest.approx(-0.12951759567499843, rel=1e-14)
    in_both = grad(lambda df: grad(lambda nc: special.nctdtr(df, nc, 1.5))(3.0))
    assert in_both(2e9) == pytest.approx(4.553352946767384e-21, rel=1e-11)
    density = np.exp(-((-0.2948 + 1.593) ** 2) / 2) / np.sqrt(2 * np.pi)
    assert grad(lambda nc: special.nctdtr(3.8e69, nc, -0.2948))(-1.593) == pytest.approx(-density, rel=1e-14)


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


@pytest.mark.parametrize("a", [1e-6, 1e-3, 0.3, 40.0])
@pytest.mark.parametrize("b", [1e-4, 1.5, 30.0])
def test_second_derivatives_of_the_incomplete_beta_function_at_small_shapes(a, b):
    """Of `x` and a shape in either order: the density times `log(x) + psi(a + b) - psi(a)`, DLMF 8.17.1."""
    x = 0.03
    density = np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - scipy.special.betaln(a, b))
    with mp.workdps(30):
        both = mp.digamma(mp.mpf(a) + b)
        expected = (
            float(mp.log(x) + both - mp.digamma(a)),
            float(mp.log(1 - mp.mpf(x)) + both - mp.digamma(b)),
        )
    in_a = grad(lambda x: grad(lambda a: special.betainc(a, b, x))(a))(x)
    in_b = grad(lambda x: grad(lambda b: special.betainc(a, b, x))(b))(x)
    np.testing.assert_allclose([in_a, in_b], np.multiply(density, expected), rtol=1e-11)
