"""Random numbers: NumPy's, bit for bit, with the derivative that keeps their distribution function what it is."""

from __future__ import annotations

import pickle

import numpy
import pytest
import scipy.stats
from numpy.testing import assert_allclose, assert_array_equal

import wirtinger as wp
from wirtinger import NotDifferentiableError, TraceError, grad, jacobian, jvp

SEED, SIZE = 12345, 40

# parameters, and the distribution of SciPy's with these
UNIVARIATE = {
    "normal": ((1.5, 2.0), scipy.stats.norm),
    "uniform": ((-1.0, 3.0), lambda low, high: scipy.stats.uniform(low, high - low)),
    "exponential": ((1.5,), lambda scale: scipy.stats.expon(scale=scale)),
    "laplace": ((0.5, 2.0), scipy.stats.laplace),
    "logistic": ((0.5, 2.0), scipy.stats.logistic),
    "gumbel": ((0.5, 2.0), scipy.stats.gumbel_r),
    "lognormal": ((0.3, 0.7), lambda mean, sigma: scipy.stats.lognorm(sigma, scale=numpy.exp(mean))),
    "rayleigh": ((1.7,), lambda scale: scipy.stats.rayleigh(scale=scale)),
    "weibull": ((1.7,), scipy.stats.weibull_min),
    "pareto": ((2.5,), scipy.stats.lomax),
    "power": ((2.5,), scipy.stats.powerlaw),
    "triangular": (
        (-1.0, 0.5, 2.0),
        lambda left, mode, right: scipy.stats.triang((mode - left) / (right - left), left, right - left),
    ),
    "standard_gamma": ((2.3,), scipy.stats.gamma),
    "gamma": ((0.7, 3.0), lambda shape, scale: scipy.stats.gamma(shape, scale=scale)),
    "chisquare": ((3.5,), scipy.stats.chi2),
    "beta": ((0.8, 2.5), scipy.stats.beta),
    "standard_t": ((3.5,), scipy.stats.t),
    "f": ((4.0, 7.0), scipy.stats.f),
}
WITHOUT = {
    "binomial": (5, 0.3),
    "geometric": (0.4,),
    "logseries": (0.3,),
    "negative_binomial": (3.0, 0.4),
    "noncentral_chisquare": (3.0, 1.0),
    "noncentral_f": (3.0, 4.0, 1.0),
    "poisson": (2.0,),
    "vonmises": (0.1, 2.0),
    "wald": (1.0, 2.0),
    "zipf": (2.5,),
}


@pytest.mark.parametrize("name", UNIVARIATE)
def test_the_numbers_are_numpys_and_move_along_their_quantiles(name):
    parameters, distribution = UNIVARIATE[name]
    theirs = numpy.random.default_rng(SEED)
    expected = getattr(theirs, name)(*parameters, SIZE)
    seen = []

    def draw(*parameters):
        generator = wp.random.default_rng(SEED)
        seen.append((getattr(generator, name)(*parameters, SIZE), generator.bit_generator.state))
        return seen[-1][0]

    rows = jacobian(draw, argnums=tuple(range(len(parameters))))(*parameters)
    assert_array_equal(wp.stop_gradient(seen[0][0]), expected)
    assert seen[0][1] == theirs.bit_generator.state
    u = distribution(*parameters).cdf(expected)
    for i, (row, p) in enumerate(zip(rows, parameters, strict=True)):
        h = 1e-5 * abs(p)
        ends = [distribution(*parameters[:i], p + s, *parameters[i + 1 :]).ppf(u) for s in (h, -h)]
        quotient = (ends[0] - ends[1]) / (2 * h)
        assert_allclose(row, quotient, rtol=2e-6, atol=2e-7 * numpy.max(numpy.abs(quotient)))


