"""`wirtinger.scipy` inside of mapped functions: each call is that of a loop, as are its derivatives."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import TraceError, grad, jvp, vmap
from wirtinger.complex_autograd.engine.dispatch import mappable
from wirtinger.complex_autograd.optimization.of_items import method_one_by_one
from wirtinger.scipy import fft, integrate, interpolate, ndimage, optimize, signal, spatial, stats

T = numpy.linspace(0.0, 1.0, 7)
Y = numpy.cos(3 * T) + 0.1 * T * numpy.array([[1.0], [2.0], [-1.0]])
P = numpy.array([0.4, 0.7, 1.3])
POINTS = numpy.stack([T, T**2, 1 - T], -1)

CALLS = {
    "stats.norm.logpdf": lambda y, p: stats.norm.logpdf(y, 0.1, p),
    "stats.norm.cdf": lambda y, p: stats.norm.cdf(y, loc=p),
    "stats.gamma.logpdf": lambda y, p: stats.gamma.logpdf(y**2 + 0.1, p),
    "stats.beta.cdf": lambda y, p: stats.beta.cdf(0.3, p, 1.0 + p**2),
    "stats.t.ppf": lambda y, p: stats.t.ppf(p / 2, 5.0 + p),
    "stats.t, frozen": lambda y, p: stats.t(3.0 + p).logsf(y),
    "stats.genpareto, frozen": lambda y, p: stats.genpareto(p - 0.7, scale=p).cdf(y[:2] ** 2),
    "stats.beta.fit": lambda y, p: np.stack(stats.beta.fit(y**2 / 3 + 0.1, floc=0, fscale=1)[:2]),
    "stats.poisson.logpmf": lambda y, p: stats.poisson.logpmf(2, p),
    "stats.multivariate_normal.logpdf": lambda y, p: stats.multivariate_normal.logpdf(y[:2], y[2:4], p * numpy.eye(2)),
    "stats.pearsonr": lambda y, p: stats.pearsonr(y, T).statistic,
    "stats.skew": lambda y, p: stats.skew(y),
    "stats.linregress": lambda y, p: stats.linregress(T, y).slope,
    "signal.lfilter": lambda y, p: signal.lfilter(np.stack([1.0, p]), [1.0, 0.3], y),
    "signal.sosfilt": lambda y, p: signal.sosfilt(signal.butter(2, 0.3, output="sos"), y * p),
    "signal.butter": lambda y, p: signal.butter(2, p / 2)[1],
    "signal.fftconvolve": lambda y, p: signal.fftconvolve(y, y[:3] * p),
    "signal.convolve": lambda y, p: signal.convolve(y, y[:3] * p),
    "signal.welch": lambda y, p: signal.welch(y * p, nperseg=4)[1],
    "interpolate.CubicSpline": lambda y, p: interpolate.CubicSpline(T, y)(p / 2),
    "interpolate.make_interp_spline": lambda y, p: interpolate.make_interp_spline(T, y)(p / 2),
    "interpolate.BSpline": lambda y, p: interpolate.BSpline(numpy.arange(11.0), y, 3)(3.0 + p),
    "interpolate.PchipInterpolator": lambda y, p: interpolate.PchipInterpolator(T, y).derivative()(0.41),
    "interpolate.RegularGridInterpolator": lambda y, p: interpolate.RegularGridInterpolator((T,), y)(np.stack([p / 2])),
    "interpolate.RBFInterpolator": lambda y, p: interpolate.RBFInterpolator(POINTS, y, kernel="linear")(
        POINTS[:2] + 0.01 * p
    ),
    "integrate.quad": lambda y, p: integrate.quad(lambda t: np.exp(-p * t) * y[0], 0.0, 1.0)[0],
    "integrate.quad, ends": lambda y, p: integrate.quad(lambda t, k: np.cos(k * t), 0.0, p, args=(y[1],))[0],
    "integrate.trapezoid": lambda y, p: integrate.trapezoid(y, T * p),
    "integrate.simpson": lambda y, p: integrate.simpson(y, x=T * p),
    "integrate.solve_ivp": lambda y, p: integrate.solve_ivp(lambda t, u: -p * u, (0.0, 1.0), y[:2], rtol=1e-8).y[:, -1],
    "optimize.brentq": lambda y, p: optimize.brentq(lambda x: x**3 - p, 0.0, 2.0),
    "optimize.root": lambda y, p: optimize.root(lambda x: x**3 + x - p, 0.5).x,
    "optimize.minimize": lambda y, p: optimize.minimize(lambda x: np.sum((x - y[:2]) ** 2 + p * x**4), [0.1, 0.2]).x,
    "spatial.distance.cdist": lambda y, p: spatial.distance.cdist(POINTS[:2] * p, y[:6].reshape(2, 3)),
    "spatial.distance.jensenshannon": lambda y, p: spatial.distance.jensenshannon(y**2, T + p),
    "ndimage.gaussian_filter1d": lambda y, p: ndimage.gaussian_filter1d(y * p, 1.0),
    "ndimage.map_coordinates": lambda y, p: ndimage.map_coordinates(y, np.stack([np.stack([p, 2 * p])])),
    "fft.dct": lambda y, p: fft.dct(y * p),
}
EXACT = {"optimize.minimize": 1e-4, "integrate.solve_ivp": 1e-6}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_that_of_a_loop(name):
    call = CALLS[name]

    def loss(y, p):
        return np.sum(np.real(call(y, p)) ** 2)

    close = EXACT.get(name, 1e-9)
    numpy.testing.assert_allclose(vmap(call)(Y, P), [call(y, p) for y, p in zip(Y, P, strict=True)], rtol=close)
    numpy.testing.assert_allclose(vmap(call, (None, 0))(Y[0], P), [call(Y[0], p) for p in P], rtol=close)
    found = vmap(grad(loss, (0, 1)))(Y, P)
    for k in range(3):
        expected = grad(loss, (0, 1))(Y[k], P[k])
        for g, h in zip(found, expected, strict=True):
            numpy.testing.assert_allclose(g[k], h, rtol=1e3 * close, atol=1e2 * close)
    along = [jvp(call, (Y[k], P[k]), (numpy.ones(7), 1.0))[1] for k in range(3)]
    moved = vmap(lambda y, p: jvp(call, (y, p), (numpy.ones(7), 1.0))[1])(Y, P)
    numpy.testing.assert_allclose(moved, along, rtol=1e3 * close, atol=1e2 * close)


def test_conditions_that_items_do_not_agree_on():
    """SciPy's code goes one way for all where all agree, and one way for each where they do not."""
    said = []

    def f(s):
        return stats.norm.logpdf(0.5, 0.0, s)

    numpy.testing.assert_array_equal(vmap(f)(numpy.array([1.0, -1.0])), [f(1.0), numpy.nan])
    with pytest.warns(RuntimeWarning, match="is computed item by item") as warned:
        vmap(lambda y: signal.sosfilt(signal.butter(2, 0.3, output="sos"), y), loops="warn")(Y)
    said += [str(w.message) for w in warned]
    assert any("sosfilt" in text for text in said)


