"""`scipy.interpolate` through rules of its compiled functions, and what of `scipy.signal` and `ndimage` is Python."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.interpolate
import scipy.ndimage
import scipy.signal

import wirtinger
from compat_cases import REAL, Case, check_derivatives, draw, parameters
from wirtinger import DifferentiationError, NotDifferentiableError, grad, jvp
from wirtinger.scipy import interpolate, ndimage, signal

pytestmark = pytest.mark.filterwarnings("ignore:`(lagrange|pade)` is deprecated:DeprecationWarning")

RANDOM = np.random.default_rng(0)
X, Y = np.sort(RANDOM.uniform(0, 5, 8)), draw(8, 2)
AT = np.array([0.3, 1.2, 2.7, 4.1, 6.0])
WITHIN = np.clip(AT, X[0] + 0.01, X[-1] - 0.01)
C, BREAKS, Q, ENDS = draw(4, 3, 2), np.array([0.0, 1.0, 2.5, 3.0]), np.array([0.2, 1.3, 2.9, 3.5]), np.array([0.3, 2.2])
KNOTS = np.array([0.0, 0.1, 0.3, 0.5, 1.0, 2.5, 3.0, 3.6, 3.7, 3.9, 4.0])
COEFFICIENTS = draw(7, 2, seed=1)
GRID, VALUES = (np.array([0.0, 1.0, 2.5, 3.1]), np.array([0.0, 0.7, 2.0])), draw(4, 3, seed=2)
SQUARE = (np.arange(4.0), np.arange(4.0))
LEAST = np.array([X[0] - 0.1] * 4 + [2.5] + [X[-1] + 0.1] * 4)
OPTIONS = {"InterpolatedUnivariateSpline": {}, "UnivariateSpline": {"s": 0}}
DRAWN = (X, Y[:, 0], WITHIN)
PLACES = np.array([[0.3, 0.2], [2.7, 1.9], [1.1, 0.8]])
POINTS, DATA, NEW = draw(9, 2, seed=3), draw(9, seed=4), draw(4, 2, seed=5)
KERNELS = (
    *("linear", "thin_plate_spline", "cubic", "quintic"),
    *("multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian"),
)


def of_polynomial(kind, label, use, *args, kinds=REAL):
    make = getattr(interpolate, kind)
    return Case(f"{kind} {label}", lambda c, x, *rest: use(make(c, x), *rest), (C, BREAKS, *args), kinds)


POLYNOMIALS = [
    case
    for kind in ("PPoly", "BPoly")
    for case in (
        *[of_polynomial(kind, f"nu={nu}", lambda p, q, nu=nu: p(q, nu), Q) for nu in (0, 2)],
        of_polynomial(kind, "derivative", lambda p, q: p.derivative()(q), Q),
        of_polynomial(kind, "antiderivative", lambda p, q: p.antiderivative(2)(q), Q),
        of_polynomial(kind, "integrate", lambda p, s: p.integrate(s[0], s[1]), ENDS),
        of_polynomial(kind, "integrate back", lambda p, s: p.integrate(s[1], s[0]), ENDS),
    )
] + [
    Case("PPoly complex", lambda c, q: interpolate.PPoly(c + 1j * c[::-1], BREAKS)(q), (C, Q), REAL),
    Case("PPoly periodic", lambda c, x, q: interpolate.PPoly(c, x, extrapolate="periodic")(q), (C, BREAKS, Q), REAL),
    Case("PPoly descending", lambda c, q: interpolate.PPoly(c, BREAKS[::-1])(q), (C, Q), REAL),
    *[
        Case(f"CubicSpline {bc}", lambda x, y, q, bc=bc: interpolate.CubicSpline(x, y, bc_type=bc)(q), (X, Y, AT), REAL)
        for bc in ("not-a-knot", "natural", "clamped")
    ],
    Case(
        "CubicSpline periodic",
        lambda x, y: interpolate.CubicSpline(x, wirtinger.concatenate([y[:-1], y[:1]]), bc_type="periodic")(AT),
        (X, Y),
        REAL,
    ),
    Case("CubicSpline integral", lambda x, y: interpolate.CubicSpline(x, y).integrate(0.5, 3.1), (X, Y), REAL),
    Case("Pchip", lambda x, y, q: interpolate.PchipInterpolator(x, y)(q), (X, Y[:, 0], AT), REAL),
    Case("Akima", lambda x, y, q: interpolate.Akima1DInterpolator(x, y)(q), (X, Y[:, 0], WITHIN), REAL),
    Case("Hermite", lambda x, y, d, q: interpolate.CubicHermiteSpline(x, y, d)(q), (X, Y, Y[::-1], AT), REAL),
    Case("Krogh", lambda x, y, q: interpolate.KroghInterpolator(x, y)(q), (X, Y[:, 0], AT), REAL),
    Case(
        "barycentric", lambda x, y, q: interpolate.BarycentricInterpolator(x, y)(q), (X, Y[:, 0], WITHIN), REAL, 1 << 12
    ),
]
SPLINES = [
    *[
        Case(
            f"BSpline {k} nu={nu}",
            lambda t, c, q, k=k, nu=nu: interpolate.BSpline(t, c[: len(KNOTS) - k - 1], k)(q, nu),
            (KNOTS, draw(9, 2, seed=6), Q[:3] if k < 4 else Q[1:2]),
            REAL,
        )
        for k in (1, 2, 3, 4)
        for nu in (0, 1, 2)
        if nu <= k
    ],
    Case("BSpline complex", lambda c: interpolate.BSpline(KNOTS, c, 3)(Q[:3]), (COEFFICIENTS,)),
    Case("BSpline axis", lambda c: interpolate.BSpline(KNOTS, c, 3, axis=1)(Q[:3]), (COEFFICIENTS.T.copy(),), REAL),
    Case(
        "BSpline derivative", lambda c, q: interpolate.BSpline(KNOTS, c, 3).derivative()(q), (COEFFICIENTS, Q[:3]), REAL
    ),
    Case("BSpline integral", lambda c: interpolate.BSpline(KNOTS, c, 3).integrate(0.7, 2.2), (COEFFICIENTS,), REAL),
    *[
        Case(
            f"make_interp_spline {k}", lambda x, y, q, k=k: interpolate.make_interp_spline(x, y, k)(q), (X, Y, AT), REAL
        )
        for k in (1, 2, 3, 5)
    ],
    Case(
        "make_interp_spline natural",
        lambda x, y, q: interpolate.make_interp_spline(x, y, 3, bc_type="natural")(q),
        (X, Y, AT),
        REAL,
    ),
    Case("make_interp_spline complex", lambda y: interpolate.make_interp_spline(X, y, 3)(AT), (Y,)),
    *[
        Case(
            f"splrep {k}",
            lambda x, y, q, k=k: interpolate.splev(q, interpolate.splrep(x, y, k=k)),
            (X, Y[:, 0], WITHIN),
            REAL,
        )
        for k in (2, 3)
    ],
    *[
        Case(
            f"{name} {k}",
            lambda x, y, q, n=name, k=k: getattr(interpolate, n)(x, y, k=k, **OPTIONS[n])(q, 1),
            DRAWN,
            REAL,
        )
        for name, k in (("InterpolatedUnivariateSpline", 3), ("UnivariateSpline", 2))
    ],
    Case(
        "splint",
        lambda a, b, c: wirtinger.asarray(interpolate.splint(a, b, (KNOTS, c, 3))),
        (0.9, 3.7, COEFFICIENTS[:, 0]),
        REAL,
    ),
    Case(
        "splev",
        lambda c: interpolate.splev(AT, (KNOTS, wirtinger.concatenate([c, np.zeros(4)]), 3), 1),
        (COEFFICIENTS[:, 0],),
        REAL,
    ),
    Case(
        "make_lsq_spline",
        lambda x, y, w: interpolate.make_lsq_spline(x, y, LEAST, w=w)(AT),
        (X, Y, np.linspace(1, 2, 8)),
        REAL,
        1 << 12,
    ),
    Case(
        "LSQUnivariateSpline",
        lambda x, y, t, w, q: interpolate.LSQUnivariateSpline(x, y, t, w)(q, 1),
        (X, Y[:, 0], np.array([2.5]), np.linspace(1, 2, 8), WITHIN),
        REAL,
        1 << 12,
    ),
    Case(
        "LSQUnivariateSpline of ends",
        lambda x, y: interpolate.LSQUnivariateSpline(x, y, [2.5], bbox=[X[0] - 0.1, X[-1] + 0.1], k=2).integral(0.5, 3),
        (X, Y[:, 0]),
        REAL,
        1 << 12,
    ),
    Case(
        "coefficients, knots and residual",
        lambda x, y: wirtinger.concatenate(
            [
                *(
                    part
                    for s in (interpolate.UnivariateSpline(x, y, s=0), interpolate.LSQUnivariateSpline(x, y, [2.5]))
                    for part in (s.get_coeffs(), s.get_knots())
                ),
                [interpolate.LSQUnivariateSpline(x, y, [2.5]).get_residual()],
            ]
        ),
        (X, Y[:, 0]),
        REAL,
        1 << 12,
    ),
    Case(
        "make_smoothing_spline",
        lambda x, y, w, s: interpolate.make_smoothing_spline(x, y, w, s)(AT),
        (X, Y[:, 0], np.linspace(1, 2, 8), 0.3),
        REAL,
        1 << 12,
    ),
    Case("design_matrix", lambda x: interpolate.BSpline.design_matrix(x, KNOTS, 3).toarray(), (WITHIN[1:3],), REAL),
    Case("lagrange", lambda x, y: interpolate.lagrange(x, y).coeffs, (X[:4], Y[:4, 0]), REAL, 1 << 10),
    Case("pade", lambda a: interpolate.pade(a, 2)[0].coeffs, (COEFFICIENTS[:5, 0],), REAL),
    Case("interp1d cubic", lambda y: interpolate.interp1d(X, y, kind="cubic")(WITHIN), (Y[:, 0],), REAL),
    Case("interp1d linear", lambda x, y, q: interpolate.interp1d(x, y)(q), (X, Y[:, 0], WITHIN), REAL),
]
SEVERAL_VARIABLES = [
    Case("grid", lambda g, h, v, p: interpolate.RegularGridInterpolator((g, h), v)(p), (*GRID, VALUES, PLACES), REAL),
    Case(
        "grid of three",
        lambda v, p: interpolate.RegularGridInterpolator((*GRID, np.arange(2.0)), wirtinger.stack([v, 2 * v], -1))(
            wirtinger.concatenate([p, p[:, :1] / 4], 1)
        ),
        (VALUES, PLACES),
        REAL,
    ),
    Case("grid nearest", lambda v: interpolate.interpn(GRID, v, PLACES, method="nearest"), (VALUES,), REAL),
    Case("grid complex", lambda v: interpolate.interpn(GRID, v, PLACES), (VALUES,)),
    *[
        Case(
            f"rbf {kernel}",
            lambda y, d, q, e, s, kernel=kernel: interpolate.RBFInterpolator(
                y, d, kernel=kernel, epsilon=e, smoothing=s
            )(q),
            (POINTS, DATA, NEW, 1.3, 0.1),
            REAL,
            1 << 16,
        )
        for kernel in KERNELS
    ],
    *[
        Case(
            f"grid {method}",
            lambda v, p, method=method: interpolate.RegularGridInterpolator(SQUARE, v, method=method)(p),
            (draw(4, 4, seed=8), PLACES),
            REAL,
            1 << 34,  # SciPy's iterations end at 1e-6
        )
        for method in ("slinear", "cubic", "pchip")
    ],
    Case("NdBSpline", lambda c, p: interpolate.NdBSpline((KNOTS, KNOTS), c, 3)(p), (draw(7, 7, seed=9), PLACES), REAL),
    Case("triangles", lambda p, v, q: interpolate.LinearNDInterpolator(p, v, 0.5)(q), (POINTS, DATA, 0.4 * NEW), REAL),
    Case(
        "nearest", lambda p, v, q: interpolate.NearestNDInterpolator(p, v)(q) * q[:, 0], (POINTS, DATA, 0.4 * NEW), REAL
    ),
    Case("griddata", lambda v, q: interpolate.griddata(POINTS, v, q, fill_value=0.0), (DATA, 0.4 * NEW), REAL),
    Case(
        "rbf neighbours",
        lambda d, q: interpolate.RBFInterpolator(POINTS, d, neighbors=5)(q),
        (DATA, NEW),
        REAL,
        1 << 12,
    ),
    Case("rbf complex", lambda d: interpolate.RBFInterpolator(POINTS, d)(NEW), (DATA,), "c", 1 << 12),
]
SHORT = draw(40, seed=7)
PYTHON = [
    Case("hilbert", lambda x: signal.hilbert(x), (SHORT[:9],), REAL),
    Case("resample", lambda x: signal.resample(x, 13), (SHORT[:9],)),
    Case("resample_poly", lambda x: signal.resample_poly(x, 3, 2), (SHORT[:9],)),
    Case("decimate", lambda x: signal.decimate(x, 3), (SHORT,), REAL),
    Case("detrend", lambda x: signal.detrend(x), (SHORT[:9],), REAL),
    Case("welch", lambda x: signal.welch(x, nperseg=16)[1], (SHORT,), REAL),
    Case("csd", lambda x, y: signal.csd(x, y, nperseg=16)[1], (SHORT, SHORT[::-1].copy()), REAL),
    Case("coherence", lambda x: signal.coherence(x, x**2, nperseg=16)[1], (SHORT,), REAL, 1 << 12),
    Case("spectrogram", lambda x: signal.spectrogram(x, nperseg=16)[2], (SHORT,), REAL),
    Case("stft", lambda x: signal.stft(x, nperseg=8, return_onesided=False)[2], (SHORT[:20],)),
    Case("istft", lambda z: signal.istft(z + 1j * z, nperseg=10)[1], (draw(6, 7),), REAL),
    Case(
        "ShortTimeFFT",
        lambda x, s: signal.ShortTimeFFT(signal.windows.gaussian(8, s), 3, 1.0).stft(x),
        (SHORT[:20], 1.5),
        REAL,
    ),
    Case("savgol_filter", lambda x: signal.savgol_filter(x, 7, 3), (SHORT[:12],), REAL),
    Case("deconvolve", lambda x, y: signal.deconvolve(x, y), (SHORT[:8], SHORT[9:12]), REAL),
    Case("freqz", lambda b, a, w: signal.freqz(b, a, w)[1], (SHORT[:3], SHORT[3:6], np.linspace(0.1, 3, 5)), REAL),
    Case("medfilt", lambda x: signal.medfilt(x, 3), (SHORT[:9],), REAL),
    *[
        Case(name, lambda x, name=name: getattr(ndimage, name)(x, 3), (draw(6, 5),), REAL)
        for name in ("uniform_filter", "white_tophat", "morphological_gradient")
    ],
    *[
        Case(name, lambda x, name=name: getattr(ndimage, name)(x), (draw(6, 5),), REAL)
        for name in ("sobel", "prewitt", "laplace")
    ],
    Case("gaussian_laplace", lambda x, s: ndimage.gaussian_laplace(x, s), (draw(6, 5), 0.9), REAL),
    Case("rotate", lambda x, a: ndimage.rotate(x, a, reshape=False), (draw(6, 5), 20.3), REAL),
    *[
        Case(f"window {name}", lambda p, name=name: signal.get_window((name, p), 9), (at,), REAL)
        for name, at in (("kaiser", 4.0), ("gaussian", 3.0), ("general_hamming", 0.6))
    ],
]


@pytest.mark.parametrize(("case", "kind"), parameters(POLYNOMIALS + SPLINES + SEVERAL_VARIABLES + PYTHON))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


def test_plain_values_are_scipys():
    for ours, theirs in ((interpolate, scipy.interpolate),):
        for use in (
            lambda i: i.PPoly(C, BREAKS)(Q, 1),
            lambda i: i.PPoly(C[:, ::-1], BREAKS, extrapolate=False)(np.array([-1.0, np.nan, 0.5])),
            lambda i: i.BPoly(C, BREAKS).antiderivative()(Q),
            lambda i: i.PPoly(C, BREAKS).antiderivative(2).c,
            lambda i: i.PPoly(C, BREAKS).integrate(0.2, 9.0),
            lambda i: i.BSpline(KNOTS, COEFFICIENTS, 3)(Q, 1),
            lambda i: i.BSpline(KNOTS, COEFFICIENTS + 1j, 3, extrapolate="periodic")(Q.reshape(2, 2)),
            lambda i: i.BSpline(KNOTS, COEFFICIENTS.T, 3, axis=1, extrapolate=False)(np.array([-1.0, 2.0])),
            lambda i: i.make_interp_spline(X, Y, 3, bc_type="clamped").c,
            lambda i: i.make_interp_spline(X, np.r_[Y[:-1], Y[:1]], 3, bc_type="periodic").c,
            lambda i: i.CubicSpline(X, Y)(AT),
            lambda i: i.RegularGridInterpolator(GRID, VALUES)(PLACES),
            lambda i: i.RegularGridInterpolator(GRID, VALUES, bounds_error=False)((PLACES[:, 0], 9.0)),
            lambda i: i.RegularGridInterpolator(SQUARE, draw(4, 4), method="cubic")(PLACES),
            lambda i: i.griddata(POINTS, DATA, NEW),
            lambda i: i.LinearNDInterpolator(POINTS, DATA)(NEW[:, 0], 0.1),
            lambda i: i.NearestNDInterpolator(POINTS, DATA)(NEW[:, 0], 0.1, distance_upper_bound=0.1),
            lambda i: i.NearestNDInterpolator(POINTS, DATA + 1j, rescale=True)(NEW),
            lambda i: i.UnivariateSpline(X, Y[:, 0])(AT),
            lambda i: i.InterpolatedUnivariateSpline(X, Y[:, 0]).derivative()(AT),
            lambda i: i.splev(AT, i.splrep(X, Y[:, 0], s=0.1)),
            lambda i: i.make_lsq_spline(X, Y, LEAST).c,
            lambda i: i.lagrange(X[:4], Y[:4, 0]).coeffs,
            lambda i: i.RBFInterpolator(POINTS, DATA, kernel="gaussian", epsilon=1.3)(NEW),
            lambda i: i.RBFInterpolator(POINTS, DATA + 1j, neighbors=5)(NEW),
        ):
            found, expected = use(ours), use(theirs)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(signal.stft(SHORT, nperseg=8)[2], scipy.signal.stft(SHORT, nperseg=8)[2])
    np.testing.assert_array_equal(signal.welch(SHORT, nperseg=8)[1], scipy.signal.welch(SHORT, nperseg=8)[1])
    np.testing.assert_array_equal(ndimage.sobel(draw(6, 5)), scipy.ndimage.sobel(draw(6, 5)))


@pytest.mark.parametrize("tolerance", [1.0, 1e12, 0.0])
def test_the_tolerance_of_simplices_is_scipys(tolerance):
    """From SciPy 1.18 on; earlier versions do not know the keyword."""
    outside = np.array([[-1e-8, 0.3]])
    corners, values = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 2.0, 4.0])
    f = lambda i, v: i.LinearNDInterpolator(corners, v)(outside, simplex_tolerance=tolerance)
    try:
        expected = f(scipy.interpolate, values)
    except (TypeError, ValueError) as error:
        for call in (lambda: f(interpolate, values), lambda: jvp(lambda v: f(interpolate, v), (values,), (values,))):
            with pytest.raises(type(error)):
                call()
    else:
        np.testing.assert_array_equal(f(interpolate, values), expected)
        tangent = jvp(lambda v: f(interpolate, v), (values,), (values,))[1]
        np.testing.assert_allclose(tangent, np.nan_to_num(expected), rtol=1e-12)  # linear, or the constant fill value


def test_a_smoothing_spline_by_cross_validation():
    """The penalty is the minimum of a function of the values, and moves with them."""
    x, y = np.linspace(0.0, 4.0, 12), np.sin(np.linspace(0.0, 4.0, 12)) + 0.3 * draw(12, seed=6)
    direction = draw(12, seed=7)

    def values(y):
        return interpolate.make_smoothing_spline(x, y)(AT)

    h = 1e-2  # SciPy finds the minimum to 1e-5
    expected = (values(y + h * direction) - values(y - h * direction)) / (2 * h)
    np.testing.assert_allclose(jvp(values, (y,), (direction,))[1], expected, rtol=0, atol=1e-3)


def test_arguments_outside_are_not_numbers_and_have_no_part_in_a_derivative():
    def loss(c):
        values = interpolate.PPoly(c, BREAKS, extrapolate=False)(np.array([-1.0, 0.5]))
        return wirtinger.sum(values[1])

    whole = grad(lambda c: np.sum(interpolate.PPoly(c, BREAKS)(np.array([0.5]))))(C)
    np.testing.assert_allclose(grad(loss)(C), whole)
    value, _ = jvp(
        lambda c: interpolate.BSpline(KNOTS, c, 3, extrapolate=False)(np.array([-1.0])),
        (COEFFICIENTS,),
        (COEFFICIENTS,),
    )
    assert np.all(np.isnan(value))


def test_errors_are_scipys():
    for call in (
        lambda i, y: i.CubicSpline(X, y[:-1]),
        lambda i, y: i.BSpline(KNOTS[::-1], y, 3),
        lambda i, y: i.make_interp_spline(X, y, 3, t=KNOTS),
        lambda i, y: i.RBFInterpolator(POINTS, y),
        lambda i, y: i.RBFInterpolator(POINTS[:8], y, kernel="gaussian"),
        lambda i, y: i.RegularGridInterpolator(GRID, y),
        lambda i, y: i.RegularGridInterpolator((X,), y)([9.0]),
    ):
        with pytest.raises(Exception) as expected:
            call(scipy.interpolate, Y)
        with pytest.raises(expected.type):
            grad(lambda y, call=call: (call(interpolate, y), np.sum(y))[1])(Y)


def test_a_banded_system_with_a_constant_matrix_in_forward_mode():
    band, right = np.array([[0.0, 1.0, 1.0], [4.0, 4.0, 4.0]]), draw(3)
    _, tangent = jvp(lambda b: wirtinger.linalg.solve_banded((0, 1), band, b), (right,), (right,))
    np.testing.assert_allclose(tangent, wirtinger.linalg.solve_banded((0, 1), band, right))


def test_what_univariate_splines_and_cubic_surfaces_compute_by_compiled_code_is_refused():
    for use in (lambda s: s.set_smoothing_factor(0.1), lambda s: s.roots(), lambda s: s.derivatives(1.0)):
        with pytest.raises(DifferentiationError):
            grad(lambda y: use(interpolate.InterpolatedUnivariateSpline(X, y)))(Y[:, 0])  # noqa: B023
    for f in (
        lambda v: interpolate.griddata(POINTS, v, NEW, method="cubic").sum(),
        lambda v: interpolate.CloughTocher2DInterpolator(POINTS, v)(NEW).sum(),
        lambda v: interpolate.CloughTocher2DInterpolator(POINTS, DATA)(v[:2]).sum(),
    ):
        with pytest.raises(NotDifferentiableError, match="RBFInterpolator for a smooth"):
            grad(f)(DATA)
    found = interpolate.CloughTocher2DInterpolator(POINTS, DATA, fill_value=0.5)
    assert isinstance(found, scipy.interpolate.CloughTocher2DInterpolator)
    np.testing.assert_array_equal(found(NEW), scipy.interpolate.CloughTocher2DInterpolator(POINTS, DATA, 0.5)(NEW))