@pytest.mark.parametrize("name", UNIVARIATE)
def test_second_derivatives_and_both_modes(name):
    parameters = numpy.array(UNIVARIATE[name][0])

    def draw(p):
        return wp.sum(wp.sin(getattr(wp.random.default_rng(SEED), name)(*p, 5)))

    along = numpy.linspace(0.5, 1.0, len(parameters))
    assert_allclose(jvp(draw, (parameters,), (along,))[1], grad(draw)(parameters) @ along, rtol=1e-10, atol=1e-12)
    second = wp.hessian(draw)(parameters)
    assert_allclose(second, second.T, rtol=1e-7, atol=1e-9)
    assert_allclose(grad(lambda p: grad(draw)(p) @ along)(parameters), second @ along, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", ["gamma", "beta", "standard_t"])
def test_the_second_derivative_of_quantiles(name):
    """That of p -> x(p) along the quantile at one number, by differences of the second order."""
    parameters, distribution = UNIVARIATE[name]
    x = getattr(numpy.random.default_rng(SEED), name)(*parameters)
    u = distribution(*parameters).cdf(x)
    second = wp.hessian(lambda p: getattr(wp.random.default_rng(SEED), name)(p, *parameters[1:]))(parameters[0])
    h = 1e-3
    ends = [distribution(parameters[0] + s, *parameters[1:]).ppf(u) for s in (-2 * h, -h, 0, h, 2 * h)]
    assert_allclose(second, numpy.dot([-1, 16, -30, 16, -1], ends) / (12 * h * h), rtol=1e-5)


def test_sizes_and_broadcasting():
    loc, scale = numpy.arange(3.0), numpy.array([[1.0], [2.0]])

    def draw(loc, scale):
        return wp.random.default_rng(SEED).normal(loc, scale)

    x, _ = jvp(draw, (loc, scale), (loc, scale))
    g = grad(lambda loc, scale: wp.sum(draw(loc, scale)), argnums=(0, 1))(loc, scale)
    assert_array_equal(x, numpy.random.default_rng(SEED).normal(loc, scale))
    assert_array_equal(g[0], [2.0, 2.0, 2.0])
    z = numpy.random.default_rng(SEED).standard_normal((2, 3))
    assert_allclose(g[1], z.sum(1, keepdims=True))
    shapes = numpy.array([0.5, 3.0])
    J = jacobian(lambda a: wp.random.default_rng(0).gamma(a, size=(4, 2)))(shapes)
    assert J.shape == (4, 2, 2)
    assert_array_equal(J[:, 0, 1], 0)
    assert grad(lambda s: wp.random.default_rng(0).gamma(s))(2.0).shape == ()
    assert grad(lambda s: wp.random.default_rng(0).normal(scale=s))(2.0).shape == ()
    assert grad(lambda a: wp.random.default_rng(0).gamma([a, 2.0]).sum())(2.0).shape == ()


@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_wrong_arguments_raise_as_numpys():
    with pytest.raises(TypeError, match="argument"):
        grad(lambda s: wp.random.default_rng(0).normal(0.0, s, 3, 4).sum())(2.0)
    with pytest.raises(TypeError, match="unexpected keyword"):
        grad(lambda s: wp.random.default_rng(0).normal(0.0, s, sze=3).sum())(2.0)
    with pytest.raises(ValueError, match="scale < 0"):
        grad(lambda s: wp.random.default_rng(0).normal(0.0, s))(-1.0)
    with pytest.raises(TypeError, match="real"):
        grad(lambda s: wp.real(wp.random.default_rng(0).normal(0.0, s)))(1j)
    with pytest.raises(NotDifferentiableError, match="out="):
        grad(lambda a: wp.random.default_rng(0).standard_gamma(a, out=numpy.zeros(3)).sum())(2.0)


def test_a_singular_covariance_and_a_mean_with_a_derivative():
    J = jacobian(lambda m: wp.random.default_rng(0).multivariate_normal(m, numpy.ones((2, 2))))(numpy.zeros(2))
    assert_array_equal(J, numpy.eye(2))
    made = jacobian(lambda m: wp.random.default_rng(0).multivariate_normal(m, wp.array([[1.0, 1.0], [1.0, 1.0]])))
    assert_array_equal(made(numpy.zeros(2)), numpy.eye(2))
    with pytest.raises(numpy.linalg.LinAlgError, match="positive definite"):
        grad(lambda s: wp.random.default_rng(0).multivariate_normal([0.0, 1.0], s * numpy.ones((2, 2))).sum())(1.0)


def test_the_scale_0_and_small_shapes():
    z = numpy.random.default_rng(0).standard_normal()
    assert grad(lambda s: wp.random.default_rng(0).normal(1e8, s))(0.0) == z
    tiny = jacobian(lambda a: wp.random.default_rng(0).gamma(a, size=200))(1e-3)
    assert numpy.isfinite(tiny).all()
    ends = jacobian(lambda a: wp.random.default_rng(0).beta(a, 1e-2, 200))(1e-2)
    assert numpy.isfinite(ends).all()


def test_dirichlet():
    alpha = numpy.array([0.8, 2.0, 3.5])

    def draw(alpha):
        return wp.random.default_rng(SEED).dirichlet(alpha, 20_000)

    columns = [jvp(draw, (alpha,), (along,)) for along in numpy.eye(3)]
    x, J = columns[0][0], numpy.stack([column for _, column in columns], -1)
    assert_array_equal(x, numpy.random.default_rng(SEED).dirichlet(alpha, 20_000))
    assert_allclose(J.sum(1), 0, atol=1e-10)
    first = x[:50, 0]
    u = scipy.stats.beta(0.8, 5.5).cdf(first)
    quotient = (scipy.stats.beta(0.80001, 5.5).ppf(u) - scipy.stats.beta(0.79999, 5.5).ppf(u)) / 2e-5
    assert_allclose(J[:50, 0, 0], quotient, rtol=1e-5)
    # the derivative of E[x_k^2] = alpha_k (alpha_k + 1) / (A (A + 1)), by the mean over the numbers
    values = 2 * x[:, :, None] * J
    exact = jacobian(lambda a: a * (a + 1) / (wp.sum(a) * (wp.sum(a) + 1)))(alpha)
    error = values.std(0) / numpy.sqrt(len(values))
    assert (numpy.abs(values.mean(0) - exact) < 5 * error).all()


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    mean, cov = numpy.array([1.0, -1.0]), numpy.array([[2.0, 0.6], [0.6, 1.0]])
    along = numpy.array([[0.3, 0.2], [0.2, -0.1]])

    def draw(mean, cov):
        return wp.random.default_rng(SEED).multivariate_normal(mean, cov, 6, method=method)

    x, dx = jvp(draw, (mean, cov), (0 * mean, along))
    assert_array_equal(x, numpy.random.default_rng(SEED).multivariate_normal(mean, cov, 6, method=method))
    M = numpy.linalg.lstsq(x - mean, dx, rcond=None)[0].T  # dx = M (x - mean), with the covariance that it has
    assert_allclose(M @ cov + cov @ M.T, along, atol=1e-12)
    assert_allclose(jacobian(draw)(mean, cov), numpy.broadcast_to(numpy.eye(2), (6, 2, 2)))


@pytest.mark.parametrize("name", WITHOUT)
def test_what_has_no_derivative_says_so(name):
    args = WITHOUT[name]
    ours, theirs = wp.random.default_rng(SEED), numpy.random.default_rng(SEED)
    with pytest.raises(NotDifferentiableError, match=name):
        grad(lambda p: getattr(ours, name)(*args[:-1], p) * 1.0)(float(args[-1]))
    assert ours.bit_generator.state == theirs.bit_generator.state
    assert getattr(ours, name)(*args) == getattr(theirs, name)(*args)


def test_choices_and_permutations():
    x, ours = numpy.arange(5.0), wp.random.default_rng(3)
    seen = []
    grad(lambda x: wp.sum(seen.append(ours.permutation(x)) or seen[-1]))(x)
    grad(lambda x: wp.sum(seen.append(ours.choice(x, 3, replace=False)) or seen[-1]))(x)
    theirs = numpy.random.default_rng(3)
    assert_array_equal(wp.stop_gradient(seen[0]), theirs.permutation(x))
    assert_array_equal(wp.stop_gradient(seen[1]), theirs.choice(x, 3, replace=False))
    assert_array_equal(jacobian(lambda x: wp.random.default_rng(3).permutation(x))(x).sum(0), 1)

    def shuffled(x):
        y = wp.array(wp.stack([x, 2 * x], 1))
        wp.random.default_rng(3).shuffle(y)
        return y

    rows = numpy.stack([x, 2 * x], 1)
    numpy.random.default_rng(3).shuffle(rows)
    assert_array_equal(jvp(shuffled, (x,), (x,)), [rows, rows])
    with pytest.raises(NotDifferentiableError, match="choice"):
        grad(lambda p: ours.choice(5, p=p) * 1.0)(numpy.full(5, 0.2))


@pytest.mark.parametrize(
    "name", ["normal", "uniform", "gamma", "beta", "standard_t", "laplace", "lognormal", "exponential"]
)
def test_the_functions_draw_from_numpys_global_generator(name):
    parameters, distribution = UNIVARIATE[name]
    wp.random.seed(5)
    wp.random.standard_normal()  # leaves the second number of a pair
    expected = getattr(wp.random, name)(*parameters, 7)
    wp.random.seed(5)
    wp.random.standard_normal()
    x, dx = jvp(lambda p: getattr(wp.random, name)(p, *parameters[1:], 7), (parameters[0],), (1.0,))
    assert_array_equal(x, expected)
    u, h = distribution(*parameters).cdf(x), 1e-5
    ends = [distribution(parameters[0] + s, *parameters[1:]).ppf(u) for s in (h, -h)]
    assert_allclose(dx, (ends[0] - ends[1]) / (2 * h), rtol=1e-5, atol=1e-7)


def test_it_is_numpys_module_in_all_else():
    rng = wp.random.default_rng(1)
    assert isinstance(rng, numpy.random.Generator)
    assert isinstance(numpy.random.default_rng(1), wp.random.Generator)
    assert type(wp.random.Generator(numpy.random.PCG64(1))) is wp.random.Generator
    assert wp.random.default_rng(rng) is rng
    shared = numpy.random.default_rng(1)
    assert wp.random.default_rng(shared).bit_generator is shared.bit_generator
    assert wp.random.PCG64 is numpy.random.PCG64
    assert type(rng.spawn(1)[0]) is wp.random.Generator
    copied = pickle.loads(pickle.dumps(rng))
    assert type(copied) is wp.random.Generator
    assert copied.normal() == rng.normal()
    assert "PCG64" in dir(wp.random)
    assert_array_equal(wp.random.default_rng(4).integers(9, size=3), numpy.random.default_rng(4).integers(9, size=3))


def test_a_generator_of_numpys_names_ours():
    with pytest.raises(TraceError, match=r"wirtinger\.random\.default_rng"):
        grad(lambda s: numpy.random.default_rng(0).normal(0.0, s))(1.0)


def test_a_loss_in_expectation():
    """E[x^2] = m^2 + s^2, by numbers, has the derivative of the same numbers."""

    def loss(m, s):
        return wp.mean(wp.random.default_rng(0).normal(m, s, 1000) ** 2)

    z = numpy.random.default_rng(0).standard_normal(1000)
    gm, gs = grad(loss, argnums=(0, 1))(0.5, 2.0)
    assert_allclose([gm, gs], [numpy.mean(2 * (0.5 + 2 * z)), numpy.mean(2 * (0.5 + 2 * z) * z)])


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_permuted(axis):
    x = numpy.arange(6.0).reshape(2, 3)
    value, derivative = jvp(lambda x: wp.random.default_rng(3).permuted(x, axis=axis), (x,), (x,))
    assert_array_equal(value, numpy.random.default_rng(3).permuted(x, axis=axis))
    assert_array_equal(derivative, value)


@pytest.mark.parametrize("name", ["random", "standard_exponential", "standard_normal"])
def test_arrays_of_a_trace_are_filled(name):
    def scaled(s):
        numbers = wp.empty((2, 3))
        assert getattr(wp.random.default_rng(3), name)(out=numbers) is numbers
        return s * numbers

    assert_array_equal(jvp(scaled, (2.0,), (1.0,))[1], getattr(numpy.random.default_rng(3), name)((2, 3)))