def test_a_condition_of_the_users_is_refused_whatever_the_numbers_are():
    with pytest.raises(np.TraceError, match="used as one truth value"):
        vmap(lambda p: optimize.brentq(lambda x: x - p, 0.0, 2.0) if p > 0 else 0.0)(P)


def test_results_that_are_no_arrays():
    result = vmap(lambda y: stats.linregress(T, y)[:2])(Y)
    numpy.testing.assert_allclose(result, numpy.transpose([stats.linregress(T, y)[:2] for y in Y]), rtol=1e-12)
    for out_axes in (0, None):
        with pytest.raises(TypeError, match="a RBFInterpolator for each item, which no array holds"):
            vmap(lambda y: interpolate.RBFInterpolator(POINTS, y), 0, out_axes)(Y)
    with pytest.raises(TypeError, match="a PearsonRResult for each item"):
        vmap(lambda y: stats.pearsonr(y, Y[0]))(Y)
    with pytest.raises(TypeError, match="a OdeSolution for each item"):
        vmap(lambda p: integrate.solve_ivp(lambda t, y: -p * y, (0, 1), [1.0], dense_output=True).sol)(P)


@pytest.mark.parametrize("name", ["pdf", "logcdf", "isf"])
def test_numbers_that_distributions_take_go_together(name):
    """Their methods treat each element alone, and are not called item by item."""
    x, m, s = P / 2, numpy.array([0.1, 0.5, 1.0]), numpy.array([0.5, 1.0, 2.0])

    def call(x, m, s):
        return getattr(stats.skewnorm, name)(x, m, scale=s)

    def frozen(x, m, s):
        return getattr(stats.gamma(m + 1.0, scale=s), name)([x, x / 2])

    for f in (call, frozen):
        numpy.testing.assert_allclose(vmap(f, loops="raise")(x, m, s), [f(*each) for each in zip(x, m, s, strict=True)])
        found = vmap(grad(lambda *a, f=f: np.sum(f(*a)), (0, 1, 2)), loops="raise")(x, m, s)
        expected = [grad(lambda *a, f=f: np.sum(f(*a)), (0, 1, 2))(*each) for each in zip(x, m, s, strict=True)]
        numpy.testing.assert_allclose(numpy.transpose(found), expected)
    rows = numpy.stack([m, s])
    found = vmap(lambda row: vmap(lambda y: stats.norm.logpdf(y, row[0]))(row), loops="raise")(rows)
    numpy.testing.assert_allclose(found, stats.norm.logpdf(rows, rows[:, :1]))


