"""SciPy's code under a derivative, against exact references; and a part of `docs/tables/scipy.md` again."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy
import pytest
import scipy.integrate
import scipy.linalg
import scipy.special
import scipy.stats

import wirtinger as np
from wirtinger import grad, jvp
from wirtinger.scipy import integrate, interpolate, linalg, optimize, signal, stats

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tables" / "scipy.md"
SAMPLE = [
    "stats.norm.logpdf",
    "stats.gamma.cdf",
    "stats.beta.ppf",
    "stats.nct.pdf",
    "stats.skewnorm.ppf",
    "stats.invgauss.isf",
    "stats.t.entropy",
    "stats.nbinom.logpmf",
    "stats.zipfian.cdf",
    "stats.poisson.sf",
    "stats.pearsonr",
    "stats.skew",
    "stats.ttest_ind",
    "stats.dirichlet.logpdf",
    "stats.wishart.logpdf",
    "stats.multivariate_normal.cdf",
    "integrate.simpson",
    "integrate.quad_vec",
    "optimize.brentq",
    "optimize.nnls",
    "optimize.least_squares",
    "linalg.cholesky",
    "special.logsumexp",
    "sparse.linalg.cg",
    "stats.boxcox",
    "signal.freqz",
]


@pytest.fixture(scope="module")
def cases():
    folder = str(ROOT / "benchmarks" / "ecosystem")
    sys.path.insert(0, folder)
    try:
        import distributions
        import functions_arrays
        import functions_numerics
        import functions_stats
        import probe

        modules = (functions_numerics, functions_arrays, functions_stats)
        calls = [case for module in modules for case in module.CASES]
        calls += [*distributions.continuous(), *distributions.discrete()]
        yield probe.probe, {case.path: case for case in reversed(calls)}
    finally:
        sys.path.remove(folder)
        for name in ("distributions", "functions_arrays", "functions_numerics", "functions_stats", "probe"):
            sys.modules.pop(name, None)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_the_table(cases, name: str) -> None:
    probe, calls = cases
    outcome = probe(calls[name])
    assert outcome.status == "right", outcome.reason


def test_the_page_counts_what_was_asked_for() -> None:
    counts = re.search(r"^\| all \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(), re.MULTILINE)
    assert counts
    calls, right, refused, wrong = map(int, counts.groups())
    assert calls == right + refused
    assert calls >= 480
    assert right >= 400
    assert wrong == 0


def test_quantiles_are_inverse_to_distribution_functions() -> None:
    q, shape = numpy.array([0.1, 0.5, 0.97]), 1.7
    for law in (stats.gamma, stats.invgauss, stats.lognorm, stats.t, stats.exponnorm):
        x, dx = np.jvp(lambda q, law=law: law.ppf(q, shape), (q,), (numpy.ones(3),))
        assert numpy.allclose(dx * law.pdf(x, shape), 1, rtol=1e-9)
        identity = np.jacobian(lambda s, law=law: law.cdf(law.ppf(q, s), s))(shape)
        assert numpy.allclose(identity, 0, atol=1e-8)


@pytest.mark.parametrize("method", ["logpdf", "cdf", "logsf"])
@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("lognorm", (0.5,)),
        ("gamma", (2.0,)),
        ("cauchy", ()),
        ("t", (3.2,)),
        ("skewnorm", (4.0,)),
        ("genextreme", (-0.1,)),
    ],
)
def test_compiled_gradients_of_distributions(name: str, shapes: tuple[float, ...], method: str) -> None:
    function, x = getattr(getattr(stats, name), method), numpy.linspace(0.2, 3.0, 5)
    gradient = np.grad(lambda scale: np.sum(function(x, *shapes, scale=scale)))
    compiled = np.compile(gradient)
    for scale in (2.0, 1.3, 2.0):
        assert compiled(numpy.float64(scale)) == gradient(scale)


def test_second_derivatives_of_densities() -> None:
    hessian = np.hessian(lambda p: stats.norm.logpdf(0.7, p[0], p[1]))(numpy.array([0.2, 1.5]))
    z = (0.7 - 0.2) / 1.5
    assert numpy.allclose(hessian, numpy.array([[-1, -2 * z], [-2 * z, 1 - 3 * z * z]]) / 1.5**2, rtol=1e-12)
    assert abs(np.hessian(lambda a: stats.gamma.logpdf(1.2, a))(2.5) + scipy.special.polygamma(1, 2.5)) < 1e-12


def test_integrals_have_derivatives_under_the_sign_and_at_the_ends() -> None:
    grad = np.grad(lambda a: integrate.quad(lambda x: np.exp(-a * x * x), -np.inf, np.inf)[0])
    assert abs(grad(1.3) + numpy.sqrt(numpy.pi) / 2 * 1.3**-1.5) < 1e-13
    assert abs(np.grad(grad)(1.3) - 0.75 * numpy.sqrt(numpy.pi) * 1.3**-2.5) < 1e-12
    power = np.grad(lambda a: integrate.quad(lambda x: x**a, 0, 1)[0])
    assert abs(power(0.0) + 1) < 1e-12  # where the integrand is smooth, and its derivative log(x) is not
    assert abs(power(-0.5) + 4) < 1e-8
    ends = np.hessian(lambda p: integrate.quad(lambda x: np.sin(x) * p[1], p[0], p[0] ** 2)[0])(numpy.array([1.3, 1.0]))
    a = 1.3
    first = 2 * a * numpy.sin(a * a) - numpy.sin(a)
    second = 2 * numpy.sin(a * a) + 4 * a * a * numpy.cos(a * a) - numpy.cos(a)
    assert numpy.allclose(ends, [[second, first], [first, 0]], rtol=1e-12)
    value, error = integrate.quad(lambda x: numpy.exp(-x), 0, numpy.inf)
    assert (value, error) == scipy.integrate.quad(lambda x: numpy.exp(-x), 0, numpy.inf)
    complex_part = np.grad(lambda a: np.real(integrate.quad(lambda x: np.exp(1j * a * x), 0, 1, complex_func=True)[0]))
    assert abs(complex_part(2.0) - (2 * numpy.cos(2) - numpy.sin(2)) / 4) < 1e-12
    for gradient, a in ((grad, 1.3), (power, -0.5), (complex_part, 2.0)):
        single = gradient(numpy.float32(a))
        assert single.dtype == numpy.float32
        assert single == pytest.approx(gradient(a), rel=1e-5)


def test_an_integral_that_has_no_derivative_is_refused() -> None:
    with pytest.raises(np.NotDifferentiableError, match="infinite"):
        np.grad(lambda a: integrate.quad(lambda x: a / np.sqrt(x), a - a, 1)[0])(1.0)
    with pytest.raises(np.NotDifferentiableError, match=r"f\(x\) \* cos\(wvar \* x\)"):
        np.grad(lambda a: integrate.quad(lambda x: a * x, 0, 1, weight="cos", wvar=2.0)[0])(1.0)
    for options in ({}, {"complex_func": True}):
        with pytest.raises(np.NotDifferentiableError, match="logarithm"):
            np.grad(
                lambda a, options=options: np.real(
                    integrate.quad(lambda x: x, 0, 1, weight="alg-loga", wvar=(a, 0.0), **options)[0]
                )
            )(1.0)
    with pytest.raises(np.PrecisionLossError, match="points="):  # where it is probed the integrand is a constant
        np.grad(lambda a: integrate.quad(lambda x: a * x if x < 0.1 else 2.0, 0, 1)[0])(1.0)


@pytest.mark.parametrize("complex_func", [False, True])
def test_a_breakpoint_moves_where_the_integrand_is_constant_besides(complex_func) -> None:
    def step(a):
        return np.real(
            integrate.quad(lambda x: 1.0 if x < a else x + 2.0, 0, 1, points=[a], complex_func=complex_func)[0]
        )

    numpy.testing.assert_allclose([grad(step)(0.3), grad(grad(step))(0.3)], [-1.3, -1.0], rtol=1e-9)


def test_filters_that_scipys_code_computes_with_numbers() -> None:
    """`gammatone` by the modules math and cmath; the Landen transformation of `ellip` ends where a modulus is 0."""
    for f, x in (
        (lambda x: signal.gammatone(x, "iir", fs=16000.0)[1], 440.0),
        (lambda x: signal.ellip(4, x, 40.0, 0.3)[0], 1.0),
        (lambda x: signal.ellip(4, 1.0, x, 0.3)[1], 40.0),
    ):
        step = 1e-4 * x
        expected = (f(x + step) - f(x - step)) / (2 * step)
        for mode in ("forward", "reverse"):
            numpy.testing.assert_allclose(np.jacobian(f, mode=mode)(x), expected, rtol=1e-6)


def test_expectations_move_with_the_support() -> None:
    """`x**2`, of a density that moves or grows: in first derivatives only the value at the end is needed."""
    square = lambda dist: dist.expect(lambda x: x**2)
    for expected, f in (
        (2 * 6 * 1.5, lambda s: square(stats.gamma(2.0, scale=s))),
        (2 * 0.75 * 1.5, lambda s: square(stats.gamma(0.5, scale=s))),
        (2 * 1.5 + 4, lambda loc: square(stats.gamma(2.0, loc))),
        (2 * 0.2 * 1.5, lambda s: square(stats.beta(2.0, 3.0, scale=s))),
        (4 * 1.5, lambda s: square(stats.expon(scale=s))),
    ):
        assert abs(np.grad(f)(1.5) - expected) < 1e-9
        assert abs(jvp(f, (1.5,), (1.0,))[1] - expected) < 1e-9
    with numpy.errstate(all="ignore"), pytest.warns(scipy.integrate.IntegrationWarning):
        assert numpy.isnan(np.grad(lambda a: integrate.quad(lambda x: x * a, 0, a)[0])(numpy.nan))


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "BDF"])
def test_initial_value_problems_have_the_derivatives_of_their_solution(method: str) -> None:
    matrix = numpy.array([[-0.4, 1.0], [-1.0, -0.3]])
    start = numpy.array([1.0, -0.5])
    tolerances = {"rtol": 1e-9, "atol": 1e-11} if method == "DOP853" else {"rtol": 1e-7, "atol": 1e-9}

    def end(y, t0, t1, a):
        return integrate.solve_ivp(lambda t, y: a * (matrix @ y), (t0, t1), y, method=method, **tolerances).y[:, -1]

    arguments = (start, 0.1, 0.9, 1.2)
    propagator = scipy.linalg.expm(0.8 * 1.2 * matrix)
    final = propagator @ start
    speed = 1.2 * matrix @ final
    expected = (propagator, -speed, speed, 0.8 * matrix @ final)
    for k, wanted in enumerate(expected):
        assert numpy.allclose(np.jacobian(end, argnums=k)(*arguments), wanted, rtol=1e-5, atol=1e-6)


def test_methods_of_compiled_code_are_refused() -> None:
    with pytest.raises(np.NotDifferentiableError, match="LSODA"):
        np.grad(lambda k: integrate.solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], method="LSODA").y[0, -1])(1.0)
    with pytest.raises(np.NotDifferentiableError, match="odeint"):
        np.grad(lambda k: integrate.odeint(lambda y, t: -k * y, [1.0], [0.0, 1.0])[-1, 0])(1.0)


def test_roots_and_minima_have_the_derivatives_of_their_equations() -> None:
    def cube_root(a):
        return optimize.brentq(lambda x: x**3 - a, 0, 3)

    assert abs(np.grad(cube_root)(8.0) - 1 / 12) < 1e-12
    assert abs(np.grad(np.grad(cube_root))(8.0) + 1 / 144) < 1e-12
    found = np.grad(lambda a: optimize.root_scalar(lambda x: x**3 - a, bracket=(0, 3)).root)(8.0)
    assert abs(found - 1 / 12) < 1e-12
    minimum = np.jacobian(lambda a: optimize.minimize(lambda x: np.sum(np.cosh(x - a)), numpy.zeros(2)).x)
    assert numpy.allclose(minimum(numpy.array([0.3, -0.2])), numpy.eye(2), atol=1e-8)
    bounded = np.jacobian(lambda a: optimize.minimize(
        lambda x: np.sum((x - a) ** 2), numpy.zeros(2), bounds=[(0, 1), (0, 1)]).x)  # fmt: skip
    assert numpy.allclose(bounded(numpy.array([0.5, 2.0])), [[1, 0], [0, 0]], atol=1e-7)
    first = {"type": "eq", "fun": lambda x: x[0] - 1}
    constrained = np.jacobian(lambda a: optimize.minimize(
        lambda x: np.sum((x - a) ** 2), numpy.zeros(2), constraints=first).x)  # fmt: skip
    assert numpy.allclose(constrained(numpy.array([0.5, 2.0])), [[0, 0], [0, 1]], atol=1e-7)


def test_a_fit_is_differentiated_in_its_data_and_its_covariance_too() -> None:
    t = numpy.linspace(0, 1, 8)
    y = 2 + 3 * t + numpy.array([0.1, -0.1, 0.05, 0, -0.05, 0.1, 0, -0.1])
    design = numpy.stack([numpy.ones(8), t], 1)
    pseudo_inverse = numpy.linalg.pinv(design)

    def fit(y):
        return optimize.curve_fit(lambda t, a, b: a + b * t, t, y, p0=(1.0, 1.0))

    assert numpy.allclose(np.jacobian(lambda y: fit(y)[0])(y), pseudo_inverse, rtol=1e-6, atol=1e-8)
    residual = y - design @ (pseudo_inverse @ y)
    expected = 2 * residual / 6 * numpy.linalg.inv(design.T @ design)[1, 1]
    assert numpy.allclose(np.grad(lambda y: fit(y)[1][1, 1])(y), expected, rtol=1e-5, atol=1e-8)


def test_all_that_leastsq_returns_is_that_of_curve_fit() -> None:
    x = numpy.linspace(-1.0, 2.0, 9)
    y = numpy.exp(-((x - 0.4) ** 2)) + 0.05 * numpy.cos(9 * x)

    def model(x, a, b):
        return a * np.exp(-((x - b) ** 2))

    exact = {"ftol": 1e-15, "xtol": 1e-15, "full_output": True}

    def fit(y):
        p, covariance, info, *_ = optimize.leastsq(lambda p: model(x, *p) - y, [1.0, 0.3], **exact)
        return p, covariance, info["fvec"], info["fjac"], info["qtf"]

    def other(y):
        p, covariance, info, *_ = optimize.curve_fit(model, x, y, [1.0, 0.3], absolute_sigma=True, **exact)
        return p, covariance, info["fvec"], info["fjac"], info["qtf"]

    found, expected = (np.jacobian(f)(y) for f in (fit, other))
    for a, b in zip(found, expected, strict=True):
        numpy.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)
    d, h = numpy.cos(3 * x), 1e-3
    for a, upper, lower in zip(np.jvp(fit, (y,), (d,))[1], fit(y + h * d), fit(y - h * d), strict=True):
        numpy.testing.assert_allclose(a, (upper - lower) / (2 * h), rtol=1e-4, atol=1e-5)


def test_equality_that_decides_is_refused() -> None:
    with pytest.raises(np.NotDifferentiableError, match="treats this value apart"):
        np.grad(lambda c: stats.genextreme.logpdf(0.3, c))(0.0)
    assert numpy.isfinite(np.grad(lambda c: stats.genextreme.logpdf(0.3, c))(1e-3))
    assert numpy.isfinite(np.grad(lambda x: stats.genextreme.logpdf(x, 0.0))(0.3))


def test_initial_conditions_of_filters_are_differentiated_where_the_first_coefficient_is_1() -> None:
    b, a = numpy.array([0.3, 0.5, 0.2]), numpy.array([1.0, -0.4, 0.15])
    for function in (signal.lfilter_zi, lambda b, a: signal.lfiltic(b, a, numpy.array([0.3, 0.4]))):
        homogeneous = np.jvp(function, (b, a), (b, a))[1]  # both times a number: nothing changes
        assert numpy.allclose(homogeneous, 0, atol=1e-14)


def test_single_precision_and_complex_arguments() -> None:
    x = numpy.float32(0.3)
    assert np.grad(lambda x: stats.norm.logpdf(x))(x).dtype == numpy.float32
    z = numpy.array([[2.0, 1j], [-1j, 3.0]])
    exact = np.grad(lambda a: np.real(np.linalg.slogdet(a)[1]))(z)
    upper = np.grad(lambda a: np.sum(np.log(np.real(np.diag(linalg.cholesky(a)))) * 2))(z)  # all that is read
    assert numpy.allclose((upper + upper.conj().T) / 2, exact)


def test_empty_arrays_and_scalars() -> None:
    assert np.grad(lambda x: np.sum(stats.norm.cdf(x)))(numpy.ones(0)).shape == (0,)
    assert np.grad(lambda x: stats.norm.ppf(x))(0.3).shape == ()
    assert numpy.isnan(stats.gamma.pdf(numpy.nan, 2.0))


MOVING = {
    "kink": (lambda p: integrate.quad(lambda x: np.abs(x - p), 0.0, 1.0, points=[p])[0], lambda p: p * p - p + 0.5),
    "jump": (
        lambda p: integrate.quad(lambda x: np.where(x < p, x, p**2), 0.0, 1.0, points=[0.7, p])[0],
        lambda p: p**2 / 2 + p**2 - p**3,
    ),
    "constants": (lambda p: integrate.quad(lambda x: 1.0 * (x < p) + 0 * p, 1.0, 0.0, points=[p])[0], lambda p: -p),
    "root": (
        lambda p: integrate.quad(lambda x: np.sqrt(np.abs(x - p)), 0.0, 1.0, points=[p])[0],
        lambda p: (p**1.5 + (1 - p) ** 1.5) * 2 / 3,
    ),
    "vector": (
        lambda p: np.sum(integrate.quad_vec(lambda x: np.stack([np.abs(x - p), p * x]), 0.0, 1.0, points=[p])[0]),
        lambda p: p * p - p / 2 + 0.5,
    ),
}


@pytest.mark.parametrize("name", MOVING)
def test_breakpoints_that_move(name):
    f, expected = MOVING[name]
    for k, (ours, exact) in enumerate(
        [(f, expected), (grad(f), grad(expected)), (grad(grad(f)), grad(grad(expected)))]
    ):
        numpy.testing.assert_allclose(ours(0.4), exact(0.4), rtol=1e-7, atol=1e-12 if k else 1e-8)
    numpy.testing.assert_allclose(jvp(f, (0.4,), (1.0,))[1], grad(expected)(0.4), rtol=1e-8)


@pytest.mark.parametrize("count", [2, 4, 5, 8])
def test_simpson_in_its_points(count):
    """Exact for parabolas, so that the derivative of the value is that of the integral at the ends."""
    x = numpy.cumsum(numpy.linspace(0.5, 1.2, count)) - 1.0

    def f(x):
        return integrate.simpson(np.stack([x**2, 2 - x]), x=x)[0] + integrate.simpson(np.outer(x, x), x=x, axis=0)[1]

    if count > 2:
        expected = numpy.zeros(count)
        expected[0], expected[-1] = -(x[0] ** 2), x[-1] ** 2
        of_parabola = grad(lambda x: integrate.simpson(x**2, x=x))(x)
        numpy.testing.assert_allclose(of_parabola, expected, atol=1e-13)
    t = numpy.cos(numpy.arange(count))
    numpy.testing.assert_allclose(np.sum(grad(f)(x) * t), (f(x + 1e-6 * t) - f(x - 1e-6 * t)) / 2e-6, rtol=1e-7)
    numpy.testing.assert_allclose(jvp(f, (x,), (t,))[1], np.sum(grad(f)(x) * t), rtol=1e-12)
    assert f(x) == pytest.approx(jvp(f, (x,), (t,))[0], rel=1e-14)


@pytest.mark.parametrize("kind", ["previous", "next", "nearest"])
def test_steps_between_points(kind):
    """Constant between the points, as `floor` is; forward and reverse mode agree."""
    x, y = numpy.arange(5.0), numpy.arange(5.0) ** 2

    def f(x, y, at):
        return interpolate.interp1d(x, y, kind=kind)(at)

    gradients = grad(f, (0, 1, 2))(x, y, 1.3)
    numpy.testing.assert_array_equal(gradients[0], 0.0)
    numpy.testing.assert_array_equal(gradients[1], (y == f(x, y, 1.3)).astype(float))
    assert gradients[2] == 0
    assert jvp(f, (x, y, 1.3), (y, x, 1.0))[1] == np.sum(gradients[1] * x)


def test_physical_constants_and_conversions():
    import scipy.constants as theirs

    from wirtinger.scipy import constants

    assert constants.hbar == theirs.hbar
    assert constants.physical_constants is theirs.physical_constants
    assert constants.ConstantWarning is theirs.ConstantWarning
    assert grad(lambda t: constants.convert_temperature(t, "Celsius", "Fahrenheit"))(3.0) == pytest.approx(1.8)
    assert grad(constants.lambda2nu)(3.0) == pytest.approx(-theirs.c / 9)


@pytest.mark.parametrize("name", ["ttest_ind", "pearsonr", "linregress"])
def test_results_of_tests_that_are_made_of_more_than_their_elements(name):
    call, x, y = getattr(stats, name), numpy.array([1.0, 2.0, 4.0, 3.0]), numpy.array([0.5, 1.0, 2.5, 1.0])
    with pytest.raises(TypeError, match=r"Result holds more than its \d elements.*tuple\(x\)"):
        jvp(lambda x: call(x, y), (x,), (y,))
    value, moved = jvp(lambda x: tuple(call(x, y)), (x,), (y,))
    assert value == pytest.approx(tuple(call(x, y)))
    assert all(numpy.isfinite(moved))
