"""Averages, order statistics, covariance, histograms, convolution: values as NumPy's, and special points."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from samples.statistics import METHODS
from traced_values import check_value, draw, name_of, raises_the_same
from wirtinger import NotDifferentiableError, grad, gradcheck, hessian, jacobian, jvp, vjp
from wirtinger.complex_autograd.rules.reductions import order_statistics

FLOATS = (np.float32, np.float64)
STEPWISE = [method for method in METHODS if METHODS.index(method) < 3 or METHODS.index(method) > 8]


def with_holes(a):
    a = a.copy()
    a[0, 1] = a[1, 2] = a[1, 3] = np.nan
    return a


class TestAverage:
    def test_values(self):
        for dtype in (np.float32, np.complex128):
            a = draw((2, 3, 4), dtype)
            check_value(np.average, a, returned=True)
            check_value(lambda a: np.average(a, [0, -1]), a)
            check_value(lambda a: np.average(a, 1, [1, 2, 3], True), a)
            check_value(lambda a: np.average(a, (2, 0), np.arange(1.0, 9.0).reshape(4, 2), True, keepdims=True), a)
            check_value(lambda w: np.average(np.arange(24).reshape(2, 3, 4), 1, w), np.ones(3, dtype))

    def test_errors(self):
        a = np.ones((2, 3))
        raises_the_same(lambda a: np.average(a, weights=[1.0, 2.0]), a)
        raises_the_same(lambda a: np.average(a, axis=1, weights=[1.0, 2.0]), a)
        raises_the_same(lambda a: np.average(a, weights=a - a), a)
        raises_the_same(lambda a: np.average(a, 3), a)
        raises_the_same(lambda a: np.average(a[0, 0], 0), a[0])


class TestOrderStatistics:
    @pytest.mark.parametrize("function", [np.median, np.nanmedian], ids=name_of)
    def test_median(self, function):
        for dtype in (np.float32, np.float64, np.complex128):
            for axis in (None, 0, 1, (0, 1)):
                for keepdims in (False, True):
                    check_value(function, draw((3, 4), dtype), axis=axis, keepdims=keepdims)
                    check_value(function, with_holes(draw((3, 4), dtype)), axis=axis, keepdims=keepdims)

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
    def test_quantile(self, dtype, method):
        for function, q in (
            (np.quantile, 0.3),
            (np.percentile, [30, 71]),
            (np.nanquantile, 0.3),
            (np.nanpercentile, [0, 50]),
        ):
            for axis in (None, 0, (1, 0)):
                check_value(function, draw((3, 4), dtype), q=q, axis=axis, method=method)
                check_value(function, with_holes(draw((3, 4), dtype)), q=q, axis=axis, method=method, keepdims=True)

    @pytest.mark.parametrize("method", METHODS)
    def test_every_position(self, method):
        a, q = draw(7), np.linspace(0, 1, 23)[1:-1]
        assert gradcheck(lambda a: np.quantile(a, q, method=method), a)

    def test_weights(self):
        a, w = draw((3, 5)), np.abs(draw((3, 5), seed=1))
        for q in (0.0, 0.3, [0.2, 1.0]):
            check_value(np.quantile, a, q=q, axis=1, method="inverted_cdf", weights=w)
            check_value(np.nanquantile, with_holes(a), q=q, axis=1, method="inverted_cdf", weights=w)
        np.testing.assert_array_equal(
            grad(lambda a: np.quantile(a, 0.5, method="inverted_cdf", weights=[0.1, 0.1, 5.0]))(
                np.array([3.0, 1.0, 2.0])
            ),
            [0, 0, 1],
        )

    def test_ends(self):
        a = np.array([3.0, 1.0, 2.0])
        np.testing.assert_array_equal(jacobian(lambda a: np.quantile(a, [0.0, 1.0]))(a), [[0, 1, 0], [1, 0, 0]])
        assert grad(lambda q: np.quantile(a, q))(0.0) == 2.0
        assert grad(lambda q: np.quantile(a, q))(1.0) == 2.0
        assert grad(lambda q: np.quantile(a, q, method="weibull"))(0.01) == 0.0

    def test_one_element(self):
        assert grad(lambda a: np.median(a))(np.array(3.0)) == 1.0
        np.testing.assert_array_equal(grad(lambda a: np.quantile(a, 0.3))(np.array([3.0])), [1.0])
        assert grad(lambda q: np.quantile(np.array([3.0]), q))(0.3) == 0.0

    def test_equal_elements(self):
        gradient = grad(np.median)(np.array([1.0, 1.0, 1.0, 0.0]))
        assert np.sum(gradient) == 1.0
        assert gradient[3] == 0.0

    @pytest.mark.parametrize("method", STEPWISE)
    def test_steps_have_no_derivative_in_q(self, method):
        with pytest.raises(NotDifferentiableError, match="step function"):
            grad(lambda q: np.quantile(np.arange(5.0), q, method=method))(0.3)
        with pytest.raises(NotDifferentiableError, match="step function"):
            jvp(lambda q: np.percentile(np.arange(5.0), q, method=method), (30.0,), (1.0,))

    def test_median_without_nan(self):
        a = np.array([[np.nan, 1.0, 3.0, 2.0], [4.0, np.nan, np.nan, 1.0]])
        np.testing.assert_array_equal(
            grad(lambda a: np.sum(np.nanmedian(a, axis=1)))(a), [[0, 0, 0, 1], [0.5, 0, 0, 0.5]]
        )

    @pytest.mark.filterwarnings("ignore:All-NaN slice")
    @pytest.mark.parametrize("function", [np.nanmedian, partial(np.nanquantile, q=0.5)], ids=["median", "quantile"])
    def test_rows_of_nan_alone(self, function):
        a = np.array([[np.nan, np.nan], [1.0, 3.0]])
        gradient = grad(lambda a: np.sum(np.nan_to_num(function(a, axis=1))))(a)
        np.testing.assert_array_equal(gradient, [[0, 0], [0.5, 0.5]])

    def test_matrix_of_quantiles_over_several_axes(self):
        a, q = with_holes(draw((3, 4))), np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
        found = vjp(lambda a: np.nanquantile(a[None], q, axis=(0, 2)), a)[0]
        np.testing.assert_allclose(found, np.nanquantile(a, q, axis=1))

    @pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
    def test_empty(self):
        assert np.isnan(vjp(np.median, np.ones(0))[0])
        assert grad(lambda a: np.nan_to_num(np.median(a)))(np.ones(0)).shape == (0,)

    def test_errors(self):
        a = draw(4)
        raises_the_same(lambda a: np.quantile(a, 1.5), a)
        raises_the_same(lambda a: np.quantile(a, 0.5, method="unknown"), a)
        raises_the_same(lambda a: np.quantile(a, 0.5), a + 0j)
        raises_the_same(lambda a: np.median(a, axis=1), a)


class TestCovariance:
    @pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128], ids=name_of)
    def test_values(self, dtype):
        a, b = draw((3, 5), dtype), draw((2, 5), dtype, seed=1)
        check_value(np.cov, a)
        check_value(np.cov, a[0])
        check_value(np.cov, a, b)
        check_value(np.cov, a, rowvar=False, bias=True)
        check_value(lambda a, b: np.cov(a, b, rowvar=False), a.T, b.T)
        check_value(np.cov, a, fweights=[1, 2, 0, 1, 3], aweights=[1.0, 0.5, 2.0, 1.0, 1.0], ddof=0)
        for precision in "fd" if np.dtype(dtype).kind == "f" else "FD":
            check_value(np.cov, a, dtype=precision)
        check_value(np.corrcoef, a)
        check_value(np.corrcoef, a, b)
        check_value(np.corrcoef, a[0])

    def test_errors(self):
        a = draw((2, 4))
        raises_the_same(lambda a: np.cov(a, ddof=0.5), a)
        raises_the_same(lambda a: np.cov(a[None]), a)
        raises_the_same(lambda a: np.cov(a, a[None]), a)
        raises_the_same(lambda a: np.cov(a, fweights=[1.5, 1, 1, 1]), a)
        raises_the_same(lambda a: np.cov(a, fweights=[1, 1, 1]), a)
        raises_the_same(lambda a: np.cov(a, aweights=[[1.0, 1, 1, 1]]), a)
        raises_the_same(lambda a: np.cov(a, aweights=[1.0, 1, 1, -1]), a)

    def test_correlation_of_proportional_variables(self):
        a = draw(5)
        gradient = grad(lambda a: np.sum(np.corrcoef(2 * a, -a)))(a)
        np.testing.assert_allclose(gradient, 0, atol=1e-14)


class TestHistograms:
    X = np.array([0.1, 0.5, 0.2, 0.9, 0.5, 2.0])

    @pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128], ids=name_of)
    def test_values(self, dtype):
        w = draw(6, dtype)
        for bins in (4, [0.1, 0.5, 0.9], [0.0, 0.5, 0.5, 3.0]):
            check_value(lambda w, bins=bins: np.histogram(self.X, bins, weights=w), w)
        check_value(lambda w: np.histogram(self.X, 3, (0, 1), weights=w), w)
        check_value(lambda w: np.histogram(self.X, 3, density=True, weights=np.abs(w)), w)
        if np.dtype(dtype).kind == "f":
            check_value(lambda w: np.bincount([1, 1, 4, 0, 2, 1], w, 8), w)
            check_value(lambda w: np.histogram2d(self.X, self.X[::-1], [2, 3], weights=w), w)
            check_value(lambda w: np.histogramdd((self.X,), [np.array([0.1, 0.5, 2.0])], weights=w), w)

    def test_values_of_traced_data(self):
        check_value(np.histogram, self.X)
        check_value(lambda x: np.histogram(x, "auto"), self.X)
        check_value(lambda x: np.histogram(x, 3, density=True), self.X)
        check_value(lambda x: np.histogram2d(x, x, [0.0, 0.3, 1.0, 2.0]), self.X)
        check_value(lambda x: np.histogramdd(x[:, None], 3), self.X)
        check_value(lambda x: np.histogram_bin_edges(x), np.ones(3))

    def test_edges_of_bins_belong_as_numpy_says(self):
        edges = np.array([0.1, 0.5, 0.9])
        weights = np.arange(1.0, 7.0)
        found = jacobian(lambda w: np.histogram(self.X, edges, weights=w)[0])(weights)
        np.testing.assert_array_equal(found, [[1, 0, 1, 0, 0, 0], [0, 1, 0, 1, 1, 0]])
        found = jacobian(lambda w: np.histogramdd(self.X[:, None], [edges], weights=w)[0])(weights)
        np.testing.assert_array_equal(found, [[1, 0, 1, 0, 0, 0], [0, 1, 0, 1, 1, 0]])

    def test_counts_are_constant_and_edges_move_with_the_data(self):
        np.testing.assert_array_equal(grad(lambda x: np.sum(x) + np.histogram(x, 2)[0][0])(self.X), np.ones(6))
        found = jacobian(lambda x: np.histogram_bin_edges(x, 2))(self.X)
        np.testing.assert_allclose(found, [[1, 0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0, 0.5], [0, 0, 0, 0, 0, 1]], atol=1e-15)

    def test_errors(self):
        raises_the_same(lambda w: np.histogram(self.X, weights=w), draw(5))
        raises_the_same(lambda w: np.bincount([-1, 0], w), draw(2))
        raises_the_same(lambda x: np.histogram(x, 0), self.X)
        raises_the_same(lambda x: np.histogram2d(x, x[1:]), self.X)


class TestConvolution:
    @pytest.mark.parametrize("mode", ["full", "same", "valid"])
    def test_values(self, mode):
        for m in range(1, 7):
            for n in range(1, 7):
                for dtypes in ((np.float32, np.float32), (np.float64, np.complex128), (np.complex64, np.float64)):
                    a, v = draw(m, dtypes[0]), draw(n, dtypes[1], seed=1)
                    check_value(lambda a, v: np.convolve(a, v, mode), a, v)
                    check_value(lambda a, v: np.correlate(a, v, mode), a, v)

    def test_autocorrelation(self):
        assert gradcheck(lambda a: np.correlate(a, a, "full"), draw(4, complex))
        hessian_of_energy = hessian(lambda a: np.convolve(a, a)[2])(np.array([1.0, 2.0, 3.0]))
        np.testing.assert_array_equal(hessian_of_energy, [[0, 0, 2], [0, 2, 0], [2, 0, 0]])

    def test_numbers_and_lists(self):
        check_value(lambda a: np.convolve(a, [1, 2]), np.array(2.0))
        check_value(lambda a: np.correlate([1, 2, 3], a), np.array([1.0, 0.5]))

    def test_errors(self):
        raises_the_same(lambda a: np.convolve(a, a), np.ones(0))
        raises_the_same(lambda a: np.convolve(a, a, "unknown"), np.ones(2))
        raises_the_same(lambda a: np.convolve(a, a), np.ones((2, 2)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_order_statistics_of_large_arrays_find_what_argpartition_finds(dtype, monkeypatch):
    rng = np.random.default_rng(0)
    a = rng.permutation(np.linspace(-1, 1, 5001).astype(dtype))
    infinite = np.where(np.abs(a) > 0.3, np.copysign(dtype(np.inf), a), a)
    functions = np.median, np.nanmedian, partial(np.quantile, q=0.3), partial(np.percentile, q=100.0)
    for x in (a, a[:-1], a[:4998].reshape(3, -1), infinite, np.round(a, 1), np.sort(a), a * np.finfo(dtype).max):
        for function in functions:
            for axis in (None, -1, 0):
                with np.errstate(all="ignore"):
                    f = partial(function, axis=axis)
                    found, dx = vjp(f, x)[1](1 + 0 * f(x)), jvp(f, (x,), (x / 2,))[1]
                    with monkeypatch.context() as patched:
                        patched.setattr(order_statistics, "_MANY", np.inf)
                        np.testing.assert_array_equal(found, vjp(f, x)[1](1 + 0 * f(x)))
                        np.testing.assert_array_equal(dx, jvp(f, (x,), (x / 2,))[1])


def test_medians_of_large_arrays_order_no_elements(monkeypatch):
    a = np.random.default_rng(0).permutation(np.arange(6000.0))
    monkeypatch.setattr(np, "argpartition", None)
    np.testing.assert_array_equal(grad(np.median)(a), 0.5 * ((a == 2999) | (a == 3000)))
    a = np.append(a, 6000)
    np.testing.assert_array_equal(grad(lambda a: np.quantile(a, 0.25))(a), a == 1500)
