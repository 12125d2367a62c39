"""Filters and convolutions of `scipy.signal`."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal

from compat_cases import REAL, Case, check_derivatives, check_single_precision, draw, parameters
from wirtinger import NotDifferentiableError, compile, grad, hessian, jacobian, jvp
from wirtinger.compat.scipy.rules import convolutions, filter_designs, signal_filters
from wirtinger.scipy import signal

B = 0.3 * draw(4)
A = np.array([1.3, 0.4, -0.2, 0.1, 0.05])
X = draw(2, 9, seed=1)
SECTIONS = scipy.signal.butter(4, 0.3, output="sos")
LONG = draw(2, 30, seed=2)
NEAR = np.array([0.3, -1.0, 0.35, 2.0, 0.33])
IMAGE, KERNEL = draw(4, 5, seed=3), draw(3, 2, seed=4)


def sections(s):
    """Second-order sections with 1 where SciPy wants it."""
    return np.concatenate([s[:, :3], np.ones((len(s), 1), s.dtype), s[:, 4:]], axis=1)


FILTERS = [
    Case("lfilter", signal_filters.lfilter, (B, A, X)),
    Case("lfilter zi", lambda b, a, x, z: signal_filters.lfilter(b, a, x, 0, z), (B, A, X.T, draw(4, 2))),
    Case("lfilter short", lambda b, a, x, z: signal_filters.lfilter(b, a, x, zi=z), (B, A, X[:, :3], draw(1, 4))),
    Case("lfilter finite", lambda b, x, z: signal_filters.lfilter(b, [2.0], x, zi=z), (B, X, draw(2, 3))),
    Case("lfilter scalar", lambda b, x: signal_filters.lfilter(b, 2.0, x), (B, X)),
    Case("sosfilt", lambda s, x: signal_filters.sosfilt(sections(s), x), (SECTIONS, X)),
    Case("sosfilt zi", lambda s, x, z: signal_filters.sosfilt(sections(s), x, 0, z), (SECTIONS, X.T, draw(2, 2, 2))),
    Case("lfilter_zi", signal_filters.lfilter_zi, (B, A)),
    Case("sosfilt_zi", lambda s: signal_filters.sosfilt_zi(sections(s)), (SECTIONS,)),
    Case("lfiltic", lambda b, a, y, x: signal_filters.lfiltic(b, a, y, x), (B[:3], A, X[0, :2], X[0, 3:7])),
    Case("lfiltic at 1", lambda b, a, y: signal_filters.lfiltic(b, a, y), (B, np.array([1.0, 0.4]), X[0])),
    Case("bilinear", filter_designs.bilinear, (B, A, 1.3), REAL),
    Case("bilinear complex", lambda b, a: filter_designs.bilinear(b, a, 1.3), (A, B), "c"),
    Case("lp2hp at 1", filter_designs.lp2hp, (B, A, 1.0), REAL),
    Case("residue", lambda b, a: np.concatenate(signal.residue(b, a)), (draw(6, seed=5), A), REAL),
    Case("residuez", lambda b, a: np.concatenate(signal.residuez(b, a)), (B[:2], A[:4])),
    Case("residue of a pole twice", lambda b: signal.residue(b, np.poly([-1.0, -1.0, -2.0]))[0], (B[:3],), REAL),
    *[
        Case(f"unique_roots {kind}", lambda p, kind=kind: signal.unique_roots(p, 0.1, kind)[0], (NEAR,), REAL)
        for kind in ("min", "max", "avg")
    ],
    *[
        Case(f"filtfilt {pad}", lambda b, a, x, pad=pad: signal_filters.filtfilt(b, a, x, padtype=pad), (B, A, LONG))
        for pad in ("odd", "even", "constant", None)
    ],
    Case("filtfilt 0", lambda b, a, x: signal_filters.filtfilt(b, a, x, 0, padlen=0), (B, A, LONG.T)),
    Case("sosfiltfilt", lambda s, x: signal_filters.sosfiltfilt(sections(s), x), (SECTIONS, LONG)),
    *[
        Case(
            f"upfirdn {mode} {up} {down}",
            lambda h, x, mode=mode, up=up, down=down: signal_filters.upfirdn(h, x, up, down, 0, mode),
            (draw(7), X.T),
        )
        for mode, up, down in (
            ("constant", 2, 3),
            ("constant", 5, 1),
            ("symmetric", 3, 2),
            ("antisymmetric", 1, 4),
            ("reflect", 2, 3),
            ("antireflect", 3, 2),
            ("edge", 2, 3),
            ("wrap", 5, 2),
            ("smooth", 2, 3),
            ("line", 1, 1),
        )
    ],
    Case("upfirdn cval", lambda h, x, c: signal_filters.upfirdn(h, x, 2, 3, cval=c), (draw(7), X, np.array(0.3))),
]


def convolved(name, mode, swap=False, **options):
    function = getattr(convolutions, name)
    order = (KERNEL, IMAGE) if swap else (IMAGE, KERNEL)
    return Case(f"{name} {mode} {options} {swap}", lambda a, v: function(a, v, mode, **options), order)


CONVOLUTIONS = [
    *[
        convolved(name, mode, swap, **options)
        for name, options in (
            ("convolve", {"method": "direct"}),
            ("correlate", {}),
            ("fftconvolve", {}),
            ("oaconvolve", {}),
            ("convolve2d", {"boundary": "wrap"}),
            ("correlate2d", {"boundary": "symm"}),
        )
        for mode in ("full", "same", "valid")
        for swap in (False, True)
    ],
    Case("convolve 1", lambda a, v: convolutions.convolve(a, v, "same"), (IMAGE[0], KERNEL[:, 0])),
    Case("convolve 0", convolutions.convolve, (np.array(2.0), np.array(3.0))),
    Case("fftconvolve axes", lambda a, v: convolutions.fftconvolve(a, v, "same", axes=0), (IMAGE, KERNEL[:, :1])),
    Case("oaconvolve axes", lambda a, v: convolutions.oaconvolve(a, v, "valid", axes=[1]), (IMAGE, draw(4, 2))),
    Case(
        "correlate2d fill",
        lambda a, v, c: convolutions.correlate2d(a, v, "same", "fill", c),
        (IMAGE, KERNEL, np.array(0.3)),
        REAL,
    ),
]


@pytest.mark.parametrize(("case", "kind"), parameters(FILTERS + CONVOLUTIONS))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


@pytest.mark.parametrize(("case", "kind"), parameters(FILTERS + CONVOLUTIONS))
def test_single_precision(case, kind):
    check_single_precision(case, kind)


@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_filters_of_any_lengths_are_solutions_of_their_recurrence(zeros):
    """`sum_k a[k] y[n - k] = sum_k b[k] x[n - k]` along the tangent, which is another filter's solution."""
    b, a, da = draw(3), np.array([2.0, 0.5, 0.1]), np.r_[draw(3, seed=5)]
    da[:zeros] = 0.0
    y, dy = jvp(lambda a: signal_filters.lfilter(b, a, X), (a,), (da,))
    expected = -scipy.signal.lfilter([1.0], a, scipy.signal.lfilter(da, [1.0], y))
    np.testing.assert_allclose(dy, expected, rtol=1e-12, atol=1e-13)