POINTS_OF_SPLINES = numpy.array([0.1, 0.55, 0.9])
KNOTS = numpy.r_[(0.0,) * 4, 0.5, (1.0,) * 4]
SPLINES = {
    "make_lsq_spline": lambda y, p: interpolate.make_lsq_spline(T, y, KNOTS)(p * POINTS_OF_SPLINES / 2),
    "make_lsq_spline at one": lambda y, p: interpolate.make_lsq_spline(T, y, KNOTS)(p / 2),
    "make_smoothing_spline": lambda y, p: interpolate.make_smoothing_spline(T, y, lam=p)(p * POINTS_OF_SPLINES / 2),
    "UnivariateSpline": lambda y, p: interpolate.UnivariateSpline(T, y, s=0)(p * POINTS_OF_SPLINES / 2),
    "InterpolatedUnivariateSpline": lambda y, p: interpolate.InterpolatedUnivariateSpline(T, y * p).integral(0.1, 0.8),
    "PPoly": lambda y, p: interpolate.PPoly(np.reshape(y[:6], (3, 2)), T[::3])(p * POINTS_OF_SPLINES / 2),
    "BPoly": lambda y, p: interpolate.BPoly(np.reshape(y[:6], (3, 2)), T[::3])(p * POINTS_OF_SPLINES / 2),
    "PPoly of numbers": lambda y, p: interpolate.PPoly(Y[:, :2], T[::3])(p * POINTS_OF_SPLINES / 2),
    "ShortTimeFFT": lambda y, p: np.abs(signal.ShortTimeFFT(numpy.ones(4) + p * T[:4], 2, 1.0).stft(y)) ** 2,
}


@pytest.mark.parametrize("name", SPLINES)
def test_objects_of_mapped_values(name):
    f = SPLINES[name]
    numpy.testing.assert_allclose(vmap(f)(Y, P), [f(y, p) for y, p in zip(Y, P, strict=True)], rtol=1e-12)
    gradient = grad(lambda y, p: np.sum(f(y, p)), (0, 1))
    expected = [gradient(y, p) for y, p in zip(Y, P, strict=True)]
    for found, column in zip(vmap(gradient)(Y, P), zip(*expected, strict=True), strict=True):
        numpy.testing.assert_allclose(found, column, rtol=1e-9, atol=1e-12)


def test_what_is_called_item_by_item_and_reads_other_mapped_values_is_refused():
    class Scaled:
        def __init__(self, factor):
            self.factor = factor

        def times(self, y):
            return self.factor * y if y[0] > 0 else -self.factor * y

    def f(y, p):
        scaled = Scaled(p)
        return mappable(scaled.times)(y)

    with pytest.raises(TraceError, match="a mapped value that is not one of its arguments"):
        vmap(f)(Y, P)


INTEGRALS = {
    "to": lambda p: interpolate.CubicSpline(T, Y[0]).integrate(0, p / 2),
    "between": lambda p: interpolate.PchipInterpolator(T, Y[0] * p).integrate(p / 2, 0.1),
    "breakpoints": lambda p: interpolate.CubicSpline(T * p, Y[0]).integrate(0.0, 0.3),
    "periods": lambda p: interpolate.CubicSpline(
        T, numpy.sin(2 * numpy.pi * T.round(12)) * p, bc_type="natural"
    ).integrate(0.2, 3 * p, extrapolate="periodic"),
    "root": lambda p: interpolate.CubicSpline(T, T + T**3).solve(p / 2 + 0.01, extrapolate=False)[0],
}


