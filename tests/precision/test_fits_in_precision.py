"""Fits, weighted quantiles and means, padding at 40 digits: NumPy's values and errors, and all digits."""

from __future__ import annotations

import mpmath
import numpy
import pytest

import wirtinger as np
from wirtinger import jacobian, precision, to_host

RANDOM = numpy.random.default_rng(5)
X, Y = numpy.linspace(-1.0, 2.0, 7), RANDOM.standard_normal((7, 2))
W = numpy.array([1.0, 2.0, 1.0, 0.5, 3.0, 1.0, 2.0])
A = RANDOM.standard_normal((3, 4)).round(1)
HOLES = numpy.where(abs(A) > 1.2, numpy.nan, A)


def same(call, *args, **options):
    """A call on mpmath's numbers returns what it does on doubles, or raises the same."""
    try:
        with numpy.errstate(invalid="ignore"):
            expected = call(*args, **options)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        with precision(40), pytest.raises(type(error)):
            call(*map(np.asarray, args), **options)
        return
    with precision(40):
        found = call(*map(np.asarray, args), **options)
        for x, y in zip(found, expected, strict=True) if type(expected) is tuple else [(found, expected)]:
            numpy.testing.assert_allclose(to_host(np.asarray(x) * 1.0), y, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("options", [{}, {"w": W}, {"cov": True}, {"w": W, "cov": "unscaled"}, {"w": W[:3]}],
                         ids=["plain", "weights", "cov", "unscaled", "short"])  # fmt: skip
@pytest.mark.parametrize("y", [Y, Y[:, 0], Y[:, 0] + 1j * Y[:, 1]], ids=["columns", "real", "complex"])
@pytest.mark.parametrize("degree", [0, 2, -1])
def test_fits(y, degree, options):
    same(numpy.polyfit, X, y, deg=degree, **options)
    if not options:
        same(lambda x, y: numpy.polyfit(x, y, degree, full=True)[:4], X, y)


def test_fits_have_all_digits():
    with precision(40):
        x, p = np.asarray(X), np.asarray([1.0, -2.0, 3.0]) / 7
        fitted = jacobian(lambda p: np.polyfit(x, np.polyval(p, x), 2))(p)
        assert abs(np.polyfit(x, np.polyval(p, x), 2) - p).max() < 1e-37
        assert abs(fitted - numpy.eye(3)).max() < 1e-37
        close = 1 + np.asarray([0.0, 1.0, 2.0, 3.0]) * mpmath.mpf(10) ** -9  # one point to a double's polynomial
        coefficients = np.polyfit(close, (close - 1) ** 2, 2)
        assert abs(coefficients - numpy.array([1.0, -2.0, 1.0])).max() < 1e-15
        moved = jacobian(lambda y: np.polyfit(close, y, 2))((close - 1) ** 2)
        assert abs(moved @ (close - 1) ** 2 - coefficients).max() < 1e-15
    with precision(40), pytest.warns(np.exceptions.RankWarning):
        np.polyfit(np.asarray(X[:2]), np.asarray(X[:2]), 2)


@pytest.mark.parametrize("q", [0.0, 0.3, 0.5, 1.0, numpy.array([[0.1, 0.9]])], ids=str)
@pytest.mark.parametrize("a", [A, HOLES], ids=["numbers", "holes"])
@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_weighted_quantiles(name, a, q):
    weights = numpy.array([[0.0, 1.0, 2.0, 0.5], [3.0, 1.0, 1.0, 1.0], [0.2, 0.3, 0.4, 0.6]])
    quantile = getattr(numpy, name)
    cases = [(None, weights), (1, weights), ((0, 1), weights), (0, W[:3]), (1, W[:4]), ((1, 0), weights.T)]
    for axis, w in cases if name == "quantile" else cases[:3]:  # NumPy 2.4's nanquantile fails with others
        for kept in (False, True):
            same(lambda a, w, axis=axis, kept=kept: quantile(a, q, axis=axis, weights=w, method="inverted_cdf",
                                                              keepdims=kept), a, w)  # fmt: skip


@pytest.mark.parametrize("w", [-W[:3], 0 * W[:3], W[:2], numpy.array([numpy.nan, 1.0, 2.0])], ids=str)
def test_weights_that_numpy_refuses(w):
    same(lambda a, w: numpy.quantile(a, 0.5, axis=0, weights=w, method="inverted_cdf"), A, w)
    same(lambda a, w: numpy.quantile(a, 0.5, axis=0, weights=w), A, w)
    same(lambda a, w: numpy.percentile(a, 50, weights=w, method="inverted_cdf"), A, w)


def test_means_with_weights_along_several_axes():
    a = RANDOM.standard_normal((2, 3, 4))
    for axis, w in (((2, 0), a[:, 0].T), ((0, 2), a[:, 0]), ((1,), W[:3]), (-2, W[:3]), (None, W[:3])):
        same(lambda a, w, axis=axis: numpy.average(a, axis, w), a, abs(w))


@pytest.mark.parametrize(("mode", "options"), [
    ("linear_ramp", {}), ("linear_ramp", {"end_values": ((1.0, 2.0), (-1.0, 0.5))}),
    ("linear_ramp", {"end_values": 3.0}),
    ("maximum", {}), ("minimum", {"stat_length": 2}), ("mean", {"stat_length": ((1, 3), (2, 99))}), ("median", {}),
    ("median", {"stat_length": (1, 2)}), ("maximum", {"stat_length": 0}), ("mean", {"end_values": 0}),
    ("reflect", {"reflect_type": "odd"}), ("wrap", {}),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("width", [2, (1, 3), ((0, 2), (3, 1)), {0: 2}, {-1: (1, 2)}, ((1,), (2,)), -1], ids=str)
@pytest.mark.parametrize("a", [A, A + 1j * A[::-1]], ids=["real", "complex"])
def test_padding(a, width, mode, options):
    same(lambda a: numpy.pad(a, width, mode, **options), a)


def test_ramps_have_all_digits():
    with precision(40):
        end = np.asarray([1.0]) / 3
        ramp = np.pad(np.asarray([0.0]), (3, 0), "linear_ramp", end_values=end[0])
        assert abs(ramp[2] - end[0] / 3) < 1e-39
        moved = jacobian(lambda end: np.pad(np.zeros(1), (3, 0), "linear_ramp", end_values=end))(end[0])
        assert abs(moved - np.asarray([3.0, 2.0, 1.0, 0.0]) / 3).max() < 1e-39