def test_plain_calls_are_scipys():
    strided = draw(20, 6)[::2, ::3]
    for ours, theirs, args in (
        (signal_filters.lfilter, scipy.signal.lfilter, (B, A, strided)),
        (signal_filters.sosfilt, scipy.signal.sosfilt, (SECTIONS, strided.astype(np.complex64))),
        (signal_filters.filtfilt, scipy.signal.filtfilt, (B, A, LONG)),
        (convolutions.convolve, scipy.signal.convolve, (np.arange(4), [1, 2])),
        (convolutions.fftconvolve, scipy.signal.fftconvolve, (np.zeros(0), [1, 2])),
        (convolutions.correlate2d, scipy.signal.correlate2d, (IMAGE, KERNEL)),
    ):
        found, expected = ours(*args), theirs(*args)
        assert type(found) is type(expected)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("call", "x"),
    [
        (lambda x: signal_filters.lfilter([], 1.0, x), X),
        (lambda x: signal_filters.lfilter(B, A, x, zi=np.zeros(2)), X),
        (lambda x: signal_filters.sosfilt(np.ones((2, 5)), x), X),
        (lambda x: signal_filters.filtfilt(B, A, x), X[:, :2]),
        (lambda x: convolutions.convolve(x, x[0]), X),
        (lambda x: convolutions.convolve(x, x, "other"), X),
        (lambda x: convolutions.convolve2d(x, x, boundary="other"), X),
        (lambda x: signal_filters.upfirdn(x, x), X),
        (lambda x: signal_filters.upfirdn(x[0], x, mode="other"), X),
    ],
)
def test_errors_are_scipys(call, x):
    with pytest.raises(Exception) as expected:
        call(x)
    with pytest.raises(expected.type) as found:
        grad(lambda x: np.sum(call(x)))(x)
    assert str(found.value) == str(expected.value)