@pytest.mark.parametrize("name", INTEGRALS)
def test_what_goes_on_by_numbers_of_the_items(name):
    f = INTEGRALS[name]
    numpy.testing.assert_allclose(vmap(f)(P), [f(p) for p in P], rtol=1e-12)
    if name != "root":
        numpy.testing.assert_allclose(vmap(grad(f))(P), [grad(f)(p) for p in P], rtol=1e-9)


def test_roots_of_mapped_splines():
    def root(p):
        return interpolate.CubicSpline(T, (T - 0.2) * p).roots(extrapolate=False)[0]

    numpy.testing.assert_allclose(vmap(root)(P), 0.2, rtol=1e-12)


def test_items_out_of_range():
    line = interpolate.interp1d(T, T**2)
    with pytest.raises(ValueError, match="above the interpolation range"):
        vmap(line)(P)
    filled = interpolate.interp1d(T, T**2, bounds_error=False, fill_value=-7.0)
    numpy.testing.assert_allclose(vmap(filled)(P), filled(P), rtol=1e-12)
    numpy.testing.assert_allclose(vmap(grad(filled))(P)[2], 0.0, atol=0)


@pytest.mark.parametrize("solver", ["fsolve", "root", "leastsq"])
def test_solvers_print_nothing(solver, capfd):
    """MINPACK prints what its callback raised: it is not tried with what it cannot take."""

    def f(p):
        found = getattr(optimize, solver)(lambda x: x**3 + x - p, [0.5])
        return found.x[0] if solver == "root" else numpy.ravel(found[0])[0] if solver == "leastsq" else found[0]

    x = vmap(f)(P)
    numpy.testing.assert_allclose(x**3 + x, P, rtol=1e-7)
    assert capfd.readouterr() == ("", "")


def written_by(function, target):
    def f(y):
        out = target(y)
        function(y, out)
        return out * y

    return f


WRITTEN_BY = {
    "a filter": lambda y, out: ndimage.gaussian_filter1d(y, 1.0, output=out),
    "a filter in a view": lambda y, out: ndimage.uniform_filter(y[1:], 3, output=out[1:]),
    "a correlation": lambda y, out: ndimage.correlate(y, [0.2, 0.5, 0.3], output=out),
}


@pytest.mark.parametrize("target", [np.zeros_like, lambda y: np.zeros(7), lambda y: 2 * y], ids=["like", "new", "of y"])
@pytest.mark.parametrize("name", WRITTEN_BY)
def test_what_is_written_for_each_item(name, target):
    f = written_by(WRITTEN_BY[name], target)
    numpy.testing.assert_array_equal(vmap(f)(Y), [f(y) for y in Y])
    gradient = grad(lambda y: np.sum(f(y)))
    numpy.testing.assert_allclose(vmap(gradient)(Y), [gradient(y) for y in Y], rtol=1e-12)


def test_what_is_written_for_all_items_at_once_is_refused():
    def f(y):
        return ndimage.gaussian_filter1d(y, 1.0, output=numpy.zeros(7))

    with pytest.raises(TraceError, match=r"made by plain numpy, .* wirtinger\.zeros"):
        vmap(f)(Y)


def test_distances_are_written_for_each_item():
    def f(y):
        out = np.zeros((1, 2))
        spatial.distance.cdist(y[None], numpy.outer([1.0, 2.0], T), out=out)
        return out

    numpy.testing.assert_array_equal(vmap(f)(Y), [f(y) for y in Y])


def test_mapped_values_that_an_object_holds_by_another_one():
    """As splines of SciPy 1.18; objects may refer to each other in a circle."""

    class Inner:
        def __init__(self, owner, c):
            self.owner, self.c = owner, c

    class Spline:
        def __init__(self, c):
            self.inner = Inner(self, c)

        @method_one_by_one
        def first_positive(self, x):
            return x * next(c for c in self.inner.c if c > 0)

    coefficients, x = numpy.array([[-1.0, 2.0], [3.0, -4.0]]), numpy.array([10.0, 20.0])
    f = lambda c, x: Spline(c).first_positive(x)
    numpy.testing.assert_array_equal(vmap(f)(coefficients, x), [20.0, 60.0])
    numpy.testing.assert_array_equal(vmap(grad(f))(coefficients, x), [[0.0, 10.0], [20.0, 0.0]])