def test_an_argument_without_a_derivative_is_refused_by_name():
    with pytest.raises(NotDifferentiableError, match=r"scipy\.signal\.upfirdn has no derivative with respect to up"):
        grad(lambda x: np.sum(signal_filters.upfirdn(B, X, x)))(2.0)
    with pytest.raises(NotDifferentiableError, match="gust"):
        grad(lambda x: np.sum(signal_filters.filtfilt(B, A, x, method="gust")))(LONG)


def test_lists_of_traced_values():
    def loss(p):
        return np.sum(signal_filters.lfilter([p, 1.0], [1.0, p], [1.0, p, 0.0]) ** 2)

    at = 0.3
    expected = (loss(at + 1e-6) - loss(at - 1e-6)) / 2e-6
    np.testing.assert_allclose(grad(loss)(at), expected, rtol=1e-8)


def test_nested_transforms_and_programs():
    def loss(a):
        return np.sum(signal_filters.lfilter(B, a, X[0]) ** 2)

    matrix = hessian(loss)(A)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
    np.testing.assert_allclose(jacobian(grad(loss), mode="forward")(A), matrix, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(compile(grad(loss))(A), grad(loss)(A), rtol=1e-13)
    np.testing.assert_array_equal(compile(loss)(A), loss(A))
    smooth = lambda x: np.sum(np.abs(convolutions.convolve(x, KERNEL[:, 0])) ** 2)
    np.testing.assert_allclose(compile(grad(smooth))(X[0]), grad(smooth)(X[0]), rtol=1e-12)


def test_a_long_signal_costs_no_matrix():
    x = draw(200_000)
    gradient = grad(lambda a: np.sum(signal_filters.lfilter([1.0], a, x) ** 2))(np.array([1.0, -0.9]))
    step = 1e-6
    ends = [np.sum(scipy.signal.lfilter([1.0], [1.0, -0.9 + s], x) ** 2) for s in (step, -step)]
    np.testing.assert_allclose(gradient[1], (ends[0] - ends[1]) / (2 * step), rtol=1e-7)


def test_not_a_number_stays_one():
    x = X[0].copy()
    x[3] = np.nan
    gradient = grad(lambda b: np.sum(signal_filters.lfilter(b, 1.0, x)))(B)
    assert np.all(np.isnan(gradient))


@pytest.mark.filterwarnings("ignore:Badly conditioned")
@pytest.mark.parametrize("name", ["normalize", "tf2zpk", "lp2lp", "lp2bp"])
def test_leading_zeros_of_a_numerator_have_no_derivative(name):
    def loss(b):
        return sum(np.sum(np.real(x)) for x in getattr(signal, name)(b, [1.0, 3.0, 2.0])[:2])

    b = np.array([0.0, 1.0, 3.0, 1.0])
    for derivative in (lambda: grad(loss)(b), lambda: jvp(loss, (b,), (np.ones(4),))):
        with pytest.raises(NotDifferentiableError, match="leading coefficients that are 0"):
            derivative()
    inner = grad(lambda b: loss(np.concatenate([np.zeros(1), b])))(b[1:])
    np.testing.assert_allclose(inner, grad(loss)(b[1:]), rtol=1e-13)
    np.testing.assert_allclose(jvp(loss, (b,), (np.array([0.0, 1.0, 0.0, 0.0]),))[1], inner[0], rtol=1e-13)


def test_leading_zeros_of_analog_filters_without_one():
    a = np.array([1.0, 3.0, 2.0])
    for first in (0.0, 1e-9):  # the filter is as long as its denominator
        found = jacobian(lambda b: filter_designs.bilinear(b, a, 1.0)[0])(np.array([first, 1.0, 2.0]))
        np.testing.assert_allclose(found[:, 0], [1 / 3, -2 / 3, 1 / 3], rtol=1e-12)
    with pytest.raises(NotDifferentiableError, match="bilinear"):
        grad(lambda b: np.sum(filter_designs.bilinear(b, a[1:], 1.0)[0]))(np.array([0.0, 1.0, 2.0]))
    shifted = lambda w: np.sum(signal.lp2bp([1.0], a, w)[1])
    np.testing.assert_allclose(grad(shifted)(0.7), 2.8 + 2 * 3 * 0.7 + 4 * 0.7**3, rtol=1e-13)
